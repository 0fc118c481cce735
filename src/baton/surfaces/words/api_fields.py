"""What the fields of the HTTP API's own answers mean, and what docs/reference/json.md says around them.

A name is that of the object, then that of the field. Objects that commands print too stand in `fields`.
"""

from __future__ import annotations

# the page
INTRODUCTION = """\
# JSON

What the [HTTP API](api.md) answers, by request, and the events of `baton run --json` and of its streams.
Commands with `--json` print the same objects. Objects may grow: ignore what you do not know.

<!-- Made by python -m baton.surfaces.api.reference > docs/reference/json.md -->
"""
EVENTS = """\
## Events

One object each, with its `type`. Their order is guaranteed by `src/baton/core/agent/event.py`.

| type | fields | |
|---|---|---|"""
OPTIONAL = "{about} Not always there."

# names of objects
NAME_DRAFT_WITH_PACKET = "draft with its packet"
NAME_PINNED_RULE = "pinned rule"
OBJECT_OF = "object; each value is one of {values}"

# app
DOCUMENT_OPENAPI = "The version of OpenAPI."
DOCUMENT_INFO = "What is described."
DOCUMENT_PATHS = "What can be asked for."
# approvals
APPROVAL_HANDLE = "Names this question and no other."
APPROVAL_CONVERSATION_ID = "The conversation whose turn waits."
APPROVAL_CALL_ID = "The call that asks."
APPROVAL_TOOL = "The tool that asks."
APPROVAL_ASKS = "The question, for a person."
APPROVAL_OFFERS = "The answers that it takes."
APPROVAL_BEGINS = (
    "The words that a command has to begin with to be allowed by `begins`; empty where that is not offered."
)
APPROVAL_TITLE = "What it would do, in a line."
APPROVAL_REASON = "Why it asks."
APPROVAL_PREVIEW = "What it would do, exactly."
APPROVAL_ARGS = "The arguments of the call."
APPROVALS_APPROVALS = "Questions that wait."
DECISION_CONVERSATION_ID = "The conversation whose turn waited."
DECISION_ANSWER = "What was decided."
DECISION_KEPT = "Whether the process that asked has ended: then the answer counts if exactly this is asked again."
# conversations
CONVERSATIONS_CONVERSATIONS = "One page, newest first."
CONVERSATIONS_AFTER = "Continues the list; null at its end."
CONVERSATION_LIVES_IN = "`terminal`, or the platform it was moved to."
CONVERSATION_TRANSFERS = "Its transfers, oldest first."
CONVERSATION_BUSY = "Whether a turn runs in this gateway."
ENTRIES_ENTRIES = "One page, oldest first."
ENTRIES_AFTER = "Continues the list, even later, when there is more."
ENTRIES_MORE = "Whether there is more now."
HITS_HITS = "The entries that were found, newest first."
# errors
PARTS_CODE = "What it is, for programs."
PARTS_WHAT = "What happened."
PARTS_KEPT = "What was kept."
PARTS_TODO = "What to do."
ERROR_ERROR = "What went wrong."
# handoffs
HANDOFF_CONVERSATION_ID = "The id of the conversation."
HANDOFF_KIND = "What was asked for."
HANDOFF_SESSION_ID = "The fresh session."
HANDOFF_PACKET_PATH = "The packet's file."
HANDOFF_TOKENS = "How many tokens the packet has."
DRAFTS_DRAFTS = "The drafts, oldest first."
DRAFT_WITH_PACKET_MARKDOWN = "The packet's text."
DRAFT_WITH_PACKET_REMOVED = "What was taken out of the packet."
HEAD_CONVERSATION_ID = "The id of the conversation."
HEAD_SESSION_ID = "The fresh session, which is its newest now."
# health
HEALTH_STATUS = "Whether the store and every platform can be reached."
HEALTH_STORE = "Whether the store answers."
HEALTH_PLATFORMS = "The state of each platform, without reasons."
GATEWAYS_GATEWAYS = "Those that are alive."
# rules
RULES_RULES = "Pinned ones by number, then those that were found."
PINNED_RULE_KNOWN = "Whether it was pinned before."
PINNED_RULE_CLEANED = "Whether a secret was taken out of it first."
# transfers
TRANSFERS_TRANSFERS = "The transfers, newest first."
# turns
TURN_CONVERSATION_ID = "The conversation it belongs to."
TURN_TURN_ID = "The id of the turn."
STOPPED_STOPPED = "Whether a turn ran, here or in another process, and has ended."
