"""Records of how C chooses rows and walks over them."""

from __future__ import annotations

from typing import NamedTuple

from model.record import record
from plan.records.data import ComponentPlan
from plan.records.filter import Filter


@record
class SparseColumn:
    """A column whose values are not adjacent, so that a range has a pointer to each."""

    name: str
    element: str  # C type of such a pointer, "const colony_burning *"
    array: str  # of these pointers, for the current rows
    store: str  # constant
    in_order: bool = False  # a walk by mask meets its values one by one in their order
    values: str = ""  # the pointers that a walk in the order of the sparse rows provides

    @property
    def given(self) -> str:
        """Returns the argument of the game's function."""
        return self.values or self.array


@record
class SelectionColumn:
    """A column of a selection as a parameter, an iterator member, and an argument."""

    name: str
    declaration: str  # "const colony_position *position"
    parameter: str  # the declaration, with restrict if nothing else accesses the column
    argument: str  # "colony_position_at(at.table, at.first)"
    comment: str  # "read", "written", "read, NULL if absent"
    mark: str  # the change set that marks rows which may have been written, or ""
    lends: bool  # these marks stay as long as the game may write the rows
    sparse: SparseColumn | None = None


@record
class FilterFunctions:
    """The functions that decide which rows of a table pass."""

    match: str  # C name: whether none, some or all rows of a table pass; or ""
    filter: str  # C name: which rows pass, 64 a word
    rules: Filter


@record
class TableQueryPlan:
    """A query of the runtime, which knows the tables that can have its rows."""

    constant: str  # COLONY_QUERY_…
    matches: str  # C name of the function that decides whether a table belongs to it
    decides: str  # and the C expression that this returns, over `table`
    key: str  # constant of a component that each of its tables has, or NONE


class SparseOrder(NamedTuple):
    """The order of the rows of a sparse component in the tables of a query."""

    query: str  # constants
    store: str
    column: str
    listed: str  # "true" if a walk uses this order


@record
class SelectionPlan:
    """The rows of a query, a system or an index, and their columns."""

    query: TableQueryPlan
    filter: Filter
    functions: list[FilterFunctions]  # those that have to be defined: one or none
    columns: list[SelectionColumn]
    rows: str  # "mask": ranges with a mask; "list": row numbers; "": runs of rows
    rows_max: str  # of a range: "UINT32_MAX", "WEFT_SPARSE_ROWS", "WEFT_TAG_WRITE_ROWS"
    apart: bool  # in a large schema: a walk begins and steps by calls, which compile sooner
    depth_order: str  # constant of the order of its rows; "" if the order is by tables
    words: str  # "reads position; writes worker; where …"

    @property
    def mask(self) -> bool:
        return self.rows == "mask"

    @property
    def listed(self) -> bool:
        return self.rows == "list"

    @property
    def linkage(self) -> str:
        """Returns how a function that walks is declared. One that steps by calls is not inlined."""
        return "WEFT_APART static" if self.apart else "static"

    @property
    def match(self) -> str:
        """Returns the C name of the function that a walk calls for each table."""
        return match_given(self.functions)

    @property
    def filter_name(self) -> str:
        """Returns the C name of the function that a walk calls for the rows of a table."""
        return filter_given(self.functions)

    @property
    def by_row(self) -> bool:
        """Returns whether a walk may find less than whole tables."""
        return self.filter.by_row or bool(self.rows) or self.rows_max != "UINT32_MAX"

    @property
    def shape(self) -> str:
        """Names the steps that a walk takes, as in `_walk.c.j2`."""
        if self.depth_order:
            return "dirty" if self.dirty else "depth"
        return self.rows or ("runs" if self.by_row else "table")

    @property
    def dirty(self) -> bool:
        """Returns whether it walks dirty rows, because it uses changed_parent."""
        return bool(self.filter.parents)

    @property
    def marked(self) -> list[str]:
        """Returns the change sets that mark rows which may have been written."""
        return [column.mark for column in self.columns if column.mark]

    @property
    def lent(self) -> list[str]:
        """Returns those whose marks stay as long as the game may write the rows."""
        return [column.mark for column in self.columns if column.lends]

    @property
    def marked_once(self) -> list[str]:
        """Returns those whose marks are set after each range."""
        return [mark for mark in self.marked if mark not in self.lent]

    @property
    def mark_call(self) -> str:
        """Returns the function that marks the rows of a range as changed."""
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
        """Returns sparse columns in gathering order, first the one that the walk may provide."""
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
        """Returns the orders of sparse components that parallel walks need."""
        query, listed = self.query.constant, "true" if self.over else "false"
        asked = self.filter.sparse
        return [SparseOrder(query, sparse.store, sparse.column, listed) for sparse in asked]

    @property
    def row_at_hand(self) -> str:
        """Returns the name of a row in comments: its number, or its number in a list."""
        return "row i = rows[k]" if self.listed else "row i"


def match_given(functions: list[FilterFunctions]) -> str:
    """Returns the name of `match` for a walk, or of the function that passes all rows."""
    return functions[0].match if functions else "weft_match_all"


def filter_given(functions: list[FilterFunctions]) -> str:
    """Returns the name of `filter` for a walk, or of the function that passes all rows."""
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
    structs: list[tuple[str, list[str]]]  # the structs that it rebuilds: declaration, arrays
    passes: list[str]  # the arguments of the body
    arguments: list[str]  # for its parameters, in a function that has the structs


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
    declared: bool = False  # in a header, because the game may define it
