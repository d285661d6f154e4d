"""Rows of free indices in a save, stored as two numbers each, are compared with a list of all
handles.
"""

from __future__ import annotations

from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from saves.damage import DamagedError
from saves.free_list import free_rows, need_all

BITS = 8
INDICES = 1 << BITS
FIRST = 1 << BITS  # index 0 with generation 1


def divided(handles: list[int], lengths: list[int]) -> list[int]:
    """Writes handles that ascend or descend by one as rows, of these lengths in turn."""
    numbers: list[int] = []
    for length in lengths:
        part, handles = handles[:length], handles[length:]
        more = len(part) - 1
        numbers += part[:1]
        if more > 0:
            numbers.append(more if part[1] > part[0] else INDICES - more)
    return numbers + handles


@given(
    st.integers(0, 60),
    st.integers(1, 100),
    st.booleans(),
    st.lists(st.integers(1, 100), max_size=4),
    st.lists(st.integers(200, 255), unique=True, max_size=5),
)
def test_rows_are_all_their_handles(
    low: int, count: int, descends: bool, lengths: list[int], others: list[int]
) -> None:
    handles = [FIRST + low + i for i in range(count)]
    if descends:
        handles.reverse()
    tail = [2 * FIRST + index for index in others]
    rows = free_rows([*divided(handles, lengths), *tail], BITS)
    assert list(chain.from_iterable(rows)) == handles + tail
    assert rows == free_rows(handles + tail, BITS)
    assert len(rows) <= 1 + len(tail)


@pytest.mark.parametrize(
    "numbers",
    [
        [3],  # no first
        [FIRST, 0],
        [FIRST, 3, 3],  # two in turn
        [FIRST + 2, INDICES - 3],  # below 0
        [FIRST + 255, 1],  # beyond the last
    ],
)
def test_a_row_that_no_save_has_is_refused(numbers: list[int]) -> None:
    with pytest.raises(DamagedError, match="a free index is not a valid handle"):
        free_rows(numbers, BITS)


@pytest.mark.parametrize(
    ("singles", "numbers", "words"),
    [
        ([0, 1], [FIRST + 2, 5], ""),
        ([], [FIRST, 127, 2 * FIRST + 128, 126, FIRST + 255], ""),
        ([0, 0], [FIRST + 1], "index 0 occurs twice"),
        ([3], [FIRST, 5], "index 3 occurs twice"),
        ([0], [FIRST + 1, 2, 2 * FIRST + 3], "index 3 occurs twice"),
        ([1], [FIRST + 2, 5], "neither free nor used by a row"),
        ([], [FIRST, 2, FIRST + 5, 2], "neither free nor used by a row"),
    ],
)
def test_each_index_is_there_once(singles: list[int], numbers: list[int], words: str) -> None:
    rows = free_rows(numbers, BITS)
    if not words:
        need_all(singles, rows, BITS)
        return
    with pytest.raises(DamagedError, match=words):
        need_all(singles, rows, BITS)
