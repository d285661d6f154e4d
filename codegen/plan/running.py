"""How systems are run, one by one and beside each other."""

from __future__ import annotations

from model.model import System
from names.names import Names
from plan.code_records import HearPlan, RunningPlan, SelectionPlan
from plan.lists import NONE
from plan.records import OrderPlan

WORD_ROWS = 64  # of tags and masks
STRETCH_ROWS = 4096  # of marks; and the longest range of tag_writes


def running_of(
    system: System, names: Names, reader: str, hears: list[HearPlan], tag_writes: bool
) -> RunningPlan:
    """reader: its constant, "" if it reads no changes."""
    turns = [("turn", reader)] if reader else []
    turns += [("hearing", heard.hearer) for heard in hears]
    begins = [f"weft_{kind}_begin(world, {who});" for kind, who in turns]
    ends = [f"weft_{kind}_end(world, {who});" for kind, who in turns]
    run, begin, part, end = (names.local(w, system.name) for w in ("run", "begin", "part", "end"))
    constant = names.number("system", system.name)
    if not system.parallel:
        code = f"{{.run = {run}, .parallel = {NONE}}}"
        return RunningPlan(run, "", "", "", begins, ends, f"{run}(&w->world, dt)", code)
    begin = begin if turns or system.every is not None else ""
    end = end if turns or tag_writes else ""
    rows = [
        f".begin = {begin}" if begin else "",
        f".part = {part}",
        f".end = {end}" if end else "",
        f".parallel = {names.number('parallel', system.name)}",
    ]
    return RunningPlan(
        run=run,
        begin=begin,
        part=part,
        end=end,
        turn_begins=begins,
        turn_ends=ends,
        call=f"weft_parallel_run(&w->world, &system_codes[{constant}], dt)",
        code=f"{{{', '.join(filter(None, rows))}}}",
    )


def unit_rows(selection: SelectionPlan, has_stretches: bool) -> int:
    """Parts share no word of what they write, and no mask of what they read."""
    return STRETCH_ROWS if has_stretches or selection.marked else WORD_ROWS


def orders_of(selection: SelectionPlan) -> list[OrderPlan]:
    """What a walk remembers, by the functions that make it."""
    ready = "weft_sparse_rows_make" if selection.over else "weft_sparse_rows_count_all"
    return [
        OrderPlan(ready, selection.constant, sparse.store, sparse.column)
        for sparse in selection.filter.sparse
    ]
