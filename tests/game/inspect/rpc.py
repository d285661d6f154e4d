"""The inspector's calls: what programs can do with them, and what is refused.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inspector import Game, RefusedError, Socket, game

PAUSED = ("--villagers", "60", "--paused")
REQUEST_MAX = 256 * 1024
SLICE_ROWS, SLICE_LEAST_ROWS = 65_536, 16_384  # SERVE_… of runtime/serve/rpc.h


@pytest.fixture(scope="module")
def colony() -> Iterator[Game]:
    with game(*PAUSED) as running:
        yield running


def people(colony: Game, where: str = "person") -> list[str]:
    answer = colony.call("entities", where=where, limit=500)
    return [row["id"] for row in answer["rows"]]


# ---- what programs can do


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
        colony.call("step", ticks=20)
        columns = ["person.name", "needs.hunger"]
        hungry = colony.call("entities", where="needs.hunger > 0.7", columns=columns)
        assert hungry["total"] == 3
        assert all(name and hunger > 0.7 for name, hunger in (r["values"] for r in hungry["rows"]))
        colony.call("set", id=depots["rows"][0]["id"], path="stock.amount[bread]", value=100)
        for _ in range(50):
            if colony.call("entities", where="needs.hunger > 0.7")["total"] == 0:
                break
            colony.call("step", ticks=4)
        fed = [colony.call("entity", id=row["id"])["components"]["needs"] for row in hungry["rows"]]
        assert all(needs["hunger"] < 0.7 for needs in fed)


def test_a_window_of_a_sorted_selection(colony: Game) -> None:
    asked = {"where": "person", "sort": "person.age", "columns": ["person.age"]}
    ages = [r["values"][0] for r in colony.call("entities", **asked, limit=500)["rows"]]
    assert ages == sorted(ages) and len(ages) == 60
    window = colony.call("entities", **asked, offset=20, limit=7)
    assert [r["values"][0] for r in window["rows"]] == ages[20:27]
    down = colony.call("entities", **asked, descending=True, limit=500)["rows"]
    assert [r["values"][0] for r in down] == ages[::-1]
    assert colony.call("entities", **asked, offset=60)["rows"] == []


def whole_list(colony: Game, **asked: object) -> tuple[dict[str, object], int]:
    """Asks for a list until it is made. Returns the answer, and how often it was asked."""
    for calls in range(1, 10000):
        answer: dict[str, object] = colony.call("entities", **asked)
        if answer["making"] is None:
            return answer, calls
        assert 0 <= float(str(answer["making"])) <= 1
        time.sleep(0.02)
    raise AssertionError("the list is never made")


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
        colony.call("step", ticks=40)
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
        ("needs.hunger", 1.5, "needs.hunger: 1.5 is not at most 1"),
        ("worker.job", "dance", "enum 'job' has no value 'dance'"),
        ("worker.skill[4]", 1, "4"),
        ("worker.skill[0]", 1.5, "1.5"),
        ("worker.skill[0]", 101, "100"),
        ("worker.skill[0]", 10**30, "no value"),
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
    with pytest.raises(RefusedError, match="is not alive"):
        colony.call("entity", id=made)


def test_trees(colony: Game) -> None:
    one, other = people(colony)[:2]
    bundle = colony.call("spawn", prefab="bundle")["id"]
    colony.call("attach", id=bundle, relation="carried_by", parent=one)
    assert colony.call("entity", id=bundle)["parents"] == {"carried_by": one}
    assert colony.call("entity", id=one)["children"] == {"carried_by": [bundle]}
    with pytest.raises(RefusedError, match="carried_by"):
        colony.call("attach", id=one, relation="carried_by", parent=bundle)
    colony.call("attach", id=bundle, relation="carried_by", parent=other)
    colony.call("detach", id=bundle, relation="carried_by")
    assert colony.call("entity", id=other)["children"] == {"carried_by": []}
    colony.call("despawn", id=bundle)


def test_time_passes_as_it_is_told() -> None:
    with game("--villagers", "60") as colony:
        colony.call("pause", paused=True)
        start = colony.call("stats")["tick"]
        time.sleep(0.6)
        assert colony.call("stats")["tick"] == start
        assert colony.call("step", ticks=5) == {
            "ticks": 5,
            "tick": start + 5,
            "stopped": False,
        }
        assert colony.call("step", phase="live")["tick"] == start + 5
        colony.call("speed", speed=16)
        colony.call("pause", paused=False)
        end = time.monotonic() + 30
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
    colony.call("step", ticks=60)
    indexes = {one["name"]: one for one in colony.call("tables")["indexes"]}
    names = indexes["by_name"]
    assert (names["kind"], names["of"], names["fields"]) == ("hash", "person", ["name"])
    depots = indexes["depots_by_place"]
    assert depots["kind"] == "grid" and depots["made"]
    assert depots["rows"] > 0 and depots["bytes"] > 0
    with pytest.raises(RefusedError, match="no saved switch"):
        colony.call("switch", system="eat", on=False)


def test_turns_are_counted_while_they_are_asked_for() -> None:
    with game(*PAUSED) as colony:
        assert "turns" not in colony.call("systems")[0]
        assert {one["turns"] for one in colony.call("systems", count=True)} == {0}
        colony.call("step", ticks=10)
        found = {one["name"]: one for one in colony.call("systems")}
        hungry = found["get_hungry"]
        assert hungry["turns"] == 10 and hungry["ns"] > 0
        assert 590 <= hungry["rows"] <= 610  # of 60 people, and who was born or died meanwhile
        assert found["regrow"]["turns"] == 0 and found["regrow"]["ns"] == 0
        time.sleep(5.5)
        assert "turns" not in colony.call("systems")[0]


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
        seen: list[dict[str, object]] = []
        for _ in range(60):
            colony.call("step", ticks=40)
            seen += colony.call("events", since=len(seen))
        assert [event["number"] for event in seen] == list(range(1, len(seen) + 1))
        assert {"born", "built"} <= {event["event"] for event in seen}
        births = sum(event["event"] == "born" for event in seen)
        assert all(isinstance(event["value"], dict) for event in seen)
        assert [event["tick"] for event in seen] == sorted(event["tick"] for event in seen)
        systems = colony.call("systems")
        assert systems[seen[0]["system"]]["events"] > 0
        assert births == next(one["events"] for one in systems if one["name"] == "give_birth")


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


# ---- what is refused


def test_a_server_that_is_read_only() -> None:
    with game(*PAUSED, "--read-only") as colony:
        one = people(colony)[0]
        before = colony.call("entity", id=one)
        calls = {
            "set": {"id": one, "path": "needs.hunger", "value": 0.5},
            "write": {"id": one, "components": {}},
            "add": {"id": one, "component": "child"},
            "remove": {"id": one, "component": "home"},
            "spawn": {},
            "despawn": {"id": one},
            "attach": {"id": one, "relation": "carried_by", "parent": one},
            "detach": {"id": one, "relation": "carried_by"},
            "switch": {"system": "eat"},
            "pause": {"paused": False},
            "speed": {"speed": 2},
            "step": {},
        }
        for method, params in calls.items():
            with pytest.raises(RefusedError, match="read-only") as refused:
                colony.call(method, **params)
            assert refused.value.code == -32001
        assert colony.call("entity", id=one) == before


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": "Bearer " + "0" * 32},
        {"Authorization": ""},
        {"Authorization": "Basic x"},
        {"Host": "evil.example:80"},
        {"Host": "127.0.0.1"},
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "https://127.0.0.1:1"},
    ],
    ids=str,
)
def test_strangers_are_refused(colony: Game, headers: dict[str, str]) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "stats"}).encode()
    assert colony.post(body, **headers)[0] == 403
    if "Authorization" not in headers:
        assert not Socket(colony, **headers).open


def test_the_page_wants_the_token_too(colony: Game) -> None:
    with urllib.request.urlopen(colony.url) as page:
        policy = page.headers["content-security-policy"]
        assert page.status == 200 and b"Weft inspector" in page.read()
    assert "default-src 'none'" in policy and "'unsafe-inline'" not in policy.split("style-src")[0]
    for wrong in (f"http://127.0.0.1:{colony.port}/", colony.url + "0"):
        with pytest.raises(urllib.error.HTTPError, match="403"):
            urllib.request.urlopen(wrong)


def test_it_listens_on_this_machine_alone(colony: Game) -> None:
    table = Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()
    wires = [line.split() for line in table][1:]
    mine = {
        row[1] for row in wires if row[3] == "0A" and int(row[1].split(":")[1], 16) == colony.port
    }
    assert mine == {f"0100007F:{colony.port:04X}"}


def test_frames_that_are_too_long(colony: Game) -> None:
    one = Socket(colony)
    with pytest.raises(ConnectionError):
        for _ in range(REQUEST_MAX // 16384 + 2):
            one.send(b" " * 16384, last=False)
        one.read()
    with pytest.raises((OSError, urllib.error.URLError)):
        colony.post(b" " * (2 * REQUEST_MAX))
    assert colony.call("stats")["world"] == "colony"


def test_a_message_in_pieces(colony: Game) -> None:
    one = Socket(colony)
    text = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "stats"}).encode()
    one.send(text[:10], last=False)
    one.send(text[10:20], opcode=0, last=False)
    one.send(text[20:], opcode=0)
    assert json.loads(one.read())["result"]["world"] == "colony"
    one.close()


def test_twenty_pages_at_once_and_one_that_is_slow() -> None:
    """A page that never reads loses its connection; the others and the game go on."""
    with game("--villagers", "60") as colony:
        pages = [Socket(colony) for _ in range(20)]
        slow = Socket(colony)
        text = json.dumps(
            {"jsonrpc": "2.0", "id": 1, "method": "singleton", "params": {"name": "picture"}}
        )
        slow.wire.settimeout(5)
        try:
            for _ in range(2000):
                slow.send(text.encode())
        except OSError:
            pass
        for _ in range(5):
            assert {page.call("stats")["world"] for page in pages} == {"colony"}
        before = pages[0].call("stats")["tick"]
        time.sleep(1)
        assert pages[0].call("stats")["tick"] > before
        with open(f"/proc/{colony.process.pid}/status", encoding="ascii") as status:
            resident = next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
        assert resident < 128 * 1024
        for page in [*pages, slow]:
            page.close()


WORDS = [
    "entities", "entity", "set", "spawn", "step", "where", "id", "0:1", "57:1", "needs.hunger",
    "path", "value", "ticks", "columns", "limit", "offset", "person.name", "messages", "write",
    "components", "position", "x", "stats", "systems", "tables", "attach", "parent", "switch",
    "needs.hunger>0.5",
]  # fmt: skip
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20)
    | st.sampled_from(WORDS),
    lambda inner: st.lists(inner, max_size=4)
    | st.dictionaries(st.sampled_from(WORDS), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip
METHODS = st.sampled_from([word for word in WORDS if word.isalpha()])
REQUESTS = st.one_of(
    st.binary(max_size=60),
    JSON.map(lambda value: json.dumps(value).encode()),
    st.builds(
        lambda method, params: json.dumps({"id": 1, "method": method, "params": params}).encode(),
        METHODS,
        st.dictionaries(st.sampled_from(WORDS), JSON, max_size=5),
    ),
)


@settings(
    max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(request=REQUESTS)
def test_any_request_has_an_answer(colony: Game, request: bytes) -> None:
    status, body = colony.post(request)
    assert status in (200, 204)
    if status == 200:
        json.loads(body)


@settings(max_examples=60, deadline=None)
@given(wire=st.binary(min_size=1, max_size=80))
def test_any_bytes_on_a_socket(wire: bytes) -> None:
    one = Socket(ANY[0])
    one.wire.sendall(wire)
    one.close()
    assert ANY[0].call("stats")["world"] == "colony"


ANY: list[Game] = []


@pytest.fixture(autouse=True, scope="module")
def any_game(colony: Game) -> None:
    ANY.append(colony)
