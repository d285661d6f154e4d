"""Decides whether an expression of `holds` is true for all values, or false for all.

It tries a few values for each field that the expression names. That is enough because the
expression only compares: the result depends on the order of the values among themselves and among
the numbers in the expression. Between two such numbers it tries as many values as there are fields.
The answer is exact up to a limit on the effort, and undecided beyond it.

C loses digits if it compares an integer of 64 bits with a float, and floats of two widths have
different values between two numbers. Such a comparison is assumed to have any result.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator

from model.expressions import Expr, Op
from model.holds import Leaf, is_literal, leaf, words
from model.model import Model
from model.record import record
from model.scalars import SCALARS, Kind
from model.types import Base, Field

MAX_EFFORT = 20_000  # visited nodes in the search for one expression
EFFORT_ALL = 200_000  # visited nodes for an expression and all its parts

Tried = bool | int | float | str
Assignment = dict[str, Tried]

_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


@record
class _Atom:
    """A comparison of a value with a number or word, or of two values."""

    key: str  # the value on the left, or the comparison itself if it may have any result
    other: str  # the value on the right; "" if the right side is `against`
    against: Tried
    sign: str

    @property
    def keys(self) -> tuple[str, ...]:
        return (self.key, self.other) if self.other else (self.key,)

    def value(self, assignment: Assignment) -> bool | None:
        if not all(key in assignment for key in self.keys):
            return None
        right = assignment[self.other] if self.other else self.against
        if isinstance(right, str):  # an entity, or a value of an enum
            return (assignment[self.key] == right) is (self.sign == "==")
        left = assignment[self.key]
        assert not isinstance(left, str)
        return _COMPARE[self.sign](left, right)


class Decider:
    """Decides expressions over the fields of one component or singleton.

    With `limits`, values stay within the limits of their fields, and enums have only declared
    values. Without, a value is any that its type can store.
    """

    def __init__(self, model: Model, fields: tuple[Field, ...], *, limits: bool = False) -> None:
        self._model, self._fields, self._limits = model, fields, limits
        self._atoms: dict[str, _Atom] = {}
        self._leaves: dict[str, Leaf] = {}
        self._effort = 0

    def decide(self, expr: Expr) -> bool | None:
        """Returns the result for all values; None if it varies or takes too long to decide."""
        values = [self.decide(operand) for operand in expr.operands]
        joined = _joined(expr.op, values) if values else None
        if joined is not None or self._effort > EFFORT_ALL:
            return joined
        for truth in (True, False):
            if not self._possible(expr, not truth):
                return truth
        return None

    def decided(self, expr: Expr) -> Iterator[tuple[Expr, bool]]:
        """Yields the outermost parts that have one result for all values."""
        value = self.decide(expr)
        if value is not None:
            yield expr, value
            return
        for operand in expr.operands:
            yield from self.decided(operand)

    def cause(self, expr: Expr) -> Expr:
        """Returns the innermost part that decides a decided expression."""
        for operand in expr.operands:
            if self.decide(operand) is not None:
                return self.cause(operand)
        return expr

    # ---- search

    def _possible(self, expr: Expr, wanted: bool) -> bool:
        """Returns whether some values give this result, or the search was too expensive."""
        most = self._effort + MAX_EFFORT
        stack: list[Assignment] = [{}]
        tried: dict[str, list[Tried]] | None = None
        while stack:
            assignment = stack.pop()
            value = self._value(expr, assignment)
            if value is wanted or self._effort > most:
                return True
            if value is None:
                tried = tried or self._tried(expr)
                free = next(key for key in tried if key not in assignment)
                stack += [{**assignment, free: one} for one in tried[free]]
        return False

    def _value(self, expr: Expr, assignment: Assignment) -> bool | None:
        self._effort += 1
        if expr.ref is not None:
            return self._atom(expr).value(assignment)
        return _joined(expr.op, [self._value(operand, assignment) for operand in expr.operands])

    # ---- values to try

    def _atom(self, expr: Expr) -> _Atom:
        if expr.atom not in self._atoms:
            self._atoms[expr.atom] = self._made(expr)
        return self._atoms[expr.atom]

    def _made(self, expr: Expr) -> _Atom:
        assert expr.ref is not None
        left = self._leaf(expr.ref.name)
        if expr.value is None:
            return _Atom(left.path, "", True, "==")
        text = expr.value.name
        if text in words(self._model, left):
            return _Atom(left.path, "", text == "true" if left.is_bool else text, expr.sign)
        if is_literal(text):
            return _Atom(left.path, "", _number(left, text), expr.sign)
        right = self._leaf(text)
        if not left.is_number or _comparable(left.type.name, right.type.name):
            return _Atom(left.path, right.path, False, expr.sign)
        return _Atom(expr.atom, "", True, "==")

    def _leaf(self, path: str) -> Leaf:
        found = leaf(self._model, self._fields, path)
        assert isinstance(found, Leaf), found
        return self._leaves.setdefault(found.path, found)

    def _tried(self, expr: Expr) -> dict[str, list[Tried]]:
        """Returns the values to try for each key, in the order of the expression."""
        atoms = [self._atom(atom) for atom in expr.atoms()]
        keys = dict.fromkeys(key for atom in atoms for key in atom.keys)
        found: dict[str, list[Tried]] = {}
        for key in keys:
            group = _connected(key, atoms)
            related = [atom for atom in atoms if group.intersection(atom.keys)]
            against = [atom.against for atom in related if not atom.other]
            found[key] = self._values(key, group, against)
        return found

    def _values(self, key: str, group: set[str], against: list[Tried]) -> list[Tried]:
        if key not in self._leaves or self._leaves[key].is_bool:
            return [False, True]
        one, count = self._leaves[key], len(group)
        if not one.is_number:
            others = () if self._limits and one.type.base is Base.ENUM else range(count)
            return [*words(self._model, one), *(f" {i}" for i in others)]
        ranges = [self._range(self._leaves[other]) for other in group]
        bounds = {bound for low, high in ranges for bound in (low, high)}
        near = bounds | {number for number in against if not isinstance(number, str)}
        low, high = self._range(one)
        values = {next_one for number in near for next_one in _from(number, count, one.type.name)}
        kept: list[Tried] = sorted(value for value in values if low <= value <= high)
        is_float = SCALARS[one.type.name].kind is Kind.FLOAT
        return [*kept, math.nan] if is_float and math.isinf(high - low) else kept

    def _range(self, one: Leaf) -> tuple[float, float]:
        scalar, limits = SCALARS[one.type.name], one.range
        is_float = scalar.kind is Kind.FLOAT
        low, high = (-math.inf, math.inf) if is_float else (scalar.low, scalar.high)
        if not self._limits or (limits.min is None and limits.max is None):
            return low, high
        least = low if limits.min is None else _rounded(limits.min, scalar.name)
        most = high if limits.max is None else _rounded(limits.max, scalar.name)
        return max(low, least), min(high, most)


def _joined(op: Op, values: list[bool | None]) -> bool | None:
    if op is Op.NOT:
        return None if values[0] is None else not values[0]
    if op is Op.AND:
        return False if False in values else None if None in values else True
    if op is Op.OR:
        return True if True in values else None if None in values else False
    return None if None in values else values.count(True) % 2 == 1


def _connected(key: str, atoms: list[_Atom]) -> set[str]:
    """Returns the values that a value is compared with, directly or through others."""
    group, waiting = {key}, [key]
    while waiting:
        one = waiting.pop()
        new = {other for atom in atoms if one in atom.keys for other in atom.keys} - group
        group |= new
        waiting += new
    return group


def _comparable(left: str, right: str) -> bool:
    """Returns whether two number types compare exactly: two integer types, or the same type
    twice.
    """
    kinds = [SCALARS[name].kind for name in (left, right)]
    return left == right or Kind.FLOAT not in kinds


def _number(left: Leaf, text: str) -> float:
    is_float = SCALARS[left.type.name].kind is Kind.FLOAT
    return _rounded(float(text), left.type.name) if is_float else int(text)


def _rounded(number: float, scalar: str) -> float:
    if scalar != "f32" or math.isinf(number):
        return number
    rounded: float = struct.unpack("<f", struct.pack("<f", number))[0]
    return rounded


def _from(number: float, count: int, scalar: str) -> Iterator[float]:
    """Yields a number and the next `count` numbers of its type."""
    for _ in range(count + 1):
        yield number
        number = _next(number, scalar)


def _next(number: float, scalar: str) -> float:
    if SCALARS[scalar].kind is not Kind.FLOAT:
        return number + 1
    if scalar == "f64" or math.isinf(number):
        if scalar == "f32" and number < 0:
            return -float(SCALARS[scalar].high)
        return math.nextafter(number, math.inf)
    if number == 0:
        return math.ldexp(1, -149)
    bits: int = struct.unpack("<i", struct.pack("<f", number))[0]
    following: float = struct.unpack("<f", struct.pack("<i", bits + (1 if number > 0 else -1)))[0]
    return following
