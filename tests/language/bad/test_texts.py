"""A text for readers that is too long is reported, wherever it stands.

The tables of keys list the places where a schema takes such a text.
"""

from __future__ import annotations

import copy
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from check import check
from check.texts import MAX_DOC_BYTES
from parse import parse
from parse.keys import FIELD, FILE, PARTIAL_FIELD, Keys, Named, tables
from source.source import Report
from toml_text import toml

ROOT = Path(__file__).parents[3]
EVERYTHING = tomllib.loads((ROOT / "tests/output/golden/any_name.toml").read_text(encoding="utf-8"))
TEXTS = ("doc", "unit")


def places() -> Iterator[tuple[str, ...]]:
    """Yields the path to each text of one declaration of each kind, and of one field."""
    for section in FILE.keys:
        if isinstance(section.form, Keys):
            yield from ((section.name, key.name) for key in section.form.keys if key.name in TEXTS)
        if not isinstance(section.form, Named):
            continue
        name = next(iter(EVERYTHING[section.name]))
        for table in tables(section.form):
            inside: tuple[str, ...] = ()
            if table.keys == FIELD:
                inside = ("fields", next(iter(EVERYTHING[section.name][name].get("fields", {}))))
            elif table.keys == PARTIAL_FIELD:
                continue  # these are fields with fewer keys
            for key in table.keys:
                if key.name in TEXTS:
                    yield (section.name, name, *inside, key.name)


def test_there_are_places() -> None:
    found = set(places())
    assert ("world", "doc") in found
    assert ("component", "p_aos", "fields", "a", "unit") in found
    assert {path[0] for path in found} == {key.name for key in FILE.keys} - {"import"}


@pytest.mark.parametrize("path", sorted(set(places())), ids=".".join)
@pytest.mark.parametrize("more", [0, 1])
def test_a_text_that_is_too_long_is_reported(
    path: tuple[str, ...], more: int, tmp_path: Path
) -> None:
    document: dict[str, Any] = copy.deepcopy(EVERYTHING)
    inside = document
    for key in path[:-1]:
        if not isinstance(inside[key], dict):
            inside[key] = {"type": inside[key]}
        inside = inside[key]
    inside[path[-1]] = "a" * (MAX_DOC_BYTES + more)
    schema = tmp_path / "s.toml"
    schema.write_bytes(toml(document))
    report = Report()
    check(parse(str(schema), report), report)
    errors = [one for one in report.diagnostics() if one.severity == "error"]
    assert [one.id for one in errors] == ["doc-length"] * more
    lines = schema.read_text(encoding="utf-8").split("\n")
    for place in (one.place for one in errors):
        text = lines[place.line - 1][place.column - 1 :][: place.length]
        assert text.strip('"') == "a" * (MAX_DOC_BYTES + more)
