"""The inspector's calls: programs can use them, and wrong calls are refused.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

import pytest

from inspector import (
    INSPECT,
    PATIENCE_SECONDS,
    PAUSED,
    Game,
    RefusedError,
    game,
    people,
    wait_until,
)


@pytest.fixture(scope="module")
def colony() -> Iterator[Game]:
    with game(*PAUSED) as running:
        yield running


def test_an_agent_feeds_the_hungry() -> None:
    """Finds who is hungry, gives bread, lets time pass, and sees that they have eaten."""
    with game(*PAUSED) as colony:
        names = [one["name"] for one in colony.call("schema")["components"]]
        assert {"needs", "stock"} <= set(names)
        for one in people(colony, "worker")[:3]:
            colony.call("set", id=one, path="needs.hunger", value=0.75)
        depots = colony.call("entities", where="depot", columns=["stock.amount[bread]"])
        for row in depots["rows"]:
            colony.call("set", id=row["id"], path="stock.amount[bread]", value=0)
        colony.step(20)
        columns = ["person.name", "needs.hunger"]
        hungry = colony.call("entities", where="needs.hunger > 0.7", columns=columns)
        assert hungry["total"] == 3
        assert all(name and hunger > 0.7 for name, hunger in (r["values"] for r in hungry["rows"]))
        colony.call("set", id=depots["rows"][0]["id"], path="stock.amount[bread]", value=100)
        for _ in range(50):
            if colony.call("entities", where="needs.hunger > 0.7")["total"] == 0:
                break
            colony.step(4)
        fed = [colony.call("entity", id=row["id"])["components"]["needs"] for row in hungry["rows"]]
        assert all(needs["hunger"] < 0.7 for needs in fed)


def test_values_are_set_as_by_name(colony: Game) -> None:
    one = people(colony)[0]
    for path, value in [
        ("person.name", 'Ännchen "Q" \\ 🍞'[:12]),
        ("worker.job", "rest"),
        ("worker.skill[2]", 7),
        ("needs.fatigue", 0.25),
        ("worker.source", one),
        ("worker.source", None),
    ]:
        colony.call("set", id=one, path=path, value=value)
        row = next(
            r
            for r in colony.call("entities", where="person", columns=[path], limit=500)["rows"]
            if r["id"] == one
        )
        assert row["values"] == [value]
    colony.call("set", path="calendar.day", value=12)
    assert colony.call("singleton", name="calendar")["day"] == 12


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("needs.hunger", 1.5, "needs.hunger: is 1.5, and must be at most 1"),
        ("worker.job", "dance", "enum 'job' has no value 'dance'"),
        ("worker.skill[4]", 1, "4"),
        ("worker.skill[0]", 1.5, "1.5"),
        ("worker.skill[0]", 101, "100"),
        ("worker.skill[0]", 10**30, "cannot hold"),
        ("person.name", "x" * 40, "person.name"),
        ("plant.yield", 1, "plant"),
        ("worker.source", "1048576:1", "index:generation"),
    ],
)
def test_edits_are_refused_in_words(colony: Game, path: str, value: object, words: str) -> None:
    one = people(colony)[0]
    before = colony.call("entity", id=one)["components"]
    with pytest.raises(RefusedError, match=words.replace("(", r"\(")):
        colony.call("set", id=one, path=path, value=value)
    assert colony.call("entity", id=one)["components"] == before


def test_what_the_rules_forbid_is_told(colony: Game) -> None:
    one = people(colony)[0]
    with pytest.raises(RefusedError, match="'worker' requires it"):
        colony.call("remove", id=one, component="walker")
    with pytest.raises(RefusedError, match="never both"):
        colony.call("add", id=one, component="building")
    colony.call("add", id=one, component="child")
    assert colony.call("entity", id=one)["components"]["child"] is True
    colony.call("remove", id=one, component="child")
    assert any("requires it" in line["text"] for line in colony.call("messages"))


def test_spawning_by_a_prefab_has_its_values(colony: Game) -> None:
    made = colony.call("spawn", prefab="bakery", components={"position": {"x": 3, "y": 4}})["id"]
    components = colony.call("entity", id=made)["components"]
    assert components["position"] == {"x": 3, "y": 4}
    assert components["building"] == {"kind": "bakery"}
    assert components["workshop"]["recipe"]["output"] == "bread"
    colony.call(
        "write",
        id=made,
        components={"stock": {"amount": {"wood": 1, "grain": 2, "planks": 3, "bread": 4}}},
    )
    assert colony.call("entity", id=made)["components"]["stock"] == {
        "amount": {"wood": 1, "grain": 2, "planks": 3, "bread": 4}
    }
    entities = colony.call("stats")["entities"]
    with pytest.raises(RefusedError, match="2000"):
        colony.call("spawn", prefab="bakery", components={"position": {"x": 2000}})
    assert colony.call("stats")["entities"] == entities
    colony.call("despawn", id=made)
    with pytest.raises(RefusedError, match="is no longer alive"):
        colony.call("entity", id=made)


def test_trees(colony: Game) -> None:
    one, other = people(colony)[:2]
    bundle = colony.call("spawn", prefab="bundle")["id"]
    colony.call("attach", id=bundle, relation="carried_by", parent=one)
    assert colony.call("entity", id=bundle)["parents"] == {"carried_by": one}
    assert colony.call("entity", id=one)["children"] == {"carried_by": [bundle], "supplies": []}
    with pytest.raises(RefusedError, match="carried_by"):
        colony.call("attach", id=one, relation="carried_by", parent=bundle)
    colony.call("attach", id=bundle, relation="carried_by", parent=other)
    colony.call("detach", id=bundle, relation="carried_by")
    assert colony.call("entity", id=other)["children"] == {"carried_by": [], "supplies": []}
    colony.call("despawn", id=bundle)


def test_time_passes_as_it_is_told() -> None:
    with game("--villagers", "60") as colony:
        colony.call("pause", paused=True)
        start = colony.call("stats")["tick"]
        time.sleep(0.6)
        assert colony.call("stats")["tick"] == start
        one = {"ticks": 1, "tick": start + 1, "stopped": False}
        assert colony.call("step", ticks=1) == one
        colony.step(4)
        assert colony.call("step", phase="live")["tick"] == start + 5
        colony.call("speed", speed=16)
        colony.call("pause", paused=False)
        end = time.monotonic() + PATIENCE_SECONDS
        while colony.call("stats")["tick"] < start + 25 and time.monotonic() < end:
            time.sleep(0.05)
        assert colony.call("stats")["tick"] >= start + 25


def test_systems_and_tables(colony: Game) -> None:
    systems = colony.call("systems")
    schema = colony.call("schema")
    assert [one["name"] for one in systems] == [one["name"] for one in schema["systems"]]
    assert all(later > i for i, one in enumerate(systems) for later in one["before"])
    tables = colony.call("tables")
    rows = sum(one["rows"] for one in tables["tables"])
    assert rows == colony.call("stats")["entities"]
    colony.step(60)
    indexes = {one["name"]: one for one in colony.call("tables")["indexes"]}
    names = indexes["by_name"]
    assert (names["kind"], names["of"], names["fields"]) == ("hash", "person", ["name"])
    depots = indexes["depots_by_place"]
    assert depots["kind"] == "grid" and depots["made"]
    assert depots["rows"] > 0 and depots["bytes"] > 0


def test_any_system_is_switched_off_and_on() -> None:
    """The colony's schema has no switches, so that the game knows nothing of it."""
    with game(*PAUSED) as colony:
        colony.step(20)
        assert {(one["on"], one["switch"]) for one in colony.call("systems")} == {(True, "none")}

        def hungers() -> list[float]:
            rows = colony.call("entities", where="needs", columns=["needs.hunger"], limit=500)
            return [row["values"][0] for row in rows["rows"]]

        before = hungers()
        for system in ["get_hungry", "eat", "give_birth", "die"]:
            assert colony.call("switch", system=system, on=False) is True
        off = [one["name"] for one in colony.call("systems") if not one["on"]]
        assert sorted(off) == ["die", "eat", "get_hungry", "give_birth"]
        colony.step(20)
        assert hungers() == before
        for system in off:
            colony.call("switch", system=system)
        assert all(one["on"] for one in colony.call("systems"))
        colony.step(1)
        assert all(now > was for now, was in zip(hungers(), before, strict=True))
        with pytest.raises(RefusedError, match="there is no system 'nobody'"):
            colony.call("switch", system="nobody", on=False)


