"""The recipes of BUILDS.md, run as they stand there, and what the page promises of them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from installed import ROOT, Folder, also, block, new_python

PAGE = ROOT / "runtime/BUILDS.md"
README = ROOT / "README.md"
SAYS = block(README, "text output")
BUILD = "cmake -B build\ncmake --build build -j4\nbuild/drift\n"


def project(parent: Path, commands: Path, name: str = "drift") -> Folder:
    """README's example in a folder beside Weft."""
    (parent / "weft").symlink_to(ROOT)
    (parent / name).mkdir()
    folder = Folder(parent / name, commands)
    for kind, file in (("toml", "drift.toml"), ("c", "main.c")):
        folder.write(file, block(README, f"{kind} {file}"))
    return folder


def cmake(folder: Folder, instead: str = "") -> None:
    """The recipe with add_subdirectory, or with another block in its place."""
    text = block(PAGE, "cmake add_subdirectory")
    if instead:
        text = text.replace("add_subdirectory(../weft/runtime weft)\n", instead)
    folder.write("CMakeLists.txt", text)


@pytest.fixture
def drift(tmp_path: Path, commands: Path) -> Folder:
    return project(tmp_path, commands)


def test_a_new_game(tmp_path: Path) -> None:
    (tmp_path / "weft").symlink_to(ROOT)
    (tmp_path / "mine").mkdir()
    commands = new_python(tmp_path / "python")
    said = Folder(tmp_path / "mine", commands).run(block(README, "sh init"))
    assert said.endswith("a boat at 1, 0\na boat at 2, 1\na boat at 3, 2\n")


def test_pip_installs_a_checkout_by_git(tmp_path: Path) -> None:
    folder = Folder(tmp_path, new_python(tmp_path / "python"))
    folder.run(f"pip install 'git+file://{ROOT}#subdirectory=codegen'")
    assert "1 phase" in folder.run("weft init boats && weft schedule boats/boats.toml")


EACH_ONCE = [("Ninja", ""), ("Unix Makefiles", "cmake fetch_content")]
CROSSED = [("Unix Makefiles", ""), ("Ninja", "cmake fetch_content")]


@pytest.mark.parametrize(("generator", "instead"), EACH_ONCE + (CROSSED if also("all") else []))
def test_cmake(drift: Folder, generator: str, instead: str) -> None:
    cmake(drift, block(PAGE, instead) if instead else "")
    assert drift.run(BUILD, CMAKE_GENERATOR=generator).endswith(SAYS)


def test_cmake_finds_what_is_installed_and_moved(drift: Folder) -> None:
    cmake(drift, block(PAGE, "cmake find_package"))
    lines = block(PAGE, "sh install").splitlines()
    drift.run("\n".join(lines[:2]))
    (drift.path / "prefix").rename(drift.path / "moved here")
    shutil.rmtree(drift.path / "install-weft")
    moved = "\n".join(lines[2:]).replace("$PWD/prefix", "$PWD/moved here")
    assert drift.run(moved).endswith(SAYS)
    cache = (drift.path / "build/CMakeCache.txt").read_text(encoding="utf-8")
    generator = next(line for line in cache.splitlines() if line.startswith("WEFT_GENERATOR:"))
    assert generator.endswith("/moved here/share/weft/codegen")
    said = drift.run("python3 'moved here/share/weft/codegen' runtime --inspector --out copy")
    assert said.startswith("copy: ")
    assert (drift.path / "copy/serve/page.c").exists()


def test_cmake_finds_what_pip_has_installed(drift: Folder) -> None:
    cmake(drift, block(PAGE, "cmake find_package"))
    said = drift.run(BUILD.replace("-B build", '-B build -Dweft_DIR="$(weft runtime)"'))
    assert said.endswith(SAYS)


def test_conan(drift: Folder, tmp_path: Path) -> None:
    cmake(drift, block(PAGE, "cmake find_package"))
    drift.write("conanfile.txt", block(PAGE, "text conanfile.txt"))
    said = drift.try_run(block(PAGE, "sh conan"), CONAN_HOME=str(tmp_path / "conan"))
    assert said.stdout.endswith(SAYS), said.stdout


def test_cmake_refuses_another_version(drift: Folder) -> None:
    cmake(drift, "find_package(weft 2.0 REQUIRED)\n")
    said = drift.try_run('cmake -B build -Dweft_DIR="$(weft runtime)"')
    assert said.returncode != 0
    assert "version: 1.0.0" in said.stdout


