"""What the file of a project may set: the one list.

Such a file comes with a repository, so it may be anybody's. It may set what is harmless in anybody's hands, and some
keys only to something stricter. A key that is not listed is yours alone: in a project file it is ignored with a
warning, because an error would let any repository keep you from working in it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import cast

from baton.core.value import value


@value
class Allowance:
    """`permits` says whether a project may put its value in the place of the one that holds without it, `words` the
    same to people.
    """

    words: str
    permits: Callable[[object, object], bool]


def _always(_held: object, _wanted: object) -> bool:
    return True


def _only_lower(held: object, wanted: object) -> bool:
    return cast("int", wanted) <= cast("int", held)


def _only_on(held: object, wanted: object) -> bool:
    return bool(wanted) or not held


def _still_asking(held: object, wanted: object) -> bool:
    return held != "prompt_user" or wanted == "prompt_user"


FREELY = Allowance("", _always)
LOWER = Allowance("only lower it", _only_lower)
ON = Allowance("only turn it on", _only_on)
ASKING = Allowance("not take away your being asked", _still_asking)

_HANDOFF = "agent.auto_handoff_on_compression"
MAY_SET: Mapping[str, Allowance] = {
    "store.busy_timeout": FREELY,
    "store.lease": FREELY,
    "ui.color": FREELY,
    "ui.pager": FREELY,
    "agent.model_timeout": FREELY,
    "agent.compression.mode": FREELY,
    "agent.compression.threshold": FREELY,
    "agent.compression.deadline": FREELY,
    "agent.compression.tries": FREELY,
    "agent.compression.cool_down": FREELY,
    f"{_HANDOFF}.enabled": FREELY,
    f"{_HANDOFF}.after_compressions": FREELY,
    f"{_HANDOFF}.max_prompt_tokens": FREELY,
    f"{_HANDOFF}.on_compression_failure": FREELY,
    f"{_HANDOFF}.mode": ASKING,
    f"{_HANDOFF}.max_auto_handoffs": LOWER,
    f"{_HANDOFF}.require_clean_checkpoint": ON,
}
