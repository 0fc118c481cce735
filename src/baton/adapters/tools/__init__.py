"""The tools that ship with Baton: one module per tool, put together in `registry`."""
