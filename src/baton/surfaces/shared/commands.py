"""The one table of slash commands: terminals, editors and channels complete, explain and run them from here.

A new command is one row of `COMMANDS` and the function it names.
"""

from __future__ import annotations

from baton.core.agent.approval import MODES
from baton.core.display import one_line
from baton.core.errors import BadInput
from baton.core.handoff.compression import NOTHING
from baton.core.handoff.score import to_json as score_json
from baton.core.log.session import Vitals
from baton.core.transfer.letter import Letter
from baton.core.value import replace
from baton.engine.aio import in_thread
from baton.surfaces.shared.chat import Chat, Status
from baton.surfaces.shared.command import Asked, Channel, Command, Reply
from baton.surfaces.shared.rules import RULE_COMMANDS
from baton.surfaces.shared.stopping import stop_elsewhere
from baton.surfaces.words import commands as words
from baton.surfaces.words.transcript import BEGAN


def find(text: str) -> tuple[Command, str] | None:
    """The command that a line begins with, and what follows it; None for a line that is no command.

    `BadInput` for a slash and a word that is none. A path or a lone slash is ordinary text.
    """
    if not text.startswith("/") or "\n" in text.split(" ", 1)[0]:
        return None
    word, _, rest = text[1:].partition(" ")
    if not word or "/" in word:
        return None
    for command in COMMANDS:
        if command.name == word:
            return command, rest.strip()
    near = ", ".join(f"/{name}" for name in names_beginning(word[:2])) or "/help"
    raise BadInput(reason=words.NO_COMMAND.format(name=one_line(word, 30), near=near))


def find_in_channel(line: str) -> tuple[Command, str] | None:
    """As `find`, for what people type on platforms: in any case, and with a bot's own name behind the command's."""
    name, argument = name_in_channel(line), " ".join(line.split(maxsplit=1)[1:]).strip()
    for command in COMMANDS:
        if name in command.aliases:
            return command, argument
    return find(f"/{name} {argument}".strip())


def is_repeatable(line: str) -> bool:
    """Whether a command in a channel may be run again after an interruption."""
    name = name_in_channel(line)
    return any(name in (command.name, *command.aliases) for command in COMMANDS if command.repeatable)


def name_in_channel(line: str) -> str:
    """The word a line begins with, without its slash and a bot's own name."""
    return line[1:].split(maxsplit=1)[0].partition("@")[0].lower()


def names_beginning(prefix: str) -> list[str]:
    return [command.name for command in COMMANDS if command.name.startswith(prefix)]


def channel_names() -> frozenset[str]:
    """Every word that is a command in a channel, or would be one elsewhere."""
    return frozenset(name for command in COMMANDS for name in (command.name, *command.aliases))


async def _help(_chat: Chat, _: str) -> Reply:
    width = max(len(command.usage) for command in COMMANDS)
    return Reply("\n".join(f"{command.usage:<{width}}  {command.summary}" for command in COMMANDS), act="help")


async def _help_in_channel(_channel: Channel, _: Asked) -> Letter:
    return Letter("\n".join(f"- `{each.usage}` {each.summary}" for each in COMMANDS if each.in_channels))


async def _status(chat: Chat, _: str) -> Reply:
    return Reply(describe(await in_thread(_clean_status, chat)))


def _clean_status(chat: Chat) -> Status:
    """A branch can be named after a password, and an editor keeps what it is shown."""
    status = chat.status()
    known = status.conversation.id if status.conversation else ""
    return replace(status, branch=chat.agent.clean(status.branch, known) if status.branch else "")


