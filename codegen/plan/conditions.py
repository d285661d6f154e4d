"""A condition tells which rows pass: what tables and rows have, joined by and, or, xor and not."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Kind(StrEnum):
    TRUE = "true"
    FALSE = "false"
    COMPONENT = "component"  # decided by the table
    TAG = "tag"  # decided by the row
    SPARSE = "sparse"  # by the row too
    FLAG = "flag"  # by whether a singleton was changed, which is so for all rows or none
    MARK = "mark"  # by what happened to the component since the reader's last turn
    PARENT = "parent"  # by whether the component of its parent was changed
    NOT = "~"
    AND = "&"
    OR = "|"
    XOR = "^"


class Calls(NamedTuple):
    """Names the functions by which a condition asks a table."""

    column: str
    bitset: str
    component: str
    sparse: str


INLINE = Calls("weft_column", "weft_bitset_words", "weft_component_words", "weft_sparse_rows_count")
APART = Calls(  # of large schemas, since calls compile sooner
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
    """Replaces components that are decided by what they are."""
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
    """Finds what holds for all tables that match: the literals of the outermost `and`."""
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
