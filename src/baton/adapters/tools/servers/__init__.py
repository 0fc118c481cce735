"""MCP servers: how they are configured, reached and kept."""
