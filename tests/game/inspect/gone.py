"""Handles of despawned entities lead to a page with what is still known about them.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

from selenium import webdriver

from browser import complaints
from inspector import INSPECT, PAUSED, game
from inspector_page import Page


def test_what_is_known_of_the_dead() -> None:
    with game(*PAUSED) as colony:
        one, other, third = (
            row["id"] for row in colony.call("entities", where="worker", limit=3)["rows"]
        )
        colony.call("despawn", id=other)
        answer = colony.call("gone", id=other)
        assert answer == {"id": other, "alive": False, "was": True, "watched": False, "end": None}
        colony.call("watch")
        assert colony.call("gone", id=other)["end"] is None
        colony.step(8)
        alive = colony.call("gone", id=one)
        assert alive["alive"] and alive["was"] and "components" not in alive
        colony.call("despawn", id=one)
        colony.step(3)
        dead = colony.call("gone", id=one)
        assert dead["end"] == {"tick": 8, "commands": False, "writer": "the game"}
        had = {part["name"]: part["values"] for part in dead["components"]}
        assert {"person", "needs", "worker", "position"} <= set(had)
        values = {value["path"]: float(value["value"]) for value in had["needs"]}
        assert 0 < values["hunger"] < 1
        assert {value["tick"] for value in had["needs"]} == {7}
        never = colony.call("gone", id="900000:1")
        assert not never["was"] and not never["alive"]
        colony.call("set", id=third, path="needs.hunger", value=0.5)


def test_the_page_of_the_dead(browser: webdriver.Chrome) -> None:
    with game(*PAUSED, program=INSPECT) as colony:
        page = Page(browser, colony)
        one, other = (row["id"] for row in colony.call("entities", where="worker", limit=2)["rows"])
        colony.call("despawn", id=other)
        page.open(f"entity/{other}")
        page.until(lambda: page.text("#gone") == "is no longer alive")
        assert "while the game watches who writes what" in page.text("#view")
        assert page.text("#view button.watch") == "watch who writes what"
        page.open("entity/900000:1")
        page.until(lambda: page.text("#gone") == "was never alive")
        colony.call("watch")
        colony.step(8)
        page.open(f"entity/{other}")
        known = "It ended before what is known: all writes since tick 0, in which the game began"
        page.until(lambda: known in page.text("#view"))
        page.open(f"entity/{one}")
        page.one("#component-needs")
        colony.call("despawn", id=one)
        page.until(lambda: "ended in tick 8, by the game" in page.text("#gone"))
        assert "hunger 0." in page.text("section[aria-label='needs']")
        assert not page.all("#despawn")
        assert complaints(browser) == []
