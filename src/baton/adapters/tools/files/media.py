"""What a file is, told by how it begins."""

from __future__ import annotations

import struct


def image(data: bytes) -> str:
    """`a PNG image, 640×480` and the like, or an empty string."""
    if data.startswith(b"\x89PNG\r\n\x1a\n") and len(data) >= 24:
        width, height = struct.unpack(">II", data[16:24])
        return f"a PNG image, {width}×{height},"
    if data[:6] in (b"GIF87a", b"GIF89a") and len(data) >= 10:
        width, height = struct.unpack("<HH", data[6:10])
        return f"a GIF image, {width}×{height},"
    if data.startswith(b"\xff\xd8\xff"):
        return "a JPEG image"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "a WebP image"
    return ""


def not_text(start: bytes) -> str:
    """What a file is that begins like this and is not text, or an empty string."""
    utf16 = start[:2] in (b"\xff\xfe", b"\xfe\xff")
    return image(start) or ("a binary file" if b"\0" in start and not utf16 else "")
