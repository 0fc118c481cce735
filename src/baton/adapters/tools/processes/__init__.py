"""Commands as processes: run to their end, in a sandbox or an editor's terminal, with nothing left behind."""
