"""Commands that run other commands: what they run, as far as it can be told from their words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from baton.core.risk.line import Line, words
from baton.core.shell import Word
from baton.core.value import value

SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "rbash", "mksh"})
_EXECUTES = ("-exec", "-execdir", "-ok", "-okdir", "-x", "--exec", "-X", "--exec-batch")
_MOST = 20
_ASSIGNMENT = re.compile(r"[A-Za-z_]\w*\+?=")


@value
class Inner:
    """What is run inside: words of a command line, or text for a shell. `many` if it is run again and again."""

    words: tuple[Word, ...] = ()
    script: Word | None = None
    many: bool = False


@value
class _Prefix:
    """How a wrapper's own words end: options that take a value, and how many operands come before the command."""

    valued: str = ""
    operands: int = 0
    many: bool = False
    text: bool = False
    """Whether the words are joined and given to a shell."""


_PREFIXES: dict[str, _Prefix] = {
    "sudo": _Prefix("-u -g -h -p -C -r -t -T -U -D -R --user --group --host --prompt --chdir"),
    "doas": _Prefix("-u -C"),
    "pkexec": _Prefix("--user"),
    "run0": _Prefix("--user --group --chdir"),
    "env": _Prefix("-u -C --unset --chdir"),
    "nohup": _Prefix(),
    "time": _Prefix("-o -f --output --format"),
    "nice": _Prefix("-n --adjustment"),
    "ionice": _Prefix("-c -n -p --class --classdata"),
    "chrt": _Prefix("", 1),
    "taskset": _Prefix("", 1),
    "timeout": _Prefix("-s -k --signal --kill-after", 1),
    "gtimeout": _Prefix("-s -k --signal --kill-after", 1),
    "stdbuf": _Prefix("-i -o -e --input --output --error"),
    "setsid": _Prefix(),
    "unbuffer": _Prefix(),
    "caffeinate": _Prefix("-t -w"),
    "fakeroot": _Prefix(),
    "coproc": _Prefix(),
    "builtin": _Prefix(),
    "exec": _Prefix("-a"),
    "noglob": _Prefix(),
    "strace": _Prefix("-e -o -p -s -u -E -P -O -S"),
    "ltrace": _Prefix("-e -o -p -s -u"),
    "busybox": _Prefix(),
    "toybox": _Prefix(),
    "chroot": _Prefix("--userspec --groups", 1),
    "xargs": _Prefix("-I -L -n -P -d -E -s -a --max-args --max-procs --delimiter --arg-file --max-lines", many=True),
    "parallel": _Prefix("-j --jobs -a -I --colsep --results", many=True, text=True),
    "watch": _Prefix("-n --interval", text=True),
    "entr": _Prefix(),
    "npx": _Prefix("-p --package"),
    "bunx": _Prefix("-p --package"),
    "pnpx": _Prefix(),
    "uvx": _Prefix("--from --with -p --python"),
    "pipx run": _Prefix("--spec --python"),
    "uv run": _Prefix("--with --extra --group -p --python --package --project --directory --env-file"),
    "uv tool run": _Prefix("--from --with -p --python"),
    "poetry run": _Prefix("-C --directory"),
    "pipenv run": _Prefix(),
    "pdm run": _Prefix("-p --project"),
    "hatch run": _Prefix("-e --env"),
    "rye run": _Prefix(),
    "pixi run": _Prefix("-e --environment"),
    "bundle exec": _Prefix(),
    "npm exec": _Prefix("-p --package"),
    "pnpm exec": _Prefix(),
    "pnpm dlx": _Prefix("--package"),
    "yarn dlx": _Prefix("-p --package"),
    "yarn exec": _Prefix(),
    "conda run": _Prefix("-n -p --name --prefix --cwd"),
    "mise exec": _Prefix(),
    "direnv exec": _Prefix("", 1),
    "dotenv run": _Prefix("-f --file"),
    "doppler run": _Prefix("-p -c --project --config"),
    "op run": _Prefix("--env-file --account"),
    "aws-vault exec": _Prefix("", 1),
    "heroku run": _Prefix("-a --app -r --remote"),
    "railway run": _Prefix("-s --service -e --environment"),
    "docker exec": _Prefix("-u -w -e --user --workdir --env --env-file --detach-keys", 1),
    "podman exec": _Prefix("-u -w -e --user --workdir --env --env-file --detach-keys", 1),
    "docker run": _Prefix(
        "-u -w -e -v -p -m -l -h -a -c --user --workdir --env --env-file --volume --publish --name --network --mount "
        "--platform --entrypoint --hostname --label --memory --cpus --gpus --ip --add-host --dns --device --restart",
        1,
    ),
    "podman run": _Prefix("-u -w -e -v -p --user --workdir --env --env-file --volume --publish --name --network", 1),
    "docker compose exec": _Prefix("-u -w -e --user --workdir --env --index", 1),
    "docker compose run": _Prefix("-u -w -e -v -p --user --workdir --env --volume --publish --name --entrypoint", 1),
    "docker-compose exec": _Prefix("-u -w -e --user --workdir --env --index", 1),
    "docker-compose run": _Prefix("-u -w -e -v -p --user --workdir --env --volume --publish --name --entrypoint", 1),
    "ssh": _Prefix("-p -i -l -o -F -J -L -R -D -E -c -m -b -B -e -I -O -Q -S -W -w", 1, text=True),
    "mosh": _Prefix("--ssh -p", 1, text=True),
    "git bisect run": _Prefix(many=True),
    "git submodule foreach": _Prefix(many=True, text=True),
    "tmux new-session": _Prefix("-s -n -c -x -y -t -F -e", text=True),
    "tmux new": _Prefix("-s -n -c -x -y -t -F -e", text=True),
    "tmux send-keys": _Prefix("-t -N", text=True),
    "screen": _Prefix("-S -t -c -h -T"),
    "systemd-run": _Prefix(
        "-u -p --unit --property --uid --gid --slice --description --on-calendar --working-directory"
    ),
    "cmake -E": _Prefix(),
    **dict.fromkeys(
        ("unshare", "firejail", "proxychains", "proxychains4", "torsocks", "tsocks", "eatmydata", "catchsegv"),
        _Prefix(),
    ),
    **dict.fromkeys(
        ("dbus-run-session", "xvfb-run", "faketime", "chpst", "softlimit", "prlimit", "numactl", "cgexec"),
        _Prefix("-n -s -g"),
    ),
    "nsenter": _Prefix("-t -S -G -r -w --target --wd"),
    "bwrap": _Prefix("--bind --ro-bind --dev-bind --chdir --setenv --unsetenv --dev --proc --tmpfs --symlink"),
    "setpriv": _Prefix("--reuid --regid --groups"),
    "setarch": _Prefix("", 1),
    "flock": _Prefix("-w -E --timeout", 1),
    "start-stop-daemon": _Prefix("-p -x -u --pidfile --exec --chuid"),
    "dotenv": _Prefix("-e -f -v --file"),
    "dotenvx run": _Prefix("-f -e"),
    "infisical run": _Prefix("--env --path --projectId"),
    "chamber exec": _Prefix("", 1),
    "sops exec-env": _Prefix("", 1, text=True),
    "tailscale ssh": _Prefix("", 1, text=True),
    "gh codespace ssh": _Prefix("-c --codespace", text=True),
    "vagrant ssh": _Prefix(),
    "lxc exec": _Prefix("", 1),
    "incus exec": _Prefix("", 1),
    "nerdctl exec": _Prefix("-u -w -e", 1),
    "kubectl run": _Prefix("--image -n", 1),
    "gcloud compute ssh": _Prefix(),
    **dict.fromkeys(
        ("pssh", "parallel-ssh", "pdsh", "dsh", "clush", "cssh"),
        _Prefix("-h -H -w -l -p -o -e -t -O -g", text=True, many=True),
    ),
    "nodemon": _Prefix("--watch -w --ext -e --delay -d --ignore -i --signal -s"),
    "watchexec": _Prefix("-e -w -i -f --exts --watch --ignore --filter"),
    "hyperfine": _Prefix("-w -r -n -p -c --warmup --runs --export-json", many=True, text=True),
    "npm run-script": _Prefix(),
    "asdf exec": _Prefix(),
    "rtx exec": _Prefix(),
    "devbox run": _Prefix(),
    "nix develop": _Prefix("-c --command"),
    "nix shell": _Prefix(),
    "wsl": _Prefix("-d -u --distribution --user -e --exec"),
    "kubectl exec": _Prefix("-n -c --namespace --container --context", 1),
    "oc exec": _Prefix("-n -c --namespace --container", 1),
}
_DASHED = (
    *(
        "kubectl exec",
        "oc exec",
        "mise exec",
        "dotenv run",
        "doppler run",
        "op run",
        "aws-vault exec",
        "dotenv",
        "lxc exec",
    ),
    *(
        "dotenvx run",
        "infisical run",
        "chamber exec",
        "kubectl run",
        "nix shell",
        "bwrap",
        "incus exec",
        "rtx exec",
        "devbox run",
    ),
    *("vagrant ssh", "gcloud compute ssh"),
)
"""Their command may stand behind a double dash."""
_ONLY_DASHED = ("kubectl run", "nix shell", "vagrant ssh", "gcloud compute ssh")
"""Without a double dash they have none."""
_TEXT_OPTIONS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(SHELLS, ("-c",)),
    "su": ("-c", "--command"),
    "script": ("-c", "--command"),
    "flock": ("-c", "--command"),
    "nix-shell": ("--run", "--command"),
    "env": ("-S", "--split-string"),
    "runuser": ("-c", "--command"),
    "sg": ("-c",),
    **dict.fromkeys(("nodemon", "watchexec", "onchange"), ("--exec", "-x")),
    "entr": ("-s",),
    "cmd": ("/c", "/C", "/k", "/K"),
    "gcloud": ("--command",),
    "vagrant": ("-c", "--command"),
    "nix": ("-c", "--command"),
}


