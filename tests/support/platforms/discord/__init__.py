"""A strict stand-in for Discord: REST API v10, gateway v10 and file server, with one server ("guild") and a few people.

It refuses what Discord's documentation says Discord refuses. Where the published OpenAPI document is at hand, every
request and every answer is checked against it too. `python -m tests.support.platforms.discord` runs it alone.
"""
