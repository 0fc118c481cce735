"""PostgreSQL: one schema, rows locked one by one, wake-ups by LISTEN and NOTIFY.

Importing anything from here without psycopg raises `MissingExtra`. psycopg takes a fifth of a second to import: import
this package only when a URL asks for it.
"""

from __future__ import annotations

from baton.config.extras import require_extra

require_extra("postgres")
