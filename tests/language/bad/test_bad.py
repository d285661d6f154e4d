"""Every bad schema here prints exactly the text in the file next to it, and every rule has a bad
schema.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from check import check
from diagnostics import TITLE, rule_ids
from lock import read_lock
from lock.strays import report_strays
from parse import parse
from source.source import Report
from verdict.report import report_changes

HERE = Path(__file__).parent


def bad_schemas() -> list[str]:
    """`<id>.toml` and `<id>-<variant>.toml`, or a folder so named with the files of one schema."""
    files = [path.name for path in HERE.glob("*.toml")]
    folders = [f"{path.parent.name}/root.toml" for path in HERE.glob("*/root.toml")]
    return sorted(files + folders)


def accepted_schemas() -> list[str]:
    files = [*HERE.glob("accepted/*.toml"), *HERE.glob("accepted/*/root.toml")]
    return sorted(str(path.relative_to(HERE)) for path in files)


def case_name(schema: str) -> str:
    return schema.removesuffix("/root.toml").removesuffix(".toml")


def report_on(schema: str, *, strict: bool = False) -> Report:
    report = Report(strict=strict)
    parsed = parse(schema, report)
    check(parsed, report)
    if not report.errors:
        lock = read_lock(schema, parsed.model.world.name, report)
        report_changes(lock.releases, parsed.model, report)
        report_strays(schema, parsed.model.world, report)
    return report


@pytest.fixture(autouse=True)
def _from_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Texts show paths as they were given: relative to this folder."""
    monkeypatch.chdir(HERE)


@pytest.mark.parametrize("schema", bad_schemas())
def test_bad_schema_gives_exactly_this_text(schema: str, update: bool) -> None:
    expected = HERE / f"{case_name(schema)}.expected"
    said = report_on(schema).render()
    if update:
        expected.write_text(said, encoding="utf-8")
    assert said == expected.read_text(encoding="utf-8")


@pytest.mark.parametrize("schema", bad_schemas())
def test_bad_schema_shows_the_rule_it_is_named_for(schema: str) -> None:
    found = [diagnostic.id for diagnostic in report_on(schema).diagnostics()]
    name = case_name(schema)
    assert any(name == id or name.startswith(f"{id}-") for id in found), found


@pytest.mark.parametrize("schema", bad_schemas())
def test_every_mistake_comes_with_help(schema: str) -> None:
    helpless = [found.message for found in report_on(schema).diagnostics() if not found.help]
    assert not helpless


@pytest.mark.parametrize("schema", bad_schemas())
def test_strict_makes_warnings_errors(schema: str) -> None:
    usual, strict = report_on(schema), report_on(schema, strict=True)
    assert strict.errors == len(strict.diagnostics()) == len(usual.diagnostics())


@pytest.mark.parametrize("schema", accepted_schemas())
def test_accepted_schema_gives_no_complaint(schema: str) -> None:
    assert report_on(schema).render() == ""


def test_every_rule_has_a_bad_schema() -> None:
    shown = set()
    for expected in HERE.glob("*.expected"):
        shown |= set(TITLE.findall(expected.read_text(encoding="utf-8")))
    assert rule_ids() == shown


def test_every_expected_text_has_its_schema() -> None:
    names = {case_name(schema) for schema in bad_schemas()}
    assert {path.stem for path in HERE.glob("*.expected")} == names
