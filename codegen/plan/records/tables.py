"""These records hold const tables: of reflection, of the runtime, and of what is checked."""

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
    """The tables behind weft_schema."""

    sections: list[SectionPlan]
    counts: dict[str, str]  # by kind: "components"
    names: dict[str, str]  # C names of the tables by kind, "NULL" without any


@record
class TablesPlan:
    """The functions and tables behind weft_plan."""

    sections: list[SectionPlan]
    names: set[str]  # C names of the tables that there are
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
    broken: str = ""  # C condition in which a value breaks the rule; "": it tests none
    item: str = ""  # the variable of the loop that it begins; "": it begins none
    more: str = ""  # C condition while that loop goes on
    bit: str = ""  # of the rule

    @property
    def pad(self) -> str:
        """Returns the blanks before it."""
        return "    " * self.depth


@record
class CheckPlan:
    """Holds what is true of a component or singleton."""

    function: str  # tells which rules a value breaks
    type: str  # C type of the value
    comment: list[str]  # what each rule says
    steps: list[CheckStep]  # of the function, for one value
    paths: ListPlan  # of the values that `holds` is about, rule by rule: string literals
    rules: ListPlan
    row: str  # initialiser


@record
class InsightPlan:
    """Holds all that is checked of a world whose game asks for it."""

    checks: list[CheckPlan]
    table: str  # C name, "NULL" without any
    state_count: int
