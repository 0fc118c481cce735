"""Telegram, by long polling of the Bot API."""
