"""Every error a user can meet. One tree, one file: it reads as a table, and each start imports all of it.

    BatonError
    ├── BadInput               something given from outside does not have an allowed form
    │   ├── BadId · BadTitle · BadText · BadPlace · BadLine · BadImage
    │   ├── NotFound · Ambiguous
    │   └── AlreadyExists
    ├── ConfigError
    │   ├── BadConfig          one or more problems in the configuration, all listed
    │   ├── CannotListen · UnsafeToken · UnsafeCredentials
    │   └── MissingExtra       an optional dependency is not installed
    ├── Conflict               somebody else was first; nothing was written
    │   ├── OwnedElsewhere     another owner holds a live lease
    │   ├── StaleEpoch         the writer's ownership ended
    │   ├── HeadMoved          the head is not the session the writer knows
    │   ├── SequenceMoved      entries were added since the writer looked
    │   ├── LeftOpen           an interrupted turn continues first
    │   ├── DraftStale         the conversation continued after the draft
    │   ├── BadTransition      a state machine does not allow this step
    │   ├── TransferActive     a conversation has at most one running transfer
    │   ├── PlaceTaken         the place is bound to another conversation
    │   ├── RecordMoved        the record is not the version the writer knows
    │   ├── AnsweredAlready    a question was answered on this or another surface
    │   └── QuestionGone       nobody waits for the answer any more
    ├── ModelError             the model cannot answer now; the conversation is kept
    │   ├── MissingKey · UnknownModel · ModelRefused · EffortNotTaken
    │   ├── RateLimited · ModelUnavailable · ModelTimeout      worth another try
    │   └── ContextOverflow · TurnLimit
    ├── StuckCall              a call failed the same way again and again, and nobody can be asked
    ├── ToolError
    │   └── BadArguments
    ├── WorkspaceError
    │   ├── CheckpointFailed
    │   └── OperationInProgress    a rebase or merge is under way
    ├── HandoffError           the handoff did not happen; the session is as it was
    │   ├── PacketNotSaved · PacketLeaks
    │   ├── DriftFound         the workspace is not what the packet says
    │   └── RiskyStep          what comes next cannot be taken back, and nobody can be asked
    ├── TransferError          the conversation did not move
    │   └── TransferFailed · NoGateway · NotConnected · NoHome · UnknownTarget · AlreadyThere · AtWork
    ├── PlatformError          a messaging platform said no
    │   ├── SendRefused · SendLater · SendUnsure
    │   └── BadCredentials · SomebodyElse
    ├── ApiError               a request to the gateway that is not served
    │   ├── NoToken · TooManyTries · ForeignRequest · NoSuchPage · WrongMethod
    │   └── BodyTooLarge · BodyTooSlow · NotJson · TurnRuns · TooManyReaders · GatewayStops · InternalError
    └── StoreError             the store cannot do its work now
        ├── StoreBusy · StoreFull · StoreReadOnly · StoreUnavailable
        ├── StoreDamaged · LogMissing
        └── StoreTooNew · MigrationFailed

Each class carries its text as three templates, filled from keyword facts: `what` happened, what was `kept`, and what
`todo`. `code` is for machines and stays stable. Each surface maps errors to its own form in one table and never builds
sentences of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Callable

_FACT_LIMIT = 1500
_PLAIN = (str, int, float, type(None))
_HARMLESS = "\u00a0\u202f\u3000\u200c\u200d"  # spaces, and the joiners that scripts and emoji need


class BatonError(Exception):
    """Root of the tree. `str()` is the whole text for a person."""

    code: ClassVar[str] = "error"
    what: ClassVar[str] = "Something went wrong: {reason}"
    kept: ClassVar[str] = ""
    todo: ClassVar[str] = ""

    def __init__(self, **facts: object) -> None:
        super().__init__(facts)
        self.facts = facts

    def parts(self) -> tuple[str, str, str]:
        """What happened, what was kept, what to do; the latter two may be empty."""
        what, kept, todo = (text.format_map(_Facts(self.facts)) for text in (self.what, self.kept, self.todo))
        return what, kept, todo

    def __str__(self) -> str:
        return " ".join(part for part in self.parts() if part)

    def __reduce__(self) -> tuple[Callable[[type[BatonError], dict[str, object]], BatonError], tuple[object, ...]]:
        """Pickle and copy work, so an error may cross to another process; facts that are not plain cross as text."""
        plain = {name: each if isinstance(each, _PLAIN) else str(each) for name, each in self.facts.items()}
        return _again, (self.__class__, plain)

    def as_dict(self) -> dict[str, str]:
        what, kept, todo = self.parts()
        return {"code": self.code, "what": what, "kept": kept, "todo": todo}


def _again(kind: type[BatonError], facts: dict[str, object]) -> BatonError:
    return kind(**facts)


class _Facts(dict[str, object]):
    """Facts as they may be printed: outside text can neither control a terminal nor fill a screen."""

    def __getitem__(self, key: str) -> object:
        value = super().__getitem__(key)
        if isinstance(value, int | float | _Unknown):
            return value
        return str(value) if key == "problems" else _printable(str(value))

    def __missing__(self, key: str) -> _Unknown:
        return _Unknown()


def _printable(text: str) -> str:
    """Control characters, direction marks and lone surrogates as escapes; cut to `_FACT_LIMIT`."""
    text = text[:_FACT_LIMIT]
    if not text.isprintable():
        text = "".join(c if c.isprintable() or c in _HARMLESS else ascii(c)[1:-1] for c in text)
    return text if len(text) < _FACT_LIMIT else f"{text[: _FACT_LIMIT - 1]}…"


class _Unknown:
    """A fact that was not given: reporting an error must not itself fail."""

    def __format__(self, spec: str) -> str:
        return "?"


class BadInput(BatonError):
    code = "bad-input"
    what = "{reason}"


class BadId(BadInput):
    code = "bad-id"
    what = "{value} is not a {noun} id."
    todo = "Allowed: {allowed}."


class BadTitle(BadInput):
    code = "bad-title"
    what = "This title cannot be used: {reason}."
    kept = "The title was not changed."
    todo = "Allowed: 1 to {limit} characters on one line, without control characters."


class BadText(BadInput):
    code = "bad-text"
    what = "The {field} cannot be stored: {reason}."
    kept = "Nothing was written."
    todo = "Allowed: {allowed}."


class BadPlace(BadInput):
    code = "bad-place"
    what = "{value} is not a place: {reason}."
    todo = "Allowed: platform:room or platform:room:thread, each part percent-encoded."


class BadLine(BadInput):
    code = "bad-line"
    what = "{source}, line {line}: {reason}."
    kept = "{kept}"
    todo = "Repair the file, or export the conversation again."


class BadImage(BadInput):
    code = "bad-image"
    what = "{path} cannot be attached: {reason}."
    kept = "Nothing was sent."
    todo = "Allowed: {allowed}."


class NotFound(BadInput):
    code = "not-found"
    what = "There is no {noun} {value}."
    todo = "{suggestion}"


class Ambiguous(BadInput):
    code = "ambiguous"
    what = "{value} fits {count} conversations: {candidates}."
    todo = "Give one of these ids."


class AlreadyExists(BadInput):
    code = "already-exists"
    what = "The {noun} {value} is already here, with other content."
    kept = "It was left as it is."
    todo = "{suggestion}"


class ConfigError(BatonError):
    code = "config"


class BadConfig(ConfigError):
    """All problems found, one per line."""

    code = "bad-config"
    what = "The configuration has {count} problem(s):\n{problems}"
    todo = "`baton config schema` prints every key with what is allowed."


class CannotListen(ConfigError):
    code = "cannot-listen"
    what = "The gateway's HTTP API cannot listen on {address}: {reason}."
    todo = "Set gateway.listen to another address, such as 127.0.0.1:0 for a free port; allowed are loopback addresses."


class UnsafeToken(ConfigError):
    code = "unsafe-token"
    what = "The token of the gateway's HTTP API in {path} cannot be used: {reason}."
    todo = "Remove the file; the next start makes a new token."


class UnsafeCredentials(ConfigError):
    code = "unsafe-credentials"
    what = "The keys in {path} are not used: the file is not yours alone."
    todo = "If nobody else has read it: chmod 600 {path}. Otherwise remove it, and run: baton setup"


class MissingExtra(ConfigError):
    code = "missing-extra"
    what = "{feature} needs a part of Baton that is not installed."
    todo = "Install it: {line}"


class Conflict(BatonError):
    code = "conflict"
    kept = "Nothing was written."


class OwnedElsewhere(Conflict):
    code = "owned-elsewhere"
    what = "{who} is at work on this {noun}."
    todo = "Wait until that has ended, or continue there."


class StaleEpoch(Conflict):
    code = "stale-epoch"
    what = "{owner} no longer owns the {noun} {id}: another process has taken it over."
    todo = "Load it again before writing."


class HeadMoved(Conflict):
    code = "head-moved"
    what = "Conversation {conversation} has continued in a newer session meanwhile."
    todo = "Load the conversation again."


class SequenceMoved(Conflict):
    code = "sequence-moved"
    what = "Session {session} has {count} entries, not {expected}."
    todo = "Load the new entries first."


class LeftOpen(Conflict):
    code = "left-open"
    what = "The last turn of conversation {conversation} was interrupted, and continues before another begins."
    todo = "Try again in a moment."


class DraftStale(Conflict):
    code = "draft-stale"
    what = "This packet was written for an earlier state of the conversation."
    kept = "The packet is kept for reading; the conversation is as it was."
    todo = "Ask for a new handoff."


class BadTransition(Conflict):
    code = "bad-transition"
    what = "A {noun} that is {state} cannot be {verb}."
    todo = "Allowed from: {allowed}."


class TransferActive(Conflict):
    code = "transfer-active"
    what = "The conversation is already being transferred to {target}."
    todo = "Wait for it, or cancel it first: baton transfers cancel {transfer}"


class PlaceTaken(Conflict):
    code = "place-taken"
    what = "Place {place} belongs to conversation {conversation}."
    todo = "Choose another place, or move that conversation away first."


class RecordMoved(Conflict):
    code = "record-moved"
    what = "Record {key} has version {version}, not {expected} (0: it is not there)."
    todo = "Read it again before writing."


class AnsweredAlready(Conflict):
    code = "answered-already"
    what = "Already answered: {how}."
    kept = ""


class QuestionGone(Conflict):
    code = "question-gone"
    what = "That question is no longer open: the turn that asked was stopped, or has ended."
    kept = ""
    todo = "Continue the work: what it still needs is asked again."


class TransferError(BatonError):
    """The conversation stays where it is."""

    code = "transfer"
    what = "The transfer failed: {reason}."
    kept = "The conversation is where it was; nothing was lost."


class TransferFailed(TransferError):
    code = "transfer-failed"


class NoGateway(TransferError):
    code = "no-gateway"
    what = "No gateway is running."
    todo = "Start one with: baton gateway"


class NotConnected(TransferError):
    code = "not-connected"
    what = "The gateway is not connected to {platform}{reason}."
    todo = "Connected are: {platforms}. `baton gateway status` says more."


class NoHome(TransferError):
    code = "no-home"
    what = "{platform} has no home channel yet."
    todo = "Run `baton pair {platform}`, or send /sethome in the chat of your choice."


class UnknownTarget(TransferError):
    code = "unknown-target"
    what = "There is no place called {target}."
    todo = "Allowed: {allowed}."


class AlreadyThere(TransferError):
    code = "already-there"
    what = "Conversation {conversation} lives in {place} already."
    todo = "Write to it there; `baton resume {conversation}` brings it back here."


class AtWork(TransferError):
    code = "at-work"
    what = "{where} is at work on conversation {conversation}, or died a moment ago."
    todo = "Wait for it to end, or stop it there; then move it."


class ModelError(BatonError):
    """`retryable` errors are retried with back-off; the others need a person."""

    code = "model"
    what = "The model {model} failed: {reason}."
    kept = "The conversation is kept; nothing was lost."
    retryable: ClassVar[bool] = False


class MissingKey(ModelError):
    code = "missing-key"
    what = "There is no key for {model}: {variable} is not set."
    todo = "Set it: export {variable}=…   (or choose another model: --model, /model)"


class UnknownModel(ModelError):
    code = "unknown-model"
    what = "There is no model {model}: {reason}."
    todo = "`baton models` lists what can be used here."


class ModelRefused(ModelError):
    code = "model-refused"
    what = "The provider refused the request to {model}: {reason}."
    todo = "Check the key and the model's name; `baton models` lists what can be used here."


class EffortNotTaken(ModelError):
    code = "effort-not-taken"
    what = "The model {model} cannot be told how much to think."
    todo = "Set the effort to default, or choose another model: /model"


class RateLimited(ModelError):
    code = "rate-limited"
    what = "The provider of {model} limits requests or the quota is used up: {reason}."
    todo = "Wait, raise the limit at the provider, or choose another model: /model"
    retryable = True


class ModelUnavailable(ModelError):
    code = "model-unavailable"
    what = "The model {model} could not be reached: {reason}."
    todo = "Check the network and the provider's status, then send the message again."
    retryable = True


class ModelTimeout(ModelError):
    code = "model-timeout"
    what = "The model {model} said nothing for {seconds:.0f} s."
    todo = "Send the message again, or choose another model: /model"
    retryable = True


class ContextOverflow(ModelError):
    code = "context-overflow"
    what = "The context does not fit into the window of {model}: {reason}."
    todo = "/compress, or start a fresh session: /new"


class TurnLimit(ModelError):
    code = "turn-limit"
    what = "The turn was stopped after {steps} steps."
    todo = "Say how to continue; the work so far is kept."


class ToolError(BatonError):
    code = "tool"
    what = "{tool} failed: {reason}."


class BadArguments(ToolError):
    code = "bad-arguments"
    what = "{tool} was called with wrong arguments: {reason}."
    todo = "Allowed: {allowed}."


class HandoffError(BatonError):
    code = "handoff"
    what = "The handoff did not happen: {reason}."
    kept = "The session continues as it was."


class PacketNotSaved(HandoffError):
    code = "packet-not-saved"
    what = "The packet could not be saved in {path}: {reason}."
    todo = "Make room or change agent.auto_handoff_on_compression.handoff_artifact_dir, then ask again."


class PacketLeaks(HandoffError):
    code = "packet-leaks"
    what = "The packet still held what looks like a secret ({kinds}; {where}), so it was not written."
    todo = "Remove the secret from your last message, or report this: the redactor should have removed it."


class DriftFound(HandoffError):
    code = "drift-found"
    what = "The workspace is not what the packet says: {reason}."
    kept = "The fresh session is ready, and nothing was changed in it or by it."
    todo = "Look at the differences; your next message continues with them in view."


class RiskyStep(HandoffError):
    code = "risky-step"
    what = "The next call needs a person, and nobody can be asked here: {call}: {risk}."
    kept = "It was not run. The work continued in a fresh session by itself, and nobody has spoken in it since."
    todo = "Continue the conversation and say what you want; your message lets the work continue."


class StuckCall(BatonError):
    code = "stuck"
    what = "The next call needs a person, and nobody can be asked here: {call}: {stuck}."
    kept = "It was not run again. Everything up to there is in the conversation."
    todo = "Continue the conversation and say what to do differently."


class WorkspaceError(BatonError):
    code = "workspace"


class CheckpointFailed(WorkspaceError):
    code = "checkpoint-failed"
    what = "The checkpoint could not be {verb}: {reason}."
    kept = "Your branch, index and stash are as they were."
    todo = "`baton doctor` checks what is needed; `git status` shows what is not kept yet."


class OperationInProgress(WorkspaceError):
    code = "operation-in-progress"
    what = "Checkpoint {name} was not restored: git is in the middle of a {operation}."
    kept = "Nothing was changed."
    todo = "Finish or abort the {operation} first, or add --force."


class PlatformError(BatonError):
    code = "platform"
    what = "{platform}: {reason}."


class SendRefused(PlatformError):
    """A definite no: another try would change nothing."""

    code = "send-refused"


class SendLater(PlatformError):
    """A definite no for now: it was not sent, and may be tried again in `after` seconds."""

    code = "send-later"

    @property
    def after(self) -> float:
        given = self.facts.get("after")
        return float(given) if isinstance(given, int | float) else 1.0


class SendUnsure(PlatformError):
    """Nobody knows whether it was sent."""

    code = "send-unsure"


class BadCredentials(PlatformError):
    code = "bad-credentials"
    what = "{platform} does not accept our credentials: {reason}."
    todo = "Set them again (`gateway.{platform}`, or its variable in the environment), then restart the gateway."


class SomebodyElse(PlatformError):
    code = "somebody-else"
    what = "Somebody else receives the messages of this {platform} account: {reason}."
    todo = "End the other program, or give it an account of its own. Baton tries again in a moment."


class ApiError(BatonError):
    code = "api"
    what = "The request was not served: {reason}."
    kept = "Nothing was changed."


class NoToken(ApiError):
    code = "no-token"
    what = "The request needs the gateway's token."
    todo = "Send `Authorization: Bearer TOKEN`; `baton gateway token` prints it."


class TooManyTries(ApiError):
    code = "too-many-tries"
    what = "There were too many requests without the right token."
    todo = "Wait {seconds:.0f} s, then send the token that `baton gateway token` prints."


class ForeignRequest(ApiError):
    code = "foreign-request"
    what = "The {header} of the request is not one of this gateway."
    todo = "Allowed: {allowed}."


class NoSuchPage(ApiError):
    code = "no-such-page"
    what = "There is nothing at this path."
    todo = "/v1/openapi.json describes every path."


class WrongMethod(ApiError):
    code = "wrong-method"
    what = "This path does not take {method}."
    todo = "Allowed: {allowed}."


class BodyTooLarge(ApiError):
    code = "body-too-large"
    what = "The body is larger than {limit:,} bytes."
    todo = "Put long text into a file of the workspace and name that."


class BodyTooSlow(ApiError):
    code = "body-too-slow"
    what = "The body did not arrive within {seconds:.0f} s."
    todo = "Send it again."


class NotJson(ApiError):
    code = "not-json"
    what = "The body is not declared to be JSON."
    todo = "Send `Content-Type: application/json`."


class TurnRuns(ApiError):
    code = "turn-runs"
    what = "A turn of conversation {conversation} is running."
    todo = "Wait for it, or stop it first."


class TooManyReaders(ApiError):
    code = "too-many-readers"
    what = "{count} event streams are open already."
    todo = "Close one, then try again."


class GatewayStops(ApiError):
    code = "gateway-stops"
    what = "The gateway is stopping and begins nothing new."
    todo = "Try again once it has restarted."


class InternalError(ApiError):
    code = "internal"
    what = "The gateway failed in a way it did not expect: {kind}."
    kept = "What was acknowledged before is kept."
    todo = "The gateway's log says more. Report it if it happens again."


class StoreError(BatonError):
    code = "store"
    what = "The store at {path} failed: {reason}."
    kept = "What was acknowledged before is kept."


class StoreBusy(StoreError):
    code = "store-busy"
    what = "The database {path} has been locked by another process{holder} for {seconds:.0f} s."
    kept = "Nothing was written; what was acknowledged before is kept."
    todo = "Try again, or end the process that holds it."


class StoreFull(StoreError):
    code = "store-full"
    what = "There is no room left to write to {path}."
    kept = "This write was undone as a whole; what was acknowledged before is kept."
    todo = "Free some space and try again; `baton sessions prune --dry-run` shows what old conversations take."


class StoreReadOnly(StoreError):
    code = "store-read-only"
    what = "{path} cannot be written: {reason}."
    kept = "Nothing was changed."
    todo = "Make the file and its directory writable for this user, or set BATON_HOME to another directory."


class StoreUnavailable(StoreError):
    code = "store-unavailable"
    what = "The store at {path} cannot be reached: {reason}."
    todo = "Check that it runs and that BATON_DATABASE_URL is right, then try again."


class StoreDamaged(StoreError):
    code = "store-damaged"
    what = "The database {path} is damaged: {reason}."
    kept = "Nothing was written to it."
    todo = "`baton doctor --repair` keeps a copy and recovers every readable conversation; a backup may hold the rest."


class LogMissing(StoreError):
    code = "log-missing"
    what = (
        "The write-ahead log of {path} is gone, and with it the last writes: entry {entry} was acknowledged and is "
        "not in the database."
    )
    kept = "What had been moved from the log into the database before is there."
    todo = "Put the file {path}-wal back if you moved it; otherwise `baton doctor --repair` accepts the state as it is."


class StoreTooNew(StoreError):
    code = "store-too-new"
    what = "The database {path} was written by a newer Baton (its version is {found}, this Baton knows {known})."
    kept = "It was not opened, and nothing in it was changed."
    todo = "Upgrade Baton: pip install --upgrade baton-agent"


class MigrationFailed(StoreError):
    code = "migration-failed"
    what = "Migrating {path} to version {version} failed: {reason}."
    kept = "That step was undone; a backup from before is at {backup}."
    todo = "Report this with the text above; the older Baton still opens the database."
