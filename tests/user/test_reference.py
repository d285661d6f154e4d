"""The reference pages list every key of the language, and name only diagnostics that exist."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from command import CommandLine
from installed import ROOT
from model.scalars import NUMBER_TYPES
from parse.keys import FIELD, FILE, QUIET, SECTIONS, Form, Key, Keys, Listed, Named

PAGE = (ROOT / "schema/README.md").read_text(encoding="utf-8")
REFERENCE = ROOT / "schema/reference"
PAGES = {key.name: key.form for key in FILE.keys} | {"fields": Keys(FIELD)}

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
    """Returns the text below a heading of the second level, up to the next heading."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.M)
    found = re.search(rf"^## {heading}\n(.*?)(?=^##+ |\Z)", text, re.DOTALL | re.MULTILINE)
    return found[1] if found else ""


def rows(text: str) -> list[list[str]]:
    """Returns the cells of tables, without heads and rulers."""
    lines = re.findall(r"^\| .*\|$", text, re.MULTILINE)
    cells = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    return [row for row in cells if row[0].startswith(("`", "[`"))]


def codes(cell: str) -> list[str]:
    return re.findall(r"`([^`]+)`", cell)


def page_of(section: str) -> Path:
    return REFERENCE / f"{section}.md"


@pytest.mark.parametrize("section", PAGES)
def test_a_page_lists_all_keys_of_its_section(section: str) -> None:
    """A row names a key, or several. A key inside another one has a row of its own, `lookup.read`,
    or stands in the type of that one, `{ read, write }`."""
    listed: set[KeyPath] = set()
    for row in rows(part(page_of(section), "Keys")):
        names = [tuple(name.split(".")) for name in codes(row[0])]
        inside = [word for code in codes(row[1]) for word in re.findall(r"[a-z_]+", code)]
        listed |= {*names, *((*name, word) for name in names for word in inside)}
    known = {path for path, _ in keys_of(PAGES[section])} or {(section,)}
    assert sorted(known - listed) == [], "keys without a row in '## Keys'"
    assert {path[0] for path in listed} == {path[0] for path in known}


@pytest.mark.parametrize("section", PAGES)
def test_a_page_tells_which_keys_are_required(section: str) -> None:
    table = rows(part(page_of(section), "Keys"))
    told = {name for row in table for name in codes(row[0]) if "required" in row[1:]}
    required = {path for path, key in keys_of(PAGES[section]) if key.required}
    assert {name for name in told if "." not in name} == {
        path[0] for path in required if len(path) == 1
    }


def test_fields_have_all_types() -> None:
    told = re.findall(r"`([a-z]+[0-9]*)`", part(REFERENCE / "fields.md", "Types"))
    assert set(NUMBER_TYPES) | {"entity", "rng"} <= set(told)


def test_all_warnings_that_can_be_silenced_are_listed() -> None:
    """A row has an id, and the kinds of declarations that it is about."""
    table = rows(part(REFERENCE / "quiet.md", "Warnings"))
    told = {(id, kind) for row in table for id in codes(row[0]) for kind in codes(row[1])}
    known = {(key.name, kind) for kind, ids in QUIET.items() for key in ids}
    assert known == told


def ids() -> set[str]:
    """Returns the ids of all diagnostics: the strings of this form in the generator."""
    modules = (ROOT / "codegen").rglob("*.py")
    text = "\n".join(path.read_text(encoding="utf-8") for path in modules)
    return set(re.findall(r'"([a-z0-9]+(?:-[a-z0-9]+)+)"', text))


@pytest.mark.parametrize("page", sorted(REFERENCE.glob("*.md")), ids=lambda page: page.stem)
def test_errors_of_a_page_exist(page: Path) -> None:
    told = {id for row in rows(part(page, "Errors")) for id in codes(row[0]) if "-" in id}
    assert not told - ids()


def test_the_list_of_sections_leads_to_every_page() -> None:
    listed = set(re.findall(r"\]\(reference/([\w-]+)\.md\)", PAGE))
    assert {section.name for section in SECTIONS} <= listed
    assert {page.stem for page in REFERENCE.glob("*.md")} <= listed


def test_the_first_schema_passes_check(tmp_path: Path) -> None:
    [schema] = re.findall(r"^```toml\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
    (tmp_path / "burrow.toml").write_text(schema, encoding="utf-8")
    done = CommandLine().run("check", "burrow.toml", "--strict", cwd=tmp_path)
    assert done.code == 0, done.err
