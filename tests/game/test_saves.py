"""The game continues from a save as if it had not stopped, also from saves of older releases."""

from __future__ import annotations

import gzip
import tomllib
from pathlib import Path

import pytest

from built import ROOT
from colony_game import DAY_TICKS, play, quiet
from saves.world import open_save


def saved(path: Path, ticks: int, *arguments: str) -> bytes:
    """Returns what it saves after so many ticks."""
    quiet(ticks, "--save", str(path), *arguments)
    return path.read_bytes()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_saving_at_half_and_going_on_gives_the_same_colony(seed: int, tmp_path: Path) -> None:
    half, end, at = tmp_path / "half.save", tmp_path / "end.save", ("--seed", str(seed))
    saved(half, 1500, *at)
    assert quiet(1500, "--load", str(half)).hash == quiet(3000, *at).hash
    assert saved(end, 1500, "--load", str(half)) == saved(end, 3000, *at)


@pytest.mark.parametrize("loading", [0, 1, 2, 4])
@pytest.mark.parametrize("saving", [0, 1, 2, 4])
def test_saves_do_not_know_how_many_workers_there_were(
    saving: int, loading: int, tmp_path: Path
) -> None:
    half, end = tmp_path / "half.save", tmp_path / "end.save"
    there = saved(half, 1000, "--workers", str(saving))
    assert there == saved(end, 1000)
    # Tags that follow from the rest are worked out again after a load: this is yet to come there.
    loaded = saved(end, 0, "--workers", str(loading), "--load", str(half))
    assert loaded == saved(end, 0, "--load", str(half))
    gone_on = saved(end, 1000, "--workers", str(loading), "--load", str(half))
    assert gone_on == saved(end, 2000, "--workers", str(saving))


def test_a_colony_that_was_loaded_looks_as_when_it_was_saved(tmp_path: Path) -> None:
    save = str(tmp_path / "colony.save")
    rows = [
        [line for line in played.out.splitlines() if line.startswith("|")]
        for played in (
            play("--ticks", "500", "--save", save),
            play("--ticks", "0", "--load", save),
        )
    ]
    height = len(rows[0]) // 2
    assert rows[1][:height] == rows[0][height:]


OLD_SAVES = sorted((ROOT / "tests" / "game" / "saves").glob("*.save.gz"))


def release_of(packed: Path) -> str:
    return packed.name.removesuffix(".save.gz")


@pytest.mark.parametrize("packed", OLD_SAVES, ids=release_of)
def test_a_save_of_an_old_release_loads(packed: Path, tmp_path: Path, update: bool) -> None:
    save = tmp_path / "colony.save"
    save.write_bytes(gzip.decompress(packed.read_bytes()))
    loaded = quiet(0, "--load", str(save))
    expected = packed.with_name(f"{release_of(packed)}.expected")
    if update:
        expected.write_text(loaded.out, encoding="utf-8")
    assert loaded.out == expected.read_text(encoding="utf-8")
    lived_on = quiet(3 * DAY_TICKS, "--load", str(save))
    assert lived_on.number("people") > loaded.number("people") // 2


def test_a_save_of_release_1_brings_its_ground_along(tmp_path: Path) -> None:
    """Two arrays of then are patches now: river and roads are where they were, and stay."""
    save, again = tmp_path / "first.save", tmp_path / "again.save"
    save.write_bytes(gzip.decompress(OLD_SAVES[0].read_bytes()))
    ground = open_save(str(save)).singletons["ground"]
    tiles = range(ground["width"] * ground["height"])
    loaded = play("--ticks", "0", "--load", str(save), "--save", str(again))
    seen = "".join(loaded.maps[0])
    assert {seen[tile] for tile in tiles if ground["terrain"][tile] == "water"} == {"~"}
    assert seen.count("~") == ground["terrain"].count("water")
    trodden = [tile for tile in tiles if ground["wear"][tile] >= 30]
    assert loaded.number("worn ground") == len(trodden) > 0
    assert not {seen[tile] for tile in tiles if seen[tile] in ":#" and tile not in trodden}
    now = open_save(str(again)).singletons["ground"]
    assert set(now["first_terrain"]) == {"grass"} and set(now["first_wear"]) == {0}
    assert quiet(0, "--load", str(again)).hash == loaded.hash


def test_every_release_of_the_lock_has_a_save() -> None:
    lock = tomllib.loads((ROOT / "schema" / "colony.lock").read_text(encoding="utf-8"))
    releases = lock["release"].keys()
    assert releases
    assert releases - {release_of(packed) for packed in OLD_SAVES} == set()


def test_a_save_that_cannot_be_loaded_is_a_failure(tmp_path: Path) -> None:
    path = tmp_path / "colony.save"
    path.write_bytes(b"no save at all")
    played = play("--load", str(path))
    assert played.code == 1
    said = f"colony: '{path}': this is not a save\n"
    assert played.err in (said, f"world 'colony': '{path}': this is not a save\n{said}")
    assert list(tmp_path.iterdir()) == [path]
