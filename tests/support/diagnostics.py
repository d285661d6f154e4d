"""The ids of the generator's diagnostics, and what it prints for each of them."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from built import ROOT

CODEGEN = ROOT / "codegen"
TITLE = re.compile(r"^\S.*: (?:error|warning): .* \[([a-z0-9-]+)\]$", re.MULTILINE)
BAD = ROOT / "tests/language/bad"
SOUND = ROOT / "tests/language/lints/corpus.expected"


def rule_ids() -> set[str]:
    """Returns every id in the generator: the first argument of a report, or of an error that
    becomes one.
    """
    ids = set()
    for module in CODEGEN.rglob("*.py"):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and node.args and _reports(node.func):
                ids |= _texts(node.args[0])
            elif isinstance(node, ast.Assign) and "id" in _names(node.targets[0]):
                ids |= _texts(node.value)
    return ids


def _reports(function: ast.expr) -> bool:
    name = ast.unparse(function)
    return name.endswith((".error", ".warning")) or name in ("WhereError", "TypeTextError")


def _texts(node: ast.AST) -> set[str]:
    inner = (part for part in ast.walk(node) if isinstance(part, ast.Constant))
    texts = {part.value for part in inner if isinstance(part.value, str)}
    return {text for text in texts if re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", text)}


def _names(node: ast.expr) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def printed(id: str) -> str | None:
    """Returns the first diagnostic with this id, if possible from the file that is named for it.

    Files are listed at each call, because `test_bad.py --update` may add one in the same run.
    """
    printing = (*sorted(BAD.glob("*.expected")), SOUND)
    files = sorted(printing, key=lambda path: (path.stem != id, not path.stem.startswith(id)))
    return next((text for path in files for text in _of(path, id)), None)


def _of(path: Path, id: str) -> list[str]:
    text = path.read_text(encoding="utf-8")
    found = re.split(
        r"^(?=\S+(?:error|warning): |\S+:\d+:\d+: (?:error|warning))", text, flags=re.M
    )
    return [one for one in found if one.split("\n")[0].endswith(f" [{id}]")]


def lint_ids() -> set[str]:
    """Returns the id of every warning that `quiet` silences, and of those about `quiet` itself."""
    ids = set()
    for path in (CODEGEN / "lint").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            ids |= {text for text in _texts(node) if re.fullmatch(r"[a-z]+-[a-z]+", text)}
    return ids
