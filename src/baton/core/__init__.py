"""Values and rules: synchronous, no input or output, standard library only."""
