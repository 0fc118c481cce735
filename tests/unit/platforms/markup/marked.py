"""Markdown as a model might write it, and as somebody might who wishes us ill."""

from __future__ import annotations

from hypothesis import strategies as st

_WORDS = st.text(alphabet="abcXYZ 019ü\u05d0😀\u200d👩\u0301", min_size=1, max_size=12)
_MARKS = ("**", "*", "_", "~~", "`", "```", "[", "](", ")", "![", "|", "<", ">", "<b>", "</script>", "&amp;", "\\")
_LINES = ("```py\n", "\n", "\n\n", "> ", "- ", "1. ", "    ", "# ", "\n|-|-|\n", "---\n", "\t", "\0", "\r\n")
_BITS = st.sampled_from((*_MARKS, *_LINES, "javascript:", "https://a.b/(c)"))

naughty = st.lists(_WORDS | _BITS, max_size=30).map("".join)
anything = naughty | st.text(max_size=80)

prose = st.lists(
    st.lists(st.text(alphabet="abcdefxyzüß😀ñ,", min_size=1, max_size=8), min_size=1, max_size=6).map(" ".join),
    min_size=1,
    max_size=4,
).map("\n\n".join)
"""Paragraphs without any mark."""
