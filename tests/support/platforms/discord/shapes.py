"""Discord's objects as JSON."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

Json = dict[str, Any]


def now() -> str:
    return datetime.now(UTC).isoformat()


def user(user_id: str, name: str, *, bot: bool = False) -> Json:
    return {
        "id": user_id,
        "username": name,
        "avatar": None,
        "discriminator": "0",
        "public_flags": 0,
        "flags": 0,
        "bot": bot,
        "global_name": None if bot else name.title(),
        "primary_guild": None,
    }


def myself(bot: Json) -> Json:
    return {**bot, "mfa_enabled": False, "locale": "en-US", "verified": True, "email": None}


def application(app_id: str, bot: Json, owner: Json) -> Json:
    return {
        "id": app_id,
        "name": "Baton",
        "icon": None,
        "description": "",
        "type": None,
        "bot": bot,
        "bot_public": False,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "flags": 1 << 19,
        "flags_new": str(1 << 19),
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "owner": owner,
        "approximate_guild_count": 1,
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "explicit_content_filter": 0,
        "team": None,
        "eligible_oauth2_scopes": [],
    }


def text_channel(channel_id: str, guild_id: str, name: str, position: int, kind: int = 0) -> Json:
    return {
        "id": channel_id,
        "type": kind,
        "flags": 0,
        "guild_id": guild_id,
        "name": name,
        "position": position,
        "parent_id": None,
        "last_message_id": None,
        "permission_overwrites": [],
        "nsfw": False,
        "topic": None,
        "rate_limit_per_user": 0,
    }


def private_channel(channel_id: str, person: Json) -> Json:
    return {"id": channel_id, "type": 1, "flags": 0, "last_message_id": None, "recipients": [person]}


def thread(thread_id: str, parent: Json, name: str, owner_id: str, kind: int, archive: int) -> Json:
    return {
        "id": thread_id,
        "type": kind,
        "flags": 0,
        "guild_id": parent["guild_id"],
        "parent_id": parent["id"],
        "name": name,
        "owner_id": owner_id,
        "last_message_id": None,
        "rate_limit_per_user": 0,
        "message_count": 0,
        "member_count": 1,
        "total_message_sent": 0,
        "thread_metadata": {
            "archived": False,
            "archive_timestamp": now(),
            "auto_archive_duration": archive,
            "locked": False,
        },
    }


def message(message_id: str, channel_id: str, author: Json, content: str, kind: int = 0) -> Json:
    return {
        "type": kind,
        "content": content,
        "mentions": [],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
        "timestamp": now(),
        "edited_timestamp": None,
        "flags": 0,
        "components": [],
        "id": message_id,
        "channel_id": channel_id,
        "author": author,
        "pinned": False,
        "mention_everyone": False,
        "tts": False,
    }


def attachment(attachment_id: str, name: str, size: int, url: str, media_type: str) -> Json:
    return {
        "id": attachment_id,
        "filename": name,
        "size": size,
        "url": url,
        "proxy_url": url,
        "content_type": media_type,
    }


def member(person: Json) -> Json:
    return {"user": person, "roles": [], "joined_at": now(), "deaf": False, "mute": False, "flags": 0}


def whole_member(person: Json) -> Json:
    """As the guild itself is asked for one."""
    nothing = dict.fromkeys(("avatar", "banner", "communication_disabled_until", "nick", "premium_since"))
    return {**member(person), **nothing, "pending": False}


def guild(guild_id: str, owner_id: str, channels: list[Json], threads: list[Json], members: list[Json]) -> Json:
    everyone = {
        "id": guild_id,
        "name": "@everyone",
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "position": 0,
        "permissions": str((1 << 52) - 1),
        "managed": False,
        "mentionable": False,
        "flags": 0,
    }
    return {
        "id": guild_id,
        "name": "Workshop",
        "icon": None,
        "owner_id": owner_id,
        "roles": [everyone],
        "emojis": [],
        "stickers": [],
        "features": [],
        "channels": channels,
        "threads": threads,
        "members": members,
        "member_count": len(members),
        "voice_states": [],
        "presences": [],
        "stage_instances": [],
        "guild_scheduled_events": [],
        "soundboard_sounds": [],
        "large": False,
        "joined_at": now(),
        "premium_tier": 0,
        "preferred_locale": "en-US",
        "nsfw_level": 0,
        "verification_level": 0,
        "default_message_notifications": 0,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "system_channel_flags": 0,
        "afk_timeout": 300,
        "premium_progress_bar_enabled": False,
    }
