"""What MCP servers are configured with is known to the redactor; what is no secret there stays."""

from __future__ import annotations

from pathlib import Path

from baton.config import Settings
from baton.config.tool_settings import McpServerSettings, ToolsSettings
from baton.core.value import replace
from baton.wiring.redaction import open_workspace_redactor
from baton.wiring.server_secrets import server_values

SHOP = McpServerSettings(
    command="shop",
    args=("--api-key", "Kiesel-Weg-81", "--level", "debug", "--token=Ahorn_Blatt_7"),
    env={"SHOP_TOKEN": "Moos und Farn 3", "REGION": "eu-central-1", "OTHER_TOKEN": "${FROM_OUTSIDE}"},
)
MAPS = McpServerSettings(
    url="https://maps.example.com/s/q8Jz0vTk2LmNx4RbYw17/mcp?api_key=Sandstein99",
    headers={"Authorization": "Bearer Eisvogel-Teich-4", "X-Client": "baton"},
)
TOLD = (
    "Kiesel-Weg-81, Ahorn_Blatt_7, Moos und Farn 3, tief.im.Wald9, q8Jz0vTk2LmNx4RbYw17, Sandstein99, Eisvogel-Teich-4"
)


def test_values_of_servers_are_cut_and_settings_stay(tmp_path: Path) -> None:
    settings = replace(Settings(), tools=ToolsSettings(mcp_servers={"shop": SHOP}))
    environ = {"FROM_OUTSIDE": "tief.im.Wald9"}
    redactor = open_workspace_redactor(str(tmp_path), str(tmp_path), settings, environ, [MAPS])
    cleaned = redactor.redact(f"{TOLD}; eu-central-1, debug, baton, maps.example.com").text
    assert [each for each in TOLD.split(", ") if each in cleaned] == []
    assert cleaned.endswith("; eu-central-1, debug, baton, maps.example.com")


def test_two_servers_may_use_one_name() -> None:
    servers = [McpServerSettings(command="a", env={"TOKEN": each}) for each in ("value-one", "value-two")]
    assert [*server_values(servers, {}).values()] == ["value-one", "value-two"]
