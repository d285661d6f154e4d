"""What runtime/README.md says of modules and limits is what the code has.

Its table of modules is the one-way order of the runtime; its table of limits has every limit of the
runtime and of the generator.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
RUNTIME = ROOT / "runtime"
README = (RUNTIME / "README.md").read_text(encoding="utf-8")


C_LIMIT = re.compile(r"^#define (WEFT_\w+)\s+\\?\s*(\S.*?)\s*(?://.*)?$", re.MULTILINE)
PYTHON_LIMIT = re.compile(r"^(MAX_[A-Z_]+|[A-Z_]+_MAX) = ([^#\n]+)", re.MULTILINE)
NUMBER = re.compile(r"2\^(\d+)( - 1)?|\d[\d,]*")


@dataclass(frozen=True)
class Module:
    rank: int
    name: str


def rows(section: str) -> list[list[str]]:
    """The cells of the table in a section, without its head."""
    text = README.split(f"## {section}\n")[1].split("\n## ")[0]
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def modules() -> dict[str, Module]:
    """Of which module each file of the runtime is."""
    found: dict[str, Module] = {}
    for rank, (name, _, files) in enumerate(rows("Modules")):
        for word in re.findall(r"`(\S+)`", files):
            whole = word if word.startswith(("weft.", "save/")) else f"weft_{word}"
            if word.endswith("/"):
                for path in sorted((RUNTIME / word).rglob("*.[ch]")):
                    found.setdefault(path.relative_to(RUNTIME).as_posix(), Module(rank, name))
                continue
            for file in (whole,) if "." in word else (f"{whole}.h", f"{whole}.c"):
                if (RUNTIME / file).exists():
                    found[file] = Module(rank, name)
    return found


def sources() -> list[Path]:
    return sorted(RUNTIME.rglob("*.[ch]"))


def name_of(path: Path) -> str:
    return path.relative_to(RUNTIME).as_posix()


def test_every_file_has_a_module() -> None:
    assert {name_of(path) for path in sources()} == modules().keys()


@pytest.mark.parametrize("path", sources(), ids=name_of)
def test_includes_go_one_way(path: Path) -> None:
    module = modules()[name_of(path)]
    for name in re.findall(r'^#include "(.+\.h)"', path.read_text(encoding="utf-8"), re.MULTILINE):
        included = modules()[name_of((path.parent / name).resolve())]
        assert included.rank <= module.rank, f"{module.name} includes {name} of {included.name}"


def test_headers_of_the_world_go_one_way_too() -> None:
    order = ["world", "structure", "batch", "command", "record", "apply"]
    for rank, name in enumerate(order):
        text = (RUNTIME / f"weft_{name}.h").read_text(encoding="utf-8")
        for included in re.findall(r'#include "weft_(\w+)\.h"', text):
            assert included not in order[rank:]


def limits_in_code() -> dict[str, float]:
    """Every constant that may stand in the table, by name."""
    found: dict[str, float] = {}
    for path in sorted(RUNTIME.rglob("*.[ch]")):
        for name, value in C_LIMIT.findall(path.read_text(encoding="utf-8")):
            plain = re.sub(r"\((?:size_t|uint32_t)\)|(?<=\d)u\b", "", value)
            if re.fullmatch(r"[\d\s()*<x]+", plain):
                found.setdefault(name, eval(plain))
    for path in sorted((ROOT / "codegen").rglob("*.py")):
        for name, value in PYTHON_LIMIT.findall(path.read_text(encoding="utf-8")):
            found[name] = eval(value)
    return found


def limits_in_readme() -> dict[str, float]:
    found: dict[str, float] = {}
    for row in rows("Limits"):
        name = re.match(r"`([A-Z_]+)`", row[0])
        value = NUMBER.match(row[1])
        if name and value:
            power = 2 ** int(value[1] or 0) - (1 if value[2] else 0)
            found[name[1]] = power if value[1] else int(value[0].replace(",", ""))
    return found


def test_limits_have_the_values_that_the_table_says() -> None:
    code = limits_in_code()
    readme = limits_in_readme()
    assert len(readme) > 10
    assert readme == {name: code.get(name) for name in readme}


def test_every_limit_is_in_the_table() -> None:
    named = {name for name in limits_in_code() if name.endswith("_MAX") or name.startswith("MAX_")}
    assert len(named) > 10
    assert named - limits_in_readme().keys() == set()
