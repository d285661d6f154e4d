"""Lays out generated text: changes only the blanks and line ends of the C from a template.

    - Lines longer than WIDTH are folded: code after a comma or operator with as few open brackets
      as possible, comments between words. A comment after code moves to the line above.
    - A one-line `if` that is too long gets braces.
    - Comments after code on adjacent lines are aligned.
    - Lines of a macro are folded like code. The macro ends before a blank line, with no backslash.
    - There is at most one blank line, and none after `{`, before `}` or at the ends of the file.

So templates and plans need not know the length of the names in a schema.
"""

from __future__ import annotations

import re
import string
import textwrap
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from typing import NamedTuple

WIDTH = 100  # columns; strings are never broken, so they may exceed it
INDENT = 4

# A line may end after the operators of the first list, and before those of the second.
_AFTER = ("&&", "||", "&", "|", "^")
_BEFORE = ("?", ":")
_BRACKET = re.compile(r"[(\[{)\]}]")
_OPERATOR = re.compile(r" (?:[&|^?:]|&&|\|\|)(?: |$)")
_SQUARE_OR_CURLY = re.compile(r"[\[\]{}]")
_ENDS = re.compile(r"(?<=,) |(?<= &&) |(?<= \|\|) |(?<= [&|^]) | (?=[?:] )| (?=[?:]$)")
_WORD = re.compile(r'(?:"(?:\\.|[^"\\])*"|[^\s"])+')
_STRING = re.compile(r'"(?:\\.|[^"\\])*"')
# Matches code and the comment after it. A `//` inside a string is not a comment.
_TRAILING = re.compile(r'((?:"(?:\\.|[^"\\])*"|[^"])*?) *(// .*)')
_IF = re.compile(r"(if \(.*\)) (return\b[^()]*(?:\([^()]*\))?;)")
_GOES_ON = " \\"  # the end of a macro line that continues
_MACRO_END = re.compile(r" *\\\n(?=\n)")
_BEFORE_BRACE = re.compile(r"\n\n(?= *\})")
_MAX_HANG = 60  # the largest indentation of a continuation line


def lay_out(text: str) -> str:
    lines = text.splitlines()
    noted: dict[int, _Noted] = {}
    for at in _changing(lines, macros=f"{_GOES_ON}\n" in text):
        line = lines[at]
        if "//" not in line or line.lstrip().startswith("// "):
            lines[at] = _folded(line)
            continue
        indent, code, comment = _read(line)
        if code and comment and _fits(indent, f"{code} {comment}"):
            noted[at] = _Noted(indent, code, comment)
        else:
            parts = [" " * indent + part for part in (comment, code) if part]
            lines[at] = "\n".join(map(_folded, parts))
    for at, line in _aligned(noted):
        lines[at] = line
    return _blank_lines("\n".join([*map(str.rstrip, lines), ""]))


def _changing(lines: list[str], *, macros: bool) -> list[int]:
    """Returns the lines that may change. Most lines stay as they are."""
    return [
        at
        for at, line in enumerate(lines)
        if len(line) >= WIDTH
        or ("//" in line and not line.lstrip().startswith("//"))
        or (macros and line.endswith(_GOES_ON))
    ]


class _Noted(NamedTuple):
    indent: int
    code: str
    comment: str  # after the code, including its slashes


def _read(line: str) -> tuple[int, str, str]:
    """Returns the indentation of a line, its code, and its comment including the slashes."""
    text = line.strip()
    indent = len(line) - len(line.lstrip())
    if "//" not in text or text.startswith("#"):
        return indent, text, ""
    if '"' in text:
        match = _TRAILING.fullmatch(text)
        return (indent, match[1], match[2]) if match else (indent, text, "")
    code, slashes, comment = text.partition("// ")
    return indent, code.rstrip(), slashes + comment


def _fits(indent: int, text: str, width: int = WIDTH) -> bool:
    return indent + len(text) <= width


def _aligned(noted: dict[int, _Noted]) -> Iterator[tuple[int, str]]:
    """Aligns the comments of adjacent lines. Yields line numbers and lines."""
    numbered = enumerate(noted.items())
    for _, group in groupby(numbered, lambda each: (each[1][0] - each[0], each[1][1].indent)):
        lines = dict(line for _, line in group)
        widest = max([len(line.code) for line in lines.values()])
        fit = all(_fits(line.indent + widest + 1, line.comment) for line in lines.values())
        column = widest if fit else 0
        for at, line in lines.items():
            yield at, f"{' ' * line.indent}{line.code.ljust(column)} {line.comment}"


