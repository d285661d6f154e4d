"""Templates print, and the plan decides: measured in every template.

A control line is one with a statement other than `include`, which prints what it includes.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from emit.emit import TEMPLATES, template_files

LINES = 150
CONTROL_SHARE = 0.4  # of the lines that are neither blank nor a comment
LOOPS = 2  # one in the other, with those of what is included

COMMENT = re.compile(r"\{#.*?#\}\n?", re.DOTALL)
STATEMENT = re.compile(r"\{%-?\s*(\w+)([^%]*)%\}")
EXPRESSION = re.compile(r"\{\{.*?\}\}|\{%.*?%\}", re.DOTALL)
INCLUDED = re.compile(r'^\s*"([^"]+)"\s*$')

SENTENCE = re.compile(
    r"^\s*// (?!\s|\{\{|----)(\w+)"
)  # the first word of a comment, in its first line
VAGUE = {"That", "Who", "What", "Of", "So", "Whether"}  # no sentence about code begins with these

every_template = pytest.mark.parametrize("path", template_files(), ids=lambda path: path.name)


@cache
def lines(path: Path) -> list[str]:
    """Lines of a template without comments and blank ones."""
    text = COMMENT.sub("", path.read_text(encoding="utf-8"))
    return [line for line in text.splitlines() if line.strip()]


def control(line: str) -> list[str]:
    """The statements of a line that print nothing."""
    return [word for word, _ in STATEMENT.findall(line) if word != "include"]


def loops(path: Path) -> int:
    """How deep loops nest in a template and what it includes."""
    depth = deepest = 0
    for line in lines(path):
        for word, rest in STATEMENT.findall(line):
            if word == "include":
                included = INCLUDED.match(rest)
                assert included, f"{path.name} includes what is not known before: {rest}"
                deepest = max(deepest, depth + loops(TEMPLATES / included[1]))
            depth += (word == "for") - (word == "endfor")
            deepest = max(deepest, depth)
    return deepest


def test_there_are_templates() -> None:
    assert len(template_files()) > 20


@every_template
def test_a_template_is_short(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LINES


@every_template
def test_a_line_is_either_control_or_output(path: Path) -> None:
    mixed = [line for line in lines(path) if control(line) and STATEMENT.sub("", line).strip()]
    assert not mixed


@every_template
def test_a_template_prints_more_than_it_decides(path: Path) -> None:
    share = sum(bool(control(line)) for line in lines(path)) / len(lines(path))
    assert share <= CONTROL_SHARE


@every_template
def test_loops_nest_two_deep_at_most(path: Path) -> None:
    assert loops(path) <= LOOPS


@every_template
def test_a_template_builds_no_strings(path: Path) -> None:
    inside = EXPRESSION.findall(path.read_text(encoding="utf-8"))
    assert not [one for one in inside if re.search(r"~|\+|%\s|\.format\(", one[2:-2])]


@every_template
def test_comments_are_sentences(path: Path) -> None:
    begun = [SENTENCE.match(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert not {word[1] for word in begun if word} & VAGUE
