"""The search of the site finds the page of each schema key, diagnostic, call and command first."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator

import pytest
from selenium.webdriver import Chrome

from browser import DESKTOP, PHONE, chromium, wait_until
from commands.options import make_parser
from commands.parser import commands_below
from installed import ROOT
from parse.keys import SECTIONS, WORLD, tables

pytestmark = pytest.mark.xdist_group("site")  # so that one worker builds it, once

SITE = ROOT / "build/site"
REFERENCE = "schema/reference"
# Returns the first page that the site's search finds for each word, best first.
SEARCH = """
const [words, done] = arguments;
done(words.map((word) => {
  const found = Search._performSearch(...Search._parseQuery(word));
  return found.length ? found[found.length - 1][0] : "";
}));
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Chrome]:
    done = subprocess.run(["ninja", "site"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    with chromium() as one:
        one.get(f"file://{SITE}/search.html?q=despawn")
        wait_until(one, lambda: "Search finished" in one.page_source)
        yield one


def first(browser: Chrome, words: list[str]) -> dict[str, str]:
    return dict(zip(words, browser.execute_async_script(SEARCH, words), strict=True))


def keys() -> Iterator[tuple[str, str]]:
    """Returns each key with the words that the name of its page may begin with."""
    for section in SECTIONS:
        for table in tables(section.form):
            for key in table.keys:
                yield section.name, key.name
    for key in WORLD:
        yield "world", key.name


def test_keys_are_found_on_a_page_of_the_reference(browser: Chrome) -> None:
    found = first(browser, sorted({key for _, key in keys()}))
    wrong = {key: page for key, page in found.items() if not page.startswith(REFERENCE)}
    assert wrong == {}


def test_sections_are_found_on_their_page(browser: Chrome) -> None:
    names = ["world", *(section.name for section in SECTIONS)]
    found = first(browser, names)
    assert {name: page for name, page in found.items() if page != f"{REFERENCE}/{name}"} == {}


def test_diagnostics_are_found_on_the_page_of_errors(browser: Chrome) -> None:
    page = (ROOT / REFERENCE / "errors.md").read_text(encoding="utf-8")
    # The words of `world-name` are the title of another page, which is found first.
    ids = sorted(set(re.findall(r"`([a-z0-9]+(?:-[a-z0-9]+)+)`", page)) - {"world-name"})
    assert len(ids) > 150
    found = first(browser, ids)
    assert {name: page for name, page in found.items() if page != f"{REFERENCE}/errors"} == {}


def test_calls_of_the_headers_are_found_on_the_page_of_the_header(browser: Chrome) -> None:
    wanted = {}
    for header in sorted((ROOT / "runtime").glob("weft*.h")):
        if header.name == "weft_gen.h":
            continue
        text = header.read_text(encoding="utf-8")
        page = f"{REFERENCE}/{header.name.replace('.', '-').replace('_', '-')}"
        wanted |= dict.fromkeys(re.findall(r"^(?!static|#)[\w *]*\b(weft_\w+)\(", text, re.M), page)
    found = first(browser, list(wanted))
    assert {name: page for name, page in found.items() if page != wanted[name]} == {}


def test_commands_are_found_on_the_page_of_commands(browser: Chrome) -> None:
    names = [name for name, _ in commands_below(make_parser("weft")) if " " not in name]
    found = first(browser, names)
    assert {
        name: page
        for name, page in found.items()
        if page != "codegen/COMMANDS" and page != f"{REFERENCE}/{name}"
    } == {}


WORDS = (
    "deterministic", "lockstep", "untrusted", "corrupt", "allocator", "migrate", "global",
    "error code", "data race", "hot reload", "pointer",
)  # fmt: skip


def test_words_that_people_search_for_lead_to_a_page_for_users(browser: Chrome) -> None:
    found = first(browser, list(WORDS))
    assert {
        word: page
        for word, page in found.items()
        if not page.startswith(("schema/", "runtime/weft", "runtime/save/SAVES"))
    } == {}


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_no_page_is_wider_than_its_window(browser: Chrome, size: tuple[int, int]) -> None:
    browser.set_window_size(*size)
    wide = []
    for path in sorted(SITE.rglob("schema/**/*.html")):
        browser.get(f"file://{path}")
        width = browser.execute_script("return document.documentElement.scrollWidth - innerWidth")
        if width > 0:
            wide.append((path.relative_to(SITE).as_posix(), width))
    assert wide == []
