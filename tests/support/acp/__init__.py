"""An ACP client for tests: raw JSON-RPC, every frame recorded and checked against the published schema."""
