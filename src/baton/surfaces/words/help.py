"""The help of the command line: what stands alone, and what commands share."""

from __future__ import annotations

# the program
BATON = "Agent work that survives the end of any context window, process, device or tool."
BATON_EXAMPLES = (
    "baton                               chat in this directory",
    'baton run "fix the failing test"    one turn, for scripts',
    "baton sessions list                 what there is, newest first",
    'baton sessions show "fix the race"  one conversation, by title or id',
    "baton sessions search time-out      in everything ever said",
    "baton doctor                        check your setup; prints the fix for each problem",
)
EXAMPLES = "examples:"

# what commands share
CONVERSATION = "a title, an id, a session's id, or the beginning of one"
AS_JSON = "machine-readable output"
MODEL = "the model to work with"
MODE = "what tools may do"
TRANSFER = "its id, from `baton transfers list`"
CHECKPOINT = "its name, a session's id (the newest of it), or the beginning of its hash"
DRY_RUN = "only show what would go"
COLOR = "when to use colours"
SET = "override a config value"
GIVEN_TWICE = "{flag} is given as {one} and as {other}; give it once"
NOT_TAKEN = "{flag} is not for this command; `{command} --help` shows what is"
CONTRADICTION = "--{name} {value} and --set {pair} contradict each other; give one of them"
YES_NO = "{question} [y/N] "
PROGRESS = "{label} {percent:3d} % ({done:,} of {total:,})"

# run
RUN = "Run one turn, for scripts"
RUN_PROMPT = "what to do; standard input is added to it"
RUN_CONVERSATION = "continue this one"
RUN_CONTINUE = "with -c: continue the work, without a prompt"
RUN_YES = "unattended: ask nothing; what is known to reach outside the workspace is refused (see below)"
RUN_IMAGE = "attach a picture"
RUN_EXAMPLES = (
    'baton run "what does this project do?"',
    'git diff | baton run "write a commit message" --mode read_only',
    'baton run -c c_7k3m --yes --json "continue" | jq -r \'select(.type=="text_added").text\'',
)

RUN_NOTES = """\
output:
  The answer goes to standard output, progress and notices to standard error.
  With --json each event is a line of its own, an object with its type; turn_ended comes last.
  Nobody can be asked: a tool that needs approval is refused, unless --yes or --mode allows it.

with --yes:
  Tools act in the workspace without a question; a path outside it, or a file that other programs act on, is refused.
  Commands are held to that by a sandbox. Where there is none (standard error says so) a command can change whatever
  you can; only files in the workspace that programs act on are put back afterwards.

exit codes:
  0  the turn ended well          1  it failed or was refused; the reason is on standard error
  2  the command line is wrong    130  it was stopped (Ctrl-C)"""

# resume
RESUME = "Continue a conversation"
RESUME_CONTINUE = "let the agent continue the work at once"
RESUME_EXAMPLES = ("baton resume", 'baton resume "fix the checkout race"')

# handoff
HANDOFF = "Continue in a fresh session, or move the conversation to a messaging platform"
HANDOFF_TO = "move it to a platform's home channel or a named place instead"
HANDOFF_WAIT = "with --to: how long to wait for it (default 60)"
HANDOFF_PACKET_ONLY = "write the packet and start nothing"
HANDOFF_YES = "start the fresh session without a review"
HANDOFF_CONFIRM = "start the fresh session of a draft that waits"
HANDOFF_CANCEL = "say no to a draft that waits"
HANDOFF_NO_NARRATIVE = "facts only: ask no model"
HANDOFF_MODEL = "the model that writes the narrative"
HANDOFF_EXAMPLES = (
    "baton handoff                        review, then a fresh session (newest conversation here)",
    "baton handoff c_7k3m --packet-only --json | jq -r .packet_path",
    "baton handoff --yes                  at once",
    "baton handoff --to telegram          carry on from your phone",
)

HANDOFF_NOTES = """\
exit codes with --to:
  0  it is there    1  it failed or was refused    3  it was still on its way when the wait ended; it continues"""

# pin
PIN = "Pin a rule that holds for the whole conversation"
PIN_TEXT = "the rule, in quotes; up to 2,000 characters"
PIN_EXAMPLES = (
    'baton pin "Ask me before you push."                for the newest conversation here',
    'baton pin c_7k3m "Refunds above 50 EUR need a manager."',
)

# pins
PINS = "List the rules of a conversation: pinned, and found in what you said"
PINS_EXAMPLES = ("baton pins", "baton pins c_7k3m --json | jq -r '.[].text'")

# unpin
UNPIN = "Drop a rule of a conversation"
UNPIN_RULE = "its number, or its id, from `baton pins`"
UNPIN_EXAMPLES = ("baton unpin 2", "baton unpin c_7k3m 2")

# undo
UNDO = "Take back the last compression or handoff of a conversation"
UNDO_EXAMPLES = ("baton undo                 the newest conversation of this directory", "baton undo c_7k3m --json")

# acp
ACP = "Serve an editor over the Agent Client Protocol"
ACP_CHECK = "test it over a pipe and print what a client would see"
ACP_UNSTABLE = "advertise session/fork, which is not in the standard yet"
ACP_EXAMPLES = ("baton acp            what an editor starts", "baton acp --check    what a client would see")

# gateway
GATEWAY = "Host messaging platforms: Telegram, Discord, Slack, Matrix, Signal, WhatsApp"
GATEWAY_WHAT = "run it, say what runs, or print the API's token"
GATEWAY_EXAMPLES = (
    "baton gateway            host every configured platform until it is stopped",
    "baton gateway status     is one running, and connected to what",
    "baton gateway token      the token of its HTTP API: docs/reference/api.md",
)

# pair
PAIR = "Pair yourself with a messaging platform"
PAIR_GUEST = "pair a guest, who may talk where you let them, and no more"
PAIR_EXAMPLES = ("baton pair telegram", "baton pair slack --guest")

# people
PEOPLE = "List who may speak on messaging platforms"
PEOPLE_FORGET = "make somebody who was paired a stranger again"
PEOPLE_EXAMPLES = ("baton people", "baton people --forget telegram:777")

# watch
WATCH = "Watch a conversation that lives elsewhere"
WATCH_LAST = "how many entries to begin with (default 20)"
WATCH_ONCE = "show what there is, and leave"
WATCH_EXAMPLES = ('baton watch "fix the checkout race"',)

# setup
SETUP = "Choose what Baton works with: a key, a local server, or the small local model"
SETUP_EXAMPLES = ("baton setup    asks, tries your choice, and keeps it",)

# models
MODELS = "List the models that can be used here, and why others cannot"

# doctor
DOCTOR = "Check the installation, the configuration and every conversation"
DOCTOR_REPAIR = "keep a copy of a damaged database and recover it"
DOCTOR_QUICK = "do not read every entry"
DOCTOR_EXAMPLES = ("baton doctor", "baton doctor --repair")

# completion
COMPLETION = "Print the completion script of a shell"
COMPLETION_EXAMPLES = (
    'eval "$(baton completion bash)"                        in ~/.bashrc',
    'eval "$(baton completion zsh)"                         in ~/.zshrc',
    "baton completion fish > ~/.config/fish/completions/baton.fish",
)
