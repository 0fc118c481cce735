# ruff: noqa: A005
"""How much of what people type and machines print is taken out, and what is damaged on the way."""
