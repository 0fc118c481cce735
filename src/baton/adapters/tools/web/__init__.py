"""Pages of the public Internet: who may be reached, how, and as what text."""
