"""`python -m bench.streaming`: a model server on the loopback that streams one long Markdown answer, for `chat`.

It prints, as JSON, the variables that lead a model there, and serves until its input ends.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections.abc import Iterator

from bench import texts

PIECE = 5
PAUSES_PER_SECOND = 50
LAST = "This is the last line."


def markdown(lines: int) -> str:
    """So many lines of headings, prose, lists, tables and code, as a model writes them, in plain ASCII."""
    written: list[str] = []
    section = 0
    while len(written) < lines - 2:
        section += 1
        written += _section(section)
    return "\n".join([*written[: lines - 2], "", LAST])


def _section(number: int) -> list[str]:
    words = texts.message(number, 160)
    return [
        f"## Part {number}",
        "",
        f"{words[:75]} **{words[75:90]}** `{words[90:105]}`",
        words[105:],
        "",
        *(f"- item {item}: {words[item * 9 : item * 9 + 40]}" for item in range(4)),
        "",
        "```python",
        *(f"def part_{number}_{line}(value: int) -> int: return value + {line}" for line in range(5)),
        "```",
        "",
        "| name | value |",
        "|---|---|",
        *(f"| row {row} | {number * row} |" for row in range(3)),
        "",
    ]


def paced(text: str, seconds: float) -> Iterator[object]:
    """Pieces the size of a token, with pauses between them that stretch the whole to `seconds`."""
    from tests.support.model_servers import Wait

    pieces = [text[at : at + PIECE] for at in range(0, len(text), PIECE)]
    group = max(1, round(len(pieces) / (seconds * PAUSES_PER_SECOND)))
    for number, piece in enumerate(pieces):
        yield piece
        if number % group == group - 1:
            yield Wait(1 / PAUSES_PER_SECOND)


async def serve(lines: int, seconds: float) -> None:
    from tests.support.model_servers import OpenAIServer, say

    async with OpenAIServer([say(*paced(markdown(lines), seconds))]) as server:
        print(json.dumps(server.environ), flush=True)
        await asyncio.to_thread(sys.stdin.read)


def main() -> None:
    parser = argparse.ArgumentParser(description="Streams one long answer.")
    parser.add_argument("--lines", type=int, default=2000)
    parser.add_argument("--seconds", type=float, default=25)
    options = parser.parse_args()
    asyncio.run(serve(options.lines, options.seconds))


if __name__ == "__main__":
    main()
