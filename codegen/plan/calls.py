"""Chooses the runtime functions for direct calls and commands of a component.

A component without rules, readers and hooks is written inline, with its column and size as
constants (runtime/edit/direct.h). All others use the general call. So do soa components, because
their values are spread over several columns.
"""

from __future__ import annotations

from collections.abc import Hashable

from model.record import record
from names.names import Names
from plan.records.data import CallsPlan, HookPlan, RunsPlan

_STORAGE = {"aos": "WEFT_DIRECT_TABLE", "sparse": "WEFT_DIRECT_SPARSE", "tag": "WEFT_DIRECT_TAG"}


@record
class Target:
    """Describes a component for its direct calls."""

    name: str
    kind: str
    general: bool  # rules, readers or hooks need the general call
    constant: str
    where: list[str]  # constants of its column, and of its bitset or store
    type: str  # of its values in C
    align: int
    bytes: tuple[int, ...]  # on every kind of machine

    @property
    def inlined(self) -> bool:
        return not self.general and self.kind != "soa"

    @property
    def constants(self) -> str:
        """Returns the argument that describes it for direct calls of the runtime."""
        part = ["0"] if self.kind == "aos" else []
        told = [_STORAGE[self.kind], self.constant, *self.where, *part, self.size]
        return f"weft_direct_of({', '.join(told)})"

    @property
    def size(self) -> str:
        return "0" if self.kind == "tag" else f"sizeof({self.type})"


def make_calls(target: Target, hooks: list[HookPlan]) -> CallsPlan:
    return CallsPlan(
        direct=target.constants if target.inlined else "", wide=target.align > 8, hooks=hooks
    )


def make_runs(
    names: Names, target: Target, shared: dict[Hashable, RunsPlan] | None
) -> RunsPlan | None:
    """Plans the loops that apply successive commands. Each command changes one entity.

    In a large schema, components with the same storage and size share a loop to limit compile
    time. It has the name of the first of these components.
    """
    if not target.inlined:
        return None
    of = target.constants if shared is None else f"{_STORAGE[target.kind]}, {target.size}"
    runs = RunsPlan(names.local("runs", target.name), of, shared is not None)
    return runs if shared is None else shared.setdefault((target.kind, target.bytes), runs)
