"""The reference pages list every key of the language, and name only diagnostics that exist."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from installed import ROOT
from model.scalars import NUMBER_TYPES
from parse.keys import FIELD, FILE, QUIET, SECTIONS, Form, Key, Keys, Listed, Named

REFERENCE = ROOT / "schema/reference"
PAGES = {key.name: key.form for key in FILE.keys} | {"fields": Keys(FIELD)}
# Pages that are still written elsewhere. Remove each name when its page is here.
TO_COME = set("query listener index system world import component state input relation".split()) | {
    "prefab",
    "fields",
}

KeyPath = tuple[str, ...]


def keys_of(form: Form, above: KeyPath = ()) -> Iterator[tuple[KeyPath, Key]]:
    """Yields the keys of a section; keys of fields and of `quiet` have pages of their own."""
    if isinstance(form, Keys):
        for key in form.keys:
            path = (*above, key.name)
            yield path, key
            if key.name not in ("fields", "quiet"):
                yield from keys_of(key.form, path)
    if isinstance(form, Named | Listed):
        yield from keys_of(form.thing, above)


def part(page: Path, heading: str) -> str:
    """Returns the text below a heading of the second level."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.M)
    found = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, re.DOTALL | re.MULTILINE)
    return found[1] if found else ""


def rows(text: str) -> list[list[str]]:
    """Returns the cells of tables, without heads and rulers."""
    lines = re.findall(r"^\| .*\|$", text, re.MULTILINE)
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    return [row for row in cells if row[0].startswith("`")]


def page_of(section: str) -> Path:
    page = REFERENCE / f"{section}.md"
    if section in TO_COME and not page.exists():
        pytest.skip(f"{page.name} is to come")
    return page


@pytest.mark.parametrize("section", PAGES)
def test_a_page_lists_all_keys_of_its_section(section: str) -> None:
    """A key inside another is written with both, as `lookup.read` or `lookup = { read = … }`."""
    listed = [tuple(re.findall(r"[\w-]+", row[0])) for row in rows(part(page_of(section), "Keys"))]
    known = [path for path, _ in keys_of(PAGES[section])] or [(section,)]
    lacking = [path for path in known if not any(set(path) <= set(cell) for cell in listed)]
    assert not lacking, f"no row of '## Keys' has {lacking}"
    names = {path[0] for path in known}
    assert [cell for cell in listed if not cell or cell[0] not in names] == []


@pytest.mark.parametrize("section", PAGES)
def test_a_page_tells_which_keys_are_required(section: str) -> None:
    cells = {row[0].strip("`"): row[1:] for row in rows(part(page_of(section), "Keys"))}
    required = {path[0] for path, key in keys_of(PAGES[section]) if key.required and path[1:] == ()}
    told = {name for name, row in cells.items() if "required" in row and "." not in name}
    assert told == required


def test_fields_have_all_types() -> None:
    told = re.findall(r"`([a-z]+[0-9]*)`", part(REFERENCE / "fields.md", "Types"))
    assert set(NUMBER_TYPES) | {"entity", "rng"} <= set(told)


def test_all_warnings_that_can_be_silenced_are_listed() -> None:
    """A row has an id, and the kinds of declarations that it is about."""
    table = rows(part(REFERENCE / "quiet.md", "Warnings"))
    told = {(id, kind) for row in table for id in codes(row[0]) for kind in codes(row[1])}
    known = {(key.name, kind) for kind, ids in QUIET.items() for key in ids}
    assert known == told


def codes(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def ids() -> set[str]:
    """Returns the ids of all diagnostics: the strings of this form in the generator."""
    modules = (ROOT / "codegen").rglob("*.py")
    text = "\n".join(path.read_text(encoding="utf-8") for path in modules)
    return set(re.findall(r'"([a-z]+(?:-[a-z]+)+)"', text))


@pytest.mark.parametrize("page", sorted(REFERENCE.glob("*.md")), ids=lambda page: page.stem)
def test_errors_of_a_page_exist(page: Path) -> None:
    told = {id for row in rows(part(page, "Errors")) for id in codes(row[0]) if "-" in id}
    assert not told - ids()


def test_the_list_of_sections_leads_to_every_page() -> None:
    listed = set(re.findall(r"\]\(reference/(\w+)\.md\)", (ROOT / "schema/README.md").read_text()))
    assert {section.name for section in SECTIONS} - TO_COME <= listed
    assert {page.stem for page in REFERENCE.glob("*.md")} <= listed
