"""Commands that only look, and commands that change something, by their program and first words."""

from __future__ import annotations

import re

from baton.core.handoff.results.part import CHANGE, LOOK, OTHER
from baton.core.risk.line import Line, words

_LOOKING = words(
    "ls ll la cat bat batcat head tail grep egrep fgrep zgrep rg ag ack find fd fdfind which type whereis command "
    "echo printf pwd test [ [[ stat file wc du df tree printenv date cal whoami hostname uname ps top htop sleep "
    "true false : sort uniq cut tr paste join awk gawk mawk jq yq xq less more readlink realpath basename dirname "
    "diff cmp comm colordiff md5sum sha1sum sha256sum shasum cksum xxd od hexdump strings history man help id "
    "groups tac nl rev column fold fmt expand seq yes wait jobs cd pushd popd dirs export set unset shopt ulimit "
    "umask alias source . eval trap read local declare readonly let exit return break continue lsof netstat ss "
    "ping dig nslookup host traceroute nproc free uptime lscpu lsblk getent pgrep journalctl dmesg locale tput "
    "clear ldd nm objdump readelf otool size zcat exa eza tokei cloc scc base64 iconv env time xargs tee "
    "curl wget http https xh ncu depcheck vm_stat sysctl sw_vers mdfind hash logger envsubst shuf split csplit "
    "numfmt factor expr bc dc watch timeout nohup sudo npx uvx"
)
_CHANGING = words(
    "rm rmdir unlink shred mv cp mkdir touch ln chmod chown chgrp install rsync scp sftp dd truncate patch mktemp "
    "mkfifo tar zip unzip gzip gunzip xz bzip2 7z kill pkill killall reboot shutdown crontab useradd usermod "
    "passwd mount umount apt apt-get dnf yum pacman apk brew snap gem bundle vercel netlify fly flyctl heroku "
    "firebase serverless sls ansible-playbook alembic flyway liquibase twine createdb dropdb pg_restore open "
    "ssh-keygen gpg defaults"
)
_GIT_LOOKS = words(
    "status log diff show rev-parse rev-list ls-files ls-tree ls-remote blame annotate describe reflog grep "
    "shortlog cat-file name-rev merge-base for-each-ref count-objects fsck whatchanged range-diff help version "
    "var check-ignore check-attr diff-tree diff-index diff-files show-ref symbolic-ref fetch cherry verify-commit "
    "bisect-log"
)
_GIT_LISTS = {
    "branch": words(
        "-a -r -v -vv --list --all --show-current --merged --no-merged --contains --remotes --sort --format"
    ),
    "tag": words("-l --list -n --sort --contains --points-at"),
    "remote": words("-v show get-url"),
    "stash": words("list show"),
    "config": words("--get --list -l --get-all --show-origin get list"),
    "worktree": words("list"),
    "submodule": words("status summary"),
    "notes": words("show list"),
    "bisect": words("log view"),
}
_LOOKING_VERBS = words(
    "view list ls get show status describe logs log ps images inspect info version search top diff checks explain "
    "events history stats port config whoami outdated why tree metadata freeze env help doc ll cat head watch "
    "current-context api-resources cluster-info tail health check-updates audit licenses graph output state-list "
    "providers"
)
_CHANGING_VERBS = words(
    "install i ci add remove rm uninstall update upgrade up down publish link unlink init create apply delete "
    "patch edit scale rollout set label annotate push pull tag run stop restart kill exec login logout "
    "import export merge close reopen comment review ready checkout clone fork sync rebase cp mv deploy destroy "
    "migrate seed reset prune build commit lock dedupe rename transfer enable disable reload replace expose "
    "cordon drain uncordon taint untaint format fmt fix generate new"
)
_VERBED = words(
    "gh glab hub docker docker-compose podman nerdctl kubectl oc helm k9s minikube kind terraform tofu pulumi aws "
    "gcloud az doctl npm pnpm yarn bun pip pip3 pipx poetry uv pdm hatch rye conda mamba cargo go rustup "
    "systemctl service supervisorctl pm2 composer dotnet mix dart flutter argocd flux vault consul nomad stripe "
    "supabase wrangler prisma knex sequelize rails rake artisan manage.py django-admin launchctl redis-cli nx "
    "turbo ruff biome code deno swift volta nvm fnm asdf mise pyenv rbenv"
)
_FORMATTERS = words("black isort prettier gofmt goimports clang-format rustfmt autopep8 yapf shfmt dprint taplo")
_SHOWN = re.compile(r"--?(?:version|help|V|h)")
_SENT = ("-d", "--data", "--data-raw", "--data-binary", "-F", "--form", "-T", "--upload-file", "--json", "--post-data")
_SQL = re.compile(r"\b(?:insert|update|delete|drop|alter|create|truncate|grant|merge)\b", re.IGNORECASE)
_DATABASES = words("psql mysql mariadb sqlite3 sqlcmd duckdb clickhouse-client mongosh mongo cqlsh")
_HARMLESS = ("/dev/", "/tmp/", "/var/tmp/")  # noqa: S108, names in commands, not files of our own
_NOUN_FIRST = ("gh", "glab", "aws", "gcloud", "az", "doctl")
_METHODS = ("-X", "--request", "--method")


