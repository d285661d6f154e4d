"""Places in schema files, and diagnostics that point at them.

A Report collects every mistake of one run and renders them as text, sorted by place. Each entry
quotes the source line and draws a caret under the span. Wide characters and tabs are measured as a
terminal shows them.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

Severity = Literal["error", "warning"]

TAB_STOP = 8
SHOWN_LINE = 160  # characters of a source line
SHOWN_WORD = 100  # characters of a word in a message; every allowed name is shorter

_LONG_WORD = re.compile(rf"[^\s/\\]{{{SHOWN_WORD + 1},}}")


class Place(NamedTuple):
    """A span in one line of a schema file. Line and column count characters from 1."""

    path: str
    line: int
    column: int
    length: int


class Note(NamedTuple):
    """A second place that a diagnostic mentions, with its own message."""

    place: Place
    message: str


@dataclass(frozen=True)
class Diagnostic:
    place: Place
    severity: Severity
    message: str
    id: str
    help: str = ""
    notes: tuple[Note, ...] = ()


class Report:
    """Collects the errors and warnings of one run. If `strict` is set, warnings count as errors."""

    def __init__(self, *, strict: bool = False) -> None:
        self._strict = strict
        self._found: dict[Diagnostic, None] = {}
        self.errors = 0
        self._lines: dict[str, list[str]] = {}

    def add_source(self, path: str, text: str) -> None:
        """Stores the text of a file, because rendered diagnostics quote its lines."""
        self._lines[path] = text.split("\n")

    def error(
        self, id: str, place: Place, message: str, *, help: str = "", notes: Sequence[Note] = ()
    ) -> None:
        self._add(Diagnostic(place, "error", message, id, help, tuple(notes)))

    def warning(
        self, id: str, place: Place, message: str, *, help: str = "", notes: Sequence[Note] = ()
    ) -> None:
        severity: Severity = "error" if self._strict else "warning"
        self._add(Diagnostic(place, severity, message, id, help, tuple(notes)))

    def _add(self, diagnostic: Diagnostic) -> None:
        if diagnostic not in self._found:
            self._found[diagnostic] = None
            self.errors += diagnostic.severity == "error"

    def diagnostics(self) -> list[Diagnostic]:
        """Returns all diagnostics sorted by place, without duplicates."""
        return sorted(self._found, key=lambda found: (found.place, found.id, found.message))

    def render(self, site: str = "") -> str:
        """Returns the report as text that ends in a newline, or "" if nothing was found.

        If `site` is the address of Weft's pages, each entry ends with a link to its explanation.
        """
        return "".join(self._render_one(diagnostic, site) for diagnostic in self.diagnostics())

    def _render_one(self, found: Diagnostic, site: str) -> str:
        text = self._render_place(
            found.place, f"{found.severity}: {shortened(found.message)} [{found.id}]"
        )
        for note in found.notes:
            text += self._render_place(note.place, f"note: {shortened(note.message)}")
        if found.help:
            text += f"help: {printable(shortened(found.help))}\n"
        if site:
            text += f"help: {printable(site.rstrip('/'))}/schema/reference/errors.html#{found.id}\n"
        return text

    def _render_place(self, place: Place, message: str) -> str:
        head = f"{place.path}:{place.line}:{place.column}: {message}"
        lines = self._lines.get(place.path, [])
        line = lines[place.line - 1] if place.line <= len(lines) else ""
        shown, caret = _excerpt(line, place)
        return f"{printable(head)}\n{place.line:>5} | {shown}".rstrip() + f"\n      | {caret}\n"


def shortened(message: str) -> str:
    """Replaces the middle of each overlong word by "…"."""
    half = SHOWN_WORD // 2
    return _LONG_WORD.sub(lambda word: f"{word[0][:half]}…{word[0][-half:]}", message)


def printable(text: str) -> str:
    """Replaces characters that would move the cursor or hide (control and format characters)."""
    if text.isprintable():
        return text
    return "".join("\ufffd" if _is_hidden(char) else char for char in text)


def _excerpt(line: str, place: Place) -> tuple[str, str]:
    """Returns a line as a terminal shows it, and its caret line. Tabs become spaces in both."""
    start = min(place.column - 1, len(line))
    end = max(min(start + place.length, len(line)), start)
    line, start, end = _cut(line, start, end)
    shown, cell, first, past = "", 0, 0, 0
    for index, char in enumerate(line):
        if index == start:
            first = cell
        if char == "\t":
            width = TAB_STOP - cell % TAB_STOP
            shown += " " * width
        else:
            width = _cells(char)
            shown += printable(char)
        cell += width
        if index == end - 1:
            past = cell
    if start == len(line):
        first = cell
    return shown, " " * first + "^" + "~" * (past - first - 1)


def _cut(line: str, start: int, end: int) -> tuple[str, int, int]:
    """Shortens an overlong line around the span, and returns the span's new offsets."""
    if len(line) <= SHOWN_LINE:
        return line, start, end
    before = SHOWN_LINE // 4  # characters kept before the span
    first = max(min(start - before, len(line) - SHOWN_LINE), 0)
    if max(end, start + before) <= SHOWN_LINE:
        first = 0
    past = min(first + SHOWN_LINE, len(line))
    shown, end = line[first:past], min(end, past)
    if past < len(line):
        shown += "…"
    if first:
        shown, first = "…" + shown, first - 1
    return shown, start - first, end - first


def _cells(char: str) -> int:
    """Returns how many columns of a terminal a character takes."""
    if unicodedata.east_asian_width(char) in "WF":
        return 2
    return 0 if unicodedata.category(char) in ("Mn", "Me") else 1


def _is_hidden(char: str) -> bool:
    return unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")
