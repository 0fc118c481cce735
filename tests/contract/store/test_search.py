from __future__ import annotations

from typing import Any

import pytest

from baton.core.errors import BadInput
from baton.core.log.entry import NewEntry
from baton.core.log.search import INDEXED_LIMIT, TERM_LIMIT, Hit
from baton.ports.store import Store
from tests.contract.store.kit import Work, begin, everything, said, unchanged, whole


def found(store: Store, query: str, limit: int = 20) -> list[tuple[str, int]]:
    return [(hit.session_id, hit.seq) for hit in store.search.find(query, limit)]


def seqs(work: Work, query: str) -> list[int]:
    """Which entries of this conversation's head fit, in order."""
    return sorted(hit.seq for hit in work.store.search.find(query) if hit.session_id == work.head.id)


def test_a_hit_tells_where_it_is_and_what_it_says(store: Store) -> None:
    work = begin(store, "Fix the race")
    work.say("nothing here")
    [entry] = store.entries.append(
        work.proof, work.head.id, [NewEntry("tool_result", {"out": "the Checkout\n  service failed", "code": 1})]
    )
    assert store.search.find("checkout SERVICE") == [
        Hit(
            conversation_id=work.id,
            title="Fix the race",
            session_id=work.head.id,
            seq=2,
            kind="tool_result",
            at=entry.at,
            snippet="the Checkout service failed",
            spans=((4, 12), (13, 20)),
        )
    ]


@pytest.mark.parametrize(
    ("text", "finds", "misses"),
    [
        (
            "The Checkout failed",
            ["checkout", "CHECKOUT", "failed the", "checkout failed"],
            ["check", "checkouts", "heck"],
        ),
        ("two words apart", ['"two words"', '"words apart"', '"two words apart"'], ['"two apart"', '"apart words"']),
        ("prefixes matter", ["pref*", "prefixes*", "mat* pre*"], ["refix*", "preface*", "matters*"]),
        (
            "snake_case_name here",
            ["snake_case_name", "snake", "case_name", '"snake case"'],
            ["case_snake", "snakecase"],
        ),
        (
            "src/baton/core/entry.py:42",
            ["src/baton", "entry.py", "entry.py:42", "42", "baton/core/ent*"],
            ["baton/entry"],
        ),
        ("naïve café Ünïcode", ["naive", "CAFÉ", "cafe", "unicode", "uni*"], ["caf", "cafes"]),
        ("cafe without accents", ["café", "cafè"], ["cafés"]),
        ("Straße ΣΊΣΥΦΟΣ İstanbul", ["strasse", "STRASSE", "σίσυφος", "σισυφοσ", "istanbul"], ["stra"]),
        ("これは検索のテストです", ["検索", "テスト", "索のテ", "検 索"], ["検証", "索検"]),
        ("한국어 검색", ["검색", "한국", "국어"], ["색검"]),
        ("混ざったtext inside中文", ["text", "中文", "inside"], ["文中"]),
        ("version 3.11.7 and v2", ["3.11", "3.11.7", "v2", "11.7"], ["3.12", "2"]),
        ("don't stop", ["don't", "don", "t", '"don t"'], ["dont"]),
        ("Привет, мир", ["привет", "МИР", "при*"], ["приветы"]),
        ("emoji 🎉 party", ["party", "emoji party"], ['"emoji parties"']),
        ("full width ＡＢＣ１２３", ["abc123", "ABC123"], ["abc"]),
        ("SELECT * FROM t; DROP TABLE x", ["drop table", "select*", '"from t"'], ['"table drop"']),
        ("AND OR NOT NEAR", ["and", "or", "not", "near", "and or not near"], ["nor"]),
        ("Ligature ﬁnd x²", ["find", "x2"], ["fnd"]),
        ("नमस्ते दुनिया", ["नमस्ते", "दुनिया"], ["नया"]),
        ("ไทย ภาษา", ["ภาษา", "ไทย"], ["ภาษี"]),
    ],
)
def test_words_are_found_as_people_mean_them(store: Store, text: str, finds: list[str], misses: list[str]) -> None:
    work = begin(store)
    work.say(text)
    assert {query: seqs(work, query) for query in finds} == {query: [1] for query in finds}
    assert {query: seqs(work, query) for query in misses} == {query: [] for query in misses}


def test_every_term_must_be_in_the_same_entry(store: Store) -> None:
    work = begin(store)
    work.say("red green", "green blue", "red blue green")
    assert seqs(work, "red") == [1, 3]
    assert seqs(work, "red blue") == [3]
    assert seqs(work, "red green blue") == [3]
    assert seqs(work, "red yellow") == []


def test_every_piece_of_text_in_a_body_is_found_but_not_its_keys(store: Store) -> None:
    work = begin(store)
    body: dict[str, Any] = {"keyword": "alpha", "list": [{"deep": ["beta", 17, None, True]}], "n": 99}
    store.entries.append(work.proof, work.head.id, [NewEntry("tool_call", body)])
    assert [seqs(work, query) for query in ("alpha", "beta", '"alpha beta"')] == [[1], [1], [1]]
    assert [seqs(work, query) for query in ("keyword", "deep", "17", "99", "true")] == [[], [], [], [], []]


