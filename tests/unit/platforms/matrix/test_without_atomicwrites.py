"""Encryption works without the abandoned package that nio imports for what Baton never does."""

from __future__ import annotations

import subprocess
import sys

HIDE = "import sys; sys.modules.pop('atomicwrites', None); sys.path_importer_cache.clear()\n"
USE = """
import importlib.util as util
real = util.find_spec
util.find_spec = lambda name, *more: None if name == 'atomicwrites' else real(name, *more)
import baton.adapters.platforms.matrix.encryption
import nio.crypto, nio.store, atomicwrites
assert nio.crypto.ENCRYPTION_ENABLED and nio.store.SqliteStore
account = nio.crypto.OlmAccount()
assert account.identity_keys['ed25519']
try:
    atomicwrites.atomic_write('x')
except NotImplementedError:
    print('refused')
"""


def test_nio_encrypts_and_what_needs_the_package_is_refused() -> None:
    done = subprocess.run([sys.executable, "-c", HIDE + USE], capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("refused\n", 0), done.stderr
