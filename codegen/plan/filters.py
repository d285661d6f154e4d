"""A selection decides which rows it takes by three small C expressions.

    matches   is asked of a table when it is made, and tells whether it can ever have a row. Its
              components decide; tags and sparse components, which rows decide, count as possible.
    match     is asked of a table when a walk enters it, and tells whether none, some or all of its
              rows pass. Its components decide, and how many bits of each bitset are set.
    filter    is asked for 64 rows at once: it is a bitset's own words if the expression is one
              bitset, else the expression in operations on words.

If the components alone decide, the last two are empty and a walk gives whole tables.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from model.code import Selection
from model.data import Component
from model.expressions import Expr, Op
from model.model import Model
from model.trees import BY_CHILDREN, parents_tag
from names.names import Names

# `match` repeats operands of ^; beyond this many terms it says "some" rather than grow.
TERMS_MAX = 256


class Kind(Enum):
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


@dataclass(frozen=True)
class Node:
    kind: Kind
    component: str = ""
    column: str = ""  # C constant of the component's first column, its bitset, or of a change set
    mark: str = ""  # "added", "changed" or "removed"
    store: str = ""  # C constant of a sparse component's store
    operands: tuple[Node, ...] = ()


_BITSETS = (Kind.TAG, Kind.SPARSE)
_CHANGES = (Kind.MARK, Kind.PARENT)
_BY_ROW = (*_BITSETS, *_CHANGES, Kind.FLAG)
_ATOMS = (Kind.COMPONENT, *_BY_ROW)

# A filter looks at these constants, by kind of change and component.
Shown = dict[tuple[str, str], str]

TRUE = Node(Kind.TRUE)
FALSE = Node(Kind.FALSE)


@dataclass(frozen=True)
class Word:
    """Names words that a filter reads."""

    variable: str  # "const uint64_t *has_burning"
    call: str  # how to get it: "weft_bitset_words(table, COLONY_COLUMN_BURNING, from)"


@dataclass(frozen=True)
class Filter:
    matches: str  # C expression over `table`; "true" for every table
    none: str  # match: C expression, true: no row passes; "" if there is no row filter
    all: str  # match: C expression, true: every row passes
    words: tuple[Word, ...]
    word: str  # filter: C expression over what `words` declares, and i
    bitset: Node | None  # filter: what says it as it is; None if it is computed
    sparse: tuple[Node, ...]  # sparse components that decide
    changed: tuple[str, ...] = ()  # change sets that decide
    parents: tuple[str, ...] = ()  # components whose change in the parent decides
    unchanged: bool = True  # rows may pass for which nothing of these is true

    @property
    def by_row(self) -> bool:
        return bool(self.word)

    @property
    def matches_asks_table(self) -> bool:
        """Tells whether `matches` uses its parameter, since compilers warn if it does not."""
        return "table" in self.matches

    @property
    def match_asks_world(self) -> bool:
        return "(world, " in self.none + self.all

    @property
    def match_asks_table(self) -> bool:
        return "table" in self.none + self.all


def make_filter(model: Model, names: Names, selection: Selection, shown: Shown) -> Filter:
    """Compiles what a selection requires: its columns in read and write, and its `where`."""
    required = [model.components[ref.name] for ref in selection.read + selection.write]
    atoms = [_atom(names, component) for component in required if not component.is_tag]
    where = [_lower(model, names, selection.where, shown)] if selection.where else []
    whole = _all_of([*atoms, *where])
    known = _decided(whole)
    rest = simplify(whole, known)
    if not _by_row(whole):
        return Filter(_top(_exact(whole)), "", "", (), "", None, ())
    literals = _all_of([atom if has else _not(atom) for atom, has in known.items()])
    matches = _bounded(_cover(names, whole, False, _MAYBE), _top(_exact(literals)))
    if not _by_row(rest):
        return Filter(matches, "", "", (), "", None, ())
    return Filter(
        matches=matches,
        none=_bounded(_cover(names, rest, True, _EVERY), "false"),
        all=_bounded(_cover(names, rest, False, _EVERY), "false"),
        words=tuple(_word(names, atom, _parents(rest)) for atom in _atoms(rest)),
        word=_top(_filter(names, rest)),
        bitset=rest if rest.kind in _BITSETS else None,
        sparse=tuple(atom for atom in _atoms(rest) if atom.kind is Kind.SPARSE),
        changed=tuple(atom.column for atom in _atoms(rest) if atom.kind is Kind.MARK),
        parents=_parents(rest),
        unchanged=_passes_unchanged(rest),
    )


def _parents(node: Node) -> tuple[str, ...]:
    return tuple(atom.component for atom in _atoms(node) if atom.kind is Kind.PARENT)


def _passes_unchanged(node: Node) -> bool:
    """Tells whether a row can pass where nothing has changed, neither in it nor in its parent."""
    nothing = {atom: False for atom in _atoms(node) if atom.kind in _CHANGES}
    return simplify(node, nothing) != FALSE


def simplify(node: Node, known: dict[Node, bool]) -> Node:
    """Replaces components that are decided by what they are."""
    if node in known:
        return TRUE if known[node] else FALSE
    if not node.operands:
        return node
    operands = [simplify(operand, known) for operand in node.operands]
    if node.kind is Kind.NOT:
        return _not(operands[0])
    if node.kind is Kind.AND:
        return _all_of(operands)
    if node.kind is Kind.OR:
        return _any_of(operands)
    return _xor(operands)


def _atom(names: Names, component: Component) -> Node:
    column = names.column(component)
    if component.is_table:
        return Node(Kind.COMPONENT, component.name, column)
    if component.is_tag:
        return Node(Kind.TAG, component.name, column)
    return Node(Kind.SPARSE, component.name, column, store=names.number("store", component.name))


def _lower(model: Model, names: Names, expr: Expr, shown: Shown) -> Node:
    if expr.ref is not None and expr.ref.name in model.singletons:
        name = expr.ref.name
        return Node(Kind.FLAG, name, shown["changed", name], "changed")
    if expr.ref is not None:
        component = model.components[expr.ref.name]
        has = _atom(names, component)
        if expr.op is Op.HAS:
            return has
        if expr.op in BY_CHILDREN:
            children = _atom(names, model.components[parents_tag(component.name)])
            one, other = (children, has) if expr.op is Op.ROOT else (has, children)
            return Node(Kind.AND, operands=(one, Node(Kind.NOT, operands=(other,))))
        if expr.op is Op.CHANGED_PARENT:
            return Node(Kind.PARENT, component.name)
        name, kind = component.name, expr.op.value
        mark = Node(Kind.MARK, name, shown[kind, name], kind)
        there = component.is_table and expr.op is not Op.REMOVED
        return Node(Kind.AND, operands=(has, mark)) if there else mark
    operands = tuple(_lower(model, names, operand, shown) for operand in expr.operands)
    kinds = {Op.NOT: Kind.NOT, Op.AND: Kind.AND, Op.OR: Kind.OR, Op.XOR: Kind.XOR}
    return Node(kinds[expr.op], operands=operands)


def _not(node: Node) -> Node:
    if node in (TRUE, FALSE):
        return FALSE if node == TRUE else TRUE
    if node.kind is Kind.NOT:
        return node.operands[0]
    return Node(Kind.NOT, operands=(node,))


def _all_of(nodes: list[Node]) -> Node:
    return _combine(Kind.AND, nodes, TRUE, FALSE)


def _any_of(nodes: list[Node]) -> Node:
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
    return _not(node) if flips else node


def _decided(node: Node) -> dict[Node, bool]:
    """Finds what holds for all tables that match: the literals of the outermost `and`."""
    known: dict[Node, bool] = {}
    for literal in node.operands if node.kind is Kind.AND else (node,):
        if literal.kind is Kind.COMPONENT:
            known[literal] = True
        elif literal.kind is Kind.NOT and literal.operands[0].kind is Kind.COMPONENT:
            known[literal.operands[0]] = False
    return known


def _atoms(node: Node) -> list[Node]:
    if node.kind in _ATOMS:
        return [node]
    return list(dict.fromkeys(atom for operand in node.operands for atom in _atoms(operand)))


def _by_row(node: Node) -> bool:
    return any(atom.kind in _BY_ROW for atom in _atoms(node))


def _word(names: Names, atom: Node, parents: tuple[str, ...]) -> Word:
    if atom.kind is Kind.PARENT:
        variable = f"const weft_strided {names.local('above', atom.component)}"
        place = parents.index(atom.component)
        return Word(variable, f"weft_parents_changed(parents, {place}, {len(parents)})")
    if atom.kind is Kind.MARK:
        variable = f"const weft_strided {names.local(atom.mark, atom.component)}"
        return Word(variable, f"weft_change_words(&table->change_bits, {atom.column}, from)")
    if atom.kind is Kind.FLAG:
        variable = f"const weft_strided {names.local(atom.mark, atom.component)}"
        return Word(variable, f"weft_flag_words(&table->change_bits, {atom.column})")
    bitset = f"weft_bitset_words(table, {atom.column}, from)"
    call = bitset if atom.kind in _BITSETS else f"weft_component_words(table, {atom.column})"
    return Word(f"const uint64_t *{names.local('has', atom.component)}", call)


def _filter(names: Names, node: Node) -> str:
    if node.kind in (Kind.MARK, Kind.FLAG):
        return _strided(names.local(node.mark, node.component))
    if node.kind is Kind.PARENT:
        return _strided(names.local("above", node.component))
    if node.kind in _ATOMS:
        return f"{names.local('has', node.component)}[i]"
    parts = [_filter(names, operand) for operand in node.operands]
    return (
        f"~{parts[0]}" if node.kind is Kind.NOT else "(" + f" {node.kind.value} ".join(parts) + ")"
    )


def _strided(words: str) -> str:
    return f"{words}.words[i * {words}.stride]"


def _top(expression: str) -> str:
    """Drops the one pair of parentheses around everything."""
    return (
        expression[1:-1]
        if expression.startswith("(") and _closes_at(expression) == len(expression) - 1
        else expression
    )


def _closes_at(expression: str) -> int:
    depth = 0
    for i, char in enumerate(expression):
        depth += (char == "(") - (char == ")")
        if depth == 0:
            return i
    return -1


# ---- bounds
#
# A bound is an expression whose only negations are at its leaves. A leaf tells of a bitset, or of
# the rows that are not in it, whether some row may be there, or whether every row is. If each leaf
# is right the whole is right too, although it is not always tight.

_Leaves = dict[tuple[Kind, bool], str]  # by what the row decides, and whether it is negated

_MAYBE: _Leaves = {(kind, no): "true" for kind in _BY_ROW for no in (False, True)}
_EVERY: _Leaves = {
    (Kind.TAG, False): "table->bitset_counts[{bitset}] == table->count",
    (Kind.TAG, True): "table->bitset_counts[{bitset}] == 0",
    (Kind.SPARSE, False): "weft_sparse_rows_count(world, table, {store}, {column}) == table->count",
    (Kind.SPARSE, True): "weft_sparse_rows_count(world, table, {store}, {column}) == 0",
    (Kind.PARENT, False): "false",
    (Kind.PARENT, True): "false",
    (Kind.FLAG, False): "weft_flag_is_set(&table->change_bits, {column})",
    (Kind.FLAG, True): "!weft_flag_is_set(&table->change_bits, {column})",
    (Kind.MARK, False): "false",
    (Kind.MARK, True): "!weft_marked_any(&table->change_bits, {column}, table->count)",
}


def _bounded(expression: str | None, otherwise: str) -> str:
    return otherwise if expression is None else _top(expression)


def _exact(node: Node) -> str:
    """Writes an expression over components alone in C."""
    if node.kind in (Kind.TRUE, Kind.FALSE):
        return "true" if node.kind is Kind.TRUE else "false"
    if node.kind is Kind.COMPONENT:
        return f"weft_column(table, {node.column})"
    parts = [_exact(operand) for operand in node.operands]
    if node.kind is Kind.NOT:
        return f"!{parts[0]}"
    if node.kind is Kind.XOR:
        # They stand side by side, since compilers limit how deep parentheses nest.
        return "(" + " ^ ".join(map(_truth, parts)) + ")"
    return "(" + (" && " if node.kind is Kind.AND else " || ").join(parts) + ")"


def _truth(expression: str) -> str:
    """Makes 0 or 1 of a C expression that is a pointer, or is one of the two already."""
    return f"!!{expression}" if expression.startswith("weft_column(") else expression


def _cover(names: Names, node: Node, negated: bool, leaves: _Leaves) -> str | None:
    """Writes the bound of a node in C, or returns None if it would be too long."""
    terms: list[int] = []
    bound = _bound(names, node, negated, leaves, terms)
    return bound.text if len(terms) <= TERMS_MAX else None


@dataclass(frozen=True)
class _Bound:
    parts: tuple[str, ...]
    operator: str = ""  # between the parts: "&&" or "||"

    @property
    def text(self) -> str:
        inside = f" {self.operator} ".join(self.parts)
        return f"({inside})" if len(self.parts) > 1 else inside


def _bound(names: Names, node: Node, negated: bool, leaves: _Leaves, terms: list[int]) -> _Bound:
    terms.append(1)
    if len(terms) > TERMS_MAX:
        return _Bound(("",))
    if node.kind in (Kind.TRUE, Kind.FALSE):
        return _Bound(("true" if (node.kind is Kind.TRUE) != negated else "false",))
    if node.kind in _BY_ROW:
        leaf = leaves[node.kind, negated]
        bitset = names.number("bitset", node.component)
        return _Bound((leaf.format(bitset=bitset, column=node.column, store=node.store),))
    if node.kind is Kind.COMPONENT:
        test = f"weft_column(table, {node.column})"
        return _Bound((f"!{test}" if negated else test,))
    if node.kind is Kind.NOT:
        return _bound(names, node.operands[0], not negated, leaves, terms)
    if node.kind is Kind.XOR:
        return _bound(names, _xor_as_or(node), negated, leaves, terms)
    both = (node.kind is Kind.AND) != negated
    return _join([_bound(names, o, negated, leaves, terms) for o in node.operands], both)


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
