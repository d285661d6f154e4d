"""Groups systems of a phase into passes, which run block by block.

Loops over many rows that run one after the other load each column from memory once for each loop. A
pass loads it only once: all systems of the pass run on the first rows, then all of them on the next
rows. A block is small, so the second system finds in the cache what the first one used. This is
faster only while the processor can prefetch the columns, so a pass uses few arrays. Systems that
use more arrays are divided into several passes.

Adjacent systems in the single-threaded order are fused if the result cannot differ. They must be
parallel, and if one writes what another uses, both must use it in their own rows only. Then the
work on a row depends only on that row, and on what the earlier systems did to it.
"""

from __future__ import annotations

from itertools import islice, pairwise

from model.code import System
from model.model import Model
from model.record import record
from model.sizes import Sizes
from schedule.conflicts import Conflicts, Meeting
from schedule.order import declared_orders

WEFT_FUSED_MAX = 32  # systems in a pass, as in the runtime

# Systems that must search for their rows cost more for each call, so their blocks are as long as
# the first cache of a core (32 to 48 KiB) allows.
BLOCK_BYTES = 32 * 1024
WORD_ROWS = 64  # blocks start at a multiple of the rows in a word of a mask

# Other passes have short and long blocks, and the number of rows decides (weft_pass_begin). Short
# blocks are for rows that come from memory: while the systems process a block, the processor
# prefetches about twenty lines of the next one for each column.
SHORT_ROWS_MIN = 64
SHORT_ROWS_MOST = 128
SHORT_COLUMN_BYTES = 21 * 64
# Long blocks are for rows that stay in the caches, where the cost of calls matters more.
LONG_ROWS = 1024
LONG_BYTES = 128 * 1024

# A processor prefetches about a dozen arrays. Systems that use more of them block by block read
# memory at half the speed, which costs more than the pass saves.
ARRAYS_MAX = 12
LEAST_GAIN = 8  # a pass must save at least one in this many bytes that its systems use


