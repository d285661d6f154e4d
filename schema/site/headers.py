"""The directive `weft-header`: what a header of the runtime declares, with its comments."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent
from typing import Any

from docutils import nodes
from sphinx.util.docutils import SphinxDirective

RULE = re.compile(r"// -{20,}")
NAMED = (
    re.compile(r"#define (WEFT_\w+)"),
    re.compile(r"typedef (?:struct|enum|union) (weft_\w+)"),
    re.compile(r"typedef .*\(\*(weft_\w+)\)"),
    re.compile(r"typedef .*?(weft_\w+);"),
    re.compile(r"(?:struct|enum|union) (weft_\w+)\s*\{"),
)


@dataclass
class Entry:
    """A declaration with the comment above it."""

    code: list[str] = field(default_factory=list)
    comment: list[str] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """Returns what is declared: several functions may stand below one comment."""
        code = "\n".join(self.code)
        if code.startswith(("#define", "typedef", "struct", "enum", "union")):
            found = (pattern.search(code) for pattern in NAMED)
            return next(([one[1]] for one in found if one), [])
        return re.findall(r"^\w[\w *]*?\b(weft_\w+)\(", code, re.MULTILINE)

    @property
    def shown(self) -> str:
        """Returns the declaration without the body of an inline function."""
        code = "\n".join(self.code)
        if re.match(r"(static inline|WEFT_\w+ )", code) and "{" in code:
            return code[: code.index("{")].rstrip() + ";"
        return code


@dataclass
class Part:
    title: str
    manual: list[str] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)


def parts(header: str) -> Iterator[Part]:
    """Splits a header at its ruled lines. Macros without a comment are left out."""
    part, comment, lines = Part(""), [], iter(header.splitlines())
    joined = False  # the line before belongs to a declaration
    for line in lines:
        if RULE.match(line):
            yield part
            part, comment = Part(next(lines).removeprefix("//").strip()), []
        elif line.startswith("//"):
            comment.append(line.removeprefix("//").removeprefix(" "))
        elif not line.strip():
            if not part.title:
                part.manual = part.manual or comment  # the comment at the head of the file
            comment = []
        elif re.fullmatch(r'[A-Z_]+|extern "C" \{|\}', line):
            comment = []  # WEFT_EXTERN_C_BEGIN
        else:
            code = [line, *rest_of(line, lines)]
            if line.startswith("#if") and not part.title:
                part.manual, comment = part.manual or comment, []
            if joined and not comment and not line.startswith("#"):
                part.entries[-1].code += code
            elif comment or not line.startswith("#"):
                part.entries.append(Entry(code, comment))
            comment, joined = [], not line.startswith("#")
            continue
        joined = False
    yield part


def rest_of(first: str, lines: Iterator[str]) -> Iterator[str]:
    """Returns the lines of a declaration after its first."""
    depth, line = 0, first
    while not ends(first, line, depth := depth + line.count("{") - line.count("}")):
        following = next(lines, None)
        if following is None:
            return
        line = following
        yield line


def ends(first: str, line: str, depth: int) -> bool:
    if first.startswith("#"):
        return not line.endswith("\\")
    return depth == 0 and re.search(r"[;}]\s*(//.*)?$", line) is not None


class Header(SphinxDirective):
    required_arguments = 1
    has_content = False

    def run(self) -> list[nodes.Node]:
        path = Path(self.env.srcdir, self.arguments[0])
        self.env.note_dependency(str(path))
        names = self.env.get_domain("weft")
        made: list[nodes.Node] = []
        for part in parts(path.read_text(encoding="utf-8")):
            made += paragraphs(part.manual)
            entries = [entry for entry in part.entries if entry.names]
            if not entries:
                continue
            if part.title:
                made.append(nodes.rubric(part.title, part.title))
            for entry in entries:
                made += self.entry(entry, names)
        return made

    def entry(self, entry: Entry, names: Any) -> list[nodes.Node]:
        target = nodes.target("", "", ids=[nodes.make_id(name) for name in entry.names])
        for name in entry.names:
            names.note(self.env.docname, name, nodes.make_id(name))
        code = nodes.literal_block(entry.shown, entry.shown, language="c")
        return [target, code, *paragraphs(entry.comment)]


def paragraphs(comment: list[str]) -> list[nodes.Node]:
    """Returns the paragraphs of a comment. Indented lines are a list, or code, below a title."""
    made: list[nodes.Node] = []
    for text in re.split(r"\n\s*\n", "\n".join(comment)):
        found = re.search(r"^ ", text, re.MULTILINE)
        title, indented = (text[: found.start()], text[found.start() :]) if found else (text, "")
        long = len(title) > 40
        if title.strip():
            made.append(
                prose(title) if long or not indented else nodes.rubric(title, title.strip())
            )
        if indented.lstrip().startswith("- "):
            items = re.split(r"^ *- ", indented, flags=re.MULTILINE)[1:]
            made.append(nodes.bullet_list("", *(nodes.list_item("", prose(one)) for one in items)))
        elif indented:
            made.append(nodes.literal_block(indented, dedent(indented), language="c"))
    return made


def prose(text: str) -> nodes.paragraph:
    """Returns a paragraph in which `names` are code."""
    made = nodes.paragraph()
    for number, piece in enumerate(" ".join(text.split()).split("`")):
        made += nodes.literal(piece, piece) if number % 2 else nodes.Text(piece)
    return made


def setup(app: Any) -> dict[str, bool]:
    app.add_directive("weft-header", Header)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