def describe(status: Status) -> str:
    """A status in words, one fact a line."""
    workspace = words.STATUS_WORKSPACE_BRANCH if status.branch else words.STATUS_WORKSPACE
    lines = [
        words.STATUS_MODEL.format(model=status.model),
        words.STATUS_MODE.format(mode=status.mode),
        workspace.format(workspace=status.workspace, branch=status.branch),
        words.STATUS_CONTEXT.format(tokens=status.tokens, window=status.window),
    ]
    if status.cost is not None:
        lines.append(words.STATUS_COST.format(cost=status.cost))
    if status.conversation and status.session and status.vitals and status.lineage:
        session, began = status.session, BEGAN.get(status.session.edge, status.session.edge)
        lines.append(words.STATUS_CONVERSATION.format(title=status.conversation.title, id=status.conversation.id))
        lines.append(words.STATUS_SESSION.format(id=session.id, entries=session.entries, began=began))
        lines.append(_vitals(status.vitals, status.lineage))
        if status.lineage.last_error:
            lines.append(words.STATUS_ERROR.format(error=status.lineage.last_error))
    return "\n".join(lines)


def _vitals(here: Vitals, lineage: Vitals) -> str:
    """`compressions 2 in this session, 5 since the beginning (1 without a summary) · 1 failed`"""
    text = words.STATUS_COMPRESSIONS_LOSSY if lineage.lossy else words.STATUS_COMPRESSIONS
    told = [text.format(here=max(0, here.compressions), total=lineage.compressions, lossy=lineage.lossy)]
    told += [words.STATUS_FAILED.format(count=lineage.failed)] if lineage.failed else []
    told += [words.STATUS_TIMED_OUT.format(count=lineage.timed_out)] if lineage.timed_out else []
    return " · ".join(told)


async def _model(chat: Chat, rest: str) -> Reply:
    if not rest:
        return Reply(words.MODEL_IS.format(model=chat.agent.model), act="pick-model")
    chat.agent.use_model(rest)
    return Reply(words.MODEL_NEXT.format(model=chat.agent.model), act="agent")


async def _mode(chat: Chat, rest: str) -> Reply:
    if rest:
        chat.use_mode(rest)
    return Reply(words.MODE_IS.format(mode=chat.agent.mode, modes=", ".join(MODES)), act="agent")


async def _compress(chat: Chat, _: str) -> Reply:
    outcome = await chat.runtime.compress(chat.require_idle().id)
    return Reply(words.NOTHING_TO_COMPRESS if outcome == NOTHING else "")


async def _sessions(chat: Chat, _: str) -> Reply:
    rows = (await in_thread(chat.store.conversations.page, 20, begun=True)).rows
    if not rows:
        return Reply(words.NO_CONVERSATIONS)
    text = "\n".join(f"{row.conversation.id}  {one_line(row.conversation.title, 60)}" for row in rows)
    return Reply(text, act="pick-conversation")


async def _resume(chat: Chat, rest: str) -> Reply:
    if chat.busy:
        chat.require_idle()
    if not rest:
        return await _sessions(chat, rest)
    conversation = await chat.use(rest)
    return Reply(words.RESUMED.format(title=conversation.title), act="redraw")


async def _new(chat: Chat, _: str) -> Reply:
    if chat.busy:
        chat.require_idle()
    chat.leave()
    return Reply(words.BEGUN, act="redraw")


async def _rename(chat: Chat, rest: str) -> Reply:
    title = await in_thread(chat.agent.clean, rest, chat.current().id)
    renamed = await in_thread(chat.store.conversations.rename, chat.current().id, title)
    chat.conversation = renamed
    return Reply(words.RENAMED.format(title=renamed.title), act="renamed")


async def _export(chat: Chat, rest: str) -> Reply:
    from baton.surfaces.shared.archive import write_export

    conversation = chat.current()
    path = rest or f"{conversation.id}.jsonl"
    await in_thread(write_export, chat.store, [conversation.id], path)
    return Reply(words.EXPORTED.format(path=path))


async def _transcript(chat: Chat, _: str) -> Reply:
    chat.current()
    return Reply(act="transcript")


async def _handoff(chat: Chat, rest: str) -> Reply:
    from baton.surfaces.shared import handoffs

    if rest == "--packet-only":
        written = await handoffs.write_packet(chat, narrate=chat.agent.narrates())
        score = handoffs.score_text(score_json(written.score))
        return Reply(words.PACKET.format(path=written.path, score=score))
    if rest:
        transfer = await chat.move(rest)
        return Reply(words.MOVING.format(place=rest), act="transfer", subject=transfer.id)
    review = await handoffs.propose(chat, narrate=chat.agent.narrates())
    return Reply("\n".join([review.markdown, *review.lines]), act="review", subject=review.draft_id)