def test_newest_sessions_come_first_and_the_limit_cuts(store: Store) -> None:
    first, second = begin(store, "first"), begin(store, "second")
    first.say("needle 1", "straw", "needle 2")
    second.say("needle 3")
    old_head = first.head
    first.advance(entries=said("needle 4"))
    expected = [(first.head.id, 1), (second.head.id, 1), (old_head.id, 3), (old_head.id, 1)]
    assert found(store, "needle") == expected
    for limit in range(5):
        assert found(store, "needle", limit) == expected[:limit]
    assert found(store, "needle", -1) == []
    assert found(store, "needle", 2**70) == expected


def test_entries_of_another_handle_are_found_at_once(store: Store, other: Store) -> None:
    work = begin(store)
    for number in range(5):
        handle = (store, other)[number % 2]
        handle.entries.append(work.proof, work.head.id, said(f"needle{number} common"))
        assert found(store, f"needle{number}") == found(other, f"needle{number}") == [(work.head.id, number + 1)]
    assert len(found(store, "common")) == len(found(other, "common")) == 5


def test_a_search_changes_nothing_that_is_kept(store: Store) -> None:
    work = begin(store)
    work.say("needle")
    with unchanged(store):
        store.search.find("needle")
        store.search.catch_up()
        store.search.drop()
        store.search.find("needle")


def test_a_dropped_index_is_made_anew_from_the_log(store: Store) -> None:
    work = begin(store)
    work.say("needle one", "needle two")
    assert seqs(work, "needle") == [1, 2]
    before = everything(store)
    store.search.drop()
    assert everything(store) == before
    assert seqs(work, "needle") == [1, 2]
    work.say("needle three")
    store.search.drop()
    assert store.search.catch_up() == 3
    assert store.search.catch_up() == 0
    assert seqs(work, "needle") == [1, 2, 3]


def test_an_index_dropped_by_one_handle_serves_the_other(store: Store, other: Store) -> None:
    work = begin(store)
    work.say("needle1 common")
    assert found(store, "common") == found(other, "common") == [(work.head.id, 1)]
    store.search.drop()
    assert found(other, "common") == [(work.head.id, 1)]
    other.search.drop()
    work.say("needle2 common")
    assert found(store, "needle2") == [(work.head.id, 2)]
    assert found(other, "needle2") == [(work.head.id, 2)]
    store.search.drop()
    assert found(store, "common") == [(work.head.id, 2), (work.head.id, 1)]
    work.say("needle3 common")
    assert found(store, "needle3") == [(work.head.id, 3)]
    assert found(other, "needle3") == [(work.head.id, 3)]
    assert len(found(other, "common")) == 3


def test_catching_up_says_how_much_and_tells_its_progress(store: Store) -> None:
    for number in range(3):
        begin(store, f"number {number}").say("needle", "straw")
    told: list[tuple[int, int]] = []
    assert store.search.catch_up(lambda done, total: told.append((done, total))) == 6
    assert told[-1] == (6, 6)
    assert told == sorted(told)
    told.clear()
    assert store.search.catch_up(lambda done, total: told.append((done, total))) == 0
    assert told == []


def test_a_search_tells_the_progress_of_its_catching_up(store: Store) -> None:
    begin(store).say("needle")
    told: list[tuple[int, int]] = []
    assert len(store.search.find("needle", progress=lambda done, total: told.append((done, total)))) == 1
    assert told[-1] == (1, 1)


def test_a_removed_conversation_vanishes_from_search(store: Store, other: Store) -> None:
    gone, kept = begin(store, "gone", ttl=0), begin(store, "kept", ttl=0)
    gone.say("needle gone")
    gone.advance(entries=said("needle again"))
    kept.say("needle kept")
    assert len(found(store, "needle")) == 3
    assert store.upkeep.remove(gone.id, 2**61)
    for handle in (store, other):
        assert found(handle, "needle") == [(kept.head.id, 1)]
        assert found(handle, "gone") == []
    store.search.drop()
    assert found(store, "needle") == [(kept.head.id, 1)]


def test_a_conversation_that_could_not_be_removed_is_still_found(store: Store) -> None:
    work = begin(store)
    work.say("needle")
    assert seqs(work, "needle") == [1]
    assert store.upkeep.remove(work.id, 2**61) is False
    assert seqs(work, "needle") == [1]


def test_an_inserted_conversation_is_found(store: Store) -> None:
    work = begin(store, ttl=0)
    work.say("needle one", "needle two")
    bundle = whole(store, work.id)
    store.search.find("needle")
    store.upkeep.remove(work.id, 2**61)
    assert found(store, "needle") == []
    store.upkeep.insert(bundle)
    assert seqs(work, "needle") == [1, 2]


def test_a_hit_shows_the_title_of_now(store: Store) -> None:
    work = begin(store, "before")
    work.say("needle")
    assert [hit.title for hit in store.search.find("needle")] == ["before"]
    store.conversations.rename(work.id, "after")
    assert [hit.title for hit in store.search.find("needle")] == ["after"]


