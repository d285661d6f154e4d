"""Random hostile requests: HTTP heads, frames, upgrades and calls. A client with the token is
served all the time, and the sanitizers of the game report nothing.

`ninja test-look` runs this for some seconds, or for HOSTILE_SECONDS, from HOSTILE_SEED on; it needs
what `.ci/install --look` gets.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import socket
import struct
import time

import pytest

from inspector import Game, Socket, game

SECONDS = float(os.environ.get("HOSTILE_SECONDS", "8"))
SEED = int(os.environ.get("HOSTILE_SEED", "1"))
GAMES = (("--paused",), ("--watch",), ("--paused", "--read-only"))
METHODS = (
    "schema", "stats", "entities", "entity", "gone", "singleton", "systems", "tables", "messages",
    "events", "remember", "changes", "writes", "kept", "watch", "stops", "stop_at", "stop_forget",
    "set", "write", "add", "remove", "spawn", "despawn", "attach", "detach", "switch", "pause",
    "speed", "step", "nope", "", "bulk", "children", "ancestors", "undo",
)  # fmt: skip
NAMES = (
    "id", "path", "value", "where", "sort", "descending", "offset", "limit", "columns", "name",
    "count", "since", "on", "when", "components", "component", "prefab", "relation", "parent",
    "system", "paused", "speed", "ticks", "phase", "other", "ids", "change", "after", "before",
    "number",
)  # fmt: skip
WORDS = (
    "", "0:1", "57:1", "1:1", "99999999:1", "18446744073709551615:9", "needs.hunger", "person",
    "person.name", "calendar.day", "game.now", "game.next", "worker.skill[2]",
    "stock.amount[bread]", "needs.hunger > 0.5 & !asleep", "((((", "event died",
    "despawn of 57:1", "carried_by", "live", "carried_by.parent",
    "villager", "bundle", "eat", "inf", "nan", "\udc80", "x" * 5000, "\x00",
    "person & " * 60 + "person", "needs.hunger of 57:1 > 0.9", "add", "remove",
)  # fmt: skip


def value_of(dice: random.Random, depth: int = 0) -> object:
    kind = dice.randrange(9 if depth < 3 else 7)
    if kind < 3:
        return dice.choice(WORDS)
    if kind == 3:
        return dice.choice((0, 1, -1, 2**63, 2**64, 1e308, 0.5, -0.0, 10**30, 5, 64))
    if kind < 7:
        return dice.choice((None, True, False, "", 3))
    if kind == 7:
        return [value_of(dice, depth + 1) for _ in range(dice.randrange(5))]
    return {dice.choice(NAMES): value_of(dice, depth + 1) for _ in range(dice.randrange(5))}


def bulk_of(dice: random.Random) -> object:
    """A bulk edit, mostly a right one, or its undo."""
    handles = [f"{dice.randrange(90)}:1" for _ in range(dice.choice((1, 2, 40, 1000, 1001)))]
    change: dict[str, object] = dice.choice(
        (
            {"change": "set", "path": "needs.hunger", "value": dice.choice((0.5, 7, None, "x"))},
            {"change": "add", "component": dice.choice(("child", "asleep", "worker"))},
            {"change": "remove", "component": dice.choice(("child", "needs", "position"))},
            {"change": "despawn"},
        )
    )
    if dice.random() < 0.3:
        return {"id": 1, "method": "undo", "params": {"number": dice.randrange(1, 90)}}
    return {"id": 1, "method": "bulk", "params": {"ids": handles, **change}}


def request_of(dice: random.Random) -> object:
    if dice.random() < 0.1:
        return bulk_of(dice)
    params = {dice.choice(NAMES): value_of(dice) for _ in range(dice.randrange(5))}
    one: dict[str, object] = {"jsonrpc": "2.0", "method": dice.choice(METHODS), "params": params}
    if "ticks" in params:
        params["ticks"] = dice.choice((0, 1, 3))
    if dice.random() < 0.9:
        one["id"] = dice.choice((1, "a", None, 1.5, [1], "x" * 200))
    return one


def damaged(dice: random.Random, text: bytes) -> bytes:
    made = bytearray(text)
    for _ in range(dice.choice((0, 0, 1, 1, 2, 20))):
        at = dice.randrange(len(made) + 1)
        kind = dice.randrange(4)
        if kind == 0:
            made[at:at] = os.urandom(dice.randrange(1, 4))
        elif kind == 1:
            del made[at : at + dice.randrange(1, 9)]
        elif kind == 2 and made:
            made[at % len(made)] = dice.choice(b'\x00"\\{}[],: \r\n\xff')
        else:
            made[at:at] = made[at : at + 40]
    return bytes(made)


def text_of(dice: random.Random) -> bytes:
    kind = dice.randrange(12)
    if kind == 0:
        deep = dice.randrange(1, 40)
        return dice.choice((b"[", b'{"a":')) * deep + b"1" + dice.choice((b"]", b"}")) * deep
    if kind == 1:
        many = [request_of(dice) for _ in range(dice.choice((1, 2, 63, 64, 65)))]
        return damaged(dice, json.dumps(many).encode())
    return damaged(dice, json.dumps(request_of(dice)).encode())


def head_of(dice: random.Random, colony: Game, body: bytes) -> bytes:
    """The head of a request, of which some parts are odd."""
    token = dice.choice((colony.token, colony.token, "0" * 32, colony.token + "\x00", ""))
    address = dice.choice(
        ("/rpc", "/", f"/?token={token}", f"/rpc?token={token}&token=1", "*", "//")
    )
    host = dice.choice((f"127.0.0.1:{colony.port}",) * 3 + ("evil.example", "127.0.0.1", ""))
    lines = [
        f"{dice.choice(('POST', 'GET', 'PUT', 'HEAD', 'PRI', 'OPTIONS'))} {address} "
        f"{dice.choice(('HTTP/1.1',) * 3 + ('HTTP/1.0', 'HTTP/2.0', ''))}",
        f"Host: {host}",
        f"Authorization: Bearer {token}",
        f"Content-Length: {dice.choice((len(body), len(body), 0, 10**9, -1, 'x'))}",
    ]
    odd = (
        "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAMAAABkAAQAAP__",
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        "Transfer-Encoding: chunked",
        "Expect: 100-continue",
        "Connection: close",
        "Connection: keep-alive",
        "Origin: http://evil.example",
        " folded: line",
        "X: " + "y" * dice.choice((10, 4000, 9000)),
        f"Host: {host}",
        "Range: bytes=0-1",
        "If-Modified-Since: x",
        "Content-Length: 3",
    )
    lines += [dice.choice(odd) for _ in range(dice.randrange(4))]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin1")


def frames_of(dice: random.Random) -> bytes:
    """Frames of HTTP/2, or nothing in particular."""
    made = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" if dice.random() < 0.5 else b""
    for _ in range(dice.randrange(4)):
        load = os.urandom(dice.choice((0, 4, 8, 40)))
        made += struct.pack(">I", len(load))[1:] + os.urandom(2) + struct.pack(">I", 1) + load
    return made + os.urandom(dice.randrange(30))


def attack_by_http(dice: random.Random, colony: Game) -> None:
    with socket.create_connection(("127.0.0.1", colony.port), timeout=5) as wire:
        for _ in range(dice.choice((1, 1, 2, 5))):  # one behind the other, on one connection
            body = text_of(dice)
            whole = head_of(dice, colony, body) + body
            if dice.random() < 0.3:
                whole = damaged(dice, whole)
            if dice.random() < 0.2:
                whole += frames_of(dice)
            for at in range(
                0, len(whole), step := dice.choice((1 << 20, 100, len(whole) // 2 + 1))
            ):
                wire.sendall(whole[at : at + step])
        leave(dice, wire)


def attack_by_frames(dice: random.Random, colony: Game) -> None:
    one = Socket(colony)
    for _ in range(dice.randrange(1, 8)):
        kind = dice.randrange(8)
        text = text_of(dice)
        if kind < 4:
            one.send(text, opcode=dice.choice((1, 1, 1, 2, 0)), last=dice.random() < 0.8)
        elif kind == 4:
            one.send(text[:125], opcode=dice.choice((8, 9, 10)))
        elif kind == 5:
            one.wire.sendall(damaged(dice, one.frame(text)))
        elif kind == 6:
            length = dice.choice((2**63 - 1, 2**64 - 1, 2**32, 262145))
            one.wire.sendall(b"\x81\xff" + struct.pack(">Q", length) + b"1234" + text[:50])
        else:
            one.wire.sendall(os.urandom(dice.randrange(1, 60)))
    leave(dice, one.wire)


def attack_by_strangers(dice: random.Random, colony: Game) -> None:
    wires = [
        socket.create_connection(("127.0.0.1", colony.port)) for _ in range(dice.randrange(90))
    ]
    for wire in wires:
        wire.sendall(dice.choice((b"", b"G", b"GET / HTTP/1.1\r\n", frames_of(dice))))
    for wire in wires:
        wire.close()


def leave(dice: random.Random, wire: socket.socket) -> None:
    """Reads some of the answer, or none, and hangs up, or breaks the connection."""
    wire.settimeout(dice.choice((0.001, 0.02, 0.1)))
    with contextlib.suppress(OSError):
        for _ in range(dice.choice((0, 1, 3))):
            wire.recv(1 << 16)
    if dice.random() < 0.3:
        wire.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    wire.close()


ATTACKS = (attack_by_http,) * 5 + (attack_by_frames,) * 5 + (attack_by_strangers,)


@pytest.mark.parametrize("options", GAMES, ids=str)
def test_whoever_has_the_token_is_served(options: tuple[str, ...]) -> None:
    dice = random.Random(SEED)
    attacks = 0
    with game("--villagers", "20", *options) as colony:
        end = time.monotonic() + SECONDS
        while time.monotonic() < end or attacks < 20:
            with contextlib.suppress(OSError):  # the game has hung up
                dice.choice(ATTACKS)(dice, colony)
            attacks += 1
            if attacks % 10 == 0:
                assert colony.call("stats")["world"] == "colony"
    print(f"{attacks} attacks")
