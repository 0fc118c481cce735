"""What our messages look like."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from baton.adapters.platforms.matrix import outbound
from baton.adapters.platforms.matrix.place import place
from baton.ports.platform import Upload

WORDS = {
    "msgtype": "m.text",
    "m.mentions": {},
    "body": "be bold",
    "format": "org.matrix.custom.html",
    "formatted_body": "<p>be <strong>bold</strong></p>",
}


def test_markdown_is_a_plain_body_and_html() -> None:
    assert outbound.render_text("be **bold**") == WORDS


def test_a_message_hangs_on_its_thread_also_for_clients_without_threads() -> None:
    assert outbound.put_in_thread(place("!r"), WORDS) == WORDS
    assert outbound.put_in_thread(place("!r", "$root"), WORDS) == {
        **WORDS,
        "m.relates_to": {
            "rel_type": "m.thread",
            "event_id": "$root",
            "is_falling_back": True,
            "m.in_reply_to": {"event_id": "$root"},
        },
    }


def test_an_edit_has_the_whole_new_text_and_repeats_only_its_beginning() -> None:
    edit = outbound.render_edit("$1", outbound.render_text("x" * 30_000))

    assert edit["m.relates_to"] == {"rel_type": "m.replace", "event_id": "$1"}
    assert edit["m.new_content"] == outbound.render_text("x" * 30_000)
    assert str(edit["body"]).startswith("* xxx")
    assert len(str(edit["body"])) < 600


def test_a_file_has_its_name_beside_its_caption() -> None:
    upload = Upload("a.png", "image/png", b"123")
    where = {"url": "mxc://a/b"}
    info = {"mimetype": "image/png", "size": 3}
    bare = {"msgtype": "m.image", "m.mentions": {}, "filename": "a.png", "info": info, "url": "mxc://a/b"}

    assert outbound.render_file(upload, "", where) == {**bare, "body": "a.png"}
    captioned = {name: WORDS[name] for name in ("body", "format", "formatted_body")}
    assert outbound.render_file(upload, "be **bold**", where) == {**bare, **captioned}
    odd = Upload("a", "nonsense", b"")
    assert outbound.render_file(odd, "", where)["msgtype"] == "m.file"


@given(st.text())
def test_a_transaction_is_the_same_for_the_same_key_and_fits_a_path(key: str) -> None:
    made = outbound.transaction_id(key)

    assert made == outbound.transaction_id(key)
    assert made != outbound.transaction_id(f"{key}.")
    assert made.replace("-", "").isalnum()
    assert len(made) < 64
