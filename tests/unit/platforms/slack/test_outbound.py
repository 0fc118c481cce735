from __future__ import annotations

from baton.adapters.platforms.slack.outbound import has_key, mark_with_key, render, render_title, size
from baton.ports.platform import Button, Outgoing


def test_markdown_and_what_is_shown_without_it() -> None:
    assert render(Outgoing("**a** <!here> [b](https://c.example)")) == {
        "text": "*a* &lt;!here&gt; <https://c.example|b>",
        "blocks": [{"type": "markdown", "text": "**a** <\u200b!here> [b](https://c.example)"}],
    }


def test_buttons() -> None:
    [_, actions] = render(Outgoing("sure?", (Button("Yes " * 40, "y"), Button("No", "n"))))["blocks"]
    assert actions["block_id"] == "baton"
    assert [(len(each["text"]["text"]), each["value"], each["action_id"]) for each in actions["elements"]] == [
        (75, "y", "baton-0"),
        (2, "n", "baton-1"),
    ]


def test_a_title_is_one_plain_line_within_the_limit() -> None:
    made = render_title("*a*\n\n<!channel> " + "x" * 300)
    assert made["text"] == f"**a* &lt;!channel&gt; {'x' * 135}*"
    assert made["blocks"][0]["text"] == {"type": "plain_text", "text": f"*a* <!channel> {'x' * 135}", "emoji": False}
    assert render_title(" \n ")["blocks"][0]["text"]["text"] == "Baton"


def test_size_counts_as_slack_does() -> None:
    assert size("a👋") == 3
    assert size("<!here>") == 8


def test_marks_are_told_apart() -> None:
    metadata = mark_with_key("c/1/2")["metadata"]
    assert has_key(metadata, "c/1/2")
    assert not has_key(metadata, "c/1/3")
    assert not has_key({**metadata, "event_type": "another"}, "c/1/2")
    assert not has_key({}, "")
