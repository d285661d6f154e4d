// Entities refer to others in every kind of field.
#include "region_crowd.h"

#include "region_hooks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static region_entity any(crowd *c)
{
    return c->all[dice_below(&c->d, c->count)];
}

void crowd_spawn(crowd *c)
{
    region_world *w = c->w;
    region_entity e = region_spawn(w);
    assert_false(region_is_none(e));
    c->all[c->count++] = e;
    if (!dice_once_in(&c->d, 4)) {
        region_place_set(w, e, (region_place){.x = (uint32_t)dice_bits(&c->d), .near = any(c)});
    }
    if (dice_once_in(&c->d, 3)) {
        region_group g = region_group_defaults();
        for (uint32_t i = dice_below(&c->d, 5); i != 0; i--) {
            region_group_members_push(&g.members, any(c));
        }
        g.pair[1].to = any(c);
        g.sides[REGION_SIDE_RIGHT] = any(c);
        region_group_set(w, e, g);
    }
    if (dice_once_in(&c->d, 3)) {
        region_speed_set(w, e, (region_speed){.dx = -3, .dy = dice_bits(&c->d), .ahead = any(c)});
    }
    if (dice_once_in(&c->d, 3)) region_heat_set(w, e, (region_heat){any(c), 7});
    if (dice_once_in(&c->d, 5)) region_note_set(w, e, (region_note){"hello"});
    if (dice_once_in(&c->d, 3)) region_hot_set(w, e);
    if (dice_once_in(&c->d, 5)) region_lucky_set(w, e, (region_lucky){0});
    if (dice_once_in(&c->d, 5)) region_bare_set(w, e, (region_bare){3});
}

void crowd_relate(crowd *c)
{
    for (uint32_t i = 0; i < c->count; i++) {
        if (dice_once_in(&c->d, 2)) (void)region_tree_attach(c->w, any(c), any(c));
        if (dice_once_in(&c->d, 2)) (void)region_path_attach(c->w, any(c), any(c));
    }
}

void crowd_make(crowd *c, uint64_t seed)
{
    *c = (crowd){.w = region_open(NULL), .d = {seed}};
    for (uint32_t i = 0; i < CROWD / 2; i++) crowd_spawn(c);
    for (uint32_t i = 0; i < CROWD / 4; i++) {
        uint32_t at = dice_below(&c->d, c->count);
        region_despawn(c->w, c->all[at]);
        c->all[at] = c->all[--c->count];
    }
    while (c->count < CROWD) crowd_spawn(c);
    crowd_relate(c);
    region_clock_edit(c->w)->of = any(c);
    memset(&region_told, 0, sizeof region_told);
}

size_t crowd_choose(crowd *c, region_entity *set)
{
    size_t count = dice_below(&c->d, c->count);
    for (size_t i = 0; i < count; i++) set[i] = any(c);
    return count;
}
