"""Prints the structure of the runtime and the generator, and fails if one of its rules is broken.

The table has a row for each room of the runtime and each package of the generator: files, lines,
the longest file and function, and, for a room, the rooms that it uses. The rules: a room uses only
rooms below it, modules have no circle, a function has at most 60 lines, and a file, also one of the
tests, at most 700.
`ninja house` runs this.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "codegen")]

from calls import COMMENT_OR_TEXT, DIRECTIVE, HEAD, end_of_parentheses, uses  # noqa: E402
from model.graph import circles  # noqa: E402

RUNTIME = ROOT / "runtime"
CODEGEN = ROOT / "codegen"
TESTS = ROOT / "tests"
FUNCTION_LINES = 60
FILE_LINES = 700

# The rooms of the runtime, from the bottom to the top.
ROOMS = (
    "base", "math", "plan", "store", "value", "world", "record", "query", "edit",
    "copy", "index", "run", "fragment", "save", "part", "reflect", "select", "insight", "json",
)  # fmt: skip

# These folders use the runtime and are not part of it: the inspector, which is a library of its
# own, and the trace, which writes the turns of a world to a file.
APART = ("serve", "trace")
WHOLE = "serve/weft_serve"  # its .c includes all others, as weft.c does


# ---- arrows


@cache
def arrows() -> dict[str, dict[str, set[str]]]:
    """Returns the modules that each module of a room uses, and the names by which it does."""
    return {
        module: used
        for module, used in uses(RUNTIME).items()
        if "/" in module and not module.startswith(tuple(f"{one}/" for one in APART))
    }


@cache
def inner_arrows() -> dict[str, dict[str, set[str]]]:
    """Returns the arrows between modules of the rooms."""
    return {
        module: {used: names for used, names in used_modules.items() if "/" in used}
        for module, used_modules in arrows().items()
    }


def room_of(module: str) -> str:
    return module.split("/")[0]


def arrows_up() -> list[str]:
    return [
        f"{module} uses {', '.join(sorted(names))} of {used}, a room above it"
        for module, used_modules in inner_arrows().items()
        for used, names in used_modules.items()
        if ROOMS.index(room_of(used)) > ROOMS.index(room_of(module))
    ]


def home_of(module: str) -> str:
    """Returns the module that defines what `weft_<name>.h` declares: `<name>`, if it exists."""
    plain = module.replace("/weft_", "/")
    return plain if (RUNTIME / f"{plain}.c").exists() else module


@cache
def arrows_apart() -> dict[str, set[str]]:
    """Returns the modules that each module outside of the rooms uses."""
    found: dict[str, set[str]] = {}
    for module, used in uses(RUNTIME).items():
        if room_of(module) in APART and module != WHOLE:
            home = home_of(module)
            found.setdefault(home, set()).update({home_of(one) for one in used} - {home})
    return found


def in_circles() -> list[str]:
    inside = {module: sorted(used) for module, used in inner_arrows().items()}
    apart = {module: sorted(used) for module, used in arrows_apart().items()}
    found = [*circles(inside), *circles(apart)]
    return [f"a circle: {' -> '.join(one)}" for one in found]


# ---- sizes


@dataclass(frozen=True)
class Function:
    name: str
    path: Path
    lines: int


def blank(match: re.Match[str]) -> str:
    """Returns the line ends of a comment or literal, so that line numbers stay right."""
    return " " + "\n" * match[0].count("\n")


def c_functions(path: Path) -> Iterator[Function]:
    text = DIRECTIVE.sub(blank, COMMENT_OR_TEXT.sub(blank, path.read_text(encoding="utf-8")))
    for head in HEAD.finditer(text):
        end = end_of_parentheses(text, head.end() - 1)
        body = re.match(
            r"\s*(?:WEFT_\w+(?:\([^)]*\))?\s*)*\{.*?(?:^\}|\}$)", text[end:], re.M | re.S
        )
        if body:
            lines = text[head.start() : end].count("\n") + body[0].count("\n") + 1
            yield Function(head[2], path, lines)


def python_functions(path: Path) -> Iterator[Function]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield Function(node.name, path, (node.end_lineno or 0) - node.lineno + 1)


@cache
def functions(path: Path) -> tuple[Function, ...]:
    return tuple((python_functions if path.suffix == ".py" else c_functions)(path))


@cache
def lines(path: Path) -> int:
    return len(path.read_text(encoding="utf-8").splitlines())


def files(folder: Path) -> list[Path]:
    found = [*folder.rglob("*.[ch]"), *folder.rglob("*.py"), *folder.rglob("*.j2")]
    return sorted(path for path in found if "__pycache__" not in path.parts)


def too_long() -> list[str]:
    found = [
        f"{path.relative_to(ROOT)} has {lines(path)} lines, more than {FILE_LINES}"
        for path in sorted(TESTS.rglob("*"))
        if path.suffix in (".c", ".h", ".cpp", ".py")
        and "expected" not in path.parts  # what the generator printed
        and lines(path) > FILE_LINES
    ]
    for path in [*files(RUNTIME), *files(CODEGEN)]:
        name = path.relative_to(ROOT)
        if lines(path) > FILE_LINES and path != RUNTIME / "weft.h":  # the manual
            found.append(f"{name} has {lines(path)} lines, more than {FILE_LINES}")
        if path.suffix != ".j2":
            found += [
                f"{name}: {one.name} has {one.lines} lines, more than {FUNCTION_LINES}"
                for one in functions(path)
                if one.lines > FUNCTION_LINES
            ]
    return found


# ---- the table


def row(folder: Path, used: str) -> str:
    paths = files(folder)
    longest = max(paths, key=lines)
    known = [one for path in paths if path.suffix != ".j2" for one in functions(path)]
    function = max(known, key=lambda one: one.lines, default=None)
    total = sum(map(lines, paths))
    words = f"{function.name} {function.lines}" if function else ""
    return (
        f"{folder.relative_to(ROOT).as_posix():20} {len(paths):5} {total:7}  "
        f"{longest.name + ' ' + str(lines(longest)):28} {words:38} {used}".rstrip()
    )


def used_rooms(room: str) -> str:
    """Returns the rooms that a room uses, each with the number of arrows between modules."""
    count = Counter(
        room_of(used)
        for module, used_modules in inner_arrows().items()
        if room_of(module) == room
        for used in used_modules
        if room_of(used) != room
    )
    return " ".join(f"{name}:{count[name]}" for name in ROOMS if name in count)


def table() -> str:
    head = (
        f"{'room':20} {'files':>5} {'lines':>7}  {'longest file':28} {'longest function':38} uses"
    )
    rooms = [row(RUNTIME / room, used_rooms(room)) for room in (*ROOMS, *APART)]
    packages = sorted(path for path in CODEGEN.iterdir() if path.is_dir() and files(path))
    return "\n".join([head, *rooms, "", *(row(path, "") for path in packages)])


def faults() -> list[str]:
    return [*arrows_up(), *in_circles(), *too_long()]


if __name__ == "__main__":
    print(table())
    broken = faults()
    print("\n" + "\n".join(broken) if broken else "\nNo rule is broken.")
    sys.exit(bool(broken))
