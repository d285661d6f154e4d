"""Some golden file covers every branch of every template.

The text between two control lines of a template is printed as a whole or not at all. A change of
any line of a template therefore shows in a file that `test_golden.py` compares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableMapping
from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment, FileSystemLoader, Template, nodes

from emit import emit, templates
from generated import GOLDEN, generate, golden_cases


def branches(template: nodes.Template) -> Iterator[tuple[int, list[nodes.Node]]]:
    """The first line of each branch of a template, and its nodes; the template itself is one."""
    yield 1, template.body
    for node in template.find_all((nodes.For, nodes.If)):
        assert isinstance(node, nodes.For | nodes.If)
        yield node.lineno, node.body
        if node.else_:
            yield node.else_[0].lineno, node.else_


class Noting(FileSystemLoader):
    """Loads templates of which each branch, where it is printed, notes its template and line."""

    def __init__(self, note: Callable[[str], str]) -> None:
        super().__init__(templates.TEMPLATES)
        self.note = note

    def load(
        self, environment: Environment, name: str, globals: MutableMapping[str, Any] | None = None
    ) -> Template:
        template = parsed(environment, name)
        for line, branch in list(branches(template)):
            noted = nodes.Const(f"{name}:{line}")
            call = nodes.Call(nodes.Name("note", "load"), [noted], [], None, None)
            branch.insert(0, nodes.Output([call], lineno=line))
        code = environment.compile(template, name, str(templates.TEMPLATES / name))
        known = {**(globals or {}), "note": self.note}
        return environment.template_class.from_code(environment, code, known)


def parsed(environment: Environment, name: str) -> nodes.Template:
    return environment.parse((templates.TEMPLATES / name).read_text(encoding="utf-8"), name)


def printed(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Path, set[str]]]:
    """The branches that are printed into each file of each golden case, kept or not."""
    noted: list[str] = []

    def page(_: str) -> str:
        """Gives, instead of a file, what was noted since the file before."""
        text = " ".join(noted)
        noted.clear()
        return text

    environment = templates.environment().overlay(
        loader=Noting(lambda one: noted.append(one) or "")
    )
    monkeypatch.setattr(emit, "read_template", lambda name: environment.get_template(f"{name}.j2"))
    monkeypatch.setattr(emit, "lay_out", page)
    for case in golden_cases():
        for path, text in generate(GOLDEN / case / "schema.toml").files.items():
            yield GOLDEN / case / "expected" / path, set(text.split())


def test_every_branch_is_in_a_file_that_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    every = {
        f"{path.name}:{line}"
        for path in templates.template_files()
        for line, _ in branches(parsed(templates.environment(), path.name))
    }
    kept = [seen for path, seen in printed(monkeypatch) if path.exists()]
    assert not sorted(every.difference(*kept))