def kind_of(line: Line, writes: tuple[str, ...]) -> str:
    """Of a command that is no check."""
    if any(not path.startswith(_HARMLESS) and not path.isdigit() for path in writes):
        return CHANGE
    if len(line.args) == 1 and _SHOWN.fullmatch(line.args[0].text):
        return LOOK
    if line.program == "git":
        return _kind_of_git(line)
    if line.program in ("curl", "wget", "http", "https", "xh"):
        return _kind_of_request(line)
    if line.program in _DATABASES:
        return CHANGE if _SQL.search(line.text) or line.has("-f", "--file") else LOOK
    if line.program in ("sed", "perl", "awk", "gawk"):
        return CHANGE if line.has("-i", "--in-place") else LOOK if line.program != "perl" else OTHER
    return _kind_by_name(line)


def _kind_by_name(line: Line) -> str:
    if line.program in _CHANGING or line.program in _FORMATTERS:
        return CHANGE
    if line.program == "find" and line.has("-delete"):
        return CHANGE
    if line.program == "tee":
        return LOOK if all(path.startswith(_HARMLESS) for path in line.operands) else CHANGE
    if line.program in _LOOKING:
        return LOOK
    return _kind_by_verb(line) if line.program in _VERBED else OTHER


def _kind_by_verb(line: Line) -> str:
    """The last of the first three words that tells: `gh pr view`, `docker compose up`, `aws s3 ls`."""
    if line.program in ("gh", "glab") and line.operands[:1] == ["api"]:
        return _kind_of_request(line)
    operands = line.commands[1]
    for text in operands[1:3] if line.program in _NOUN_FIRST and len(operands) > 1 else operands[:3]:
        verb = text.lower()
        if verb in _LOOKING_VERBS or verb.startswith(("list-", "get-", "describe-", "db:version")):
            return LOOK
        if verb in _CHANGING_VERBS or verb.startswith(("create-", "delete-", "update-", "put-", "db:", "migrate")):
            return CHANGE
    return OTHER


def _kind_of_git(line: Line) -> str:
    operands = line.commands[1]
    if not operands or operands[0] in _GIT_LOOKS:
        return LOOK
    verb, rest = operands[0], [text for text in line.texts if text != operands[0]]
    if verb in _GIT_LISTS:
        listed = not rest or any(text.partition("=")[0] in _GIT_LISTS[verb] for text in rest)
        return LOOK if listed and not (verb == "stash" and not rest) else CHANGE
    return CHANGE


def _kind_of_request(line: Line) -> str:
    method = line.after(*_METHODS)
    joined = next((text[2:] for text in line.texts if text.startswith("-X") and len(text) > 2), "")
    named = (method.text if method else joined).upper()
    if named in ("", "GET", "HEAD", "OPTIONS"):
        sends = any(text.partition("=")[0] in _SENT for text in line.texts) and not line.has("-G", "--get")
        field = line.program in ("gh", "glab") and line.has("-f", "--raw-field", "--field") and not named
        return CHANGE if sends or field else LOOK
    return CHANGE
