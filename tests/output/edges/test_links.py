"""Objects of two schemas, or from before and after an edit, do not link, and the linker names the
reason.

Otherwise a build that recompiles the generated C files, but not yet the files that include the
headers, would make a program that crashes.
"""

from __future__ import annotations

import itertools
import re
import shutil
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from built import built
from compilers import RUNTIME
from examples import long_after
from generated import Generated, generate, generate_all

SCHEMA = """
[world]
name = "pair"
phases = ["only"]
[enum.metal]
values = ["iron", "gold"]
[component.coin]
doc = "Small change."
fields = { of = "metal", worth = { type = "u32", unit = "cent" } }
[component.seen]
[query.seen_coins]
read = ["coin"]
where = "seen"
[system.spend]
phase = "only"
write = ["coin"]
"""

# The text that an edit replaces, the new one, and the first header in which code differs then.
EDITS = {
    "field": ('of = "metal"', 'of = "metal", year = "u16"', "pair_coin"),
    "type": ('"u32"', '"u64"', "pair_coin"),
    "value": ('["iron", "gold"]', '["gold", "iron"]', "pair_metal"),
    "filter": ('"seen"', '"!seen"', "pair_seen_coins"),
    "access": ('phase = "only"\nwrite', 'phase = "only"\ncommands = true\nwrite', "pair_spend"),
    "handles": ('"pair"\n', '"pair"\nentity = { index_bits = 16 }\n', "pair_entity"),
}
DOCUMENTS = {
    "doc": ('"Small change."', '"What a purse holds."'),
    "unit": ('"cent"', '"penny"'),
    "doc of a query": ("[query.seen_coins]", '[query.seen_coins]\ndoc = "All of them."'),
}

GAME = """
#include "pair.h"
void pair_spend(const pair_spend_ctx *ctx, uint32_t count, pair_coin *WEFT_RESTRICT coin)
{
    (void)ctx;
    for (uint32_t i = 0; i < count; i++) coin[i].worth--;
}
int main(void)
{
    static pair_coin coin;
    pair_world *w = pair_open(NULL);
    coin.worth = 7;
    pair_entity e = pair_spawn(w);
    bool well = pair_coin_set(w, e, coin) && pair_seen_set(w, e) && pair_tick(w, 1) == WEFT_OK &&
                pair_seen_coins_count(w) == 1 && pair_coin_get(w, e)->worth == 6;
    pair_close(w);
    return !well;
}
"""


@dataclass(frozen=True)
class Way:
    """A way to compile and link."""

    name: str
    compiler: str
    flags: tuple[str, ...] = ()
    runs: bool = True
    game: str = "game.c"

    @property
    def usual(self) -> bool:
        """Returns whether it links with what Ninja has built."""
        return self.runs and "-flto" not in self.flags

    def command(self, *more: object) -> subprocess.CompletedProcess[str]:
        command = [*self.compiler.split(), *self.flags, *map(str, more)]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    def compiled(self, source: Path, headers: Path, object: Path) -> Path:
        done = self.command("-c", source, f"-I{RUNTIME}", f"-I{headers}", "-o", object)
        assert done.returncode == 0, done.stderr
        return object


COLLECTED = ("-ffunction-sections", "-fdata-sections", "-Wl,--gc-sections")
LLD = ("-fuse-ld=lld", "-Wno-unused-command-line-argument")
WASM = ("--target=wasm32-wasi", "-DWEFT_NO_THREADS")
GCC, CLANG, MINGW = "gcc -pthread", "clang -pthread", "x86_64-w64-mingw32-gcc"
WAYS = [
    Way("gcc", GCC, ("-O0",)),
    Way("gcc, optimised", GCC, ("-O2", *COLLECTED)),
    Way("gcc, as a whole", GCC, ("-O1", "-flto", *COLLECTED)),
    Way("clang", CLANG, ("-O0",)),
    Way("clang, optimised", CLANG, ("-O2", *COLLECTED)),
    Way("g++", GCC, ("-O1", *COLLECTED), game="game.cpp"),
    Way("clang++", CLANG, ("-O1", *COLLECTED), game="game.cpp"),
]
if shutil.which("ld.lld"):
    WAYS.append(Way("clang, as a whole", CLANG, ("-O1", "-flto", *LLD, *COLLECTED)))
