"""Lists of entities by calls: windows, orders, and the slices in which long lists are made.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from inspector import PAUSED, Game, RefusedError, game, people, whole_list

SLICE_ROWS, SLICE_LEAST_ROWS = 65_536, 16_384  # SERVE_… of runtime/serve/rpc.h


@pytest.fixture(scope="module")
def colony() -> Iterator[Game]:
    with game(*PAUSED) as running:
        yield running


def test_a_window_of_a_sorted_selection(colony: Game) -> None:
    asked = {"where": "person", "sort": "person.age", "columns": ["person.age"]}
    ages = [r["values"][0] for r in colony.call("entities", **asked, limit=500)["rows"]]
    assert ages == sorted(ages) and len(ages) == 60
    window = colony.call("entities", **asked, offset=20, limit=7)
    assert [r["values"][0] for r in window["rows"]] == ages[20:27]
    down = colony.call("entities", **asked, descending=True, limit=500)["rows"]
    assert [r["values"][0] for r in down] == ages[::-1]
    assert colony.call("entities", **asked, offset=60)["rows"] == []


def test_every_list_has_the_members_of_a_list(colony: Game) -> None:
    """Also that of all entities, which is read without making a list."""
    made = colony.call("entities", where="person")
    for asked in ({}, {"where": " "}):
        answer = colony.call("entities", **asked)
        assert answer.keys() == made.keys()
        assert (answer["making"], answer["slices"]) == (None, 0)


def pages_of(colony: Game, **asked: object) -> list[list[object]]:
    """The values of a whole list, window by window."""
    values: list[list[object]] = []
    while True:
        rows = colony.call("entities", **asked, offset=len(values), limit=500)["rows"]
        if not rows:
            return values
        values += [row["values"] for row in rows]


def test_a_long_list_is_made_in_slices() -> None:
    """No poll looks at, or moves, more rows than a slice has; this counts polls, and no time."""
    with game("--villagers", "300", "--paused", "--map", "1024") as colony:
        asked = {"where": "position", "sort": "position.x"}
        first = colony.call("entities", **asked, limit=10)
        assert first["making"] is not None and first["rows"] == []
        answer, calls = whole_list(colony, **asked, limit=10)
        total = int(str(answer["total"]))
        assert total > 60_000
        rows_moved = 3 * total  # looked at once, and moved by each of two digits
        a_piece = 4096
        most = int(str(answer["slices"])) * (SLICE_ROWS + a_piece) + (calls + 1) * (
            SLICE_LEAST_ROWS + a_piece
        )
        assert most >= rows_moved
        columns = ["position.x"]
        values = [row[0] for row in pages_of(colony, **asked, columns=columns)]
        assert values == sorted(values, key=int) and len(values) == total
        plain, _ = whole_list(colony, where="position.x > 500")
        assert plain["total"] == sum(int(str(value)) > 500 for value in values)
        colony.call("set", id=people(colony)[0], path="needs.hunger", value=0.5)
        again = colony.call("entities", **asked, limit=10)
        assert again["making"] is not None and len(again["rows"]) == 10  # those of before


def test_many_long_lists_at_once() -> None:
    with game("--villagers", "300", "--map", "512") as colony:
        queries = [
            {"where": f"position.x > {number}", "sort": "position.y", "descending": number % 2 == 0}
            for number in range(20)
        ]
        for asked in queries:
            colony.call("entities", **asked, limit=1)
        totals = [int(str(whole_list(colony, **asked, limit=1)[0]["total"])) for asked in queries]
        assert totals == sorted(totals, reverse=True) and totals[0] > 10_000
        assert colony.call("stats")["tick"] >= 0


@pytest.mark.parametrize("descending", [False, True])
@pytest.mark.parametrize(
    "path",
    [
        "needs.hunger",
        "person.name",
        "worker.job",
        "worker.skill[2]",
        "velocity.x",
        "sick.hours_left",
    ],
)
def test_orders_of_all_kinds_of_values(path: str, descending: bool) -> None:
    with game(*PAUSED) as colony:
        colony.step(40)
        schema = colony.call("schema")
        for number, one in enumerate(people(colony, "person & !sick")[:5]):
            colony.call("add", id=one, component="sick")
            colony.call("set", id=one, path="sick.hours_left", value=7 - number)
        rows = pages_of(colony, where="person", sort=path, descending=descending, columns=[path])
        values = [row[0] for row in rows]
        there = [value for value in values if value is not None]
        assert len(values) == 60 and values[len(there) :] == [None] * (60 - len(there))
        if path == "worker.job":
            names = next(one["values"] for one in schema["enums"] if one["name"] == "job")
            there = [names.index(value) for value in there]
        assert there == sorted(there, reverse=descending)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("needs.hungr", "'sort': column 7: 'needs' has no field 'hungr', did you mean 'hunger'"),
        ("nobody", "'sort': there is no component 'nobody'"),
        ("needs.hunger.x", "'sort': column 13: the path should end here"),
    ],
)
def test_an_order_that_is_wrong(colony: Game, path: str, words: str) -> None:
    with pytest.raises(RefusedError) as refused:
        colony.call("entities", where="person", sort=path)
    assert words in str(refused.value)


def test_windows_go_over_all_entities(colony: Game) -> None:
    total = colony.call("stats")["entities"]
    seen = []
    for offset in range(0, total, 50):
        answer = colony.call("entities", offset=offset, limit=50)
        assert answer["total"] == total
        seen += [row["id"] for row in answer["rows"]]
    assert len(set(seen)) == len(seen) == total
