"""Finds the places of keys and values in a TOML file.

`tomllib` reads TOML but does not keep places. The scanner here reads the text a second time and
records the span of each key and value by its path (a tuple of keys and array indices). It does not
interpret values. If `tomllib` accepts the text, the scanner finds a place for every path. Otherwise
it records everything before the first syntax that it cannot follow.
"""

from __future__ import annotations

import contextlib
import re
import sys
from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import pairwise

from source.source import Place

Path = tuple[str | int, ...]
Span = tuple[int, int]  # offsets of the first character and after the last one

MAX_KEY_PARTS = 64  # joined by dots
MAX_NESTING = 64  # depth of arrays and inline tables

_BARE_KEY = re.compile(r"[ \t]*([A-Za-z0-9_-]+)[ \t]*")
_PLAIN_STRING = re.compile(r""""[^"\\\n]*"(?!")|'[^'\n]*'(?!')""")  # on one line, without escapes
_SCALAR = re.compile(r"[^,\]}#\n]+")
_PLAIN_PAIR = re.compile(  # a bare key with a plain string or a scalar
    rf"""{_BARE_KEY.pattern}=[ \t]*({_PLAIN_STRING.pattern}|[^\s"'\[{{,\]}}#][^,\]}}#\n]*)"""
)
_BLANK = re.compile(r"[ \t]*")
_BLANK_LINES = re.compile(r"[ \t\n]*(?:#[^\n]*[ \t\n]*)*")
_END = re.compile(rf"[ \t]*(?:(?=[\n#]){_BLANK_LINES.pattern}|\Z)")  # the end of a statement
_FOLDED = re.compile(r"\\[ \t]*\n[ \t\n]*")  # a backslash at the end of a line
_ESCAPE = re.compile(r"\\(?:x[0-9A-Fa-f]{2}|u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|.)")


@dataclass(frozen=True)
class Duplicate:
    """A key path that a file defines twice, which TOML forbids."""

    path: Path
    first: Place
    second: Place


@dataclass(frozen=True)
class Statement:
    """A table header, or a key with its value."""

    line: int
    is_header: bool
    path: Path  # the table or key; () if it could not be read


class Places:
    """Finds the places of one file. An unknown path has the place of its nearest known ancestor."""

    def __init__(self, path: str, text: str, spans: _Spans, root: Path = ()) -> None:
        self._path = path
        self._text = text
        self._spans = spans
        self._root = root  # prefix of every path that callers pass
        self._offsets: dict[int, list[int]] = {}  # by the string's start; filled when needed
        self._line_starts = [0, *(newline.end() for newline in re.finditer("\n", text))]

    def below(self, root: Path) -> Places:
        """Returns the places below `root`, for callers whose paths are relative to it."""
        return Places(self._path, self._text, self._spans, (*self._root, *root))

    def has(self, path: Path) -> bool:
        path = (*self._root, *path)
        return path in self._spans.keys or path in self._spans.values

    def key(self, path: Path) -> Place:
        """Returns the place of a key (the last part of a dotted key) or of an item of an array."""
        return self._nearest(path, self._spans.keys, self._spans.values)

    def value(self, path: Path) -> Place:
        """Returns the place of a value, up to the end of its first line. For a table, that of
        its key.
        """
        return self._nearest(path, self._spans.values, self._spans.keys)

    def _nearest(self, path: Path, *spans: dict[Path, Span]) -> Place:
        """Returns the first known place of a path. An unknown path takes that of its nearest
        ancestor.
        """
        path = (*self._root, *path)
        while path:
            for known in spans:
                if path in known:
                    return self._place(known[path])
            path = path[:-1]
        return Place(self._path, 1, 1, 1)

    def inside(self, path: Path, start: int, length: int) -> Place:
        """Returns the place of a part of a string. `start` and `length` count decoded
        characters.
        """
        span = self._spans.values.get((*self._root, *path))
        if span is None:
            return self.value(path)
        if span[0] not in self._offsets:
            self._offsets[span[0]] = _string_offsets(self._text, span[0])
        offsets = self._offsets[span[0]]
        first = offsets[min(start, len(offsets) - 1)]
        past = offsets[min(start + length, len(offsets) - 1)]
        return self._place((first, max(past, first + 1)))

    def duplicates(self) -> list[Duplicate]:
        return [
            Duplicate(path, self._place(first), self._place(second))
            for path, first, second in self._spans.duplicates
        ]

    def statements(self) -> list[Statement]:
        """Returns the statements of the file, up to and including the first one without an end."""
        return [
            Statement(self._place((offset, offset)).line, self._text[offset] == "[", path)
            for offset, path in self._spans.statements.items()
        ]

    def beyond(self) -> tuple[Place, str] | None:
        """Returns the place of the first passed limit and a message, or None. Reading stopped
        there.
        """
        if self._spans.beyond is None:
            return None
        span, what = self._spans.beyond
        return self._place(span), what

    def _place(self, span: Span) -> Place:
        first, past = span
        line = bisect_right(self._line_starts, first)
        if line < len(self._line_starts):
            past = min(past, self._line_starts[line] - 1)
        column = first - self._line_starts[line - 1] + 1
        return Place(self._path, line, column, max(past - first, 1))


