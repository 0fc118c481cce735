"""What the HTTP API says of itself: its requests, what they take and answer, and what is wrong with one.

A name is that of the operation, then that of a parameter, or `RETURNS`.
"""

from __future__ import annotations

# the document
TITLE = "Baton gateway"
ABOUT = (
    "Conversations, turns, handoffs and transfers of a Baton gateway, for programs on the same machine. Every request "
    "but /healthz carries the token in `Authorization`. Errors say what happened, what was kept and what to do."
)
STATUS_400 = "Something given does not have an allowed form."
STATUS_401 = "The token is missing or wrong."
STATUS_403 = "The Host or Origin is not this gateway's: the request comes from a web page."
STATUS_404 = "It is not there."
STATUS_408 = "The body did not arrive in time."
STATUS_409 = "It cannot be done now: somebody else was first, a turn runs, or the state does not allow it."
STATUS_413 = "The body is too large."
STATUS_415 = "The body is not JSON."
STATUS_429 = "Too many wrong tokens, or too many open streams."
STATUS_503 = "The store or the model cannot be reached, or the gateway is stopping."
LAST_EVENT_ID = "The id of the last entry seen."
ID_OF = "The id of a {noun}."
EVENTS = "Server-sent events."
TEXT = "Text."

# what is wrong with a request
MISSING = "{name} is missing. {about}"
NOT_TAKEN = "{name} is not taken here. Allowed: {names}."
NOTHING = "nothing"
BAD_VALUE = "{name} cannot be {value}. Allowed: {allowed}."
TEXT_ALLOWED = "text of 1 to {most:,} characters"
WHOLE_ALLOWED = "{least} to {most:,}"
BAD_QUERY = "The query cannot be read. Allowed: name=value pairs in UTF-8."
TWICE = "{name} is given twice in the {where}. Allowed: once."
NOT_JSON = "The body is not JSON. Allowed: one JSON object in UTF-8."
NO_OBJECT = "The body is not a JSON object. Allowed: one JSON object in UTF-8."
ORIGIN_ALLOWED = "none, or the address of this gateway"
NO_POSITION = "{position} is not a position. Allowed: {allowed}."
POSITION_ELSEWHERE = "{position} is not in this conversation. Allowed: {allowed}."
POSITION_ALLOWED = "a session of this conversation and the number of an entry, such as 20261115_201133_a1b2c3.12"
NO_TEXT = "text has nothing in it. Allowed: text with at least one visible character."
NO_DIRECTORY = "{path} is not a directory here. Allowed: an absolute path of one."
OPEN_QUESTION = "open question"
QUESTION_GONE = "It may have been answered elsewhere; GET /v1/approvals lists those that wait."

# the server
NOT_LOOPBACK = "only this machine may reach it; put a reverse proxy with TLS before it to let others in"
TAKEN = "another program listens there"
ENDED = "The HTTP API ended: {kind}"

# figures
METRIC_HEARD = "Messages of people we know, taken in."
METRIC_DROPPED = "Messages of strangers, dropped."
METRIC_HANDLED = "Messages answered by a turn or a command."
METRIC_SENT = "Messages delivered to platforms."
METRIC_REFUSED = "Messages that platforms refused."
METRIC_TRANSFERS_COMPLETED = "Transfers that arrived."
METRIC_TRANSFERS_FAILED = "Transfers that failed."
METRIC_CONNECTED = "Whether a platform is connected."
METRIC_TURNS = "Conversations with a turn under way here."
METRIC_STREAMS = "Open streams of events."
METRIC_STORE = "Whether the store answers."
METRIC_MAIL = "Messages that are not settled yet."
METRIC_TRANSFERS = "Transfers under way, of all gateways."
METRIC_UPTIME = "Since this process began."
METRIC_MEMORY = "Memory in use."

# app
DESCRIBE = "This document."
DESCRIBE_RETURNS = "OpenAPI 3.1."

# approvals
LIST_APPROVALS = "What tools ask, exactly, before they do it."
LIST_APPROVALS_RETURNS = "Open questions."
ANSWER_APPROVAL = (
    "Answers a question. `always` means: exactly this, in this workspace, from now on; `begins`: every plain command "
    "that begins like this; `edits`: edits in the workspace, until the mode is changed."
)
ANSWER_APPROVAL_RETURNS = "What was decided."
ANSWER_APPROVAL_HANDLE = "Which question."
ANSWER_APPROVAL_ANSWER = "The answer."
ANSWER_APPROVAL_COMMENT = "What the model is told with a no."

