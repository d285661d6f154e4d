"""The record that all planners of a world share."""

from __future__ import annotations

from functools import cached_property

from model.granted import Granted, granted
from model.model import Model
from model.record import record
from names.names import Names
from plan.changes import Changes
from plan.conditions import APART, INLINE, Calls
from plan.rules import Sets
from plan.types import Types
from schedule import PhaseSchedule, make_schedule, with_passes

# A table has pointers for at most this many columns (runtime/store/table.h). With more columns it
# keeps most pointers in groups, and less code is inlined to limit compile time: components of one
# size share the loops that run commands, and walks call the step to the next run of rows.
UNGROUPED_COLUMNS = 96


@record
class Common:
    model: Model
    names: Names
    types: Types
    sets: Sets
    changes: Changes
    schedule: list[PhaseSchedule]

    @cached_property
    def grouped(self) -> bool:
        """Returns whether tables keep pointers of columns in groups. Handles count as a column."""
        return 1 + sum(c.columns for c in self.model.data.components.values()) > UNGROUPED_COLUMNS

    @cached_property
    def granted(self) -> Granted:
        return granted(self.model)

    @property
    def calls(self) -> Calls:
        return APART if self.grouped else INLINE


def make_common(model: Model) -> Common:
    names = Names(model.world.name)
    return Common(
        model=model,
        names=names,
        types=Types(model, names),
        sets=Sets(model),
        changes=Changes(model, names),
        schedule=with_passes(model, make_schedule(model)),
    )
