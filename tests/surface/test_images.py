from __future__ import annotations

import os
from pathlib import Path

import pytest

from baton.core.errors import BadImage
from baton.surfaces.shared import images
from baton.surfaces.shared.images import Picture

PICTURES = {
    "image/png": b"\x89PNG\r\n\x1a\n" + bytes(20),
    "image/jpeg": b"\xff\xd8\xff\xe0" + bytes(20),
    "image/gif": b"GIF87a" + bytes(20),
    "image/webp": b"RIFF\x10\0\0\0WEBP" + bytes(20),
}


@pytest.mark.parametrize("kind", PICTURES)
def test_content_says_what_a_picture_is(isolated: Path, kind: str) -> None:
    (isolated / "named.txt").write_bytes(PICTURES[kind])
    assert images.read("named.txt", str(isolated)) == Picture("named.txt", kind, PICTURES[kind])


@pytest.mark.parametrize("content", [b"", b"<svg/>", b"\x89PN", b"RIFF\x10\0\0\0WAVE"])
def test_a_name_makes_no_picture(isolated: Path, content: bytes) -> None:
    (isolated / "shot.png").write_bytes(content)
    with pytest.raises(BadImage, match=r"shot\.png cannot be attached: it is not an image"):
        images.read("shot.png", str(isolated))


def test_what_is_no_file_is_refused_at_once(isolated: Path) -> None:
    os.mkfifo(isolated / "pipe.png")
    for name in ("pipe.png", ".", "missing.png", "nul\0.png"):
        assert not images.is_image(name, str(isolated))
        with pytest.raises(BadImage):
            images.read(name, str(isolated))


def test_pictures_are_bounded_alone_and_together(isolated: Path) -> None:
    big = PICTURES["image/png"] + bytes(images.LARGEST)
    (isolated / "big.png").write_bytes(big)
    with pytest.raises(BadImage, match="larger than 5 MB"):
        images.find_pictures("look at @big.png", str(isolated))
    most = Picture("a.png", "image/png", big[: images.LARGEST])
    assert images.check_total_size([most, most]) == [most, most]
    with pytest.raises(BadImage, match="too large together"):
        images.check_total_size([most, most, most])


def test_only_named_pictures_are_found(isolated: Path) -> None:
    for name in ("a.png", "b c.png", "d.png"):
        (isolated / name).write_bytes(PICTURES["image/png"])
    (isolated / "code.py").write_text("x")
    text = 'see @a.png, (mail me@d.png) @"b c.png" @code.py @missing.png @a.png? @'
    assert [picture.name for picture in images.find_pictures(text, str(isolated))] == ["a.png", "b c.png"]
