"""What a first start and `baton setup` say."""

from __future__ import annotations

QUESTION = "No API key found. How should Baton work here?"
ASK_KEY = "{variable}: paste the key, then Enter. It is not shown."
TESTING = "asking {model} for a word …"
WORKS = "{model} answered."
FAILED = "{model} did not answer: {why}"
KEPT_KEY = "The key is kept in {path}, for you alone."
CHOSEN = "Baton works with {model} from now on. `baton setup` changes it."
LATER = "Nothing was chosen. `baton setup` asks again; a key in the environment, such as ANTHROPIC_API_KEY, works too."

# baton setup
HOW = "How should Baton work here?"
WHICH = "Which provider?"
WHICH_MODEL = "Which model?"
CHOOSE = "1 to {last} [{usual}]: "
KEY_PROMPT = "key: "
ALL_THE_SAME = "Use it all the same? [y/N] "
NO_TERMINAL = (
    "Nobody can be asked here. In a terminal: baton setup. In a script: export {variable}=… or baton config set model …"
)

# baton models and baton model
USED_NOW = "used now"
PULLING = "Pulling {name}"
PULLED = "{name} is here ({size}), after {seconds:.0f} s."
NOT_PULLED = "Nothing was pulled."
MODEL_REMOVED = "{name} was removed ({size} freed)."
NO_LOCAL_MODEL = "No local model is here yet. One is downloaded when it is first needed, or now: baton model pull"
