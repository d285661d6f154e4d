"""An unknown name is reported at its place, wherever a schema can name something.

The places are found by walking a schema that uses everything, so none can be forgotten. The rest of
the schema stays valid. A place that no rule checks would therefore reach code that relies on it.
"""

from __future__ import annotations

import copy
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from check import check
from emit.emit import render
from lint import lint
from parse import parse
from plan import make_plan
from source.source import Report
from toml_text import toml

ROOT = Path(__file__).parents[3]
EVERYTHING = tomllib.loads((ROOT / "tests/output/golden/any_name.toml").read_text(encoding="utf-8"))
UNKNOWN = "p_unknown"
NAMES = re.compile(r"\bp_\w+")  # every name in it begins so, but for those of fields

Path_ = tuple[Any, ...]


def references(value: Any, path: Path_ = ()) -> Iterator[tuple[Path_, str, re.Match[str]]]:
    """Yields each name inside a value, with the text that it stands in. Keys declare."""
    if isinstance(value, str):
        yield from ((path, value, match) for match in NAMES.finditer(value))
    elif isinstance(value, dict | list):
        items = value.items() if isinstance(value, dict) else enumerate(value)
        for key, item in items:
            yield from references(item, (*path, key))


def is_declaration(path: Path_) -> bool:
    """Values of enums and states, phases, and functions of hooks declare what they name."""
    hooks = ("on_add", "on_replace", "on_remove", "on_attach", "on_detach")
    return path[:2] in (("world", "phases"), ("world", "name")) or (
        len(path) > 2 and (path[2] == "values" or path[2] in hooks)
    )


def with_unknown(path: Path_, text: str, match: re.Match[str]) -> dict[str, Any]:
    document = copy.deepcopy(EVERYTHING)
    inside = document
    for key in path[:-1]:
        inside = inside[key]
    inside[path[-1]] = text[: match.start()] + UNKNOWN + text[match.end() :]
    return document


def test_an_unknown_name_is_reported_wherever_it_stands(tmp_path: Path) -> None:
    found = [one for one in references(EVERYTHING) if not is_declaration(one[0])]
    assert len(found) > 110
    for path, text, match in found:
        schema = tmp_path / "s.toml"
        data = toml(with_unknown(path, text, match))
        schema.write_bytes(data)
        report = Report()
        check(parse(str(schema), report), report)
        lines = data.decode().split("\n")
        errors = [one for one in report.diagnostics() if one.severity == "error"]
        shown = {lines[one.place.line - 1][one.place.column - 1 :] for one in errors}
        assert any(UNKNOWN in text for text in shown), (path, text, report.render())


def test_an_unknown_component_of_a_prefab_is_reported(tmp_path: Path) -> None:
    document = copy.deepcopy(EVERYTHING)
    document["prefab"]["p_prefab"]["components"][UNKNOWN] = {}
    schema = tmp_path / "s.toml"
    schema.write_bytes(toml(document))
    report = Report()
    check(parse(str(schema), report), report)
    assert UNKNOWN in report.render()


def test_without_an_unknown_name_nothing_is_reported(tmp_path: Path) -> None:
    schema = tmp_path / "s.toml"
    schema.write_bytes(toml(EVERYTHING))
    report = Report()
    parsed = parse(str(schema), report)
    check(parsed, report)
    lint(parsed.model, report)
    assert report.errors == 0, report.render()
    assert render(make_plan(parsed.model))
