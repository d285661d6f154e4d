"""Writes bounds: C tests whether a condition may hold for some row of a table, or holds for all.

A bound is an expression with negations only at its leaves. A leaf tests whether some row may be in
a bitset, or whether every row is, or the same for the rows that are not in the bitset. If each leaf
is right, the whole bound is right. It may still answer "some" if the exact answer is none or all.
"""

from __future__ import annotations

from model.record import record
from names.names import Names
from plan.conditions import BY_ROW, Calls, Kind, Node

# `match` repeats operands of ^. With more terms than this it answers "some", to limit its size.
TERMS_MAX = 256

Leaves = dict[tuple[Kind, bool], str]  # by kind, and whether it is negated

MAYBE: Leaves = {(kind, no): "true" for kind in BY_ROW for no in (False, True)}
EVERY: Leaves = {
    (Kind.TAG, False): "table->bitset_counts[{bitset}] == table->count",
    (Kind.TAG, True): "table->bitset_counts[{bitset}] == 0",
    (Kind.SPARSE, False): "{sparse}(world, table, {store}, {column}) == table->count",
    (Kind.SPARSE, True): "{sparse}(world, table, {store}, {column}) == 0",
    (Kind.PARENT, False): "false",
    (Kind.PARENT, True): "false",
    (Kind.FLAG, False): "weft_flag_is_set(&table->change_bits, {column})",
    (Kind.FLAG, True): "!weft_flag_is_set(&table->change_bits, {column})",
    (Kind.MARK, False): "false",
    (Kind.MARK, True): "!weft_marked_any(&table->change_bits, {column}, table->count)",
}


def cover(names: Names, calls: Calls, node: Node, negated: bool, leaves: Leaves) -> str | None:
    """Writes the bound of a node in C, or returns None if it would be too long."""
    cover = _Cover(names, calls, leaves, [])
    bound = cover.bound(node, negated)
    return bound.text if len(cover.terms) <= TERMS_MAX else None


@record
class _Bound:
    parts: tuple[str, ...]
    operator: str = ""  # between the parts: "&&" or "||"

    @property
    def text(self) -> str:
        inside = f" {self.operator} ".join(self.parts)
        return f"({inside})" if len(self.parts) > 1 else inside


@record
class _Cover:
    """Writes bounds over these leaves."""

    names: Names
    calls: Calls
    leaves: Leaves
    terms: list[int]  # one item for each term written

    def bound(self, node: Node, negated: bool) -> _Bound:
        self.terms.append(1)
        if len(self.terms) > TERMS_MAX:
            return _Bound(("",))
        if node.kind in (Kind.TRUE, Kind.FALSE):
            return _Bound(("true" if (node.kind is Kind.TRUE) != negated else "false",))
        if node.kind in BY_ROW:
            return _Bound((self._leaf(node, negated),))
        if node.kind is Kind.COMPONENT:
            test = f"{self.calls.column}(table, {node.column})"
            return _Bound((f"!{test}" if negated else test,))
        if node.kind is Kind.NOT:
            return self.bound(node.operands[0], not negated)
        if node.kind is Kind.XOR:
            return self.bound(_xor_as_or(node), negated)
        both = (node.kind is Kind.AND) != negated
        return _join([self.bound(operand, negated) for operand in node.operands], both)

    def _leaf(self, node: Node, negated: bool) -> str:
        return self.leaves[node.kind, negated].format(
            bitset=self.names.number("bitset", node.component),
            sparse=self.calls.sparse,
            column=node.column,
            store=node.store,
        )


def _xor_as_or(node: Node) -> Node:
    """Writes a ^ b ^ c as (a & !r) | (!a & r), where r is b ^ c."""
    first, *others = node.operands
    rest = others[0] if len(others) == 1 else Node(Kind.XOR, operands=tuple(others))
    yes = Node(Kind.AND, operands=(first, Node(Kind.NOT, operands=(rest,))))
    no = Node(Kind.AND, operands=(Node(Kind.NOT, operands=(first,)), rest))
    return Node(Kind.OR, operands=(yes, no))


def _join(bounds: list[_Bound], both: bool) -> _Bound:
    decisive, neutral, operator = ("false", "true", "&&") if both else ("true", "false", "||")
    parts: list[str] = []
    for bound in bounds:
        parts += bound.parts if bound.operator == operator else (bound.text,)
    if decisive in parts:
        return _Bound((decisive,))
    kept = tuple(dict.fromkeys(part for part in parts if part != neutral))
    return _Bound(kept, operator) if len(kept) > 1 else _Bound(kept or (neutral,))
