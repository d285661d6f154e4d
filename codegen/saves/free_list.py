"""The free indices of a save: handles in the order of reuse, of which rows may be two numbers.

A number whose generation is 0 is no handle. It says in place of an index how many handles follow the
one before it, each one more than the last or, if it is above half of all indices, one less, as many
as are missing to the number of all indices. A row stays a range here, since a few bytes make it as
long as there are indices.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from saves.damage import need

NO_INDEX = "section 'ENTS': a free index is none"


def free_rows(numbers: Sequence[int], index_bits: int) -> list[range]:
    """Returns the free handles as rows, each as long as it can be."""
    rows: list[range] = []
    for number in numbers:
        if number >> index_bits == 0:
            need(bool(rows) and len(rows[-1]) == 1, NO_INDEX)
            rows[-1] = _row(rows[-1][0], number, 1 << index_bits)
        elif rows and _goes_on(rows[-1], number, index_bits):
            first, step = rows[-1].start, number - rows[-1][-1]
            rows[-1] = range(first, number + step, step)
        else:
            rows.append(range(number, number + 1))
    return rows


def _row(first: int, more: int, indices: int) -> range:
    step = 1
    if more >= indices // 2:
        more, step = indices - more, -1
    end = first + more * step
    need(0 < more and end // indices == first // indices, NO_INDEX)
    return range(first, end + step, step)


def _goes_on(row: range, number: int, index_bits: int) -> bool:
    """Tells whether a handle is the next of a row; one of a single handle may go either way."""
    steps = (1, -1) if len(row) == 1 else (row.step,)
    return number - row[-1] in steps and number >> index_bits == row.start >> index_bits


def need_all(singles: Iterable[int], rows: Iterable[range], index_bits: int) -> None:
    """Checks that the indices of single ones and of rows are all from 0 on, each once."""
    mask = (1 << index_bits) - 1
    ends = [(min(row[0], row[-1]) & mask, max(row[0], row[-1]) & mask) for row in rows]
    spans = sorted((low, high + 1) for low, high in ends)
    lows = [low for low, _ in spans]
    seen: set[int] = set()
    for index in singles:
        at = bisect_right(lows, index)
        need(index not in seen, f"index {index:,} is there twice")
        need(at == 0 or spans[at - 1][1] <= index, f"index {index:,} is there twice")
        seen.add(index)
    for (_, end), (low, _) in zip(spans, spans[1:], strict=False):
        need(end <= low, f"index {low:,} is there twice")
    total = len(seen) + sum(end - low for low, end in spans)
    last = max([*seen, *(end - 1 for _, end in spans)], default=-1)
    need(last == total - 1, "an index is neither free nor a row's")
