"""Where a PostgreSQL store is: the URL taken apart once, so that its secrets go to the driver and nowhere else."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import quote as percent_encode

from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict

from baton.core.errors import BadInput
from baton.core.ids import quote
from baton.core.value import field, value

DEFAULT_SCHEMA = "baton"
_SCHEMES = ("postgresql://", "postgres://")
_SCHEMA_OPTION = re.compile(r"(?<=[?&])schema=([^&]*)(&|$)")
_SCHEMA = re.compile(r"[a-z_][a-z0-9_]{0,47}")
_FORM = "Allowed: postgresql://user:password@host:port/database?schema=name, other characters percent-encoded."


@value
class Address:
    """`location` is the URL for people: never with a password or any other option."""

    parameters: dict[str, Any] = field(repr=False)
    schema: str
    location: str

    def channel(self, topic: str) -> str:
        """The name under which writers of this schema notify waiters."""
        return f"{self.schema}.{topic}"


def parse_address(url: str) -> Address:
    """`BadInput` for anything that is not a PostgreSQL URL; the text of the error holds no part of the URL."""
    if not url.startswith(_SCHEMES):
        raise BadInput(reason=f"The database URL does not begin with postgresql://. {_FORM}")
    schema = DEFAULT_SCHEMA
    for option in _SCHEMA_OPTION.finditer(url):
        schema = option[1]
    if _SCHEMA.fullmatch(schema) is None or schema.startswith("pg_"):
        allowed = "up to 48 of a-z, 0-9 and _, not beginning with a digit or pg_"
        raise BadInput(reason=f"{quote(schema)} is not a schema name. Allowed: {allowed}.")
    try:
        parameters = conninfo_to_dict(_SCHEMA_OPTION.sub("", url).rstrip("?&"))
    except ProgrammingError:
        raise BadInput(reason=f"The database URL cannot be read. {_FORM}") from None
    if "@" in f"{parameters.get('host', '')}{parameters.get('dbname', '')}":
        raise BadInput(reason=f"The database URL has more than one @. {_FORM}")
    return Address(parameters, schema, _location(parameters, schema))


def _location(parameters: dict[str, Any], schema: str) -> str:
    host, port = str(parameters.get("host") or parameters.get("hostaddr") or ""), parameters.get("port")
    user = percent_encode(str(parameters.get("user") or ""), safe="")
    login = f"{user}{':***' if parameters.get('password') else ''}@" if user else ""
    database = percent_encode(str(parameters.get("dbname") or ""), safe="")
    directory = f"host={percent_encode(host, safe='/')}&" if host.startswith(("/", "@")) else ""
    server = "" if directory else f"{host}{f':{port}' if port else ''}"
    return f"postgresql://{login}{server}/{database}?{directory}schema={schema}"
