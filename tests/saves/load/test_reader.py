"""The tool that reads any save, written from SAVES.md alone, reads the saves that Weft reads and
refuses those that Weft refuses.
"""

from __future__ import annotations

import gzip
import json
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from agreement import disagreements
from built import built
from compilers import RUNTIME
from generated import COLONY, ROOT, generate
from kit.version import version
from mend import mended
from reader import read
from saves.damage import DamagedError

HERE = Path(__file__).resolve().parent
OLD_SAVES = sorted((ROOT / "tests/game/saves").glob("*.save.gz"))
SEEDS = 8
PLACES = 150


def run(*command: str | Path) -> bytes:
    return subprocess.run(command, capture_output=True, check=True).stdout


def dumped(width: str, seed: int, folder: Path) -> tuple[bytes, Any]:
    """A random world, as a save and as JSON."""
    save = folder / "world.save"
    text = run(built(f"build/clang/json/{width}/dump"), str(seed), save)
    return save.read_bytes(), json.loads(text)


@pytest.mark.parametrize("width", ["narrow", "middle", "wide"])
def test_says_of_random_worlds_what_they_say(width: str, tmp_path: Path) -> None:
    values = 0
    for seed in range(SEEDS):
        save, world = dumped(width, seed, tmp_path)
        saved = read(save)
        assert disagreements(saved, world) == []
        values += sum(len(entity["components"]) for entity in saved["entities"])
    assert values > 100


@pytest.fixture(scope="module")
def export(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("colony")
    generated = generate(COLONY, own_headers=ROOT / "tests/game")
    own = generated.write(folder)
    (folder / "idle.c").write_text(generated.idle_game, encoding="utf-8")
    files = [HERE / "export.c", folder / "idle.c", *own.glob("*.c")]
    include = [f"-I{one}" for one in (RUNTIME, own, generated.own_headers)]
    library = built("build/clang/libweft.a")
    run("gcc", "-std=c11", "-O0", *include, *files, library, "-pthread", "-o", folder / "export")
    return folder / "export"


def test_says_of_the_colony_what_it_says(export: Path, tmp_path: Path) -> None:
    save = tmp_path / "colony.save"
    run(built("build/clang/colony"), "--ticks", "700", "--quiet", "--save", save)
    saved = read(save.read_bytes())
    assert disagreements(saved, json.loads(run(export, save))) == []
    assert len(saved["entities"]) > 100
    assert saved["ticks"] == 700
    assert saved["weft"] == version()
    assert saved["free"]
    assert saved["relations"]["carried_by"]
    assert saved["marks"][0]["readers"]


@pytest.mark.parametrize("packed", OLD_SAVES, ids=lambda packed: packed.name)
def test_reads_saves_of_old_releases(packed: Path) -> None:
    saved = read(gzip.decompress(packed.read_bytes()))
    assert len(saved["entities"]) > 100
    first = packed.name.startswith("1.")  # it is from before saves said so
    assert saved["weft"] == (None if first else "1.0.0")


# ---- what is no save


@cache
def small() -> bytes:
    """A save of a few entities; where it is cut or changed is tried everywhere."""
    path = ROOT / "build" / "small.save"
    for seed in range(100):
        run(built("build/clang/json/narrow/dump"), str(seed), path)
        data = path.read_bytes()
        if 2 <= len(read(data)["entities"]) <= 4:
            return data
    raise AssertionError("no world is small")


def places() -> range:
    """Spreads over all the save, by an odd step, so that every byte of a word is met."""
    return range(0, len(small()), len(small()) // PLACES | 1)


def refusal(data: bytes) -> str:
    with pytest.raises(DamagedError) as caught:
        read(data)
    return str(caught.value)


def test_every_cut_is_refused_in_words() -> None:
    for count in places():
        assert refusal(small()[:count])
    assert refusal(small()[:-8]) == f"the save has {len(small()) - 8:,} of {len(small()):,} bytes"


def test_every_changed_byte_is_refused_in_words() -> None:
    data = bytearray(small())
    for at in places():
        data[at] ^= 0x10
        assert refusal(bytes(data))
        data[at] ^= 0x10


def test_a_changed_byte_with_the_right_checksum_is_refused_or_read() -> None:
    refused = set()
    for at in places():
        data = bytearray(small())
        data[at] ^= 0x81
        try:
            read(mended(data, at))
        except DamagedError as wrong:
            refused.add(str(wrong))
    assert len(refused) > 10