def test_titles_are_not_searched(store: Store) -> None:
    begin(store, "needle in the title").say("straw")
    assert found(store, "needle") == []


def test_a_huge_entry_is_found_by_its_first_part(store: Store) -> None:
    work = begin(store)
    filler = "word " * (INDEXED_LIMIT // 5)
    work.say(f"early {filler} late " + "x" * 1_000_000)
    assert seqs(work, "early") == [1]
    assert seqs(work, '"early word word"') == [1]
    assert seqs(work, "late") == []


def test_a_very_long_word_does_not_hinder_the_others(store: Store) -> None:
    work = begin(store)
    long = "abcdefghij" * 30
    work.say(f"before {long} after", f"{'z' * 60_000} end")
    assert seqs(work, long) == [1]
    assert seqs(work, f"{long[:40]}*") == [1]
    assert seqs(work, f"before {long} after") == [1]
    assert seqs(work, "end") == [2]


def test_phrases_are_found_behind_many_thousand_words(store: Store) -> None:
    work = begin(store)
    work.say(" ".join(f"w{number}" for number in range(10_000)), "a " * 20_000 + "needle straw a hay")
    assert seqs(work, "w0") == seqs(work, '"w9998 w9999"') == [1]
    assert seqs(work, '"needle straw"') == seqs(work, '"straw a hay"') == [2]
    assert seqs(work, '"straw needle"') == seqs(work, '"w9999 w9998"') == seqs(work, '"straw hay"') == []


def test_entries_without_any_word_do_no_harm(store: Store) -> None:
    work = begin(store)
    work.say("", "🎉🎉", "\0\x01", "...", "\ud800", "needle")
    assert seqs(work, "needle") == [6]


def test_many_hits_are_walked_in_parts(store: Store) -> None:
    work = begin(store)
    for _ in range(5):
        work.say(*["needle"] * 100)
    assert [seq for _, seq in found(store, "needle", 500)] == list(range(500, 0, -1))
    assert [seq for _, seq in found(store, "needle", 7)] == list(range(500, 493, -1))


@pytest.mark.parametrize("query", ["", "   ", "*", '""', "🎉", "...", "\0", "\ud800", '"*"', "_"])
def test_a_query_without_a_word_is_refused(store: Store, query: str) -> None:
    with pytest.raises(BadInput, match="no word"):
        store.search.find(query)


def test_a_query_of_too_many_terms_is_refused(store: Store) -> None:
    work = begin(store)
    work.say(" ".join(f"w{number}" for number in range(TERM_LIMIT)))
    assert seqs(work, " ".join(f"w{number}" for number in range(TERM_LIMIT))) == [1]
    with pytest.raises(BadInput, match="terms"):
        store.search.find(" ".join(f"w{number}" for number in range(TERM_LIMIT + 1)))


@pytest.mark.parametrize(
    ("query", "hits"),
    [
        ('"unclosed phrase', 1),
        ('"', None),
        ("a OR b", 0),
        ("NEAR(a b)", 0),
        ("near(phrase)", 0),
        ("a^2", 0),
        ("a^b", 1),
        ("-a", 1),
        ("+a", 1),
        ("{a}", 1),
        ("col:a", 0),
        ("col:near", 1),
        ("a AND", 0),
        ("'; DROP TABLE x --", 1),
        ("a\0b", 1),
        ("a\ud800b", 1),
        ("(", None),
        ("a)(", 1),
        ("%a_", 1),
        ("\\a", 1),
        ("a & b | !c <-> d:*", 1),
        ("a*b", 1),
        ("**a**", 1),
        ("ne'ar", 0),
        ("x" * 10_000, 0),
        ("é" * 3000, 0),
    ],
)
def test_what_means_something_to_an_index_never_reaches_it(store: Store, query: str, hits: int | None) -> None:
    begin(store).say("a b c d col near an unclosed phrase; drop table x 2")
    if hits is None:
        with pytest.raises(BadInput, match="no word"):
            store.search.find(query)
    else:
        assert len(store.search.find(query)) == hits


def test_stores_agree_on_what_is_found(store: Store) -> None:
    """The same corpus gives the same answers everywhere."""
    work = begin(store)
    corpus = ["a b c", "b c a", "c b", "ab", "a_b", "a-b", "A.B", "abc", "ab c", "aé b", "a  b", "a\nb", "ba ab a b c"]
    work.say(*corpus)
    answers = {
        query: seqs(work, query) for query in ("a", "a b", '"a b"', "a_b", "ab*", '"a b c"', "b*", "a* c*", "bc*")
    }
    assert answers == {
        "a": [1, 2, 5, 6, 7, 11, 12, 13],
        "a b": [1, 2, 5, 6, 7, 11, 12, 13],
        '"a b"': [1, 5, 6, 7, 11, 12, 13],
        "a_b": [1, 5, 6, 7, 11, 12, 13],
        "ab*": [4, 8, 9, 13],
        '"a b c"': [1, 13],
        "b*": [1, 2, 3, 5, 6, 7, 10, 11, 12, 13],
        "a* c*": [1, 2, 9, 13],
        "bc*": [],
    }
