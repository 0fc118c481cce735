"""Shell text read by tree-sitter's grammar of bash."""
