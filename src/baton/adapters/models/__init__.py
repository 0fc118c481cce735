"""Models: one table of providers, and one adapter over the library that speaks to them."""
