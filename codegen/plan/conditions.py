"""Conditions decide which rows pass: tests of tables and rows, joined by and, or, xor and not."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    TRUE = "true"
    FALSE = "false"
    COMPONENT = "component"  # decided by the table
    TAG = "tag"  # decided by the row
    SPARSE = "sparse"  # decided by the row
    FLAG = "flag"  # decided by a change of a singleton, for all rows at once
    MARK = "mark"  # decided by a change of the component since the reader's last turn
    PARENT = "parent"  # decided by a change of the component of the row's parent
    NOT = "~"
    AND = "&"
    OR = "|"
    XOR = "^"


class Calls(NamedTuple):
    """The names of the functions with which a condition tests a table."""

    column: str
    bitset: str
    component: str
    sparse: str


INLINE = Calls("weft_column", "weft_bitset_words", "weft_component_words", "weft_sparse_rows_count")
APART = Calls(  # for large schemas, because calls compile faster
    "weft_has_column",
    "weft_bitset_words_apart",
    "weft_component_words_apart",
    "weft_sparse_rows_count_apart",
)


class Node(NamedTuple):
    kind: Kind
    component: str = ""
    column: str = ""  # C constant of the component's first column, its bitset, or of a change set
    mark: str = ""  # "added", "changed" or "removed"
    store: str = ""  # C constant of a sparse component's store
    operands: tuple[Node, ...] = ()


BITSETS = (Kind.TAG, Kind.SPARSE)
CHANGES = (Kind.MARK, Kind.PARENT)
BY_ROW = (*BITSETS, *CHANGES, Kind.FLAG)
ATOMS = (Kind.COMPONENT, *BY_ROW)

TRUE = Node(Kind.TRUE)
FALSE = Node(Kind.FALSE)


def simplify(node: Node, known: dict[Node, bool]) -> Node:
    """Replaces components by TRUE or FALSE if their presence is known."""
    if node in known:
        return TRUE if known[node] else FALSE
    if not node.operands:
        return node
    operands = [simplify(operand, known) for operand in node.operands]
    if node.kind is Kind.NOT:
        return negation(operands[0])
    if node.kind is Kind.AND:
        return all_of(operands)
    if node.kind is Kind.OR:
        return any_of(operands)
    return _xor(operands)


def negation(node: Node) -> Node:
    if node in (TRUE, FALSE):
        return FALSE if node == TRUE else TRUE
    if node.kind is Kind.NOT:
        return node.operands[0]
    return Node(Kind.NOT, operands=(node,))


def all_of(nodes: list[Node]) -> Node:
    return _combine(Kind.AND, nodes, TRUE, FALSE)


def any_of(nodes: list[Node]) -> Node:
    return _combine(Kind.OR, nodes, FALSE, TRUE)


def _combine(kind: Kind, nodes: list[Node], neutral: Node, decisive: Node) -> Node:
    flat: list[Node] = []
    for node in nodes:
        flat += node.operands if node.kind is kind else (node,)
    kept = list(dict.fromkeys(node for node in flat if node != neutral))
    if decisive in kept:
        return decisive
    if not kept:
        return neutral
    return kept[0] if len(kept) == 1 else Node(kind, operands=tuple(kept))


def _xor(operands: list[Node]) -> Node:
    flips = sum(operand == TRUE for operand in operands) % 2
    kept = [operand for operand in operands if operand not in (TRUE, FALSE)]
    if not kept:
        return TRUE if flips else FALSE
    node = kept[0] if len(kept) == 1 else Node(Kind.XOR, operands=tuple(kept))
    return negation(node) if flips else node


def decided(node: Node) -> dict[Node, bool]:
    """Returns the conditions that all matching tables meet: the literals of the outermost `and`."""
    known: dict[Node, bool] = {}
    for literal in node.operands if node.kind is Kind.AND else (node,):
        if literal.kind is Kind.COMPONENT:
            known[literal] = True
        elif literal.kind is Kind.NOT and literal.operands[0].kind is Kind.COMPONENT:
            known[literal.operands[0]] = False
    return known


def atoms_of(node: Node) -> list[Node]:
    if node.kind in ATOMS:
        return [node]
    return list(dict.fromkeys(atom for operand in node.operands for atom in atoms_of(operand)))


def is_by_row(node: Node) -> bool:
    return any(atom.kind in BY_ROW for atom in atoms_of(node))