_WRAPPERS = frozenset(
    (*(name.partition(" ")[0] for name in _PREFIXES), *_TEXT_OPTIONS, *words("find fd fdfind command trap alias"))
)


def inner(line: Line) -> list[Inner]:
    """Everything else that a line runs; empty for a program that is no wrapper."""
    if line.program not in _WRAPPERS:
        return []
    found = [Inner(script=word) for word in _texts(line)]
    if line.program in ("find", "fd", "fdfind"):
        return [*found, *_commands_of_find(line)]
    if line.program == "command" and not line.has("-v", "-V"):
        return [*found, *_skip_options(line.args, _Prefix("", 0))]
    return [*found, *_behind_prefix(line)]


def _texts(line: Line) -> list[Word]:
    options = _TEXT_OPTIONS.get(line.program, ())
    found = [text for flag in options if (text := _after(line, flag))]
    if line.program == "trap" and line.args[:1] and not line.args[0].text.startswith("-"):
        found.append(line.args[0])
    if line.program == "alias":
        found += [Word(word.text.partition("=")[2], word.known) for word in line.args if "=" in word.text]
    return found


def shell_text(line: Line) -> Word | None:
    """The script that a shell is given by `-c`."""
    return _after(line, "-c") if line.program in SHELLS else None


def _after(line: Line, flag: str) -> Word | None:
    """What follows a flag, even if it stands with others, as in `-lc`. A shell's options end with its script."""
    short = len(flag) == 2 and flag.startswith("-")
    together = re.compile(rf"-[A-Za-z]*{flag[1]}[A-Za-z]*" if short else re.escape(flag))
    for position, word in enumerate(line.args):
        if together.fullmatch(word.text) and position + 1 < len(line.args):
            return line.args[position + 1]
        if word.text.startswith(f"{flag}=") and flag.startswith("--"):
            return Word(word.text[len(flag) + 1 :], word.known)
        valued = position and re.fullmatch(r"[-+][A-Za-z]*[oO]", line.args[position - 1].text)
        if line.program in SHELLS and not word.text.startswith(("-", "+")) and not valued:
            return None
    return None


