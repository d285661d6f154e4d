"""Here what always holds of values becomes C, which games compile only if they ask for it."""

from __future__ import annotations

from collections.abc import Iterator

from model.data import Component, Singleton
from model.expressions import Expr, Op
from model.holds import Leaf, Wrong, is_literal, leaf, rules
from model.record import record
from model.rng import is_rng
from model.scalars import SCALARS, Kind, Scalar
from model.types import Base, Field, Shape
from plan import text
from plan.common import Common
from plan.lists import ListPlan, list_plan
from plan.records.kinds import DataPlan
from plan.records.tables import BrokenPlan, CheckPlan, InsightPlan

MOST_BITS = 64  # of a value that tells which rules are broken; further rules share the last


@record
class Rule:
    comment: str
    lines: list[str]  # C statements
    row: str  # initialiser
    paths: ListPlan | None = None


class Checks:
    """Plans the checks of all components and singletons that have something to hold."""

    def __init__(self, common: Common) -> None:
        self.common, self.model, self.names = common, common.model, common.names

    def plan(self, data: DataPlan) -> InsightPlan:
        checks = [
            self._check(self.model.data.components[c.name], c.constant, "false", c.struct.type)
            for c in data.components.declared
            if c.struct.members
        ]
        checks += [
            self._check(
                self.model.data.kept.singletons[s.name], str(s.index), "true", s.struct.type
            )
            for s in data.kept.singletons
        ]
        kept = [check for check in checks if check]
        return InsightPlan(kept, "checks" if kept else "NULL", len(self.model.data.kept.states))

    def _check(
        self, owner: Component | Singleton, number: str, singleton: str, c_type: str
    ) -> CheckPlan | None:
        planned = [*self._held(owner), *self._limits(owner)]
        if not planned:
            return None
        function = self.names.component(owner.name, "broken")
        listed = f"{owner.name}_rules"
        lines = [line for place, rule in enumerate(planned) for line in _marked(rule, place)]
        row = f"{{{number}, {singleton}, {len(planned)}, {listed}, {function}}}"
        return CheckPlan(
            function=BrokenPlan(function, c_type, [rule.comment for rule in planned], lines),
            paths=[rule.paths for rule in planned if rule.paths],
            rules=list_plan("weft_rule", listed, [rule.row for rule in planned]),
            row=row,
        )

    # ---- holds

    def _held(self, owner: Component | Singleton) -> Iterator[Rule]:
        for number, rule in enumerate(rules(owner.holds) if owner.holds else []):
            asked = [atom.ref.name for atom in rule.atoms() if atom.ref]
            asked += [atom.value.name for atom in rule.atoms() if atom.value]
            leaves = (self._leaf(owner, name) for name in asked)
            said = dict.fromkeys(found.path for found in leaves if isinstance(found, Leaf))
            paths = [text.string_literal(path) for path in said]
            listed = list_plan("char *const", f"{owner.name}_paths_{number}", paths)
            row = f"{{{text.string_literal(rule.text)}, 0, {len(paths)}, {listed.name}}}"
            condition = self._condition(owner, rule)
            if condition == "true":  # of all values of the type
                continue
            yield Rule(rule.text, [f"if (!{_wrapped(condition)}) broken |= {{bit}};"], row, listed)

    def _leaf(self, owner: Component | Singleton, path: str) -> Leaf | Wrong | None:
        return None if is_literal(path) else leaf(self.model, owner.fields, path)

    def _condition(self, owner: Component | Singleton, expr: Expr) -> str:
        if expr.ref is not None:
            return self._comparison(owner, expr)
        parts = [self._condition(owner, operand) for operand in expr.operands]
        if expr.op is Op.NOT:
            return f"!{_wrapped(parts[0])}"
        joined = {Op.AND: " && ", Op.OR: " || ", Op.XOR: " != "}[expr.op]
        return joined.join(_wrapped(part) for part in parts)

    def _comparison(self, owner: Component | Singleton, atom: Expr) -> str:
        assert atom.ref is not None
        left = leaf(self.model, owner.fields, atom.ref.name)
        assert isinstance(left, Leaf)
        one = _value(left)
        if atom.value is None:
            return one
        right = self._leaf(owner, atom.value.name)
        other = _value(right) if isinstance(right, Leaf) else atom.value.name
        if left.type.base is Base.ENTITY:
            other = other if isinstance(right, Leaf) else self.names.none()
            same = f"{self.names.world('same')}({one}, {other})"
            return same if atom.sign == "==" else f"!{same}"
        if left.type.base is Base.ENUM:
            values = [value.name for value in self.model.types.enums[left.type.name].values]
            if atom.value.name in values:
                other = self.names.enum_value(left.type.name, atom.value.name)
            return f"{one} {atom.sign} {other}"
        if left.is_bool:
            return f"{one} {atom.sign} {other}"
        scalar = SCALARS[left.type.name]
        if isinstance(right, Leaf):
            return _numbers(one, atom.sign, other, scalar, SCALARS[right.type.name])
        return _with_literal(one, atom.sign, atom.value.name, scalar)

    # ---- limits

    def _limits(self, owner: Component | Singleton) -> Iterator[Rule]:
        for number, field in enumerate(owner.fields):
            lines = self._member(field, f"v->{field.name}", 0)
            if lines:
                yield Rule(f"limits of {field.name}", lines, f"{{NULL, {number}, 0, NULL}}")

    def _member(self, field: Field, value: str, depth: int) -> list[str]:
        """Returns the statements that find a member broken."""
        type, i = field.type, "ijklmnop"[depth % 8] + (str(depth // 8) if depth > 7 else "")
        if is_rng(field):
            return []
        if type.shape is Shape.STRING:
            return [f"if (!memchr({value}, '\\0', {type.count})) broken |= {{bit}};"]
        if type.shape is Shape.ONE:
            return self._element(field, value, depth)
        items = f"{value}.items" if type.shape is Shape.LIST else value
        inner = self._element(field, f"{items}[{i}]", depth + 1)
        end = f"{i} < {type.count}"
        counted = []
        if type.shape is Shape.LIST:
            counted = [f"if ({value}.count > {type.count}) broken |= {{bit}};"]
            end = f"{i} < {value}.count && {end}"
        if not inner:
            return counted
        head = f"for (uint32_t {i} = 0; {end}; {i}++) {{{{"
        return [*counted, head, *(f"    {line}" for line in inner), "}}"]

    def _element(self, field: Field, value: str, depth: int) -> list[str]:
        type = field.type
        if type.base in (Base.STRUCT, Base.EXTERN):
            fields = self.model.struct_of(type).fields
            return [
                line
                for inner in fields
                for line in self._member(inner, f"{value}.{inner.name}", depth)
            ]
        condition = " && ".join(self._conditions(field, value))
        return [f"if (!({condition})) broken |= {{bit}};"] if condition else []

    def _conditions(self, field: Field, value: str) -> list[str]:
        type = field.type
        if type.base is Base.ENTITY:
            return self._handle(value)
        if type.base is Base.ENUM:
            enum = self.model.types.enums[type.name]
            if len(enum.values) > SCALARS[enum.type].high:
                return []
            return [f"(uint32_t){value} < (uint32_t){self.names.enum_count(type.name)}"]
        scalar = SCALARS[type.name]
        if scalar.kind is Kind.BOOL:
            return [f"*(const unsigned char *)&{value} <= 1"]
        return list(_bounds(field, value, scalar))

    def _handle(self, value: str) -> list[str]:
        """A handle has 0 in the bits that handles of the world do not use."""
        world = self.model.world
        width = world.entities.index_bits + world.entities.generation_bits
        spare = width not in (16, 32, 64)
        return [f"{value}.bits >> {width} == 0"] if spare else []


def _marked(rule: Rule, place: int) -> list[str]:
    bit = f"0x{1 << min(place, MOST_BITS - 1):x}u"
    return [line.format(bit=bit) for line in rule.lines]


def _value(leaf: Leaf) -> str:
    """Reads a value; a bool by its byte, which may be neither 0 nor 1."""
    value = f"v->{leaf.place}"
    return f"(*(const unsigned char *)&{value} != 0)" if leaf.is_bool else value


def _wrapped(condition: str) -> str:
    return condition if condition.isidentifier() else f"({condition})"


def _bounds(field: Field, value: str, scalar: Scalar) -> Iterator[str]:
    for sign, bound in ((">=", field.range.min), ("<=", field.range.max)):
        if bound is not None:
            condition = _with_literal(value, sign, str(bound), scalar)
            if condition != "true":
                yield condition


def _with_literal(value: str, sign: str, literal: str, scalar: Scalar) -> str:
    """Compares with a number. What is true or false of all of a type, compilers would warn of."""
    if scalar.kind is Kind.FLOAT:
        return _floats(value, sign, text.float_literal(float(literal), scalar.name))
    number = int(literal)
    if (sign, number) in ((">=", scalar.low), ("<=", scalar.high)):
        return "true"
    if (sign, number) in (("<", scalar.low), (">", scalar.high)):
        return "false"
    return f"{value} {sign} {text.integer_literal(number, scalar.name)}"


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
    """Compares floats; some compilers warn of == between these."""
    if sign not in ("==", "!="):
        return f"{one} {sign} {other}"
    equal = f"({one} <= {other} && {one} >= {other})"
    return equal if sign == "==" else f"!{equal}"
