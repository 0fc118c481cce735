"""A link where only text can be shown."""

from __future__ import annotations


def shown_address(label: str, address: str) -> str:
    """What has to follow the label so that the address can be read; nothing if the label says it already."""
    said = label.strip()
    if said in (address, address.removeprefix("mailto:")):
        return ""
    return f" ({address})"
