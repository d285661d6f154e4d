"""Writes the Ninja files that list test programs, worlds of tests and parts of the runtime.

    programs.py          writes tests/programs.ninja, tests/worlds.ninja and tests/parts.ninja
    programs.py --diff   prints what is out of date, and fails if anything is

A test program in C describes itself in comments at the start of its file:

    // program: moving quick      the lists of variant.ninja that run it; a program may be in none
    // program: narrow:narrow     for a world with several widths of handles: WIDTH:LIST
    // links: systems.c           further C files, by name in its folder or by path from the root
    // libs: -lm                  further libraries
    // flags: hot                 the variable of build.ninja with further flags for this file
    // reads: world.save          files of its folder that the program reads

`links`, `libs` and `flags` may stand in any C file that a program links. The rest follows from the
#include lines. For example, the header of a world links that world, and `model.h` links `model.c`
if that file is in the same folder. A schema states in the same way how to compile its code:

    # flags: world=hot run=played     one object for each part, with these flags; else one for all
    # links: systems.c                the C files that every program of this world links
"""

from __future__ import annotations

import difflib
import re
import sys
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Each folder that has test programs or worlds, and where its objects go in a build.
FOLDERS = {
    "tests/runtime/unit": "unit",
    "tests/runtime/world": "world",
    "tests/runtime/region": "region",
    "tests/runtime/hooks": "hooks",
    "tests/runtime/insight": "insight",
    "tests/runtime/serve": "inspector",
    "tests/runtime/json": "json",
    "tests/runtime/select": "select",
    "tests/runtime/changes": "changes",
    "tests/saves/harm": "harm",
    "tests/saves/exact": "exact",
    "tests/fuzz": "fuzz",
    "tests/user/stream": "stream",
    "tests/game": "game",
    "tests/game/picture": "picture",
    "tests/game/inspect": "inspect",
}
WIDTHS = ("narrow", "middle", "wide")
MADE = "# Written by tests/programs.py from comments in C files and schemas. Do not edit.\n\n"