def _folded(line: str) -> str:
    """Folds a line of code or comment if it is too long."""
    text = line.strip()
    if text.startswith("if (") and len(line.rstrip()) >= WIDTH and (match := _IF.fullmatch(text)):
        # The line has no space for the statement after the condition.
        margin = " " * (len(line) - len(line.lstrip()))
        condition, then = match.groups()
        parts = f"{margin}{condition} {{", f"{margin}{' ' * INDENT}{then}", f"{margin}}}"
        return "\n".join(map(_folded, parts))
    cuts = _cuts(line.encode().translate(_SHAPE))
    if cuts is None:
        return "\n".join(_fold(line))
    return "".join([before + line[begin:end] for before, begin, end in cuts])


# The cuts depend only on the lengths of words. So lines that differ only in names of equal lengths
# are folded once.
_WORDS = (string.ascii_letters + string.digits + "_").encode()
_SHAPE = bytes.maketrans(_WORDS, b"x" * len(_WORDS))


@cache
def _cuts(shape: bytes) -> list[tuple[str, int, int]] | None:
    """Returns each part of a folded line: the text before it, its start and its end.

    Returns None if folding removes blanks inside a part.
    """
    line = shape.decode()
    is_comment = line.lstrip().startswith("//")
    end = line.index("//") + len("//") if is_comment else 0
    cuts = []
    before = ""
    for part in _fold(line):
        text = part.removesuffix(_GOES_ON[-1]).strip()
        if is_comment:
            text = text.removeprefix("//").lstrip()
        begin = len(line) - len(line[end:].lstrip())
        if not text or not line.startswith(text, begin):
            return None
        end = begin + len(text)
        head, _, tail = part.partition(text)
        cuts.append((before + head, begin, end))
        before = f"{tail}\n"
    return [*cuts, (before.removesuffix("\n"), end, end)]


def _fold(line: str) -> list[str]:
    indent, code, comment = _read(line)
    if not code:
        return _fold_comment(indent, comment)
    if code.endswith(_GOES_ON):
        folded = _filled(indent, code.removesuffix(_GOES_ON), WIDTH - len(_GOES_ON))
        return [part.ljust(WIDTH - 1) + _GOES_ON[-1] for part in folded]
    if _fits(indent, code, WIDTH - 1) or code.startswith("#"):
        return [" " * indent + code]
    return _filled(indent, code, WIDTH)


