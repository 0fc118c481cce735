"""JSON Web Tokens that let nobody in: they sign a text instead of claims, or a test's claims about John Doe."""

from __future__ import annotations

import re
from binascii import a2b_base64

from baton.adapters.redaction.literals import is_in_program
from baton.adapters.redaction.span import Span
from baton.adapters.redaction.tested import is_in_test, is_shown

KIND = "json-web-token"
_PARTS = re.compile(rb"[\w-]++\.([\w-]{4,}+)\.[\w-]*+")
_STANDARD = bytes.maketrans(b"-_", b"+/")
_TEXT = re.compile(rb"[\t\n\r -~]+")
_CLAIM = re.compile(
    rb"(?i)\"(?:exp|iat|nbf|sub|iss|aud|jti|e?mail|roles?|scopes?|[a-z_]*user\w*|[a-z_]*id|session\w*|data|payload)\""
)
"""What a token has to say to let somebody in."""
_JOHN = re.compile(
    rb"(?i)j(?:ohn|ane) ?doe|\b1234567890\b|\bfoo|\bbar\b|\bexample\b|\btest(?:er|ing)?\b"
    rb"|\"(?:issuer|subject|hello|world|some value)\"|\A\{\}\Z"
)


def is_sample(data: bytes, span: Span) -> bool:
    """Whether everybody can see by what it says that the token is nobody's."""
    if span.kind not in (KIND, "secret"):
        return False
    parts = _PARTS.fullmatch(data, span.start, span.end)
    said = _decode(parts[1]) if parts else b""
    if not said or _TEXT.fullmatch(said) is None:
        return False
    if not said.lstrip().startswith(b"{"):
        return is_in_program(data, span.start)
    if _CLAIM.search(said) is None:
        return is_in_program(data, span.start) or is_shown(data, span.start)
    return _JOHN.search(said) is not None and is_in_test(data, span.start) and is_in_program(data, span.start)


def _decode(part: bytes) -> bytes:
    try:
        return a2b_base64(part.translate(_STANDARD) + b"=" * (-len(part) % 4))
    except ValueError:
        return b""
