"""The record as a person reads it: who said what and when, what a tool did and how it ended, where the context turned.

Every entry has a part, in the order of the record; a call is told with its result. A `quiet` part says nothing new to
one who reads on, and is shown only to one who asks for that entry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baton.core.display import one_line, plain
from baton.core.log import payloads as held
from baton.core.log.payloads import payload
from baton.core.transfer.place import platform_name
from baton.core.value import value
from baton.surfaces.shared.call_end import describe_call_end, shown_output
from baton.surfaces.words import transcript as words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from baton.core.log.entry import Entry

PERSON, AGENT, DONE, FAILED, NOTICE = "person", "agent", "done", "failed", "notice"
_WIDTH = 200
_TELLING = ("command", "path", "pattern", "query", "url")
_ENDS = {
    held.CANCELLED: words.STOPPED,
    held.WAITING: words.WAITS,
    held.SUSPENDED: words.SUSPENDED,
    held.FAILED: words.FAILED_UNSAID,
}


@value
class Part:
    """`head` is one line: who speaks, or what happened. `text` stands below it; `whole` is what the entry holds besides
    that.
    """

    entry: Entry
    role: str
    head: str
    text: str = ""
    whole: str = ""
    quiet: bool = False


def tell(entries: Iterable[Entry]) -> Iterator[Part]:
    """The parts of these entries, which may begin in the middle of a turn."""
    entries = [*entries]
    read = [(entry, payload(entry)) for entry in entries]
    taken = {given.queued for _, given in read if isinstance(given, held.UserInput)}
    withdrawn = {each.queued for _, each in read if isinstance(each, held.InputWithdrawn)}
    ended = {each.id for _, each in read if isinstance(each, held.ToolResult)}
    titles: dict[str, str] = {}
    for entry, each in read:
        match each:
            case held.AssistantStep(calls=calls):
                titles |= {call.id: _brief(call.name, call.args) for call in calls}
                yield _answer(entry, each)
            case held.ToolCall():
                titles[each.id] = each.title or _brief(each.name, each.args)
                yield _call(entry, titles[each.id], each, is_open=each.id not in ended)
            case held.ToolResult():
                yield _result(entry, each, titles.get(each.id) or _brief(each.name, each.details))
            case held.QueuedInput(input=given, name=name):
                head = words.TAKEN_BACK if name in withdrawn else words.WAITING
                yield Part(entry, PERSON, head, plain(given.words), quiet=name in taken)
            case held.UserInput():
                yield _person(entry, each)
            case _:
                yield _notice(entry, each)


def describe_compression(entry: Entry) -> str:
    """What a compression, or the undoing of one or of a handoff, did here. Empty for any other entry."""
    each = payload(entry)
    turned = held.Compression | held.CompressionFailed | held.CompressionUndone | held.HandoffUndone
    return _notice(entry, each).head if isinstance(each, turned) else ""


def _person(entry: Entry, given: held.UserInput) -> Part:
    if given.synthetic:
        return Part(entry, NOTICE, words.BATON_TO_AGENT, plain(given.text), quiet=True)
    here, there = (words.GUEST, words.GUEST_IN) if given.is_guests else (words.YOU, words.YOU_IN)
    head = there.format(platform=platform_name(given.place.partition(":")[0])) if given.place else here
    shown = "\n".join([plain(given.words), *(f"▣ {plain(name)}" for name in image_names(given))])
    return Part(entry, PERSON, head, shown, plain(given.text) if given.text != given.words else "")


def image_names(given: held.UserInput) -> list[str]:
    return [image.name or image.media_type for image in given.images]


def _answer(entry: Entry, step: held.AssistantStep) -> Part:
    called = words.CALLED.format(tools=", ".join(call.name for call in step.calls)) if step.calls else ""
    whole = "\n".join(filter(None, [plain(step.reasoning).strip(), called]))
    return Part(entry, AGENT, words.AGENT, plain(step.text).strip(), whole, quiet=not step.text.strip())


def _brief(tool: str, args: Mapping[str, Any]) -> str:
    """`edit shop/cart.py`, for a call that never got a title."""
    about = next((str(args[name]) for name in _TELLING if args.get(name)), "")
    return one_line(f"{tool} {about}", _WIDTH)


def _call(entry: Entry, title: str, call: held.ToolCall, *, is_open: bool) -> Part:
    whole = "\n".join(f"{name}: {plain(str(given))}" for name, given in call.args.items())
    template = words.CALL_OPEN if is_open else words.CALL
    return Part(entry, NOTICE, template.format(title=one_line(title, _WIDTH)), "", whole, quiet=not is_open)


def _result(entry: Entry, result: held.ToolResult, title: str) -> Part:
    end = describe_call_end(result.name, result.text, result.details, ok=result.ok)
    template = words.CALL_ENDED if end.note else words.CALL
    head = template.format(title=one_line(title, _WIDTH), end=end.note)
    printed = str(result.details.get("diff") or "").strip("\n") or shown_output(result.text)
    return Part(entry, DONE if end.ok else FAILED, head, plain(printed))


def _notice(entry: Entry, each: held.Payload) -> Part:
    match each:
        case held.Compression():
            return Part(entry, NOTICE, _compressed(each), "", plain(each.summary))
        case held.PacketOpening():
            path = one_line(each.path, _WIDTH) or words.PATH_UNKNOWN
            template = words.FRESH_BECAUSE if each.because else words.FRESH
            return Part(
                entry, NOTICE, template.format(because=one_line(each.because, _WIDTH), path=path), "", plain(each.text)
            )
        case held.WorkspaceVerified(text=text) | held.TurnInterrupted(text=text) if text:
            return Part(entry, NOTICE, one_line(text, 10 * _WIDTH))
        case _:
            head, quiet = _remark(each)
            return Part(entry, NOTICE, head, quiet=quiet)


def _compressed(made: held.Compression) -> str:
    lossy = made.outcome == "lossy"
    if not made.after:
        return words.LOSSY if lossy else words.COMPRESSED
    return (words.LOSSY_COUNTED if lossy else words.COMPRESSED_COUNTED).format(before=made.before, after=made.after)


def _remark(each: held.Payload) -> tuple[str, bool]:
    """A sentence, and whether it is quiet."""
    match each:
        case held.CompressionFailed(outcome="timed_out"):
            return words.COMPRESSION_SLOW, False
        case held.CompressionFailed(error=error) | held.HandoffFailed(error=error) | held.TurnEnd(error=error) if error:
            return _FAILURES[type(each)].format(error=one_line(error, _WIDTH).rstrip(".")), False
        case held.TurnEnd(end=end):
            return _ENDS.get(end) or (words.HANDED_OFF if end == held.HANDED_OFF else words.ENDED), end not in _ENDS
        case held.RulePinned(number=number, text=text):
            return words.PINNED.format(number=number, text=one_line(text, _WIDTH)), False
        case held.RuleDropped(text=text):
            return (words.DROPPED.format(text=one_line(text, _WIDTH)) if text else words.DROPPED_UNSAID), False
        case held.ContextWarned(tokens=tokens):
            return words.CONTEXT_WARNED.format(tokens=tokens), False
        case held.HandoffAsked(doubt=doubt) if doubt:
            return words.HANDOFF_ASKED_BECAUSE.format(doubt=one_line(doubt, _WIDTH)), False
        case held.Note(text=text, error=error):
            return one_line(text or error, 10 * _WIDTH) or words.NOTHING_SAID, not (text or error)
        case _:
            return _FIXED.get(type(each), words.ENDED), isinstance(each, held.InputWithdrawn | held.CompressionPutOff)


_FAILURES: dict[type[held.Payload], str] = {
    held.CompressionFailed: words.COMPRESSION_FAILED,
    held.HandoffFailed: words.HANDOFF_FAILED,
    held.TurnEnd: words.FAILED,
}
_FIXED: dict[type[held.Payload], str] = {
    held.CompressionFailed: words.COMPRESSION_FAILED_UNSAID,
    held.CompressionUndone: words.COMPRESSION_UNDONE,
    held.CompressionPutOff: words.COMPRESSION_PUT_OFF,
    held.HandoffAsked: words.HANDOFF_ASKED,
    held.HandoffDeclined: words.HANDOFF_DECLINED,
    held.HandoffUndone: words.HANDOFF_UNDONE,
    held.InputWithdrawn: words.WITHDRAWN,
}
