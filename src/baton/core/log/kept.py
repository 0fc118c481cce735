"""A message of the person that outlives the part of the context it stood in."""

from __future__ import annotations

from baton.core.agent.message import Image
from baton.core.value import value

GAP = "[… {count:,} characters left out …]"
PICTURES = "[{count} of its pictures not kept]"


@value
class KeptMessage:
    """`text` is all of it, or its beginning; then `left_out` characters are missing before its `end`. One without an
    answer is `unanswered`, and keeps its `images`; of others only the number of `pictures` is known.
    """

    text: str
    left_out: int = 0
    end: str = ""
    pictures: int = 0
    images: tuple[Image, ...] = ()
    unanswered: bool = False

    @property
    def whole(self) -> bool:
        return not self.left_out

    @property
    def words(self) -> str:
        """What is kept of it, and what is not."""
        parts = [self.text, GAP.format(count=self.left_out), self.end] if self.end else [self.text]
        return "\n".join([*parts, *([PICTURES.format(count=self.pictures)] if self.pictures else [])])
