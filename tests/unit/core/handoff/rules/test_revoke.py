"""Rules end when a person takes them back, in any language they are found in; pinned ones do not."""

from __future__ import annotations

import pytest

from baton.core.handoff.rules.revoke import is_revoking, take_back
from baton.core.handoff.rules.rule import PINNED, STANDING, TASK, make_rule


def ended(rule: str, later: str, scope: str = STANDING) -> bool:
    return bool(take_back(later, [make_rule(rule, scope, "s/1", 1)]).ended)


@pytest.mark.parametrize(
    ("rule", "later"),
    [
        ("Never touch the migrations folder.", "Forget what I said about the migrations folder, change it."),
        ("Do not upgrade the database driver.", "You may now upgrade the database driver."),
        ("Don't push yet.", "You may push now."),
        (
            "Always rebase upload commits, never merge.",
            "The rule about rebase of upload commits does not apply any more.",
        ),
        ("Ask me before you push.", "You no longer need to ask me before you push."),
        ("Fass das Abrechnungsmodul nicht an.", "Du darfst das Abrechnungsmodul jetzt doch anfassen."),
        ("Ändere niemals die Datei schema.sql ohne Rückfrage.", "Vergiss die Sache mit schema.sql und der Rückfrage."),
        ("Ne touche pas au module de facturation.", "Oublie ce que j'ai dit sur le module de facturation."),
        ("No toques el módulo de facturación.", "Ahora sí puedes tocar el módulo de facturación."),
        ("Non toccare il modulo di fatturazione.", "Dimentica quello che ho detto sul modulo di fatturazione."),
        ("Não mexa no módulo de faturamento.", "A regra sobre o módulo de faturamento não vale mais."),
        ("Blijf van de facturatiemodule af.", "De regel over de facturatiemodule geldt niet meer."),
        ("Nie ruszaj modułu rozliczeń.", "Zasada o module rozliczeń już nie obowiązuje."),
        ("Не трогай модуль биллинга.", "Теперь можно трогать модуль биллинга."),
        ("Не переименовывай столбцы очереди.", "Забудь, что я сказал про столбцы очереди."),
        ("不要修改 upload 数据库的结构", "忘了我说的 upload 数据库结构吧"),
        ("アップロードの設定ファイルを必ず残して", "アップロードの設定ファイルの件は忘れてください"),
        ("결제 모듈은 건드리지 마세요.", "이제 결제 모듈은 건드려도 됩니다."),
    ],
)
def test_a_person_takes_a_rule_back(rule: str, later: str) -> None:
    assert ended(rule, later)
    assert ended(rule, later, TASK)


@pytest.mark.parametrize(
    "later",
    [
        "Forget about lunch.",
        "Never mind.",
        "Ignore the warning about the cache.",
        "Do not forget the rule about the migrations folder.",
        "Please don't drop what I said about the migrations folder.",
        "N'oublie pas la règle: migrations folder.",
        "Vergiss nicht: migrations folder.",
        "Vergiss nicht, was ich über den migrations folder gesagt habe.",
        "Vergeet niet wat ik over de migrations folder zei.",
        "Не забывай, что я сказал про migrations folder.",
        "You can read the migrations folder.",
        "I will cancel it by hand and touch nothing.",
        "We drop the migrations table in the new folder.",
        "```\nforget what I said about the migrations folder\n```",
        "> You may now touch the migrations folder",
    ],
)
def test_an_unrelated_change_of_mind_takes_nothing_back(later: str) -> None:
    assert not ended("Never touch the migrations folder.", later)


def test_a_permission_given_once_does_not_end_the_duty_to_ask() -> None:
    assert not ended("Ask me before you push.", "You may push now.")
    assert ended("Ask me before you push.", "From now on you may push without asking, any time.")
    assert not ended("Never push to main.", "You may push now.")


def test_a_pinned_rule_is_kept_and_named() -> None:
    pinned = make_rule("Never touch the migrations folder.", PINNED, "s/1", 1)
    taken = take_back("Forget what I said about the migrations folder.", [pinned])
    assert (taken.ended, taken.kept) == ((), (pinned,))


def test_a_rule_is_not_ended_by_the_message_that_repeats_it() -> None:
    rule = "Never touch the migrations folder."
    assert not ended(rule, f"Forget about lunch. {rule}")


def test_hostile_text_is_read_in_linear_time() -> None:
    assert not is_revoking("forget " * 100_000)
    assert not is_revoking("you can " * 100_000)
