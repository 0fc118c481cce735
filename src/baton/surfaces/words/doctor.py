"""What `baton doctor` finds, and what is said when a part of Baton is not installed."""

from __future__ import annotations

READING = "Reading every entry"
WELL = "All is well."
WORKS = "It works, with {warnings} above."
BROKEN = "Something is wrong: {errors} above."
PROGRAM = "{version}, Python {python} on {system}"
DEFAULTS = "defaults (no {file})"
HOME_READABLE = "{path} can be read by others"
PRIVATE = "chmod 700 {path}"
STORE = "{store}: {conversations}, {size}"

# the disk
DISK_FREE = "{size} free"
DISK_NEARLY_FULL = "nearly full: {size} free"
DISK_FULL = "full: {size} free"
DISK_NO_ROOM = "full: nothing can be written to {path}"
DISK_NO_FILES = "full: it holds as many files as it can"
DISK_UNWRITABLE = "{path} cannot be written: {reason}"
DISK_REFUSES = "it refuses"
DISK_TODO_FREE = "free some room on the disk of {path}, or set BATON_HOME to another directory"
DISK_TODO_WRITABLE = "make {path} writable for this user, or set BATON_HOME to another directory"

# a part that is not installed
EXTRA_QUESTION = "Install it now? [Y/n] "
EXTRA_FAILED = "It could not be installed. Nothing else was changed."
EXTRA_INSTALLED = "Installed. Starting your command again."
