"""A text in the user's own editor."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile

from baton.core.errors import BadInput
from baton.surfaces.words import files as words


def edit_text(text: str, name: str = "packet", suffix: str = ".md") -> str:
    """The text as the user left it. Its file is private, and removed afterwards. `BadInput` if no editor starts."""
    editor = os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi"
    with tempfile.TemporaryDirectory(prefix="baton-") as directory:
        path = os.path.join(directory, f"{name}{suffix}")
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
        try:
            done = subprocess.run([*shlex.split(editor), path], check=False)
        except (OSError, ValueError) as error:
            raise BadInput(reason=words.NO_EDITOR.format(editor=editor, reason=error)) from None
        if done.returncode:
            raise BadInput(reason=words.EDITOR_FAILED.format(editor=editor, code=done.returncode))
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