if shutil.which(MINGW):
    WAYS.append(Way("Windows", MINGW, ("-O1", *COLLECTED), runs=False))
if shutil.which("wasm-ld-14"):
    WAYS.append(Way("WebAssembly", "clang", ("-O1", *WASM, *COLLECTED), runs=False))
    WAYS.append(Way("WebAssembly, C++", "clang", ("-O1", *WASM), runs=False, game="game.cpp"))


@dataclass(frozen=True)
class Version:
    """The code that the generator makes of the schema after an edit."""

    folder: Path
    files: dict[str, str]

    @property
    def symbols(self) -> set[str]:
        (tables,) = (text for path, text in self.files.items() if path.endswith("_schema.c"))
        return set(re.findall(r"const char\s+(weft_\w+) = 0;", tables))


def version(out: Path, old: str = "", new: str = "") -> Version:
    assert old in SCHEMA
    out.mkdir()
    (out / "pair.toml").write_text(SCHEMA.replace(old, new, 1) if old else SCHEMA)
    made = generate(out / "pair.toml")
    return Version(made.write(out), made.files)


def library(way: Way, world: Version, out: Path) -> list[Path]:
    """The objects of a world's C files, and the runtime."""
    files = sorted(world.folder.glob("*.c"))
    objects = [way.compiled(file, world.folder, out / f"{file.stem}.o") for file in files]
    return [*objects, runtime(way, out)]


def runtime(way: Way, out: Path) -> Path:
    """The runtime has no part in the check, so that the one of another build does. A link as a
    whole needs its own, with the flags of the way, and so does another machine. It is not
    optimised: that takes most of the time of the test, and changes no symbol."""
    if way.usual:
        return built("build/clang/libweft.a")
    own = replace(way, flags=(*way.flags, "-O0"))
    return own.compiled(RUNTIME / "weft.c", out, out / "weft.o")


def game(way: Way, world: Version, out: Path) -> Path:
    (out / way.game).write_text(GAME, encoding="utf-8")
    return way.compiled(out / way.game, world.folder, out / "game.o")


# The others compile a runtime of their own.
USUAL, OTHERS = ([way for way in WAYS if way.usual == usual] for usual in (True, False))


@pytest.mark.parametrize("way", long_after(len(USUAL), USUAL + OTHERS), ids=lambda way: way.name)
def test_an_object_from_before_an_edit_does_not_link(way: Way, tmp_path: Path) -> None:
    old, now = version(tmp_path / "old"), version(tmp_path / "new", *EDITS["field"][:2])
    world, program = library(way, now, tmp_path), tmp_path / "program"
    done = way.command(game(way, old, tmp_path), *world, "-o", program)
    assert done.returncode != 0
    assert re.search(r"weft_rebuild_all_pair_coin_h_differs_[0-9a-f]{8}\b", done.stderr)
    done = way.command(game(way, now, tmp_path), *world, "-o", program)
    assert done.returncode == 0, done.stderr
    assert not way.runs or subprocess.run([program], check=False).returncode == 0


def test_one_generated_file_from_before_an_edit_does_not_link_either(tmp_path: Path) -> None:
    way, program = WAYS[0], tmp_path / "program"
    old, now = version(tmp_path / "old"), version(tmp_path / "new", *EDITS["field"][:2])
    fresh = [game(way, now, tmp_path), *library(way, now, tmp_path)]
    assert way.command(*fresh, "-o", program).returncode == 0
    for name in ("pair_schema", "pair_run"):
        stale = way.compiled(old.folder / f"{name}.c", old.folder, tmp_path / "stale.o")
        others = [object for object in fresh if object.stem != name]
        done = way.command(stale, *others, "-o", program)
        assert done.returncode != 0
        assert "weft_rebuild_all_pair_" in done.stderr


