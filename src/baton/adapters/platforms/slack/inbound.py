"""What Slack reports, as what a person said. Everything else is None.

`BadPlace` is raised for what claims to be a message of a person but lacks the ids that Slack gives out.
"""

from __future__ import annotations

import re

from baton.adapters.platforms.json_fields import Json, storable, table, tables, text, whole
from baton.adapters.platforms.slack.place import NAME, is_direct, place, stamp
from baton.core.transfer.place import Place
from baton.core.value import replace, value
from baton.ports.platform import File, Inbound

_LONGEST = 40_000
BLOCK = "baton"
"""The id of the block that holds our buttons."""

_CHANGED = "message_changed"
_KINDS = (None, "file_share", "thread_broadcast")
_LOST_FILES = ("tombstone", "hidden_by_limit")
_PERSON = re.compile(r"[UW][A-Z0-9]{1,40}")
_TEAM = re.compile(r"[TE][A-Z0-9]{1,40}")
_ID = re.compile(r"[A-Za-z0-9._-]{1,200}")
_COMMAND = re.compile(r"/[a-z0-9_-]{1,60}")
_SLACKBOT = "USLACKBOT"
_OURS = "/baton"
_REFERENCE = re.compile(r"<(?:([@#!])([^<>|\s]+)|([a-z][a-z0-9+.-]*:[^<>|\s]+))(?:\|([^<>\n]*))?>")
_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&"))


@value
class Me:
    """Our own account."""

    user: str
    team: str
    name: str


def translate(envelope: Json, me: Me) -> Inbound | None:
    """The message in an envelope of Socket Mode, if a person sent one."""
    payload = table(envelope.get("payload"))
    match envelope.get("type"):
        case "events_api":
            return _translate_event(table(payload.get("event")), _word(payload.get("team_id")), me)
        case "slash_commands":
            return _translate_command(payload, me)
        case "interactive":
            return _translate_press(payload, me) if payload.get("type") == "block_actions" else None
        case _:
            return None


def _translate_event(event: Json, team: str, me: Me) -> Inbound | None:
    if event.get("type") == "app_mention" and "edited" in event:
        return None
    if event.get("type") == "message" and event.get("subtype") == _CHANGED:
        return _translate_edit(event, team, me)
    known = event.get("type") in ("message", "app_mention")
    return translate_message(event, _word(event.get("channel")), me, team) if known else None


def _translate_edit(event: Json, team: str, me: Me) -> Inbound | None:
    """New words for an earlier message. Slack changes messages too, to unfurl a link: then nobody edited it."""
    message, before = table(event.get("message")), table(event.get("previous_message"))
    edited = table(message.get("edited"))
    if not edited or edited.get("user") != message.get("user") or edited == table(before.get("edited")):
        return None
    said = translate_message(message, _word(event.get("channel")), me, team)
    if said is None or not said.text:
        return None
    return replace(said, id=f"{said.id}:edit:{stamp(edited.get('ts'))}", corrects=said.id, files=())


def translate_message(said: Json, room: str, me: Me, team: str = "") -> Inbound | None:
    """A message in the form that events and a room's history share."""
    user = _word(said.get("user"))
    if said.get("subtype") not in _KINDS or said.get("bot_id") or said.get("hidden"):
        return None
    if not _PERSON.fullmatch(user) or user in (me.user, _SLACKBOT):
        return None
    ts = stamp(said.get("ts"))
    where = place(room, said.get("thread_ts"), ts)
    words = read_text(storable(text(said.get("text")))[:_LONGEST], me.user)
    files = tuple(file for each in tables(said.get("files")) if (file := _file(each)))
    if not words and not files:
        return None
    home = _word(said.get("user_team")) or _word(said.get("team")) or team
    name = _word(table(said.get("user_profile")).get("display_name"))
    return _inbound(f"{room}:{ts}", where, _sender(home, user, me), words, name=name, files=files)


def _translate_command(payload: Json, me: Me) -> Inbound | None:
    """`/baton status` means `/status`: Slack has commands of its own, and an app registers each of its names. It can be
    given in direct messages of two others, and does not say whose they are: so none counts as ours.
    """
    name, trigger = _word(payload.get("command")).lower(), _word(payload.get("trigger_id"))
    user = _word(payload.get("user_id"))
    if not _COMMAND.fullmatch(name) or not _ID.fullmatch(trigger) or not _PERSON.fullmatch(user):
        return None
    arguments = read_text(storable(text(payload.get("text")))[:_LONGEST], "").strip()
    line = f"{name} {arguments}".strip()
    if name == _OURS:
        line = f"/{arguments.removeprefix('/')}" if arguments else "/help"
    sender = _sender(_word(payload.get("team_id")), user, me)
    shown = _word(payload.get("user_name"))
    where = place(payload.get("channel_id"))
    return Inbound(f"command:{trigger}", where, sender, line, direct=False, name=shown)


def _translate_press(payload: Json, me: Me) -> Inbound | None:
    person, container = table(payload.get("user")), table(payload.get("container"))
    action = next(tables(payload.get("actions")), table(None))
    user, at = _word(person.get("id")), _word(action.get("action_ts"))
    if not _PERSON.fullmatch(user) or action.get("type") != "button" or action.get("block_id") != BLOCK:
        return None
    room = _word(container.get("channel_id")) or _word(table(payload.get("channel")).get("id"))
    ts = stamp(container.get("message_ts"))
    where = place(room, container.get("thread_ts") or table(payload.get("message")).get("thread_ts"), ts)
    team = _word(person.get("team_id")) or _word(table(payload.get("team")).get("id"))
    pressed = f"press:{room}:{ts}:{user}:{stamp(at)}"
    choice = _word(action.get("value"))
    if not choice:
        return None
    shown = _word(person.get("username"))
    return _inbound(pressed, where, _sender(team, user, me), "", name=shown, choice=choice, quotes=ts)


def _inbound(
    key: str,
    where: Place,
    sender: str,
    words: str,
    *,
    name: str = "",
    files: tuple[File, ...] = (),
    choice: str = "",
    quotes: str = "",
) -> Inbound:
    return Inbound(key, where, sender, words, is_direct(where), name, files, choice, quotes)


def _sender(team: str, user: str, me: Me) -> str:
    return f"{NAME}:{team if _TEAM.fullmatch(team) else me.team}:{user}"


def _file(given: Json) -> File | None:
    ref = _word(given.get("id"))
    if not _ID.fullmatch(ref) or given.get("mode") in _LOST_FILES:
        return None
    return File(ref, _word(given.get("name")) or ref, _word(given.get("mimetype")), whole(given.get("size")))


def _word(given: object) -> str:
    """An id or a name."""
    return storable(text(given))[:200]


def read_text(text: str, me: str) -> str:
    """What a person typed: references become addresses and names, and a leading mention of us is removed."""
    text = re.sub(rf"^\s*<@{re.escape(me)}(?:\|[^<>]*)?>[\s:,]*", "", text)
    text = _REFERENCE.sub(_replace_reference, text)
    for entity, character in _ENTITIES:
        text = text.replace(entity, character)
    return text


def _replace_reference(found: re.Match[str]) -> str:
    kind, target, label = found[1], found[2] or found[3], found[4]
    if kind == "!":
        return label or f"@{target.partition('^')[0]}"
    if kind:
        return f"{kind}{label or target}"
    if not label or label in (target, target.partition("://")[2], target.removeprefix("mailto:")):
        return target.removeprefix("mailto:") if target.startswith("mailto:") else target
    return f"{label} ({target})"
