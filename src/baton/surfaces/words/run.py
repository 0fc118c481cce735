"""What `baton run` prints beside the answer, asks and refuses; and what `baton acp` says to a person."""

from __future__ import annotations

# what is wrong with the command line
NOTHING_TO_DO = "There is nothing to do: give a prompt, or pipe one in."
TOO_MUCH_INPUT = "Standard input has more than {limit} MB. Put it into a file of the workspace and name that."
YES_AND_MODE = "--yes means --mode unattended, and --mode {mode} was asked for too. Give one of them."
NO_NAME = "-c needs the id or the title of a conversation: baton sessions list shows them."
CONTINUE_WHAT = "--continue needs a conversation: baton run -c CONVERSATION --continue"
FOR_EDITORS = "This is for editors, which speak JSON to it. `baton acp --check` shows that it works; Ctrl-D leaves."

# what happens
NO_SANDBOX = "◆ Commands run without a sandbox ({why}): they can change whatever you can, even outside the workspace.\n"
NOTED = "◆ {text}"
CALL = "▸ {tool}: {title}"
CALL_FAILED = "✗ {tool}: {failure}"
RETRYING = "◆ {reason} Trying again in {seconds:.0f} s."
COMPRESSING = "◆ Compressing the context… {kept}."
CREATING = "◆ {because}; creating a fresh handoff…"
PACKET_WRITTEN = "◆ Packet written: {path} · {tokens:,} tokens · score {share:.0%}."
OFFERED = "◆ {because}. {doubt}"
HANDOFF_FAILED = "✗ {error}"
ADVANCED = "◆ The conversation continues in a fresh session."
FAILED = "baton: {error}"
ENDED = "conversation {id} · continue: baton run -c {id} …\n"

# questions
START_IT = "Start it? [Y/n] "
NOBODY_TO_ASK = (
    "◆ Nobody can be asked here, so the work continues in this session. For a fresh one: baton handoff {conversation}"
)
STAYED = "◆ The work continues in this session."
PULL = "◆ {plan}\n"
MAY_PULL = "Fetch it? [Y/n] "
