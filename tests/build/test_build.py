"""The build, run in a copy of the repository, does what is needed and nothing else.

The needed work is not listed here but computed: an object must be compiled again exactly if the
text of a file that Ninja recorded for it has changed.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
SCHEMA = "schema/colony.toml"
IMPORTED = "schema/economy.toml"
PROGRAM = "build/colony"

# One copy, built once: these tests stay together on one processor.
pytestmark = pytest.mark.xdist_group("build")


@dataclass(frozen=True)
class Done:
    code: int
    output: str

    @property
    def compiled(self) -> set[str]:
        """The objects made, from the commands that Ninja printed."""
        return set(re.findall(r" -c \S+ -o (\S+)$", self.output, re.MULTILINE))

    @property
    def generated(self) -> bool:
        return "codegen generate" in self.output


@dataclass(frozen=True)
class Copy:
    """A copy of the repository whose game is built."""

    root: Path

    @property
    def aside(self) -> Path:
        return self.root.with_name("aside")

    def ninja(self, *arguments: str) -> Done:
        done = subprocess.run(
            ["ninja", "-v", *arguments],
            cwd=self.root,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        return Done(done.returncode, done.stdout)

    def built(self, target: str = PROGRAM) -> Done:
        done = self.ninja(target)
        assert done.code == 0, done.output
        return done

    def texts(self) -> dict[str, bytes]:
        """Every file that something may be compiled from."""
        folders = ("generated", "runtime", "tests/game")
        paths = [path for folder in folders for path in (self.root / folder).rglob("*.[ch]")]
        return {path.relative_to(self.root).as_posix(): path.read_bytes() for path in paths}

    def inputs(self) -> dict[str, set[str]]:
        """Returns what each object of the game was compiled from, by Ninja's own record."""
        found: dict[str, set[str]] = {}
        files: set[str] = set()
        for line in self.ninja("-t", "deps").output.splitlines():
            if line.startswith(" "):
                files.add(line.strip().removeprefix("./"))
            elif ".o: " in line:
                files = found.setdefault(line.split(":")[0], set())
            else:
                files = set()
        return found

    def edit(self, file: str, old: str, new: str) -> None:
        path = self.root / file
        text = path.read_text(encoding="utf-8")
        assert text.count(old) >= 1, f"{file} does not contain {old!r}"
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    def append(self, file: str, text: str) -> None:
        path = self.root / file
        path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")


# The folders that a test changes, and Ninja when it builds.
CHANGED = ("schema", "codegen", "generated", "tests/game", "build")


