"""What deploys, publishes, pays or writes to somebody else's service."""

from __future__ import annotations

import re

from baton.core.risk.line import Line, Rule, words

_DEPLOYS = "it deploys, or changes what runs elsewhere"
_PUBLISHES = "it publishes, which cannot be taken back"
_WRITES = "it sends or changes something elsewhere"
_METHODS = frozenset({"POST", "PUT", "PATCH", "DELETE"})

_DEPLOY: dict[str, tuple[str, ...]] = {
    "kubectl": (
        *("apply", "delete", "replace", "patch", "scale", "autoscale", "rollout restart", "rollout undo", "drain"),
        *("cordon", "uncordon", "taint", "create", "edit", "set", "annotate", "label", "expose", "run", "cp"),
    ),
    "oc": ("apply", "delete", "replace", "patch", "scale", "rollout", "new-app", "create", "start-build"),
    "helm": ("upgrade", "install", "uninstall", "delete", "rollback", "push"),
    "helmfile": ("apply", "sync", "destroy", "delete"),
    "terraform": (
        "apply",
        "destroy",
        "import",
        "taint",
        "untaint",
        "state rm",
        "state mv",
        "state push",
        "force-unlock",
    ),
    "tofu": ("apply", "destroy", "import", "taint", "untaint", "state rm", "state mv", "state push", "force-unlock"),
    "terragrunt": ("apply", "destroy", "run-all apply", "run-all destroy", "import"),
    "pulumi": ("up", "update", "destroy", "import", "state delete", "cancel"),
    "cdk": ("deploy", "destroy", "bootstrap"),
    "cdktf": ("deploy", "destroy"),
    "sam": ("deploy", "delete", "sync"),
    "serverless": ("deploy", "remove", "rollback", "invoke"),
    "sls": ("deploy", "remove", "rollback", "invoke"),
    "netlify": ("deploy", "sites:delete", "env:set"),
    "firebase": ("deploy", "hosting:disable", "functions:delete", "firestore:delete", "database:remove"),
    "wrangler": ("deploy", "publish", "delete", "rollback", "secret", "d1 execute", "pages deploy", "r2 object delete"),
    "fly": ("deploy", "launch", "scale", "destroy", "apps destroy", "secrets", "machine", "volumes destroy"),
    "flyctl": ("deploy", "launch", "scale", "destroy", "apps destroy", "secrets", "machine", "volumes destroy"),
    "railway": ("up", "deploy", "down", "delete"),
    "eb": ("deploy", "terminate", "create", "swap"),
    "kamal": ("deploy", "setup", "rollback", "remove", "redeploy", "app stop"),
    "cap": ("deploy", "production", "staging"),
    "dep": ("deploy", "rollback"),
    "skaffold": ("run", "deploy", "delete"),
    "argocd": ("app sync", "app delete", "app set", "app rollback"),
    "flux": ("reconcile", "delete", "suspend", "bootstrap"),
    "nomad": ("job run", "run", "job stop", "stop", "job purge"),
    "vault": ("write", "delete", "kv put", "kv delete", "kv destroy", "lease revoke"),
    "doctl": ("apps create", "apps update", "apps delete", "compute droplet delete", "kubernetes cluster delete"),
    "heroku": (
        "pg:reset",
        "ps:scale",
        "apps:destroy",
        "config:set",
        "releases:rollback",
        "container:release",
        "maintenance:on",
    ),
    "dokku": ("apps:destroy", "ps:stop", "git:sync"),
    "gh": (
        *("release create", "release delete", "release upload", "release edit", "pr merge", "pr close", "pr create"),
        *(
            "pr comment",
            "pr review",
            "pr edit",
            "pr ready",
            "issue create",
            "issue close",
            "issue delete",
            "issue edit",
        ),
        *("issue comment", "repo delete", "repo create", "repo edit", "repo archive", "repo rename", "repo sync"),
        *("secret set", "secret delete", "variable set", "workflow run", "workflow disable", "run cancel", "run rerun"),
        *("run delete", "gist create", "gist delete", "label delete", "cache delete", "ssh-key add", "gpg-key add"),
    ),
    "glab": (
        "mr merge",
        "mr close",
        "mr create",
        "release create",
        "release delete",
        "repo delete",
        "issue create",
        "ci run",
    ),
    "hub": ("release create", "release delete", "merge", "pull-request", "delete", "push"),
}
_PUBLISH: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        ("npm", "pnpm", "yarn", "bun"), ("publish", "unpublish", "deprecate", "dist-tag", "npm publish", "owner")
    ),
    "lerna": ("publish", "version"),
    "changeset": ("publish",),
    "semantic-release": ("",),
    "twine": ("upload",),
    "cargo": ("publish", "yank", "owner", "release"),
    "gem": ("push", "yank", "owner"),
    "poetry": ("publish",),
    "uv": ("publish",),
    "flit": ("publish",),
    "hatch": ("publish",),
    "pdm": ("publish",),
    "mvn": ("deploy", "release:perform", "release:prepare"),
    "goreleaser": ("release",),
    "vsce": ("publish", "unpublish"),
    "ovsx": ("publish",),
    "conda": ("publish",),
    "anaconda": ("upload", "remove"),
    "docker": (
        "push",
        "image push",
        "manifest push",
        "compose push",
        "buildx imagetools create",
        "stack deploy",
        "stack rm",
    ),
    "podman": ("push", "manifest push"),
    "buildah": ("push",),
    "skopeo": ("copy", "delete", "sync"),
    "crane": ("push", "delete", "copy", "tag"),
    "oras": ("push", "delete", "copy"),
    "dotnet": ("nuget push", "nuget delete"),
    "nuget": ("push", "delete"),
    "pod": ("trunk push", "trunk delete"),
    "fastlane": ("",),
    "hex": ("publish",),
    "clojars": ("deploy",),
    "jfrog": ("rt upload", "rt delete"),
}
_WORDS = words("deploy delete create update apply remove rollback reset stop start restart set add patch import")
_AWS = re.compile(
    r"(?:create|delete|put|update|terminate|run|start|stop|reboot|modify|attach|detach|register|deregister|invoke|publish"
    r"|send|set|remove|restore|copy|import|reset|revoke|authorize|disable|enable|cancel|deploy|promote|purge|rotate|execute"
    r"|batch-write|batch-delete|transact-write|associate|disassociate|change)(?:-|$)"
)
_CONTAINERS = (
    "system prune",
    "volume rm",
    "volume prune",
    "image prune",
    "container prune",
    "network prune",
    "swarm leave",
)


