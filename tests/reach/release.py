"""The archives of `ninja dist` have equal bytes each time, and each can be used alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from installed import ROOT, Folder, block, install
from kit.version import version

README = ROOT / "README.md"
HEAD = f"weft-{version()}"


def dist(out: Path) -> dict[str, bytes]:
    subprocess.run([sys.executable, str(ROOT / ".ci/dist.py"), str(out)], check=True)
    return {path.name: path.read_bytes() for path in out.iterdir()}


@pytest.fixture(scope="module")
def archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    dist(out)
    return out


def with_the_example(folder: Folder) -> Folder:
    """README's example, in the folder `burrow`."""
    (folder.path / "burrow").mkdir()
    for kind, file in (("toml", "burrow.toml"), ("c", "main.c")):
        folder.write(f"burrow/{file}", block(README, f"{kind} {file}"))
    return Folder(folder.path / "burrow", folder.commands)


def test_two_runs_give_equal_bytes(archives: Path, tmp_path: Path) -> None:
    first = {path.name: path.read_bytes() for path in archives.iterdir()}
    assert dist(tmp_path / "other") == first
    assert set(first) == {
        f"{HEAD}-source.tar.gz",
        f"{HEAD}-py3-none-any.whl",
        f"{HEAD}-runtime.tar.gz",
        "SHA256SUMS",
    }
    Folder(archives, archives).run("sha256sum --check --quiet SHA256SUMS")


def test_the_source_archive_is_what_readme_wants_beside_a_game(
    archives: Path, tmp_path: Path
) -> None:
    """Its name is `weft` there, and its .venv what `.ci/install` makes."""
    folder = Folder(tmp_path, archives)
    folder.run(f"tar xzf {archives}/{HEAD}-source.tar.gz && mv {HEAD} weft")
    (tmp_path / "weft/.venv").symlink_to(ROOT / ".venv")
    game = with_the_example(folder)
    assert game.run(block(README, "sh plain")).endswith(block(README, "text output"))
    Folder(tmp_path / "weft", archives).run("ninja build/colony && build/colony --ticks 20")


def test_the_wheel_and_the_two_files_make_a_game(archives: Path, tmp_path: Path) -> None:
    commands = install(tmp_path / "python", archives / f"{HEAD}-py3-none-any.whl")
    folder = Folder(tmp_path, commands)
    folder.run(f"tar xzf {archives}/{HEAD}-runtime.tar.gz && mv {HEAD}-runtime runtime")
    game = with_the_example(folder)
    game.run("weft generate burrow.toml --out generated")
    for json in ("", "../runtime/weft_json.c"):
        said = game.run(
            "cc -std=c11 -O1 -ffp-contract=off -pthread -I generated/burrow -I ../runtime "
            f"main.c generated/burrow/*.c ../runtime/weft.c {json} -o burrow && ./burrow"
        )
        assert said == block(README, "text output")
