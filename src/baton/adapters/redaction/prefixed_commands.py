# ruff: noqa: E501 (a pattern is easier to read in one line)
"""Commands that a variable is set for: `PW=x ./run.sh` is a password and a command, and no pass phrase."""

from __future__ import annotations

import re

_COMMAND = re.compile(
    rb"\S++ (?:[\w.-]*/[\w./-]+|\S+\.(?:sh|py|rb|pl|js|mjs|ts|php|exe)|(?:sudo|env|exec|nohup|bash|sh|zsh|python3?|node|npm|npx|pnpm|yarn|bun|deno"
    rb"|cargo|docker|podman|kubectl|helm|terraform|tofu|pulumi|ansible(?:-\w+)?|psql|pg_\w+|mysql(?:dump|admin)?|mongosh?|redis-cli|rails|rake|bundle"
    rb"|php|java|mvn|gradle|ruby|perl|pytest|uv|poetry|tox|ssh|scp|sftp|rsync|curl|wget|git|gpg|openssl|restic|borg|rclone|vault|aws|gcloud|az|make|go))(?: |\Z)"
)


def runs_command(said: bytes) -> bool:
    """Whether a command follows the first word, which is set for it alone: `PW=x ./run.sh`."""
    return _COMMAND.match(said) is not None
