"""A record of the generator has few fields: what is decided together is a record of its own.

Someone who reads one sees the shape of a thing in a few lines, and no constructor takes more than
can be told apart.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

CODEGEN = Path(__file__).parents[2] / "codegen"
FIELDS = 12


def is_record(node: ast.ClassDef) -> bool:
    """Tells whether a class has its constructor made of its fields."""
    made = [ast.unparse(one) for one in [*node.decorator_list, *node.bases]]
    return any(one.startswith("dataclass") or one in ("record", "NamedTuple") for one in made)


def given(node: ast.ClassDef) -> int:
    """Counts the fields of a record by itself, or the parameters of a constructor."""
    own = [one for one in node.body if isinstance(one, ast.AnnAssign)]
    fields = [one for one in own if "ClassVar" not in ast.unparse(one.annotation)]
    init = [one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__"]
    if init:
        taken = init[0].args
        return len([*taken.posonlyargs, *taken.args, *taken.kwonlyargs]) - 1
    return len(fields) if is_record(node) else 0


@cache
def classes() -> dict[str, ast.ClassDef]:
    """Every class by its module and name."""
    found = {}
    for path in sorted(CODEGEN.rglob("*.py")):
        module = path.relative_to(CODEGEN).with_suffix("").as_posix()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef):
                found[f"{module}.{node.name}"] = node
    return found


def bases(node: ast.ClassDef) -> Iterator[ast.ClassDef]:
    """Yields the records that one takes fields over from."""
    records = {name.split(".")[-1]: one for name, one in classes().items() if is_record(one)}
    for base in node.bases:
        inherited = records.get(ast.unparse(base))
        if is_record(node) and inherited is not None:
            yield inherited
            yield from bases(inherited)


def fields(node: ast.ClassDef) -> int:
    """Counts what its constructor takes, with what it inherits."""
    return given(node) + sum(given(one) for one in bases(node))


def test_there_are_records() -> None:
    assert fields(classes()["model/code.System"]) == 6
    assert fields(classes()["model/code.Listener"]) == 4


@pytest.mark.parametrize("name", classes())
def test_a_record_has_few_fields(name: str) -> None:
    assert fields(classes()[name]) <= FIELDS
