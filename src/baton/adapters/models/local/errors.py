"""What can go wrong with a local model, beyond the errors every model has.

ModelError
├── PullFailed · PullStopped · NoRoom      the weights are not here; what was pulled is kept
├── PullDeclined                           they are not here, and you said no
└── ModelUnavailable
    └── WorkerStopped                      the process ended; the next request starts another
"""

from __future__ import annotations

from baton.core.errors import ModelError, ModelUnavailable


class PullFailed(ModelError):
    code = "pull-failed"
    what = "The local model {model} could not be pulled: {reason}."
    kept = "The conversation is kept. {held}"
    todo = "Check the network, the proxy and pip's index settings, then: baton model pull {model}"


class PullStopped(ModelError):
    code = "pull-stopped"
    what = "Pulling the local model {model} was stopped."
    kept = "{held}"
    todo = "Continue with: baton model pull {model}"


class PullDeclined(ModelError):
    code = "pull-declined"
    what = "The local model {model} was not pulled, as you said, so nothing answers."
    kept = "The conversation is kept."
    todo = "Pull it later with `baton model pull {model}`, or choose a model with a key: /model, --model provider:name."


class NoRoom(ModelError):
    code = "no-room"
    what = "There is no room for the local model {model}: {path} has {free} free, and {needed} are needed."
    kept = "{held}"
    todo = (
        "Free some space, or set BATON_HOME to a directory on another disk, or choose a smaller model: baton model list"
    )


class WorkerStopped(ModelUnavailable):
    code = "worker-stopped"
    what = "The process of the local model {model} ended: {reason}."
    todo = "Send the message again: a new one is started. `baton doctor` tells more if it happens again."


def amount(size: float) -> str:
    """A size in bytes as users read it: `93 MB`, `1,093 MB`."""
    return f"{size / 1e6:,.0f} MB"
