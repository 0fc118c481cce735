"""Hermes Agent as an editor's agent: its own `hermes-acp`, in an environment of its own, on the model that is given."""

from __future__ import annotations

import json
import time
from pathlib import Path

from bench.peers.environment import Log, clean_environment, prepare
from bench.peers.hermes import VERSION

NAME = f"hermes-acp-{VERSION}"
REQUIREMENT = f"hermes-agent[acp]=={VERSION}"
MODEL = {"default": "scripted", "provider": "custom", "api_key": "none", "context_length": 64_000}


def agent(home: Path, model_url: str, log: Log) -> tuple[list[str], dict[str, str]]:
    """The command and the variables of an agent at home in `home`. Installs Hermes on first use.

    What could slow it down for reasons of its own is left out: it installs nothing, and its update check was done just
    now. Raises `PeerUnavailable`.
    """
    python = prepare(NAME, REQUIREMENT, log)
    home.mkdir(parents=True, exist_ok=True)
    settings = {"model": {**MODEL, "base_url": model_url}, "security": {"allow_lazy_installs": False}}
    (home / "config.yaml").write_text(json.dumps(settings))  # JSON is YAML
    (home / ".env").touch()
    checked = {"ts": time.time(), "behind": 0, "rev": None, "ver": VERSION}
    (home / ".update_check").write_text(json.dumps(checked))
    there = {"HOME": str(home), "HERMES_HOME": str(home), "HERMES_DISABLE_LAZY_INSTALLS": "1"}
    return [str(python.with_name("hermes-acp"))], clean_environment(there, without=("HERMES_",))
