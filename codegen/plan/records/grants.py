"""Records of the grants of a system, and of its functions about the current rows."""

from __future__ import annotations

from model.record import record
from plan.records.selection import SelectionPlan, TagAccessPlan


@record
class TouchPlan:
    component: str  # C type
    function: str
    comment: str
    mark: str  # change set, or "" if nothing reads its changes


@record
class RowGrants:
    """Functions about the rows of a system, besides their columns."""

    optional_tags: list[TagAccessPlan]
    written_tags: list[TagAccessPlan]
    touched: list[TouchPlan]  # with marks = "explicit"

    @property
    def by_type(self) -> dict[str, list[tuple[str, str]]]:
        """Returns the verbs and functions for each component or tag, by its type in C++."""
        found = [(tag.component.struct.type, "has", tag.function) for tag in self.optional_tags]
        found += [(tag.component.struct.type, "put", tag.function) for tag in self.written_tags]
        found += [(touch.component, "touch", touch.function) for touch in self.touched]
        calls: dict[str, list[tuple[str, str]]] = {}
        for type, verb, function in found:
            calls.setdefault(type, []).append((verb, function))
        return calls

    @property
    def ask_range(self) -> bool:
        """Returns whether any of them needs the current range."""
        return bool(self.optional_tags or self.written_tags or self.touched)


@record
class ShownPlan:
    """The view of a query of changes that a system is granted."""

    query: str
    number: int  # of the system among those that list the query, from 0
    door: str  # C name of the struct that the grant points to


@record
class StagePlan:
    """The emitter of an event in a context."""

    member: str
    door: str  # C name of the struct that it points to
    place: str  # C expression: the stage of the system, or of its part


@record
class DoorsPlan:
    """The members of a context that are grants."""

    shared: list[str]  # declarations of those whose door is the world, in one union
    own: list[str]  # declarations of emitters and of readers of queries of changes
    views: list[ShownPlan]
    stages: list[StagePlan]
    asked: list[SelectionPlan]  # of the queries

    @property
    def grants(self) -> list[str]:
        """Returns the declarations of all members that are grants."""
        return self.own + self.shared
