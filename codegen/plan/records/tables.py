"""Records of const tables: for reflection, for the runtime, and for checks."""

from __future__ import annotations

from model.record import record
from plan.lists import ListPlan
from plan.records.data import ColumnPlan, HookPlan, RunsPlan
from plan.records.prefab import MovedPlan


@record
class ValuePlan:
    """A static const value."""

    type: str
    name: str
    initialiser: str


@record
class SectionPlan:
    """Const tables about one kind of thing."""

    title: str  # comment
    values: list[ValuePlan]
    arrays: list[ListPlan]


@record
class ReflectionPlan:
    """The tables of weft_schema."""

    sections: list[SectionPlan]
    counts: dict[str, str]  # by kind: "components"
    names: dict[str, str]  # C names of the tables by kind, "NULL" without any


@record
class TablesPlan:
    """The functions and tables of weft_plan."""

    sections: list[SectionPlan]
    names: set[str]  # C names of the tables that exist
    runs: list[RunsPlan]
    hooks: list[HookPlan]
    moves: list[tuple[MovedPlan, list[tuple[ColumnPlan, str]]]]  # by prefab, with the columns
    hearer_count: int
    stage_count: str  # C expressions
    buffer_count: str

    def name(self, table: str) -> str:
        """Returns the name of a table, or "NULL" if the world has none."""
        return table if table in self.names else "NULL"


@record
class CheckStep:
    """A line of a check: it tests a value, or begins or ends a loop over items."""

    depth: int  # loops around it
    broken: str = ""  # C condition that is true if a value breaks the rule, or ""
    item: str = ""  # the variable of the loop that it begins, or ""
    more: str = ""  # C condition of that loop
    bit: str = ""  # of the rule

    @property
    def pad(self) -> str:
        """Returns the blanks before it."""
        return "    " * self.depth


@record
class CheckPlan:
    """The rules that values of a component or singleton must meet."""

    function: str  # returns which rules a value breaks
    type: str  # C type of the value
    comment: list[str]  # what each rule says
    steps: list[CheckStep]  # of the function, for one value
    paths: ListPlan  # of the values that `holds` tests, by rule: string literals
    rules: ListPlan
    row: str  # initialiser


@record
class InsightPlan:
    """All checks of a world, for games that request them."""

    checks: list[CheckPlan]
    table: str  # C name, "NULL" without any
    state_count: int
