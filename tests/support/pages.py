"""Extracts the blocks of code from pages, and makes programs and schemas of them for tests.

A page uses one world, `schema/burrow.toml`. tests/user/README.md explains the kinds of blocks.
"""

from __future__ import annotations

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from built import ROOT, built
from generated import Generated, generate, write_whole
from installed import Folder, script

FOLDERS = ("tutorials", "howto", "reference", "explanation")
BURROW = (ROOT / "schema/burrow.toml").read_text(encoding="utf-8")
FENCE = re.compile(r"^```(\S*)[ \t]*(.*)\n((?:.*\n)*?)^```[ \t]*$", re.MULTILINE)
DEFINITION = re.compile(
    r"(//.*\n)*(#|static|void|typedef|struct|WEFT_HOT|template|using|[A-Z_]+_DEFINE)"
)
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wno-unused", "-Werror"]
HEADERS = ("assert", "math", "stdio", "stdlib", "string")
SYSTEM = re.compile(r"^void (\w+)\(\s*const \w+_ctx \*", re.MULTILINE)
MACRO = re.compile(r"^([A-Z_]+)_DEFINE_(\w+)\(", re.MULTILINE)  # in place of the prototype


@dataclass(frozen=True)
class Block:
    """A block of code: ```` ```c run ```` has the language `c` and the label `run`."""

    language: str
    label: str
    text: str
    line: int

    @property
    def is_file(self) -> bool:
        return bool(re.fullmatch(r"[\w./-]+\.\w+|Makefile", self.label))


def pages() -> list[Path]:
    found = [path for name in FOLDERS for path in (ROOT / "schema" / name).glob("*.md")]
    return sorted(found)


def name(page: Path) -> str:
    return page.relative_to(ROOT / "schema").as_posix()


def needs_more(page: Path) -> bool:
    """Returns whether a page has the comment that leaves it to `ninja test-reach`, which has its
    tools.
    """
    return re.search("<!-- needs: .* -->", page.read_text(encoding="utf-8")) is not None


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(found[1], found[2].strip(), found[3], text.count("\n", 0, found.start()) + 1)
        for found in FENCE.finditer(text)
        if not found[1].startswith("{")  # Sphinx fills this in
    ]


def answer(found: list[Block], number: int) -> Block | None:
    """Returns the `text` block after a block, which contains its output."""
    after = found[number + 1 : number + 2]
    return next((block for block in after if block.language == "text"), None)


def plain(error: str) -> str:
    """Returns an error without line numbers, which change with the burrow."""
    without = re.sub(r"^(\w+\.toml):\d+:", r"\1:", error, flags=re.MULTILINE)
    return re.sub(r"^ *\d* \| ?", "| ", without, flags=re.MULTILINE)


def merged(fragments: list[str]) -> str:
    """Returns the schema of the burrow with other tables instead of, or after, its own."""
    tables: dict[str, str] = {}
    for text in [BURROW, *fragments]:
        found = split(text)
        world = found.pop("[world]", "")
        if tables:
            tables["[world]"] = with_keys(tables["[world]"], world)
        else:
            tables["[world]"] = world
        tables |= found
    return "\n".join(text.rstrip("\n") + "\n" for text in tables.values())


def split(schema: str) -> dict[str, str]:
    """Returns the text of each table with its subtables: `[system.eat]` has that of its partial."""
    tables: dict[str, str] = {}
    head = ""
    for line in schema.splitlines(keepends=True):
        found = re.match(r"\[(\w+(?:\.\w+)?)(?:\.[\w.]+)?\]", line)
        if found:
            head = f"[{found[1]}]"
        if head:
            tables[head] = tables.get(head, "") + line
        else:
            tables["[world]"] = tables.get("[world]", "")
    return tables


def with_keys(table: str, keys: str) -> str:
    """Returns a table in which these keys have other values."""
    for line in keys.splitlines(keepends=True):
        if "=" in line:
            key = line.split("=")[0].strip()
            table = re.sub(rf"^{key} *=.*\n", "", table, flags=re.MULTILINE).rstrip("\n") + "\n"
            table += line
    return table


def write_schema(folder: Path, fragments: list[str]) -> Generated:
    """Generates the burrow, with these tables, into a folder."""
    schema = folder / "burrow.toml"
    schema.write_text(merged(fragments), encoding="utf-8")
    result = generate(schema, own_headers=folder, strict=False)
    result.write(folder)
    return result


