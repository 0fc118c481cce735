"""The catalogue: every sentence that a surface shows, one module per subject."""
