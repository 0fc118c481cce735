"""Programs that tools run: found, caged, watched and ended."""