async def _fresh(chat: Chat, _: str) -> Reply:
    from baton.surfaces.shared import handoffs

    session = await handoffs.start_fresh(chat, narrate=chat.agent.narrates())
    path = await in_thread(handoffs.find_packet_path, chat.store, session)
    return Reply(words.FRESH_FROM.format(path=path), act="redraw")


async def _undo(chat: Chat, _: str) -> Reply:
    from baton.surfaces.shared.undo import describe_undone

    return Reply(describe_undone(await chat.runtime.undo(chat.require_idle().id)), act="undone")


async def _stop(chat: Chat, _: str) -> Reply:
    return Reply("" if await chat.stop() else await stop_elsewhere(chat.store, chat.conversation))


async def _set_home(_chat: Chat, _: str) -> Reply:
    return Reply(words.SET_HOME_THERE)


async def _quit(_chat: Chat, _: str) -> Reply:
    return Reply(act="quit")


COMMANDS = (
    Command(
        "help",
        words.HELP_USAGE,
        words.HELP,
        _help,
        in_channels=True,
        channel=_help_in_channel,
        repeatable=True,
        aliases=("start",),
    ),
    Command(
        "status",
        words.STATUS_USAGE,
        words.STATUS,
        _status,
        in_channels=True,
        channel=lambda channel, asked: channel.status(asked),
        repeatable=True,
    ),
    Command("model", words.MODEL_USAGE, words.MODEL, _model, in_channels=True),
    Command("mode", words.MODE_USAGE, words.MODE, _mode, in_channels=True),
    Command(
        "stop",
        words.STOP_USAGE,
        words.STOP,
        _stop,
        in_channels=True,
        channel=lambda channel, asked: channel.stop(asked),
        repeatable=True,
        by_editor=words.STOP_BY_EDITOR,
    ),
    Command("compress", words.COMPRESS_USAGE, words.COMPRESS, _compress, in_channels=True),
    Command(
        "handoff",
        words.HANDOFF_USAGE,
        words.HANDOFF,
        _handoff,
        in_channels=True,
        channel=lambda channel, asked: channel.hand_off(asked),
    ),
    Command("undo", words.UNDO_USAGE, words.UNDO, _undo, in_channels=True),
    Command("fresh", words.FRESH_USAGE, words.FRESH, _fresh, in_channels=True),
    *RULE_COMMANDS,
    Command(
        "sessions",
        words.SESSIONS_USAGE,
        words.SESSIONS,
        _sessions,
        in_channels=True,
        channel=lambda channel, asked: channel.list_conversations(asked),
        repeatable=True,
    ),
    Command(
        "resume",
        words.RESUME_USAGE,
        words.RESUME,
        _resume,
        in_channels=True,
        channel=lambda channel, asked: channel.resume(asked),
        by_editor=words.RESUME_BY_EDITOR,
    ),
    Command(
        "new",
        words.NEW_USAGE,
        words.NEW,
        _new,
        in_channels=True,
        channel=lambda channel, asked: channel.begin(asked),
        by_editor=words.NEW_BY_EDITOR,
    ),
    Command("rename", words.RENAME_USAGE, words.RENAME, _rename, in_channels=True),
    Command(
        "sethome",
        words.SETHOME_USAGE,
        words.SETHOME,
        _set_home,
        in_channels=True,
        channel=lambda channel, asked: channel.set_home(asked),
        by_editor=words.SETHOME_BY_EDITOR,
    ),
    Command("export", words.EXPORT_USAGE, words.EXPORT, _export),
    Command("transcript", words.TRANSCRIPT_USAGE, words.TRANSCRIPT, _transcript),
    Command(
        "quit",
        words.QUIT_USAGE,
        words.QUIT,
        _quit,
        by_editor=words.QUIT_BY_EDITOR,
    ),
)
