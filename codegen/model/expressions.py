"""Records for the expressions of `where`, `when` and `holds`."""

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
    ROOT = "root"  # of a relation: rows with children and without a parent
    LEAF = "leaf"  # of a relation: rows with a parent and without children
    IS = "=="  # of a state: the state has this value
    COMPARES = "compares"  # a field compared with `value`, or a bool alone
    NOT = "!"
    AND = "&"
    OR = "|"
    XOR = "^"


class Expr(NamedTuple):
    """An expression. An atom has `ref`; NOT has one operand; the other operators have several."""

    op: Op
    place: Place
    ref: Ref | None = None
    operands: tuple[Expr, ...] = ()
    value: Ref | None = None  # for IS, `ref` is the state; for COMPARES, `ref` is the field
    sign: str = ""  # for COMPARES with a value: == != < <= > >=
    link: Ref | None = None  # for `from(owes)`: the link; `ref` is then its tag, see trees.py
    end: str = ""  # "from" or "to", the end of the link at which the row is

    def refs(self) -> Iterator[Ref]:
        """Yields the names in it, once for each occurrence."""
        return (atom.ref for atom in self.atoms() if atom.ref)

    @property
    def atom(self) -> str:
        """Returns an atom as the schema writes it: `burning`, `added(burning)`."""
        assert self.ref is not None
        if self.value is not None:
            return f"{self.ref.name} {self.sign or '=='} {self.value.name}"
        name = f"{self.end}({self.link.name})" if self.link else self.ref.name
        return name if self.op in (Op.HAS, Op.COMPARES) else f"{self.op.value}({name})"

    @property
    def named(self) -> Ref | None:
        """Returns the name that an atom contains: that of its link, or `ref`."""
        return self.link or self.ref

    @property
    def text(self) -> str:
        """Returns the expression as the schema writes it, with ( ) around inner binary
        operators.
        """
        if self.ref is not None:
            return self.atom
        parts = [f"({o.text})" if self._wraps(o) else o.text for o in self.operands]
        return f"!{parts[0]}" if self.op is Op.NOT else f" {self.op.value} ".join(parts)

    def _wraps(self, operand: Expr) -> bool:
        return len(operand.operands) > 1 or (self.op is Op.NOT and operand.value is not None)

    def atoms(self) -> Iterator[Expr]:
        """Yields the atoms from left to right."""
        if self.ref is not None:
            yield self
        for operand in self.operands:
            yield from operand.atoms()
