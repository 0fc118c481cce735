"""Pages of the public Internet: which hosts may be reached, how, and what text becomes of a page."""
