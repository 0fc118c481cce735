"""How a settings class declares its keys, and the tree that every reader of the schema walks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from baton.config.project_file import MAY_SET
from baton.core.value import MISSING, Field, field, fields, value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from baton.config.kinds import Kind
    from baton.config.sources import Given

T = TypeVar("T")


@value
class Key:
    """One setting. `default` is made on each call, so that a long default is read only when somebody needs it."""

    path: str
    kind: Kind
    doc: str
    default: Callable[[], object]
    nullable: bool
    secret: bool
    short_variable: str | None

    @property
    def variables(self) -> tuple[str, ...]:
        """The environment variables that set this key, the one to show first."""
        long = "BATON_" + self.path.upper().replace(".", "__")
        return (long,) if self.short_variable is None else (self.short_variable, long)

    @property
    def in_project(self) -> bool:
        """Whether a project file may set it."""
        return self.path in MAY_SET

    @property
    def allowed(self) -> str:
        return f"{self.kind.allowed}, or null" if self.nullable else self.kind.allowed

    def read(self, text: str, *, bare: bool) -> object:
        """The value that `text` stands for; raises `ValueError` when it is not allowed."""
        if not bare or text != "null":
            return self.kind.read(text, bare=bare)
        if not self.nullable:
            raise ValueError
        return None


@value
class Section:
    """A group of keys and further sections, by name in order of declaration."""

    path: str
    doc: str
    settings: type[Any]
    children: dict[str, Key | Section]

    def walk(self) -> Iterator[Key | Section]:
        """Every key and section below this one, each section before what it holds."""
        for child in self.children.values():
            yield child
            if isinstance(child, Section):
                yield from child.walk()

    def every_key(self) -> dict[str, Key]:
        return {child.path: child for child in self.walk() if isinstance(child, Key)}


def key(default: T, kind: Kind, *, doc: str, secret: bool = False, variable: str | None = None) -> T:
    """Declares a key; a default of `None` means that null is allowed.

    A `secret` is masked wherever it is shown. `variable` is a short name beside the one made from the path. Whether a
    project file may set it is said in `project_file`.
    """
    return field(default=default, repr=not secret, metadata=_metadata(kind, doc, secret, variable))


def lazy_key(default: Callable[[], T], kind: Kind, *, doc: str, secret: bool = False) -> T:
    """Declares a key whose default is made on first use."""
    return field(default_factory=default, repr=not secret, metadata=_metadata(kind, doc, secret, None))


def section(settings: type[T], *, doc: str) -> T:
    """Declares a group of keys."""
    return field(default_factory=settings, metadata={"section": settings, "doc": doc})


def tree_of(settings: type[Any], path: str = "", doc: str = "") -> Section:
    """The declared keys of a settings class as a tree."""
    prefix = f"{path}." if path else ""
    children = {each.name: _child(each, prefix + each.name) for each in fields(settings)}
    return Section(path, doc, settings, children)


def build(section: Section, given: Given) -> Any:
    """The settings of a section: what is given, and the defaults of everything else."""
    values: dict[str, Any] = {}
    for name, child in section.children.items():
        if isinstance(child, Section):
            values[name] = build(child, given)
        elif child.path in given:
            values[name] = given[child.path][0]
    return section.settings(**values)


def _child(each: Field, path: str) -> Key | Section:
    if "section" in each.metadata:
        return tree_of(each.metadata["section"], path, each.metadata["doc"])
    factory = each.default_factory
    default = factory if factory is not MISSING else lambda: each.default
    return Key(path=path, default=default, nullable=each.default is None, **each.metadata)


def _metadata(kind: Kind, doc: str, secret: bool, variable: str | None) -> dict[str, object]:
    return {"kind": kind, "doc": doc, "secret": secret, "short_variable": variable}
