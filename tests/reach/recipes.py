"""Runs the recipes of BUILDS.md exactly as printed, and checks the page's promises."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from installed import ROOT, Folder, also, block, new_python

PAGE = ROOT / "runtime/BUILDS.md"
README = ROOT / "README.md"
SAYS = block(README, "text output")
BUILD = "cmake -B build\ncmake --build build -j4\nbuild/burrow\n"


def project(parent: Path, commands: Path, name: str = "burrow") -> Folder:
    """README's example in a folder beside Weft."""
    (parent / "weft").symlink_to(ROOT)
    (parent / name).mkdir()
    folder = Folder(parent / name, commands)
    for kind, file in (("toml", "burrow.toml"), ("c", "main.c")):
        folder.write(file, block(README, f"{kind} {file}"))
    return folder


def cmake(folder: Folder, instead: str = "") -> None:
    """The recipe with add_subdirectory, or with another block in its place."""
    text = block(PAGE, "cmake add_subdirectory")
    if instead:
        text = text.replace("add_subdirectory(../weft/runtime weft)\n", instead)
    folder.write("CMakeLists.txt", text)


@pytest.fixture
def burrow(tmp_path: Path, commands: Path) -> Folder:
    return project(tmp_path, commands)


def test_pip_installs_a_checkout_by_git(tmp_path: Path) -> None:
    folder = Folder(tmp_path, new_python(tmp_path / "python"))
    folder.run(f"pip install 'git+file://{ROOT}#subdirectory=codegen'")
    assert "1 phase" in folder.run("weft init boats && weft schedule boats/boats.toml")


EACH_ONCE = [("Ninja", ""), ("Unix Makefiles", "cmake fetch_content")]
CROSSED = [("Unix Makefiles", ""), ("Ninja", "cmake fetch_content")]


@pytest.mark.parametrize(("generator", "instead"), EACH_ONCE + (CROSSED if also("all") else []))
def test_cmake(burrow: Folder, generator: str, instead: str) -> None:
    cmake(burrow, block(PAGE, instead) if instead else "")
    assert burrow.run(BUILD, CMAKE_GENERATOR=generator).endswith(SAYS)


def test_cmake_finds_what_is_installed_and_moved(burrow: Folder) -> None:
    cmake(burrow, block(PAGE, "cmake find_package"))
    lines = block(PAGE, "sh install").splitlines()
    burrow.run("\n".join(lines[:2]))
    (burrow.path / "prefix").rename(burrow.path / "moved here")
    shutil.rmtree(burrow.path / "install-weft")
    moved = "\n".join(lines[2:]).replace("$PWD/prefix", "$PWD/moved here")
    assert burrow.run(moved).endswith(SAYS)
    cache = (burrow.path / "build/CMakeCache.txt").read_text(encoding="utf-8")
    generator = next(line for line in cache.splitlines() if line.startswith("WEFT_GENERATOR:"))
    assert generator.endswith("/moved here/share/weft/codegen")
    said = burrow.run("python3 'moved here/share/weft/codegen' runtime --inspector --out copy")
    assert said.startswith("copy: ")
    assert (burrow.path / "copy/serve/page.c").exists()


def test_cmake_finds_what_pip_has_installed(burrow: Folder) -> None:
    cmake(burrow, block(PAGE, "cmake find_package"))
    said = burrow.run(BUILD.replace("-B build", '-B build -Dweft_DIR="$(weft runtime)"'))
    assert said.endswith(SAYS)


def test_conan(burrow: Folder, tmp_path: Path) -> None:
    cmake(burrow, block(PAGE, "cmake find_package"))
    burrow.write("conanfile.txt", block(PAGE, "text conanfile.txt"))
    said = burrow.try_run(block(PAGE, "sh conan"), CONAN_HOME=str(tmp_path / "conan"))
    assert said.stdout.endswith(SAYS), said.stdout


def test_cmake_refuses_another_version(burrow: Folder) -> None:
    cmake(burrow, "find_package(weft 2.0 REQUIRED)\n")
    said = burrow.try_run('cmake -B build -Dweft_DIR="$(weft runtime)"')
    assert said.returncode != 0
    assert "version: 1.0.0" in said.stdout


