"""Texts in which secrets were marked by reading, and what is learnt from them."""
