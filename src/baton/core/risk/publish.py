"""What publishes: packages, images, releases, and what a forge shows to others."""

from __future__ import annotations

from baton.core.risk.line import Line, Rule
from baton.core.risk.rows import does

_PUBLISHES = "it publishes, which cannot be taken back"
_TELLS = "it changes what others see on the forge"
_FETCHES = "it runs code from an address that nobody has looked at"
_METHODS = frozenset({"POST", "PUT", "PATCH", "DELETE"})

_PACKAGES: dict[str, str] = {
    "npm": "publish, unpublish, deprecate, dist-tag add, dist-tag rm, dist-tags add, owner, access, token, "
    "hook, team, stage",
    "pnpm": "publish, unpublish, deprecate, dist-tag, owner, recursive publish",
    "yarn": "publish, npm publish, npm tag, npm owner, tag, owner",
    "bun": "publish",
    "deno": "publish, deploy",
    "jsr": "publish",
    "lerna": "publish, version",
    "nx": "release, deploy",
    "changeset": "publish",
    "twine": "upload",
    "cargo": "publish, yank, owner, release",
    "gem": "push, yank, owner",
    "poetry": "publish",
    "uv": "publish",
    "flit": "publish",
    "hatch": "publish",
    "pdm": "publish",
    "maturin": "publish, upload",
    "setup.py": "upload, register, sdist upload, bdist_wheel upload, sdist bdist_wheel upload",
    "mvn": "deploy, release:perform, release:prepare, clean deploy, site-deploy",
    "goreleaser": "release, publish, announce",
    "vsce": "publish, unpublish",
    "ovsx": "publish",
    "conda": "publish",
    "anaconda": "upload, remove, copy, move",
    "docker": "push, image push, manifest push, compose push, buildx imagetools create",
    "podman": "push, manifest push, image push",
    "nerdctl": "push, image push",
    "buildah": "push, manifest push",
    "skopeo": "copy, delete, sync",
    "crane": "push, delete, copy, tag, mutate, append",
    "oras": "push, delete, copy, attach, tag",
    "dotnet": "nuget push, nuget delete",
    "nuget": "push, delete, setapikey",
    "pod": "trunk push, trunk delete, trunk deprecate, repo push",
    "hex": "publish",
    "mix": "hex.publish, hex.retire",
    "rebar3": "hex publish",
    "sbt": "publish, publishSigned, sonatypeBundleRelease, ci-release",
    "lein": "deploy",
    "composer": "",
    "jfrog": "rt upload, rt delete, rt copy, rt move, rt u, rt del",
    "jf": "rt upload, rt delete, rt copy, rt move, rt u, rt del",
    "huggingface-cli": "upload, upload-large-folder, repo create, repo delete, delete-cache",
    "hf": "upload, upload-large-folder, repo create, repo delete, repos delete",
    "dvc": "push, gc",
    "mkdocs": "gh-deploy",
    "mike": "deploy, delete, set-default",
    "quarto": "publish",
    "eas": "submit, update, deploy, build",
    "expo": "publish, upload",
    "snapcraft": "upload, push, release, close, register",
    "flatpak": "",
    "ipfs": "name publish, pin rm, repo gc",
    "charmcraft": "upload, release",
    "wasmer": "publish, deploy",
    "cosign": "sign, attest, copy, clean",
    "semantic-release": "",
}
"""Verbs that publish; an empty row is a program that other tables judge."""