# conversations
LIST_CONVERSATIONS = "Conversations in which something was said, newest first."
LIST_CONVERSATIONS_RETURNS = "One page; `after` continues it, and is null at the end."
LIST_CONVERSATIONS_LIMIT = "At most this many."
LIST_CONVERSATIONS_AFTER = "The `after` of the page before."
LIST_CONVERSATIONS_WORKSPACE = "Only those of this directory."
SHOW_CONVERSATION = (
    "One conversation: its sessions, where it lives, who is at work on it, and whether a turn runs here."
)
SHOW_CONVERSATION_RETURNS = "The conversation."
LIST_ENTRIES = "What was said and done, over all sessions, oldest first."
LIST_ENTRIES_RETURNS = "One page; `after` continues it, even later, when there is more."
LIST_ENTRIES_AFTER = "The `after` of the page before: session.number."
LIST_ENTRIES_LIMIT = "At most this many."
SEARCH = "Entries of any conversation that hold every word."
SEARCH_RETURNS = "What was found, newest sessions first."
SEARCH_Q = 'Words, "phrases" and beginnings* of words.'
SEARCH_LIMIT = "At most this many."


# events
FOLLOW_CONVERSATION = (
    "The conversation as it continues. `entry` events are what is stored, by any process, and have an id; all others "
    "are the live events of this gateway, as `baton run --json` tells them, and are not repeated. `Last-Event-ID` "
    "continues after an entry; without it the stream begins now. It ends with `lagged` if the reader is too slow."
)
FOLLOW_CONVERSATION_RETURNS = "Events, and a comment every 15 s without any."

# handoffs
HAND_OFF = "Writes a packet: as a draft to confirm, for a fresh session at once, or by itself. Takes a while."
HAND_OFF_RETURNS = "What was made."
HAND_OFF_KIND = "What is wanted."
LIST_DRAFTS = "Drafts that wait for an answer, oldest first."
LIST_DRAFTS_RETURNS = "Drafts."
SHOW_DRAFT = "A draft with its packet, and how good that is."
SHOW_DRAFT_RETURNS = "The draft."
EDIT_DRAFT = "Replaces the text of its packet; secrets in it are taken out."
EDIT_DRAFT_RETURNS = "The draft as it is now."
EDIT_DRAFT_MARKDOWN = "The whole packet."
CONFIRM_DRAFT = "Yes: the conversation continues in a fresh session that begins with the packet."
CONFIRM_DRAFT_RETURNS = "The fresh session."
CANCEL_DRAFT = "No: the session continues as it was."
CANCEL_DRAFT_RETURNS = "The draft as it is now."

# health
LIST_GATEWAYS = "The gateways that are alive on this store, as `baton gateway status` shows them."
LIST_GATEWAYS_RETURNS = "Gateways."
HEALTH = "Whether this gateway is well. Needs no token."
HEALTH_RETURNS_200 = "It serves; `degraded` if a platform is not connected."
HEALTH_RETURNS_503 = "The store cannot be reached."
METRICS = "Figures for Prometheus."
METRICS_RETURNS = "Text in Prometheus' format 0.0.4."

# rules
LIST_RULES = "The rules that hold: pinned ones, and those found in what was said."
LIST_RULES_RETURNS = "The rules."
PIN_RULE = "Pins a rule: it is in every request of the conversation from now on."
PIN_RULE_RETURNS = "The pinned rule."
PIN_RULE_TEXT = "The rule."
DROP_RULE = "Drops a rule, also from drafts that wait."
DROP_RULE_RETURNS = "The rule that was dropped."
DROP_RULE_RULE = "Its number or id."

# transfers
REQUEST_TRANSFER = (
    "Asks for the conversation to move: to a platform's home, a named target, a place's key, or `terminal`."
)
REQUEST_TRANSFER_RETURNS = "The transfer, which a gateway takes up."
REQUEST_TRANSFER_TO = "Where to move it."
LIST_TRANSFERS = "Transfers, whatever became of them, newest first."
LIST_TRANSFERS_RETURNS = "Transfers."
LIST_TRANSFERS_LIMIT = "At most this many."
SHOW_TRANSFER = "One transfer, with what each step noted."
SHOW_TRANSFER_RETURNS = "The transfer."
CANCEL_TRANSFER = (
    "Cancels it if nobody has taken it up; otherwise asks the gateway at work on it to stop (`cancel_asked`)."
)
CANCEL_TRANSFER_RETURNS = "The transfer as it is now."

# turns
BEGIN_CONVERSATION = "Begins a conversation with its first turn."
BEGIN_CONVERSATION_RETURNS = "What was said is stored, and its turn continues."
SAY = "Says something: a turn, or the next one if a turn runs. Nothing that happens to the request stops the turn."
SAY_RETURNS = "What was said is stored, and its turn continues or waits."
STOP = "Stops the turn that runs, here or in another process; what waits behind it is next."
STOP_RETURNS = "Whether there was one."
SAY_TEXT = "What is said."
BEGIN_CONVERSATION_WORKSPACE = "The directory to work in, an absolute path."
TURN_STREAM = "With `Accept: text/event-stream`: the turn's events as `baton run --json` tells them, `turn_ended` last."
