"""What goes into a checkpoint: changed files as they are, byte by byte, except those that must not or cannot be kept.

A file that differs from HEAD is kept raw. So a blob that differs from the base's is exactly the file's content, and any
other is in git's own form; a restore relies on that.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Mapping
from fnmatch import fnmatchcase

from baton.adapters.workspace import marks
from baton.adapters.workspace.commits import SUBMODULE, Blob, is_sha
from baton.adapters.workspace.repository import LARGE_FILES
from baton.core.handoff import checkpoint
from baton.core.handoff.checkpoint import LeftOut
from baton.core.handoff.workspace import DIRECTORY, EXECUTABLE, FILE, LINK
from baton.core.paths import is_beneath

FILE_CAP = 20 * 1024 * 1024
TOTAL_CAP = 500 * 1024 * 1024
MOST = 20_000
_MODES = {FILE: "100644", EXECUTABLE: "100755", LINK: "120000"}
_SECRET_NAMES = (
    *(".env", ".env.*", "*.env", ".envrc", ".netrc", "_netrc", ".npmrc", ".pypirc", ".pgpass", ".my.cnf", ".htpasswd"),
    *(
        ".git-credentials",
        ".dockercfg",
        ".vault-token",
        ".boto",
        ".s3cfg",
        "credentials",
        "credentials.*",
        "token.json",
    ),
    *("id_rsa*", "id_dsa*", "id_ecdsa*", "id_ed25519*", "*.pem", "*.key", "*.p8", "*.p12", "*.pfx", "*.ppk", "*.jks"),
    *("*.keystore", "*.kdbx", "*.kdb", "*.ovpn", "*.tfstate", "*.tfstate.*", "*.tfvars", "*.token", "kubeconfig"),
    *(
        "service-account*.json",
        "service_account*.json",
        "client_secret*.json",
        "*-credentials.json",
        "*_credentials.json",
    ),
    *("secret.*", "secrets.*", "*.secret", "*.secrets", "*-secret.y*ml", "*-secrets.y*ml", "auth.json", ".terraformrc"),
)
_HARMLESS = ("*.example", "*.sample", "*.template", "*.dist", "*.tmpl", "*.pub", "*.py", "*.go", "*.rs", "*.ts", "*.js")
_SECRET_FOLDERS = frozenset({".ssh", ".aws", ".gnupg", ".azure", ".kube", ".docker", "secrets"})


class CheckpointBlobs:
    """The changed files of one checkpoint. `filter_of` names the filters of files that have one, `commit` the commit of
    a repository inside. `left_out` is complete once `blobs` was read to its end.
    """

    def __init__(
        self, root: str, untracked: Collection[str], filter_of: Mapping[str, str], commit: Callable[[str], str]
    ) -> None:
        self.left_out: list[LeftOut] = []
        self._root = root
        self._untracked = untracked
        self._filter_of = filter_of
        self._commit = commit
        self._room = TOTAL_CAP

    def leave_out(self, path: str, reason: str) -> None:
        self.left_out.append(LeftOut(path, reason))

    def partition(self, paths: Collection[str]) -> tuple[list[str], list[str]]:
        """The paths that are gone, and those that exist and may be kept; all others are named as left out."""
        there = [path for path in paths if marks.is_there(self._root, path) and not self._became_folder(path)]
        for path in there:
            if reason := self._objection(path):
                self.leave_out(path, reason)
        named = {each.path for each in self.left_out}
        return sorted({*paths} - {*there}), sorted({*there} - named)

    def _became_folder(self, path: str) -> bool:
        """A file that git knows, replaced by a plain folder; what is in the folder is kept under its own names."""
        full = os.path.join(self._root, path)
        folder = path not in self._untracked and os.path.isdir(full) and not os.path.islink(full)
        return folder and not os.path.lexists(os.path.join(full, ".git"))

    def _objection(self, path: str) -> str:
        if path in self._untracked and looks_secret(path):
            return checkpoint.SECRET
        if self._filter_of.get(path, LARGE_FILES) != LARGE_FILES:
            return checkpoint.FILTERED
        return "" if is_beneath(path) else checkpoint.UNREADABLE

    def blobs(self, paths: Collection[str]) -> Iterator[Blob]:
        """Their content, read one at a time."""
        for position, path in enumerate(paths):
            blob, reason = self._blob(path) if position < MOST else (None, checkpoint.MANY)
            if blob:
                yield blob
            else:
                self.leave_out(path, reason)

    def _blob(self, path: str) -> tuple[Blob | None, str]:
        try:
            found = marks.read_content(self._root, path, min(FILE_CAP, self._room))
        except OSError:
            return None, checkpoint.UNREADABLE
        if found.kind == DIRECTORY:
            commit = "" if path in self._untracked else self._commit(path)
            return (Blob(path, SUBMODULE, commit.encode()), "") if is_sha(commit) else (None, checkpoint.REPOSITORY)
        if found.kind not in _MODES:
            return None, checkpoint.CHANGING
        if found.data is None:
            return None, checkpoint.LARGE
        self._room -= len(found.data)
        return Blob(path, _MODES[found.kind], found.data), ""


def looks_secret(path: str) -> bool:
    """Whether the file at `path` is of a kind that people keep secrets in."""
    *folders, name = path.casefold().split("/")
    if any(fnmatchcase(name, pattern) for pattern in _HARMLESS):
        return False
    return not _SECRET_FOLDERS.isdisjoint(folders) or any(fnmatchcase(name, pattern) for pattern in _SECRET_NAMES)