_FORGES: dict[str, str] = {
    "gh": "release create, release delete, release upload, release edit, release delete-asset, pr merge, "
    "pr close, pr create, "
    "pr comment, pr review, pr edit, pr ready, pr reopen, pr lock, pr unlock, pr update-branch, "
    "issue create, issue close, "
    "issue delete, issue edit, issue comment, issue reopen, issue lock, issue transfer, issue pin, "
    "repo delete, repo create, "
    "repo edit, repo archive, repo rename, repo sync, repo fork, repo deploy-key, secret set, secret "
    "delete, secret remove, "
    "variable set, variable delete, workflow run, workflow disable, workflow enable, run cancel, run "
    "rerun, run delete, "
    "gist create, gist delete, gist edit, label create, label delete, label edit, label clone, cache "
    "delete, ssh-key add, "
    "ssh-key delete, gpg-key add, gpg-key delete, project create, project delete, project edit, project close, "
    "project item-add, project item-delete, project item-edit, codespace create, codespace delete, ruleset, "
    "auth logout, auth refresh, extension install",
    "glab": "mr merge, mr close, mr create, mr update, mr note, mr approve, mr revoke, mr rebase, mr reopen, "
    "mr delete, "
    "release create, release delete, release upload, repo delete, repo create, repo archive, repo "
    "transfer, issue create, "
    "issue close, issue note, issue update, issue delete, issue reopen, ci run, ci retry, ci cancel, "
    "ci delete, ci trigger, "
    "variable set, variable delete, variable update, label create, snippet create, ssh-key add, "
    "schedule run, schedule create",
    "tea": "pulls merge, pulls create, pulls close, issues create, issues close, releases create, releases "
    "delete, comment, "
    "repos create, repos delete, pr merge, pr create, pr close",
    "hub": "release create, release delete, release edit, merge, pull-request, delete, push, create, fork, "
    "sync, issue create",
    "bb": "pr merge, pr create",
    "arc": "land, diff, close",
}


def publishes(line: Line) -> str:
    return _PACKAGE_RULES[line.program](line)


def containers(line: Line) -> str:
    pushes = line.begins("buildx build", "build", "image build", "compose build", "buildx bake") and line.has("--push")
    return _PUBLISHES if pushes else publishes(line)


def forge(line: Line) -> str:
    """`gh api` and its like are GET unless told otherwise."""
    if not line.begins("api"):
        return _FORGE_RULES[line.program](line)
    method = method_of(line) or (word.text.upper() if (word := line.after("--method")) else "")
    sends = line.has("-f", "-F", "--field", "--raw-field", "--input") and method != "GET"
    return _TELLS if method in _METHODS or sends else ""


def method_of(line: Line) -> str:
    """The method that `-X` or `--request` names, in capitals."""
    given = next((text[2:] for text in line.texts if text.startswith("-X") and len(text) > 2), "")
    word = line.after("-X", "--request")
    return (given or (word.text if word else "")).upper()


def installs(line: Line) -> str:
    """pip, npm and their like: a package from an index is one thing, code from an address another."""
    if not line.begins("install", "i", "add", "pip install", "tool install", "global add") or line.is_rehearsal:
        return ""
    places = [text.partition(" @ ")[2] or text for text in line.operands]
    far = any(text.startswith(("git+", "http://", "https://", "git://", "git@", "ssh://")) for text in places)
    own = line.has("--index-url", "--trusted-host", "--extra-index-url", "--git", "--registry") or line.after("-i")
    return _FETCHES if far or own else ""


def configures_packager(line: Line) -> str:
    said = " ".join(line.operands[:3])
    return _FETCHES if "config set script-shell" in said or "config set registry" in said else ""


def packager(line: Line) -> str:
    return (publishes(line) if line.program in _PACKAGES else "") or installs(line) or configures_packager(line)


_PACKAGE_RULES = {name: does(_PUBLISHES, verbs=verbs or "-") for name, verbs in _PACKAGES.items()}
_FORGE_RULES = {name: does(_TELLS, verbs=verbs) for name, verbs in _FORGES.items()}
REACHING: dict[str, Rule] = {
    **dict.fromkeys(_PACKAGES, publishes),
    **dict.fromkeys(("docker", "podman", "nerdctl"), containers),
    **dict.fromkeys(_FORGES, forge),
    **dict.fromkeys(("pip", "pip3", "pipx", "npm", "pnpm", "yarn", "bun", "uv", "cargo", "poetry", "gem"), packager),
    **dict.fromkeys(("semantic-release", "release-it", "np", "gh-pages", "surge", "bumpalo-release"), does(_PUBLISHES)),
    "fastlane": does(_PUBLISHES, unless="test, tests, scan, lint, actions, lanes, list, env, docs, init"),
}
