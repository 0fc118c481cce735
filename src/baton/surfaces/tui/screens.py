"""What opens over the chat: a text to read, a question, a packet to review, a list to pick from."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Markdown, OptionList, Static
from textual.widgets.option_list import Option

from baton.core.display import fit, plain
from baton.core.value import value
from baton.surfaces.words import chat as words

if TYPE_CHECKING:
    from baton.surfaces.shared.handoffs import Review


class ReadScreen(ModalScreen[None]):
    """Scrolls with the arrows; starts at its end with `at_end`. A text may be made for the width there is; one that is
    `Content` is safe and styled already.
    """

    BINDINGS: ClassVar[list[BindingType]] = [("q,enter", "dismiss", "Close")]

    def __init__(self, title: str, text: str | Content | Callable[[int], str], *, at_end: bool = False) -> None:
        super().__init__()
        self._title = title
        self._text = text
        self._at_end = at_end

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(Text(plain(self._title)), classes="dialog-title")
            with VerticalScroll(id="read"):
                yield Static(id="text")
            yield Static(Text(words.READ_HELP), classes="dialog-help")

    def on_resize(self) -> None:
        text = self._text(_width(self)) if callable(self._text) else self._text
        self.query_one("#text", Static).update(text if isinstance(text, Content) else Text(plain(text)))

    def on_mount(self) -> None:
        scroll = self.query_one("#read", VerticalScroll)
        scroll.focus()
        if self._at_end:
            self.call_after_refresh(scroll.scroll_end, animate=False)


PAUSE = 0.3
_ANSWERS = ("y", "n")


class AskScreen(ModalScreen[bool]):
    """Returns whether the answer is yes; None if it is closed some other way. Keys count only after a moment, also
    after a letter that answers nothing: an Enter that was meant for the prompt must not answer.
    """

    BINDINGS: ClassVar[list[BindingType]] = [("enter,y", "answer(True)", "Yes"), ("n", "answer(False)", "No")]

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self._title = title
        self._text = text
        self.armed = False

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(Text(plain(self._title)), classes="dialog-title")
            yield Static(Text(plain(self._text)))
            yield Static(Text(words.ASK_HELP), classes="dialog-help")

    def on_mount(self) -> None:
        self._arming = self.set_timer(PAUSE, self._arm)

    def _arm(self) -> None:
        self.armed = True

    def on_key(self, event: events.Key) -> None:
        if event.is_printable and event.key not in _ANSWERS:
            self.armed = False
            self._arming.stop()
            self._arming = self.set_timer(PAUSE, self._arm)

    def action_answer(self, answer: bool) -> None:
        if self.armed:
            self.dismiss(answer)


START, EDIT, CANCEL, COMPARE, RULES = "start", "edit", "cancel", "compare", "rules"


_NARROW = 80


class ReviewScreen(ModalScreen[str]):
    """Returns start, edit, rules, compare or cancel; None if it is closed some other way. On a narrow screen the score
    stands above the packet.
    """

    HORIZONTAL_BREAKPOINTS: list[tuple[int, str]] | None = [(0, "-narrow"), (_NARROW, "-wide")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        ("enter,s,y", "answer('start')", "Start"),
        ("e", "answer('edit')", "Edit"),
        ("r", "answer('rules')", "Rules"),
        ("d", "answer('compare')", "Compare"),
        ("c,n", "answer('cancel')", "Cancel"),
    ]

    def __init__(self, review: Review) -> None:
        super().__init__()
        self._review = review

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(Text(words.REVIEW_TITLE), classes="dialog-title")
            with Horizontal(id="review"):
                with VerticalScroll(id="read"):
                    yield Markdown(plain(self._review.markdown), open_links=False)
                yield Static(id="score")
            yield Static(Text(words.REVIEW_HELP), classes="dialog-help")

    def on_resize(self) -> None:
        narrow = self.app.size.width < _NARROW  # pyright: ignore[reportUnknownMemberType]
        self.query_one("#score", Static).update(self._line() if narrow else self._side())

    def on_mount(self) -> None:
        self.query_one("#read", VerticalScroll).focus()

    def action_answer(self, answer: str) -> None:
        self.dismiss(answer)

    def _line(self) -> Content:
        """The same as the side, one after the other: what is not whole comes first."""
        review, score = self._review, self._review.score
        rows: list[tuple[str, str]] = []
        if review.doubt:
            rows.append((f"{plain(review.doubt)}\n", "$warn"))
        for name, kept, total in sorted(review.classes, key=lambda row: row[1] == row[2]):
            rows.append((f"{name} {kept}/{total}", "$good" if kept == total else "bold $bad"))
            rows.append((" · ", "$muted"))
        rows.append((words.STRUCK.format(struck=score["unsupported_claims"], stale=score["stale_items"]), ""))
        rows.append((" · ", "$muted"))
        rows.append((words.PACKET_SIZE.format(tokens=score["tokens"], budget=score["budget"]), ""))
        if review.removed:
            rows.append((" · ", "$muted"))
            rows.append((words.REMOVED.format(kinds=", ".join(map(plain, review.removed))), ""))
        return Content.assemble(*rows)

    def _side(self) -> Content:
        review, score = self._review, self._review.score
        width = max([16, *(len(name) for name, _, _ in review.classes)])
        rows = [
            (f"{name:<{width}} {kept}/{total}\n", "$good" if kept == total else "bold $bad")
            for name, kept, total in review.classes
        ]
        rows.append((f"\n{words.ROW_STRUCK:<{width}} {score['unsupported_claims']}\n", ""))
        rows.append((f"{words.ROW_STALE:<{width}} {score['stale_items']}\n", ""))
        rows.append(
            (f"{words.ROW_TOKENS:<{width}} {words.OF.format(used=score['tokens'], most=score['budget'])}\n", "")
        )
        rows += [(f"\n{note}\n", "$muted") for note in review.notes]
        if review.removed:
            rows.append((f"\n{words.ROW_REMOVED}\n" + "".join(f"  {plain(kind)}\n" for kind in review.removed), ""))
        if review.doubt:
            rows.append((f"\n{plain(review.doubt)}\n", "$warn"))
        return Content.assemble(*rows)


WIDEST = 120
MARGINS = 10


@value
class Choice:
    """One row: `key` is returned, `words` are matched against what is typed. A disabled one only informs."""

    key: str
    main: str
    about: str
    words: str
    enabled: bool = True


Other = Callable[[str], "Choice | None"]


class PickScreen(ModalScreen[str | None]):
    """Returns the chosen key, or None. `other` may turn what was typed into a choice."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", show=False, priority=True),
        Binding("down", "move(1)", show=False, priority=True),
    ]

    def __init__(self, title: str, choices: Sequence[Choice], other: Other | None = None) -> None:
        super().__init__()
        self._title = title
        self._choices = choices
        self._other = other
        self._shown: list[Choice] = []

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog"):
            yield Static(Text(plain(self._title)), classes="dialog-title")
            yield Input(placeholder=words.NARROW, id="narrow")
            yield OptionList(id="choices")
            yield Static(Text(words.PICK_HELP), classes="dialog-help")

    def on_mount(self) -> None:
        self.query_one("#choices", OptionList).can_focus = False
        self._narrow("")
        self.query_one(Input).focus()

    def on_resize(self) -> None:
        self._narrow(self.query_one(Input).value)

    def on_input_changed(self, event: Input.Changed) -> None:
        self._narrow(event.value)

    def on_input_submitted(self) -> None:
        at = self.query_one("#choices", OptionList).highlighted
        if at is not None and at < len(self._shown) and self._shown[at].enabled:
            self.dismiss(self._shown[at].key)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._shown[event.option_index].key)

    def action_move(self, step: int) -> None:
        listed = self.query_one("#choices", OptionList)
        listed.action_cursor_up() if step < 0 else listed.action_cursor_down()

    def _narrow(self, typed: str) -> None:
        wanted = typed.lower().split()
        self._shown = [each for each in self._choices if all(word in each.words.lower() for word in wanted)]
        if self._other and (own := self._other(typed.strip())) and own.key not in {each.key for each in self._shown}:
            self._shown.insert(0, own)
        listed = self.query_one("#choices", OptionList)
        listed.clear_options()
        width = _width(self)
        listed.add_options([Option(_row(each, width), disabled=not each.enabled) for each in self._shown])
        if not self._shown:
            listed.add_option(Option(Content.styled(words.NOTHING_FITS, "$muted"), disabled=True))
        listed.highlighted = next((at for at, each in enumerate(self._shown) if each.enabled), None)


def _width(screen: ModalScreen[Any]) -> int:
    """Columns for text in a dialog."""
    return min(WIDEST, int(screen.app.size.width * 0.96)) - MARGINS  # pyright: ignore[reportUnknownMemberType]


def _row(choice: Choice, width: int) -> Content:
    """On one line, whatever the width."""
    main = min(44, width // 2) if choice.about else width
    about = fit(choice.about, max(1, width - main - 2))
    return Content.assemble((fit(choice.main, main), "bold" if choice.enabled else "$muted"), "  ", (about, "$muted"))
