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
