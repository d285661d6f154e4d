"""gdb and lldb print a world exactly as expected, in a running program and in a core file."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from debugger import debug_files
from generated import generate

HERE = Path(__file__).parent
RUNTIME = HERE.parents[2] / "runtime"
BEGIN = "---- begin"
DEBIAN_LLDB = "/usr/lib/llvm-14/lib/python3.11/dist-packages"

WEFT = [
    "entities",
    "entities sleepers",
    "entities fever 0",
    "entities carried_by",
    "entities tent_parts",
    "entities by_name 0",
    "rows stroll",
    "rows news",
    "rows carriers",
    "entity 0:1",
    "tables",
    "singletons",
    "schedule",
]
WRONG = ["entities nobody", "rows fever", "entity ada", "shout"]


Camps = Callable[[str, str], "Camp"]


class Camp:
    """A folder with the program, compiled by one compiler at one level, and its script."""

    def __init__(self, folder: Path, compiler: str, level: str, bits: str = "") -> None:
        schema = folder / "camp.toml"
        text = (HERE / "camp.toml").read_text(encoding="utf-8")
        schema.write_text(re.sub("entity = {.*}", bits, text) if bits else text, encoding="utf-8")
        made = generate(schema)
        include = made.write(folder)
        for name, text in debug_files(made.model).items():
            (folder / name).write_text(text, encoding="utf-8")
        self.folder = folder
        sources = [HERE / "camp.c", RUNTIME / "weft.c", *sorted(include.glob("*.c"))]
        flags = ["-std=c11", "-g", level, "-pthread", f"-I{include}", f"-I{RUNTIME}"]
        self.run([compiler, *flags, *map(str, sources), "-o", "program"])

    def run(self, command: list[str], *, fails: bool = False, modules: str = DEBIAN_LLDB) -> str:
        done = subprocess.run(
            command,
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": modules, "LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert fails or done.returncode == 0, done.stdout
        return done.stdout

    def gdb_lines(self, lines: list[str]) -> str:
        """Returns what gdb prints for lines of which one may fail."""
        script = "".join(f"{line}\n" for line in ["source camp_debug.py", *lines])
        (self.folder / "few.gdb").write_text(script, encoding="utf-8")
        return self.run(["gdb", "-nx", "-batch", "-x", "few.gdb", "./program"], fails=True)

    def gdb(self, *start: str, program: tuple[str, ...]) -> str:
        shown = ["print *ctx", "print ctx->entities[0]", "print camper[0]", "print *ctx->weather"]
        asked = [f"weft {words}" for words in WEFT]
        wrong = [f"python tell('weft {words}')" for words in WRONG]
        tell = (
            "python\ndef tell(line):\n    try:\n        gdb.execute(line)\n"
            "    except gdb.error as error:\n        print(error)\nend"
        )
        lines = ["source camp_debug.py", tell, *start, f"echo {BEGIN}\\n", *shown, *asked, *wrong]
        (self.folder / "lines.gdb").write_text("\n".join(lines) + "\n", encoding="utf-8")
        return self.run(["gdb", "-nx", "-batch", "-x", "lines.gdb", *program])

    def lldb(self, *start: str, program: tuple[str, ...]) -> str:
        shown = ["*ctx", "ctx->entities[0]", "camper[0]", "*ctx->weather"]
        lines = [
            "command script import ./camp_debug.py",
            *start,
            f"script print('{BEGIN}')",
            *(f"frame variable {words}" for words in shown),
            *(f"weft {words}" for words in WEFT),
        ]
        (self.folder / "lines.lldb").write_text("\n".join(lines) + "\n", encoding="utf-8")
        return self.run(["lldb", "-x", "-b", "-s", "lines.lldb", *program])


@pytest.fixture(scope="session")
def camps(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Camp]:
    """Compiles each program once."""

    @cache
    def made(compiler: str, level: str) -> Camp:
        return Camp(tmp_path_factory.mktemp("camp"), compiler, level)

    return made


def need(debugger: str) -> None:
    if not shutil.which(debugger):
        pytest.skip(f"{debugger} is not installed: .ci/install --look does that")


def compare(printed: str, name: str, update: bool) -> None:
    """Compares what stands behind the beginning with what is expected, in any build."""
    got = printed.partition(f"{BEGIN}\n")[2]
    if update:
        (HERE / name).write_text(got, encoding="utf-8")
    assert got == (HERE / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_gdb_shows_a_running_world_and_a_core(camps: Camps, level: str, update: bool) -> None:
    need("gdb")
    camp = camps("gcc", level)
    stop = ["break camp_stroll", "run > out.txt", "generate-core-file core"]
    compare(camp.gdb(*stop, program=("./program",)), "gdb.txt", update)
    compare(camp.gdb(program=("./program", "core")), "gdb.txt", False)


@pytest.mark.parametrize("level", ["-O0", "-O2"])
def test_lldb_shows_a_running_world_and_a_core(camps: Camps, level: str, update: bool) -> None:
    need("lldb")
    need("gdb")  # lldb 14 writes no core of Linux
    camp = camps("clang", level)
    stop = ["breakpoint set -n camp_stroll", "run > out.txt"]
    compare(camp.lldb(*stop, program=("./program",)), "lldb.txt", update)
    camp.gdb_lines(["break camp_stroll", "run > out.txt", "generate-core-file core"])
    compare(camp.lldb(program=("./program", "-c", "core")), "lldb.txt", False)


@pytest.mark.parametrize("widths", [(32, 32), (8, 8)], ids=["wide", "short"])
def test_gdb_shows_handles_of_any_width(tmp_path: Path, widths: tuple[int, int]) -> None:
    need("gdb")
    index, generation = widths
    bits = f"entity = {{ index_bits = {index}, generation_bits = {generation} }}"
    camp = Camp(tmp_path, "gcc", "-O0", bits)
    said = camp.gdb("break camp_stroll", "run > out.txt", program=("./program",))
    expected = (HERE / "gdb.txt").read_text(encoding="utf-8")
    assert without_bytes(said.partition(f"{BEGIN}\n")[2]) == without_bytes(expected)


def without_bytes(printed: str) -> str:
    """Leaves out what follows from the width of a handle."""
    return re.sub(r"[\d,]+ bytes", "bytes", printed)


def test_gdb_takes_the_world_that_a_user_names(camps: Camps) -> None:
    need("gdb")
    camp = camps("gcc", "-O0")
    stop = ["break abort", "run > out.txt"]
    assert "world 'camp' at 0x" in camp.gdb_lines([*stop, "weft world"])
    assert "2: 1 row, " in camp.gdb_lines([*stop, "up 99", "weft world w", "weft tables"])
    said = camp.gdb_lines(["weft tables"])
    assert "no world found: name one, for example `weft world w`" in said


def test_a_script_of_another_schema_refuses(camps: Camps) -> None:
    need("gdb")
    camp = camps("gcc", "-O0")
    text = (camp.folder / "camp_debug.py").read_text(encoding="utf-8")
    other = re.sub(r"'asleep',(\s+)'buried'", r"'buried',\1'asleep'", text)
    assert other != text
    (camp.folder / "other_debug.py").write_text(other, encoding="utf-8")
    stop = ["break camp_stroll", "run > out.txt", "source other_debug.py", "print here"]
    said = camp.gdb_lines(stop)
    assert "(the schema has changed: run `codegen debug` again)" in said


def test_lldb_without_its_modules_is_told_what_to_set(camps: Camps) -> None:
    need("lldb")
    camp = camps("clang", "-O0")
    hollow = camp.folder / "hollow"
    (hollow / "lldb").mkdir(parents=True)
    (hollow / "lldb" / "__init__.py").touch()
    command = ["lldb", "-b", "-o", "command script import camp_debug.py"]
    said = camp.run(command, fails=True, modules=str(hollow))
    assert f"set PYTHONPATH={DEBIAN_LLDB}" in said
    assert "HandleCommand" not in said