@cache
def directives(path: Path) -> dict[str, list[str]]:
    """Returns the words of each comment `NAME: WORDS` at the start of a file."""
    found: dict[str, list[str]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith(("//", "#")) or line.startswith("#include"):
            break
        match = re.fullmatch(r"(?://|#) (program|links|libs|flags|reads): ?(.*)", line)
        if match:
            found.setdefault(match[1], []).extend(match[2].split())
    return found


# ---- worlds


@dataclass(frozen=True)
class World:
    """A world of the tests, with one width of handles."""

    name: str
    schema: Path
    width: str  # empty if it has one width only

    @property
    def parent(self) -> str:
        """The folder below which the world's folder is generated."""
        return f"build/generated/{self.width}" if self.width else "build/generated"

    @property
    def sources(self) -> list[str]:
        at = f"{self.parent}/{self.name}/{self.name}"
        return [f"{at}_{part}.c" for part in ("world", "run", "schema")]

    @property
    def include(self) -> str:
        """The flags that find its headers, and those of the game that these include."""
        named = re.findall(r'"(\w+\.h)"', self.schema.read_text(encoding="utf-8"))
        found = [resolve(name, self.schema) for name in named]
        folders = {relative(self.schema.parent), *(relative(one.parent) for one in found if one)}
        return " ".join(f"-I {one}" for one in (f"{self.parent}/{self.name}", *sorted(folders)))

    @property
    def objects(self) -> str:
        """The path of its objects in a build, less what tells them apart."""
        return f"{place(self.schema, self.width)}/{self.name}"

    def linked(self) -> str:
        split = "flags" in directives(self.schema)
        return f"{self.objects}.a" if split else f"{self.objects}_world.o"

    def statements(self) -> str:
        given = directives(self.schema).get("flags")
        flags = f"$cflags {self.include}"
        if given is None:
            sources = " ".join(self.sources)
            return f"build {self.objects}_world.o: weft_world {sources}\n  cflags = {flags}\n"
        ways = dict(one.split("=") for one in given if "=" in one)
        text, objects = "", []
        for source in self.sources:
            part = Path(source).stem.removeprefix(f"{self.name}_")
            objects.append(f"{self.objects}_{part}.o")
            more = f" ${ways[part]}" if part in ways else ""
            text += f"build {objects[-1]}: weft_cc {source}\n  cflags = {flags}{more}\n"
        return text + wrap(f"build {self.objects}.a: weft_archive", objects)


@cache
def worlds() -> dict[str, list[World]]:
    """Returns the worlds of the tests by name, each in its widths."""
    found: dict[str, list[World]] = {}
    for folder in FOLDERS:
        for schema in sorted((ROOT / folder).glob("*.toml")):
            name = re.search(
                r'^\[world\]\n(?:.*\n)*?name = "(\w+)"', schema.read_text("utf-8"), re.M
            )
            if name:
                width = schema.stem if schema.stem in WIDTHS else ""
                found.setdefault(name[1], []).append(World(name[1], schema, width))
    return found


# ---- C files


@dataclass
class Used:
    """The needs of a C file: its own, and those of the files that it includes and links."""

    sources: dict[Path, None] = field(default_factory=dict)
    worlds: dict[str, None] = field(default_factory=dict)
    folders: dict[str, None] = field(default_factory=dict)
    libs: dict[str, None] = field(default_factory=dict)
    game: bool = False  # the colony

    def add(self, other: Used) -> None:
        self.sources |= other.sources
        self.worlds |= other.worlds
        self.libs |= other.libs
        self.game |= other.game


def relative(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def place(path: Path, width: str) -> str:
    """Returns the folder of a build for the objects of a file."""
    folder = FOLDERS[relative(path.parent)]
    return f"$builddir/{folder}/{width}" if width else f"$builddir/{folder}"


@cache
def headers() -> dict[str, list[Path]]:
    """Returns the handwritten headers that tests share, by name."""
    found: dict[str, list[Path]] = {}
    for folder in (*FOLDERS, "tests/support"):
        if folder.startswith("tests/game"):
            continue  # these are included from beside
        for path in (ROOT / folder).glob("*.h"):
            found.setdefault(path.name, []).append(path)
    return found


def resolve(name: str, user: Path) -> Path | None:
    """Finds what a file includes by this name; None if it is not a header of tests."""
    beside = (user.parent / name).resolve()
    if beside.exists():
        return beside
    if relative(user).startswith("tests/game/"):
        game = ROOT / "tests/game" / name
        return game if game.exists() else None
    known = headers().get(name, [])
    return known[0] if len(known) == 1 else None


def world_of(name: str) -> str | None:
    """Returns the world that a generated header belongs to."""
    words = name.removesuffix(".h").split("_")
    return words[0] if words[0] in worlds() else None


def includes(path: Path, into: Used, seen: set[Path]) -> None:
    """Collects the worlds, C files and folders that a file includes, directly or not."""
    if path in seen:
        return
    seen.add(path)
    for name in re.findall(r'^\s*#include "([^"]+)"', path.read_text(encoding="utf-8"), re.M):
        header = resolve(name, path)
        if header is None:
            world = world_of(name)
            into.game |= name.startswith("colony")
            into.worlds |= {world: None} if world else {}
            continue
        if header.parent != path.parent and "/" not in name:
            into.folders[relative(header.parent)] = None
        body = header.with_suffix(".c")
        if header.suffix == ".h" and body.exists() and relative(body.parent) in FOLDERS:
            into.sources[body] = None
        includes(header, into, seen)


@cache
def own(path: Path) -> Used:
    """Returns the needs of one C file: its #include lines and its comments."""
    used = Used()
    includes(path, used, set())
    for name in directives(path).get("links", []):
        used.sources[ROOT / name if "/" in name else path.parent / name] = None
    used.libs |= dict.fromkeys(directives(path).get("libs", []))
    used.sources.pop(path, None)
    return used


def systems_of(world: str) -> dict[Path, None]:
    """Returns the C files that a world's schema links: those with its systems."""
    schema = worlds()[world][0].schema
    return {schema.parent / name: None for name in directives(schema).get("links", [])}


@cache
def linked(program: Path) -> Used:
    """Returns the needs of a whole program: its own, and those of each file that it links."""
    total, left = Used(), [program]
    seen = {program}
    while left:
        path = left.pop()
        used = own(path)
        total.add(used)
        for name in used.worlds:
            total.sources |= systems_of(name)
        new = [path for path in total.sources if path not in seen]
        seen.update(new)
        left += new
    total.sources.pop(program, None)
    return total


def of_width(name: str, width: str) -> World:
    several = worlds()[name]
    return next((one for one in several if one.width == width), several[0])


def width_of(path: Path, width: str) -> str:
    """Returns the width if a C file depends on it, else nothing."""
    return width if any(of_width(name, width).width for name in own(path).worlds) else ""


def wrap(head: str, words: list[str], tail: str = "") -> str:
    """Returns a statement of Ninja, folded into lines."""
    lines, line = [], head
    for word in words:
        if len(line) + len(word) > 100:
            lines.append(line + " $")
            line = "   "
        line += f" {word}"
    return "\n".join([*lines, line + tail]) + "\n"


def flags_of(path: Path, width: str) -> str:
    used = own(path)
    words = [f"-I {folder}" for folder in sorted(used.folders)]
    words += [of_width(name, width).include for name in sorted(used.worlds)]
    words += [f"${name}" for name in directives(path).get("flags", [])]
    return f"  cflags = $cflags {' '.join(words)}\n" if words else ""


def after(path: Path, width: str) -> str:
    """Returns the files that must be generated before a file can be compiled."""
    made = [of_width(name, width).sources[0] for name in sorted(own(path).worlds)]
    if own(path).game:
        made.append("generated/colony/colony_world.c")
    return f" || {' '.join(made)}" if made else ""


# ---- the file of programs


class Programs:
    """Statements for every test program, each object once."""

    def __init__(self) -> None:
        self.text = MADE + "# What variant.ninja includes.\n"
        self.lists: dict[str, list[str]] = {}
        self.made: set[str] = set()

    def add(self, name: str, statements: str) -> None:
        if name not in self.made:
            self.made.add(name)
            self.text += statements

    def object(self, path: Path, width: str) -> str:
        width = width_of(path, width)
        name = f"{place(path, width)}/{path.stem}.o"
        statement = f"build {name}: weft_cc {relative(path)}{after(path, width)}\n"
        self.add(name, statement + flags_of(path, width))
        return name

    def program(self, path: Path, width: str, runners: list[str]) -> None:
        used = linked(path)
        parts = [one for one in used.sources if one.parent != ROOT / "tests/game"]
        inputs = [relative(path), *(self.object(one, width) for one in parts)]
        for world in (of_width(name, width) for name in used.worlds):
            self.add(world.linked(), world.statements())
            inputs.append(world.linked())
        inputs += ["$builddir/libcolony.a"] if used.game else []
        name = f"{place(path, width)}/{path.stem}"
        head = f"build {name}: program"
        self.text += wrap(head, [*inputs, "$builddir/libweft.a"], after(path, width))
        self.text += flags_of(path, width)
        libs = " ".join(used.libs)
        self.text += f"  cmocka = {libs} $cmocka\n" if libs else ""
        if not runners:
            return
        reads = [relative(path.parent / one) for one in directives(path).get("reads", [])]
        self.text += wrap(
            f"build {name}.result: test_program {name}", ["|", *reads] if reads else []
        )
        for runner in runners:
            self.lists.setdefault(runner, []).append(f"{name}.result")

    def every(self, path: Path) -> None:
        words = directives(path)["program"]
        widths: dict[str, list[str]] = {}
        for word in words:
            width, _, runner = word.rpartition(":") if ":" in word else ("", "", word)
            widths.setdefault(width, []).extend([runner] if runner else [])
        if path.stem.startswith("test_") and not all(widths.values() or [[]]):
            raise SystemExit(f"{relative(path)}: `// program:` must name a list that runs it")
        for width, runners in (widths or {"": []}).items():
            self.program(path, width, runners)

    def whole(self) -> str:
        for folder in FOLDERS:
            for path in sorted((ROOT / folder).glob("*.c")):
                if "program" in directives(path):
                    self.every(path)
        for runner in sorted(self.lists):
            self.text += wrap(f"build $builddir/{runner}: list", self.lists[runner])
        return self.text


def worlds_file() -> str:
    all_worlds = sorted(
        (one for several in worlds().values() for one in several),
        key=lambda one: (one.parent, one.name),
    )
    text = MADE + "# The code of these worlds is generated by one process.\n\n"
    text += "include tests/support/worlds.ninja\n\n"
    text += wrap("worlds =", [f"{one.parent}={relative(one.schema)}" for one in all_worlds])
    text += f"\nbuild build/worlds.dd: plan_worlds\n  first = {all_worlds[0].sources[0]}\n"
    made = [source for one in all_worlds for source in one.sources]
    text += wrap("build", made, ": generate_worlds || build/worlds.dd")
    return text + "  dyndep = build/worlds.dd\n"


def parts_file() -> str:
    text = MADE + (
        "# The runtime in parts, an object for each of its C files, as libweft.a. The library of\n"
        "# one file that runtime/weft.ninja makes lies in a folder of its own.\n\n"
        "whole = $builddir\nparts = $whole/parts\nbuilddir = $parts/one_file\n"
        "include runtime/weft.ninja\nbuilddir = $whole\n\n"
    )
    paths = sorted((ROOT / "runtime").glob("*/*.c"))
    names = [
        relative(path).removeprefix("runtime/")
        for path in paths
        if path.parent.name not in ("serve", "trace")
    ]
    for name in names:
        text += f"build $parts/{name[:-2]}.o: weft_cc $weft/runtime/{name}\n"
    return text + wrap(
        "\nbuild $builddir/libweft.a: weft_archive", [f"$parts/{one[:-2]}.o" for one in names]
    )


def main() -> int:
    made = {
        "tests/programs.ninja": Programs().whole(),
        "tests/worlds.ninja": worlds_file(),
        "tests/parts.ninja": parts_file(),
    }
    stale = False
    for name, text in made.items():
        path = ROOT / name
        before = path.read_text(encoding="utf-8") if path.exists() else ""
        if before == text:
            continue
        stale = True
        if "--diff" in sys.argv:
            lines = (before.splitlines(), text.splitlines())
            print("\n".join(difflib.unified_diff(*lines, name, "as it should be", lineterm="")))
        else:
            path.write_text(text, encoding="utf-8")
    return int(stale and "--diff" in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