def program(block: Block, world: Generated) -> str:
    """Returns a program that opens a world and runs the block."""
    definitions, statements = parts_of(block)
    cpp = block.language == "cpp"
    return "\n".join(
        [
            f'#include "burrow.{"hpp" if cpp else "h"}"',
            *(f"#include <{f'c{name}' if cpp else f'{name}.h'}>" for name in HEADERS),
            definitions,
            idle_functions(world, definitions),
            "int main(void)\n{",
            opened(statements, cpp=cpp),
            statements,
            "" if cpp or "_open(" in statements else "burrow_close(w);",
            "return 0;\n}\n",
        ]
    )


def parts_of(block: Block) -> tuple[str, str]:
    """Returns the definitions of a block, which stand outside of `main`, and its statements."""
    definitions, statements = [], []
    for part in re.split(r"\n\n|^…\n", block.text, flags=re.MULTILINE):
        (definitions if DEFINITION.match(part) else statements).append(part.replace("…;", ";"))
    return "\n\n".join(definitions), "\n\n".join(statements)


def idle_functions(world: Generated, definitions: str) -> str:
    """Returns empty systems and hooks, without those that are defined already."""
    defined = set(SYSTEM.findall(definitions))
    defined |= {f"{prefix}_{name}".lower() for prefix, name in MACRO.findall(definitions)}
    functions = world.idle_game.split("\n", 1)[1].split("\n\n")
    named = [(SYSTEM.search(function.strip()), function) for function in functions]
    return "\n".join(function for found, function in named if not found or found[1] not in defined)


def opened(statements: str, *, cpp: bool) -> str:
    if cpp:
        return "" if "weft::world<" in statements else "weft::world<burrow_world> w;"
    if "_open(" in statements:
        return ""
    return "burrow_world *w = burrow_open(&(weft_options){0});\nif (w == NULL) return 1;"


def run(command: list[str | Path], folder: Path, what: str = "") -> str:
    """Returns the output of a command, which must succeed."""
    done = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{what}\n{done.stdout}"
    return done.stdout


def compile_block(block: Block, world: Generated, folder: Path) -> Path:
    """Returns the object of a block."""
    cpp = block.language == "cpp"
    source = folder / f"line_{block.line}.{block.language}"
    source.write_text(program(block, world), encoding="utf-8")
    compiler = ["g++", "-std=c++20"] if cpp else ["gcc", "-std=c11"]
    folders = ["-I", folder, "-I", folder / "burrow", "-I", ROOT / "runtime"]
    made = folder / f"{source.name}.o"
    run([*compiler, *WARNINGS, *folders, "-c", source, "-o", made], folder, f"line {block.line}")
    return made


def compile_world(folder: Path) -> Path:
    """Returns the object of what was generated, compiled as one file."""
    folders = ["-I", folder, "-I", folder / "burrow", "-I", ROOT / "runtime"]
    flags = ["-std=c11", "-ffp-contract=off"]
    whole = write_whole(folder / "burrow")
    run(["gcc", *flags, *folders, "-c", whole, "-o", "whole.o"], folder)
    return folder / "whole.o"


def output(thing: Path, world: Path, folder: Path) -> str:
    """Links a block with its world and the runtime, and returns what it prints."""
    library = built("build/clang/libweft.a")
    run(["g++", thing, world, library, "-pthread", "-lm", "-o", "block"], folder)
    return run([folder / "block"], folder)


def do_as_the_page_says(page: Path, tmp_path: Path) -> None:
    """Writes files and runs commands, in the order of the page, in an empty folder next to Weft."""
    (tmp_path / "weft").symlink_to(ROOT)
    commands = tmp_path / "commands"
    commands.mkdir()
    script(commands / "weft", f'exec {ROOT}/.venv/bin/python3 {ROOT}/codegen "$@"\n')
    # The last -O counts. Nothing is measured here, and optimising the runtime takes a minute.
    # ccache would find this script in PATH and call it without end.
    places = (Path(folder) / "cc" for folder in os.environ["PATH"].split(os.pathsep))
    real = next(cc for cc in places if cc.exists() and cc.resolve().name != "ccache")
    script(commands / "cc", f'exec {real} "$@" -O0\n')
    (tmp_path / "game").mkdir()
    folder = Folder(tmp_path / "game", commands)
    found = blocks(page)
    for number, block in enumerate(found):
        if block.is_file:
            folder.path.joinpath(block.label).parent.mkdir(parents=True, exist_ok=True)
            folder.write(block.label, block.text)
        elif block.language == "sh" and block.label != "shown":
            printed = folder.run(block.text)
            told = answer(found, number)
            assert told is None or told.label == "shown" or printed.endswith(told.text), (
                f"line {block.line}\n{printed}"
            )
