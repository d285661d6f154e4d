"""Small changes to Python, by its syntax tree. The text around a change is not modified."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from copy import copy

from mutation import Change

COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE,
    ast.GtE: ast.Gt, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv, ast.LShift: ast.RShift, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
}  # fmt: skip
# Text and lists only add, and types are only joined: such a change would fail at once.
TEXTS = (ast.JoinedStr, ast.List, ast.ListComp, ast.Tuple)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, TEXTS) or (isinstance(node, ast.Constant) and _is_word(node.value))


def _is_word(value: object) -> bool:
    return isinstance(value, str)


def _negated(test: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), test)


def _instead_of_expression(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.Compare(left, [operator], right):
            yield ast.Compare(left, [COMPARISONS[type(operator)]()], right)
        case ast.BoolOp(ast.And(), values):
            yield ast.BoolOp(ast.Or(), values)
        case ast.BoolOp(ast.Or(), values):
            yield ast.BoolOp(ast.And(), values)
        case ast.BinOp(left, operator, right) if type(operator) in ARITHMETIC:
            if not _is_text(left) and not _is_text(right):
                yield ast.BinOp(left, ARITHMETIC[type(operator)](), right)
        case ast.UnaryOp(ast.Not(), operand):
            yield operand
        case ast.Constant(bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(int(value)):
            yield ast.Constant(value + 1)


def _inner_tests(node: ast.AST) -> Iterator[ast.expr]:
    """The conditions that decide what happens next."""
    match node:
        case ast.If(test) | ast.While(test) | ast.IfExp(test):
            yield test
        case ast.comprehension(ifs=ifs):
            yield from ifs


def _is_dropped(node: ast.AST) -> bool:
    """True: the code without this statement still runs to its end."""
    match node:
        case ast.Expr(ast.Call()) | ast.Expr(ast.YieldFrom()) | ast.Expr(ast.Yield()):
            return True
        case ast.AugAssign() | ast.Continue() | ast.Break():
            return True
        case ast.Assign([ast.Attribute() | ast.Subscript()]):
            return True
    return False


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    """The children of a node that decide something: no annotations, no decorators, no asserts, nor
    `strict` of zip, which is one. No text with values in it: Python 3.11 misplaces those."""
    shown = copy(node)
    for skipped in ("annotation", "returns", "decorator_list"):
        if hasattr(shown, skipped):
            setattr(shown, skipped, None)
    for child in ast.iter_child_nodes(shown):
        is_strict = isinstance(child, ast.keyword) and child.arg == "strict"
        if not is_strict and not isinstance(child, ast.JoinedStr | ast.Assert):
            yield child


class _Places:
    """From the lines and columns of the tree to bytes of the file."""

    def __init__(self, text: bytes) -> None:
        self.starts = [0]
        for line in text.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def change(self, node: ast.expr | ast.stmt, after: str) -> Change:
        assert node.end_lineno is not None and node.end_col_offset is not None
        start = self.starts[node.lineno - 1] + node.col_offset
        return Change(start, self.starts[node.end_lineno - 1] + node.end_col_offset, after)


def changes(text: bytes) -> Iterator[Change]:
    """All that there are for one file."""
    places = _Places(text)
    nodes: list[ast.AST] = [ast.parse(text)]
    while nodes:
        node = nodes.pop()
        nodes.extend(_parts(node))
        for new in _instead_of_expression(node):
            assert isinstance(node, ast.expr)
            yield places.change(node, f"({ast.unparse(new)})")
        for test in _inner_tests(node):
            yield places.change(test, f"({ast.unparse(_negated(test))})")
        if isinstance(node, ast.stmt) and _is_dropped(node):
            yield places.change(node, "pass")
