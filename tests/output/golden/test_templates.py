"""Templates print C from the facts of the plan: they branch and loop, and compute nothing.

A control line is one with a statement other than `include`, which prints the included file.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from jinja2 import Environment, nodes

from emit.templates import TEMPLATES, template_files

LINES = 150
LOOPS = 4  # one in the other, with those of what is included
LOOPS_OF_PAGES = 2

# All that templates are made of, besides filters and calls. Arithmetic and joined strings are left
# to the plan, where they have a name and a type.
PARTS = {
    nodes.Template, nodes.Output, nodes.TemplateData, nodes.Name, nodes.Getattr, nodes.Getitem,
    nodes.Const, nodes.Tuple, nodes.Keyword, nodes.If, nodes.For, nodes.Include, nodes.Macro,
    nodes.Assign, nodes.AssignBlock, nodes.Not, nodes.And, nodes.Or, nodes.Compare, nodes.Operand,
    nodes.CondExpr,
}  # fmt: skip
FILTERS = {"comment", "join", "length", "map", "note", "upper"}

COMMENT = re.compile(r"\{#.*?#\}\n?", re.DOTALL)
STATEMENT = re.compile(r"\{%[-+]?\s*(\w+).*?%\}")

OTHERS = sorted({*TEMPLATES.parent.rglob("*.j2")} - {*template_files()})


@cache
def lines(path: Path) -> list[str]:
    """Lines of a template without comments and blank ones."""
    text = COMMENT.sub("", path.read_text(encoding="utf-8"))
    return [line for line in text.splitlines() if line.strip()]


def control(line: str) -> list[str]:
    """The statements of a line that print nothing. A block or a macro may be one line."""
    found = STATEMENT.findall(line)
    return (
        []
        if found in (["set", "endset"], ["macro", "endmacro"])
        else [word for word in found if word != "include"]
    )


@cache
def parsed(path: Path) -> nodes.Template:
    return Environment().parse(path.read_text(encoding="utf-8"))


def loops(node: nodes.Node) -> int:
    """How deep loops nest in a part of a template and what it includes."""
    if isinstance(node, nodes.Include):
        assert isinstance(node.template, nodes.Const), "the name is not known before"
        return loops(parsed(TEMPLATES / node.template.value))
    inside = max(map(loops, node.iter_child_nodes()), default=0)
    return inside + isinstance(node, nodes.For)


def is_allowed(node: nodes.Node) -> bool:
    """Filters are those in the list, and what is called is a macro or no method of a string."""
    if isinstance(node, nodes.Filter):
        return node.name in FILTERS
    if isinstance(node, nodes.Call):
        named = isinstance(node.node, nodes.Getattr) and not hasattr(str, node.node.attr)
        return named or isinstance(node.node, nodes.Name)
    return type(node) in PARTS


def test_there_are_templates() -> None:
    assert len(template_files()) > 20


def test_templates_are_short() -> None:
    lengths = {path.name: len(path.read_text().splitlines()) for path in template_files()}
    assert not {name: length for name, length in lengths.items() if length > LINES}


def test_a_statement_is_on_one_line() -> None:
    every = [(path.name, line) for path in template_files() for line in lines(path)]
    assert not [one for one in every if one[1].count("{%") != len(STATEMENT.findall(one[1]))]


def test_a_line_is_either_control_or_output() -> None:
    every = [(path.name, line) for path in template_files() for line in lines(path)]
    assert not [one for one in every if control(one[1]) and STATEMENT.sub("", one[1]).strip()]


def test_loops_nest_four_deep_at_most() -> None:
    deep = {path.name: loops(parsed(path)) for path in template_files()}
    assert not {name: depth for name, depth in deep.items() if depth > LOOPS}


def test_templates_compute_nothing() -> None:
    every = [
        (path, node) for path in template_files() for node in parsed(path).find_all(nodes.Node)
    ]
    assert not [(path.name, node.lineno, node) for path, node in every if not is_allowed(node)]


def test_loops_of_pages_and_views_nest_two_deep_at_most() -> None:
    """Each file by itself: a page has groups of entries, and these have fields."""

    def deep(node: nodes.Node) -> int:
        inside = max(map(deep, node.iter_child_nodes()), default=0)
        return inside + isinstance(node, nodes.For)

    assert not [path.name for path in OTHERS if deep(parsed(path)) > LOOPS_OF_PAGES]
    assert not [path.name for path in OTHERS if [*parsed(path).find_all(nodes.Concat)]]
