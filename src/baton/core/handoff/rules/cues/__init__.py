"""Words and forms by which rules are told from other sentences, one table per language."""
