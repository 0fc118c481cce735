"""How well risky steps are told from harmless ones, by sets labelled by hand."""
