"""Every row of a rule table is tested from its own examples: what is marked goes, all else stays."""

from __future__ import annotations

import random
import re

import pytest
from bench.secrets import damage
from bench.secrets.measure import altered

from baton.adapters.redaction.apart_rules import APART
from baton.adapters.redaction.argument_rules import ARGUMENTS
from baton.adapters.redaction.call_rules import CALLS
from baton.adapters.redaction.carrier_rules import CARRIERS, CarrierRule
from baton.adapters.redaction.command_rules import COMMANDS
from baton.adapters.redaction.daemon_rules import DAEMONS
from baton.adapters.redaction.device_rules import DEVICES
from baton.adapters.redaction.health import RULES as HEALTH
from baton.adapters.redaction.health import HealthRule
from baton.adapters.redaction.labelled_rules import LABELLED
from baton.adapters.redaction.lookup_rules import LOOKUPS
from baton.adapters.redaction.markup_rules import MARKUP
from baton.adapters.redaction.note_rules import NOTES
from baton.adapters.redaction.protocol_rules import PROTOCOLS
from baton.adapters.redaction.secret_call_rules import SECRET_CALLS
from baton.adapters.redaction.serial_rules import SERIALS
from baton.adapters.redaction.store_rules import STORES
from baton.adapters.redaction.talk_rules import TALK
from baton.adapters.redaction.tool_rules import TOOLS
from baton.ports.redactor import Redactor

MARKED = re.compile(r"«(.*?)»", re.S)
ROWS = (
    *CARRIERS,
    *COMMANDS,
    *NOTES,
    *MARKUP,
    *LOOKUPS,
    *ARGUMENTS,
    *TALK,
    *CALLS,
    *SERIALS,
    *PROTOCOLS,
    *APART,
    *SECRET_CALLS,
    *DAEMONS,
    *DEVICES,
    *STORES,
    *TOOLS,
    *LABELLED,
)
EXAMPLES = [(row, text) for row in (*ROWS, *HEALTH) for text in row.examples]
LEFT = [text for row in (*ROWS, *HEALTH) for text in row.left]


def test_every_row_has_a_name_of_its_own_and_an_example() -> None:
    assert len({row.name for row in ROWS}) == len(ROWS)
    assert all(row.examples for row in ROWS)


@pytest.mark.parametrize(("row", "marked"), EXAMPLES, ids=[text for _, text in EXAMPLES])
def test_what_a_row_marks_is_taken_and_its_surroundings_stay(
    redactor: Redactor, without_hyperscan: Redactor, row: CarrierRule | HealthRule, marked: str
) -> None:
    text = MARKED.sub(r"\1", marked)
    shown = redactor.redact(text).text
    assert re.fullmatch(re.escape(MARKED.sub("\0", marked)).replace("\0", r"\[redacted: [a-z-]+\]"), shown), shown
    assert without_hyperscan.redact(text).text == shown


@pytest.mark.parametrize("text", LEFT)
def test_counter_examples_stay(redactor: Redactor, text: str) -> None:
    assert redactor.redact(text).text == text


@pytest.mark.parametrize("name", damage.FILES)
def test_files_full_of_hashes_ids_and_public_keys_stay(redactor: Redactor, name: str) -> None:
    text = damage.FILES[name](random.Random(f"kept {name}"))
    assert redactor.redact(text).text == text


def test_hard_negatives_stay(redactor: Redactor) -> None:
    assert list(altered(redactor, False, 1, "tests")) == []
