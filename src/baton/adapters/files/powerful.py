"""The one list of files that make programs act: whoever writes one has a program do something later, unseen.

`write`, `edit`, `shell` and the sandbox all ask here. Code that you run yourself (a Makefile, a test, `package.json`)
is not on the list: changing it is what an agent is for.
"""

from __future__ import annotations

import os
import pwd
import unicodedata
from collections.abc import Collection
from contextlib import suppress
from functools import cache

_VERSION_CONTROL = (
    *(".git", ".gitmodules", ".lfsconfig", ".hg", ".svn", ".jj"),
    *(
        ".husky",
        ".githooks",
        ".git-hooks",
        ".pre-commit-config.yaml",
        ".pre-commit-config.yml",
        ".pre-commit-hooks.yaml",
    ),
    *("lefthook.yml", ".lefthook.yml", "lefthook.yaml", ".lefthook.yaml", ".lefthook", "lefthook-local.yml"),
    *(".overcommit.yml", ".lintstagedrc", ".lintstagedrc.json", ".lintstagedrc.js", ".simple-git-hooks.json"),
)
_AGENTS = (
    *(".baton", ".claude", ".claude.json", "claude.md", "claude.local.md", ".codex", ".gemini", "gemini.md"),
    *(".geminiignore", ".cursor", ".cursorrules", ".windsurf", ".windsurfrules", ".clinerules", ".cline", ".roo"),
    *(".roorules", ".roomodes", ".kilocode", ".kiro", ".amazonq", ".augment", ".augment-guidelines", ".junie"),
    *(".aider.conf.yml", ".continue", ".opencode", "opencode.json", "opencode.jsonc", ".crush.json", "crush.json"),
    *(".goosehints", ".goose", ".qwen", "qwen.md", ".trae", ".factory", ".copilot", ".hermes", ".hermes.md"),
    *(".agents", ".agent", "agents.md", "agents.override.md", "agent.md", ".rules", ".mcp.json", "mcp.json", ".mcp"),
)
_EDITORS = (
    *(".vscode", ".vscode-server", ".idea", ".fleet", ".run", ".zed", ".vs", ".nova", ".theia", ".helix", ".settings"),
    *(".devcontainer", ".devcontainer.json", ".gitpod.yml", ".gitpod", ".devfile.yaml", "devfile.yaml", ".ona"),
    *(".replit", ".idx", ".codesandbox", ".exrc", ".vimrc", ".nvimrc", ".nvim.lua", ".lvimrc", ".local.vimrc"),
    *(
        ".dir-locals.el",
        ".dir-locals-2.el",
        ".gdbinit",
        ".lldbinit",
        ".pdbrc",
        ".pdbrc.py",
        ".irbrc",
        ".pryrc",
        ".rdbgrc",
    ),
)
_SHELLS = (
    *(".envrc", ".direnv", ".mise.toml", "mise.toml", ".mise.local.toml", "mise.local.toml", ".mise", ".rtx.toml"),
    *(".tool-versions", ".rvmrc", ".autoenv", ".autoenv.zsh", ".autoenv_leave.zsh", "devbox.json"),
    *(".bashrc", ".bash_profile", ".bash_login", ".bash_logout", ".bash_aliases", ".profile", ".inputrc", ".kshrc"),
    *(".zshrc", ".zshenv", ".zprofile", ".zlogin", ".zlogout", ".cshrc", ".tcshrc", ".login", ".xinitrc", ".xprofile"),
    *(".ssh", ".gnupg", ".gitconfig", ".netrc", ".curlrc", ".wgetrc", ".screenrc", ".tmux.conf", ".pam_environment"),
)
_PACKAGES = (
    *(".npmrc", ".yarnrc", ".yarnrc.yml", ".pnpmfile.cjs", ".pnpmfile.mjs", ".pypirc", "pip.conf", ".cargo", ".bundle"),
    *(".gemrc", ".mvn", ".bazelrc", ".bazeliskrc", ".buckconfig", ".condarc", ".docker", ".sbtopts", ".jvmopts"),
)
_BUILD_SERVERS = (
    *(".github", ".gitlab-ci.yml", ".gitlab", ".circleci", ".travis.yml", "azure-pipelines.yml", ".azure-pipelines"),
    *("jenkinsfile", ".drone.yml", "bitbucket-pipelines.yml", ".buildkite", ".woodpecker", ".woodpecker.yml"),
    *(".forgejo", ".gitea", "appveyor.yml", ".appveyor.yml", ".cirrus.yml", ".semaphore", ".teamcity", ".tekton"),
    *(".builds", ".build.yml", ".readthedocs.yaml", ".readthedocs.yml", "cloudbuild.yaml", "buildspec.yml"),
)
NAMES = frozenset((*_VERSION_CONTROL, *_AGENTS, *_EDITORS, *_SHELLS, *_PACKAGES, *_BUILD_SERVERS))
"""Names of files, and of directories with all that is below them, at any depth; folded."""
ENDINGS = (".code-workspace", ".sublime-project")
_REPOSITORY = ("HEAD", "objects", "refs", "commondir")
_HOME_TOO = frozenset({"bin"})
"""What in a home directory acts although its name has no dot."""


