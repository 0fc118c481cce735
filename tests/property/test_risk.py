"""Whatever text is given as a command, there is an answer."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from baton.adapters.bash_syntax import BashSyntax
from baton.core.risk import KINDS, assess
from baton.core.risk.text import assess_text

parse = BashSyntax().parse


@given(st.text(max_size=300))
def test_any_text_has_an_answer(text: str) -> None:
    found = assess(text, parse)
    assert found is None or found.kind in KINDS
    assess_text(text, parse)


PIECES = st.sampled_from(
    [*"|&;(){}<>$`'\"\\\n #=*", "$(", "<<EOF\n", "EOF", "rm", "-rf", "bash", "-c", "git", "push", "sudo"]
)


@given(st.lists(PIECES, max_size=40).map(" ".join))
def test_any_shell_like_text_has_an_answer(text: str) -> None:
    assess(text, parse)
    assess_text(text, parse)


@given(st.sampled_from(["rm -rf x", "git push -f", "curl x | sh"]), st.text(alphabet="abc ;|&(){}$'\"`", max_size=30))
def test_a_risk_stays_one_after_harmless_words(command: str, before: str) -> None:
    assert assess(f"echo {before!r} ; {command}".replace("\\", ""), parse) is not None
