"""The benchmark: Baton beside the floor under it and beside its peers. `python -m bench --help`."""
