"""A port and a token that stay, and what a page does when the game ends and starts again there.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

import os
import re
import socket
import stat
import subprocess
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.support.ui import Select

from browser import complaints, wait_until
from built import built
from inspector import INSPECT, PATIENCE_SECONDS, PAUSED, SANITIZED, game
from inspector_page import Page

PROGRAM = str(built(SANITIZED))


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def refusal(*options: str) -> str:
    """Returns what the game says when it does not start."""
    done = subprocess.run(
        [PROGRAM, *PAUSED, *options],
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert done.returncode != 0 and done.stdout == ""
    return done.stderr


# ---- the program


def test_the_address_stays(tmp_path: Path) -> None:
    file, port = tmp_path / "token", free_port()
    always = (*PAUSED, "--port", str(port), "--token-file", str(file))
    with game(*always) as first:
        assert first.port == port
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert file.read_text() == f"{first.token}\n" and re.fullmatch("[0-9a-f]{32}", first.token)
    with game(*always) as second:
        assert second.url == first.url
        assert second.call("stats")["started"] > 0
    with game(*PAUSED) as other:
        assert other.token != first.token


def test_a_port_in_use_is_an_error(tmp_path: Path) -> None:
    with game(*PAUSED) as running:
        words = refusal("--port", str(running.port), "--token-file", str(tmp_path / "token"))
        assert f"port {running.port} is in use: another program listens there" in words
        assert running.call("stats")["paused"]
    assert "'0x50' is not a port" in refusal("--port", "0x50")
    assert "'65536' is not a port" in refusal("--port", "65536")


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o602, 0o644, 0o660])
def test_a_file_that_others_can_read_or_write_is_refused(tmp_path: Path, mode: int) -> None:
    file = tmp_path / "token"
    file.write_text("0" * 32 + "\n")
    file.chmod(mode)
    assert "can be read or written by others: use chmod 600" in refusal("--token-file", str(file))
    assert file.read_text() == "0" * 32 + "\n"
    file.chmod(0o600)
    with game(*PAUSED, "--token-file", str(file)) as running:
        assert running.token == "0" * 32


@pytest.mark.parametrize(
    "text", ["", "0" * 31, "0" * 33, "0" * 32 + "\n\n", "G" * 32, "0" * 31 + "\0"]
)
def test_a_file_without_a_token_is_refused_and_kept(tmp_path: Path, text: str) -> None:
    file = tmp_path / "token"
    file.write_text(text)
    file.chmod(0o600)
    assert "contains no token: remove it" in refusal("--token-file", str(file))
    assert file.read_text() == text


def test_no_file_is_followed_or_made_elsewhere(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_text("0" * 32 + "\n")
    target.chmod(0o600)
    link = tmp_path / "link"
    link.symlink_to(target)
    assert "is a link" in refusal("--token-file", str(link))
    dangling = tmp_path / "dangling"
    dangling.symlink_to(tmp_path / "nowhere")
    assert "is a link" in refusal("--token-file", str(dangling))
    assert not (tmp_path / "nowhere").exists()
    os.mkfifo(tmp_path / "pipe", 0o600)
    assert "is not a file" in refusal("--token-file", str(tmp_path / "pipe"))
    assert "is not a file" in refusal("--token-file", str(tmp_path))
    assert "No such file" in refusal("--token-file", str(tmp_path / "none" / "token"))


# ---- the page


def is_grey(page: Page) -> bool:
    return "grayscale" in str(
        page.browser.execute_script(
            "return getComputedStyle(document.getElementById('view')).filter"
        )
    )


def mark_view(page: Page) -> None:
    """Marks the open view, which the page replaces when the game answers again."""
    page.browser.execute_script("document.querySelector('#view > *').is_old = true")


def wait_for_new_view(page: Page) -> None:
    is_new = "return document.querySelector('#view > *')?.is_old === undefined"
    page.until(lambda: page.text("#lost") == "" and page.browser.execute_script(is_new))


def value_of(page: Page, selector: str) -> str:
    return str(page.one(selector).get_property("value"))


def test_a_page_outlives_the_game(browser: webdriver.Chrome, tmp_path: Path) -> None:
    """It says that the game has ended, and shows the next start with the same stops and filters."""
    always = ("--villagers", "60", "--port", str(free_port()), "--token-file", str(tmp_path / "t"))
    when = ("needs.hunger > 0.9 & worker", "event born", "calendar.day >= 900")
    where = "worker & needs.hunger >= 0"
    with game(*always, "--paused", program=INSPECT) as first:
        page = Page(browser, first)
        first.call("watch")
        for one in when:
            first.call("stop_at", when=one)
        first.call("stop_set", when=when[0], on=False)
        first.call("stop_set", when=when[1], skip=7)
        gone = first.call("spawn", prefab="bundle")["id"]
        first.call("stop_at", when=f"despawn of {gone}")
        page.find(where)
        page.until(lambda: page.text("#count") == "60 entities")
        edits = first.call("stats")["edits"]
        page.until(lambda: "60 entities" in page.text("#count") and edits)
        page.browser.execute_async_script("setTimeout(arguments[0], 1500)")  # it reads the stops
        assert not is_grey(page) and page.text("#lost") == ""
        mark_view(page)
    page.until(lambda: "The game has ended" in page.text("#lost"))
    assert is_grey(page) and len(page.ids()) > 0
    assert page.one("#time").get_property("inert")
    with game(*always, "--paused", program=INSPECT) as second:
        page.until(lambda: page.text("#lost") == "" and not is_grey(page))
        wait_for_new_view(page)
        page.until(lambda: page.text("#count") == "60 entities")
        assert value_of(page, "#filter") == where
        wait_until(browser, lambda: second.call("stats")["watched"])
        wait_until(browser, lambda: len(second.call("stops")) == len(when))
        state = lambda: {(one["when"], one["on"], one["skip"]) for one in second.call("stops")}  # noqa: E731
        kept = {(when[0], False, 0), (when[1], True, 7), (when[2], True, 0)}
        wait_until(browser, lambda: state() == kept)
        page.until(lambda: f"The stop at 'despawn of {gone}' is lost" in page.text(".toast"))
        assert not page.one("#time").get_property("inert")
        tick = second.call("stats")["tick"]
        page.one("#step").click()
        page.until(lambda: second.call("stats")["tick"] == tick + 1)
    complaints(browser)  # that there was no connection


def test_filters_of_the_open_view_stay(browser: webdriver.Chrome, tmp_path: Path) -> None:
    always = (*PAUSED, "--port", str(free_port()), "--token-file", str(tmp_path / "t"))
    with game(*always, program=INSPECT) as first:
        page = Page(browser, first)
        page.open("events")
        Select(page.one("#event")).select_by_value("born")
        mark_view(page)
    page.until(lambda: page.text("#lost") != "")
    with game(*always, program=INSPECT):
        wait_for_new_view(page)
        assert value_of(page, "#event") == "born"
        page.open("schema")
        page.one("input[type=search]").send_keys("starved")
        mark_view(page)
    page.until(lambda: page.text("#lost") != "")
    with game(*always, program=INSPECT):
        wait_for_new_view(page)
        assert value_of(page, "input[type=search]") == "starved"
        assert "0 is fed, 1 is starved" in page.text("#view")
    complaints(browser)


def test_another_token_is_no_next_start(browser: webdriver.Chrome, tmp_path: Path) -> None:
    port = str(free_port())
    with game(*PAUSED, "--port", port, program=INSPECT) as first:
        page = Page(browser, first)
    page.until(lambda: "with the same token" in page.text("#lost"))
    with game(*PAUSED, "--port", port, program=INSPECT):
        page.browser.execute_async_script("setTimeout(arguments[0], 2500)")
        assert is_grey(page) and page.text("#lost") != ""
    complaints(browser)
