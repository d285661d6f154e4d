"""Compiled with and without vectors, the search for the words of a mask that are not 0 finds the
same.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from compilers import C_COMPILERS, RUNTIME, Compiler

# It returns 1 if a mask differs from a look at each word; masks have any length and begin anywhere.
SOURCE = """\
#include "query/sparse_rows.h"

const char weft_rebuild_all_without_WEFT_HARD = 0; // the runtime is not linked
const char weft_rebuild_all_without_WEFT_UNOBSERVED = 0;

static uint64_t look_at_each(const uint64_t *words, uint32_t count)
{
    uint64_t occupied = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (words[i] != 0) occupied |= (uint64_t)1 << i;
    }
    return occupied;
}

int main(void)
{
    uint64_t words[72];
    uint64_t random = 1;
    for (int round = 0; round < 200; round++) {
        for (int i = 0; i < 72; i++) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            words[i] = random >> 62 == 0 ? (uint64_t)1 << (random >> 32 & 63) : 0;
        }
        for (uint32_t count = 0; count <= 64; count++) {
            const uint64_t *mask = words + round % 9;
            if (weft_words_occupied(mask, count) != look_at_each(mask, count)) return 1;
        }
    }
    return 0;
}
"""

FLAGS = ("-O1 -fsanitize=address,undefined", "-O3 -march=native")


@pytest.mark.parametrize("flags", FLAGS)
@pytest.mark.parametrize("compiler", C_COMPILERS, ids=lambda compiler: compiler.name)
def test_the_words_are_those_of_a_look_at_each(
    compiler: Compiler, flags: str, tmp_path: Path
) -> None:
    program = tmp_path / "program"
    source = tmp_path / "program.c"
    source.write_text(SOURCE)
    command = [compiler.name, "-std=c11", *flags.split(), "-I", RUNTIME, source, "-o", program]
    built = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (built.returncode, built.stderr) == (0, "")
    assert subprocess.run([program], check=False).returncode == 0