@pytest.fixture(scope="module")
def master(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """The copy is built once, by a preprocessor: what Ninja does follows from the files that it
    reads, and other builds tell whether all of it compiles. What tests change of it is also laid
    aside, with the times of the files, so that the next test finds it as it was and nothing has to
    be compiled again."""
    root = tmp_path_factory.mktemp("weft") / "copy"
    skipped = shutil.ignore_patterns(".git", ".venv", "build", "__pycache__", ".hypothesis")
    shutil.copytree(ROOT, root, ignore=skipped, symlinks=True)
    shutil.copytree(ROOT / "tests" / "build", root / "tests" / "build")
    (root / ".venv").symlink_to(ROOT / ".venv")
    copy = Copy(root)
    copy.edit("build.ninja", "cc = gcc", "cc = gcc -E")
    copy.edit("build.ninja", "$cc $cflags $linker $in $libs -o $out", "cat $in > $out")
    copy.edit("tests/build.ninja", "hot = -O1\nsubninja tests/var", "hot =\nsubninja tests/var")
    copy.built()
    for folder in CHANGED:
        shutil.copytree(root / folder, copy.aside / folder)
    return copy


@pytest.fixture
def copy(master: Copy) -> Copy:
    """The copy with nothing left to do, whatever the test before this one has left."""
    for folder in CHANGED:
        shutil.rmtree(master.root / folder)
        shutil.copytree(master.aside / folder, master.root / folder)
    return master


def check_rebuilds_exactly_what_changed(copy: Copy, texts: dict[str, bytes]) -> Done:
    """Builds and compares with what the files that changed since `texts` ask for."""
    inputs = copy.inputs()
    done = copy.built()
    now = copy.texts()
    changed = {path for path in texts if now.get(path) != texts[path]}
    assert done.compiled == {name for name, files in inputs.items() if files & changed}
    assert "no work to do" in copy.ninja(PROGRAM).output
    return done


def test_a_second_ninja_does_nothing(copy: Copy) -> None:
    assert "no work to do" in copy.ninja(PROGRAM).output


def test_a_changed_field_compiles_what_includes_it(copy: Copy) -> None:
    texts = copy.texts()
    copy.edit(IMPORTED, 'beds = { type = "u8"', 'beds = { type = "u16"')
    done = check_rebuilds_exactly_what_changed(copy, texts)
    assert done.generated
    assert "build/game/housing.o" in done.compiled
    assert "build/game/ground.o" not in done.compiled


def test_a_comment_in_the_schema_compiles_nothing(copy: Copy) -> None:
    copy.append(SCHEMA, "# nothing\n")
    done = copy.built()
    assert done.generated
    assert done.compiled == set()
    assert "no work to do" in copy.ninja(PROGRAM).output


def test_a_new_component_gets_its_header_and_a_removed_one_loses_it(copy: Copy) -> None:
    header = copy.root / "generated/colony/colony_novelty.h"
    text = (copy.root / SCHEMA).read_text(encoding="utf-8")
    copy.append(SCHEMA, '\n[component.novelty]\nfields = { x = "f32" }\n')
    copy.append("tests/game/ground.c", '#include "colony_novelty.h"\n')
    ground = "build/game/ground.o"
    assert copy.built(ground).compiled == {ground}
    assert header.exists()

    shutil.copyfile(ROOT / "tests/game/ground.c", copy.root / "tests/game/ground.c")
    (copy.root / SCHEMA).write_text(text, encoding="utf-8")
    copy.built(ground)
    assert not header.exists()
    assert "no work to do" in copy.ninja(ground).output


def test_a_changed_template_compiles_what_it_makes(copy: Copy) -> None:
    texts = copy.texts()
    copy.append("codegen/templates/tag.h.j2", "// One more line.\n")
    done = check_rebuilds_exactly_what_changed(copy, texts)
    assert done.generated
    assert done.compiled


def test_a_changed_generator_that_makes_the_same_compiles_nothing(copy: Copy) -> None:
    copy.append("codegen/emit/emit.py", "# nothing\n")
    done = copy.built()
    assert done.generated
    assert done.compiled == set()


def test_a_test_in_python_builds_what_it_lacks(copy: Copy) -> None:
    """A single pytest in a fresh clone, where no `ninja test` was before."""
    made = copy.root / "build/mutants/fuzz/fail.o"
    assert not made.exists()
    code = "from built import built; print(built('build/mutants/fuzz/fail.o'))"
    for _ in range(2):
        done = subprocess.run(
            [copy.root / ".venv/bin/python3", "-B", "-c", code],
            cwd=copy.root / "tests/support",
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode, done.stdout) == (0, f"{made}\n"), done.stderr
    assert made.exists()


def test_a_lost_generated_file_comes_back(copy: Copy) -> None:
    lost = copy.root / "generated/colony/colony_position.h"
    text = lost.read_bytes()
    lost.unlink()
    copy.built("build/game/ground.o")
    assert lost.read_bytes() == text


def test_a_wrong_schema_says_so_and_leaves_what_was_generated(copy: Copy) -> None:
    texts = copy.texts()
    copy.edit(IMPORTED, "[system.produce]\n", '[system.produce]\nafter = ["delivr"]\n')
    done = copy.ninja(PROGRAM)
    assert done.code != 0
    assert f"{IMPORTED}:" in done.output
    assert "did you mean 'deliver'?" in done.output
    assert copy.texts() == texts
    assert copy.ninja(PROGRAM).code != 0, "and says so again"

    shutil.copyfile(ROOT / IMPORTED, copy.root / IMPORTED)
    assert copy.built().compiled == set()
