"""llama.cpp through `xllamacpp`, which has no types: the one place that touches it."""

from __future__ import annotations

import importlib
import os
import secrets
import shutil
import tempfile
from collections.abc import Callable, Mapping
from typing import Any

_BATCH = 32
"""Tokens read at a time: a cancellation while a prompt is read takes effect after that many. Larger batches save
little.
"""

_PROMPT_CACHE_MIB = 512
_LONGEST_SOCKET = 90


class Llama:
    """A loaded model. It opens no port: the server inside it insists on listening, so it is given a socket in a private
    directory, with a random key, and the socket's name is removed as soon as it exists.
    """

    def __init__(self, path: str, *, window: int, threads: int) -> None:
        """Raises `RuntimeError` when the file cannot be loaded."""
        library: Any = importlib.import_module("xllamacpp")
        folder = _private_folder()
        try:
            parameters = library.CommonParams()
            _configure(parameters, path, window, threads)
            parameters.hostnames = [os.path.join(folder, "llama.sock")]
            parameters.api_keys = [secrets.token_hex(32)]
            self._server: Any = library.Server(parameters)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def generate(self, body: Mapping[str, Any], on_chunk: Callable[[Mapping[str, Any]], bool]) -> None:
        """Streams the chunks of one chat completion to `on_chunk`, until that returns True. Blocks.

        Raises `ValueError` or `RuntimeError` for a request that cannot be served.
        """
        self._server.handle_chat_completions(dict(body), on_chunk)


def _configure(parameters: Any, path: str, window: int, threads: int) -> None:
    parameters.model.path = path
    parameters.n_ctx = window
    parameters.n_parallel = 1
    parameters.n_batch = parameters.n_ubatch = _BATCH
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = threads
    parameters.cache_ram_mib = _PROMPT_CACHE_MIB
    parameters.fit_params = False
    parameters.warmup = False
    parameters.ui = False
    parameters.endpoint_slots = False
    parameters.verbosity = -1


def _private_folder() -> str:
    """A new directory for this user only, whose path leaves room for the name of a socket."""
    folder = tempfile.mkdtemp(prefix="baton-")
    if len(folder) < _LONGEST_SOCKET:
        return folder
    os.rmdir(folder)
    return tempfile.mkdtemp(prefix="baton-", dir="/tmp")
