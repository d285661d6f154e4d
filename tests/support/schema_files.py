"""Schema files as a JSON Schema validator sees them, and the parser's messages about them."""

from __future__ import annotations

import json
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator

from parse import parse
from source.source import Report

ROOT = Path(__file__).parent.parent.parent
BAD = ROOT / "tests" / "language" / "bad"
LISTS = {
    "mistakes.toml",
    "equivalent.toml",
    "unreachable.toml",
    "undecidable.toml",
}  # of tests/mutants and tests/coverage: no schemas

# Rules that one file can break, without knowing the meaning of its names.
STRUCTURAL = {
    "unknown-key", "missing-key", "not-yet", "wrong-type", "unknown-value", "bad-type",
    "ref-syntax",
}  # fmt: skip


@cache
def language() -> Draft202012Validator:
    """Returns the committed file, which editors use."""
    schema = json.loads((ROOT / "schema/weft.schema.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def mistakes(document: dict[str, Any]) -> list[str]:
    return [f"{error.json_path}: {error.message}" for error in language().iter_errors(document)]


def read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def good_files() -> list[str]:
    """Returns every schema file of the repository except the bad ones."""
    files = [path for folder in ("schema", "tests") for path in (ROOT / folder).rglob("*.toml")]
    good = [
        path
        for path in files
        if (not path.is_relative_to(BAD) or "accepted" in path.parts) and path.name not in LISTS
    ]
    return sorted(path.relative_to(ROOT).as_posix() for path in good)


def structural(path: Path) -> set[str]:
    """Returns the structural mistakes that the parser finds in a file."""
    report = Report()
    parse(str(path), report)
    return {found.id for found in report.diagnostics()} & STRUCTURAL
