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
from baton.engine.aio import in_thread
from baton.surfaces.shared.chat import Chat, Status
from baton.surfaces.shared.command import Asked, Channel, Command, Reply
from baton.surfaces.shared.rules import RULE_COMMANDS
from baton.surfaces.shared.stopping import stop_elsewhere

NOTHING_TO_COMPRESS = "There is nothing to compress yet: what can be compressed lies before the last exchanges."
NO_CONVERSATIONS = "No conversations yet."
SET_HOME_THERE = "Send /sethome in the chat or channel that should be home. `baton pair PLATFORM` connects you to one."


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
    raise BadInput(reason=f"There is no command /{one_line(word, 30)}. Did you mean {near}?")


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
    return Reply(describe(await in_thread(chat.status)))


def describe(status: Status) -> str:
    """A status in words, one fact a line."""
    lines = [f"model        {status.model}", f"mode         {status.mode}"]
    lines.append(f"workspace    {status.workspace}" + (f" · {status.branch}" if status.branch else ""))
    lines.append(f"context      {status.tokens:,} of {status.window:,} tokens")
    if status.cost is not None:
        lines.append(f"cost         ${status.cost:.4f}")
    if status.conversation and status.session and status.vitals and status.lineage:
        lines.append(f"conversation {status.conversation.title} ({status.conversation.id})")
        lines.append(f"session      {status.session.id} · {status.session.entries:,} entries · {status.session.edge}")
        lines.append(f"compressions {_vitals(status.vitals, status.lineage)}")
        if status.lineage.last_error:
            lines.append(f"last error   {status.lineage.last_error}")
    return "\n".join(lines)


def _vitals(here: Vitals, lineage: Vitals) -> str:
    """`2 in this session, 5 along the lineage (1 lossy) · 1 failed`"""
    text = f"{max(0, here.compressions)} in this session, {lineage.compressions} along the lineage"
    trouble = [f"{lineage.failed} failed"] if lineage.failed else []
    trouble += [f"{lineage.timed_out} timed out"] if lineage.timed_out else []
    return " · ".join([f"{text} ({lineage.lossy} lossy)" if lineage.lossy else text, *trouble])


async def _model(chat: Chat, rest: str) -> Reply:
    if not rest:
        return Reply(f"The model is {chat.agent.model}.", act="pick-model")
    chat.agent.use_model(rest)
    return Reply(f"From the next message on the model is {chat.agent.model}.", act="agent")


async def _mode(chat: Chat, rest: str) -> Reply:
    if rest:
        chat.use_mode(rest)
    return Reply(f"The mode is {chat.agent.mode}. Modes: {', '.join(MODES)}.", act="agent")


async def _compress(chat: Chat, _: str) -> Reply:
    outcome = await chat.runtime.compress(chat.require_idle().id)
    return Reply(NOTHING_TO_COMPRESS if outcome == NOTHING else "")


async def _sessions(chat: Chat, _: str) -> Reply:
    rows = (await in_thread(chat.store.conversations.page, 20, begun=True)).rows
    if not rows:
        return Reply(NO_CONVERSATIONS)
    text = "\n".join(f"{row.conversation.id}  {one_line(row.conversation.title, 60)}" for row in rows)
    return Reply(text, act="pick-conversation")


async def _resume(chat: Chat, rest: str) -> Reply:
    if chat.busy:
        chat.require_idle()
    if not rest:
        return await _sessions(chat, rest)
    conversation = await chat.use(rest)
    return Reply(f"Resumed: {conversation.title}", act="redraw")


async def _new(chat: Chat, _: str) -> Reply:
    if chat.busy:
        chat.require_idle()
    chat.leave()
    return Reply("A new conversation begins with your next message.", act="redraw")


async def _rename(chat: Chat, rest: str) -> Reply:
    title = await in_thread(chat.agent.clean, rest, chat.current().id)
    renamed = await in_thread(chat.store.conversations.rename, chat.current().id, title)
    chat.conversation = renamed
    return Reply(f"The title is now: {renamed.title}", act="renamed")


async def _export(chat: Chat, rest: str) -> Reply:
    from baton.surfaces.shared.archive import write_export

    conversation = chat.current()
    path = rest or f"{conversation.id}.jsonl"
    await in_thread(write_export, chat.store, [conversation.id], path)
    return Reply(f"Exported to {path}.")


async def _transcript(chat: Chat, _: str) -> Reply:
    chat.current()
    return Reply(act="transcript")


