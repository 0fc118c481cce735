"""MCP servers: how they are configured and reached, and the tools they offer."""
