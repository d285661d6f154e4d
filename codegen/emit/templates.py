"""Reads the templates for Jinja."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template, nodes
from jinja2.compiler import CodeGenerator, Frame

from emit.compiled import CompiledTemplates

TEMPLATES = Path(__file__).parent.parent / "templates"

_INCLUDE = re.compile(r'^( *)\{% include "([^"]+)" %\}\n', re.MULTILINE)


def template_files() -> list[Path]:
    """Returns every template, sorted. The output depends only on these and the plan."""
    return sorted(TEMPLATES.glob("*.j2"))


@cache
def read_template(name: str) -> Template:
    return environment().get_template(f"{name}.j2")


@cache
def environment() -> Environment:
    made = _Environment(
        loader=WholeTemplates(TEMPLATES),
        bytecode_cache=CompiledTemplates(TEMPLATES),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
        auto_reload=False,
    )
    made.filters |= {"comment": _comment, "note": _note}
    return made


class WholeTemplates(FileSystemLoader):
    """Reads a template with its includes replaced by their text, indented like the include.

    Jinja itself would look up each include and copy its variables for every printed file.
    """

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        text, path, is_fresh = super().get_source(environment, template)

        def part(include: re.Match[str]) -> str:
            return textwrap.indent(self.get_source(environment, include[2])[0], include[1])

        return _INCLUDE.sub(part, text), path, is_fresh


class _CodeGenerator(CodeGenerator):
    """Compiles `a.b` to a plain attribute. Jinja would also try an item."""

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:  # noqa: N802 (so Jinja calls it)
        self.visit(node.node, frame)
        self.write(f".{node.attr}")


class _Environment(Environment):
    code_generator_class = _CodeGenerator


def _comment(lines: str | Sequence[str]) -> str:
    """Returns the lines as comment lines, or "" if there are none."""
    all_lines = [lines] if isinstance(lines, str) and lines else lines
    return "".join(f"// {line}".rstrip() + "\n" for line in all_lines)


def _note(text: str) -> str:
    """Returns a comment to put after code, or "" if there is no text."""
    return f" // {text}" if text else ""
