"""Writes the comparisons of `holds` in C. Parts that are always true or always false are left out,
because compilers would warn of them; `check` has reported them."""

from __future__ import annotations

from model.data import Component, Singleton
from model.decide import Decider
from model.expressions import Expr, Op
from model.holds import Leaf, is_literal, leaf, words
from model.scalars import SCALARS, Kind, Scalar
from model.types import Base
from plan import text
from plan.common import Common

TRUE, FALSE = "true", "false"


class Conditions:
    """Writes the rules of a component or singleton as C over a pointer `v` to its value."""

    def __init__(self, common: Common, owner: Component | Singleton) -> None:
        self._model, self._names, self._owner = common.model, common.names, owner
        self._decider = Decider(common.model, owner.fields)

    def paths(self, rule: Expr) -> list[str]:
        """Lists the values that a rule tests."""
        found = dict.fromkeys(path for atom in rule.atoms() for path in self._asked(atom))
        return list(found)

    def condition(self, expr: Expr) -> str:
        """Returns a C condition, or TRUE or FALSE if all values of the types agree."""
        decided = self._decider.decide(expr)
        if decided is not None:
            return TRUE if decided else FALSE
        if expr.ref is not None:
            return self._comparison(expr)
        parts = [self.condition(operand) for operand in expr.operands]
        if expr.op is Op.NOT:
            return f"!{wrapped(parts[0])}"
        kept = [wrapped(part) for part in parts if part not in (TRUE, FALSE)]
        if expr.op is Op.XOR:
            flips = "!" if parts.count(TRUE) % 2 else ""
            # Not nested, because compilers limit the depth of parentheses.
            joined = " ^ ".join(kept)
            return f"!({joined})" if flips and len(kept) > 1 else flips + joined
        return (" && " if expr.op is Op.AND else " || ").join(kept)

    def _asked(self, atom: Expr) -> list[str]:
        assert atom.ref is not None
        left = self._leaf(atom.ref.name)
        right = self._right(atom, left)
        return [left.path, right.path] if right else [left.path]

    def _leaf(self, path: str) -> Leaf:
        found = leaf(self._model, self._owner.fields, path)
        assert isinstance(found, Leaf)
        return found

    def _right(self, atom: Expr, left: Leaf) -> Leaf | None:
        """Returns the value on the right, or None if there is a number, a word or no right side."""
        if atom.value is None or is_literal(atom.value.name):
            return None
        is_word = atom.value.name in words(self._model, left)
        return None if is_word else self._leaf(atom.value.name)

    def _comparison(self, atom: Expr) -> str:
        assert atom.ref is not None
        left = self._leaf(atom.ref.name)
        right = self._right(atom, left)
        one = _value(left)
        if atom.value is None:
            return one
        literal = atom.value.name
        if left.type.base is Base.ENTITY:
            other = _value(right) if right else self._names.none()
            same = f"{self._names.world('same')}({one}, {other})"
            return same if atom.sign == "==" else f"!{same}"
        if left.type.base is Base.ENUM:
            other = _value(right) if right else self._names.enum_value(left.type.name, literal)
            return f"{one} {atom.sign} {other}"
        if left.is_bool:
            return f"{one} {atom.sign} {_value(right) if right else literal}"
        scalar = SCALARS[left.type.name]
        if right:
            return _numbers(one, atom.sign, _value(right), scalar, SCALARS[right.type.name])
        return with_literal(one, atom.sign, literal, scalar)


def wrapped(condition: str) -> str:
    return condition if condition.isidentifier() else f"({condition})"


def with_literal(value: str, sign: str, literal: str, scalar: Scalar) -> str:
    """Compares with a number. Avoids comparisons that are true for every value of a type, because
    compilers would warn of them."""
    if scalar.kind is Kind.FLOAT:
        return _floats(value, sign, text.float_literal(float(literal), scalar.name))
    number = int(literal)
    if (sign, number) in ((">=", scalar.low), ("<=", scalar.high)):
        return TRUE
    return f"{value} {sign} {text.integer_literal(number, scalar.name)}"


def _value(leaf: Leaf) -> str:
    """Reads a value; a bool by its byte, which may be neither 0 nor 1."""
    value = f"v->{leaf.place}"
    return f"(*(const unsigned char *)&{value} != 0)" if leaf.is_bool else value


def _numbers(one: str, sign: str, other: str, left: Scalar, right: Scalar) -> str:
    """Compares two numbers, as wide as both need."""
    if Kind.FLOAT in (left.kind, right.kind):
        if left.name != right.name:
            one, other = f"(double){one}", f"(double){other}"
        return _floats(one, sign, other)
    if left.kind is not right.kind:
        one, other = f"(int64_t){one}", f"(int64_t){other}"
    return f"{one} {sign} {other}"


def _floats(one: str, sign: str, other: str) -> str:
    """Compares floats without ==, because some compilers warn of it."""
    if sign not in ("==", "!="):
        return f"{one} {sign} {other}"
    equal = f"({one} <= {other} && {one} >= {other})"
    return equal if sign == "==" else f"!{equal}"
