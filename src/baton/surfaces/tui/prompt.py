"""The input: several lines, history, completion of commands and files, long pastes folded to a line."""

from __future__ import annotations

from textual import events
from textual.message import Message
from textual.widgets import TextArea

LONG_LINES = 20
LONG_TEXT = 2000


class Prompt(TextArea):
    """Enter sends, Shift+Enter or Ctrl+J breaks the line; at the first and last line the arrows walk the history."""

    class Sent(Message):
        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Typed(Message):
        """The text changed; a completion may be offered for its last word."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Choosing(Message):
        """An arrow, Tab or Enter while completions are offered: `how` is up, down or take."""

        def __init__(self, how: str) -> None:
            super().__init__()
            self.how = how

    def __init__(self) -> None:
        super().__init__(id="prompt", soft_wrap=True, show_line_numbers=False, tab_behavior="focus")
        self.said: list[str] = []
        self.offering = False
        self._at = 0
        self._pasted: dict[str, str] = {}

    def load_said(self, texts: list[str]) -> None:
        self.said = texts
        self._at = len(texts)

    def on_text_area_changed(self) -> None:
        self.styles.height = min(10, max(1, self.document.line_count)) + 2
        self.post_message(self.Typed(self.text))

    async def _on_key(self, event: events.Key) -> None:
        handler = {
            "enter": self._enter,
            "shift+enter": self._newline,
            "ctrl+j": self._newline,
            "alt+enter": self._newline,
            "tab": lambda: self._choose("take"),
            "up": lambda: self._choose("up") or self._walk(-1),
            "down": lambda: self._choose("down") or self._walk(1),
        }.get(event.key)
        if handler is not None and handler():
            event.prevent_default()
            event.stop()
            return
        await super()._on_key(event)

    async def _on_paste(self, event: events.Paste) -> None:
        if event.text.count("\n") < LONG_LINES and len(event.text) < LONG_TEXT:
            await super()._on_paste(event)
            return
        event.prevent_default()
        event.stop()
        label = f"[pasted text {len(self._pasted) + 1}: {event.text.count(chr(10)) + 1:,} lines]"
        self._pasted[label] = event.text
        self.insert(label)

    def _enter(self) -> bool:
        if self.offering:
            return self._choose("take")
        self.send()
        return True

    def send(self) -> None:
        """Sends what was typed, if anything."""
        text = self.text
        for label, pasted in self._pasted.items():
            text = text.replace(label, pasted)
        if text.strip():
            self.said.append(text)
            self._at = len(self.said)
            self._pasted.clear()
            self.clear()
            self.post_message(self.Sent(text.strip("\n")))

    def _newline(self) -> bool:
        self.insert("\n")
        return True

    def _choose(self, how: str) -> bool:
        if self.offering:
            self.post_message(self.Choosing(how))
        return self.offering

    def _walk(self, step: int) -> bool:
        row = self.cursor_location[0]
        if (step < 0 and row > 0) or (step > 0 and row < self.document.line_count - 1):
            return False
        target = self._at + step
        if not 0 <= target <= len(self.said):
            return True
        self._at = target
        self.text = self.said[target] if target < len(self.said) else ""
        self.move_cursor(self.document.end)
        return True
