"""The input: several lines, history, completion of commands and files; long pastes are folded to a line."""

from __future__ import annotations

from collections.abc import Callable

from textual import events
from textual.message import Message
from textual.widgets import TextArea

from baton.surfaces.shared import images
from baton.surfaces.words import chat as words

LONG_LINES = 20
LONG_TEXT = 2000
MOST_ROWS = 10


class Prompt(TextArea):
    """Enter sends, Shift+Enter or Ctrl+J breaks the line; at the first and last line the arrows walk the history."""

    class Sent(Message):
        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Typed(Message):
        """The text before the cursor changed; a completion may be offered for its last word."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Choosing(Message):
        """A key while completions are offered: `how` is up, down, take (Tab) or enter."""

        def __init__(self, how: str) -> None:
            super().__init__()
            self.how = how

    class Wanting(Message):
        """A key asks for what the app has: `what` is help, history or editor."""

        def __init__(self, what: str) -> None:
            super().__init__()
            self.what = what

    class TakingBack(Message):
        """The person wants the last waiting message back."""

    def __init__(self) -> None:
        super().__init__(id="prompt", soft_wrap=True, show_line_numbers=False, placeholder=words.HINT)
        self.sent_texts: list[str] = []
        self.offering = False
        self.waiting = 0
        self.base = ""
        self._at = 0
        self._draft = ""
        self._pasted: dict[str, str] = {}

    def load_history(self, texts: list[str]) -> None:
        self.sent_texts = texts
        self._at = len(texts)

    @property
    def before(self) -> str:
        """The text before the cursor."""
        return self.get_text_range((0, 0), self.cursor_location)

    def complete(self, text: str, length: int) -> None:
        """Puts `text` in place of the last `length` characters before the cursor."""
        row, column = self.cursor_location
        self.replace(text, (row, column - length), (row, column))

    def set_aside(self) -> bool:
        """Empties the prompt and keeps its text as the newest of the history. False if it was empty."""
        text = self.whole()
        if text.strip():
            self._remember(text)
            self.clear()
        return bool(text.strip())

    def on_text_area_changed(self) -> None:
        self._fit()
        self.post_message(self.Typed(self.before))

    def on_resize(self) -> None:
        self._fit()

    def _fit(self) -> None:
        self.styles.height = min(MOST_ROWS, max(1, self.wrapped_document.height)) + 2

    async def _on_key(self, event: events.Key) -> None:
        handler = self._keys().get(event.key)
        if handler is not None and handler():
            event.prevent_default()
            event.stop()
            return
        await super()._on_key(event)

    def _keys(self) -> dict[str, Callable[[], bool]]:
        return {
            "enter": self._enter,
            "shift+enter": self._newline,
            "ctrl+j": self._newline,
            "alt+enter": self._newline,
            "tab": lambda: self._choose("take") or not self._has_question(),
            "up": lambda: self._choose("up") or self._take_back() or self._walk(-1),
            "down": lambda: self._choose("down") or self._walk(1),
            "question_mark": lambda: not self.text and self._want("help"),
            "ctrl+r": lambda: self._want("history"),
            "ctrl+g": lambda: self._want("editor"),
        }

    def _want(self, what: str) -> bool:
        self.post_message(self.Wanting(what))
        return True

    def _has_question(self) -> bool:
        """Whether a question is open that Tab can focus."""
        return bool(self.screen.query(".approval"))

    async def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()  # or the base class is called once more, and pastes it twice
        text = event.text.replace("\r\n", "\n").replace("\r", "\n")  # terminals send a return for each line's end
        path = images.dropped_path(text)
        if path and images.is_image(path, self.base):
            text = f"{images.mention(path)} "
        elif text.count("\n") >= LONG_LINES or len(text) >= LONG_TEXT:
            text = self._label(text)
        else:
            await super()._on_paste(events.Paste(text))
            return
        self.insert(text)

    def _label(self, pasted: str) -> str:
        lines = pasted.count("\n") + 1
        label = (words.PASTED_LINE if lines == 1 else words.PASTED).format(number=len(self._pasted) + 1, lines=lines)
        self._pasted[label] = pasted
        return label

    def _enter(self) -> bool:
        if not self._choose("enter"):
            self.send()
        return True

    def put(self, text: str) -> None:
        """Puts a text in place of what is there, to be changed and sent."""
        self.text = text
        self.move_cursor(self.document.end)

    def send(self) -> None:
        """Sends what was typed, if anything."""
        text = self.whole()
        if self.set_aside():
            self.post_message(self.Sent(text.strip("\n")))

    def whole(self) -> str:
        """What was typed, with every paste in full."""
        text = self.text
        for label, pasted in self._pasted.items():
            text = text.replace(label, pasted)
        return text

    def _remember(self, text: str) -> None:
        if self.sent_texts[-1:] != [text]:
            self.sent_texts.append(text)
        self._at, self._draft = len(self.sent_texts), ""
        self._pasted.clear()

    def _newline(self) -> bool:
        self.insert("\n")
        return True

    def _choose(self, how: str) -> bool:
        if self.offering:
            self.post_message(self.Choosing(how))
        return self.offering

    def _take_back(self) -> bool:
        wanted = bool(self.waiting) and not self.text
        if wanted:
            self.post_message(self.TakingBack())
        return wanted

    def _walk(self, step: int) -> bool:
        row = self.cursor_location[0]
        if (step < 0 and row > 0) or (step > 0 and row < self.document.line_count - 1):
            return False
        target = self._at + step
        if not 0 <= target <= len(self.sent_texts):
            return True
        if self._at == len(self.sent_texts):
            self._draft = self.text
        self._at = target
        self.put(self.sent_texts[target] if target < len(self.sent_texts) else self._draft)
        return True