def deploys(line: Line) -> str:
    return _DEPLOYS if line.begins(*_DEPLOY[line.program]) and not line.is_rehearsal else ""


def publishes(line: Line) -> str:
    return _PUBLISHES if line.begins(*_PUBLISH[line.program]) and not line.is_rehearsal else ""


def containers(line: Line) -> str:
    if line.begins(*_CONTAINERS):
        return "it removes containers, images or volumes"
    if line.begins("rm", "rmi", "container rm", "image rm") and line.has("-f", "--force", "-v", "--volumes"):
        return "it removes containers, images or volumes"
    if (line.begins("compose down") or line.program == "docker-compose") and _downs_volumes(line):
        return "it removes volumes and what is in them"
    if line.begins("buildx build", "build") and line.has("--push"):
        return _PUBLISHES
    return publishes(line) if line.program in _PUBLISH else ""


def _downs_volumes(line: Line) -> bool:
    return "down" in line.operands and line.has("-v", "--volumes")


def playbook(line: Line) -> str:
    return "" if line.is_rehearsal or line.has("-C", "--list-tasks", "--list-hosts") or not line.args else _DEPLOYS


def vercel(line: Line) -> str:
    if line.begins(
        "dev", "ls", "list", "logs", "build", "link", "whoami", "inspect", "login", "pull", "env ls", "env pull"
    ):
        return ""
    return "" if line.is_rehearsal else _DEPLOYS


