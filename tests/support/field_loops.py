"""A world of soa components with any number of fields, and a game that loops over all of them."""

from __future__ import annotations

SCHEMA = """\
[world]
name = "sky"
phases = ["move", "late"]
[component.velocity]
layout = "soa"
fields = {{ {fields} }}
[component.position]
layout = "soa"
fields = {{ {fields} }}
[component.body]
doc = "Each field is what the one before it changes by."
layout = "soa"
fields = {{ {fields} }}
[component.leader]
fields = {{ who = "entity" }}
[prefab.bird]
components = {{ velocity = {{}}, position = {{}}, body = {{}}, leader = {{}} }}
[query.birds]
read = ["velocity"]
write = ["position"]
[system.fly]
doc = "Goes over several components."
phase = "move"
read = ["velocity"]
write = ["position"]
[system.simulate]
doc = "Goes over one component."
phase = "move"
write = ["body"]
[system.chase]
doc = "Reads positions of others, which may be those that it has just written."
phase = "late"
read = ["leader"]
write = ["position"]
lookup = {{ read = ["position"] }}
"""

GAME = """\
#include "sky.h"

SKY_DEFINE_FLY(ctx, count, velocity, position)
{{
    const float dt = (float)ctx->dt;
    for (uint32_t i = 0; i < count; i++) {{
{fly}
    }}
}}

SKY_DEFINE_SIMULATE(ctx, count, body)
{{
    const float dt = (float)ctx->dt;
    for (uint32_t i = 0; i < count; i++) {{
{simulate}
    }}
}}

SKY_DEFINE_CHASE(ctx, count, leader, position)
{{
    for (uint32_t i = 0; i < count; i++) {{
        sky_position_const_columns to = sky_position_get_in(ctx->position, leader[i].who);
{chase}
    }}
}}

SKY_DEFINE_BIRDS(drift, it, velocity, position, float, dt)
{{
    for (uint32_t i = 0; i < it->count; i++) {{
{fly}
    }}
}}

void drift_all(sky_world *w, float dt);

void drift_all(sky_world *w, float dt)
{{
    sky_birds_iter it = sky_birds_begin(w);
    while (sky_birds_next(&it)) drift(&it, dt);
}}
"""

# Bird k begins at 1 and flies by 0.5, then adds the place of bird k - 1, which has already added
# that of the bird before it. At last the game lets it drift back.
MAIN = """\
#include "sky.h"

#include <stdio.h>

#define BIRDS 1000u

void drift_all(sky_world *w, float dt);

static float place_of(uint32_t k)
{
    return 1.5f * (float)(k + 1);
}

int main(void)
{
    sky_world *w = sky_open(NULL);
    if (w == NULL) return 1;
    sky_bird_rows rows = sky_bird_spawn_rows(w, BIRDS);
    for (uint32_t k = 0; k < rows.count; k++) {
        rows.velocity.f0[k] = rows.velocity.f1[k] = rows.velocity.f2[k] = 1;
        rows.position.f0[k] = rows.position.f1[k] = rows.position.f2[k] = 1;
        rows.body.f0[k] = rows.body.f1[k] = rows.body.f2[k] = (float)k;
        rows.leader[k].who = k == 0 ? (sky_entity){0} : rows.entities[k - 1];
    }
    if (sky_tick(w, 0.5) != WEFT_OK) return 1;
    drift_all(w, -0.5f);
    uint32_t right = 0;
    for (uint32_t k = 0; k < rows.count; k++) {
        const float place = place_of(k) - 0.5f;
        const float body = 1.5f * (float)k;
        bool moved = rows.position.f0[k] == place && rows.position.f2[k] == place;
        right += moved && rows.body.f0[k] == body && rows.body.f2[k] == (float)k + 0.5f;
    }
    printf("%u birds\\n", (unsigned)right);
    sky_close(w);
    return 0;
}
"""


def fields(count: int) -> list[str]:
    return [f"f{i}" for i in range(count)]


def schema(count: int) -> str:
    return SCHEMA.format(fields=", ".join(f'{field} = "f32"' for field in fields(count)))


def game(count: int) -> str:
    names = fields(count)
    following = [f"body.{name}[i]" for name in names[1:]] + ["1.0f"]
    return GAME.format(
        fly="\n".join(f"        position.{f}[i] += velocity.{f}[i] * dt;" for f in names),
        simulate="\n".join(
            f"        body.{f}[i] += {next_one} * dt;"
            for f, next_one in zip(names, following, strict=True)
        ),
        chase="\n".join(f"        if (to.{f}) position.{f}[i] += *to.{f};" for f in names),
    )
