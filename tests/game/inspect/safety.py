"""The inspector resists strangers, long frames, slow pages and random bytes.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

import contextlib
import json
import select
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector import (
    PATIENCE_SECONDS,
    PAUSED,
    Game,
    RefusedError,
    Socket,
    game,
    people,
    wait_until,
)

REQUEST_MAX = 256 * 1024
LINGER_MAX = 64


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


def heard(wire: socket.socket) -> bytes:
    """Returns what comes until the game hangs up."""
    found = b""
    with contextlib.suppress(ConnectionError):
        while piece := wire.recv(4096):
            found += piece
    return found


def asked(colony: Game, head: str, body: bytes = b"") -> bytes:
    """Sends a request as it is written, and returns what comes back."""
    with socket.create_connection(("127.0.0.1", colony.port), timeout=PATIENCE_SECONDS) as wire:
        wire.sendall(head.encode("latin1") + b"\r\n\r\n" + body)
        return heard(wire)


STATS = b'{"jsonrpc": "2.0", "id": 1, "method": "stats"}'


def head_of(colony: Game, *lines: str, address: str = "/rpc", method: str = "POST") -> str:
    return "\r\n".join(
        (
            f"{method} {address} HTTP/1.1",
            f"Host: 127.0.0.1:{colony.port}",
            f"Content-Length: {len(STATS) if method == 'POST' else 0}",
            "Connection: close",
            *lines,
        )
    )


def test_the_right_token_alone_is_right(colony: Game) -> None:
    """Not one with more behind it, nor with a part of it, nor another beside it."""
    token = colony.token
    right = asked(colony, head_of(colony, f"Authorization: Bearer {token}"), STATS)
    assert right.startswith(b"HTTP/1.1 200") and b'"world":"colony"' in right
    right = asked(colony, head_of(colony, address=f"/rpc?a=1&token={token}"), STATS)
    assert right.startswith(b"HTTP/1.1 200")
    behind = ("\x00", "\x00x", " x", "0", "%00", "%00x", "&token=1", "\t\x00", "\x00" * 200)
    for more in behind:
        lines = [f"Authorization: Bearer {token}{more}"]
        if not more.startswith("&"):
            wrong = asked(colony, head_of(colony, *lines), STATS)
            assert wrong.split(b" ")[1] in (b"400", b"403"), more
        wrong = asked(colony, head_of(colony, address=f"/rpc?token={token}{more}"), STATS)
        assert wrong.split(b" ")[1] in (b"400", b"403"), more
    for less in (token[:-1], token[1:], "", token.upper() + " ", f"{token[:16]}\x00{token[16:]}"):
        wrong = asked(colony, head_of(colony, f"Authorization: Bearer {less}"), STATS)
        assert wrong.split(b" ")[1] in (b"400", b"403"), less
    for lines in (
        (f"Authorization: Bearer {token}", "Authorization: Bearer x"),
        (f"Authorization: Bearer {token}", f"Host: 127.0.0.1:{colony.port}"),
        (f"Authorization: Bearer {token}", "Host: evil.example"),
        (f"Authorization: Bearer {token}", "Origin: http://evil.example", "Origin: null"),
        (f"Authorization: Bearer {token}", f"Origin: http://127.0.0.1:{colony.port}\x00.evil"),
    ):
        assert asked(colony, head_of(colony, *lines), STATS).split(b" ")[1] in (b"400", b"403")


@pytest.mark.parametrize("known", [True, False], ids=["token", "stranger"])
@pytest.mark.parametrize("upgrade", ["h2c", "H2C", "h2", "TLS/1.0", "websocket, h2c", "x"])
def test_nothing_but_websocket_is_upgraded_to(colony: Game, known: bool, upgrade: str) -> None:
    lines = [
        f"Upgrade: {upgrade}",
        "Connection: Upgrade, HTTP2-Settings",
        "HTTP2-Settings: AAMAAABkAAQAAP__",
    ]
    token = colony.token if known else "0" * 32
    head = head_of(colony, *lines, address=f"/?token={token}", method="GET")
    assert b" 101 " not in asked(colony, head)
    assert colony.call("stats")["world"] == "colony"


def test_http_2_is_not_spoken(colony: Game) -> None:
    settings = b"\x00\x00\x00\x04\x00\x00\x00\x00\x00"
    assert asked(colony, "PRI * HTTP/2.0\r\n\r\nSM", settings).startswith(b"HTTP/1.1 400")


def heads_of_answers(heard: bytes) -> list[bytes]:
    """Returns the status of each answer that came over a connection, which are whole."""
    found = []
    while heard:
        head, _, heard = heard.partition(b"\r\n\r\n")
        lines = head.lower().split(b"\r\n")
        assert lines[0].startswith(b"http/1."), lines[0]
        length = next(line for line in lines if line.startswith(b"content-length:"))
        found.append(lines[0].split(b" ")[1])
        assert len(heard) >= int(length.split(b":")[1])
        heard = heard[int(length.split(b":")[1]) :]
    return found


@pytest.mark.parametrize("apart", [0, 0.1], ids=["at once", "later"])
@pytest.mark.parametrize("way", ["keep-alive", "close"])
def test_a_connection_has_one_request(colony: Game, way: str, apart: float) -> None:
    """What comes behind it, of this page or another's, or no request at all, is not even read."""
    token = f"Authorization: Bearer {colony.token}"
    right = head_of(colony, token).replace("close", way).encode() + b"\r\n\r\n" + STATS
    page = head_of(colony, token, address="/", method="GET").replace("close", way).encode()
    page += b"\r\n\r\n"
    faster = right.replace(STATS, b'{"method": "speed", "params": {"speed": 9}   }')
    assert len(faster) == len(right)
    evil = head_of(colony, "Origin: http://evil.example", token).encode() + b"\r\n\r\n" + STATS
    upgrade = (
        "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQAAP__"
    )
    upgraded = head_of(colony, token, upgrade, method="GET").encode() + b"\r\n\r\n"
    for first in (right, page):
        for second in (right, faster, page, evil, upgraded, b"x", b"\x00" * 9000, STATS * 300):
            with socket.create_connection(
                ("127.0.0.1", colony.port), timeout=PATIENCE_SECONDS
            ) as wire:
                wire.sendall(first + (b"" if apart else second))
                time.sleep(apart)
                with contextlib.suppress(OSError):  # the game has hung up
                    wire.sendall(second if apart else b"")
                assert heads_of_answers(heard(wire)) == [b"200"]
    assert colony.call("stats")["speed"] == 1