@pytest.mark.parametrize("macro", ["WEFT_HARD", "WEFT_UNOBSERVED"])
def test_an_object_of_another_mode_does_not_link(macro: str, tmp_path: Path) -> None:
    """In hard mode tables are laid out otherwise, and an unobserved world tells nothing."""
    usual, mode = WAYS[0], replace(WAYS[0], flags=("-O0", f"-D{macro}"))
    now, program = version(tmp_path / "new"), tmp_path / "program"
    (tmp_path / "mode").mkdir()
    made = {}
    own = mode.compiled(RUNTIME / "weft.c", tmp_path, tmp_path / "weft.o")
    runtimes = {usual: runtime(usual, tmp_path), mode: own}
    for way, out in ((usual, tmp_path), (mode, tmp_path / "mode")):
        objects = [game(way, now, out), *library(way, now, out)[:-1]]
        made[way] = {object.name: object for object in objects} | {"runtime": runtimes[way]}
        assert way.command(*made[way].values(), "-o", program).returncode == 0
        assert subprocess.run([program], check=False).returncode == 0
    for name in ("game.o", "pair_run.o", "pair_world.o", "runtime"):
        done = usual.command(*{**made[usual], name: made[mode][name]}.values(), "-o", program)
        assert done.returncode != 0
        assert re.search(rf"weft_rebuild_all_with(out)?_{macro}\b", done.stderr)


def test_an_object_from_before_an_edit_of_comments_links(tmp_path: Path) -> None:
    way = WAYS[0]
    old, now = version(tmp_path / "old"), version(tmp_path / "new", *DOCUMENTS["doc"])
    objects = [game(way, old, tmp_path), *library(way, now, tmp_path)]
    assert way.command(*objects, "-o", tmp_path / "program").returncode == 0
    assert subprocess.run([tmp_path / "program"], check=False).returncode == 0


@pytest.mark.parametrize("edit", EDITS)
def test_an_edit_that_code_depends_on_changes_the_symbol(edit: str, tmp_path: Path) -> None:
    old, new, header = EDITS[edit]
    gone = version(tmp_path / "old").symbols - version(tmp_path / "new", old, new).symbols
    assert any(symbol.startswith(f"weft_rebuild_all_{header}_h_differs_") for symbol in gone)


@pytest.mark.parametrize("edit", DOCUMENTS)
def test_an_edit_of_comments_changes_no_symbol(edit: str, tmp_path: Path) -> None:
    old, now = version(tmp_path / "old"), version(tmp_path / "new", *DOCUMENTS[edit])
    assert old.files != now.files
    assert old.symbols == now.symbols


@pytest.mark.parametrize("made", generate_all(), ids=lambda made: made.name)
def test_every_header_has_a_symbol_of_its_own(made: Generated) -> None:
    """All but the overview, which only includes the others."""
    world = Version(Path(made.world), made.files)
    overview = f"{made.world}/{made.world}.h"
    headers = [text for path, text in made.files.items() if path.endswith(".h")]
    found = [re.findall(r"WEFT_LINKS_WITH\((\w+)\);", text) for text in headers]
    assert "WEFT_LINKS_WITH" not in made.files[overview]
    assert sorted(map(len, found)) == [0] + [1] * (len(found) - 1)
    assert set(itertools.chain(*found)) == world.symbols
    assert len(world.symbols) == len(found) - 1


def test_unedited_headers_keep_their_symbols(tmp_path: Path) -> None:
    """Objects that include only those need not be compiled again."""
    old, now = version(tmp_path / "old"), version(tmp_path / "new", *EDITS["filter"][:2])
    assert any(symbol.startswith("weft_rebuild_all_pair_coin_h") for symbol in old.symbols)
    changed = {symbol.split("_h_differs_")[0] for symbol in old.symbols ^ now.symbols}
    assert changed == {"weft_rebuild_all_pair_seen_coins"}
