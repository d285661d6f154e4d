"""The colony with its inspector, for programs that use HTTP, WebSocket and JSON-RPC."""

from __future__ import annotations

import base64
import json
import os
import socket
import struct
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from built import built

INSPECT = "build/inspect/inspect"
CROWD = "build/inspect/crowd"  # a world of any size with values of every shape
SANITIZED = "build/asan/inspect/inspect"  # sanitizers end it at invalid accesses and leaks
PATIENCE_SECONDS = 60
PAUSED = ("--villagers", "60", "--paused")


class RefusedError(Exception):
    """The game refuses a call; `code` is that of JSON-RPC."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(error["message"])
        self.code: int = error["code"]


def wait_until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE_SECONDS
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


@dataclass
class Game:
    """A running colony, and the address of its inspector."""

    process: subprocess.Popen[str]
    url: str

    @property
    def port(self) -> int:
        return int(self.url.split(":")[2].split("/")[0])

    @property
    def token(self) -> str:
        return self.url.split("token=")[1]

    def post(self, body: bytes, **headers: str) -> tuple[int, bytes]:
        """Sends bytes, and returns the status and the answer."""
        given = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.port}/rpc", data=body, headers=given
        )
        try:
            with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def call(self, method: str, **params: object) -> Any:
        """Calls a method, and returns its result. Raises RefusedError."""
        request = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        status, body = self.post(json.dumps(request).encode())
        assert status == 200
        answer = json.loads(body)
        if "error" in answer:
            raise RefusedError(answer["error"])
        return answer["result"]

    def step(self, ticks: int) -> dict[str, Any]:
        """Runs ticks, unless a stop ends them, and returns what one call would. On a slow machine
        a call ends before all of them.
        """
        done = 0
        while True:
            answer: dict[str, Any] = self.call("step", ticks=ticks - done)
            done += answer["ticks"]
            if answer["stopped"] or done == ticks:
                return answer | {"ticks": done}

    def at_once(self, *calls: tuple[str, dict[str, object]]) -> list[Any]:
        """Makes up to 64 calls within one poll of the game, also on a slow machine."""
        asked = [
            {"jsonrpc": "2.0", "id": i, "method": method, "params": params}
            for i, (method, params) in enumerate(calls)
        ]
        status, body = self.post(json.dumps(asked).encode())
        assert status == 200
        return [answer["result"] for answer in json.loads(body)]


def people(colony: Game, where: str = "person") -> list[str]:
    """Returns the handles of the selected people, as the inspector writes them."""
    answer = colony.call("entities", where=where, limit=500)
    return [row["id"] for row in answer["rows"]]


@contextmanager
def game(*options: str, program: str = SANITIZED) -> Iterator[Game]:
    """Runs a colony until the block ends, and checks that it exits without an error."""
    with served([str(built(program)), *options]) as running:
        yield running


@contextmanager
def served(command: list[str]) -> Iterator[Game]:
    """Runs a game that prints the address of its inspector, and checks that it exits without an
    error.
    """
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    try:
        yield Game(process, process.stdout.readline().strip())
        assert process.poll() is None, "the game has ended"
    finally:
        process.terminate()
        process.communicate(timeout=PATIENCE_SECONDS)
    assert process.returncode == 0


def whole_list(colony: Game, **asked: object) -> tuple[dict[str, object], int]:
    """Asks for a list until it is complete. Returns the answer, and the number of requests."""
    for calls in range(1, 10000):
        answer: dict[str, object] = colony.call("entities", **asked)
        if answer["making"] is None:
            return answer, calls
        assert 0 <= float(str(answer["making"])) <= 1
        time.sleep(0.02)
    raise AssertionError("the list is never made")


class Socket:
    """A handwritten WebSocket, which can send data that no browser sends."""

    def __init__(self, game: Game, **headers: str) -> None:
        given = {
            "Host": f"127.0.0.1:{game.port}",
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
            "Sec-WebSocket-Version": "13",
        } | headers
        lines = [f"GET /rpc?token={game.token} HTTP/1.1", *(f"{k}: {v}" for k, v in given.items())]
        self.wire = socket.create_connection(("127.0.0.1", game.port), timeout=PATIENCE_SECONDS)
        self.wire.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        head = b""
        while b"\r\n\r\n" not in head:
            piece = self.wire.recv(1)
            if not piece:
                break
            head += piece
        self.open = head.startswith(b"HTTP/1.1 101")

    def frame(self, payload: bytes, opcode: int = 1, last: bool = True) -> bytes:
        size = len(payload)
        extended = b"" if size < 126 else struct.pack("!H" if size < 65536 else "!Q", size)
        length = size if size < 126 else 126 if size < 65536 else 127
        mask = os.urandom(4)
        masked = bytes(byte ^ mask[i % 4] for i, byte in enumerate(payload))
        return bytes([(128 if last else 0) | opcode, 128 | length]) + extended + mask + masked

    def send(self, payload: bytes, opcode: int = 1, last: bool = True) -> None:
        self.wire.sendall(self.frame(payload, opcode, last))

    def exactly(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            piece = self.wire.recv(count - len(data))
            if not piece:
                raise ConnectionError("the game has hung up")
            data += piece
        return data

    def read(self) -> bytes:
        """Returns the next message. Raises ConnectionError if the game closes the connection."""
        message = b""
        while True:
            first, length = self.exactly(2)
            if length >= 126:
                length = struct.unpack(
                    "!H" if length == 126 else "!Q", self.exactly(2 if length == 126 else 8)
                )[0]
            payload = self.exactly(length)
            if first & 15 == 8:
                raise ConnectionError("the game has closed the connection")
            if first & 15 in (0, 1, 2):
                message += payload
                if first & 128:
                    return message

    def call(self, method: str, **params: object) -> Any:
        self.send(
            json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        )
        return json.loads(self.read())["result"]

    def close(self) -> None:
        self.wire.close()
