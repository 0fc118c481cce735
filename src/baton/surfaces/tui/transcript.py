"""The transcript: what was said and done, newest at the bottom, older parts unmounted."""

from __future__ import annotations

from collections.abc import Sequence

from textual.containers import VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from baton.core.display import plain
from baton.surfaces.tui.widgets import Grows
from baton.surfaces.words import chat as words

MOUNTED = 200
USER_LINES = 20
_SIGNS = {"done": ("✓", "$good"), "doing": ("▸", "$warn")}
_NOTICES = {"info": ("◆", "$accent"), "warning": ("◆", "$warn"), "error": ("✗", "$bad")}


class Transcript(Grows, VerticalScroll, can_focus=False):
    """Stays at its end while the reader is there; a scroll bar is drawn only for one who went back."""

    _at_end = True

    def on_mount(self) -> None:
        self.anchor()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._at_end = new_value >= self.max_scroll_y - 1
        self.set_class(not self._at_end, "reading")

    def on_resize(self) -> None:
        if self._at_end:
            self.call_after_refresh(self.scroll_end, animate=False)

    async def add(self, widget: Widget) -> None:
        await self.mount(widget)
        if (many := len(self.children) - MOUNTED) > 0:
            await self.remove_children(list(self.children)[:many])
            await self.mount(Static(words.OLDER, classes="older"), before=0)

    async def clear(self) -> None:
        await self.remove_children()


class UserView(Static):
    """What the person said; only the beginning if it is long."""

    def __init__(self, text: str, images: Sequence[str] = ()) -> None:
        self.said = text
        lines = plain(text).split("\n")
        more = len(lines) - USER_LINES
        shown = [("› ", "bold $you"), ("\n".join(lines[:USER_LINES] if more > 0 else lines), "")]
        if more > 0:
            shown.append((f"\n{words.LINES_MORE.format(count=more)}", "$muted"))
        shown += [(f"\n▣ {plain(image)}", "$muted") for image in images]
        super().__init__(Content.assemble(*shown), classes="user")


class NoticeView(Static):
    def __init__(self, text: str, level: str = "info") -> None:
        sign, color = _NOTICES.get(level, _NOTICES["info"])
        words = plain(text).replace("\n", "\n  ")
        super().__init__(Content.assemble((f"{sign} ", color), words), classes=f"notice {level}")


class PlanView(Static):
    """The plan as a list to tick off."""

    def __init__(self, items: Sequence[tuple[str, str]]) -> None:
        rows = [(words.PLAN, "bold")]
        for text, state in items:
            sign, color = _SIGNS.get(state, ("☐", "$muted"))
            rows += [(f"\n {sign} ", color), (plain(text), "$muted" if state == "done" else "")]
        super().__init__(Content.assemble(*rows), classes="plan")
