"""A Matrix server and the people on it. nio can be imported once Baton's own package is."""

import baton.adapters.platforms.matrix  # noqa: F401