# States of a connection in /proc/net/tcp.
ESTABLISHED, GONE = "01", "07"


def state_of(colony: Game, wire: socket.socket) -> str:
    """Returns the state of the game's end of a connection."""
    ends = [f"{port:04X}" for port in (colony.port, wire.getsockname()[1])]
    for line in Path("/proc/net/tcp").read_text(encoding="ascii").splitlines()[1:]:
        _, own, other, state = line.split()[:4]
        if [own.split(":")[1], other.split(":")[1]] == ends:
            return state
    return GONE


def test_bytes_after_a_request_do_not_cut_its_answer(colony: Game) -> None:
    """The client sends more when the game has sent everything, and has itself read little of it."""
    token = f"Authorization: Bearer {colony.token}"
    with socket.socket() as wire:
        wire.settimeout(PATIENCE_SECONDS)
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)  # the rest waits in the system
        wire.connect(("127.0.0.1", colony.port))
        wire.sendall(head_of(colony, token, address="/", method="GET").encode() + b"\r\n\r\n")
        begun = wire.recv(1)
        wait_until(lambda: state_of(colony, wire) != ESTABLISHED)
        with contextlib.suppress(OSError):  # a connection that was reset
            for _ in range(3):
                wire.sendall(b"x" * 100)
                time.sleep(0.02)
        assert heads_of_answers(begun + heard(wire)) == [b"200"]


def test_clients_that_never_close_lock_nobody_out(colony: Game) -> None:
    files = Path(f"/proc/{colony.process.pid}/fd")
    before = len(list(files.iterdir()))
    head = head_of(colony, f"Authorization: Bearer {colony.token}").encode() + b"\r\n\r\n" + STATS
    with contextlib.ExitStack() as kept:
        for _ in range(200):
            wire = kept.enter_context(
                socket.create_connection(("127.0.0.1", colony.port), timeout=PATIENCE_SECONDS)
            )
            wire.sendall(head)
            assert heads_of_answers(heard(wire)) == [b"200"]
        # The last client hears the end before the game closes its socket and the oldest connection.
        assert len(list(files.iterdir())) <= before + LINGER_MAX + 2
        assert Socket(colony).call("stats")["world"] == "colony"
    wait_until(lambda: len(list(files.iterdir())) <= before + 1)  # the last one may linger


@pytest.mark.parametrize(
    ("method", "lines", "status"),
    [
        ("POST", ["Content-Length: 46"], b"200"),
        ("POST", ["Content-Length: 046"], b"200"),
        ("POST", [], b"411"),
        ("POST", ["Transfer-Encoding: chunked"], b"411"),
        ("POST", ["Transfer-Encoding: chunked", "Content-Length: 46"], b"411"),
        ("POST", ["Content-Length: 46", "Content-Length: 46"], b"400"),
        ("POST", ["Content-Length: -1"], b"400"),
        ("POST", ["Content-Length: +46"], b"400"),
        ("POST", ["Content-Length: 46x"], b"400"),
        ("POST", ["Content-Length: 0x2e"], b"400"),
        ("POST", ["Content-Length: 46, 46"], b"400"),
        ("POST", ["Content-Length: "], b"400"),
        ("POST", ["Content-Length: 99999999999999999999999"], b"413"),
        ("POST", [f"Content-Length: {REQUEST_MAX + 1}"], b"413"),
        ("GET", [], b"200"),
        ("GET", ["Content-Length: 0"], b"200"),
        ("GET", ["Content-Length: 46"], b"400"),
        ("GET", ["Transfer-Encoding: chunked"], b"411"),
        ("HEAD", [], b"405"),
        ("PUT", ["Content-Length: 46"], b"405"),
        ("CONNECT", [], b"405"),
        ("OPTIONS", [], b"405"),
        ("get", [], b"405"),
        ("POST", ["Content-Length: 46", "Upgrade: websocket", "Connection: Upgrade",
                  "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA=="],
         b"403"),
    ],
    ids=str,
)  # fmt: skip
def test_how_long_a_body_is_decides_alone(
    colony: Game, method: str, lines: list[str], status: bytes
) -> None:
    """One length, in digits, of a POST; what is no such request is answered at once, and once."""
    address = "/" if method == "GET" else "/rpc"
    head = f"{method} {address} HTTP/1.1\r\nHost: 127.0.0.1:{colony.port}"
    token = f"Authorization: Bearer {colony.token}"
    assert heads_of_answers(asked(colony, "\r\n".join([head, token, *lines]), STATS)) == [status]


