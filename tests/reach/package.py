"""The package for pip contains everything that a game needs, has equal bytes each time, and one
version.
"""

from __future__ import annotations

import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest

from compilers import RUNTIME
from installed import ROOT, Folder
from kit.backend import build_sdist, build_wheel
from kit.one_file import one_file
from kit.runtime import runtime_files
from kit.version import version, version_number

CODEGEN = ROOT / "codegen"


def test_the_wheel_is_the_same_bytes_twice(tmp_path: Path) -> None:
    wheels = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        wheels.append((tmp_path / name / build_wheel(str(tmp_path / name))).read_bytes())
    assert wheels[0] == wheels[1]


def test_the_wheel_has_generator_and_runtime(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / build_wheel(str(tmp_path))) as wheel:
        names = set(wheel.namelist())
    modules = [*CODEGEN.rglob("*.py"), *CODEGEN.rglob("*.j2")]
    sources = [path for path in RUNTIME.rglob("*") if path.suffix in {".c", ".h", ".hpp"}]
    assert {f"weft/{path.relative_to(CODEGEN)}" for path in modules} <= names
    runtime = {path.relative_to(RUNTIME).as_posix() for path in sources}
    assert {f"weft/runtime/{name}" for name in (*runtime, "serve/page.c")} <= names
    assert not [name for name in names if "__pycache__" in name or name.endswith(".md")]


def test_the_wheel_names_what_parquet_needs(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / build_wheel(str(tmp_path))) as wheel:
        metadata = wheel.read(f"weft-{version()}.dist-info/METADATA").decode()
    assert "Requires-Dist: jinja2>=3.1,<4\n" in metadata
    extra = "Provides-Extra: parquet\nRequires-Dist: pyarrow>=8; extra == 'parquet'\n"
    assert extra in metadata


def test_the_source_package_makes_the_same_wheel(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / build_sdist(str(tmp_path))) as source:
        source.extractall(tmp_path)
    code = "from kit.backend import build_wheel; print(build_wheel('.'))"
    folder = tmp_path / f"weft-{version()}"
    made = subprocess.run(
        ["python3", "-c", code], cwd=folder, capture_output=True, text=True, check=True
    ).stdout.strip()
    assert (folder / made).read_bytes() == (tmp_path / build_wheel(str(tmp_path))).read_bytes()


def test_one_version_is_everywhere(tmp_path: Path, commands: Path) -> None:
    folder = Folder(tmp_path, commands)
    assert folder.run("weft --version") == f"weft {version()}\n"
    assert folder.run("python3 -m weft --version") == f"weft {version()}\n"
    assert version() in folder.run("PIP_QUIET=0 pip list")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"\n## {version()} " in changes
    asserts = (ROOT / "generated/colony/colony_entity.h").read_text(encoding="utf-8")
    assert f"(WEFT_VERSION == {version_number()}," in asserts


def test_what_is_installed_says_what_codegen_says(tmp_path: Path, commands: Path) -> None:
    schema = ROOT / "schema/colony.toml"
    folder = Folder(tmp_path, commands)
    folder.run(f"weft generate {schema} --out generated")
    assert folder.run(f"weft diff {schema} --out {ROOT}/generated") == ""
    said = folder.try_run("weft chek").stdout
    assert said == "usage: weft [-h] [--version] COMMAND ...\nweft: error: " + (
        "no command 'chek': did you mean 'check'?\n"
    )


def test_the_runtime_comes_whole(tmp_path: Path, commands: Path) -> None:
    folder = Folder(tmp_path, commands)
    where = Path(folder.run("weft runtime").strip())
    assert (where / "weft.h").read_bytes() == (RUNTIME / "weft.h").read_bytes()
    files = runtime_files()
    said = folder.run("weft runtime --out weft")
    assert said == f"weft: {len(files)} of {len(files)} files written\n"
    for name, text in files.items():
        assert (tmp_path / "weft" / name).read_text(encoding="utf-8") == text
    assert folder.run("weft runtime --out weft").startswith("weft: 0 of ")


def test_the_runtime_in_two_files_compiles(tmp_path: Path) -> None:
    for name, text in one_file(runtime_files()).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        assert f'#include "{name.partition("/")[0]}/' not in text
    strict = "-std=c11 -O0 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
    for compiler in ("gcc", "clang"):
        subprocess.run(
            [compiler, *strict.split(), "-fsyntax-only", "weft.c", "weft_json.c"],
            cwd=tmp_path,
            check=True,
        )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("int", "a world cannot be named 'int': that is a keyword of C; choose another --name"),
        ("7", "a world cannot be named '7': use small letters, digits and single "),
        ("errno", "a world cannot be named 'errno': "),
        ("x --name weft", "a world cannot be named 'weft': names that begin with 'weft'"),
        ("full", "'full/.gitignore' already exists: choose a new folder for the game"),
    ],
)
def test_a_game_is_refused(tmp_path: Path, commands: Path, options: str, said: str) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full/.gitignore").write_text("mine")
    done = Folder(tmp_path, commands).try_run(f"weft init {options}")
    assert done.returncode == 2
    assert done.stdout.startswith(f"error: {said}")
    assert [path.name for path in tmp_path.iterdir()] == ["full"]
    assert [path.name for path in (tmp_path / "full").iterdir()] == [".gitignore"]


def test_a_game_gets_its_name_from_its_folder(tmp_path: Path, commands: Path) -> None:
    folder = Folder(tmp_path, commands)
    folder.run("weft init MyBoat-Race")
    assert (tmp_path / "MyBoat-Race/my_boat_race.toml").exists()
    folder.run("weft init other --name quay")
    assert (tmp_path / "other/quay.toml").exists()