def is_powerful(real: str, root: str) -> bool:
    """Whether a path inside the workspace `root` makes programs act. Both are real paths.

    Where a home directory is in the workspace, everything in it whose name begins with a dot is configuration. A
    directory that git takes for a repository acts whatever its name, and so does what a link with such a name leads to.
    """
    below = os.path.relpath(real, root)
    if any(is_powerful_name(part) for part in below.split("/")):
        return True
    if any(_is_dotfile(real, home) for home in home_directories() if is_within(home, root)):
        return True
    return _is_in_repository(real, root) or any(is_within(real, each) for each in powerful_links(root).values())


def is_powerful_name(name: str) -> bool:
    folded = _fold_name(name)
    return folded in NAMES or folded.endswith(ENDINGS)


def looks_like_repository(names: Collection[str]) -> bool:
    """Whether git takes a directory with these names in it for a repository."""
    return "HEAD" in names and ("commondir" in names or ("objects" in names and "refs" in names))


def powerful_links(root: str) -> dict[str, str]:
    """The links at the top of the workspace that have such a name: where each leads, if that is inside."""
    try:
        with os.scandir(root) as found:
            links = [each.path for each in found if is_powerful_name(each.name) and each.is_symlink()]
    except OSError:
        return {}
    led = {link: os.path.realpath(link) for link in links}
    return {link: real for link, real in led.items() if real != root and is_within(real, root)}


def home_directories() -> tuple[str, ...]:
    """Where the user's own configuration is: by the environment, and by the system's record."""
    return _homes(os.environ.get("HOME", ""))


@cache
def _homes(named: str) -> tuple[str, ...]:
    found = [named]
    with suppress(KeyError):
        found.append(pwd.getpwuid(os.geteuid()).pw_dir)
    return tuple(dict.fromkeys(os.path.realpath(each) for each in found if os.path.isabs(each) and each != "/"))


def _is_dotfile(real: str, home: str) -> bool:
    if not is_within(real, home) or real == home:
        return False
    first = os.path.relpath(real, home).split("/", 1)[0]
    return first.startswith(".") or first in _HOME_TOO


def _is_in_repository(real: str, root: str) -> bool:
    """Whether a directory on the way is a repository, or is one as soon as this path exists."""
    above, name = os.path.split(real)
    while is_within(above, root):
        there = {each for each in _REPOSITORY if os.path.lexists(os.path.join(above, each))}
        if looks_like_repository(there | {name}):
            return True
        above, name = os.path.split(above)
        if not name:
            break
    return False


def is_within(path: str, directory: str) -> bool:
    return path == directory or path.startswith(directory.rstrip("/") + "/")


def _fold_name(name: str) -> str:
    """File systems that ignore case, width or invisible characters take these names for the same."""
    bare = "".join(each for each in unicodedata.normalize("NFKC", name) if unicodedata.category(each) != "Cf")
    return bare.casefold().rstrip(". ")
