"""This module groups systems of a phase into passes, in which they run block by block.

Loops over many rows, one after the other, bring each column from memory as often as a loop uses it.
A pass brings it once: all of its systems run on the first rows, then all of them on the next, and a
block is so small that the second system finds in the cache what the first one has touched.

Systems next to each other in the order of running one by one are fused if nothing can tell: they
are parallel, and where one writes what another touches, both touch it in their own rows only. Then
what a system does to a row depends on it alone, and on what the systems before have done to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from model.code import System
from model.model import Model
from model.record import record
from model.sizes import Sizes
from schedule.conflicts import Conflicts, Meeting
from schedule.order import declared_orders

WEFT_FUSED_MAX = 32  # systems in a pass, as in the runtime

# Where each call has to find its rows, a block is to have so many bytes in all columns that it
# stays in the first cache of a core, which has 32 to 48 KiB. Of 8 to 256 KiB, 24 and 32 were the
# fastest: with less the calls for each block begin to count, with more the systems behind the first
# read from the second cache.
BLOCK_BYTES = 32 * 1024
WORD_ROWS = 64  # blocks begin where words of masks do
# Where calls cost next to nothing, a block has at most so many bytes in its widest column: what a
# processor fetches ahead in one column while it works on others. In longer blocks the first system
# waits for memory again, at the beginning of each.
COLUMN_BYTES = 20 * 64
LINED_ROWS = 32  # these begin where lines of the cache do


@record
class Pass:
    """Systems that run block by block, in the order of running one by one."""

    systems: tuple[System, ...]
    row_bytes: int  # what all of them touch in a row
    column_bytes: int  # and in the widest column
    saved: tuple[int, ...]  # by system: bytes a row that one before it has touched
    whole: tuple[bool, ...]  # by system: whether it takes every row of its tables

    @property
    def direct(self) -> bool:
        """Tells whether a function of the pass calls systems itself, those that need not look for
        rows; the others take a few times as long to call, so that they may not be most of all."""
        return 2 * sum(self.whole) >= len(self.whole)

    @property
    def block_rows(self) -> int:
        """Returns the rows of a block in which each system finds its own."""
        return _rounded(BLOCK_BYTES // self.row_bytes, WORD_ROWS)

    @property
    def short_rows(self) -> int:
        """Returns those of one that is given to systems as it is."""
        unit = LINED_ROWS if all(self.whole) else WORD_ROWS
        return _rounded(COLUMN_BYTES // self.column_bytes, unit)


def _rounded(rows: int, unit: int) -> int:
    return max(rows // unit, 1) * unit


@record
class Apart:
    """Two parallel systems next to each other that are in no pass together."""

    earlier: System
    later: System
    meetings: tuple[Meeting, ...] = ()  # what keeps the later one from a system of the pass before,
    met: System | None = None  # from this one
    reason: str = ""  # what does so otherwise


Segment = tuple[System, ...]  # in the order of running one by one


def make_passes(model: Model, phases: list[list[Segment]]) -> list[tuple[list[Pass], list[Apart]]]:
    """Groups the systems of each phase, of which the segments are given."""
    segments = [segment for phase in phases for segment in phase]
    pairs = (pair for segment in segments for pair in pairwise(segment))
    if not any(one.loop.parallel and other.loop.parallel for one, other in pairs):
        return [([], []) for _ in phases]
    conflicts = Conflicts(model)
    return [_phase_passes(model, conflicts, phase) for phase in phases]


def _phase_passes(
    model: Model, conflicts: Conflicts, segments: list[Segment]
) -> tuple[list[Pass], list[Apart]]:
    passes: list[Pass] = []
    apart: list[Apart] = []
    for segment in segments:
        fuser = _Fuser(model, conflicts, segment)
        fused, why = fuser.fuse()
        passes += fused
        together = {
            (one.name, other.name) for each in fused for one, other in pairwise(each.systems)
        }
        apart += [
            why.get(later.name, Apart(earlier, later, reason="they share no column"))
            for earlier, later in pairwise(segment)
            if earlier.loop.parallel
            and later.loop.parallel
            and (earlier.name, later.name) not in together
        ]
    return passes, apart


class _Fuser:
    def __init__(self, model: Model, conflicts: Conflicts, systems: Segment) -> None:
        self._model, self._conflicts, self._systems = model, conflicts, systems
        self._sizes = Sizes(model)
        self._declared = declared_orders(list(systems))

    def fuse(self) -> tuple[list[Pass], dict[str, Apart]]:
        """Returns the passes, and what ended the one before a system, by its name."""
        passes: list[Pass] = []
        ended: dict[str, Apart] = {}
        group: list[System] = []
        for earlier, system in zip((None, *self._systems), self._systems, strict=False):
            why = self._why_apart(group, earlier, system) if earlier else None
            if why:
                ended[system.name] = why
                passes += self._passes(group)
                group = []
            if not self._alone(system):
                group.append(system)
        return [*passes, *self._passes(group)], ended

    def _alone(self, system: System) -> str:
        """Says what keeps a system out of every pass, if anything does."""
        reasons = (
            (not system.loop.parallel, "is not parallel"),
            (not system.loop.fuse, "has fuse = false"),
            (system.loop.tree.order is not None, "goes from parents to children"),
            (system.messages.commands, "records commands"),
            (self._conflicts.calls_hooks(system), "calls hooks"),
        )
        return next((reason for holds, reason in reasons if holds), "")

    def _why_apart(self, group: list[System], earlier: System, later: System) -> Apart | None:
        """Says what keeps a system from the group before it."""
        for system in (earlier, later):
            if reason := self._alone(system):
                return Apart(earlier, later, reason=f"{system.name} {reason}")
        for system in group:
            if meetings := self._conflicts.across_rows(system, later):
                return Apart(earlier, later, meetings, system)
            declared = later.name in self._declared[system.name]
            if declared and not self._conflicts.between(system, later):
                reason = (
                    f"the schema puts {later.name} after {system.name}, though they share nothing"
                )
                return Apart(earlier, later, reason=reason)
        if len(group) == WEFT_FUSED_MAX:
            return Apart(earlier, later, reason=f"a pass has {WEFT_FUSED_MAX} systems at most")
        return None

    def _passes(self, group: list[System]) -> Iterator[Pass]:
        """Yields the pass of a group. Systems at its ends that share no column are left out."""
        group = list(group)
        while len(group) > 1 and not self._shares(group[0], group[1:]):
            group.pop(0)
        while len(group) > 1 and not self._shares(group[-1], group[:-1]):
            group.pop()
        if len(group) > 1:
            every = {name for system in group for name in self._columns(system)}
            saved = (self._saved(group[:i], system) for i, system in enumerate(group))
            yield Pass(
                tuple(group),
                self._bytes(every),
                max(self._sizes.of_column(self._model.data.components[name]) for name in every),
                tuple(saved),
                tuple(self._takes_tables(system) for system in group),
            )

    def _takes_tables(self, system: System) -> bool:
        """Tells whether a system takes every row of the tables that it has to do with."""
        chosen = system.selection
        values = [
            ref.name for ref in chosen.read + chosen.write if self._model.has_values(ref.name)
        ]
        asked = [*chosen.read, *chosen.write, *chosen.optional]
        tags = any(self._model.is_tag(ref.name) for ref in chosen.write)
        sparse = any(self._model.data.components[ref.name].is_sparse for ref in asked)
        return bool(values) and not (
            tags or sparse or chosen.where or chosen.rows or system.loop.tree.parent
        )

    def _shares(self, system: System, others: list[System]) -> bool:
        return self._saved(others, system) > 0

    def _saved(self, others: list[System], system: System) -> int:
        """Returns how many bytes of a row others touch whose tables it may share."""
        met = [other for other in others if self._conflicts.share_table(other, system)]
        touched = {name for other in met for name in self._columns(other)}
        return self._bytes(touched & self._columns(system))

    def _columns(self, system: System) -> set[str]:
        chosen = system.selection
        refs = chosen.read + chosen.write + chosen.optional
        return {ref.name for ref in refs if self._model.has_values(ref.name)}

    def _bytes(self, names: set[str]) -> int:
        return sum(self._sizes.of_row(self._model.data.components[name]) for name in names)
