// Worlds of the yard, and its trees spawned entity by entity with simple prefabs and direct calls: a
// naive reading of its composite prefabs.
#ifndef YARD_HAND_H
#define YARD_HAND_H

#include "yard_rig.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// A world whose hooks note nothing.
static inline yard_world *silent(void)
{
    yard_world *w = yard_open(NULL);
    assert_non_null(w);
    return w;
}

// Some entities have lived, so that indices come from the free list, in no order.
static inline void live_in(yard_world *w)
{
    yard_entity some[60];
    for (uint32_t i = 0; i < 60; i++) {
        some[i] = i % 2 ? yard_barrel_spawn(w, NULL) : yard_wheel_spawn(w, NULL);
    }
    for (uint32_t i = 0; i < 60; i += 1 + i % 3) assert_true(yard_despawn(w, some[i]));
}

// A turret without its links.
static inline yard_turret_all hand_turret(yard_world *w, const yard_plain_turret *turret,
                                          const yard_plain_barrel *barrel, bool flag)
{
    yard_turret_all all = {.self = yard_plain_turret_spawn(w, turret)};
    all.barrel = yard_plain_barrel_spawn(w, barrel);
    if (flag) all.flag = yard_flag_spawn(w, NULL);
    yard_gun_edit(w, all.barrel)->owner = all.self;
    yard_turn_edit(w, all.self)->axis = all.barrel;
    return all;
}

static inline void hand_turret_join(yard_world *w, yard_turret_all all)
{
    yard_mounted_on_attach(w, all.barrel, all.self);
    if (!yard_is_none(all.flag)) yard_follows_attach(w, all.flag, all.self);
}

static inline void hand_turret_keep(yard_world *w, yard_turret_all all)
{
    yard_turret_parts_set(w, all.self, (yard_turret_parts){all.barrel, all.flag});
}

// A tank's wheels, and the fields of its crew.
static inline void hand_wheels(yard_world *w, yard_entity *wheels)
{
    yard_wheel wheel = yard_wheel_defaults();
    wheel.turn.angle = 1.0f;
    for (uint32_t i = 0; i < 4; i++) wheels[i] = yard_wheel_spawn(w, &wheel);
}

static inline void hand_refs(yard_world *w, yard_entity self, yard_entity barrel,
                             const yard_entity *wheels)
{
    *yard_crew_edit(w, self).driver = barrel;
    yard_crew_edit(w, self).seats[0][1] = wheels[2];
    for (uint32_t i = 0; i < 4; i++) yard_turn_edit(w, wheels[i])->axis = self;
}

static inline yard_turret_all turret_by_hand(yard_world *w)
{
    yard_plain_turret turret = yard_plain_turret_defaults();
    yard_plain_barrel barrel = yard_plain_barrel_defaults();
    turret.position.y = 0;
    barrel.gun.range = 3.0f;
    yard_turret_all all = hand_turret(w, &turret, &barrel, true);
    hand_turret_join(w, all);
    hand_turret_keep(w, all);
    return all;
}

static inline yard_tank_all tank_by_hand(yard_world *w)
{
    yard_tank_all all = {.self = yard_plain_tank_spawn(w, NULL)};
    all.turret = hand_turret(w, NULL, NULL, true);
    hand_wheels(w, all.wheel);
    all.scout = yard_wheel_spawn(w, NULL);
    hand_refs(w, all.self, all.turret.barrel, all.wheel);
    yard_gun_edit(w, all.turret.barrel)->target = all.scout;
    yard_mounted_on_attach(w, all.turret.self, all.self);
    hand_turret_join(w, all.turret);
    for (uint32_t i = 0; i < 4; i++) yard_beside_attach(w, all.wheel[i], all.self);
    yard_follows_attach(w, all.scout, all.self);
    yard_tank_parts parts = {.turret = all.turret.self, .scout = all.scout};
    for (uint32_t i = 0; i < 4; i++) parts.wheel[i] = all.wheel[i];
    yard_tank_parts_set(w, all.self, parts);
    hand_turret_keep(w, all.turret);
    return all;
}

static inline yard_heavy_tank_all heavy_tank_by_hand(yard_world *w)
{
    yard_plain_turret turret = yard_plain_turret_defaults();
    yard_heavy_tank_all all = {.self = yard_plain_heavy_tank_spawn(w, NULL)};
    turret.velocity.y = -1.0f;
    all.turret = hand_turret(w, &turret, NULL, false);
    hand_wheels(w, all.wheel);
    for (uint32_t i = 0; i < 2; i++) all.pennant[i] = yard_flag_spawn(w, NULL);
    hand_refs(w, all.self, all.turret.barrel, all.wheel);
    yard_mounted_on_attach(w, all.turret.self, all.self);
    hand_turret_join(w, all.turret);
    for (uint32_t i = 0; i < 4; i++) yard_beside_attach(w, all.wheel[i], all.self);
    for (uint32_t i = 0; i < 2; i++) yard_mounted_on_attach(w, all.pennant[i], all.self);
    yard_tank_parts parts = {.turret = all.turret.self};
    for (uint32_t i = 0; i < 4; i++) parts.wheel[i] = all.wheel[i];
    yard_tank_parts_set(w, all.self, parts);
    yard_heavy_tank_parts_set(w, all.self,
                              (yard_heavy_tank_parts){{all.pennant[0], all.pennant[1]}});
    hand_turret_keep(w, all.turret);
    return all;
}

#endif
