"""Sums of writes by writer, and lists of writes that are filtered, sorted and read page by page.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from selenium.webdriver.support.ui import Select

from inspector import PAUSED, Game, RefusedError, game, people
from inspector_page import Page

TICKS = 120  # of which all writes are stored
BREAD = "stock.amount[bread]"


@pytest.fixture(scope="module")
def colony() -> Iterator[Game]:
    with game(*PAUSED, "--watch") as running:
        done = 0
        while done < TICKS:
            done += running.call("step", ticks=TICKS - done)["ticks"]
        yield running


def a_depot(colony: Game) -> str:
    """Returns the depot whose bread was written most often."""
    depots = [row["id"] for row in colony.call("entities", where="depot & stock")["rows"]]

    def writes(depot: str) -> int:
        return sum(one["writes"] for one in sums(colony, depot)["sums"])

    return max(depots, key=writes)


def sums(colony: Game, depot: str, ticks: int = 1000, path: str = BREAD) -> dict[str, Any]:
    answer: dict[str, Any] = colony.call("sums", id=depot, path=path, ticks=ticks)
    return answer


def all_writes(colony: Game, one: str, path: str = BREAD, **asked: object) -> list[dict[str, Any]]:
    """Reads all pages of a list of writes."""
    found: list[dict[str, Any]] = []
    until = 0
    while page := colony.call(
        "writes", id=one, path=path, limit=100, offset=len(found), until=until, **asked
    ):
        found += page
        until = max(write["number"] for write in found) + 1
    return found


# ---- calls


def test_sums_add_up_to_the_value(colony: Game) -> None:
    depot = a_depot(colony)
    answer = sums(colony, depot)
    assert (answer["from"], answer["to"], answer["whole"]) == (0, TICKS, True)
    of_value = [one for one in answer["sums"] if one["path"] == BREAD]
    assert len(of_value) > 1
    now = colony.call("entity", id=depot)["components"]["stock"]["amount"]["bread"]
    first = all_writes(colony, depot)[-1]
    while first["kind"] != "value":
        first = [one for one in all_writes(colony, depot) if one["kind"] == "value"][-1]
    assert int(first["before"]) + sum(one["change"] for one in of_value) == now
    for one in of_value:
        same = [
            write
            for write in all_writes(colony, depot, writer=one["writer"])
            if write["commands"] == one["commands"] and write["kind"] == "value"
        ]
        assert len(same) == one["writes"]
        assert sum(write["change"] for write in same) == one["change"]
        assert max(write["tick"] for write in same) == one["last"]
    sizes = [abs(one["change"]) for one in of_value]
    assert sizes == sorted(sizes, reverse=True)


def test_sums_of_the_last_ticks(colony: Game) -> None:
    depot = a_depot(colony)
    answer = sums(colony, depot, ticks=40)
    assert answer["from"] == TICKS - 40
    late = [one for one in all_writes(colony, depot) if one["tick"] >= TICKS - 40]
    assert sum(one["writes"] for one in answer["sums"]) == len(late)
    everything = colony.call("sums", id=people(colony, "worker")[0], path="needs")
    assert {one["path"] for one in everything["sums"]} >= {"needs.hunger", "needs.fatigue"}
    with pytest.raises(RefusedError, match="'id' is missing"):
        colony.call("sums", path=BREAD)
    with pytest.raises(RefusedError, match="no value 'loaf'"):
        sums(colony, depot, path="stock.amount[loaf]")


def test_writes_that_are_no_longer_known() -> None:
    """The first writes are dropped from the ring, and sums say since when they are known."""
    with game(*PAUSED, "--watch") as crowded:
        while crowded.call("kept")["since"] == 0:
            crowded.step(100)
            assert crowded.call("stats")["tick"] < 100_000
        since = crowded.call("kept")["since"]
        depot = crowded.call("entities", where="depot & stock", limit=1)["rows"][0]["id"]
        answer = sums(crowded, depot, ticks=100000)
        assert not answer["whole"] and answer["from"] == since > 0


def test_the_largest_changes_are_first(colony: Game) -> None:
    one = people(colony, "worker")[0]
    by_time = all_writes(colony, one, "needs")
    by_size = all_writes(colony, one, "needs", by_size=True)
    numbers = [write["number"] for write in by_time]
    assert numbers == sorted(numbers, reverse=True) and len(numbers) > 100
    assert sorted(write["number"] for write in by_size) == sorted(numbers)
    sizes = [abs(write["change"]) for write in by_size if write["change"] is not None]
    assert sizes == sorted(sizes, reverse=True) and sizes[0] > sizes[-1]
    assert colony.call("writes", id=one, path="needs", writer="nobody") == []


# ---- the page


def of_depot(page: Page) -> tuple[str, str]:
    """Opens the writers of a depot's bread. Returns its handle, and a selector of the box."""
    depot = a_depot(page.colony)
    page.open(f"entity/{depot}?writers=stock")
    box = "#component-stock .writes"
    choice = page.one(f"{box} select[aria-label='writers of which value of stock']")
    Select(choice).select_by_value(BREAD)
    page.until(lambda: page.all(f"{box} .sums .sum"))
    return depot, box


