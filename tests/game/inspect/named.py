"""Handles are shown with the names of their entities, wherever the page shows any, in Chromium.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from browser import complaints
from inspector import INSPECT, PAUSED, Game, game
from inspector_page import Page


def ask(colony: Game, method: str, **params: object) -> dict[str, Any]:
    """Calls a method, and returns the whole answer, with the names in it."""
    request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params, "names": True}
    answer: dict[str, Any] = json.loads(colony.post(json.dumps(request).encode())[1])
    return answer


def two(colony: Game) -> list[tuple[str, str]]:
    """Returns the handle and name of two workers."""
    rows = colony.call("entities", where="worker", columns=["person.name"], limit=2)["rows"]
    return [(row["id"], row["values"][0]) for row in rows]


# ---- answers


def test_an_answer_has_the_names_of_its_handles_if_asked() -> None:
    with game(*PAUSED) as colony:
        (one, name), (other, other_name) = two(colony)
        colony.call("link", id=one, link="friends", to=other)
        assert "names" not in colony.at_once(("entity", {"id": one}))[0]
        answer = ask(colony, "entity", id=one)
        assert answer["names"][one] == name and answer["names"][other] == other_name
        assert answer["result"] == colony.call("entity", id=one)
        assert ask(colony, "stats")["names"] == {}
        refused = ask(colony, "entity", id="900000:1")
        assert "names" not in refused and refused["error"]["code"] == -32000
        colony.call("set", id=one, path="person.name", value='"Ö" \\')
        assert ask(colony, "entity", id=one)["names"][one] == '"Ö" \\'
        colony.call("set", id=one, path="person.name", value="")
        assert one not in ask(colony, "entity", id=one)["names"]


def test_names_outlive_their_entities() -> None:
    """Of entities that were asked for, are remembered, or are in events."""
    with game(*PAUSED) as colony:
        (one, name), (other, other_name) = two(colony)
        colony.call("remember")
        ask(colony, "entity", id=one)
        colony.call("despawn", id=one)
        assert ask(colony, "gone", id=one)["names"] == {one: name}
        colony.call("despawn", id=other)
        names = ask(colony, "changes")["names"]
        assert names[one] == name and names[other] == other_name


def a_birth(colony: Game) -> str:
    """Steps until a child is born, and returns the mother."""
    for _ in range(300):
        colony.step(20)
        born = [one for one in colony.call("events") if one["event"] == "born"]
        if born:
            return str(born[-1]["value"]["mother"])
    raise AssertionError("nobody is born")


def test_an_event_has_the_names_of_those_who_have_died_since() -> None:
    with game(*PAUSED) as colony:
        colony.call("events")
        mother = a_birth(colony)
        name = colony.call("entity", id=mother)["components"]["person"]["name"]
        colony.call("despawn", id=mother)
        assert ask(colony, "events")["names"][mother] == name


def test_a_list_of_many_has_all_names() -> None:
    with game(*PAUSED) as colony:
        answer = ask(colony, "entities", where="person", columns=["person.name"], limit=500)
        names = {row["id"]: row["values"][0] for row in answer["result"]["rows"]}
        assert len(names) == 60 and answer["names"] == names


# ---- the page


def test_fields_links_children_and_parents(page: Page) -> None:
    (one, name), (other, other_name) = two(page.colony)
    bundle = page.colony.call("spawn", prefab="bundle")["id"]
    page.colony.call("attach", id=bundle, relation="carried_by", parent=one)
    page.colony.call("set", id=one, path="worker.source", value=other)
    page.colony.call("link", id=one, link="friends", to=other)
    page.open(f"entity/{one}")
    named = f"{other_name} {other}"
    page.until(lambda: page.text("#component-worker .target a") == named)
    page.until(lambda: named in page.text("#links section.link a"))
    page.open(f"entity/{bundle}")
    page.until(lambda: page.text("#relations .value a") == f"{name} {one}")
    page.colony.call("despawn", id=bundle)


def test_changes_of_entities_that_came_and_went(page: Page) -> None:
    made = page.colony.call("spawn", prefab="villager", components={"person": {"name": "Odo"}})
    page.open("changes")
    page.one("#remember").click()
    page.until(lambda: "Nothing has changed" in page.text("#changes"))
    page.colony.call("despawn", id=made["id"])
    page.until(lambda: f"Odo {made['id']}" in page.text("#changes"))
    other = page.colony.call("spawn", prefab="villager", components={"person": {"name": "Ada"}})
    page.until(lambda: f"Ada {other['id']}" in page.text("#changes"))
    page.colony.call("despawn", id=other["id"])


def test_the_banner_of_a_stop_and_the_writers(page: Page) -> None:
    (one, name), (other, other_name) = two(page.colony)
    page.colony.call("watch")
    hunger = page.colony.call("entity", id=one)["components"]["needs"]["hunger"]
    page.colony.call("stop_at", when=f"needs.hunger of {one} > {hunger}")
    page.colony.step(400)
    page.until(lambda: f"needs.hunger of {name} {one} >" in page.text("#stopped"))
    assert f", of {name} {one}, in one of several rows. " in page.text("#stopped")
    page.open("stops")
    page.until(lambda: f"of {name} {one}" in page.text("#stops h3"))
    page.until(lambda: page.text("#stops a[href^='#/entity/']").startswith(f"{name} {one}"))
    page.colony.call("set", id=one, path="worker.source", value=None)
    page.colony.call("set", id=one, path="worker.source", value=other)
    page.colony.step(1)
    page.open(f"entity/{one}?writers=worker")
    page.until(lambda: f"{other_name} {other}" in page.text("#component-worker .writes"))
    page.colony.call("watch", on=False)


def test_an_event(page: Page) -> None:
    page.open("events")
    page.until(lambda: page.colony.call("events") == [])
    mother = a_birth(page.colony)
    name = page.colony.call("entity", id=mother)["components"]["person"]["name"]
    page.until(lambda: f"mother {name} {mother}" in page.text("#events"))


@pytest.mark.parametrize("columns", ["", "needs.hunger"])
def test_a_list_has_names_in_a_column_or_before_handles(page: Page, columns: str) -> None:
    (one, name), _ = two(page.colony)
    page.open(f"entities?where=worker&columns={columns or 'person.name'}")
    page.until(lambda: one in page.ids())
    words = lambda: page.text(f".line[data-id='{one}']")  # noqa: E731
    page.until(lambda: words().count(name) == 1 and words().count(one) == 1)
    assert words().startswith(f"{name} {one}") == bool(columns)


def test_names_cost_no_further_calls(page: Page) -> None:
    """However many links an entity has, the page asks for the entity alone."""
    (one, _), _ = two(page.colony)
    others = [row["id"] for row in page.colony.call("entities", where="person")["rows"][10:40]]
    for other in others:
        page.colony.call("link", id=one, link="friends", to=other)
    page.browser.execute_script(
        "const send = WebSocket.prototype.send; window.sent = [];"
        "WebSocket.prototype.send = function (text) {"
        "  window.sent.push(text); send.call(this, text); }"
    )
    page.open(f"entity/{one}")
    page.until(lambda: len(page.all("#links section.link")) >= len(others))
    page.until(lambda: page.text("#links section.link a").count(" ") >= len(others))
    sent = page.browser.execute_script("return window.sent.map((one) => JSON.parse(one))")
    asked = {one["params"]["id"] for one in sent if one["method"] == "entity"}
    assert asked == {one}
    assert complaints(page.browser) == []


def test_a_program_without_names_costs_nothing() -> None:
    with game(*PAUSED, program=INSPECT) as colony:
        (one, _), _ = two(colony)
        assert set(ask(colony, "entity", id=one)) == {"jsonrpc", "id", "result", "names"}
        request = b'{"jsonrpc": "2.0", "id": 1, "method": "stats", "names": false}'
        assert b"-32600" in colony.post(request)[1]