STEPS: list[tuple[str, dict[str, object]]] = [("step", {})] * 10  # each tick alone is measured


def test_turns_are_counted_while_they_are_asked_for() -> None:
    with game(*PAUSED) as colony:
        assert "turns" not in colony.call("systems")[0]
        first, *_, last = colony.at_once(("systems", {"count": True}), *STEPS, ("systems", {}))
        assert {one["turns"] for one in first} == {0}
        found = {one["name"]: one for one in last}
        hungry = found["get_hungry"]
        assert hungry["ticks"] == hungry["turns"] == 10 and hungry["ns"] > 0
        assert 590 <= hungry["rows"] <= 610  # of 60 people, and who was born or died meanwhile
        assert found["regrow"]["turns"] == 0 and found["regrow"]["ns"] == 0
        wait_until(lambda: "turns" not in colony.call("systems")[0])


def test_of_many_ticks_some_are_measured() -> None:
    """One in 25, and neither always nor never those in which a system has its turn."""
    with game(*PAUSED) as colony:
        done = 0
        while done < 2000:
            before, _, step, after = colony.at_once(
                ("systems", {}),
                ("systems", {"count": True}),
                ("step", {"ticks": 2000 - done}),
                ("systems", {}),
            )
            if "turns" not in before[0]:
                done = 0  # this machine was too slow, and counting has begun anew
            done += step["ticks"]
        systems = {one["name"]: one for one in after}
        ticks = systems["get_hungry"]["ticks"]
        assert {(one["ticks"], one["one_in"]) for one in systems.values()} == {(ticks, 25)}
        assert 79 <= ticks <= 81
        assert systems["get_hungry"]["turns"] == ticks
        hourly = systems["settle"]["turns"]  # of every fourth tick
        assert ticks / 8 < hourly < ticks / 2


