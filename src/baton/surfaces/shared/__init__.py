"""What surfaces share. A surface imports from here, never from its sibling."""