def aws(line: Line) -> str:
    service, verb = ([*line.commands[1], "", ""])[:2]
    if line.is_rehearsal:
        return ""
    if service == "s3":
        writes = verb in ("rm", "rb", "mb", "mv") or (verb in ("cp", "sync") and line.operands[-1].startswith("s3://"))
        return _DEPLOYS if writes else ""
    return _DEPLOYS if any(_AWS.match(text) for text in line.operands[1:3]) or service == "deploy" else ""


def cloud(line: Line) -> str:
    named = {part for text in line.operands for part in text.split("-")[:1]}
    return _DEPLOYS if named & _WORDS else ""


def _curl_method(line: Line) -> str:
    given = next((text[2:] for text in line.texts if text.startswith("-X") and len(text) > 2), "")
    word = line.after("-X", "--request")
    return (given or (word.text if word else "")).upper()


def curl(line: Line) -> str:
    method = _curl_method(line)
    if method in _METHODS:
        return f"it sends a {method} request"
    sends = any(
        text.startswith(("--data", "--form", "--json", "--upload-file", "-d", "-F", "-T")) for text in line.texts
    )
    if sends and not (line.has("-G", "--get") or method == "GET"):
        return "it sends data"
    return "what it sends is only known when it runs" if method.startswith("$") else ""


def wget(line: Line) -> str:
    method = line.after("--method")
    writes = method is not None and method.text.upper() in _METHODS
    return "it sends data" if writes or any(text.startswith("--post") for text in line.texts) else ""


def httpie(line: Line) -> str:
    if {text.upper() for text in line.operands} & _METHODS:
        return "it sends data"
    return "it sends data" if any(re.match(r"[\w.-]+:?=(?!=)", text) for text in line.operands[1:]) else ""


def api(line: Line) -> str:
    """`gh api` and its like, which are GET unless told otherwise."""
    if line.begins("api"):
        sends = line.has("-f", "-F", "--field", "--raw-field", "--input") and _curl_method(line) != "GET"
        method = line.after("--method")
        return _WRITES if _curl_method(line) in _METHODS or sends or (method and method.text in _METHODS) else ""
    return deploys(line)


def stripe(line: Line) -> str:
    quiet = ("listen", "logs", "login", "version", "help", "config", "status", "get", "samples", "completion", "open")
    return (
        "" if line.begins(*quiet) or line.is_rehearsal or {"list", "retrieve"} & {*line.operands} else "it moves money"
    )


def mails(_: Line) -> str:
    return "it sends a message to people"


def always(_: Line) -> str:
    return _PUBLISHES


_SPECIAL = {"docker", "podman", "gh", "glab", "semantic-release", "fastlane"}
REACHING: dict[str, Rule] = {
    **{name: deploys for name in _DEPLOY if name not in _SPECIAL},
    **{name: publishes for name in _PUBLISH if name not in _SPECIAL},
    **dict.fromkeys(("docker", "podman", "docker-compose", "nerdctl"), containers),
    **dict.fromkeys(("gh", "glab"), api),
    **dict.fromkeys(("semantic-release", "fastlane", "np", "release-it"), always),
    **dict.fromkeys(("ansible-playbook", "ansible", "puppet", "chef-client", "salt"), playbook),
    **dict.fromkeys(("vercel", "now"), vercel),
    "aws": aws,
    **dict.fromkeys(("gcloud", "az", "ibmcloud", "oci", "linode-cli", "hcloud", "scw", "gsutil"), cloud),
    "curl": curl,
    "wget": wget,
    **dict.fromkeys(("http", "https", "xh", "xhs"), httpie),
    **dict.fromkeys(("stripe", "paypal"), stripe),
    **dict.fromkeys(("mail", "mailx", "sendmail", "mutt", "msmtp", "swaks"), mails),
}
