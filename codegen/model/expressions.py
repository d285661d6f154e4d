"""These records hold the expressions of `where`, `when` and `holds`."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from model.refs import Ref
from source.source import Place


class Op(StrEnum):
    HAS = "has"
    ADDED = "added"
    CHANGED = "changed"
    CHANGED_PARENT = "changed_parent"
    REMOVED = "removed"
    ROOT = "root"  # of a relation: it has children and no parent
    LEAF = "leaf"  # of a relation: it has a parent and no children
    IS = "=="  # of a state: it has a value
    COMPARES = "compares"  # a field with `value` by `sign`, or a bool by itself
    NOT = "!"
    AND = "&"
    OR = "|"
    XOR = "^"


class Expr(NamedTuple):
    """A `where` expression. An atom carries `ref`, NOT has one operand, the others have more."""

    op: Op
    place: Place
    ref: Ref | None = None
    operands: tuple[Expr, ...] = ()
    value: Ref | None = None  # of IS, with `ref` as the state; of COMPARES, with `ref` as the field
    sign: str = ""  # of COMPARES with a value: == != < <= > >=

    def refs(self) -> Iterator[Ref]:
        """Yields the names in it, as often as they stand there."""
        return (atom.ref for atom in self.atoms() if atom.ref)

    @property
    def atom(self) -> str:
        """Returns the question about a row as the schema writes it: `burning`, `added(burning)`."""
        assert self.ref is not None
        if self.value is not None:
            return f"{self.ref.name} {self.sign or '=='} {self.value.name}"
        alone = self.op in (Op.HAS, Op.COMPARES)
        return self.ref.name if alone else f"{self.op.value}({self.ref.name})"

    @property
    def text(self) -> str:
        """Returns it as a schema has it; an inner expression with two sides gets ( )."""
        if self.ref is not None:
            return self.atom
        parts = [f"({o.text})" if self._wraps(o) else o.text for o in self.operands]
        return f"!{parts[0]}" if self.op is Op.NOT else f" {self.op.value} ".join(parts)

    def _wraps(self, operand: Expr) -> bool:
        return len(operand.operands) > 1 or (self.op is Op.NOT and operand.value is not None)

    def atoms(self) -> Iterator[Expr]:
        """Yields every part that asks about a component, from left to right."""
        if self.ref is not None:
            yield self
        for operand in self.operands:
            yield from operand.atoms()
