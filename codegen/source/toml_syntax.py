"""Reads one TOML file and continues after a mistake, so that one run reports all mistakes.

After an error, the statement that contains it is replaced by blank lines and the text is read
again. This happens only if the end of the statement is certain, because a wrong guess would cause
follow-up errors. Otherwise reading stops.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from typing import Any

from source.source import Note, Place, Report
from source.toml_places import Duplicate, Path, Places, Statement, locate

MAX_SYNTAX_ERRORS = 50  # in one file; each of them costs one more reading

_AT = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")  # TOML forbids these everywhere
_CONTROL_HELP = {"0000": "remove it", "000D": "end lines with LF, or CR and LF"}
_TOKEN = re.compile(rf"{_CONTROL.pattern}|[^\s,\]}}]+")
_GOES_ON = re.compile(r"[{\[,]\s*(#.*)?$")  # a line that its statement continues after
_HALF_HEADER = re.compile(r"\s*[\w.\"'-]+\s*\]+\s*(#.*)?$")  # a header without its "["
_LONG_NUMBER = re.compile(r"[0-9_]{1000,}")

_NUMBER_BEFORE = r"(?<![\w.+-])[-+]?\.?\d[\w.+-]*$"  # a number that the next character interrupts

# Each row contains the start of a message of tomllib, what it means, and the help.
_MEANINGS = (
    ("Cannot overwrite a value", "this key already has a value", "remove one of the two"),
    ("Cannot declare", "this table already exists", "remove one of the two"),
    ("Cannot mutate", "this adds to a value that is already complete", "write it in one place"),
    ("Cannot redefine", "this adds to a table that is already complete", "write it in one place"),
    ("Illegal character '\\n'", "this string does not end on its line", "add the closing quote"),
    ('Expected "\'"', "this string does not end", "add the closing quote"),
    ("Unterminated string", "this string does not end", "add the closing quotes"),
    ("Unescaped '\\'", "unknown escape in a string", "write '\\\\' for a backslash"),
    (
        "Invalid value",
        "this is not a TOML value",
        "put text in quotes; numbers, true and false need none",
    ),
    ("Invalid statement", "this is neither a key nor a table", "write 'key = value' or '[table]'"),
    (
        "Invalid initial character",
        "this is not a TOML key",
        "put the name in quotes, or use only letters, digits, '_' and '-'",
    ),
    ("Expected '='", "this key needs '=' and a value", "write 'key = value'"),
    ("Expected newline", "unexpected text after the value", "write one key on each line"),
    ("Expected ']'", "the name of this table needs ']' at its end", "write '[table]'"),
    ("Unclosed array", "this array needs ',' between its values and ']' at its end", "add ']'"),
    ("Unclosed inline table", "this inline table needs '}' at its end", "add '}' on the same line"),
)

_NUMBER = (
    "this is not a TOML number",
    "write digits on both sides of '.', no 0 in front and nothing after it: 1.0",
)

_QUOTES = (
    "unexpected text after the closing quote",
    "use the same quote at both ends, and write '\\\"' for a quote inside",
)

# More precise rows. The second and third columns are patterns for the text before and at the place
# of the error. The last two columns are the message and the help.
_CLOSER = (
    ("Unclosed", _NUMBER_BEFORE, r"[\w.]", *_NUMBER),
    ("Expected newline", _NUMBER_BEFORE, r"[\w.]", *_NUMBER),
    ("Invalid value", r"", r"[-+]?\.\d", *_NUMBER),
    ("Unclosed", r"[\"']$", r"\w", *_QUOTES),
    ("Expected newline", r"[\"']$", r"\w", *_QUOTES),
    ("Invalid value", r"", r"(?i:true|yes|on)\b", "this is not a TOML value", "write true"),
    ("Invalid value", r"", r"(?i:false|no|off)\b", "this is not a TOML value", "write false"),
    (
        "Invalid value",
        r"",
        "[\u201c\u201d\u201e\u2018\u2019]",
        "this is not a TOML value",
        'use straight quotes: "…"',
    ),
    (
        "Expected '='",
        r"^[^=]*$",
        r"\]",
        "the name of this table needs '[' at its start",
        "write '[table]'",
    ),
    (
        "Invalid initial character",
        r",\s*$",
        r"\}",
        "an inline table must not have ',' before its '}'",
        "remove the ','",
    ),
    (
        "Invalid initial character",
        r"[{,][ \t]*$",
        r"(#.*)?$",
        "an inline table must not continue on the next line",
        "write it on one line, or write its keys below a [header]",
    ),
    (
        "Unclosed array",
        r"",
        r"[;\w\"']",
        "this array needs ',' between its values",
        "add ',' here",
    ),
    (
        "Unclosed inline table",
        r"",
        r"[;\w\"']",
        "this inline table needs ',' between its keys",
        "add ',' here",
    ),
)


@dataclass(frozen=True)
class Document:
    """The content of a file and its places. If it is `damaged`, a part could not be read."""

    table: dict[str, Any]
    places: Places
    damaged: bool


def read_toml(path: str, text: str, report: Report) -> Document:
    """Reads as much of a text as possible. Its line ends must be plain newlines."""
    damaged = False
    rest: str | None = text
    for _ in range(MAX_SYNTAX_ERRORS):
        if rest is None:
            break
        text = rest
        places = locate(path, text)
        if beyond := places.beyond():  # tomllib would take too long, or overflow the stack
            report.error("toml-syntax", *beyond, help="no schema needs keys this deep")
            break
        try:
            return Document(tomllib.loads(text), places, damaged)
        except tomllib.TOMLDecodeError as error:
            mistake = _find_mistake(path, text, str(error))
            damaged = damaged or not mistake.leaves_the_first
            _complain(mistake, report)
            rest = _without(text, mistake)
        except ValueError:  # raised by int(); tomllib does not catch it
            place = _number_place(path, text)
            message = "this number does not fit into 64 bits"
            report.error("toml-syntax", place, message, help="write a smaller number")
            rest = None
    return Document({}, locate(path, ""), True)


@dataclass(frozen=True)
class _Mistake:
    """One error of tomllib, and the lines of the statement that contains it."""

    place: Place
    message: str
    help: str
    start: int
    past: int | None  # None if the end of the statement is unknown
    duplicate: Duplicate | None

    @property
    def leaves_the_first(self) -> bool:
        """Returns whether the removed statement only repeated an earlier definition."""
        return self.duplicate is not None and self.duplicate.first.line < self.start


def _find_mistake(path: str, text: str, complaint: str) -> _Mistake:
    lines = text.split("\n")
    places = locate(path, text)
    statements = places.statements()
    at = _AT.search(complaint)
    line = int(at[1]) if at and at[1] else len(lines)
    index = max((i for i, found in enumerate(statements) if found.line <= line), default=0)
    start = statements[index].line if statements else line
    duplicate = next((d for d in places.duplicates() if d.second.line == start), None)
    if at and at[1]:
        place = _token_place(path, lines, line, int(at[2]))
    else:  # the error is at the end of the file, so point at the statement that reaches it
        place = _token_place(path, lines, start, 1)
    past = _past(statements, index, line, lines, duplicate)
    message, help = _meaning(_AT.sub("", complaint), lines[place.line - 1], place.column - 1)
    return _Mistake(place, message, help, start, past, duplicate)


def _meaning(complaint: str, line: str, at: int) -> tuple[str, str]:
    """Returns the message and the help for an error of tomllib at this position of a line."""
    if control := _CONTROL.match(line, at):
        code = f"{ord(control.group()):04X}"
        help = _CONTROL_HELP.get(code, f"remove it; in text, write '\\u{code}'")
        return f"a control character, U+{code}", help
    for begins, before, here, message, help in _CLOSER:
        if (
            complaint.startswith(begins)
            and re.search(before, line[:at])
            and re.match(here, line[at:])
        ):
            return message, help
    for begins, message, help in _MEANINGS:
        if complaint.startswith(begins):
            return message, help
    return complaint[:1].lower() + complaint[1:], "see https://toml.io"


def _past(
    statements: list[Statement],
    index: int,
    line: int,
    lines: list[str],
    duplicate: Duplicate | None,
) -> int | None:
    """Returns the line after a statement. The statements below a header belong to it."""
    if not statements:
        return line + 1
    statement = statements[index]
    half = statement.line == line and _HALF_HEADER.match(lines[line - 1])
    if statement.is_header or half:
        under = statement.path if duplicate else None
        later = (s.line for s in statements[index + 1 :] if s.is_header and not _below(s, under))
        by_look = (n for n in range(line + 1, len(lines) + 1) if lines[n - 1].startswith("["))
        return next(later, None) or next(by_look, len(lines) + 1)
    if index + 1 < len(statements):
        return statements[index + 1].line
    if line != statement.line:
        return None
    return _past_brackets(lines, line) if _GOES_ON.search(lines[line - 1]) else line + 1


def _past_brackets(lines: list[str], line: int) -> int:
    """Returns the line after the bracket that probably closes the statement of this line."""
    for number in range(line + 1, len(lines) + 1):
        if lines[number - 1].startswith("["):
            return number
        if lines[number - 1].lstrip().startswith(("}", "]")):
            return number + 1
    return len(lines) + 1


def _below(statement: Statement, path: Path | None) -> bool:
    return path is not None and statement.path[: len(path)] == path


def _complain(mistake: _Mistake, report: Report) -> None:
    duplicate = mistake.duplicate
    if duplicate:
        name = duplicate.path[-1]
        if len(duplicate.path) == 2:
            what, id = f"{duplicate.path[0]} '{name}' is declared twice", "duplicate-name"
        else:
            what, id = f"'{name}' is set twice", "duplicate-key"
        note = Note(duplicate.first, "the first is here")
        report.error(id, duplicate.second, what, help="remove one of the two", notes=[note])
        return
    notes = []
    if mistake.place.line != mistake.start:
        start = Place(mistake.place.path, mistake.start, 1, 1)
        notes.append(Note(start, "the statement starts here"))
    report.error("toml-syntax", mistake.place, mistake.message, help=mistake.help, notes=notes)


def _without(text: str, mistake: _Mistake) -> str | None:
    """Blanks the lines of a statement, so that the line numbers of all others stay the same."""
    if mistake.past is None:
        return None
    lines = text.split("\n")
    gone = range(mistake.start - 1, min(mistake.past - 1, len(lines)))
    if not any(lines[index] for index in gone):
        return None
    for index in gone:
        lines[index] = ""
    return "\n".join(lines)


def _token_place(path: str, lines: list[str], line: int, column: int) -> Place:
    token = _TOKEN.match(lines[line - 1], column - 1)
    return Place(path, line, column, len(token.group()) if token else 1)


def _number_place(path: str, text: str) -> Place:
    number = _LONG_NUMBER.search(text)
    before = text[: number.start()] if number else ""
    column = len(before) - before.rfind("\n")
    return Place(path, before.count("\n") + 1, column, len(number.group()) if number else 1)
