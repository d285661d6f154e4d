"""The pages name only files, headings and targets that exist, and each folder has its page."""

from __future__ import annotations

import re
from collections import Counter
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
NOT_OURS = {".git", ".venv", "build", ".hypothesis"}
README = (ROOT / "README.md").read_text(encoding="utf-8")

PAGES = sorted(
    path.as_posix()
    for path in (found.relative_to(ROOT) for found in ROOT.rglob("*.md"))
    if path.parts[0] not in NOT_OURS
)
TESTS = ROOT / "tests"
SYSTEMS = (TESTS / "SYSTEMS.md").read_text(encoding="utf-8")
# | F1 | what | where | [test_lab](runtime/world/test_lab.c) |
SEED_ROWS = re.findall(r"^\| ([A-Z]\d+) \|.*\| (.*) \|$", SYSTEMS, re.MULTILINE)

# The folders of tests/ that are made of further folders, each with a page of its own.
FOLDERS = ("language", "output", "runtime", "saves")


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", text)
    inside = [target for target in targets if "://" not in target]
    folder = (ROOT / page).parent
    assert [target for target in inside if not (folder / target).exists()] == []


@cache
def headings(page: Path) -> set[str]:
    """Returns the anchors that GitHub gives to the headings of a page."""
    found: Counter[str] = Counter()
    for text in re.findall(r"^#+ (.*)$", without_code(page), re.MULTILINE):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text).strip().lower()
        anchor = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        found[anchor] += 1
    repeated = {f"{one}-{n}" for one, times in found.items() for n in range(1, times)}
    return found.keys() | repeated


def without_code(page: Path) -> str:
    text = page.read_text(encoding="utf-8")
    return re.sub(r"^```.*?^```[ \t]*$", "", text, flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_links_to_headings_lead_to_one(page: str) -> None:
    links = re.findall(r"\]\(([^)#\s]*)#([^)\s]+)\)", without_code(ROOT / page))
    targets = [((ROOT / page).parent / path if path else ROOT / page, to) for path, to in links]
    pages = [(target, to) for target, to in targets if target.suffix == ".md" and target.exists()]
    assert [to for target, to in pages if to not in headings(target.resolve())] == []


PAGE_LINES = 120  # a page of a folder is read in one go


@pytest.mark.parametrize("page", [page for page in PAGES if page.endswith("README.md")])
def test_a_page_of_a_folder_is_short(page: str) -> None:
    lines = (ROOT / page).read_text(encoding="utf-8").splitlines()
    assert len(lines) <= PAGE_LINES


@pytest.mark.parametrize("folder", ["schema", "codegen", "generated", "runtime", "tests"])
def test_readme_leads_to_every_folder_and_each_has_a_page(folder: str) -> None:
    assert (ROOT / folder / "README.md").exists()
    assert f"]({folder})" in README


@pytest.mark.parametrize(
    "folder", [TESTS, *(TESTS / name for name in FOLDERS)], ids=lambda f: f.name
)
def test_every_folder_of_tests_is_in_the_list(folder: Path) -> None:
    page = (folder / "README.md").read_text(encoding="utf-8")
    folders = {path.parent.name for path in folder.glob("*/README.md")}
    assert folders == {path.name for path in folder.iterdir() if path.is_dir()} - {"__pycache__"}
    assert folders == set(re.findall(r"^\| \[(\w+)\]\(\1\) \|", page, re.MULTILINE))


@pytest.mark.parametrize("page", [page for page in PAGES if page.startswith("tests/")])
def test_a_page_that_lists_tests_has_all_of_its_folder(page: str) -> None:
    """A page may name many at once, as `test_*.c`; one that names none keeps no list."""
    text = (ROOT / page).read_text(encoding="utf-8")
    names = re.findall(r"[`[](test_[\w*]+\.\w+)[`\]]", text)
    tests = {path.name for path in (ROOT / page).parent.glob("test_*.*")}
    unnamed = {test for test in tests if not any(fnmatch(test, name) for name in names)}
    assert unnamed in (set(), tests), sorted(unnamed)


def test_every_module_that_tests_share_is_in_the_list() -> None:
    page = (TESTS / "support/README.md").read_text(encoding="utf-8")
    first_cells = " ".join(re.findall(r"^\| ([^|]+) \|", page, re.MULTILINE))
    paths = {path for path in (TESTS / "support").iterdir() if path.suffix != ".md"}
    modules = {path.stem if path.suffix == ".py" else path.name for path in paths}
    assert modules - {"__pycache__"} == set(re.findall(r"`([\w.]+)`", first_cells))


@pytest.mark.parametrize("folder", ["codegen", "codegen/plan", "codegen/schedule"])
def test_every_module_of_the_generator_is_in_the_list(folder: str) -> None:
    page = (ROOT / folder / "README.md").read_text(encoding="utf-8")
    first_cells = " ".join(re.findall(r"^\| ([^|]+) \|", page, re.MULTILINE))
    named = {
        name.removesuffix(".py") for name in re.findall(r"[`[](\w+(?:\.py)?)[`\]]", first_cells)
    }
    modules = {path.stem for path in (ROOT / folder).glob("*.py")} - {"__init__"}
    packages = {path.parent.name for path in (ROOT / folder).glob("*/__init__.py")}
    assert (modules | packages) - named == set()


def test_every_build_of_the_tests_is_in_the_list() -> None:
    page = (TESTS / "README.md").read_text(encoding="utf-8")
    ninja = (TESTS / "build.ninja").read_text(encoding="utf-8")
    builds = re.findall(r"^variant = (\w+)$", ninja, re.MULTILINE)
    assert builds == re.findall(r"^\| `build/(\w+)` \|", page, re.MULTILINE)


@pytest.mark.parametrize(("row", "tests"), SEED_ROWS, ids=[row for row, _ in SEED_ROWS])
def test_every_row_of_what_weft_grew_from_has_its_test(row: str, tests: str) -> None:
    files = re.findall(r"\]\(([^)]+)\)", tests)
    assert files
    for file in files:
        text = (TESTS / file).read_text(encoding="utf-8")
        assert re.search(rf"\b(test_)?seed_{row}_\w+\(", text), f"{file}: no {row}"


# Pages with blocks that a reader copies. Each block has a name after its fence, which tests use.
RECIPES = ("README.md", "schema/GUIDE.md", "runtime/BUILDS.md", "runtime/LANGUAGES.md")


@pytest.mark.parametrize("page", RECIPES)
def test_every_block_of_a_recipe_is_run_by_a_test(page: str) -> None:
    lines = (ROOT / page).read_text(encoding="utf-8").splitlines()
    fences = [line.removeprefix("```") for line in lines if line.startswith("```")][::2]
    texts = [path.read_text(encoding="utf-8") for path in TESTS.glob("*/*.py")]
    users = [text for text in texts if "def block(" in text or "import ROOT, Folder" in text]
    strings = {string for text in users for string in re.findall(r'"([^"\n]*)"', text)}
    if page == "README.md":
        fences.remove("")  # ninja play and ninja test, which .ci/run takes from there
    assert [head for head in fences if not strings & {head, head.split(" ")[-1]} - {""}] == []


def test_the_first_block_is_two_commands() -> None:
    blocks = re.findall(r"^```.*\n((?:.*\n)*?)```$", README, re.MULTILINE)
    assert blocks[0] == ".ci/install && ninja play\nninja test\n"