def test_a_phase_that_is_run_alone_is_measured() -> None:
    """All phases of a tick count as one, when the last of them has run."""
    with game(*PAUSED) as colony:
        phases = colony.call("schema")["phases"] * 2
        asked = [("systems", {"count": True})]
        for phase in phases:
            asked += [("step", {"phase": phase}), ("systems", {})]
        answers = colony.at_once(*asked)[2::2]
    hungry = [{one["name"]: one for one in systems}["get_hungry"] for systems in answers]
    done = [step * 2 // len(phases) for step in range(1, len(phases) + 1)]
    assert [one["ticks"] for one in hungry] == done
    assert hungry[-1]["turns"] == 2


def test_changes_from_a_tick_that_was_remembered() -> None:
    with game(*PAUSED) as colony:
        with pytest.raises(RefusedError, match="no tick is remembered"):
            colony.call("changes")
        start = colony.call("remember")
        assert start == {"tick": 0, "entities": colony.call("stats")["entities"]}
        same = colony.call("changes")
        assert same["changed"] == same["new"] == same["gone"] == []
        one = people(colony)[0]
        was = colony.call("entity", id=one)["components"]
        colony.call("set", id=one, path="needs.hunger", value=0.75)
        made = colony.call("spawn", prefab="bundle")["id"]
        gone = people(colony)[1]
        colony.call("despawn", id=gone)
        now = colony.call("changes")
        assert (now["new"], now["new_count"]) == ([made], 1)
        assert (now["gone"], now["gone_count"]) == ([gone], 1)
        assert now["changed_count"] == len(now["changed"])
        mine = next(change for change in now["changed"] if change["name"] == one)
        assert mine["was"]["components"] == was
        assert mine["is"]["components"] == was | {"needs": was["needs"] | {"hunger": 0.75}}
        done = 0
        while done < 20:  # a step ends after some time
            done += colony.call("step", ticks=20 - done)["ticks"]
        later = colony.call("changes")
        assert (later["from"], later["to"]) == (0, 20)
        assert {"calendar"} <= {change["name"] for change in later["changed"]}
        assert later["changed_count"] > 50


def test_events_are_kept_while_they_are_asked_for() -> None:
    with game(*PAUSED) as colony:
        assert colony.call("events") == []
        chronicle = ("singleton", {"name": "chronicle"})
        steps = [("step", {"ticks": 40}), ("events", {})] * 30
        seen: list[dict[str, object]] = []
        births = 0
        while not {"born", "built"} <= {event["event"] for event in seen}:
            before, _, *answers, after = colony.at_once(
                chronicle, ("events", {}), *steps, chronicle
            )
            for events in answers[1::2]:  # each has those before it, too
                seen += [event for event in events if event["number"] > len(seen)]
            births += after["births"] - before["births"]
        told = sum(event["event"] == "born" for event in seen)
        assert [event["number"] for event in seen] == list(range(1, len(seen) + 1))
        assert births == told
        assert all(isinstance(event["value"], dict) for event in seen)
        assert [event["tick"] for event in seen] == sorted(event["tick"] for event in seen)
        emitters = {event["event"]: event["system"] for event in seen}
        systems = [one["name"] for one in colony.call("schema")["systems"]]
        assert systems[emitters["born"]] == "give_birth"


def test_a_storm_of_events_is_counted() -> None:
    """As many are kept as a call gives back; the numbers of the others are left out."""
    request = {"jsonrpc": "2.0", "id": 1, "method": "events"}
    steps = [{"jsonrpc": "2.0", "method": "step", "params": {"ticks": 20}}] * 60
    with game("--villagers", "1000", "--map", "192", "--paused", program=INSPECT) as colony:
        for _ in range(100):
            before = colony.call("events")
            colony.post(json.dumps([request, *steps]).encode())  # within a poll
            after = [event["number"] for event in colony.call("events")]
            if before and after[0] > before[-1]["number"]:
                break
        assert before and after[0] > before[-1]["number"], "there was no storm"
        assert after == list(range(after[0], after[0] + 256))
        for _ in range(100):  # a step ends after some time
            colony.step(100)
            if later := colony.call("events", since=after[-1]):
                break
        assert later[0]["number"] > after[-1] + 1


def test_batches_and_notifications(colony: Game) -> None:
    note = {"jsonrpc": "2.0", "method": "stats"}
    one = {"jsonrpc": "2.0", "id": "a", "method": "stats"}
    status, body = colony.post(json.dumps([note, one, note, {"id": 1}]).encode())
    answers = json.loads(body)
    assert status == 200 and [answer["id"] for answer in answers] == ["a", None]
    assert colony.post(json.dumps(note).encode()) == (204, b"")
    assert colony.post(json.dumps([note]).encode()) == (204, b"")
    assert json.loads(colony.post(b"[]")[1])[0]["error"]["code"] == -32600
    assert json.loads(colony.post(b"{")[1])["error"]["code"] == -32700
    with pytest.raises(RefusedError, match="there is no method 'nope'"):
        colony.call("nope")