TWO_WORLDS = """add_library(both STATIC quay.c)
target_link_libraries(drift PRIVATE both)
weft_generate(both SCHEMA drift.toml)
weft_generate(both SCHEMA "a quay.toml" STRICT)
"""
QUAY = '[world]\nname = "quay"\n[component.ships]\nfields = { moored = "u8" }\n'
SHIPS = """#include "drift.h"
#include "quay.h"
int ships(void);
int ships(void)
{
    quay_world *w = quay_open(NULL);
    quay_close(w);
    return w != NULL;
}
"""


@pytest.mark.parametrize("generator", ["Unix Makefiles", *also("Ninja")])
def test_cmake_with_two_worlds_a_library_and_spaces(
    tmp_path: Path, commands: Path, generator: str
) -> None:
    folder = project(tmp_path, commands, "my drift")
    cmake(folder)
    folder.edit("CMakeLists.txt", "(drift main.c)", "(drift main.c)\n" + TWO_WORLDS)
    folder.edit("CMakeLists.txt", "weft_generate(drift SCHEMA drift.toml)\n", "")
    folder.write("a quay.toml", QUAY)
    folder.write("quay.c", SHIPS)
    folder.edit(
        "main.c", "{\n    drift_world *w", "{\n    if (!ships()) return 1;\n    drift_world *w"
    )
    folder.edit("main.c", "#include <stdio.h>", "#include <stdio.h>\nint ships(void);")
    out = f"'{tmp_path}/out of source'"
    build = f"cmake -B {out} -S . && cmake --build {out} -j4"
    folder.run(build, CMAKE_GENERATOR=generator)
    assert folder.run(f"{out}/drift") == SAYS
    objects = Folder(tmp_path / "out of source", commands)
    before = objects.objects()
    folder.edit("a quay.toml", '"u8"', '"u16"')
    folder.run(f"cmake --build {out} -j4")
    made = {name for name, time in objects.objects().items() if before[name] != time}
    assert made == {"quay.c.o", "quay_schema.c.o"}


def test_cmake_names_the_mistakes_of_a_project(drift: Folder) -> None:
    for before, after, said in (
        ("SCHEMA drift.toml", "drift.toml", "weft_generate(TARGET SCHEMA FILE"),
        ("LANGUAGES C", "LANGUAGES NONE", "generated code are C"),
    ):
        cmake(drift, block(PAGE, "cmake find_package"))
        drift.edit("CMakeLists.txt", before, after)
        done = drift.try_run('rm -rf build && cmake -B build -Dweft_DIR="$(weft runtime)"')
        assert done.returncode != 0
        assert said in done.stdout


def test_meson(drift: Folder) -> None:
    drift.write("meson.build", block(PAGE, "meson meson.build"))
    assert drift.run(block(PAGE, "sh meson")).endswith(SAYS)


INSTALLS = {
    "cmake": "\n".join(block(PAGE, "sh install").splitlines()[:2]),
    "meson": 'meson setup --prefix "$PWD/prefix" install-weft ../weft/runtime\n'
    "meson install -C install-weft",
}


@pytest.mark.parametrize("by", INSTALLS)
def test_pkg_config(drift: Folder, by: str) -> None:
    drift.run(INSTALLS[by])
    (drift.path / "prefix").rename(drift.path / "moved")
    path = f"{drift.path}/moved/share/pkgconfig"
    assert drift.run("pkg-config --modversion weft", PKG_CONFIG_PATH=path) == "1.0.0\n"
    assert drift.run(block(PAGE, "sh pkg-config"), PKG_CONFIG_PATH=path).endswith(SAYS)


def test_meson_takes_what_is_installed(drift: Folder) -> None:
    drift.run(INSTALLS["cmake"])
    text = block(PAGE, "meson meson.build").replace(", fallback: ['weft', 'weft_dep']", "")
    text = text.replace("'main.c', world", "'main.c', world, files(weft.get_variable('source'))")
    drift.write("meson.build", text)
    lines = block(PAGE, "sh meson").splitlines()[2:]
    path = f"{drift.path}/prefix/share/pkgconfig"
    assert drift.run("\n".join(lines), PKG_CONFIG_PATH=path).endswith(SAYS)


def test_make(drift: Folder) -> None:
    drift.write("Makefile", block(PAGE, "make Makefile"))
    assert drift.run(block(PAGE, "sh make")).endswith(SAYS)
    assert "up to date" in drift.run("make")
