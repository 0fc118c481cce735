"""Shipped fakes: under the same contract suites as the real adapters."""
