"""C walks the rows of a selection in steps, and does something for each range."""

from __future__ import annotations

from model.record import record
from names.names import Names
from plan.records.selection import SelectionPlan, SparseColumn, WalkPlan


@record
class Walker:
    """Holds the C expressions of a walk, which belongs to a system or to an iterator."""

    cursor: str  # "&at"
    world: str
    rows: str  # what a walk gives of its rows beside a range
    count: str  # rows of the range at hand
    pointers: str  # where the pointers of a sparse column are, by its name
    array: str  # and the array they are gathered in

    def query(self, constant: str) -> str:
        return f"&{self.world}->queries[{constant}]"


def make_walk(selection: SelectionPlan, walker: Walker, names: Names) -> WalkPlan:
    # Columns that need it only where a walk does not have the pointers come first.
    columns = sorted(selection.gathered, key=lambda column: not column.values)
    return WalkPlan(
        begin=_begin(selection, walker),
        next=next_range(selection, walker, selection.match, selection.filter_name),
        marks=[_mark(selection, walker, change_set) for change_set in selection.marked],
        gathers=[line for one in columns for line in _gather(selection, one, walker, names)],
    )


def array_rows(selection: SelectionPlan) -> str:
    """Returns how many pointers of a sparse column a walk has space for."""
    return "WEFT_LIST_ROWS" if selection.ranges.listed else "WEFT_SPARSE_ROWS"


def next_range(selection: SelectionPlan, walker: Walker, match: str, filter_name: str) -> str:
    """Returns the C expression that steps to the next range and tells whether there is one."""
    cursor, rows = walker.cursor, walker.rows
    decided = [cursor, match, filter_name, selection.ranges.rows_max]
    if selection.dirty:
        return f"weft_next_dirty(&down, {cursor}, {filter_name}, {selection.ranges.rows_max})"
    if selection.ranges.depth_order:
        return f"weft_next_by_depth(&down, {', '.join(decided)})"
    if selection.ranges.mask:
        return f"weft_next_mask({', '.join([*decided, rows])})"
    if selection.ranges.listed:
        return f"weft_next_list({', '.join([*decided, rows])})"
    if selection.by_row:
        next_run = "weft_next_run_apart" if selection.ranges.apart else "weft_next_run"
        return f"{next_run}({', '.join(decided)})"
    return f"weft_next_table({cursor})"


def _begin(selection: SelectionPlan, walker: Walker) -> str:
    given = [walker.cursor, walker.world, walker.query(selection.query.constant)]
    bitset = selection.filter.rows.bitset
    if not selection.over or bitset is None:
        return f"weft_cursor_begin({', '.join(given)});"
    return f"weft_cursor_begin_over({', '.join([*given, selection.over.store, bitset.column])});"


def _mark(selection: SelectionPlan, walker: Walker, change_set: str) -> str:
    if selection.ranges.listed:
        return f"weft_cursor_mark_list({walker.cursor}, {change_set}, {walker.rows});"
    verb = "mark_rows" if selection.ranges.mask else "mark"
    return f"weft_cursor_{verb}({walker.cursor}, {change_set});"


def _gather(
    selection: SelectionPlan, column: SparseColumn, walker: Walker, names: Names
) -> list[str]:
    array = f"{walker.array}{column.array}"
    by_call = selection.ranges.apart and not selection.ranges.rows
    filled = [f"weft_sparse_pointers({walker.cursor}, {column.store}, {array});"]
    if not by_call:
        filled = _gathering(selection, column, walker, names)
    if not column.values:
        return filled
    pointers = f"{walker.pointers}{column.name if walker.pointers else column.given}"
    inside = [f"    {line}" for line in (*filled, f"{pointers} = {array};")]
    return [f"if (!{pointers}) {{", *inside, "}"]


def _gathering(
    selection: SelectionPlan, column: SparseColumn, walker: Walker, names: Names
) -> list[str]:
    """Writes the loop over the rows at hand."""
    array = f"{walker.array}{column.array}"
    row = f"{walker.rows.removeprefix('&')}.row[i]" if selection.ranges.listed else "i"
    given = [walker.cursor, names.world("entity_format"), column.store, row, f"sizeof *{array}[i]"]
    find = "weft_next_value" if column.in_order else "weft_sparse_row"
    return [
        f"{each_row(selection, walker, column)} {{",
        f"    {array}[i] = ({column.element}){find}({', '.join(given)});",
        "}",
    ]


def each_row(selection: SelectionPlan, walker: Walker, column: SparseColumn | None = None) -> str:
    """Returns the head of a loop over each row i of the range that passes."""
    rows = walker.rows.removeprefix("&")
    if selection.ranges.mask:
        valued = (
            "weft_next_valued(" + walker.cursor + ", "
            if column and column is selection.over
            else ""
        )
        step = f"{valued or 'weft_next('}&walk, &i)"
        return f"for (weft_rows walk = {rows}; {step};)"
    count = f"{rows}.count" if selection.ranges.listed else walker.count
    return f"for (uint32_t i = 0; i < {count}; i++)"
