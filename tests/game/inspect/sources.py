"""Lines of the game's sources: found by calls, and shown on the page as links to an editor.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from selenium import webdriver

from browser import PHONE, complaints
from built import ROOT
from inspector import INSPECT, PAUSED, Game, game, wait_until
from inspector_page import Page

SOURCES = "tests/game:schema"
EDITOR = "vscode://file{path}:{line}"


def sources_of(colony: Game) -> Any:
    found: list[Any] = []

    def is_read() -> bool:
        found[:] = [colony.call("sources")]
        return found[0] is None or found[0]["making"] is None

    wait_until(is_read)
    return found[0]


def systems_in(colony: Game, answer: Any) -> dict[str, list[tuple[str, int]]]:
    """Returns the file and line of each definition of each system that has one."""
    names = [one["name"] for one in colony.call("schema")["systems"]]
    places = [[(answer["files"][file]["name"], line) for file, line in some]
              for some in answer["systems"]]  # fmt: skip
    return {name: some for name, some in zip(names, places, strict=True) if some}


def read_in(folder: Path | str, *options: str) -> tuple[Any, dict[str, list[tuple[str, int]]]]:
    """Returns the sources of a colony whose sources are in a folder, and the lines of systems."""
    with game(*PAUSED, "--source", str(folder), *options) as colony:
        answer = sources_of(colony)
        return answer, systems_in(colony, answer)


def line_of(file: str, words: str) -> int:
    lines = (ROOT / file).read_text(encoding="utf-8").splitlines()
    (line,) = (i for i, one in enumerate(lines, 1) if words in one)
    return line


# ---- calls


def test_each_system_of_the_colony_is_found() -> None:
    with game(*PAUSED, "--source", SOURCES, "--editor", EDITOR) as colony:
        answer = sources_of(colony)
        schema = colony.call("schema")
        places = systems_in(colony, answer)
        assert answer["editor"] == EDITOR and answer["problems"] == []
        assert places.keys() == {one["name"] for one in schema["systems"]}
        for name, ((file, line),) in places.items():
            words = (ROOT / file).read_text(encoding="utf-8").splitlines()[line - 1]
            assert f"colony_{name}(const colony_{name}_ctx" in words
        paths = {Path(one["path"]) for one in answer["files"]}
        assert paths == {(ROOT / one["name"]).resolve() for one in answer["files"]}
        declared = {(kind, name): (answer["files"][file]["name"], line)
                    for kind, name, file, line in answer["declared"]}  # fmt: skip
        components = {one["name"] for one in schema["components"]}
        components.remove("hamlet_parts")  # the generator makes it from a prefab
        for name in components:
            file, line = declared["component", name]
            words = (ROOT / file).read_text(encoding="utf-8").splitlines()[line - 1]
            assert words.startswith(f"[component.{name}]")
        assert ("system", "walk") not in declared  # of burrow.toml, another world


def test_only_the_paths_and_lines_of_sources_are_sent(tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("int secret;\nvoid colony_eat(int confidential)\n{\n}\n")
    (tmp_path / "a.toml").write_text("[component.hidden]\ndoc = 'confidential'\n")
    answer, places = read_in(tmp_path)
    assert places == {"eat": [(f"{tmp_path}/a.c", 2)]}
    assert not re.search("secret|confidential", str(answer))


def test_several_definitions_and_none(tmp_path: Path) -> None:
    body = "void colony_eat(void)\n{\n}\n"
    (tmp_path / "b").mkdir()
    (tmp_path / "b/one.cpp").write_text(f"\n{body}")
    (tmp_path / "a.c").write_text(f"#ifdef SLOW\n{body}#else\n{body}#endif\n")
    (tmp_path / "notes.txt").write_text(body)
    (tmp_path / ".hidden.c").write_text(body)
    answer, places = read_in(tmp_path)
    eats = [(f"{tmp_path}/a.c", 2), (f"{tmp_path}/a.c", 6), (f"{tmp_path}/b/one.cpp", 2)]
    assert places == {"eat": eats} and answer["read"] == 2
    assert read_in(f"{tmp_path}:{tmp_path}/b")[1] == places  # no file is read twice


def test_links_and_special_files_are_not_followed(tmp_path: Path) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    outside.mkdir()
    inside.mkdir()
    (outside / "a.c").write_text("void colony_eat(void)\n{\n}\n")
    (inside / "linked").symlink_to(outside)
    (inside / "linked.c").symlink_to(outside / "a.c")
    (inside / "loop").symlink_to(inside)
    os.mkfifo(inside / "pipe.c")
    answer, places = read_in(inside)
    assert places == {} and answer["read"] == 0


@pytest.mark.parametrize(
    "text",
    [b"", b"\0" * 5000, b"\xff\xfe{(" * 1000, b"{" * 100_000, b"#if 1\n" * 10_000, b'"' * 99_999,
     b"colony_eat(" * 10_000, b"[component." * 9_000, b"R\"(" * 999, b"/*", b"'''"],
    ids=lambda text: f"{text[:9]!r}",
)  # fmt: skip
def test_odd_files_are_harmless(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "a.c").write_bytes(text)
    (tmp_path / "a.toml").write_bytes(text)
    (tmp_path / "b.c").write_text("void colony_eat(void) {}\n")
    answer, places = read_in(tmp_path)
    assert places["eat"] == [(f"{tmp_path}/b.c", 1)] and answer["read"] == 3


def test_more_than_the_limits_is_left_off(tmp_path: Path) -> None:
    (tmp_path / "long.c").write_text(" " * (1 << 20) + "void colony_eat(void) {}\n")
    deep = tmp_path.joinpath(*["d"] * 18)
    deep.mkdir(parents=True)
    (deep / "a.c").write_text("void colony_eat(void) {}\n")
    answer, places = read_in(tmp_path)
    assert places == {} and answer["left_off"] == 1 and answer["read"] == 0
    for i in range(4100):
        (tmp_path / f"{i}.h").touch()
    answer, _ = read_in(tmp_path)
    assert answer["read"] + answer["left_off"] == 4101 and answer["left_off"] >= 5


def test_wrong_options_are_named(tmp_path: Path) -> None:
    answer, places = read_in(f"{tmp_path}/none:{tmp_path}")
    assert places == {} and answer["problems"] == [f"{tmp_path}/none: No such file or directory"]
    for editor, why in [
        ("javascript:alert('{path}')", "would run a script"),
        ("JavaScript:{path}", "would run a script"),
        ("data:text/html,{path}", "would run a script"),
        ("{path}", "has no scheme"),
        ("vscode://file", "lacks {path}"),
    ]:
        answer, _ = read_in(tmp_path, "--editor", editor)
        assert answer["editor"] is None
        assert answer["problems"] == [f"the editor's address '{editor}' {why}"]


def test_without_the_option_nothing_is_known() -> None:
    with game(*PAUSED) as colony:
        assert colony.call("sources") is None


# ---- the page


@pytest.fixture(params=[EDITOR, None], ids=["editor", "copies"])
def page(browser: webdriver.Chrome, request: pytest.FixtureRequest) -> Iterator[Page]:
    editor = ["--editor", request.param] if request.param else []
    options = (*PAUSED, "--watch", "--source", SOURCES, *editor)
    with game(*options, program=INSPECT) as colony:
        page = Page(browser, colony)
        yield page
        assert complaints(browser) == []
        browser.get("about:blank")


# Finds a link by its text. Returns its address, or clicks it if it is a button, which copies.
USE = """
navigator.clipboard.writeText = async (text) => { window.copied = text; };
const links = [...document.querySelectorAll(arguments[0])];
const link = links.find((one) => one.innerText === arguments[1]);
if (!link || link.href) return link?.getAttribute('href') ?? '';
link.click();
return 'copies';
"""
COPIED = "return window.copied"


def assert_leads_to(page: Page, where: str, file: str, words: str) -> None:
    """Asserts that the first link in an element opens a line in the editor, or copies it."""
    line = line_of(file, words)
    path = str(ROOT / file)
    selector = ", ".join(f"{where} {part} > .mono" for part in (".source", "td", "dd"))
    used = lambda: page.browser.execute_script(USE, selector, f"{Path(file).name}:{line}")  # noqa: E731
    found: list[str] = []
    page.until(lambda: found.extend([one for one in [used()] if one]) or found)
    if found[0] == "copies":
        page.until(lambda: page.browser.execute_script(COPIED) == f"{path}:{line}")
        page.until(lambda: f"copied {path}:{line}" in page.text("#toasts"))
    else:
        assert found[0] == f"vscode://file{quote(path)}:{line}"


DELIVER = ("tests/game/work.c", "void colony_deliver(")
HUNGRY = ("tests/game/needs.c", "void colony_get_hungry(")


def test_a_system_leads_to_its_line(page: Page) -> None:
    page.open("systems/deliver")
    assert_leads_to(page, "#detail", *DELIVER)
    assert_leads_to(page, "#detail", "schema/colony.toml", "[system.deliver]")
    page.open("schema")
    assert_leads_to(page, "#components-needs", "schema/colony.toml", "[component.needs]")


def test_writers_and_stops_lead_to_the_lines_of_systems(page: Page) -> None:
    page.open("stops")
    page.colony.call("stop_at", when="needs.hunger changes")
    page.colony.step(2)
    assert_leads_to(page, "#stopped", *HUNGRY)
    assert_leads_to(page, "#stops", *HUNGRY)
    one = page.colony.call("entities", where="needs")["rows"][0]["id"]
    page.open(f"entity/{one}?writers=needs")
    assert_leads_to(page, "#component-needs .writes", *HUNGRY)


def test_turns_of_the_timeline_lead_to_the_lines_of_systems(page: Page) -> None:
    page.open("timeline")
    page.one("#record").click()
    assert_leads_to(page, "#timeline-turns", *DELIVER)


def test_a_phone_has_space_for_the_links(page: Page) -> None:
    page.resize(*PHONE)
    try:
        page.open("systems/deliver")
        assert_leads_to(page, "#detail", *DELIVER)
        wide = "return document.documentElement.scrollWidth <= innerWidth"
        assert page.browser.execute_script(wide)
    finally:
        page.own_size()


def test_a_system_without_a_definition(browser: webdriver.Chrome, tmp_path: Path) -> None:
    (tmp_path / "a.c").write_text("SYSTEM(eat)\n{\n}\n")
    with game(*PAUSED, "--source", str(tmp_path), program=INSPECT) as colony:
        page = Page(browser, colony)
        page.open("systems/eat")
        page.until(lambda: "no definition of colony_eat is in the 1 files" in page.text("#detail"))
        browser.get("about:blank")


def test_without_sources_the_page_shows_nothing_of_them(browser: webdriver.Chrome) -> None:
    with game(*PAUSED, program=INSPECT) as colony:
        page = Page(browser, colony)
        page.open("systems/eat")
        page.until(lambda: "waits for" in page.text("#detail"))
        assert "source" not in page.text("#detail")
        browser.get("about:blank")
