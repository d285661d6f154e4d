"""A load restores each rng of the save, and seeds those that the save lacks.

An rng of zeros has no seed, and stays so. A newly seeded rng gets the seed that an entity with that
handle gets in a new world, for any storage.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from probes import SAVE, probe

pytestmark = pytest.mark.xdist_group("evolution")  # they share programs

ZEROS = {"state": [0, 0, 0, 0]}

OLD = """
[component.dice]
fields = { n = "u8" }
[component.coin]
storage = "sparse"
fields = { n = "u8" }
[component.hat]
fields = { n = "u8" }
[component.shoe]
storage = "sparse"
fields = { n = "u8" }
[component.dream]
save = false
fields = { n = "u8" }
[component.cape]
[singleton.sky]
fields = { n = "u8" }
"""

NEW = """
[component.dice]
fields = { luck = "rng", n = "u8" }
[component.coin]
storage = "sparse"
fields = { luck = "rng", n = "u8" }
[component.hat]
storage = "sparse"
fields = { luck = "rng", n = "u8" }
[component.shoe]
fields = { luck = "rng", n = "u8" }
[component.dream]
save = false
fields = { luck = "rng", n = "u8" }
[component.cape]
requires = ["lining", "thread"]
[component.lining]
fields = { luck = "rng" }
[component.thread]
fields = { luck = "rng" }
[singleton.sky]
fields = { luck = "rng", n = "u8" }
[singleton.moon]
fields = { luck = "rng" }
"""

KINDS = ("dice", "coin", "hat", "shoe", "dream", "cape")
# As NEW, but each is stored otherwise, and one has another name.
LATER = (
    NEW.replace("[component.hat]\nstorage", "[component.hat]\n#storage")
    .replace("[component.shoe]", '[component.shoe]\nstorage = "sparse"')
    .replace("[component.dice]", '[component.cube]\nwas = "dice"')
    .replace('"u8"', '"u16"')
)
MADE = "spawn 8\n" + "".join(f"add {i} {kind}\nadd 6 {kind}\n" for i, kind in enumerate(KINDS))


def told(schema: str, script: str, folder: Path) -> dict[tuple[str, str], Any]:
    """Every rng of a world after a script."""
    assert probe(schema).tell(f"{script}json world.json\n", folder) == []
    return values(json.loads((folder / "world.json").read_text(encoding="utf-8")))


def values(world: dict[str, Any]) -> dict[tuple[str, str], Any]:
    """Every rng, by its owner and its component or singleton."""
    owners = {one["id"]: one["components"] for one in world["entities"]} | {"": world["singletons"]}
    return {
        (owner, name): value["luck"]
        for owner, all_of in owners.items()
        for name, value in all_of.items()
        if isinstance(value, dict) and "luck" in value
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("rng")


def test_what_the_save_lacks_is_seeded_as_in_a_new_world(folder: Path) -> None:
    probe(OLD).tell(f"{MADE}save {SAVE}\n", folder)
    fresh = told(NEW, f"{MADE}", folder)
    assert len(fresh) == 16
    assert ZEROS not in fresh.values()
    assert len({str(one) for one in fresh.values()}) == len(fresh)
    assert told(NEW, f"load {SAVE}\n", folder) == fresh


def zeroed(folder: Path) -> str:
    """A script that makes every rng but one zero, and saves that."""
    lines = []
    for owner, name in told(NEW, MADE, folder):
        at = owner.split(":")[0] if owner else "-"
        lines += [f"set {at} {name}.luck.state[{i}] 0\n" for i in range(4) if name != "moon"]
    return MADE + "".join(lines)


@pytest.mark.parametrize("later", [NEW, LATER], ids=["unchanged", "changed"])
def test_zeros_stay_zeros(later: str, folder: Path) -> None:
    saved = told(NEW, f"{zeroed(folder)}save {SAVE}\n", folder)
    assert list(saved.values()).count(ZEROS) == 15
    loaded = told(later, f"load {SAVE}\n", folder)
    for (owner, name), value in saved.items():
        now = "cube" if name == "dice" and later is LATER else name
        if name == "dream":
            assert loaded[owner, now] != ZEROS  # it is not saved, and so a new one
        else:
            assert loaded[owner, now] == value


def test_json_gives_what_it_names_and_seeds_the_rest(folder: Path) -> None:
    (folder / "rng.json").write_text(
        json.dumps(
            {
                "weft": 1,
                "world": "evolve",
                "singletons": {"sky": {"n": 1}, "moon": {"luck": {"state": [0, 0, 0, 0]}}},
                "entities": [
                    {
                        "id": "0:1",
                        "components": {"dice": {"luck": {"state": [0, 0, 0, 0]}, "n": 2}},
                    },
                    {"id": "1:1", "components": {"dice": {"n": 2}, "coin": {}, "cape": True}},
                    {"id": "2:1", "components": {"coin": {"luck": {"state": [0, 0, 0, 0]}}}},
                ],
            }
        ),
        encoding="utf-8",
    )
    found = told(NEW, "read rng.json\n", folder)
    zeros = {key for key, value in found.items() if value == ZEROS}
    assert zeros == {("0:1", "dice"), ("2:1", "coin"), ("", "moon")}
    assert {key for key in found if key[0] == "1:1"} == {
        ("1:1", name) for name in ("dice", "coin", "lining", "thread")
    }
