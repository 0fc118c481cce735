"""Stores: one implementation of the port over two databases."""
