"""A redactor for a workspace."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from baton.adapters.redaction.cache import Cache
from baton.adapters.redaction.env_files import env_values
from baton.adapters.redaction.known import KnownValues
from baton.adapters.redaction.layered import LayeredRedactor, layers
from baton.adapters.redaction.prefilter import prefilter
from baton.adapters.redaction.scanner import Scanner
from baton.adapters.redaction.stop import secrets_of
from baton.ports.redactor import Redactor


def open_redactor(workspace: str, environ: Mapping[str, str], secrets: Iterable[str], cache_dir: str) -> Redactor:
    """Knows the secrets of the environment, of the workspace's `.env` files and of the configuration.

    `secrets` are the configuration's, known to be secret whatever they look like. Compiled rules are kept below
    `cache_dir`; nothing is compiled before the first text comes.
    """
    cache = Cache(cache_dir)
    scanner = Scanner(layers(), lambda anchors: prefilter(anchors, cache))
    configured = {f"configured secret {number}": secret for number, secret in enumerate(secrets, 1)}
    values = {
        **secrets_of(environ),
        **secrets_of(env_values(workspace)),
        **secrets_of(configured, trusted=True),
    }
    return LayeredRedactor(scanner, KnownValues(values))
