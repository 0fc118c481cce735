"""The commands that stand alone, as `baton --help` lists them: one entry each."""

from __future__ import annotations

from baton.surfaces.cli.entry import JSON, MODE, MODEL, PLATFORM, Argument, Entry, conversation

_RUN_OUTPUT = """\
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

_MOVE_CODES = """\
exit codes with --to:
  0  it is there    1  it failed or was refused    3  it was still on its way when the wait ended; it continues"""

COMMANDS = {
    "run": Entry(
        "Run one turn, for scripts",
        "run:run",
        Argument("prompt", nargs="*", metavar="PROMPT", help="what to do; standard input is added to it"),
        Argument("--conversation", "-c", metavar="CONVERSATION", help="continue this one"),
        Argument(
            "--continue",
            "--go-on",
            dest="go_on",
            action="store_true",
            help="with -c: continue the work, without a prompt",
        ),
        Argument(
            "--yes",
            "-y",
            action="store_true",
            help="unattended: no question; what is known to reach outside the workspace is refused (see below)",
        ),
        Argument("--image", "-i", action="append", default=[], metavar="FILE", help="attach a picture"),
        MODEL,
        MODE,
        JSON,
        examples=(
            'baton run "what does this project do?"',
            'git diff | baton run "write a commit message" --mode read_only',
            'baton run -c c_7k3m --yes --json "continue" | jq -r \'select(.type=="text_added").text\'',
        ),
        notes=_RUN_OUTPUT,
    ),
    "resume": Entry(
        "Continue a conversation",
        "chat:resume",
        conversation(nargs="?"),
        Argument(
            "--continue", "--go-on", dest="go_on", action="store_true", help="let the agent continue the work at once"
        ),
        MODEL,
        MODE,
        examples=("baton resume", 'baton resume "fix the checkout race"'),
    ),
    "handoff": Entry(
        "Continue in a fresh session, or move the conversation to a messaging platform",
        "handoff:handoff",
        conversation(nargs="?"),
        Argument("--to", metavar="PLACE", help="move it to a platform's home channel or a named place instead"),
        Argument("--wait", type=float, metavar="SECONDS", help="with --to: how long to wait for it (60)"),
        Argument("--packet-only", action="store_true", help="write the packet and start nothing"),
        Argument("--yes", "-y", action="store_true", help="start the fresh session without a review"),
        Argument("--confirm", metavar="DRAFT", help="start the fresh session of a draft that waits"),
        Argument("--cancel", metavar="DRAFT", help="say no to a draft that waits"),
        Argument("--no-narrative", action="store_true", help="facts only: ask no model"),
        Argument("--model", "-m", metavar="PROVIDER:NAME", help="the model that writes the narrative"),
        JSON,
        examples=(
            "baton handoff                        review, then a fresh session (newest conversation here)",
            "baton handoff c_7k3m --packet-only --json | jq -r .packet_path",
            "baton handoff --yes                  at once",
            "baton handoff --to telegram          carry on from your phone",
        ),
        notes=_MOVE_CODES,
    ),
    "pin": Entry(
        "Pin a rule that holds for the whole conversation",
        "rules:pin",
        conversation(nargs="?"),
        Argument("text", metavar="TEXT", help="the rule, in quotes; up to 2,000 characters"),
        JSON,
        examples=(
            'baton pin "Ask me before you push."                for the newest conversation here',
            'baton pin c_7k3m "Refunds above 50 EUR need a manager."',
        ),
    ),
    "pins": Entry(
        "List the rules of a conversation: pinned, and found in what you said",
        "rules:list_",
        conversation(nargs="?"),
        JSON,
        examples=("baton pins", "baton pins c_7k3m --json | jq -r '.[].text'"),
    ),
    "unpin": Entry(
        "Drop a rule of a conversation",
        "rules:unpin",
        conversation(nargs="?"),
        Argument("rule", metavar="RULE", help="its number, or its id, from `baton pins`"),
        JSON,
        examples=("baton unpin 2", "baton unpin c_7k3m 2"),
    ),
    "undo": Entry(
        "Take back the last compression or handoff of a conversation",
        "undo:undo",
        conversation(nargs="?"),
        JSON,
        examples=("baton undo                 the newest conversation of this directory", "baton undo c_7k3m --json"),
    ),
    "acp": Entry(
        "Serve an editor over the Agent Client Protocol",
        "acp:acp",
        Argument("--check", action="store_true", help="test it over a pipe and print what a client would see"),
        Argument("--unstable", action="store_true", help="advertise session/fork, which is not in the standard yet"),
        MODEL,
        MODE,
        JSON,
        examples=("baton acp            what an editor starts", "baton acp --check    what a client would see"),
    ),
    "gateway": Entry(
        "Host messaging platforms: Telegram, Discord, Slack, Matrix, Signal, WhatsApp",
        "gateway:gateway",
        Argument(
            "what",
            nargs="?",
            choices=("run", "status", "token"),
            default="run",
            help="run it, say what runs, or print the API's token",
        ),
        MODEL,
        MODE,
        JSON,
        examples=(
            "baton gateway            host every configured platform until it is stopped",
            "baton gateway status     is one running, and connected to what",
            "baton gateway token      the token of its HTTP API: docs/reference/api.md",
        ),
    ),
    "pair": Entry(
        "Pair yourself with a messaging platform",
        "pair:pair",
        PLATFORM,
        Argument("--guest", action="store_true", help="somebody who may talk where you let them, and no more"),
        JSON,
        examples=("baton pair telegram", "baton pair slack --guest"),
    ),
    "people": Entry(
        "List who may speak on messaging platforms",
        "pair:people",
        Argument("--forget", metavar="PLATFORM:ID", help="make somebody who was paired a stranger again"),
        JSON,
        examples=("baton people", "baton people --forget telegram:777"),
    ),
    "watch": Entry(
        "Watch a conversation that lives elsewhere",
        "watch:watch",
        conversation(),
        Argument("--last", type=int, default=20, metavar="N", help="entries to begin with (20)"),
        Argument("--once", action="store_true", help="show what there is, and leave"),
        JSON,
        examples=('baton watch "fix the checkout race"',),
    ),
    "setup": Entry(
        "Choose what Baton works with: a key, a local server, or the small local model",
        "setup:setup",
        examples=("baton setup    asks, tries your choice, and keeps it",),
    ),
    "models": Entry("List the models that can be used here, and why others cannot", "models:models", JSON),
    "doctor": Entry(
        "Check the installation, the configuration and every conversation",
        "doctor:doctor",
        Argument("--repair", action="store_true", help="keep a copy of a damaged database and recover it"),
        Argument("--quick", action="store_true", help="do not read every entry"),
        JSON,
        examples=("baton doctor", "baton doctor --repair"),
    ),
    "completion": Entry(
        "Print the completion script of a shell",
        "completion:script",
        Argument("shell", choices=("bash", "zsh", "fish")),
        examples=(
            'eval "$(baton completion bash)"                        in ~/.bashrc',
            'eval "$(baton completion zsh)"                         in ~/.zshrc',
            "baton completion fish > ~/.config/fish/completions/baton.fish",
        ),
    ),
}
