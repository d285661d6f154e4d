"""The free indices of a save: handles in the order of reuse. Two numbers may stand for many
handles.

A number with generation 0 is not a handle. Its index is then a count: this many handles follow the
previous one, each one more than the last. If the count is at least half of all indices, each is one
less, and the count is the number of indices minus it. A run stays a range here, because a few bytes
can describe a run as long as there are indices.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from saves.damage import need

NO_INDEX = "section 'ENTS': a free index is not a valid handle"


def free_rows(numbers: Sequence[int], index_bits: int) -> list[range]:
    """Returns the free handles as ranges, joined as far as possible."""
    rows: list[range] = []
    for row in _saved_rows(numbers, index_bits):
        joined = _joined(rows[-1], row, index_bits) if rows else None
        if joined is None:
            rows.append(row)
        else:
            rows[-1] = joined
    return rows


def _saved_rows(numbers: Sequence[int], index_bits: int) -> Iterator[range]:
    """Yields the ranges that the numbers stand for, as the save divides them."""
    at = 0
    while at < len(numbers):
        first = numbers[at]
        need(first >> index_bits != 0, NO_INDEX)
        at += 1
        if at == len(numbers) or numbers[at] >> index_bits != 0:
            yield range(first, first + 1)
            continue
        yield _row(first, numbers[at], 1 << index_bits)
        at += 1


def _row(first: int, more: int, indices: int) -> range:
    step = 1
    if more >= indices // 2:
        more, step = indices - more, -1
    end = first + more * step
    need(more > 0 and end // indices == first // indices, NO_INDEX)
    return range(first, end + step, step)


def _joined(row: range, behind: range, index_bits: int) -> range | None:
    """Returns two ranges as one if they have the same direction and generation, else None."""
    step = behind[0] - row[-1]
    ways = {one.step for one in (row, behind) if len(one) > 1} | {step}
    if ways not in ({1}, {-1}) or row[0] >> index_bits != behind[0] >> index_bits:
        return None
    return range(row[0], behind[-1] + step, step)


def need_all(singles: Iterable[int], rows: Iterable[range], index_bits: int) -> None:
    """Checks that single indices and ranges cover all indices from 0 on exactly once."""
    mask = (1 << index_bits) - 1
    ends = [(min(row[0], row[-1]) & mask, max(row[0], row[-1]) & mask) for row in rows]
    spans = sorted((low, high + 1) for low, high in ends)
    lows = [low for low, _ in spans]
    seen: set[int] = set()
    for index in singles:
        at = bisect_right(lows, index)
        need(index not in seen, f"index {index:,} occurs twice")
        need(at == 0 or spans[at - 1][1] <= index, f"index {index:,} occurs twice")
        seen.add(index)
    for (_, end), (low, _) in pairwise(spans):
        need(end <= low, f"index {low:,} occurs twice")
    total = len(seen) + sum(end - low for low, end in spans)
    last = max([*seen, *(end - 1 for _, end in spans)], default=-1)
    need(last == total - 1, "an index is neither free nor used by a row")