def shown_ticks(page: Page, box: str) -> list[int]:
    return [int(cell.replace(",", "")) for cell in page.text(f"{box} td.number").split()]


def test_sums_are_above_the_writers(page: Page) -> None:
    depot, box = of_depot(page)
    span = Select(page.one(f"{box} .summed select"))
    span.select_by_value("10000")
    answer = sums(page.colony, depot, ticks=10000)
    for one in answer["sums"]:
        if one["path"] != BREAD:
            continue
        sign = "+" if one["change"] > 0 else "-" if one["change"] < 0 else ""
        words = f"{one['writer']} {sign}{abs(one['change']):,}"
        page.until(lambda words=words: words in page.text(f"{box} .sums"))
    page.open(f"entity/{people(page.colony, 'worker')[0]}?writers=needs")
    box = "#component-needs .writes"
    page.until(lambda: "hunger: " in page.text(f"{box} .sums"))
    assert "fatigue: " in page.text(f"{box} .sums")


def test_writers_are_filtered_and_sorted(page: Page) -> None:
    depot, box = of_depot(page)
    writer = next(one["writer"] for one in sums(page.colony, depot)["sums"] if one["change"])
    page.one(f"{box} .sums button[aria-label='only the writes of {writer} to {BREAD}']").click()
    page.until(lambda: set(page.text(f"{box} td:nth-child(2)").split("\n")) == {writer})
    order = f"{box} select[aria-label='order of the writes to stock']"
    Select(page.one(order)).select_by_value("size")
    largest = page.colony.call("writes", id=depot, path=BREAD, writer=writer, by_size=True)
    ticks = [one["tick"] for one in largest]
    page.until(lambda: shown_ticks(page, box)[: len(ticks)] == ticks)
    Select(page.one(f"{box} select[aria-label='which writer of stock']")).select_by_value("")
    largest = page.colony.call("writes", id=depot, path=BREAD, by_size=True)
    page.until(lambda: shown_ticks(page, box) == [one["tick"] for one in largest])


def test_writers_are_read_page_by_page(page: Page) -> None:
    one = people(page.colony, "worker")[0]
    page.open(f"entity/{one}?writers=needs")
    box = "#component-needs .writes"
    whole = [write["tick"] for write in all_writes(page.colony, one, "needs")]
    page.until(lambda: shown_ticks(page, box) == whole[:20])
    more = page.one(f"{box} button[aria-label='more writes to needs']")
    more.click()
    page.until(lambda: shown_ticks(page, box) == whole[20:40])
    page.colony.call("set", id=one, path="needs.hunger", value=0.125)  # a newer write moves nothing
    more.click()
    page.until(lambda: shown_ticks(page, box) == whole[40:60])
    page.until(lambda: "41 to 60" in page.text(box))
    back = page.one(f"{box} button[aria-label='writes before these to needs']")
    for _ in range(2):
        back.click()
    page.until(lambda: "0.125" in page.text(f"{box} td.change"))
    assert not back.is_enabled()
