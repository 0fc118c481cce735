"""Redaction in layers: exact known values, vendors' token formats, context, checksums. `open` puts them together."""