def locate(path: str, text: str) -> Places:
    """Scans the text of a file. Its line ends must be plain newlines."""
    scanner = _Scanner(text)
    with contextlib.suppress(_LostError):  # the places found so far are kept
        scanner.document()
    return Places(path, text, scanner.spans)


@dataclass
class _Spans:
    keys: dict[Path, Span] = field(default_factory=dict)
    values: dict[Path, Span] = field(default_factory=dict)
    duplicates: list[tuple[Path, Span, Span]] = field(default_factory=list)
    statements: dict[int, Path] = field(default_factory=dict)  # by its first offset
    beyond: tuple[Span, str] | None = None  # the place and the message of the first passed limit


class _LostError(Exception):
    """The text is not valid TOML from this point on."""


class _Scanner:
    """Reads a document once from start to end. `at` is the offset of the next character."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.spans = _Spans()
        self._defined: dict[Path, Span] = {}  # paths defined by a header or a value
        self._lengths: dict[Path, int] = {}  # the number of items in each array of tables, so far
        self._open = 0  # the number of open arrays and inline tables

    def document(self) -> None:
        table: Path = ()
        self._skip(_BLANK_LINES)
        while self.at < len(self.text):
            start = self.at
            self.spans.statements[start] = ()
            if self._peek() == "[":
                table = self.spans.statements[start] = self._header()
            else:
                self.spans.statements[start] = self._pair(table)
            end = _END.match(self.text, self.at)
            if not end:
                raise _LostError
            self.at = end.end()

    def _header(self) -> Path:
        is_array = self.text.startswith("[[", self.at)
        self._take("[[" if is_array else "[")
        keys = self._dotted_key()
        self._take("]]" if is_array else "]")
        parent = self._mention((), keys[:-1])
        name, span = keys[-1]
        path = (*parent, name)
        if is_array:
            self.spans.keys.setdefault(path, span)
            index = self._lengths.get(path, 0)
            self._lengths[path] = index + 1
            path = (*path, index)
        self._define(path, span)
        return path

    def _pair(self, table: Path) -> Path:
        if plain := _PLAIN_PAIR.match(self.text, self.at):
            path = (*table, plain[1])
            self._define(path, plain.span(1))
            start = plain.start(2)
            self.at = start + len(plain[2].rstrip(" \t"))
            self.spans.values.setdefault(path, (start, self.at))
            return path
        keys = self._dotted_key()
        self._take("=")
        self._skip(_BLANK)
        name, span = keys[-1]
        path = (*self._mention(table, keys[:-1]), name)
        self._define(path, span)
        self._value(path)
        return path

    def _dotted_key(self) -> list[tuple[str, Span]]:
        keys = [self._key()]
        while self._peek() == ".":
            if len(keys) == MAX_KEY_PARTS:
                what = f"a key has more than {MAX_KEY_PARTS} parts"
                self.spans.beyond = (keys[0][1][0], self.at), what
                raise _LostError
            self._take(".")
            keys.append(self._key())
        return keys

    def _key(self) -> tuple[str, Span]:
        """Reads one part of a dotted key and the blanks around it."""
        if bare := _BARE_KEY.match(self.text, self.at):
            self.at = bare.end()
            return bare[1], bare.span(1)
        self._skip(_BLANK)
        start = self.at
        if self._peek() not in ('"', "'"):
            raise _LostError
        name = self._string_key()
        span = (start, self.at)
        self._skip(_BLANK)
        return name, span

    def _string_key(self) -> str:
        start = self.at
        offsets = self._string()
        is_literal = self.text[start] == "'"
        pieces = (self.text[first:past] for first, past in pairwise(offsets))
        return "".join(_decode(piece, is_literal) for piece in pieces)

    def _mention(self, path: Path, keys: list[tuple[str, Span]]) -> Path:
        """Follows the leading parts of a dotted key. An array of tables continues in its newest
        item.
        """
        for name, span in keys:
            path = (*path, name)
            self.spans.keys.setdefault(path, span)
            if path in self._lengths:
                path = (*path, self._lengths[path] - 1)
        return path

    def _define(self, path: Path, span: Span) -> None:
        first = self._defined.setdefault(path, span)
        if first is not span:
            self.spans.duplicates.append((path, first, span))
            return
        self.spans.keys[path] = span

    def _value(self, path: Path) -> None:
        start = self.at
        opening = self._peek()
        if plain := _PLAIN_STRING.match(self.text, start):
            self.at = plain.end()
        elif opening in ('"', "'"):
            self._string()
        elif opening in ("[", "{"):
            self._nested(opening, path)
        else:
            self._scalar()
        self.spans.values.setdefault(path, (start, self.at))

    def _scalar(self) -> None:
        scalar = _SCALAR.match(self.text, self.at)
        if not scalar:
            raise _LostError
        self.at += len(scalar.group().rstrip(" \t"))

    def _nested(self, opening: str, path: Path) -> None:
        if self._open == MAX_NESTING:
            what = f"arrays or tables are nested more than {MAX_NESTING} deep"
            self.spans.beyond = (self.at, self.at + 1), what
            raise _LostError
        self._open += 1
        if opening == "[":
            self._array(path)
        else:
            self._inline_table(path)
        self._open -= 1

    def _array(self, path: Path) -> None:
        self._take("[")
        self._skip(_BLANK_LINES)
        index = 0
        while self._peek() != "]":
            self._value((*path, index))
            index += 1
            self._skip(_BLANK_LINES)
            if self._peek() != "]":
                self._take(",")
                self._skip(_BLANK_LINES)
        self._take("]")

    def _inline_table(self, path: Path) -> None:
        self._take("{")
        self._skip(_BLANK_LINES)
        while self._peek() != "}":
            self._pair(path)
            self._skip(_BLANK_LINES)
            if self._peek() != "}":
                self._take(",")
                self._skip(_BLANK_LINES)
        self._take("}")

    def _string(self) -> list[int]:
        offsets = _string_offsets(self.text, self.at)
        self.at = offsets[-1] + len(_quotes(self.text, self.at))
        return offsets

    def _peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def _take(self, token: str) -> None:
        if not self.text.startswith(token, self.at):
            raise _LostError
        self.at += len(token)

    def _skip(self, pattern: re.Pattern[str]) -> None:
        match = pattern.match(self.text, self.at)
        if match:
            self.at = match.end()


def _quotes(text: str, start: int) -> str:
    """Returns the quotes that delimit the string at `start`."""
    triple = text[start] * 3
    return triple if text.startswith(triple, start) else text[start]


def _string_offsets(text: str, start: int) -> list[int]:
    """Returns the offset of each character of the string at `start`, then of its closing quotes."""
    quotes = _quotes(text, start)
    is_literal = quotes[0] == "'"
    at = start + len(quotes)
    if len(quotes) == 3 and text.startswith("\n", at):
        at += 1
    offsets = []
    while not _closes(text, at, quotes):
        if at >= len(text) or (len(quotes) == 1 and text[at] == "\n"):
            raise _LostError
        folded = None if is_literal or len(quotes) == 1 else _FOLDED.match(text, at)
        if folded:
            at = folded.end()
            continue
        offsets.append(at)
        escape = None if is_literal else _ESCAPE.match(text, at)
        at = escape.end() if escape else at + 1
    return [*offsets, at]


def _closes(text: str, at: int, quotes: str) -> bool:
    """Returns whether the string ends here. Up to two quotes may precede the three closing
    quotes.
    """
    return text.startswith(quotes, at) and not (
        len(quotes) == 3 and text.startswith(quotes[0], at + 3)
    )


_ESCAPES = {"b": "\b", "t": "\t", "n": "\n", "f": "\f", "r": "\r", "e": "\x1b"}


def _decode(written: str, is_literal: bool) -> str:
    """Decodes one character of a string, which may be an escape."""
    if is_literal or not written.startswith("\\"):
        return written
    if len(written) > 2:
        code = int(written[2:], 16)
        if code > sys.maxunicode:
            raise _LostError
        return chr(code)
    return _ESCAPES.get(written[1], written[1])
