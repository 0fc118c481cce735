"""Redaction in layers: known values, vendors' token formats, context, checksums. `redactor` puts them together."""
