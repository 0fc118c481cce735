"""The workspace as it is on disk, through the git program."""
