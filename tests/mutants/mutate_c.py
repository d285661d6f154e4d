"""Small changes to C, by patterns on lines of function bodies. This relies on clang-format: an
operator between spaces has two operands, and a function ends at the margin.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from mutation import Change

# Between spaces, so that no pointer, sign, arrow or part of a longer operator is meant.
OPERATORS = {
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==",
    "&&": "||", "||": "&&", "+": "-", "-": "+", "*": "+", "/": "*", "%": "/",
    "&": "|", "|": "&", "^": "|", "<<": ">>", ">>": "<<",
    "+=": "-=", "-=": "+=", "|=": "&=", "&=": "|=",
}  # fmt: skip
OPERATOR = re.compile(r"(?<= )([-+*/%&|^<>=!]{1,2})(?= )")
STEP = re.compile(r"\+\+|--(?!>)")
STEPS = {"++": "--", "--": "++"}
NUMBER = re.compile(r"(?<![\w.])(\d+)(?=u?\b(?![\w.]))")
WORD = re.compile(r"\b(true|false|break|continue)\b")
WORDS = {"true": "false", "false": "true", "break": "", "continue": ""}
CONDITION = re.compile(r"\b(?:if|while) (?=\()")
# A call by itself, or an assignment that declares nothing, where a statement may begin.
STATEMENT = re.compile(
    r"^ +(?:\*?[\w.\->\[\]]+ [-+|&]?= .+|\*?[\w.\->\[\]]+(?:\+\+|--)|\w+\(.*\));$"
)

# Bodies of other builds, of which the compiler sees nothing.
OTHER_BUILDS = ("WEFT_HARD", "_WIN32", "HAS_VIRTUAL_ALLOC", "__wasi__", "__wasm", "NO_THREADS")
LITERAL = re.compile(r"//.*|\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'")


def _without_words(line: str) -> str:
    """The line with spaces in place of its comment and its literals."""
    return LITERAL.sub(lambda found: " " * len(found[0]), line)


def _bodies(text: str) -> Iterator[tuple[int, str, bool]]:
    """The lines of functions, but for asserts, which hold already: where each begins, and whether a
    statement begins there too."""
    inside = asserting = False
    fresh = True
    builds: list[str] = []  # of the conditions that the line lies in
    start = 0
    for line in text.splitlines(keepends=True):
        code = _without_words(line.rstrip("\n"))
        if code.startswith("#if"):
            builds.append(code)
        elif code.startswith(("#elif", "#else")):
            builds[-1] = code + " " + "!" * code.startswith("#else")
        elif code.startswith("#endif"):
            builds.pop()
        elif code.startswith(("{", "}")):
            inside = code.startswith("{")
        elif inside and not any(word in build for build in builds for word in OTHER_BUILDS):
            asserting = asserting or "ASSERT(" in code
            if not asserting:
                yield start, code, fresh
            asserting = asserting and not code.rstrip().endswith(";")
            fresh = code.strip() == "" or code.rstrip().endswith((";", "{", "}", ":", ")", "else"))
        start += len(line.encode())


def _closing(code: str, opening: int) -> int:
    """Where the parenthesis that is opened there closes; -1: on another line."""
    depth = 0
    for i in range(opening, len(code)):
        depth += (code[i] == "(") - (code[i] == ")")
        if depth == 0:
            return i
    return -1


def _of_line(code: str, whole: str, fresh: bool) -> Iterator[tuple[int, int, str]]:
    for found in OPERATOR.finditer(code):
        if found[1] in OPERATORS:
            yield *found.span(), OPERATORS[found[1]]
    for found in STEP.finditer(code):
        yield *found.span(), STEPS[found[0]]
    for found in NUMBER.finditer(code):
        yield *found.span(), str(int(found[1]) + 1)
    for found in WORD.finditer(code):
        yield *found.span(), WORDS[found[1]]
    for found in CONDITION.finditer(code):
        opening = found.end()
        if (end := _closing(code, opening)) > 0:
            yield opening, end + 1, f"(!{whole[opening : end + 1]})"
    if fresh and STATEMENT.match(code):
        yield len(code) - len(code.lstrip()), len(code), ";"


def changes(text: bytes) -> Iterator[Change]:
    """All that there are for one file."""
    for start, code, fresh in _bodies(text.decode()):
        whole = text[start:].split(b"\n", 1)[0].decode()
        for first, last, after in _of_line(code, whole, fresh):
            yield Change(start + first, start + last, after)
