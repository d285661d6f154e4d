"""Dangers that the inspector keeps off: strangers, long frames, slow pages, random bytes.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

import json
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector import PAUSED, Game, RefusedError, Socket, game, people, wait_until

REQUEST_MAX = 256 * 1024


@pytest.fixture(scope="module")
def colony() -> Iterator[Game]:
    with game(*PAUSED) as running:
        yield running


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
        wait_until(lambda: pages[0].call("stats")["tick"] > before)
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


@settings(max_examples=300, deadline=None)
@given(request=REQUESTS)
def test_any_request_has_an_answer(colony: Game, request: bytes) -> None:
    status, body = colony.post(request)
    assert status in (200, 204)
    if status == 200:
        json.loads(body)


@settings(max_examples=60, deadline=None)
@given(wire=st.binary(min_size=1, max_size=80))
def test_any_bytes_on_a_socket(colony: Game, wire: bytes) -> None:
    one = Socket(colony)
    one.wire.sendall(wire)
    one.close()
    assert colony.call("stats")["world"] == "colony"
