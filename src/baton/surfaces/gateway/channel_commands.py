"""Commands in a channel: the same table as everywhere, for the conversation that the channel speaks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from baton.core.display import one_line
from baton.core.errors import BadInput, NotFound, TransferActive
from baton.core.transfer import transfer as rules
from baton.core.transfer.letter import Attached, Letter
from baton.core.transfer.place import TERMINAL, Place, platform_name
from baton.engine.aio import in_thread
from baton.surfaces.gateway.answers import Drafts, describe_offer, draft_letter
from baton.surfaces.shared import commands, handoffs
from baton.surfaces.shared.chat import UNTITLED, Chat
from baton.surfaces.shared.command import Asked
from baton.surfaces.shared.stopping import stop_elsewhere
from baton.surfaces.shared.transcript import last_words
from baton.surfaces.shared.wording import GATEWAY, holder
from baton.surfaces.words import channel as words
from baton.surfaces.words import commands as command_words

if TYPE_CHECKING:
    from baton.core.log.conversation import Conversation, Page
    from baton.engine.transfer.people import Directory
    from baton.engine.turns.runtime import Runtime
    from baton.ports.store import Store
    from baton.surfaces.shared.host import Host

_LISTED = 20


class ChannelCommands:
    """Runs what the owner commands. It is the `Channel` whose methods the table names; answers are letters to the place
    the command came from.
    """

    def __init__(self, store: Store, runtime: Runtime, host: Host, directory: Directory) -> None:
        self._store = store
        self._runtime = runtime
        self._host = host
        self._directory = directory
        self.drafts = Drafts(store, self.chat)

    async def run(self, line: str, place: Place, bound: Conversation | None, sender: str) -> Letter:
        """What the place is told; empty if something else tells it. `line` begins with a slash."""
        found = commands.find_in_channel(line)
        if found is None or not found[0].in_channels:
            names = ", ".join(f"/{each.name}" for each in commands.COMMANDS if each.in_channels)
            name = one_line(commands.name_in_channel(line), 30)
            return Letter(words.NO_COMMAND_HERE.format(name=name, names=names))
        command, rest = found
        return await command.run_in_channel(self, Asked(rest, place, bound, sender))

    def chat(self, bound: Conversation | None) -> Chat:
        if bound is None:
            raise BadInput(reason=words.NO_CONVERSATION)
        chat = Chat(self._store, self._runtime, self._host.agent(bound))
        chat.conversation = bound
        return chat

    async def stop(self, asked: Asked) -> Letter:
        """The turn itself says that it was stopped."""
        bound = asked.bound
        if bound and await self._runtime.cancel(bound.id):
            return Letter("")
        return Letter(await stop_elsewhere(self._store, bound, GATEWAY))

    async def begin(self, asked: Asked) -> Letter:
        """Begun and bound at once: in a room where only bound places are heard, the next message must be."""
        bound = asked.bound
        self._check_idle(bound)

        def begin() -> None:
            if bound and bound.title == UNTITLED and not self._store.entries.last(bound.head_id, 1):
                return
            begun, _ = self._store.conversations.start(UNTITLED, self._host.workspace, self._host.model)
            self._store.bindings.bind(asked.place, begun.id, instead_of=bound.id if bound else None)

        await in_thread(begin)
        return Letter(words.NEW)

    def _check_idle(self, bound: Conversation | None) -> None:
        if bound and self._runtime.busy(bound.id):
            raise BadInput(reason=command_words.BUSY)

    async def status(self, asked: Asked) -> Letter:
        if asked.bound is None:
            return Letter(words.NOBODY_HERE.format(model=self._host.model, workspace=self._host.workspace))
        return Letter(f"```\n{commands.describe(await in_thread(self.chat(asked.bound).status))}\n```")

    async def list_conversations(self, asked: Asked) -> Letter:
        rows = [row.conversation for row in (await in_thread(self._page)).rows]
        if not rows:
            return Letter(command_words.NO_CONVERSATIONS)
        lines = [f"- `{row.id}` {one_line(row.title, 60)}{_here(row, asked.bound)}" for row in rows]
        return Letter("\n".join([*lines, "", words.CHOOSE]))

    async def resume(self, asked: Asked) -> Letter:
        """Any conversation, of any surface: it speaks here from now on."""
        bound = asked.bound
        if not asked.rest:
            return await self.list_conversations(asked)

        self._check_idle(bound)

        def bind() -> Letter:
            found = self._find(asked.rest)
            self._cancel_return(found)
            self._store.bindings.bind(asked.place, found.id, instead_of=bound.id if bound else None)
            said = last_words(self._store.entries.last(found.head_id, 50))
            shown = one_line(self._host.clean(said, found.id), 300)
            lines = [(words.RESUMED_SAID if said else words.RESUMED).format(title=found.title, text=shown)]
            if found.owner is not None and not self._runtime.busy(found.id):
                lines.append(words.HELD_WAITS.format(where=holder(found.owner, GATEWAY)))
            return Letter("\n".join(lines))

        return await in_thread(bind)

    def _find(self, text: str) -> Conversation:
        try:
            return self._store.conversations.find(text)
        except NotFound as error:  # `baton sessions list` helps nobody on a phone
            raise NotFound(noun=error.facts["noun"], value=error.facts["value"], suggestion=words.LISTED) from None

    def _page(self) -> Page:
        return self._store.conversations.page(_LISTED, begun=True)

    def _cancel_return(self, conversation: Conversation) -> None:
        """Nobody waits any more for it to come to the terminal. `TransferActive` while it moves elsewhere."""
        for each in self._store.transfers.of(conversation.id):
            if each.state == rules.PENDING and each.platform == TERMINAL:
                self._store.transfers.cancel(each.id)
            elif each.state in rules.ACTIVE:
                raise TransferActive(
                    conversation=conversation.id, target=each.target, transfer=each.id, state=each.state
                )

    async def set_home(self, asked: Asked) -> Letter:
        room = Place(asked.place.platform, asked.place.room)
        kept = await in_thread(self._directory.set_home, room, asked.sender)
        return Letter((words.HOME_SET if kept else words.HOME_FIXED).format(platform=platform_name(room.platform)))

    async def hand_off(self, asked: Asked) -> Letter:
        chat = self.chat(asked.bound)
        if asked.rest == "--packet-only":
            written = await handoffs.write_packet(chat, narrate=chat.agent.narrates())
            name = written.path.rpartition("/")[2]
            attached = Attached(name, "text/markdown", written.packet.markdown.encode())
            return Letter(words.PACKET.format(path=written.path), file=attached)
        if asked.rest:
            return await self._move(chat, asked.place, asked.rest)
        review = await handoffs.propose(chat, narrate=chat.agent.narrates())
        text = describe_offer(words.ASKED_FOR, review.path, review.tokens, review.doubt)
        return await in_thread(draft_letter, self._store, review.draft_id, review.path, text)

    async def _move(self, chat: Chat, place: Place, rest: str) -> Letter:
        conversation = chat.require_idle()
        target = await in_thread(self._host.target, rest)

        def request() -> None:
            self._cancel_return(conversation)
            self._store.transfers.request(conversation.id, place.key, target)

        await in_thread(request)
        if target == TERMINAL:
            return Letter(words.TO_TERMINAL.format(conversation=conversation.id))
        return Letter(words.MOVING.format(target=rest))


def _here(conversation: Conversation, bound: Conversation | None) -> str:
    return words.SPEAKS_HERE if bound and bound.id == conversation.id else ""
