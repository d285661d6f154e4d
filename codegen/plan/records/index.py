"""These records hold indexes, their iterators and calls."""

from __future__ import annotations

from model.record import record
from plan.records.data import ComponentPlan
from plan.records.page import PagePlan
from plan.records.selection import SelectionPlan

# The first word of the calls of an iterator, by the kind of index.
WALKS = {"grid": "near", "hash": "each", "ordered": "range"}


@record
class KnownIndexPlan:
    """An index as the runtime knows it."""

    constant: str  # COLONY_INDEX_…
    selection: SelectionPlan
    row: dict[str, str]


@record
class IndexWords:
    """The comments about an index."""

    summary: str
    example: str  # the arguments that begin an iteration
    overview: str


@record
class KeysPlan:
    """The key of a hash or an ordered index, as words of 64 bits."""

    count: int  # of words
    arguments: list[str]  # the names of the values in a call
    numbers: list[tuple[int, str]]  # C expressions of the words of numbers, by their places
    texts: list[str]  # C expressions that make the words of texts, false if one is too long
    equal: str  # C expression: whether the value of an iterator has the words of its key
    low: str  # C expressions: the words at the ends of a range
    high: str


@record
class GridPlan:
    axes: int
    form: str  # initialiser of a weft_grid_form


@record
class QuestionPlan:
    """A call of an index. The game and systems have one each, around one body."""

    verb: str
    result: str  # C type, with a blank or star at its end
    parameters: list[str]
    comment: str
    inline: str = "static inline"  # of the calls; the body is inlined into them

    @property
    def arguments(self) -> list[str]:
        return [parameter.replace("*", " ").split()[-1] for parameter in self.parameters]


@record
class IndexGrantPlan:
    reader: str  # type
    verified: str  # "true" if calls do not compare results with rows, because these may be newer


@record
class IndexPlan:
    """An index and the calls that search it."""

    name: str
    kind: str  # grid, hash or ordered
    stem: str  # its name in C, which names it in C++
    page: PagePlan
    component: ComponentPlan
    known: KnownIndexPlan
    words: IndexWords
    key: str  # C++ type of a key; for a grid the type of a coordinate
    keys: KeysPlan
    grid: GridPlan | None
    questions: list[QuestionPlan]
    granted: IndexGrantPlan | None  # None: no system lists it

    @property
    def walk(self) -> str:
        return WALKS[self.kind]

    @property
    def iterator(self) -> str:
        return f"{self.stem}_{self.walk}_iter"

    @property
    def constant(self) -> str:
        return self.known.constant

    @property
    def compared(self) -> bool:
        """Returns whether results are compared with rows, because keys may share a hash."""
        return self.kind == "hash" and self.keys.count > 1

    @property
    def typed(self) -> list[tuple[str, str]]:
        """Returns the names of its calls in C++, and their functions."""
        walk = f"{self.walk}_begin"
        verbs = sorted((one.verb for one in self.questions), key=lambda verb: verb != walk)
        asked = [(verb.removesuffix("_begin"), verb) for verb in verbs]
        calls = [("next", f"{self.walk}_next"), *asked]
        return [(call, f"{self.stem}_{verb}") for call, verb in calls]
