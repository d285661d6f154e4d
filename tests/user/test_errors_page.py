"""The page of errors contains every id of the generator, every status, and the current text of
`check`.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from built import ROOT
from command import CommandLine
from diagnostics import lint_ids, printed, rule_ids

PAGE = ROOT / "schema/reference/errors.md"
PART = re.compile(r"(^## Diagnostics of `check`\n.*?\n)(?=### )(.*?)(?=^## )", re.M | re.S)
ENTRY = re.compile(r"^### `([\w-]+)`\n\n(.*?)(?=^```text|^### |\Z)", re.M | re.S)
# Warnings about `quiet` itself: those of a schema that has no other are printed by this one.
SILENT = """[world]
name = "attic"

[component.box]
quiet = {{ never-read = "{}" }}
"""
ABOUT_SILENCE = {"quiet-nothing": ("drawn", "where = 'box'"), "quiet-reason": (" ", "where = ''")}


def causes() -> dict[str, str]:
    """Returns the sentences of each id, which are written by hand."""
    found = PART.search(PAGE.read_text(encoding="utf-8"))
    assert found
    return {id: text.strip() for id, text in ENTRY.findall(found[2])}


def shown(id: str, folder: Path) -> str:
    """Returns what `check` prints for an id."""
    text = printed(id)
    if text is None:
        missing = (
            f"no bad schema prints {id}: add tests/language/bad/{id}.toml, --update test_bad.py"
        )
        assert id in ABOUT_SILENCE, missing
        reason, query = ABOUT_SILENCE[id]
        tables = f"[query.boxes]\n{query}\n" if "box" in query else ""
        (folder / f"{id}.toml").write_text(SILENT.format(reason) + tables, encoding="utf-8")
        done = CommandLine().run("check", f"{id}.toml", cwd=folder)
        [text] = [one for one in done.err.split(f"\n{id}.toml:") if f"[{id}]" in one]
        text = text if text.startswith(id) else f"{id}.toml:{text}"
    return text.rstrip()


def written(ids: set[str], folder: Path) -> str:
    known = causes()
    entries = (
        f"### `{id}`\n\n{known.get(id, 'TO BE WRITTEN')}\n\n```text\n{shown(id, folder)}\n```\n\n"
        for id in sorted(ids)
    )
    return "".join(entries)


def test_the_page_has_every_id_with_what_check_prints(tmp_path: Path, update: bool) -> None:
    ids = rule_ids() | lint_ids()
    text = PAGE.read_text(encoding="utf-8")
    page = PART.sub(lambda found: found[1] + written(ids, tmp_path), text)
    if update:
        PAGE.write_text(page, encoding="utf-8")
    assert page == PAGE.read_text(encoding="utf-8")


def test_every_id_has_a_cause_in_plain_words() -> None:
    known = causes()
    bare = [id for id, cause in known.items() if len(cause) < 20 or "TO BE" in cause]
    assert bare == [], f"write the causes of these ids in {PAGE.relative_to(ROOT)}"


@pytest.mark.parametrize(
    ("heading", "enum"), [("Statuses", "weft_status"), ("Reasons", "weft_reason")]
)
def test_every_value_of_an_enum_is_in_the_page(heading: str, enum: str) -> None:
    header = (ROOT / "runtime/weft.h").read_text(encoding="utf-8")
    body = header.split(f"typedef enum {enum} {{")[1].split("}")[0]
    values = re.findall(r"^ {4}(WEFT_\w+)", body, re.MULTILINE)
    page = PAGE.read_text(encoding="utf-8")
    part = page.split(f"\n## {heading}")[1].split("\n## ")[0]
    assert re.findall(r"^\| `(WEFT_\w+)`", part, re.MULTILINE) == values


def test_messages_of_the_page_are_those_of_the_runtime() -> None:
    """A message is cut at names in quotes and at `…`; each piece stands in a source file."""
    rooms = "copy", "edit", "fragment", "index", "part", "query", "record", "run", "save", "world"
    files = [path for room in rooms for path in (ROOT / "runtime" / room).glob("*.[ch]")]
    text = "".join(path.read_text(encoding="utf-8") for path in files)
    text = re.sub(r'"\s*"|" PRIu\d+\s*"', "", text)
    part = PAGE.read_text(encoding="utf-8").split("## Messages of `burrow_error`")[1]
    rows = re.findall(r"^\| (`.*?`) \|", part.split("\n## ")[0], re.MULTILINE)
    messages = [message for row in rows for message in re.findall(r"`([^`]+)`", row)]
    pieces = {piece for one in messages for piece in re.split(r"…|'\w+'", one)}
    assert len(messages) > 30
    assert [piece for piece in sorted(pieces) if piece.strip() not in text] == []
