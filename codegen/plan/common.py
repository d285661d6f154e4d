"""All planners share one record, which is made once for a world."""

from __future__ import annotations

from dataclasses import dataclass

from model.model import Model
from names.names import Names
from plan.changes import Changes
from plan.rules import Sets
from plan.types import Types
from schedule import PhaseSchedule, make_schedule, with_passes


@dataclass(frozen=True)
class Common:
    model: Model
    names: Names
    types: Types
    sets: Sets
    changes: Changes
    schedule: list[PhaseSchedule]


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
