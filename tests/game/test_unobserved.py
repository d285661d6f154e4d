"""The game built with -DWEFT_UNOBSERVED plays the same game and refuses to be observed."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from colony_game import quiet

ROOT = Path(__file__).resolve().parents[2]
GAME = ROOT / "tests" / "game"
REFUSED = "watch, checks and profile need a build without -DWEFT_UNOBSERVED"

# It asks for each thing that observes, and prints what it is told.
ASK = """
#include "colony.h"
#include "colony_insight.h"
#include "run/held.h"
#include "run/sampler.h"
#include <stdio.h>

static void say(void *user, const char *line)
{
    (void)user;
    puts(line);
}

static int opens(weft_options options)
{
    options.log = say;
    options.insight = colony_insight();
    colony_world *world = colony_open(&options);
    if (world) colony_close(world);
    return world != NULL;
}

int main(void)
{
    weft_options profile = {.profile = {.count = true}};
    int opened = opens((weft_options){.watch = 8}) + opens((weft_options){.checks = true});
    printf("%d opened\\n", opened + opens(profile));
    colony_world *world = colony_open(NULL);
    weft_world *base = colony_world_base(world);
    printf("%d\\n", weft_watch(base, colony_insight(), 8) == WEFT_REFUSED);
    puts(colony_error(world));
    weft_write writes[1];
    printf("%u\\n", colony_trace(world, COLONY_NONE, "calendar.day", writes, 1));
    puts(colony_error(world));
    printf("%d\\n", colony_stop_at(world, "calendar.day = 2", NULL, NULL) == WEFT_REFUSED);
    puts(colony_error(world));
    printf("%d %d\\n", weft_system_hold(base, 0, true), weft_profiler_count(base, true));
    colony_close(world);
}
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Returns the game, and the program that asks."""
    folder = tmp_path_factory.mktemp("unobserved")
    ask, library = folder / "ask.c", folder / "libcolony.a"
    ask.write_text(ASK, encoding="utf-8")
    own = [path for path in GAME.glob("*.c") if not path.stem.startswith("test_")]
    runtime = [ROOT / "runtime" / path for path in ("weft.c", "weft_json.c", "trace/trace.c")]
    sources = [*own, *(ROOT / "generated" / "colony").glob("*.c"), *runtime]
    include = ("-I", ROOT / "runtime", "-I", ROOT / "generated" / "colony", "-I", GAME)
    flags = ("gcc", "-std=c11", "-pthread", "-DWEFT_UNOBSERVED", "-ffp-contract=off", *include)
    subprocess.run((*flags, "-c", *sources), check=True, cwd=folder)
    objects = [path for path in folder.glob("*.o") if path.stem != "main"]
    subprocess.run(("ar", "rcs", library, *objects), check=True)
    for name, source in (("game", folder / "main.o"), ("ask", ask)):
        subprocess.run((*flags, source, library, "-lm", "-o", folder / name), check=True)
    return folder / "game", folder / "ask"


def test_it_plays_the_same_game(built: tuple[Path, Path]) -> None:
    command = (built[0], "--quiet", "--ticks", "600")
    played = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert quiet(600).hash in played


def test_nothing_observes(built: tuple[Path, Path]) -> None:
    lines = subprocess.run((built[1],), check=True, stdout=subprocess.PIPE, text=True).stdout
    assert lines.splitlines() == [
        *(REFUSED, REFUSED, REFUSED, "0 opened"),
        *("1", REFUSED),
        *("0", REFUSED),
        *("1", REFUSED),
        "0 0",
    ]
