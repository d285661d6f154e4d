"""The map of 100,000 entities: packed dots, and how much work the game and the page have with them.

These tests count requests, bytes and dots, because times depend on the machine. `ninja test-look`
runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

import base64
import json
import math
import signal
import struct
from collections.abc import Iterator
from typing import Any

import pytest
from selenium import webdriver

from browser import complaints
from inspector import CROWD, PAUSED, Game, RefusedError, Socket, game, wait_until
from inspector_page import Page

TOTAL = 100_000  # DOTS_MAX of runtime/serve/page/map.mjs
PACKED_WINDOW = 8192  # SERVE_PACKED_DOTS_MAX of runtime/serve/rpc.h
PACKED = struct.Struct("<IIfff")
PLACE = {"x": "position.x", "y": "position.y"}
READ_EVERY_MS = 5000  # of 100,000 dots
BYTES_A_DOT = 28  # as base64, with a share of the rest of the answer


def unpacked(text: str) -> list[tuple[Any, ...]]:
    return list(PACKED.iter_unpack(base64.b64decode(text, validate=True)))


@pytest.fixture(scope="module")
def colony() -> Iterator[Game]:
    with game(*PAUSED) as running:  # with sanitizers
        yield running


@pytest.mark.parametrize("value", ["needs.hunger", "worker.job", "asleep", "position.y", None])
@pytest.mark.parametrize("limit", [0, 1, 2, 3, 47, 48, 49, 50, 143, 144, 145])
def test_packed_dots_are_the_same_dots(colony: Game, value: str | None, limit: int) -> None:
    asked: dict[str, object] = {**PLACE, "limit": limit, **({"value": value} if value else {})}
    plain = colony.call("map", **asked)
    packed = colony.call("map", **asked, packed=True)
    assert {**plain, "dots": 0} == {**packed, "dots": 0}
    numbers = plain["dots"]
    dots = unpacked(packed["dots"])
    assert len(dots) * 5 == len(numbers) and len(dots) <= limit
    for i, dot in enumerate(dots):
        for is_now, was in zip(dot, numbers[5 * i : 5 * i + 5], strict=True):
            assert math.isnan(is_now) if was is None else is_now == pytest.approx(was)


def test_a_packed_window_has_a_limit(colony: Game) -> None:
    with pytest.raises(RefusedError, match="'limit' must be a number from 0 to 8192"):
        colony.call("map", **PLACE, packed=True, limit=PACKED_WINDOW + 1)


def test_an_answer_is_sent_at_once() -> None:
    """A game that stops after it has begun to send an answer has sent all of it."""
    with game("2000", program=CROWD) as crowd:
        crowd.call("pause")
        asked = {"x": "place.x", "y": "place.y", "limit": 1500}
        wait_until(lambda: crowd.call("map", **asked)["making"] is None)
        socket = Socket(crowd)
        socket.send(
            json.dumps({"jsonrpc": "2.0", "id": 1, "method": "map", "params": asked}).encode()
        )
        first = socket.exactly(1)
        crowd.process.send_signal(signal.SIGSTOP)
        try:
            second = socket.exactly(1)[0]
            assert (first[0] & 128, second) == (128, 126)  # one frame, with a length of 16 bits
            length = struct.unpack("!H", socket.exactly(2))[0]
            assert length > 8 * 4096
            assert len(json.loads(socket.exactly(length))["result"]["dots"]) == 5 * 1500
        finally:
            crowd.process.send_signal(signal.SIGCONT)
        socket.close()


# Keeps the offsets of all windows that the page requests, and the bytes of the answers up to the
# last window of the first pass. The page reads the dots again by the clock.
COUNTS = """
const [last] = arguments;
window.windows = []; window.received = 0;
const wanted = new Set();
const sockets = new Set();
const send = WebSocket.prototype.send;
const count = (event) => {
  if (wanted.delete(JSON.parse(event.data).id)) received += event.data.length;
};
let whole = false;
WebSocket.prototype.send = function (text) {
  const { id, method, params } = JSON.parse(text);
  if (!sockets.has(this)) this.addEventListener('message', count);
  sockets.add(this);
  if (method === 'map') {
    windows.push(params.offset);
    if (!whole) wanted.add(id);
    whole ||= params.offset === last;
  }
  return send.call(this, text);
};
"""
LAST = (TOTAL - 1) // PACKED_WINDOW * PACKED_WINDOW  # offset of the last window
WINDOWS = "return windows"
DRAWN = "return Number(document.querySelector('.scatter').dataset.drawn)"
# Zooms in by keys, with two frames after each, and returns the number of drawn dots after each.
ZOOM = """
const [times, done] = arguments;
const canvas = document.querySelector('.scatter');
const frame = () => new Promise(requestAnimationFrame);
const begun = performance.now();
(async () => {
  const drawn = [];
  for (let i = 0; i < times; i++) {
    canvas.dataset.drawn = '';
    canvas.dispatchEvent(new KeyboardEvent('keydown', { key: '+' }));
    while (canvas.dataset.drawn === '') await frame();
    drawn.push(Number(canvas.dataset.drawn));
  }
  done([drawn, performance.now() - begun]);
})();
"""


def test_the_page_reads_100_000_dots_in_a_few_requests(browser: webdriver.Chrome) -> None:
    with game(str(TOTAL), program=CROWD) as crowd:
        crowd.call("pause")
        page = Page(browser, crowd)
        browser.execute_script(COUNTS, LAST)
        page.open("map?x=place.x&y=place.y&colour=person.age")
        page.until(lambda: page.text("#map-said") == "100,000 dots")
        page.until(lambda: browser.execute_script(DRAWN) == TOTAL)
        windows = browser.execute_script(WINDOWS)
        windows = windows[: windows.index(LAST) + 1]  # of the first pass
        made = windows.count(0) - 1  # requests while the list was being made
        assert windows == [0] * made + list(range(0, TOTAL, PACKED_WINDOW))
        assert browser.execute_script("return received") < TOTAL * BYTES_A_DOT
        # Zooming draws fewer dots, and reads none: the dots are only read again by the clock.
        before = len(browser.execute_script(WINDOWS))
        drawn, took_ms = browser.execute_async_script(ZOOM, 12)
        assert len(drawn) == 12 and drawn == sorted(drawn, reverse=True)
        assert drawn[-2] < TOTAL / 50
        after = browser.execute_script(WINDOWS)[before:]
        assert after.count(0) <= 1 + took_ms // READ_EVERY_MS
        assert complaints(browser) == []
        browser.get("about:blank")


SLICE = 20_000  # of runtime/serve/page/scatter.mjs
# Draws once more, and counts the tasks between which the page has run others.
SLICES = """
const [done] = arguments;
const canvas = document.querySelector('.scatter');
let tasks = 0;
canvas.dataset.drawn = '';
canvas.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home' }));
const channel = new MessageChannel();
channel.port1.onmessage = () => {
  if (canvas.dataset.drawn === '') {
    tasks = slices;
    channel.port2.postMessage(null);
  } else done(tasks);
};
let slices = 0;
const post = MessagePort.prototype.postMessage;
MessagePort.prototype.postMessage = function (...words) {
  if (this !== channel.port2) slices++;
  return post.apply(this, words);
};
channel.port2.postMessage(null);
"""


def test_a_large_map_is_drawn_in_slices(browser: webdriver.Chrome) -> None:
    """The page runs other tasks while it draws, and a drawing that has begun is finished."""
    with game(str(TOTAL), program=CROWD) as crowd:
        crowd.call("pause")
        page = Page(browser, crowd)
        page.open("map?x=place.x&y=place.y")
        page.until(lambda: page.text("#map-said") == "100,000 dots")
        page.until(lambda: browser.execute_script(DRAWN) == TOTAL)
        # A drawing that has begun before may end first, so that fewer slices are seen.
        expected = TOTAL // SLICE - 1
        page.until(lambda: browser.execute_async_script(SLICES) == expected)
        browser.get("about:blank")
