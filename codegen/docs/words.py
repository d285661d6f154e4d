"""The words of the page: plain text, code, and links to declarations."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from model.expressions import Expr
from model.model import Model
from model.named import declarations
from model.refs import Ref
from model.types import Type

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
    """A line about a declaration: a label and words."""

    label: str
    words: Words


class Names:
    """Finds the declaration of a name, and links to it."""

    def __init__(self, model: Model) -> None:
        self._kinds: dict[str, str] = {}
        for one in declarations(model):
            is_tag = one.kind == "component" and model.is_tag(one.name)
            self._kinds[one.name] = "tag" if is_tag else one.kind
        sections = (model.types, model.data, model.data.kept, model.code)
        values = (value for section in sections for value in vars(section).values())
        tables = (value for value in values if isinstance(value, dict))
        self._items = {name: item for table in tables for name, item in table.items()}

    @property
    def kinds(self) -> dict[str, str]:
        """Returns the kind of each declaration. Here, a tag is a kind of its own."""
        return self._kinds

    def kind(self, name: str) -> str:
        return self._kinds.get(name, "")

    def item(self, name: str) -> Any:
        return self._items[name]

    def link(self, name: str) -> str | Link:
        kind = self.kind(name)
        return Link(name, f"{kind}-{name}") if kind else name

    def listed(self, refs: Iterable[Ref | str]) -> Words:
        """Returns names separated by commas, without duplicates."""
        names = dict.fromkeys(ref if isinstance(ref, str) else ref.name for ref in refs)
        words: Words = []
        for name in names:
            words += [", ", self.link(name)] if words else [self.link(name)]
        return words

    def expression(self, where: Expr) -> Words:
        """Returns a `where` as the schema writes it, with links."""
        return list(self._linked(where.text))

    def type(self, type: Type) -> Words:
        name = self.link(type.name)
        if type.by:
            return [name, "[", self.link(type.by), "]"]
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
        """Returns a doc. Names in backticks become links; other text in backticks becomes code.

        Lines are joined, and an empty line separates paragraphs.
        """
        text = "\n".join(" ".join(part.split()) for part in _PARAGRAPH.split(text.strip()))
        parts = text.split("`")
        if len(parts) % 2 == 0:  # a backtick is not closed
            return [text]
        words = [self._code(part) if i % 2 else part for i, part in enumerate(parts)]
        return [word for word in words if word != ""]

    def _code(self, text: str) -> str | Link | Code:
        link = self.link(text)
        return link if isinstance(link, Link) else Code(text)