@record
class Pass:
    """Systems that run block by block, in the single-threaded order."""

    systems: tuple[System, ...]
    row_bytes: int  # bytes of a row that all of them use
    arrays: int  # the arrays that contain these bytes
    saved: tuple[int, ...]  # by system: bytes of a row that an earlier system has used
    whole: tuple[bool, ...]  # by system: whether it uses every row of its tables

    @property
    def direct(self) -> bool:
        """Returns whether at least half of the systems need not search for their rows.

        A call of the other systems takes several times as long.
        """
        return 2 * sum(self.whole) >= len(self.whole)

    @property
    def short_rows(self) -> int:
        """Returns the rows of a short block."""
        if not self.direct:
            return self._looked_rows
        fit = min(BLOCK_BYTES, SHORT_COLUMN_BYTES * self.arrays) // self.row_bytes
        return _power(fit, SHORT_ROWS_MIN, SHORT_ROWS_MOST)

    @property
    def long_rows(self) -> int:
        """Returns the rows of a long block, a multiple of those of a short block."""
        if not self.direct:
            return self._looked_rows
        return _power(LONG_BYTES // self.row_bytes, self.short_rows, LONG_ROWS)

    @property
    def _looked_rows(self) -> int:
        """Returns the rows of a block if most systems search for their rows."""
        return max(BLOCK_BYTES // self.row_bytes // WORD_ROWS, 1) * WORD_ROWS


def _power(rows: int, least: int, most: int) -> int:
    """Returns the largest power of two up to `rows`, within bounds that are powers of two."""
    return min(max(1 << max(rows, 1).bit_length() - 1, least), most)


@record
class _Cut:
    """A division of a group into runs of adjacent systems."""

    gain: int  # bytes of a row that its passes save
    fused: int  # systems in passes
    sizes: list[int]  # the number of systems of each run

    def more(self, size: int, gain: int) -> _Cut:
        """Returns the division with one more run."""
        fused = size if size > 1 else 0
        worst = -(1 << 60) if gain < 0 else 0
        return _Cut(self.gain + gain + worst, self.fused + fused, [*self.sizes, size])


@record
class Apart:
    """Two adjacent parallel systems that share no pass."""

    earlier: System
    later: System
    meetings: tuple[Meeting, ...] = ()  # conflicts of the later one with
    met: System | None = None  # this system of the earlier pass
    reason: str = ""  # why, if there is no conflict


Segment = tuple[System, ...]  # in the single-threaded order


def make_passes(model: Model, phases: list[list[Segment]]) -> list[tuple[list[Pass], list[Apart]]]:
    """Groups the systems of each phase into passes. Phases are given as segments."""
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
        """Returns the passes, and for each system that starts a new group the reason, by name."""
        passes: list[Pass] = []
        ended: dict[str, Apart] = {}
        group: list[System] = []
        for earlier, system in zip((None, *self._systems), self._systems, strict=False):
            why = self._why_apart(group, earlier, system) if earlier else None
            if why:
                ended[system.name] = why
                passes += self._passes(group, ended)
                group = []
            if not self._alone(system):
                group.append(system)
        return [*passes, *self._passes(group, ended)], ended

    def _alone(self, system: System) -> str:
        """Returns why a system cannot be in any pass; "" if it can."""
        reasons = (
            (not system.loop.parallel, "is not parallel"),
            (not system.loop.fuse, "has fuse = false"),
            (system.loop.over is not None, "iterates links"),
            (system.loop.tree.order is not None, "visits parents before children"),
            (system.messages.commands, "records commands"),
            (self._conflicts.calls_hooks(system), "calls hooks"),
        )
        return next((reason for holds, reason in reasons if holds), "")

    def _why_apart(self, group: list[System], earlier: System, later: System) -> Apart | None:
        """Returns why a system cannot join the group before it; None if it can."""
        for system in (earlier, later):
            if reason := self._alone(system):
                return Apart(earlier, later, reason=f"{system.name} {reason}")
        for system in group:
            if meetings := self._conflicts.across_rows(system, later):
                return Apart(earlier, later, meetings, system)
            declared = later.name in self._declared[system.name]
            if declared and not self._conflicts.between(system, later):
                reason = f"the schema puts {later.name} after {system.name}, but they share nothing"
                return Apart(earlier, later, reason=reason)
        if len(group) == WEFT_FUSED_MAX:
            return Apart(earlier, later, reason=f"a pass has at most {WEFT_FUSED_MAX} systems")
        return None

    def _passes(self, group: list[System], ended: dict[str, Apart]) -> list[Pass]:
        """Returns the passes of a group. If there are several, `ended` receives the reasons."""
        systems = iter(group)
        runs = [list(islice(systems, size)) for size in self._cut(group)]
        for run, following in pairwise(runs):
            if reason := self._why_cut(run, following):
                ended[following[0].name] = Apart(run[-1], following[0], reason=reason)
        return [self._pass(run) for run in runs if len(run) > 1]

    def _why_cut(self, run: list[System], following: list[System]) -> str:
        """Returns why two runs are not a single pass; "" if they share no column."""
        if not any(self._saved(run, system) for system in following):
            return ""
        arrays = self._arrays([*run, *following])
        if arrays > ARRAYS_MAX:
            return f"a common pass would use {arrays} arrays, more than {ARRAYS_MAX}"
        return "a common pass would save too few bytes"

    def _cut(self, group: list[System]) -> list[int]:
        """Divides a group so that it saves most bytes. Returns the number of systems of each
        run: 1 for a system alone, otherwise those of a pass.
        """
        best = [_Cut(0, 0, [])]
        for end in range(1, len(group) + 1):
            cuts = (
                best[begin].more(end - begin, self._gain(group[begin:end])) for begin in range(end)
            )
            best.append(max(cuts, key=lambda cut: (cut.gain, -cut.fused)))
        return best[-1].sizes

    def _gain(self, run: list[System]) -> int:
        """Returns how many bytes of a row a pass saves, or less than 0 if it would not be
        faster.
        """
        if len(run) == 1:
            return 0
        if self._arrays(run) > ARRAYS_MAX:
            return -1
        gain = sum(self._saved(run[:i], system) for i, system in enumerate(run))
        touched = sum(self._bytes(self._columns(system)) for system in run)
        return gain if gain * LEAST_GAIN >= touched else -1

    def _pass(self, run: list[System]) -> Pass:
        every = {name for system in run for name in self._columns(system)}
        return Pass(
            tuple(run),
            self._bytes(every),
            self._arrays(run),
            tuple(self._saved(run[:i], system) for i, system in enumerate(run)),
            tuple(self._takes_tables(system) for system in run),
        )

    def _arrays(self, run: list[System]) -> int:
        """Returns how many arrays the systems use."""
        every = {name for system in run for name in self._columns(system)}
        components = [self._model.data.components[name] for name in every]
        return sum(len(one.fields) if one.is_soa else 1 for one in components)

    def _takes_tables(self, system: System) -> bool:
        """Returns whether a system uses every row of its tables."""
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

    def _saved(self, others: list[System], system: System) -> int:
        """Returns how many bytes of a row the others use too, if they may share its tables."""
        met = [other for other in others if self._conflicts.share_table(other, system)]
        touched = {name for other in met for name in self._columns(other)}
        return self._bytes(touched & self._columns(system))

    def _columns(self, system: System) -> set[str]:
        chosen = system.selection
        refs = chosen.read + chosen.write + chosen.optional
        return {ref.name for ref in refs if self._model.has_values(ref.name)}

    def _bytes(self, names: set[str]) -> int:
        return sum(self._sizes.of_row(self._model.data.components[name]) for name in names)
