"""Records of links."""

from __future__ import annotations

from model.record import record
from plan.records.data import GrantedPlan, HookPlan, StructPlan


@record
class LinkPlan:
    struct: StructPlan  # of their values; without members if they have none
    constant: str  # its number
    stem: str  # of the names of its calls: "colony_owes"
    symmetric: bool
    despawns: list[str]  # comment: what a despawn of an end does
    words: str  # comment: the size of a value, what a despawn of an end does, hooks
    lends: bool  # a value stays marked as long as the game may write it through a pointer
    granted: GrantedPlan
    hooks: list[HookPlan]
    row: dict[str, str]  # of the runtime's table

    @property
    def name(self) -> str:
        return self.struct.name

    walks = (("from", "to"), ("to", "from"))  # the ends of loops over the links of an entity

    @property
    def bare(self) -> bool:
        """Returns whether its links have no value."""
        return not self.struct.members

    @property
    def size(self) -> str:
        """Returns the C expression of the size of a value."""
        return "0" if self.bare else f"sizeof({self.struct.type})"

    @property
    def takes(self) -> str:
        """Returns the parameter of calls that set a link, after its ends."""
        return "" if self.bare else f", {self.struct.type} value"

    @property
    def passes(self) -> str:
        return "NULL" if self.bare else "&value"

    @property
    def overwrites(self) -> str:
        """Returns what setting a link does to an existing one, for comments."""
        return "" if self.bare else ", or overwrites the value of the existing one"

    @property
    def shows(self) -> str:
        """Returns what a loop shows besides the other end, for comments."""
        return "" if self.bare else ", it.value"
