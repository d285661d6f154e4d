"""With -DWEFT_UNOBSERVED the object code equals that of sources without any check for an
observer.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from compilers import ROOT, RUNTIME

COLONY = ROOT / "generated" / "colony"

# Files that have such tests, or inline them.
NAMES = (
    "edit/apply.c",
    "edit/spawn.c",
    "record/event.c",
    "run/phase.c",
    "run/schedule.c",
    "save/save.c",
    "colony_run.c",
)

# These observe, or are called where a test has found that something does. No other file may know
# what a world keeps of that, but for functions that these call.
OBSERVERS = (
    "insight/",
    "run/held.",
    "run/lifecycle.c",
    "run/measure.",
    "run/profiler.",
    "run/sampler.",
    "world/report.c",
    "world/zone.",
)
KNOWN = re.compile(r"(?<!= )\bworld->(?:observers|profiler|now\.observed|run\.held|events\.tap)\b")

_ASKED = r"WEFT_UNLIKELY\(WEFT_OBSERVER\([a-z>-]+, [a-z.]+\)\)"

# Each of these takes tests out, and is found so often.
CUTS = (
    (rf"if \({_ASKED}\) {{[^{{}}]*}} else {{", "{", 1),
    (rf"if \({_ASKED}\) (?:{{[^{{}}]*}}|[^{{}};]*;)", "", 11),
    (rf"{_ASKED} \? weft_now_ns\(\) : 0", "0", 1),
    (r"if \(WEFT_OBSERVER\(world, observers.insight\) && code->pass\) {[^{}]*}", "", 1),
    (r"if \(WEFT_OBSERVER\(world, profiler\) && [^{}]*{[^{}]*}", "", 1),
    (r"if \(WEFT_UNLIKELY\(WEFT_OBSERVER\(world, events.tap\)[^{}]*{[^{}]*}", "", 1),
    (r"if \(n != 0 && WEFT_OBSERVER\(world, observers.insight\)\)\s[^;]*;", "", 1),
    (r"bool told = WEFT_OBSERVER\(world, observers.insight\) [^;]*;\s*if \(told\) [^;]*;", "", 1),
    (r" \|\| WEFT_OBSERVER\(world, observers.insight\)\)", ")", 1),
    (r" && !WEFT_OBSERVER\(world, now.observed\)\)", ")", 2),
    (r"WEFT_OBSERVER\(world, run.held\) && [^;]*;", "false;", 1),
    (r"=\s+WEFT_OBSERVER\(world, observers.insight\);", "= false;", 1),
    (r"WEFT_OBSERVABLE \? world->now.idle : 0", "0", 2),
)


def sources(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*.[ch]") if path.name != "weft_serve.c")


def cut_copy(folder: Path) -> Path:
    shutil.copytree(RUNTIME, folder, ignore=lambda _, names: {"serve"} & set(names))
    found = [0] * len(CUTS)
    for path in sources(folder):
        text = path.read_text(encoding="utf-8")
        for i, (pattern, instead, _) in enumerate(CUTS):
            text, count = re.subn(pattern, instead, text)
            found[i] += count
        path.write_text(text, encoding="utf-8")
    assert found == [count for _, _, count in CUTS]
    return folder


def code(source: Path, runtime: Path, out: Path, *flags: str) -> str:
    include = (f"-I{runtime}", f"-I{COLONY}")
    build = ("gcc", "-std=c11", "-O2", "-DNDEBUG", *flags, *include, "-c", source, "-o", out)
    subprocess.run(build, check=True)
    dump = subprocess.run(
        ("objdump", "-dr", "-w", out), check=True, stdout=subprocess.PIPE, text=True
    )
    return dump.stdout.split("Disassembly", 1)[1]


@pytest.fixture(scope="module")
def without(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return cut_copy(tmp_path_factory.mktemp("cut") / "runtime")


@pytest.mark.parametrize("name", NAMES)
def test_code_has_no_test_of_an_observer(name: str, without: Path, tmp_path: Path) -> None:
    observed, cut = (RUNTIME, without) if "/" in name else (COLONY, COLONY)
    out = tmp_path / "code.o"
    usual = code(observed / name, RUNTIME, out)
    unobserved = code(observed / name, RUNTIME, out, "-DWEFT_UNOBSERVED")
    assert unobserved == code(cut / name, without, out)
    assert unobserved != usual


def test_nothing_else_knows_of_observers(without: Path) -> None:
    for path in sources(without):
        module = path.relative_to(without).as_posix()
        text = path.read_text(encoding="utf-8")
        assert module.startswith(OBSERVERS) or not KNOWN.findall(text), module
