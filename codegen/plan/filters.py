"""Writes the three small C expressions that decide which rows a selection takes.

    matches   decides whether a table can ever contain rows. It runs once for each new table, and
              tests its components; tags and sparse components differ by row and count as possible.
    match     decides whether none, some or all rows of a table pass. It runs when a walk enters
              the table, and tests its components and the counts of its bitsets.
    filter    decides for 64 rows at once. If the expression is one bitset, it returns the words of
              that bitset. Otherwise it computes the expression with operations on words.

If components alone decide, match and filter are empty, and a walk finds whole tables.
"""

from __future__ import annotations

import re

from model.code import Selection
from model.data import Component
from model.expressions import Expr, Op
from model.model import Model
from model.trees import BY_CHILDREN, parents_tag
from names.names import Names
from plan.bounds import EVERY, MAYBE, cover
from plan.conditions import (
    APART,
    ATOMS,
    BITSETS,
    CHANGES,
    FALSE,
    Calls,
    Kind,
    Node,
    all_of,
    atoms_of,
    decided,
    is_by_row,
    negation,
    simplify,
)
from plan.records.filter import Filter, Word

_ROUND = re.compile(r"[()]")

# The constants of the change sets that a filter tests, by kind of change and component.
Shown = dict[tuple[str, str], str]


def make_filter(
    model: Model, names: Names, calls: Calls, selection: Selection, shown: Shown
) -> Filter:
    """Compiles what a selection requires: its columns in read and write, and its `where`."""
    required = [model.data.components[ref.name] for ref in selection.read + selection.write]
    atoms = [_atom(names, component) for component in required if not component.is_tag]
    where = [_lower(model, names, selection.where, shown)] if selection.where else []
    whole = all_of([*atoms, *where])
    known = decided(whole)
    rest = simplify(whole, known)
    if not is_by_row(whole):
        return Filter(_top(_exact(calls, whole)))
    literals = all_of([atom if has else negation(atom) for atom, has in known.items()])
    matches = _bounded(cover(names, calls, whole, False, MAYBE), _top(_exact(calls, literals)))
    if not is_by_row(rest):
        return Filter(matches)
    atoms = atoms_of(rest)
    return Filter(
        matches=matches,
        none=_bounded(cover(names, calls, rest, True, EVERY), "false"),
        all=_bounded(cover(names, calls, rest, False, EVERY), "false"),
        words=tuple(_word(names, calls, atom, _parents(rest)) for atom in atoms),
        word=_top(_filter(names, rest)),
        call=_mask_call(names, rest) if calls is APART else "",
        bitset=rest if rest.kind in BITSETS else None,
        sparse=tuple(atom for atom in atoms if atom.kind is Kind.SPARSE),
        changed=tuple(atom.column for atom in atoms if atom.kind is Kind.MARK),
        parents=_parents(rest),
        unchanged=_passes_unchanged(rest),
    )


def _parents(node: Node) -> tuple[str, ...]:
    return tuple(atom.component for atom in atoms_of(node) if atom.kind is Kind.PARENT)


def _passes_unchanged(node: Node) -> bool:
    """Returns whether a row can pass if neither it nor its parent has changed."""
    nothing = {atom: False for atom in atoms_of(node) if atom.kind in CHANGES}
    return simplify(node, nothing) != FALSE


def _atom(names: Names, component: Component) -> Node:
    column = names.column(component)
    if component.is_table:
        return Node(Kind.COMPONENT, component.name, column)
    if component.is_tag:
        return Node(Kind.TAG, component.name, column)
    return Node(Kind.SPARSE, component.name, column, store=names.number("store", component.name))


def _lower(model: Model, names: Names, expr: Expr, shown: Shown) -> Node:
    if expr.ref is not None and expr.ref.name in model.data.kept.singletons:
        name = expr.ref.name
        return Node(Kind.FLAG, name, shown["changed", name], "changed")
    if expr.ref is not None:
        component = model.data.components[expr.ref.name]
        has = _atom(names, component)
        if expr.op is Op.HAS:
            return has
        if expr.op in BY_CHILDREN:
            children = _atom(names, model.data.components[parents_tag(component.name)])
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


def _word(names: Names, calls: Calls, atom: Node, parents: tuple[str, ...]) -> Word:
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
    bitset = f"{calls.bitset}(table, {atom.column}, from)"
    call = bitset if atom.kind in BITSETS else f"{calls.component}(table, {atom.column})"
    return Word(f"const uint64_t *{names.local('has', atom.component)}", call)


def _filter(names: Names, node: Node) -> str:
    if node.kind in (Kind.MARK, Kind.FLAG):
        return _strided(names.local(node.mark, node.component))
    if node.kind is Kind.PARENT:
        return _strided(names.local("above", node.component))
    if node.kind in ATOMS:
        return f"{names.local('has', node.component)}[i]"
    parts = [_filter(names, operand) for operand in node.operands]
    return (
        f"~{parts[0]}" if node.kind is Kind.NOT else "(" + f" {node.kind.value} ".join(parts) + ")"
    )


def _mask_call(names: Names, node: Node) -> str:
    """Returns the call that makes the mask of one or two bitsets or components."""
    there = [operand for operand in node.operands if _has_words(operand)]
    absent = [
        operand.operands[0]
        for operand in (node, *node.operands)
        if operand.kind is Kind.NOT and _has_words(operand.operands[0])
    ]
    verb = {
        (Kind.NOT, 1, 1, 1): "not",
        (Kind.AND, 2, 2, 0): "and",
        (Kind.AND, 2, 1, 1): "and_not",
        (Kind.OR, 2, 2, 0): "or",
    }.get((node.kind, len(node.operands), len(there), len(absent)))
    atoms = absent if verb == "not" else [*there, *absent]
    given = ["mask", "words", *(names.local("has", atom.component) for atom in atoms)]
    return f"weft_mask_{verb}({', '.join(given)})" if verb else ""


def _has_words(node: Node) -> bool:
    return node.kind in BITSETS or node.kind is Kind.COMPONENT


def _strided(words: str) -> str:
    return f"{words}.words[i * {words}.stride]"


def _top(expression: str) -> str:
    """Removes a pair of parentheses around the whole expression."""
    return (
        expression[1:-1]
        if expression.startswith("(") and _closes_at(expression) == len(expression) - 1
        else expression
    )


def _closes_at(expression: str) -> int:
    depth = 0
    for bracket in _ROUND.finditer(expression):
        depth += 1 if bracket[0] == "(" else -1
        if depth == 0:
            return bracket.start()
    return -1


def _bounded(expression: str | None, otherwise: str) -> str:
    return otherwise if expression is None else _top(expression)


def _exact(calls: Calls, node: Node) -> str:
    """Writes an expression over components alone in C."""
    if node.kind in (Kind.TRUE, Kind.FALSE):
        return "true" if node.kind is Kind.TRUE else "false"
    if node.kind is Kind.COMPONENT:
        return f"{calls.column}(table, {node.column})"
    parts = [_exact(calls, operand) for operand in node.operands]
    if node.kind is Kind.NOT:
        return f"!{parts[0]}"
    if node.kind is Kind.XOR:
        # Not nested, because compilers limit the depth of parentheses.
        return "(" + " ^ ".join([_truth(calls, part) for part in parts]) + ")"
    return "(" + (" && " if node.kind is Kind.AND else " || ").join(parts) + ")"


def _truth(calls: Calls, expression: str) -> str:
    """Converts a C expression that is a pointer, 0 or 1 to 0 or 1."""
    return f"!!{expression}" if expression.startswith(f"{calls.column}(") else expression
