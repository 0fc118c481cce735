"""The settings of the agent that are not about handoffs: compression, and the model that runs inside Baton."""

from __future__ import annotations

from typing import Literal

from baton.config.keys import key
from baton.config.kinds import Choice, Seconds, Share, Whole
from baton.core.value import value

CompressionMode = Literal["in_place", "split"]


@value
class CompressionSettings:
    """How a context that grows too large is shrunk."""

    mode: CompressionMode = key(
        "in_place",
        Choice("in_place", "split"),
        doc="`in_place` goes on in the same session, `split` ends it and goes on in a new one. Either way the "
        "transcript stays whole.",
    )
    threshold: float = key(
        0.8, Share(0.2, 0.95), doc="How much of the model's window may be used before the context is compressed."
    )
    deadline: float = key(60.0, Seconds(1, 3_600), doc="How long a compression may take, all tries together.")
    tries: int = key(2, Whole(1, 10), doc="How often the model is asked for a summary before the compression failed.")
    cool_down: float = key(300.0, Seconds(0, 86_400), doc="How long after a failure the next compression is put off.")


@value
class LocalModelSettings:
    """How the model that runs inside Baton uses this machine."""

    window: int | None = key(
        None,
        Whole(1_024, 131_072),
        doc="Its context in tokens. More needs more memory. Null is what the model was chosen for.",
        project=False,
    )
    threads: int | None = key(
        None, Whole(1, 256), doc="How many threads it computes with. Null suits the machine.", project=False
    )
    keep_warm: float = key(
        600.0, Seconds(0, 86_400), doc="How long it stays loaded after its last answer.", project=False
    )