def stranger(kind: int, number: int) -> bytes:
    """What a stranger sends: nothing, a piece of a head, a wrong token, or any bytes."""
    return (
        b"",
        b"GET",
        b"POST /rpc HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthoriz",
        b"POST /rpc HTTP/1.1\r\nHost: x\r\n\r\n",
        b"POST /rpc?token=%032x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n" % number,
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
    )[kind]


def keep_strangers(colony: Game, stop: threading.Event, kinds: tuple[int, ...]) -> None:
    """Keeps 500 connections, each of which is opened again when it was closed."""
    wires: list[socket.socket] = []
    number = 0
    while not stop.is_set():
        while len(wires) < 500 and not stop.is_set():
            number += 1
            try:
                wire = socket.create_connection(("127.0.0.1", colony.port), timeout=1)
                wire.sendall(stranger(kinds[number % len(kinds)], number))
            except OSError:
                continue
            wire.setblocking(False)
            wires.append(wire)
        kept = []
        for wire in wires:
            try:
                if kinds == (1,):
                    wire.send(b"E")  # a byte now and then, of a name that never ends
                open_still = wire.recv(4096) != b""
            except BlockingIOError:
                open_still = True
            except OSError:
                open_still = False
            if open_still:
                kept.append(wire)
            else:
                wire.close()
        wires = kept
        time.sleep(0.01)
    for wire in wires:
        wire.close()


@pytest.mark.parametrize(
    "kinds",
    [(0,), (1,), (2,), (3, 4), (0, 1, 2, 3, 4, 5)],
    ids=["mute", "slow", "half", "wrong", "all"],
)
def test_strangers_lock_nobody_out(kinds: tuple[int, ...]) -> None:
    """Each request with the token is answered, by new connections and by one that stays."""
    with game(*PAUSED) as colony:
        stop = threading.Event()
        crowd = threading.Thread(target=keep_strangers, args=(colony, stop, kinds))
        page = Socket(colony)
        crowd.start()
        try:
            for _ in range(40):
                assert colony.call("stats")["world"] == "colony"
                assert page.call("stats")["world"] == "colony"
                time.sleep(0.05)
            assert Socket(colony).open
        finally:
            stop.set()
            crowd.join()
        with open(f"/proc/{colony.process.pid}/status", encoding="ascii") as status:
            assert (
                int(next(line.split()[1] for line in status if line.startswith("VmRSS"))) < 131072
            )


def test_who_asks_for_nothing_is_hung_up_on(colony: Game) -> None:
    """All at the same time, because each waits for two seconds."""
    with contextlib.ExitStack() as kept:
        wires = []
        for sent in (b"", b"GET / HTTP/1.1\r\n", b"\x00"):
            wire = socket.create_connection(("127.0.0.1", colony.port), timeout=PATIENCE_SECONDS)
            wires.append(kept.enter_context(wire))
            wire.sendall(sent)
        assert select.select(wires, [], [], 1)[0] == []  # none is hung up on within a second
        for wire in wires:
            assert heard(wire) == b""


def test_a_head_that_comes_in_pieces_is_whole(colony: Game) -> None:
    head = head_of(colony, f"Authorization: Bearer {colony.token}").encode() + b"\r\n\r\n" + STATS
    with socket.create_connection(("127.0.0.1", colony.port), timeout=PATIENCE_SECONDS) as wire:
        for at in range(0, len(head), 40):
            wire.sendall(head[at : at + 40])
            time.sleep(0.02)
        assert heard(wire).startswith(b"HTTP/1.1 200")


def test_heads_of_all_lengths(colony: Game) -> None:
    for length in (100, 3000, 7500, 9000, 100_000):
        lines = (f"Authorization: Bearer {colony.token}", "X-Long: " + "y" * length)
        status = asked(colony, head_of(colony, *lines), STATS).split(b" ")[1]
        assert status == (b"200" if length < 8000 else b"431")


def test_frames_that_are_too_long(colony: Game) -> None:
    one = Socket(colony)
    with pytest.raises(ConnectionError):
        for _ in range(REQUEST_MAX // 16384 + 2):
            one.send(b" " * 16384, last=False)
        one.read()
    with contextlib.suppress(OSError):  # the game may hang up before all of it was sent
        assert colony.post(b" " * (2 * REQUEST_MAX))[0] == 413
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
