"""Writes comments, string literals and numbers, so that templates only print them."""

from __future__ import annotations

import math
import re
import struct
import textwrap

from model.scalars import SCALARS, Kind

COMMENT_WIDTH = 96
LITERAL_BYTES = 4095  # every compiler accepts this length of a string literal
_ESCAPED = re.compile(r'["\\?]')  # printable characters that need an escape
_SENTENCE_END = re.compile(r"(?<=[.!?]) ")


def comment_lines(text: str, width: int = COMMENT_WIDTH) -> list[str]:
    """Breaks a doc text into lines of a comment. Keeps blank and indented lines and list items."""
    paragraphs: list[str] = []
    for line in _printable(text.strip()).split("\n"):
        goes_on = paragraphs and paragraphs[-1] and line and not line.startswith((" ", "-", "*"))
        if goes_on:
            paragraphs[-1] += " " + line
        else:
            paragraphs.append(line.rstrip())
    lines = [line for p in paragraphs for line in _wrapped(p, width) or [""]]
    return [_safe_end(line) for line in lines] if any(lines) else []


def one_line(text: str) -> str:
    """Writes a text on one line, for a comment after code."""
    return _safe_end(" ".join(_printable(text).split()))


def first_sentence(text: str) -> str:
    """Returns the first sentence of the first paragraph."""
    paragraph = next(iter(comment_lines(text, len(text) + 1)), "")
    return _SENTENCE_END.split(paragraph, maxsplit=1)[0]


def all_of(noun: str, names: list[str]) -> str:
    """Names all, as in `tag ripe` and `tags ripe, busy and asleep`; "" without names."""
    *most, last = names or [""]
    if not most:
        return f"{noun} {last}" if last else ""
    return f"{noun}s {', '.join(most)} and {last}"


def string_literal(text: str) -> str:
    """Writes a C string literal, and escapes all but printable characters."""
    if text.isprintable() and not _ESCAPED.search(text):
        return f'"{text}"'
    out: list[str] = []
    for char in text:
        if char in '"\\':
            out.append("\\" + char)
        elif char == "\n":
            out.append("\\n")
        elif char == "?":
            out.append("\\?")  # never a trigraph
        elif char.isprintable():
            out.append(char)
        else:
            out += [f"\\{byte:03o}" for byte in char.encode()]
    return '"' + "".join(out) + '"'


def string_pointer(text: str) -> str:
    """Writes a constant of type `const char *`, however long the text is."""
    return f"(const char[]){char_array(text)}" if _is_long(text) else string_literal(text)


def string_array(text: str) -> str:
    """Writes an initialiser of a `char[N]`, however long the text is."""
    return char_array(text) if _is_long(text) else string_literal(text)


def char_array(text: str) -> str:
    """Writes the bytes of a text and a NUL in braces."""
    return "{" + ", ".join([*map(_char_literal, text.encode()), "0"]) + "}"


def _char_literal(byte: int) -> str:
    return f"'{chr(byte)}'" if chr(byte).isascii() and chr(byte).isalnum() else f"'\\{byte:03o}'"


def _is_long(text: str) -> bool:
    return len(text.encode()) > LITERAL_BYTES


def integer_literal(value: int, scalar: str) -> str:
    """Writes an integer. C has no literal for the most negative values, so they are expressions."""
    bits = SCALARS[scalar].bits
    if bits == 64 and SCALARS[scalar].kind is Kind.UNSIGNED:
        return f"UINT64_C({value})"
    if value == -(1 << (bits - 1)) and bits >= 32:
        return f"({integer_literal(value + 1, scalar)} - 1)"
    if bits == 64:
        return f"INT64_C({value})"
    return f"{value}u" if value > 0x7FFFFFFF else str(value)


def float_literal(value: float, scalar: str) -> str:
    """Writes a float exactly as Python holds it; the C compiler rounds an f32 once.

    A value that C would round to zero is written as zero, because compilers warn of such literals.
    """
    value = float(value)
    if SCALARS[scalar].bytes == 8:
        return repr(value)
    if struct.unpack("f", struct.pack("f", value))[0] == 0.0:
        value = math.copysign(0.0, value)
    return f"{value!r}f"


def number(value: int | float) -> str:
    """Writes a number for readers, as in `40,000`, `0.05`, `1e+300`."""
    return f"{value:,}" if isinstance(value, int) else f"{value:.15g}"


def count_of(n: int, noun: str, plural: str = "") -> str:
    """Counts things, as in `1 field`, `3 fields`."""
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"


def _wrapped(paragraph: str, width: int) -> list[str]:
    if len(paragraph) <= width:
        return [paragraph.rstrip()] if paragraph.strip() else []
    indent = " " * (len(paragraph) - len(paragraph.lstrip(" -*")))
    return textwrap.wrap(
        paragraph,
        width,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _safe_end(line: str) -> str:
    """Ends a line so that a final backslash or its trigraph does not continue the comment."""
    return line + "." if line.endswith(("\\", "??/")) else line


def _printable(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else " " for c in text)
