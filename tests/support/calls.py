"""Finds which C files of a folder use which others, by definitions and not only by includes.

A module is a C file together with its header. An arrow leads from a module to each other module
that defines a function, variable, type or macro that it names. A function whose address is taken,
for example in a const table, counts like one that is called.
"""

from __future__ import annotations

import re
from pathlib import Path

COMMENT_OR_TEXT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
# Names that files share have the prefix of the runtime or of its inspector. A type after `struct`
# is known without its definition.
WORD = re.compile(r"(?<!struct )\b(?:weft|WEFT|serve|SERVE)_\w+")
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]', re.M)
MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.M)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.M)
# A typedef of a plain name or of a function pointer; then one with a body.
TYPEDEF = re.compile(
    r"^typedef\b[^;{]*?(?:\((?:\s*\w+)?\s*\*\s*(\w+)\s*\)|(\w+))\s*(?:\((?!\s*\*)[^;]*\))?;", re.M
)
BODY_TYPEDEF = re.compile(r"^\}\s*(\w+);", re.M)
ENUM = re.compile(r"\benum\s+\w*\s*\{([^}]*)\}")
# Text at the start of a line before a parenthesis whose match is followed by a brace.
HEAD = re.compile(r"^(?![ \t}#])([^\n;={}()]*?)\b(\w+)\s*\(", re.M)
# A definition at the start of a line, with a value or without; `struct name;` defines nothing.
VARIABLE = re.compile(
    r"^(?![ \t]|typedef\b|extern\b|static\b|(?:struct|union|enum)\s+\w+\s*;)"
    r"[\w \t*]*?\b(\w+)(?:\[[^\]]*\])*\s*(?:=|;)",
    re.M,
)


def code_of(path: Path) -> str:
    """Returns the text of a file without comments and string literals."""
    return COMMENT_OR_TEXT.sub(" ", path.read_text(encoding="utf-8"))


def end_of_parentheses(text: str, start: int) -> int:
    depth = 0
    for at in range(start, len(text)):
        depth += (text[at] == "(") - (text[at] == ")")
        if depth == 0:
            return at + 1
    return len(text)


def functions(text: str) -> tuple[set[str], set[str]]:
    """Returns the functions that a file defines, public and static."""
    shared: set[str] = set()
    private: set[str] = set()
    for match in HEAD.finditer(text):
        if not re.match(
            r"\s*(?:WEFT_\w+(?:\([^)]*\))?\s*)*\{",
            text[end_of_parentheses(text, match.end() - 1) :],
        ):
            continue
        (private if re.search(r"\bstatic\b", match[1]) else shared).add(match[2])
    return shared, private


def definitions(path: Path) -> set[str]:
    """Returns all names of a file that other files can know."""
    text = code_of(path)
    plain = DIRECTIVE.sub("", text)
    shared, private = functions(plain)
    names = shared | set(VARIABLE.findall(plain))
    if path.suffix == ".h":
        names |= private | set(MACRO.findall(text)) | set(BODY_TYPEDEF.findall(plain))
        names |= {one or other for one, other in TYPEDEF.findall(plain)}
        for body in ENUM.findall(plain):
            names |= set(re.findall(r"(?:^|,)\s*(\w+)", body))
    return names


def module_of(root: Path, path: Path) -> str:
    return path.relative_to(root).with_suffix("").as_posix()


def uses(root: Path) -> dict[str, dict[str, set[str]]]:
    """Returns for each module the modules that it uses and the names that it takes from each."""
    files = sorted([*root.rglob("*.c"), *root.rglob("*.h")])
    owner: dict[str, str] = {}
    for path in files:
        for name in filter(WORD.fullmatch, definitions(path)):
            before = owner.setdefault(name, module_of(root, path))
            assert before == module_of(root, path), f"{name} is defined in {before} and {path}"
    found: dict[str, dict[str, set[str]]] = {module_of(root, path): {} for path in files}
    for path in files:
        module = module_of(root, path)
        local = functions(code_of(path))[1] if path.suffix == ".c" else set()
        for name in set(WORD.findall(DIRECTIVE.sub(macro_body, code_of(path)))) - local:
            if owner.get(name, module) != module:
                found[module].setdefault(owner[name], set()).add(name)
        for include in INCLUDE.findall(path.read_text(encoding="utf-8")):
            for folder in (path.parent, root):
                target = (folder / include).resolve()
                if target in files and module_of(root, target) != module:
                    found[module].setdefault(module_of(root, target), set())
    return found


def macro_body(match: re.Match[str]) -> str:
    """Returns the part of a directive that may contain names: the body of a macro."""
    return (
        re.sub(r"^[ \t]*#[ \t]*(?:define[ \t]+\w+(?:\([^)]*\))?|\w+)", "", match[0])
        if "define" in match[0]
        else ""
    )
