"""The inspector works in a user's own game, as `weft runtime --inspector` copies it.

`ninja test-look` runs this; it needs what `.ci/install --look` gets.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from inspector import served
from installed import ROOT, Folder, install

STRICT = "-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror"
SCHEMA = """
[world]
name = "drift"
phases = ["move"]

[component.position]
fields = { x = "f32", y = "f32" }

[component.velocity]
fields = { x = "f32", y = "f32" }

[prefab.boat]
components = { position = {}, velocity = { x = 1.0 } }

[system.drift]
phase = "move"
read = ["velocity"]
write = ["position"]
"""
GAME = """
#include "drift.h"
#include "weft_serve.h"

#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t over;

static void end(int number)
{
    (void)number;
    over = 1;
}

void drift_drift(const drift_drift_ctx *ctx, uint32_t count,
                 const drift_velocity *WEFT_RESTRICT velocity,
                 drift_position *WEFT_RESTRICT position)
{
    for (uint32_t i = 0; i < count; i++) position[i].x += velocity[i].x * (float)ctx->dt;
}

static weft_status tick(void *user)
{
    return drift_tick((drift_world *)user, 1.0);
}

int main(void)
{
    drift_world *w = drift_open(NULL);
    drift_boat boat = drift_boat_defaults();
    drift_boat_spawn(w, &boat);
    weft_serve *server = weft_serve_open(drift_world_base(w), &(weft_serve_options){
        .writable = true, .tick = tick, .user = w});
    if (server == NULL) return 1;
    printf("%s\\n", weft_serve_url(server));
    fflush(stdout);
    signal(SIGTERM, end);
    while (!over) weft_serve_poll(server, 0.02);
    weft_serve_close(server);
    drift_close(w);
    return 0;
}
"""


def own_commands() -> str:
    """The commands of the inspector's page, as a user copies them."""
    text = (ROOT / "runtime/serve/README.md").read_text(encoding="utf-8")
    found = re.search(r"  ```sh\n(.*?)  ```\n", text, re.DOTALL)
    assert found
    return found[1]


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install(tmp_path_factory.mktemp("weft"))


@pytest.fixture
def folder(tmp_path: Path, commands: Path) -> Folder:
    made = Folder(tmp_path, commands)
    (tmp_path / "drift.toml").write_text(SCHEMA)
    (tmp_path / "main.c").write_text(GAME)
    made.run("weft generate drift.toml --out generated")
    return made


def test_a_game_of_ones_own_is_inspected(folder: Folder) -> None:
    folder.run(own_commands().replace("-O2", f"-O0 {STRICT}"))
    with served([str(folder.path / "drift")]) as game:
        assert game.call("stats")["entities"] == 1
        game.step(3)
        (boat,) = game.call("entities", columns=["position.x"])["rows"]
        assert boat["values"] == [3]


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_the_copy_of_all_files_compiles(folder: Folder, compiler: str) -> None:
    folder.run("weft runtime --out weft --inspector")
    flags = f"-std=c11 -fsyntax-only {STRICT} -I weft -I weft/serve"
    folder.run(f"{compiler} {flags} weft/serve/weft_serve.c")


def test_without_sockets_no_library_is_needed(folder: Folder) -> None:
    folder.run("weft runtime --out weft --one-file --inspector")
    folder.run(f"gcc -std=c11 -O0 {STRICT} -DWEFT_NO_SOCKETS -I weft -c weft/weft_serve.c")
    symbols = folder.run("nm weft_serve.o")
    assert " T weft_inspector_answer\n" in symbols
    assert "lws_" not in symbols


def test_without_asking_there_is_no_inspector(folder: Folder) -> None:
    folder.run("weft runtime --out weft")
    assert not list((folder.path / "weft").rglob("*serve*"))
    assert subprocess.run(["grep", "-r", "lws_", str(folder.path / "weft")], check=False).returncode
