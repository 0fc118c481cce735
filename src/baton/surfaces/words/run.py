"""What `baton run` prints beside the answer: one line for each thing that happens."""

from __future__ import annotations

NOTED = "◆ {text}"
PACKET_WRITTEN = "◆ Packet written: {path} · {tokens:,} tokens · score {share:.0%}."
