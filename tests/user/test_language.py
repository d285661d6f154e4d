"""MORE.md: its C compiles with what schemas generate, its TOML passes `check`.

Each block of C is compiled by itself, as is that of SAVES.md. A part that begins like a definition
stands as it is; the rest is the body of a function that has what the text around it speaks of.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from installed import ROOT

CODEGEN = [ROOT / ".venv/bin/python3", ROOT / "codegen"]
PAGE = (ROOT / "schema/MORE.md").read_text(encoding="utf-8")
SAVES = (ROOT / "runtime/save/SAVES.md").read_text(encoding="utf-8")
QUIET = ["-Wno-unused", "-Wno-empty-body"]
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", *QUIET, "-Werror"]

# The page speaks of these worlds, and its blocks of C find around them what is in AROUND.
COLONY = """[world]
name = "colony"
fragments = true
step = "1/60"
phases = ["live"]
[enum.goods]
values = ["bread", "ale"]
[component.stock]
fields = { amount = "u32[goods]" }
[component.claim]
fields = { by = "entity" }
[system.eat]
phase = "live"
lookup = { read = ["stock"], write = ["claim"] }
[component.needs]
fields = { hunger = "f32", thirst = { type = "f32", default = 1.0 } }
[component.sprite]
fields = { texture = "u32" }
on_add = true
on_replace = true
on_remove = true
[component.picture]
fields = { path = "char[64]", texture = "u32" }
on_add = true
on_remove = true
[component.dice]
fields = { luck = "rng" }
[component.plant]
fields = { hours_to_ripen = "f32" }
[component.ripe]
[component.person]
fields = { age = "f32" }
[prefab.villager]
components = { person = {}, needs = {} }
[component.burning]
[component.position]
fields = { x = "f32", y = "f32" }
[event.died]
fields = { who = "entity", day = "u32" }
[listener.sounds]
hears = ["died"]
removed = ["burning", { name = "sprite", value = true }]
read = ["position"]
where = "added(burning)"
[relation.part_of]
on_parent_despawn = "despawn"
[query.plants]
write = ["plant"]
[query.ripe_plants]
read = ["plant"]
where = "ripe"
[query.people]
read = ["person"]
"""
ARENA = """[world]
name = "arena"
phases = ["move"]
[component.kick]
storage = "sparse"
fields = { x = "f32" }
[component.position]
fields = { x = "f32" }
[query.kicked]
read = ["kick"]
write = ["position"]
rows = "list"
[system.fly]
phase = "move"
read = ["kick"]
write = ["position"]
rows = "list"
"""
SKY = """[world]
name = "sky"
phases = ["simulate", "late"]
[component.position]
layout = "soa"
fields = { x = "f32", y = "f32", z = "f32" }
[component.velocity]
layout = "soa"
fields = { x = "f32", y = "f32", z = "f32" }
[component.offset]
fields = { x = "f32" }
[component.placed]
fields = { x = "f32" }
[component.house]
[component.person]
fields = { name = "char[16]", age = "f32" }
[component.asleep]
[component.post]
fields = { of = "entity" }
[component.button]
fields = { target = "entity" }
[component.dirty]
[component.burning]
[component.sprite]
fields = { texture = "u32" }
[event.died]
fields = { who = "entity", day = "u32" }
[singleton.camp]
fields = { guard = "entity" }
[prefab.soldier]
components = { post = {} }
[relation.part_of]
on_parent_despawn = "despawn"
[query.birds]
read = ["velocity"]
write = ["position"]
[query.houses]
where = "house"
[system.fly]
phase = "simulate"
read = ["velocity"]
write = ["position"]
[system.press]
phase = "simulate"
read = ["button"]
lookup = { write = ["dirty"] }
[system.guard]
phase = "late"
read = ["post"]
commands = true
singletons = { write = ["camp"] }
"""
# The page defines this system itself, which its C is about.
PUSH = """[system.push]
phase = "simulate"
parallel = true
inline = "sky_rows.h"
read = ["offset"]
write = ["placed"]
"""
AROUND = {
    "colony": "extern double dt, seconds_since_last_frame; extern float days;\n"
    "extern colony_entity root, home, self; void show(const char *text);\n"
    "bool minutes_passed(int minutes);\n"
    "void draw(colony_world *w, double between); void texture_use(uint32_t texture);\n"
    "void texture_give_back(uint32_t texture); int puts(const char *text);\n"
    "uint32_t texture_load(const char *path); void texture_unload(uint32_t texture);\n"
    "extern uint32_t deck[52]; extern uint64_t seed, stream; enum { DEATH, FIRE };\n"
    "void play(int sound, uint32_t day); void play_at(int sound, float x, float y);\n"
    "void unload(uint32_t texture); extern int times;\n"
    "void on_begin(void *user, const weft_zone *zone);\n"
    "void on_end(void *user, const weft_zone *zone);\n",
    "arena": "",
    "sky": "extern float dt; extern const uint32_t count; extern const sky_button *button;\n",
}
CONTEXTS = {
    "ctx->dirty": "sky_press_ctx",
    "ctx->camp": "sky_guard_ctx",
    "ctx->claim": "colony_eat_ctx",
}
SCHEMAS = {"colony": COLONY, "arena": ARENA, "sky": SKY + PUSH}
DEFINITION = re.compile(r"(//.*\n)*(static|void|typedef|WEFT_HOT|[A-Z]+_DEFINE)")


def blocks(kind: str, page: str = PAGE) -> list[str]:
    found = re.findall(rf"^```{kind}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert found
    return found


def program(block: str, world: str) -> str:
    parts = [f'#include "{world}.h"\n', AROUND[world]]
    context = next((ctx for word, ctx in CONTEXTS.items() if word in block), "void")
    takes = f"{world}_world *w, {world}_entity e, const {context} *ctx"
    body = [f"void use({takes});\nvoid use({takes})\n{{{{"]
    for part in re.split(r"\n\n|^….*\n", block, flags=re.MULTILINE):
        (parts if DEFINITION.match(part) else body).append(part.replace("…;", ";"))
    return "\n".join([*parts, *body, "}}\n"])


def generate(folder: Path, world: str) -> None:
    (folder / f"{world}.toml").write_text(SCHEMAS[world], encoding="utf-8")
    command = [*CODEGEN, "generate", f"{world}.toml", "--out", "."]
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)


def test_the_c_of_the_language_compiles(tmp_path: Path) -> None:
    files = []
    for number, block in enumerate(blocks("c", PAGE + SAVES)):
        world = next(name for name in SCHEMAS if re.search(rf"\b{name}_", block, re.IGNORECASE))
        if not (tmp_path / world).exists():
            generate(tmp_path, world)
        files.append(tmp_path / f"block_{number}.c")
        files[-1].write_text(program(block, world), encoding="utf-8")
    folders = [f"-I{tmp_path / name}" for name in SCHEMAS]
    flags = ["-std=c11", "-fsyntax-only", *WARNINGS, *folders, f"-I{ROOT / 'runtime'}"]
    done = subprocess.run(
        ["gcc", *flags, *files],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.stdout == "", done.stdout


@pytest.mark.parametrize("block", blocks("toml"), ids=lambda block: str(block.split("\n")[0]))
def test_the_toml_of_the_language_passes_check(block: str, tmp_path: Path) -> None:
    (tmp_path / "sky.toml").write_text(f"{SKY}{block}", encoding="utf-8")
    done = subprocess.run(
        [*CODEGEN, "check", "sky.toml"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