TWO_WORLDS = """add_library(both STATIC quay.c)
target_link_libraries(burrow PRIVATE both)
weft_generate(both SCHEMA burrow.toml)
weft_generate(both SCHEMA "a quay.toml" STRICT)
"""
QUAY = '[world]\nname = "quay"\n[component.ships]\nfields = { moored = "u8" }\n'
SHIPS = """#include "burrow.h"
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
    folder = project(tmp_path, commands, "my burrow")
    cmake(folder)
    folder.edit("CMakeLists.txt", "(burrow main.c)", "(burrow main.c)\n" + TWO_WORLDS)
    folder.edit("CMakeLists.txt", "weft_generate(burrow SCHEMA burrow.toml)\n", "")
    folder.write("a quay.toml", QUAY)
    folder.write("quay.c", SHIPS)
    folder.edit(
        "main.c", "{\n    burrow_world *w", "{\n    if (!ships()) return 1;\n    burrow_world *w"
    )
    folder.edit("main.c", "#include <stdio.h>", "#include <stdio.h>\nint ships(void);")
    out = f"'{tmp_path}/out of source'"
    build = f"cmake -B {out} -S . && cmake --build {out} -j4"
    folder.run(build, CMAKE_GENERATOR=generator)
    assert folder.run(f"{out}/burrow") == SAYS
    objects = Folder(tmp_path / "out of source", commands)
    before = objects.objects()
    folder.edit("a quay.toml", '"u8"', '"u16"')
    folder.run(f"cmake --build {out} -j4")
    made = {name for name, time in objects.objects().items() if before[name] != time}
    assert made == {"quay.c.o", "quay_schema.c.o"}


def test_cmake_names_the_mistakes_of_a_project(burrow: Folder) -> None:
    for before, after, said in (
        ("SCHEMA burrow.toml", "burrow.toml", "weft_generate(TARGET SCHEMA FILE"),
        ("LANGUAGES C", "LANGUAGES NONE", "generated code are C"),
    ):
        cmake(burrow, block(PAGE, "cmake find_package"))
        burrow.edit("CMakeLists.txt", before, after)
        done = burrow.try_run('rm -rf build && cmake -B build -Dweft_DIR="$(weft runtime)"')
        assert done.returncode != 0
        assert said in done.stdout


def test_meson(burrow: Folder) -> None:
    burrow.write("meson.build", block(PAGE, "meson meson.build"))
    assert burrow.run(block(PAGE, "sh meson")).endswith(SAYS)


INSTALLS = {
    "cmake": "\n".join(block(PAGE, "sh install").splitlines()[:2]),
    "meson": 'meson setup --prefix "$PWD/prefix" install-weft ../weft/runtime\n'
    "meson install -C install-weft",
}


@pytest.mark.parametrize("by", INSTALLS)
def test_pkg_config(burrow: Folder, by: str) -> None:
    burrow.run(INSTALLS[by])
    (burrow.path / "prefix").rename(burrow.path / "moved")
    path = f"{burrow.path}/moved/share/pkgconfig"
    assert burrow.run("pkg-config --modversion weft", PKG_CONFIG_PATH=path) == "1.0.0\n"
    assert burrow.run(block(PAGE, "sh pkg-config"), PKG_CONFIG_PATH=path).endswith(SAYS)


def test_meson_takes_what_is_installed(burrow: Folder) -> None:
    burrow.run(INSTALLS["cmake"])
    text = block(PAGE, "meson meson.build").replace(", fallback: ['weft', 'weft_dep']", "")
    text = text.replace("'main.c', world", "'main.c', world, files(weft.get_variable('source'))")
    burrow.write("meson.build", text)
    lines = block(PAGE, "sh meson").splitlines()[2:]
    path = f"{burrow.path}/prefix/share/pkgconfig"
    assert burrow.run("\n".join(lines), PKG_CONFIG_PATH=path).endswith(SAYS)


def test_make(burrow: Folder) -> None:
    burrow.write("Makefile", block(PAGE, "make Makefile"))
    assert burrow.run(block(PAGE, "sh make")).endswith(SAYS)
    assert "up to date" in burrow.run("make")
