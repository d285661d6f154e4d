"""These records hold how C chooses rows and walks over them."""

from __future__ import annotations

from typing import NamedTuple

from model.record import record
from plan.records.data import ComponentPlan
from plan.records.filter import Filter


@record
class SparseColumn:
    """A column whose values lie apart, so that a range has a pointer to each."""

    name: str
    element: str  # C type of such a pointer, "const colony_burning *"
    array: str  # of them, for the rows at hand
    store: str  # constant
    in_order: bool = False  # a mask's walk comes by its values in their order, one by one
    values: str = ""  # where a walk in the order of the sparse rows has the pointers ready

    @property
    def given(self) -> str:
        """Returns the argument of the game's function."""
        return self.values or self.array


@record
class SelectionColumn:
    """A column of a selection as a parameter, an iterator member, and an argument."""

    name: str
    declaration: str  # "const colony_position *position"
    parameter: str  # the declaration, with restrict where nothing else reaches the column
    argument: str  # "colony_position_at(at.table, at.first)"
    comment: str  # "read", "written", "read, NULL where absent"
    mark: str  # the change set in which rows given out are noted, "" for none
    lends: bool  # these marks stay for as long as the game has the rows
    sparse: SparseColumn | None = None


@record
class FilterFunctions:
    """The functions that decide which rows of a table pass."""

    match: str  # C name: whether none, some or all rows of a table pass; "" if it is not asked
    filter: str  # C name: which rows pass, 64 a word
    rules: Filter


@record
class TableQueryPlan:
    """A query of the runtime, which knows the tables that can have its rows."""

    constant: str  # COLONY_QUERY_…
    matches: str  # C name of the function that tells it of a table
    decides: str  # and the C expression that this returns, over `table`
    key: str  # constant of a component that each of its tables has; NONE: it needs none


class SparseOrder(NamedTuple):
    """The order of the rows of a sparse component in the tables of a query."""

    query: str  # constants
    store: str
    column: str
    listed: str  # "true" if a walk goes by it