async def _handoff(chat: Chat, rest: str) -> Reply:
    from baton.surfaces.shared import handoffs

    if rest == "--packet-only":
        written = await handoffs.write_packet(chat, narrate=chat.agent.narrates())
        score = handoffs.score_text(score_json(written.score))
        return Reply(f"The packet is {written.path}.\n{score}")
    if rest:
        transfer = await chat.move(rest)
        return Reply(f"→ Moving to {rest}…", act="transfer", subject=transfer.id)
    review = await handoffs.propose(chat, narrate=chat.agent.narrates())
    return Reply("\n".join([review.markdown, *review.lines]), act="review", subject=review.draft_id)


async def _fresh(chat: Chat, _: str) -> Reply:
    from baton.surfaces.shared import handoffs

    session = await handoffs.start_fresh(chat, narrate=chat.agent.narrates())
    path = await in_thread(handoffs.find_packet_path, chat.store, session)
    return Reply(f"Started a fresh session from the packet: {path}", act="redraw")


async def _undo(chat: Chat, _: str) -> Reply:
    from baton.surfaces.shared.undo import describe_undone

    return Reply(describe_undone(await chat.runtime.undo(chat.require_idle().id)), act="undone")


async def _stop(chat: Chat, _: str) -> Reply:
    return Reply("" if await chat.stop() else await stop_elsewhere(chat.store, chat.conversation))


async def _set_home(_chat: Chat, _: str) -> Reply:
    return Reply(SET_HOME_THERE)


async def _quit(_chat: Chat, _: str) -> Reply:
    return Reply(act="quit")


COMMANDS = (
    Command(
        "help",
        "/help",
        "Show this list",
        _help,
        in_channels=True,
        channel=_help_in_channel,
        repeatable=True,
        aliases=("start",),
    ),
    Command(
        "status",
        "/status",
        "Model, context, compressions, cost",
        _status,
        in_channels=True,
        channel=lambda channel, asked: channel.status(asked),
        repeatable=True,
    ),
    Command("model", "/model [provider:name]", "Show or change the model", _model, in_channels=True),
    Command("mode", "/mode [mode]", "Show or change what tools may do unasked", _mode, in_channels=True),
    Command(
        "stop",
        "/stop",
        "Stop what is running",
        _stop,
        in_channels=True,
        channel=lambda channel, asked: channel.stop(asked),
        repeatable=True,
        by_editor="Your editor's own stop does it, also while a command waits.",
    ),
    Command("compress", "/compress", "Compress the context now", _compress, in_channels=True),
    Command(
        "handoff",
        "/handoff [PLACE] [--packet-only]",
        "Continue in a fresh session after a review, or in another place",
        _handoff,
        in_channels=True,
        channel=lambda channel, asked: channel.hand_off(asked),
    ),
    Command("undo", "/undo", "Take back the last compression or handoff", _undo, in_channels=True),
    Command("fresh", "/fresh", "Continue in a fresh session at once", _fresh, in_channels=True),
    *RULE_COMMANDS,
    Command(
        "sessions",
        "/sessions",
        "List conversations",
        _sessions,
        in_channels=True,
        channel=lambda channel, asked: channel.list_conversations(asked),
        repeatable=True,
    ),
    Command(
        "resume",
        "/resume [title or id]",
        "Continue another conversation",
        _resume,
        in_channels=True,
        channel=lambda channel, asked: channel.resume(asked),
        by_editor="Your editor's list of threads opens another conversation; `baton resume` does in a terminal.",
    ),
    Command(
        "new",
        "/new",
        "Begin a new conversation",
        _new,
        in_channels=True,
        channel=lambda channel, asked: channel.begin(asked),
        by_editor="A new thread in your editor begins a new conversation.",
    ),
    Command("rename", "/rename TITLE", "Give this conversation another title", _rename, in_channels=True),
    Command(
        "sethome",
        "/sethome",
        "Make this channel the home of its platform",
        _set_home,
        in_channels=True,
        channel=lambda channel, asked: channel.set_home(asked),
        by_editor="Send /sethome in the chat or channel that should be home.",
    ),
    Command("export", "/export [FILE]", "Write this conversation as JSON lines", _export),
    Command("transcript", "/transcript", "Show everything ever said here", _transcript),
    Command(
        "quit",
        "/quit",
        "Leave; nothing is lost",
        _quit,
        by_editor="Close the thread in your editor; nothing is lost.",
    ),
)
