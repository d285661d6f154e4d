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
READ_EVERY_MS = 5000  # so many dots
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


# Keeps the requests of the page, and how many bytes it has received.
COUNTS = """
window.sent = []; window.received = 0;
const send = WebSocket.prototype.send;
WebSocket.prototype.send = function (text) {
  const { method, params } = JSON.parse(text);
  sent.push([method, params.offset ?? 0]);
  this.addEventListener('message', (event) => {
    received += event.data.length;
  }, { once: true });
  return send.call(this, text);
};
"""
WINDOWS = "return sent.filter(([method]) => method === 'map').map(([, offset]) => offset)"
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
        browser.execute_script(COUNTS)
        page.open("map?x=place.x&y=place.y&colour=person.age")
        page.until(lambda: page.text("#map-said") == "100,000 dots")
        page.until(lambda: browser.execute_script(DRAWN) == TOTAL)
        windows = browser.execute_script(WINDOWS)
        passes = windows.count(0)  # a list that is being made is requested again
        assert windows[: passes - 1] == [0] * (passes - 1)
        assert windows[passes - 1 :] == list(range(0, TOTAL, PACKED_WINDOW))
        assert browser.execute_script("return received") < TOTAL * BYTES_A_DOT
        # Zooming draws fewer dots, and reads none: the dots are only read again by the clock.
        before = len(browser.execute_script(WINDOWS))
        drawn, took_ms = browser.execute_async_script(ZOOM, 20)
        assert len(drawn) == 20 and drawn == sorted(drawn, reverse=True)
        assert drawn[0] < TOTAL and drawn[-1] < 100
        after = browser.execute_script(WINDOWS)[before:]
        assert after.count(0) <= 1 + took_ms // READ_EVERY_MS
        assert complaints(browser) == []
        browser.get("about:blank")


def test_a_large_map_is_drawn_in_slices(browser: webdriver.Chrome) -> None:
    """The page runs other tasks while it draws, and a drawing that has begun is finished."""
    with game(str(TOTAL), program=CROWD) as crowd:
        crowd.call("pause")
        page = Page(browser, crowd)
        page.open("map?x=place.x&y=place.y")
        page.until(lambda: page.text("#map-said") == "100,000 dots")
        page.until(lambda: browser.execute_script(DRAWN) == TOTAL)
        tasks = browser.execute_async_script("""
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
        """)
        assert tasks == TOTAL // 20_000 - 1
        browser.get("about:blank")
