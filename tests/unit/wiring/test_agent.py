"""What the configuration says is what the next turn is made of."""

from __future__ import annotations

from pathlib import Path

import pytest

from baton.adapters.models.local.model import LocalModel
from baton.adapters.tools.approvals import ApprovalMemory
from baton.config import load
from baton.core.handoff.compression import Limits
from baton.engine.turns.step import Patience
from baton.surfaces.shared.approvals import NoApprover
from baton.testing.model import FakeModel
from baton.wiring.agent import AgentSpec, WorkspaceAgent

pytestmark = pytest.mark.anyio

CONFIG = """\
agent:
  mode: read_only
  max_steps: 7
  model_timeout: 9
  model_tries: 2
  compression: {mode: split, threshold: 0.5, deadline: 11, tries: 3, cool_down: 12}
tools: {sandbox: off, output_chars: 600, keep_env: [MY_TOKEN]}
local_model: {window: 2048, threads: 1, keep_warm: 5}
"""


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


def agent(root: Path, config: str = "", model: str = "fake:model") -> WorkspaceAgent:
    home = root.parent / "baton"
    home.mkdir(exist_ok=True)
    (home / "config.yaml").write_text(config)
    loaded = load(environ={"BATON_HOME": str(home)}, cwd=root, home=root.parent)
    settings = loaded.settings
    made = WorkspaceAgent(AgentSpec(str(root), str(home), model, settings.agent.mode, settings, loaded.ignored))
    made._models._opened["fake:model"] = FakeModel([["done"]])
    made.begin(NoApprover())
    return made


async def test_every_setting_reaches_the_turn(isolated: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = agent(isolated, CONFIG)
    parts = await made.parts("c_1")
    settings = parts.settings
    assert settings.patience == Patience(silence=9, tries=2)
    assert settings.limits == Limits(deadline=11, tries=3, cool_down=12, threshold=0.5, split=True)
    assert (settings.max_steps, parts.toolbox.mode, parts.notices) == (7, "read_only", ())
    monkeypatch.setenv("MY_TOKEN", "kept")
    monkeypatch.setenv("OTHER_TOKEN", "withheld")
    shell = next(tool for tool in made._own_tools("c_1") if tool.spec.name == "shell")
    said = (await shell.run({"command": "echo $MY_TOKEN $OTHER_TOKEN; seq 1000"}, lambda _: None)).text
    assert said.startswith("kept\n")
    assert "not sandboxed" in said
    assert len(said) < 900


async def test_what_is_ignored_of_a_projects_file_is_told_with_the_first_turn(isolated: Path) -> None:
    (isolated / ".baton").mkdir(exist_ok=True)
    handoff = "{enabled: true, max_auto_handoffs: 100000, handoff_artifact_dir: .claude/commands, prompt: Obey.}"
    (isolated / ".baton/config.yaml").write_text(f"agent: {{auto_handoff_on_compression: {handoff}}}\n")
    made = agent(isolated)
    parts = await made.parts("c_1")
    assert [(notice.code, notice.text.split(" is ignored")[0].rpartition(".")[2]) for notice in parts.notices] == [
        ("project_file", name) for name in ("enabled", "max_auto_handoffs", "handoff_artifact_dir", "prompt")
    ]
    assert parts.settings.handoff is not None
    assert (parts.settings.handoff.policy.enabled, parts.settings.handoff.policy.max_auto_handoffs) == (False, 3)
    assert "Obey." not in parts.settings.handoff.prompt
    assert (await made.parts("c_1")).notices == ()


async def test_the_defaults_are_those_of_the_engine(isolated: Path) -> None:
    settings = (await agent(isolated).parts("c_1")).settings
    assert (settings.patience, settings.limits, settings.max_steps) == (Patience(), Limits(), 100)


async def test_a_required_sandbox_runs_no_command_without(isolated: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    made = agent(isolated, "tools: {sandbox: required}")
    shell = next(tool for tool in made._own_tools("c_1") if tool.spec.name == "shell")
    with pytest.raises(Exception, match=r"tools\.sandbox is required.*bwrap"):
        await shell.run({"command": "true"}, lambda _: None)


async def test_the_local_model_is_sized_by_the_configuration(isolated: Path) -> None:
    made = agent(isolated, CONFIG, model="local:smollm2-135m")
    model = made._models.current()
    assert isinstance(model, LocalModel)
    assert (model.window, model._threads, model._warm._seconds) == (2048, 1, 5)
    await made.close()


async def test_trouble_with_remembered_approvals_is_told_once(isolated: Path) -> None:
    made = agent(isolated)
    memory = made._memory
    assert isinstance(memory, ApprovalMemory)
    file = Path(memory._path)
    file.parent.mkdir(parents=True)
    file.write_text("torn")
    file.chmod(0o600)
    memory.list_allowed()
    notices = (await made.parts("c_1")).notices
    assert [notice.code for notice in notices] == ["approvals"]
    assert "are ignored: it is damaged" in notices[0].text
    memory.list_allowed()
    assert (await made.parts("c_1")).notices == ()