def _fold_comment(indent: int, comment: str) -> list[str]:
    """Folds a comment between words."""
    if _fits(indent, comment, WIDTH - 1):
        return [" " * indent + comment]
    words = comment.removeprefix("// ")
    text = words.lstrip()
    head = f"{' ' * indent}// {' ' * (len(words) - len(text))}"
    wrapped = textwrap.wrap(
        text,
        WIDTH - len(head),
        expand_tabs=False,
        replace_whitespace=False,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [head + line for line in wrapped]


def _filled(indent: int, code: str, width: int) -> list[str]:
    lines = [" " * indent]
    _fill(lines, _pieces(code), indent, width)
    return lines


# Code that stays on one line, and the number of open brackets after it.
_Piece = tuple[str, int]


@cache
def _opened(word: str) -> int:
    """Returns how many brackets a word opens, minus those that it closes."""
    bare = _STRING.sub("", word)
    return sum(map(bare.count, "([{")) - sum(map(bare.count, ")]}"))


def _pieces(code: str) -> list[_Piece]:
    if '"' not in code:
        return _bare_pieces(code)
    pieces: list[_Piece] = []
    depth = 0
    begun: list[str] = []
    words = _WORD.findall(code)
    for word, following in zip(words, [*words[1:], ""], strict=True):
        begun.append(word)
        depth += _opened(word)
        if word[-1] == "," or word in _AFTER or following in _BEFORE or not following:
            pieces.append((" ".join(begun), depth))
            begun = []
    return pieces


def _bare_pieces(code: str) -> list[_Piece]:
    """Cuts code without strings into pieces. This is faster than word by word."""
    pieces: list[_Piece] = []
    depth = 0
    plain = " ".join(code.split())
    if _OPERATOR.search(plain):
        texts = _ENDS.split(plain)
    else:
        *before, last = plain.split(", ")
        texts = [*[f"{text}," for text in before], last]
    only_round = not _SQUARE_OR_CURLY.search(plain)
    for text in texts:
        depth += text.count("(") - text.count(")") if only_round else _opened(text)
        pieces.append((text, depth))
    return pieces


def _fill(lines: list[str], pieces: list[_Piece], margin: int, width: int) -> None:
    """Appends pieces to the last line, and breaks where the fewest brackets are open."""
    whole = _joined(pieces)
    if len(lines[-1]) + len(whole) <= width:
        lines[-1] += whole
    elif len(pieces) == 1:
        _break_call(lines, whole, margin, width)
    else:
        _fill_units(lines, pieces, margin, width)


def _joined(pieces: list[_Piece]) -> str:
    return pieces[0][0] if len(pieces) == 1 else " ".join([text for text, _ in pieces])


def _fill_units(lines: list[str], pieces: list[_Piece], margin: int, width: int) -> None:
    """Appends units: pieces up to one after which the fewest brackets are open."""
    start, count = len(lines[-1]), len(lines)
    first, *units = _units(pieces)
    _fill(lines, first, margin, width)
    widest = max([len(text) for unit in units for text, _ in unit])
    hang = _hang(lines[-1], start if len(lines) == count else margin)
    if hang is None or hang + widest > width:
        hang = margin + INDENT
    line = lines.pop()
    for unit in units:
        joined = unit[0][0] if len(unit) == 1 else _joined(unit)
        if len(line) + 1 + len(joined) <= width:
            line += f" {joined}"
            continue
        lines.append(line)
        line = " " * hang + joined
        if len(line) > width:
            lines.append(" " * hang)
            _fill(lines, unit, hang, width)
            line = lines.pop()
    lines.append(line)


def _units(pieces: list[_Piece]) -> list[list[_Piece]]:
    """Groups pieces into units: a unit ends after a piece with the fewest open brackets."""
    shallowest = min([depth for _, depth in pieces[:-1]])
    units: list[list[_Piece]] = []
    unit: list[_Piece] = []
    for piece in pieces[:-1]:
        unit.append(piece)
        if piece[1] == shallowest:
            units.append(unit)
            unit = []
    unit.append(pieces[-1])
    units.append(unit)
    return units


def _break_call(lines: list[str], code: str, margin: int, width: int) -> None:
    """Breaks code without a better place: after the first `(`, then at any blank."""
    head, bracket, rest = code.partition("(")
    if '"' in head:
        head, bracket, rest = code, "", ""
    _break_blanks(lines, head + bracket, margin, width)
    if rest and len(lines[-1]) + len(rest) > width:
        lines.append(" " * (margin + INDENT))
    _break_blanks(lines, rest, margin + INDENT, width)


def _break_blanks(lines: list[str], code: str, margin: int, width: int) -> None:
    hang = margin + INDENT if margin else 0  # the name of a function starts its own line
    for i, word in enumerate(_WORD.findall(code)):
        if i and len(lines[-1]) + 1 + len(word) > width:
            lines.append(" " * hang + word)
        else:
            lines[-1] += f" {word}" if i else word


def _hang(line: str, start: int) -> int | None:
    """Returns the column after the last bracket that the line opens from `start` on and leaves
    open.
    """
    open_at: list[int] = []
    bare = _STRING.sub(lambda match: "_" * len(match[0]), line) if '"' in line else line
    for match in _BRACKET.finditer(bare):
        if match[0] in "([{":
            open_at.append(match.start())
        elif open_at:
            open_at.pop()
    inside = [column for column in open_at if column >= start]
    return inside[-1] + 1 if inside and inside[-1] < _MAX_HANG else None


def _blank_lines(text: str) -> str:
    if f"{_GOES_ON[-1]}\n\n" in text:
        text = _MACRO_END.sub("\n", text)
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return _BEFORE_BRACE.sub("\n", text.replace("{\n\n", "{\n")).strip("\n") + "\n"
