"""Plans checks in C of the rules that values must always meet. Only games that ask for checks
compile them."""

from __future__ import annotations

from collections.abc import Iterator

from model.data import Component, Singleton
from model.holds import rules
from model.record import record, replace
from model.rng import is_rng
from model.scalars import SCALARS, Kind, Scalar
from model.types import Base, Field, Shape
from plan import text
from plan.common import Common
from plan.holds import TRUE, Conditions, with_literal, wrapped
from plan.lists import list_plan
from plan.records.kinds import DataPlan
from plan.records.tables import CheckPlan, CheckStep, InsightPlan

MOST_BITS = 64  # one for each broken rule of a value; further rules share the last bit


@record
class Checked:
    """A component or singleton, with the names and number of its checks."""

    owner: Component | Singleton
    type: str  # C type of the value
    number: str
    is_singleton: bool
    broken: str  # the function that returns which rules a value breaks


@record
class Rule:
    comment: str
    steps: list[CheckStep]
    row: str  # initialiser
    paths: tuple[str, ...] = ()  # string literals


class Checks:
    """Plans the checks of all components and singletons with rules."""

    def __init__(self, common: Common) -> None:
        self.common, self.model, self.names = common, common.model, common.names

    def plan(self, data: DataPlan) -> InsightPlan:
        checks = [self._check(checked) for checked in self._checked(data)]
        kept = [check for check in checks if check]
        return InsightPlan(kept, "checks" if kept else "NULL", len(self.model.data.kept.states))

    def _checked(self, data: DataPlan) -> Iterator[Checked]:
        for c in data.components.declared:
            if c.struct.members:
                component, broken = self.model.data.components[c.name], self.names.component
                called = broken(c.name, "broken")
                yield Checked(component, c.struct.type, c.constant, False, called)
        for s in data.singletons:
            singleton = self.model.data.kept.singletons[s.name]
            called = (self.names.state if s.state else self.names.singleton)(s.name, "broken")
            yield Checked(singleton, s.struct.type, str(s.index), True, called)

    def _check(self, checked: Checked) -> CheckPlan | None:
        owner = checked.owner
        planned = [*self._held(owner), *self._limits(owner)]
        if not planned:
            return None
        listed = self.names.local("rules", owner.name)
        steps = [step for place, rule in enumerate(planned) for step in _marked(rule, place)]
        is_singleton = "true" if checked.is_singleton else "false"
        row = f"{{{checked.number}, {is_singleton}, {len(planned)}, {listed}, {checked.broken}}}"
        paths = [path for rule in planned for path in rule.paths]
        return CheckPlan(
            function=checked.broken,
            type=checked.type,
            comment=[rule.comment for rule in planned],
            steps=steps,
            paths=list_plan("char *const", self.names.local("paths", owner.name), paths),
            rules=list_plan("weft_rule", listed, [rule.row for rule in planned]),
            row=row,
        )

    # ---- holds

    def _held(self, owner: Component | Singleton) -> Iterator[Rule]:
        conditions, first = Conditions(self.common, owner), 0
        listed = self.names.local("paths", owner.name)
        for rule in rules(owner.holds) if owner.holds else []:
            condition = conditions.condition(rule)
            if condition == TRUE:  # every value of the type meets it
                continue
            paths = tuple(text.string_literal(path) for path in conditions.paths(rule))
            row = f"{{{text.string_literal(rule.text)}, 0, {len(paths)}, {listed} + {first}}}"
            first += len(paths)
            yield Rule(rule.text, [CheckStep(0, f"!{wrapped(condition)}")], row, paths)

    # ---- limits

    def _limits(self, owner: Component | Singleton) -> Iterator[Rule]:
        for number, field in enumerate(owner.fields):
            steps = self._member(field, f"v->{field.name}", 0)
            if steps:
                yield Rule(f"limits of {field.name}", steps, f"{{NULL, {number}, 0, NULL}}")

    def _member(self, field: Field, value: str, depth: int) -> list[CheckStep]:
        """Returns the steps that find a member broken, within `depth` loops."""
        type, i = field.type, "ijklmnop"[depth % 8] + (str(depth // 8) if depth > 7 else "")
        if is_rng(field):
            return []
        if type.shape is Shape.STRING:
            return [CheckStep(depth, f"!memchr({value}, '\\0', {type.count})")]
        if type.shape is Shape.ONE:
            return self._element(field, value, depth)
        items = f"{value}.items" if type.shape is Shape.LIST else value
        inner = self._element(field, f"{items}[{i}]", depth + 1)
        end = f"{i} < {type.count}"
        counted = []
        if type.shape is Shape.LIST:
            counted = [CheckStep(depth, f"{value}.count > {type.count}")]
            end = f"{i} < {value}.count && {end}"
        if not inner:
            return counted
        return [*counted, CheckStep(depth, item=i, more=end), *inner, CheckStep(depth)]

    def _element(self, field: Field, value: str, depth: int) -> list[CheckStep]:
        type = field.type
        if type.base in (Base.STRUCT, Base.EXTERN):
            fields = self.model.struct_of(type).fields
            return [
                step
                for inner in fields
                for step in self._member(inner, f"{value}.{inner.name}", depth)
            ]
        condition = " && ".join(self._conditions(field, value))
        return [CheckStep(depth, f"!({condition})")] if condition else []

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


def _marked(rule: Rule, place: int) -> list[CheckStep]:
    bit = f"0x{1 << min(place, MOST_BITS - 1):x}u"
    return [replace(step, bit=bit) for step in rule.steps]


def _bounds(field: Field, value: str, scalar: Scalar) -> Iterator[str]:
    for sign, bound in ((">=", field.range.min), ("<=", field.range.max)):
        if bound is not None:
            condition = with_literal(value, sign, str(bound), scalar)
            if condition != TRUE:
                yield condition
