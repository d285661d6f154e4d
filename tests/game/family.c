// Growing old, growing up, being born, dying.
#include "colony_cause.h"
#include "colony_die.h"
#include "colony_give_birth.h"
#include "colony_grow_old.h"
#include "colony_grow_up.h"
#include "household.h"
#include "newcomer.h"

#include <string.h>

static const float HOURS_A_DAY = 24.0f;
static const float BIRTH_FOOD_DAYS = 4.0f; // no child is born with less bread and grain
static const float BIRTH_CHANCE = 0.05f;   // a day and house, for each day of food beyond

void colony_grow_old(const colony_grow_old_ctx *ctx, uint32_t count, colony_person *restrict person)
{
    float days = (float)ctx->dt / HOURS_A_DAY;
    for (uint32_t i = 0; i < count; i++) person[i].age += days;
}

void colony_grow_up(const colony_grow_up_ctx *ctx, uint32_t count,
                    const colony_person *restrict person, colony_home *restrict home)
{
    for (uint32_t i = 0; i < count; i++) {
        if (person[i].age < GROWN_UP_DAYS) continue;
        colony_grow_up_child_put(ctx, i, false);
        household_leave(colony_dwelling_edit_in(ctx->dwelling, home[i].house), ctx->entities[i]);
        home[i].house = COLONY_NONE; // `settle` finds another one
    }
}

// Returns the first adult of the house if there is a second one; otherwise none.
static colony_entity find_mother(const colony_give_birth_ctx *ctx, const colony_dwelling *dwelling)
{
    colony_entity mother = {0};
    for (uint32_t i = 0; i < dwelling->residents.count; i++) {
        colony_entity resident = dwelling->residents.items[i];
        const colony_person *person = colony_person_get_in(ctx->person, resident);
        if (person == NULL || person->age < GROWN_UP_DAYS) continue;
        if (!colony_is_none(mother)) return mother;
        mother = resident;
    }
    return COLONY_NONE;
}

static bool is_borne(const colony_give_birth_ctx *ctx, const colony_villager *child)
{
    return !colony_is_none(colony_by_name_find_in(ctx->by_name, child->person.name));
}

// Spawns a child, if possible with a free name. The index does not change during a system, so each
// name is looked up only once: `borne` stores which names are already in use.
static void be_born(const colony_give_birth_ctx *ctx, colony_entity mother, colony_position where,
                    bool *borne)
{
    weft_rng *dice = &ctx->chance->luck;
    colony_villager child = newcomer_at(where, dice);
    bool again = is_borne(ctx, &child);
    for (int tries = 1; tries < NAMES_TRIED && again; tries++) {
        uint32_t name = newcomer_rename(&child, dice);
        again = borne[name] = borne[name] || is_borne(ctx, &child);
    }
    child.person.mother = mother;
    colony_entity born = colony_cmd_villager_spawn(ctx->cmd, &child);
    colony_cmd_child_set(ctx->cmd, born);
    colony_born_emit(ctx->emit_born, (colony_born){born, mother});
}

void colony_give_birth(const colony_give_birth_ctx *ctx, uint32_t count,
                       const colony_position *restrict position,
                       const colony_dwelling *restrict dwelling)
{
    float chance = (ctx->ledger->food_days - BIRTH_FOOD_DAYS) * BIRTH_CHANCE;
    weft_rng *dice = &ctx->chance->luck;
    bool borne[NEWCOMER_NAMES] = {false};
    for (uint32_t i = 0; i < count; i++) {
        if (dwelling[i].residents.count >= dwelling[i].beds) continue;
        colony_entity mother = find_mother(ctx, &dwelling[i]);
        if (colony_is_none(mother) || dice_between(dice, 0, 1) >= chance) continue;
        be_born(ctx, mother, position[i], borne);
    }
}

// Returns whether this person dies, and the cause. `sick` is NULL for the healthy.
static bool is_over(const colony_person *person, float hunger, const colony_sick *sick,
                    colony_cause *cause)
{
    if (hunger >= 1.0f) {
        *cause = COLONY_CAUSE_HUNGER;
        return true;
    }
    if (sick != NULL && sick->deadly && sick->hours_left <= 0) {
        *cause = COLONY_CAUSE_SICKNESS;
        return true;
    }
    *cause = COLONY_CAUSE_AGE;
    return person->age >= person->lifespan;
}

void colony_die(const colony_die_ctx *ctx, uint32_t count, const colony_person *restrict person,
                colony_needs_const_columns needs, const colony_sick *const *sick)
{
    for (uint32_t i = 0; i < count; i++) {
        colony_died died;
        if (!is_over(&person[i], needs.hunger[i], sick[i], &died.cause)) continue;
        colony_cmd_despawn(ctx->cmd, ctx->entities[i]);
        memcpy(died.name, person[i].name, sizeof died.name);
        died.friends = colony_friends_count_from_in(ctx->friends, ctx->entities[i]);
        colony_died_emit(ctx->emit_died, died);
    }
}
