"""How much a model is to think first, in the words of each API.

A rule says what goes into a request for an effort: nothing (`""`), `ON` for as much as the model thinks fit, or a
level. It answers None where a model is known to have no such choice. Servers with models of anybody's are simply told;
what their model cannot do they say themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from baton.adapters.models.plain.families import LEVELS, family_of, nearest

Fields = Mapping[str, object]
Rule = Callable[[str, str], Fields | None]

ON = "on"

_ADAPTIVE = (
    *("claude-fable-5", "claude-mythos-5", "claude-opus-4-6", "claude-opus-4-7", "claude-opus-4-8"),
    *("claude-opus-5", "claude-sonnet-4-6", "claude-sonnet-5", "claude-haiku-5-5"),
)
_NO_CLAUDE = ("claude-2", "claude-instant", "claude-3-5", "claude-3-haiku", "claude-3-opus", "claude-3-sonnet")
_BUDGETS = {ON: 10_000, "low": 2_048, "medium": 10_000, "high": 16_384}
_GEMINI_BUDGETS = {"low": 2_048, "medium": 8_192, "high": 24_576}
_ENDS = ("low", "high")


def effort_of(thinking: bool | str | None) -> str:
    """What was asked for; raises `ValueError` for a level there is not."""
    if not thinking:
        return ""
    if thinking is not True and thinking not in LEVELS:
        raise ValueError(thinking)
    return ON if thinking is True else thinking


def named(_: str, effort: str) -> Fields | None:
    """The field that OpenAI named and most servers took over."""
    return {"reasoning_effort": _level(effort)} if effort else {}


def open_models(model: str, effort: str) -> Fields | None:
    """Of the open models only this family has levels everywhere."""
    return named(model, effort) if not effort or "gpt-oss" in model else None


def anthropic(model: str, effort: str) -> Fields | None:
    if not effort:
        return {}
    if model.startswith(_NO_CLAUDE):
        return None
    level: dict[str, object] = {"output_config": {"effort": effort}} if effort != ON else {}
    if model.startswith(_ADAPTIVE):
        return {"thinking": {"type": "adaptive"}, **level}
    thinking = {"thinking": {"type": "enabled", "budget_tokens": _BUDGETS[effort]}}
    return thinking | level if model.startswith("claude-opus-4-5") else thinking


def responses(model: str, effort: str) -> Fields | None:
    family = family_of(model)
    if effort and not family.efforts:
        return None
    reasoning = {"effort": nearest(_level(effort), family.efforts)} if effort else {}
    reasoning |= {"context": "all_turns"} if family.remembers else {}
    return {"reasoning": reasoning} if reasoning else {}


def openai_chat(model: str, effort: str) -> Fields | None:
    efforts = family_of(model).efforts
    if not effort:
        return {}
    return {"reasoning_effort": nearest(_level(effort), efforts)} if efforts else None


def google(model: str, effort: str) -> Fields | None:
    if not effort:
        return {}
    if "gemma" in model or "gemini-1" in model or "gemini-2.0" in model or "gemini-2.5-flash-image" in model:
        return None
    config: dict[str, object] = {"include_thoughts": True}
    if effort != ON and "gemini-2.5" in model:
        config["thinking_budget"] = _GEMINI_BUDGETS[effort]
    elif effort != ON:
        level = "low" if effort == "medium" and model.startswith("gemini-3-pro") else effort
        config["thinking_level"] = level.upper()
    return {"thinkingConfig": config}


def openrouter(_: str, effort: str) -> Fields | None:
    return {"reasoning": {"effort": _level(effort), "enabled": True}} if effort else {}


def zai(model: str, effort: str) -> Fields | None:
    """Thoughts of earlier turns are kept, as they are sent back."""
    if not model.lower().startswith(("glm-5", "glm-4.7", "glm-4.6", "glm-4.5")):
        return None if effort else {}
    thinking: dict[str, object] = {"type": "enabled"} if effort else {}
    fields: dict[str, object] = {"thinking": {**thinking, "clear_thinking": False}}
    if effort in LEVELS and model.lower().startswith(("glm-5.2", "glm-5.3")):
        fields["reasoning_effort"] = nearest(effort, _ENDS) if "5.3" in model else effort
    return fields


def cerebras(model: str, effort: str) -> Fields | None:
    """Its GLM always thinks, and cannot be told how much."""
    if model.lower().startswith("zai-"):
        return {"clear_thinking": False} if effort in ("", ON) else None
    return open_models(model, effort)


def deepseek(model: str, effort: str) -> Fields | None:
    return named(model, effort) if not effort or model != "deepseek-chat" else None


def moonshot(model: str, effort: str) -> Fields | None:
    if not effort:
        return {}
    if model.lower().startswith("kimi-k3"):
        return {"reasoning_effort": nearest(_level(effort), _ENDS)}
    thinks = model.lower().startswith(("kimi-k2.5", "kimi-k2.6", "kimi-k2-thinking", "kimi-thinking"))
    return named(model, effort) if thinks else None


def xai(model: str, effort: str) -> Fields | None:
    if not effort:
        return {}
    if model.startswith("grok-3-mini"):
        return {"reasoning_effort": nearest(_level(effort), _ENDS)}
    return named(model, effort) if model.startswith(("grok-4", "grok-latest", "grok-build-latest")) else None


def mistral(model: str, effort: str) -> Fields | None:
    """It knows all or nothing."""
    if not effort:
        return {}
    thinks = model.startswith(("mistral-large-4", "mistral-medium", "mistral-small-latest", "mistral-small-2603"))
    return {"reasoning_effort": "high"} if thinks or model.startswith("magistral") else None


def _level(effort: str) -> str:
    return "medium" if effort == ON else effort
