"""Buttons below a message."""

from __future__ import annotations

from collections.abc import Sequence

from telegram import InlineKeyboardButton, InlineKeyboardMarkup

from baton.ports.platform import Button

_IN_A_ROW = 3
_SHORT = 14
"""Labels of up to so many characters stand side by side on a telephone."""


def keyboard(buttons: Sequence[Button]) -> InlineKeyboardMarkup | None:
    if not buttons:
        return None
    short = all(len(button.label) <= _SHORT for button in buttons)
    step = _IN_A_ROW if short else 1
    made = [InlineKeyboardButton(button.label, callback_data=button.choice) for button in buttons]
    return InlineKeyboardMarkup([made[at : at + step] for at in range(0, len(made), step)])