def _behind_prefix(line: Line) -> list[Inner]:
    for depth in (3, 2, 1):
        name, rest = _name_and_rest(line, depth)
        if name in _PREFIXES:
            if name in _DASHED and "--" in [word.text for word in rest]:
                rest = rest[[word.text for word in rest].index("--") + 1 :]
                return _inner(rest, _PREFIXES[name])
            if name in _ONLY_DASHED:
                return []
            return _skip_options(rest, _PREFIXES[name])
    return []


def _name_and_rest(line: Line, depth: int) -> tuple[str, tuple[Word, ...]]:
    """The program with its next `depth - 1` words, and what follows them; options between them are passed over."""
    name, position, taken = line.program, 0, 1
    while taken < depth and position < len(line.args):
        text = line.args[position].text
        if not text.startswith("-") or (taken == 1 and text == "-E" and line.program == "cmake"):
            name, taken = f"{name} {text}", taken + 1
        position += 1
    return (name, line.args[position:]) if taken == depth else ("", ())


def _skip_options(args: Sequence[Word], prefix: _Prefix) -> list[Inner]:
    valued, position, operands = prefix.valued.split(), 0, prefix.operands
    while position < len(args):
        text = args[position].text
        if text == "--":
            position += 1 + operands
            break
        if text.startswith("-") and len(text) > 1:
            position += 2 if text in valued else 1
        elif _ASSIGNMENT.match(text) and not operands:
            position += 1
        elif operands:
            position, operands = position + 1, operands - 1
        else:
            break
    return _inner(args[position:], prefix)


def _inner(args: Sequence[Word], prefix: _Prefix) -> list[Inner]:
    if not args:
        return []
    if prefix.text:
        text = " ".join(word.text for word in args)
        return [Inner(script=Word(text, all(word.known for word in args)), many=prefix.many)]
    return [Inner(tuple(args), many=prefix.many)]


def _commands_of_find(line: Line) -> list[Inner]:
    """Commands that `find` runs for what it finds. Beyond `_MOST` of them the rest is given as unknown."""
    texts = line.texts
    begun = [position for position, text in enumerate(texts) if text in _EXECUTES]
    found: list[Inner] = []
    for position in begun[:_MOST]:
        end = next((at for at in range(position + 1, len(texts)) if texts[at] in (";", "+")), len(texts))
        found += [Inner(line.args[position + 1 : end], many=True)] if position + 1 < end else []
    return [*found, *([Inner((Word("-exec", known=False),))] if len(begun) > _MOST else [])]
