"""pytest can import all tests with the packages that `.ci/install` installs without an option.

pytest imports each conftest.py and each test_*.py before it runs any of them. One import of a
package that only `--look` or `--reach` installs would therefore fail all tests on a machine without
it. A fixture that needs such a package must import it when it runs.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
INSTALLED = {"pytest", "_pytest", "xdist", "hypothesis", "jinja2", "markupsafe", "jsonschema"}
GENERATOR = {path.stem for path in ROOT.glob("codegen/*")}
READ = [*ROOT.glob("tests/**/conftest.py"), *ROOT.glob("tests/**/test_*.py")]


def for_types_alone(statement: ast.stmt) -> bool:
    """Tells `if TYPE_CHECKING:`, whose lines no interpreter runs, from other statements."""
    return isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING"


def imported_at_once(statements: list[ast.stmt]) -> Iterator[str]:
    """The modules that running these statements imports; functions are not run."""
    for statement in statements:
        if isinstance(statement, ast.Import):
            yield from (name.name for name in statement.names)
        elif isinstance(statement, ast.ImportFrom):
            yield statement.module or ""
        elif not isinstance(statement, ast.FunctionDef) and not for_types_alone(statement):
            inner = [one for one in ast.iter_child_nodes(statement) if isinstance(one, ast.stmt)]
            yield from imported_at_once(inner)


@cache
def modules_of_tests() -> dict[str, list[Path]]:
    """The files that a name may stand for in a test: a module of tests, or all of a package."""
    files: dict[str, list[Path]] = {}
    for file in ROOT.glob("tests/**/*.py"):
        files.setdefault(file.stem, []).append(file)
        if (file.parent / "__init__.py").exists():
            files.setdefault(file.parent.name, []).append(file)
    return files


def foreign(file: Path) -> set[str]:
    """The packages outside of Python and of this repository that importing a file needs."""
    found, seen, left = set[str](), {file}, [file]
    while left:
        for module in imported_at_once(ast.parse(left.pop().read_text()).body):
            first = module.split(".")[0]
            if first in GENERATOR or first in sys.stdlib_module_names:
                continue
            if first not in modules_of_tests():
                found.add(first)
            shared = set(modules_of_tests().get(first, [])) - seen
            seen |= shared
            left += shared
    return found


@pytest.mark.parametrize("file", READ, ids=lambda file: str(file.relative_to(ROOT / "tests")))
def test_pytest_can_read_a_file_of_tests_wherever_tests_run(file: Path) -> None:
    assert foreign(file) <= INSTALLED


def test_a_package_is_seen_behind_a_module_that_tests_share() -> None:
    assert "selenium" in foreign(ROOT / "tests/support/inspector_page.py")