@record
class SelectionPlan:
    """The rows of a query, a system or an index, and the columns that are given of them."""

    query: TableQueryPlan
    filter: Filter
    functions: list[FilterFunctions]  # those that have to be defined: one or none
    columns: list[SelectionColumn]
    rows: str  # "mask": ranges with a mask; "list": row numbers; "": runs of rows
    rows_max: str  # of a range: "UINT32_MAX", "WEFT_SPARSE_ROWS", "WEFT_TAG_WRITE_ROWS"
    apart: bool  # in a large schema: a walk begins and steps by calls, which compile sooner
    depth_order: str  # constant of the order of its rows; "" where they come table by table
    words: str  # "reads position; writes worker; where …"

    @property
    def mask(self) -> bool:
        return self.rows == "mask"

    @property
    def listed(self) -> bool:
        return self.rows == "list"

    @property
    def linkage(self) -> str:
        """Says how the function that walks is declared: one that steps by calls is inlined
        nowhere."""
        return "WEFT_APART static" if self.apart else "static"

    @property
    def match(self) -> str:
        """Returns the C name of the function that a walk asks of each table."""
        return match_given(self.functions)

    @property
    def filter_name(self) -> str:
        """Returns the C name of the function that a walk asks of the rows of a table."""
        return filter_given(self.functions)

    @property
    def by_row(self) -> bool:
        """Returns whether a walk gives less than whole tables."""
        return self.filter.by_row or bool(self.rows) or self.rows_max != "UINT32_MAX"

    @property
    def shape(self) -> str:
        """Names the steps that a walk takes, as in `_walk.c.j2`."""
        if self.depth_order:
            return "dirty" if self.dirty else "depth"
        return self.rows or ("runs" if self.by_row else "table")

    @property
    def dirty(self) -> bool:
        """Returns whether it walks dirty rows, since it asks changed_parent."""
        return bool(self.filter.parents)

    @property
    def marked(self) -> list[str]:
        """Returns the change sets in which rows given out are noted."""
        return [column.mark for column in self.columns if column.mark]

    @property
    def lent(self) -> list[str]:
        """Returns those of them whose marks stay for as long as the game has the rows."""
        return [column.mark for column in self.columns if column.lends]

    @property
    def marked_once(self) -> list[str]:
        """Returns the others, whose marks are set for each range."""
        return [mark for mark in self.marked if mark not in self.lent]

    @property
    def mark_call(self) -> str:
        """Returns the function that notes the rows of a range as changed."""
        kinds = {"mask": "weft_cursor_mark_rows", "list": "weft_cursor_mark_list"}
        return kinds.get(self.rows, "weft_cursor_mark")

    def each_row(self, rows: str, count: str) -> str:
        """Returns the head of a loop over the rows of a range: its mask, list or count."""
        if self.mask:
            return f"weft_rows walk = {rows}; weft_next(&walk, &i);"
        return f"uint32_t i = 0; i < {f'{rows}.count' if self.listed else count}; i++"

    def row(self, rows: str) -> str:
        """Returns the number of the row in that loop."""
        return f"{rows}.row[i]" if self.listed else "i"

    @property
    def gathered(self) -> list[SparseColumn]:
        return [column.sparse for column in self.columns if column.sparse]

    @property
    def gathers(self) -> list[SparseColumn]:
        """Returns these as they are gathered: first the one whose pointers a walk may have."""
        return sorted(self.gathered, key=lambda column: not column.values)

    @property
    def gathers_by_call(self) -> bool:
        return self.apart and not self.rows

    @property
    def rows_of_array(self) -> str:
        """Returns how many pointers of a sparse column a walk has space for."""
        return "WEFT_LIST_ROWS" if self.listed else "WEFT_SPARSE_ROWS"

    @property
    def over(self) -> SparseColumn | None:
        """Returns the sparse column that exactly the passing rows have, if there is one."""
        bitset = self.filter.bitset
        if self.depth_order or bitset is None:
            return None
        return next((one for one in self.gathered if one.name == bitset.component), None)

    @property
    def orders(self) -> list[SparseOrder]:
        """Returns what walks in parallel must find of sparse components."""
        query, listed = self.query.constant, "true" if self.over else "false"
        asked = self.filter.sparse
        return [SparseOrder(query, sparse.store, sparse.column, listed) for sparse in asked]

    @property
    def row_at_hand(self) -> str:
        """Says in comments what a row is called by: its number, or how a list gives that."""
        return "row i = rows[k]" if self.listed else "row i"


def match_given(functions: list[FilterFunctions]) -> str:
    """Returns the name of the first function that a walk calls, or of the one that passes all."""
    return functions[0].match if functions else "weft_match_all"


def filter_given(functions: list[FilterFunctions]) -> str:
    """Returns the name of the second one."""
    return functions[0].filter if functions else "weft_filter_all"


@record
class TagAccessPlan:
    function: str
    component: ComponentPlan
    slot: int = 0  # of a written tag among those of its system


@record
class ApartPlan:
    """A function that takes each array of a struct of arrays as a parameter of its own."""

    name: str
    parameters: list[str]
    structs: list[tuple[str, list[str]]]  # what it makes of them again: declaration, arrays
    passes: list[str]  # the arguments of the body
    arguments: list[str]  # for these parameters, where the structs are


@record
class HeadPlan:
    """A macro that begins the definition of a function of the game."""

    example: str  # "COLONY_DEFINE_MOVEMENT(ctx, count, velocity, position)"
    comment: str
    macro: str
    given: list[str]  # its parameters
    body: str  # the function whose head it ends with
    inner: list[str]  # the parameters of that, as the game names them
    apart: ApartPlan  # calls the body
    outer: str  # head of the function that the game and the world call, which calls `apart`
    parameters: list[str]  # of that
    call: str = ""  # the function of generated code that calls `apart`; "": structs go in registers
    declared: bool = False  # it is known to all, since the game may have defined it
