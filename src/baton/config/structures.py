"""What a value may be that is more than one text: a list, names with texts, or names with a group of keys each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from baton.config.kinds import Text

if TYPE_CHECKING:
    from collections.abc import Callable


class ListOf:
    """Texts of one form, in order. In a variable or a flag they are written with commas between them."""

    name = "list"

    def __init__(self, item: Text, form: str, *, most: int) -> None:
        self.item, self.form, self.most = item, form, most

    @property
    def allowed(self) -> str:
        return f"a list of {self.form} (at most {self.most})"

    def read(self, text: str, *, bare: bool) -> tuple[str, ...]:
        parts = [part.strip() for part in text.split(",")] if text.strip() else []
        return self.collect([(part, bare) for part in parts])

    def collect(self, items: list[tuple[str, bool]]) -> tuple[str, ...]:
        """The value of these texts, each with whether it was bare; raises `ValueError` when it is not allowed."""
        if len(items) > self.most:
            raise ValueError
        return tuple(self.item.read(text, bare=bare) for text, bare in items)

    def schema(self) -> dict[str, object]:
        return {"type": "array", "items": self.item.schema(), "maxItems": self.most}


class MapOf:
    """Names with a text each. In a variable or a flag they are written as name=text, with commas between them."""

    name = "names with texts"

    def __init__(self, names: Text, texts: Text, form: str, *, most: int) -> None:
        self.names, self.texts, self.form, self.most = names, texts, form, most

    @property
    def allowed(self) -> str:
        return f"{self.form} (at most {self.most})"

    def read(self, text: str, *, bare: bool) -> dict[str, str]:
        pairs: dict[str, tuple[str, bool]] = {}
        for part in text.split(",") if text.strip() else ():
            name, equals, held = part.partition("=")
            if not equals or name.strip() in pairs:
                raise ValueError
            pairs[name.strip()] = (held.strip(), bare)
        return self.collect(pairs)

    def collect(self, pairs: dict[str, tuple[str, bool]]) -> dict[str, str]:
        if len(pairs) > self.most:
            raise ValueError
        return {
            self.names.read(name, bare=True): self.texts.read(text, bare=bare) for name, (text, bare) in pairs.items()
        }

    def schema(self) -> dict[str, object]:
        names, texts = self.names.schema(), self.texts.schema()
        return {"type": "object", "propertyNames": names, "additionalProperties": texts, "maxProperties": self.most}


class TableOf:
    """Names with a group of keys each, declared by the settings class `record`.

    Exactly one of the keys `one_of` must be given. In a variable or a flag the whole table is written as JSON.
    """

    name = "table"

    def __init__(self, names: Text, record: type[Any], *, one_of: tuple[str, str], most: int) -> None:
        self.names, self.record, self.one_of, self.most = names, record, one_of, most

    @property
    def allowed(self) -> str:
        from baton.core.value import fields

        keys = ", ".join(each.name for each in fields(self.record))
        return f"names ({self.names.form}), at most {self.most}, each with the keys {keys}"

    @property
    def one(self) -> str:
        """What every record must have."""
        return f"{' or '.join(self.one_of)}, and not both"

    def read(self, text: str, *, bare: bool) -> dict[str, Any]:
        del text, bare
        raise ValueError

    def complete(self, record: object) -> bool:
        first, second = (bool(getattr(record, name)) for name in self.one_of)
        return first != second

    def schema(self, record: Callable[[type[Any]], dict[str, object]] | None = None) -> dict[str, object]:
        """`record` says what the schema of a settings class is."""
        inner = record(self.record) if record else {}
        inner |= {"type": "object", "oneOf": [{"required": [name]} for name in self.one_of]}
        names = self.names.schema()
        return {"type": "object", "propertyNames": names, "additionalProperties": inner, "maxProperties": self.most}
