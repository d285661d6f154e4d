"""The address space of a world is proportional to `max_entities`, and core files contain its
committed part.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from built import ROOT, built
from command import CommandLine

# Handles of each width, by the bits of their indices and generations. The last has so few
# generations that it needs all of its indices.
WIDTHS = {"narrow": (12, 4), "middle": (20, 12), "wide": (32, 32), "few": (24, 8)}
MAX = 1000
VIRTUAL_KIB_MAX = {"narrow": 2_000, "middle": 12_000, "wide": 3_000, "few": 134_000}

PROGRAM = """
#include "room.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long status_kib(const char *name)
{
    char line[256];
    long kib = -1;
    FILE *file = fopen("/proc/self/status", "r");
    while (file && fgets(line, sizeof line, file)) {
        if (strncmp(line, name, strlen(name)) == 0) kib = strtol(line + strlen(name), NULL, 10);
    }
    if (file) fclose(file);
    return kib;
}

// Adds up mappings without a file: bytes in core files, and resident ones that these leave out.
static void cores(const char *when)
{
    char line[512];
    long size = 0, resident = 0, in_cores = 0, left_out = 0;
    int own = 0;
    FILE *file = fopen("/proc/self/smaps", "r");
    while (file && fgets(line, sizeof line, file)) {
        unsigned long begin, end, inode;
        if (sscanf(line, "%lx-%lx %*s %*s %*s %lu", &begin, &end, &inode) == 3)
            own = inode == 0 && !strchr(line, '[');
        sscanf(line, "Size: %ld", &size);
        sscanf(line, "Rss: %ld", &resident);
        if (!own || strncmp(line, "VmFlags:", 8) != 0) continue;
        if (strstr(line, " dd")) left_out += resident;
        else in_cores += size;
    }
    if (file) fclose(file);
    printf("%s %ld %ld\\n", when, in_cores, left_out);
}

static uint32_t fill(room_world *w, uint32_t most)
{
    const room_chair chair = room_chair_defaults();
    uint32_t count = 0;
    while (count < most && room_chair_spawn(w, &chair).bits != 0) count++;
    return count;
}

int main(int argc, char **argv)
{
    uint32_t most = (uint32_t)strtoul(argv[1], NULL, 10);
    long before = status_kib("VmSize:");
    room_world *w = room_open(NULL);
    if (!w || argc < 2) return 1;
    printf("virtual %ld\\n", status_kib("VmSize:") - before);
    cores("opened");
    printf("spawned %" PRIu32 "\\n", fill(w, most));
    cores("full");
    room_chair_entities_despawn_all(w);
    room_trim(w);
    cores("trimmed");
    printf("again %" PRIu32 "\\n", fill(w, most));
    cores("again_full");
    room_close(w);
    return 0;
}
"""


def program(folder: Path, bits: tuple[int, int], most: int) -> Path:
    """A world of one prefab, and a program that fills, empties and fills it."""
    (folder / "room.toml").write_text(
        f"""
[world]
name = "room"
entity = {{ index_bits = {bits[0]}, generation_bits = {bits[1]} }}
max_entities = {most}
[component.place]
fields = {{ x = "f32", y = "f32", z = "f64" }}
[component.wear]
layout = "soa"
fields = {{ mass = "f32", age = "u8" }}
[component.owner]
storage = "sparse"
fields = {{ who = "entity" }}
[prefab.chair]
components = {{ place = {{}}, wear = {{}}, owner = {{}} }}
[query.chair_entities]
read = ["place"]
"""
    )
    done = CommandLine().run("generate", folder / "room.toml", "--out", folder)
    assert done.code == 0, done.err
    (folder / "main.c").write_text(PROGRAM)
    lib = built("build/clang/libweft.a")
    sources = sorted((folder / "room").glob("*.c"))
    command = ["gcc", "-O1", "-I", ROOT / "runtime", "-I", folder / "room", folder / "main.c"]
    subprocess.run([*command, *sources, lib, "-lm", "-pthread", "-o", folder / "main"], check=True)
    return folder / "main"


def told(path: Path, most: int) -> dict[str, list[int]]:
    done = subprocess.run([path, str(most)], capture_output=True, text=True, check=True)
    return {line.split()[0]: list(map(int, line.split()[1:])) for line in done.stdout.splitlines()}


pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="it reads /proc")


@pytest.mark.parametrize("width", WIDTHS)
def test_a_small_world_has_little_address_space(width: str, tmp_path: Path) -> None:
    found = told(program(tmp_path, WIDTHS[width], MAX), 2 * MAX)
    assert found["virtual"][0] <= VIRTUAL_KIB_MAX[width]
    assert found["spawned"] == found["again"] == [MAX]


@pytest.mark.parametrize("width", ["middle", "wide"])
def test_core_files_have_what_is_committed(width: str, tmp_path: Path) -> None:
    """A large world, before and after it grows, shrinks and grows again."""
    most = 1_000_000
    found = told(program(tmp_path, WIDTHS[width], most), most)
    assert found["spawned"] == found["again"] == [most]
    begun, full, trimmed, again = (
        found[name] for name in ("opened", "full", "trimmed", "again_full")
    )
    assert [left_out for _, left_out in (begun, full, trimmed, again)] == [0, 0, 0, 0]
    row_kib = 40 * most // 1024
    assert begun[0] < 20_000
    assert row_kib <= full[0] <= 4 * row_kib
    assert trimmed[0] < full[0] // 2
    assert row_kib <= again[0] <= 4 * row_kib
