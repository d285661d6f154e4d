"""Lays out generated text: the C that a template printed, with other blanks and line ends.

    - a line longer than WIDTH is folded: code after a comma or an operator, as far out of brackets
      as it goes; a comment between words; a comment behind code moves above it
    - a one-line `if` that is too long gets braces
    - comments behind code on neighbouring lines stand below each other
    - lines of a macro are folded as code; it ends before a blank line, without a backslash
    - blank lines stand alone, and none after `{`, before `}` or at an end of the file

Templates and plans need not know how long the names of a schema are.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from functools import cache
from itertools import groupby
from typing import NamedTuple

WIDTH = 100  # columns; strings are never broken and may pass it
INDENT = 4

# A line may end after the first operators, and before the second.
_AFTER = ("&&", "||", "&", "|", "^")
_BEFORE = ("?", ":")
_BRACKET = re.compile(r"[(\[{)\]}]")
_OPERATOR = re.compile(r" (?:[&|^?:]|&&|\|\|)(?: |$)")
_SQUARE_OR_CURLY = re.compile(r"[\[\]{}]")
_ENDS = re.compile(r"(?<=,) |(?<= &&) |(?<= \|\|) |(?<= [&|^]) | (?=[?:] )| (?=[?:]$)")
_WORD = re.compile(r'(?:"(?:\\.|[^"\\])*"|[^\s"])+')
_STRING = re.compile(r'"(?:\\.|[^"\\])*"')
# This matches code, in which a `//` inside a string does not count, and then the comment.
_TRAILING = re.compile(r'((?:"(?:\\.|[^"\\])*"|[^"])*?) *(// .*)')
_IF = re.compile(r"(if \(.*\)) (return\b[^()]*(?:\([^()]*\))?;)")
_GOES_ON = " \\"  # a line of a macro that goes on in the next
_MAX_HANG = 60  # a continued line begins no further right than this


def lay_out(text: str) -> str:
    out: list[str] = []
    block: list[str] = []  # neighbouring lines that may change
    for line in text.splitlines():
        stays = len(line) < WIDTH and ("//" not in line or line.lstrip().startswith("//"))
        if stays and not line.endswith(_GOES_ON):
            if block:
                out += _lay_out_block(block)
                block = []
            out.append(line.rstrip())
        else:
            block.append(line)
    out += _lay_out_block(block)
    return "\n".join(_blank_lines(out)) + "\n"


def _lay_out_block(block: list[str]) -> Iterator[str]:
    lines = [part for line in block for part in _above(_Line.read(line))]
    lines = [part for line in lines for part in _braced(line)]
    for _, group in groupby(
        lines, key=lambda line: (line.indent, bool(line.code and line.comment))
    ):
        yield from _block(list(group))


class _Line(NamedTuple):
    indent: int
    code: str
    comment: str  # with its slashes

    @staticmethod
    def read(line: str) -> _Line:
        text = line.strip()
        indent = len(line) - len(line.lstrip())
        if text.startswith("#"):
            return _Line(indent, text, "")
        match = _TRAILING.fullmatch(text) if "//" in text else None
        return _Line(indent, match[1], match[2]) if match else _Line(indent, text, "")

    @property
    def fits(self) -> bool:
        return self.indent + len(self.code) + 1 + len(self.comment) <= WIDTH


def _above(line: _Line) -> list[_Line]:
    """Moves a comment that does not fit behind its code to a line above it."""
    if line.code and line.comment and not line.fits:
        return [line._replace(code=""), line._replace(comment="")]
    return [line]


def _braced(line: _Line) -> list[_Line]:
    """Gives braces to an `if` whose condition leaves no space for the statement behind it."""
    match = None if line.fits else _IF.fullmatch(line.code)
    if not match:
        return [line]
    condition, then = match.groups()
    return [
        _Line(line.indent, f"{condition} {{", ""),
        _Line(line.indent + INDENT, then, ""),
        _Line(line.indent, "}", ""),
    ]


def _block(lines: list[_Line]) -> list[str]:
    """Lays out neighbouring lines of one kind: code, comments, or code with aligned comments."""
    if not (lines[0].code and lines[0].comment):
        return [part for line in lines for part in _fold(line)]
    column = max(len(line.code) for line in lines)
    aligned = [line._replace(code=line.code.ljust(column)) for line in lines]
    if not all(line.fits for line in aligned):
        aligned = lines
    return [f"{' ' * line.indent}{line.code} {line.comment}" for line in aligned]


def _fold(line: _Line) -> list[str]:
    if line.code.endswith(_GOES_ON):
        folded = _fold_code(line.indent, line.code.removesuffix(_GOES_ON), WIDTH - len(_GOES_ON))
        return [part.ljust(WIDTH - 1) + _GOES_ON[-1] for part in folded]
    margin = " " * line.indent
    if line.fits or line.code.startswith("#"):
        return [(margin + line.code + line.comment).rstrip()]
    if line.comment:
        return _fold_comment(margin, line.comment)
    return _fold_code(line.indent, line.code, WIDTH)


@cache
def _fold_comment(margin: str, comment: str) -> list[str]:
    """Folds between words; what templates say of everything of a kind is folded once."""
    words = comment.removeprefix("// ")
    inner = len(words) - len(words.lstrip())
    head = f"{margin}// {' ' * inner}"
    return textwrap.wrap(
        words.lstrip(),
        WIDTH,
        initial_indent=head,
        subsequent_indent=head,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _fold_code(indent: int, code: str, width: int) -> list[str]:
    lines = [" " * indent]
    _fill(lines, _pieces(code), indent, width)
    return lines


# Code that stays on one line, after which the line may end, and how many brackets are open there.
_Piece = tuple[str, int]


@cache
def _opened(word: str) -> int:
    """Counts the brackets that a word opens, less those that it closes."""
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
    """Cuts code without strings into pieces, which is quicker than word by word."""
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
    """Puts pieces behind the last line, breaking where the fewest brackets are open."""
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
    """Puts units behind each other: pieces up to one after which the fewest brackets are open."""
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
    """Cuts pieces behind those after which the fewest brackets are open."""
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
    """Breaks code that has no good place: behind the first `(`, and then at any blank."""
    head, bracket, rest = code.partition("(")
    if '"' in head:
        head, bracket, rest = code, "", ""
    _break_blanks(lines, head + bracket, margin, width)
    if rest and len(lines[-1]) + len(rest) > width:
        lines.append(" " * (margin + INDENT))
    _break_blanks(lines, rest, margin + INDENT, width)


def _break_blanks(lines: list[str], code: str, margin: int, width: int) -> None:
    hang = margin + INDENT if margin else 0  # a function's name begins a line of its own
    for i, word in enumerate(_WORD.findall(code)):
        if i and len(lines[-1]) + 1 + len(word) > width:
            lines.append(" " * hang + word)
        else:
            lines[-1] += f" {word}" if i else word


def _hang(line: str, start: int) -> int | None:
    """Returns the column behind the last bracket that a line leaves open from a column on."""
    open_at: list[int] = []
    bare = _STRING.sub(lambda match: "_" * len(match[0]), line) if '"' in line else line
    for match in _BRACKET.finditer(bare):
        if match[0] in "([{":
            open_at.append(match.start())
        elif open_at:
            open_at.pop()
    inside = [column for column in open_at if column >= start]
    return inside[-1] + 1 if inside and inside[-1] < _MAX_HANG else None


def _blank_lines(lines: list[str]) -> list[str]:
    kept: list[str] = []
    for line in lines:
        before = kept[-1] if kept else ""
        if line:
            if not before and kept and line.lstrip().startswith("}"):
                kept.pop()
            kept.append(line)
            continue
        if before.endswith(_GOES_ON[-1]):
            before = kept[-1] = before.removesuffix(_GOES_ON[-1]).rstrip()
        if before and not before.endswith("{"):
            kept.append(line)
    while kept and not kept[-1]:
        kept.pop()
    return kept
