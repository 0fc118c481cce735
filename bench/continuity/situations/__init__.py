"""Seeded situations with what an attentive colleague would do next: labelled by how they are made, never by a run."""
