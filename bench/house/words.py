"""Names of functions that are one bare participle: `held`, `_checked`, `waiting`."""

from __future__ import annotations

from collections.abc import Iterator

from bench.house.tree import Function, Source, Tree, decorators

IRREGULAR = frozenset({
    "begun", "born", "bought", "bound", "broken", "brought", "built", "caught", "chosen", "dealt", "done", "drawn",
    "driven", "eaten", "fallen", "fed", "felt", "forgotten", "fought", "found", "frozen", "given", "gone", "grown",
    "heard", "held", "hidden", "hung", "kept", "known", "laid", "led", "left", "lent", "lost", "made", "meant", "met",
    "paid", "said", "seen", "sent", "shaken", "shown", "slept", "sold", "sought", "spent", "spoken", "stolen",
    "stood", "struck", "stuck", "sunk", "sworn", "swept", "taken", "taught", "thought", "thrown", "told", "torn",
    "understood", "woken", "won", "worn", "written",
})  # fmt: skip
"""Those that are no plain verb as well: `read`, `run`, `put`, `set`, `cut`, `split` and `hit` tell what to do."""

PREFIXES = ("un", "with", "over", "re")
NO_PARTICIPLE = frozenset({"embed", "shred", "sled", "hundred", "sacred", "naked", "wicked"})
NO_ING = frozenset(
    {"anything", "bring", "everything", "king", "nothing", "ping", "ring", "something", "spring", "string"}
)

_PROPERTIES = {"property", "cached_property", "setter", "deleter"}


def is_past(name: str) -> bool:
    """Whether a function's name, its leading underscores aside, is one word and a past participle.

    That is a word in -ed (not -eed: `feed`) or one of `IRREGULAR`, also behind `un-`, `with-`, `over-` and `re-`. Names
    of several words (`is_held`, `held_by`) and those with two underscores (`__init__`) never are.
    """
    word = _one_word(name)
    if word.endswith("ed"):
        return len(word) > 3 and not word.endswith("eed") and word not in NO_PARTICIPLE
    return word in IRREGULAR or any(word.removeprefix(prefix) in IRREGULAR for prefix in PREFIXES)


def is_present(name: str) -> bool:
    """The same for words in -ing, `string` and its like aside. Some of them are nouns too: `greeting`, `binding`."""
    word = _one_word(name)
    return word.endswith("ing") and len(word) > 4 and word not in NO_ING


def _one_word(name: str) -> str:
    """The name without its leading underscores; nothing if it has several words or is one of Python's own."""
    word = name.lstrip("_")
    return "" if name.startswith("__") or "_" in word else word


def callables(source: Source) -> Iterator[Function]:
    """Functions and methods, nested ones too; properties read like a field and are left out."""
    return (each for each in source.functions if _PROPERTIES.isdisjoint(decorators(each)))


def past_share(tree: Tree) -> float:
    """Of a hundred functions, how many `is_past` names."""
    return _share(tree, len(past_names(tree)))


def present_share(tree: Tree) -> float:
    """Of a hundred functions, how many `is_present` names."""
    return _share(tree, len(present_names(tree)))


def past_names(tree: Tree) -> list[str]:
    """`file:line name` of each."""
    return [f"{source.at(each)} {each.name}" for source, each in _all(tree) if is_past(each.name)]


def present_names(tree: Tree) -> list[str]:
    return [f"{source.at(each)} {each.name}" for source, each in _all(tree) if is_present(each.name)]


def _all(tree: Tree) -> Iterator[tuple[Source, Function]]:
    return ((source, function) for source in tree.sources for function in callables(source))


def _share(tree: Tree, count: int) -> float:
    return 100 * count / (sum(1 for _ in _all(tree)) or 1)
