"""Words for C: comments, string literals and numbers, so that templates only print."""

from __future__ import annotations

import re
import textwrap

COMMENT_WIDTH = 96
CODE_WIDTH = 110

INTEGER_BITS = {"u8": 8, "u16": 16, "u32": 32, "u64": 64, "i8": 8, "i16": 16, "i32": 32, "i64": 64}


def comment_lines(text: str, width: int = COMMENT_WIDTH) -> list[str]:
    """A doc text as lines for `//` comments: wrapped, and never ending in a backslash (which would join lines)."""
    lines: list[str] = []
    for paragraph in text.strip().split("\n"):
        lines += textwrap.wrap(paragraph, width, break_long_words=False) or [""]
    return [line + "." if line.endswith("\\") else line for line in _printable(lines)]


def one_line(text: str) -> str:
    """A doc text on one line, for a comment behind code."""
    return " ".join(" ".join(comment_lines(text, 10_000)).split())


def wrap_code(code: str, indent: int) -> str:
    """A long statement over several lines, broken at blanks outside of strings, continued 4 columns further in."""
    lines = [" " * indent]
    for i, word in enumerate(re.findall(r'(?:"(?:\\.|[^"\\])*"|[^\s"])+', code)):
        if i and len(lines[-1]) + 1 + len(word) > CODE_WIDTH:
            lines.append(" " * (indent + 4) + word)
        else:
            lines[-1] += f" {word}" if i else word
    return "\n".join(lines)


def string_literal(text: str) -> str:
    """A C string literal. Everything but plain printable ASCII and UTF-8 letters is escaped."""
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


def integer_literal(value: int, scalar: str) -> str:
    """An integer of a scalar type; the most negative ones have no literal of their own in C."""
    bits = INTEGER_BITS[scalar]
    if scalar.startswith("u"):
        return f"UINT64_C({value})" if bits == 64 else f"{value}u" if value > 0x7FFFFFFF else str(value)
    if value == -(1 << (bits - 1)) and bits >= 32:
        lowest = integer_literal(value + 1, scalar)
        return f"({lowest} - 1)"
    return f"INT64_C({value})" if bits == 64 else str(value)


def float_literal(value: float, scalar: str) -> str:
    """A float exactly as Python holds it (f32: rounded once, by the C compiler)."""
    text = repr(float(value))
    return text + "f" if scalar == "f32" else text


def count_of(n: int, noun: str, plural: str = "") -> str:
    """`1 field`, `3 fields`."""
    return f"{n:,} {noun if n == 1 else plural or noun + 's'}"


def _printable(lines: list[str]) -> list[str]:
    return ["".join(c if c.isprintable() else " " for c in line).rstrip() for line in lines]
