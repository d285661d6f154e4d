"""Records of systems over links."""

from __future__ import annotations

from model.record import record
from plan.records.data import ComponentPlan
from plan.records.link import LinkPlan


@record
class EndPlan:
    """A component of the entity at one end of a link, gathered link by link."""

    end: str  # "from" or "to"
    component: ComponentPlan
    parameter: str  # "const colony_position *const *from_position"
    name: str  # of the parameter, and of the local array that gathers it
    element: str  # C type of an element with a blank or star at its end
    write: bool

    @property
    def row(self) -> str:
        """Returns the local variable with the row of the entity."""
        return "source" if self.end == "from" else "target"

    @property
    def variable(self) -> str:
        """Returns the local variable with its value or arrays."""
        return f"{self.row}_{self.component.name}"

    @property
    def mark(self) -> str:
        """Returns the change set that its writes are marked in, or ""."""
        return self.component.watched.mark if self.write else ""


@record
class OverPlan:
    """The links that a system iterates."""

    link: LinkPlan
    parameters: list[str]
    arguments: list[str]
    values: str  # the local array of pointers to their values; "" if it has none
    element: str  # C type of an element of it
    ends: list[EndPlan]
    marks: bool  # the system writes values, and changes of these links have a reader

    def at(self, end: str) -> list[EndPlan]:
        """Returns the components of an end."""
        return [one for one in self.ends if one.end == end]
