"""What `baton config` says."""

from __future__ import annotations

ALL_RIGHT = "{files}: no problems found."
NOT_ALL = "{files}: what is said above is ignored; the rest is used."
NO_FILES = "No config files found; using defaults."
SET = "{key} is now {value} ({file})."
OVERRIDDEN = "But {source} says otherwise, and that comes first."
UNSET = "{key} was taken out of {file}. It is {value} now ({source})."
NOT_SET = "{key} is not set in {file}."
NO_KEY = "There is no key {key}. `baton config show` lists all."
UNCHANGED = "Nothing was changed."
EDIT_AGAIN = "Edit it again?"
KEPT = "{file} is changed."
START = "# Your configuration of Baton. Every key: baton config show, and docs/reference/config.md.\n"
