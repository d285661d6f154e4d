"""Words of the page: plain text, code, and links to what the schema declares."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from model.model import Expr, Model, Ref, Type

_PARAGRAPH = re.compile(r"\n\s*\n")
_NAME = re.compile(r"[a-z_][a-z0-9_]*")


@dataclass(frozen=True)
class Link:
    text: str
    anchor: str


@dataclass(frozen=True)
class Code:
    text: str


Words: TypeAlias = list[str | Link | Code]


@dataclass(frozen=True)
class Fact:
    """A line about a declaration: a label, and words."""

    label: str
    words: Words


class Names:
    """Finds what a name stands for, and links to it."""

    def __init__(self, model: Model) -> None:
        self._items: dict[str, tuple[str, Any]] = {}
        for kind, items in _kinds(model):
            self._items |= {name: (kind, item) for name, item in items.items()}

    def kind(self, name: str) -> str:
        return self._items[name][0] if name in self._items else ""

    def item(self, kind: str, name: str) -> Any:
        return self._items[name][1]

    def link(self, name: str) -> str | Link:
        kind = self.kind(name)
        return Link(name, f"{kind}-{name}") if kind else name

    def listed(self, refs: Iterable[Ref | str]) -> Words:
        """Returns names with commas between them, each once."""
        names = dict.fromkeys(ref if isinstance(ref, str) else ref.name for ref in refs)
        words: Words = []
        for name in names:
            words += [", ", self.link(name)] if words else [self.link(name)]
        return words

    def expression(self, where: Expr) -> Words:
        """Returns a `where` as the schema has it, with links."""
        return list(self._linked(where.text))

    def type(self, type: Type) -> Words:
        name = self.link(type.name)
        return [name, type.text.removeprefix(type.name)]

    def _linked(self, text: str) -> Iterator[str | Link | Code]:
        at = 0
        for found in _NAME.finditer(text):
            link = self.link(found[0])
            if isinstance(link, Link) and text[found.end() : found.end() + 1] != "(":
                yield text[at : found.start()]
                yield link
                at = found.end()
        yield text[at:]

    def doc(self, text: str) -> Words:
        """Returns a doc: names in backticks become links, all else in them code.

        Lines are joined, and a line without text parts paragraphs.
        """
        text = "\n".join(" ".join(part.split()) for part in _PARAGRAPH.split(text.strip()))
        parts = text.split("`")
        if len(parts) % 2 == 0:  # a backtick has no other
            return [text]
        words = [self._code(part) if i % 2 else part for i, part in enumerate(parts)]
        return [word for word in words if word != ""]

    def _code(self, text: str) -> str | Link | Code:
        link = self.link(text)
        return link if isinstance(link, Link) else Code(text)


def _kinds(model: Model) -> Iterator[tuple[str, dict[str, Any]]]:
    yield "enum", model.enums
    yield "struct", model.structs
    yield "extern", model.externs
    components = model.components
    yield "component", {n: c for n, c in components.items() if not c.is_tag}
    yield "tag", {n: c for n, c in components.items() if c.is_tag}
    yield "singleton", model.singletons
    yield "event", model.events
    yield "prefab", model.prefabs
    yield "query", model.queries
    yield "system", model.systems
    yield "relation", model.relations
