"""Files of a workspace: opened without following links, read by lines, listed, compared."""
