"""Functions of the generator fit a screen, take few parameters and are described in sentences.

Whatever many of them need is one record (as in `plan/common.py`), not a row of parameters.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

CODEGEN = Path(__file__).resolve().parents[3] / "codegen"
LINES = 40
PARAMETERS = 6  # besides self
Function = ast.FunctionDef | ast.AsyncFunctionDef
VAGUE = ("That ", "Who ", "What ", "Of ", "So ", "Whether ", "The same ")


def functions() -> Iterator[tuple[str, Function]]:
    for path in sorted(CODEGEN.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, Function):
                yield f"{path.relative_to(CODEGEN)}:{node.lineno} {node.name}", node


def parameters(node: Function) -> int:
    given = node.args
    names = [one.arg for one in [*given.posonlyargs, *given.args, *given.kwonlyargs]]
    return len(names) - (names[:1] == ["self"])


def test_there_are_functions() -> None:
    assert any(name.endswith(" make_plan") for name, _ in functions())


def test_functions_fit_a_screen() -> None:
    lengths = {name: (node.end_lineno or 0) - node.lineno + 1 for name, node in functions()}
    assert not {name: length for name, length in lengths.items() if length > LINES}


def test_functions_take_few_parameters() -> None:
    counts = {name: parameters(node) for name, node in functions()}
    assert not {name: count for name, count in counts.items() if count > PARAMETERS}


def test_docstrings_begin_plainly() -> None:
    texts = {name: ast.get_docstring(node) or "" for name, node in functions()}
    texts |= {
        path.relative_to(CODEGEN).as_posix(): ast.get_docstring(
            ast.parse(path.read_text(encoding="utf-8"))
        )
        or ""
        for path in CODEGEN.rglob("*.py")
    }
    assert not [name for name, text in texts.items() if text.startswith(VAGUE)]
