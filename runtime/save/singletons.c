// The sections of singletons, clocks, switches and the seed.
#include "loader.h"
#include "saver.h"

#include "../run/every.h"
#include "../run/system.h"
#include "../value/fields.h"
#include "../world/seeds.h"

weft_section_writer weft_write_singleton, weft_write_clocks, weft_write_switches, weft_write_seed;
weft_section_reader weft_read_singleton, weft_read_clocks, weft_read_switches, weft_read_seed;

void weft_write_singleton(weft_sink *sink, const weft_saver *saver, uint32_t number)
{
    const weft_world *world = saver->world;
    const weft_singleton_info *info = &world->plan->schema->singletons[number];
    if (!info->save) return;
    weft_write_word(sink, number);
    weft_saved_values value = {
        .kind = "singleton",
        .name = info->name,
        .fields = info->fields,
        .field_count = info->field_count,
        .size = info->size,
        .count = 1,
        .rows = (const unsigned char *)world + info->offset,
    };
    weft_saver_values(saver, sink, &value);
}

// Completes a state that was read. Its fields are `now`, `next`, with `again` a flag whether the
// value begins again, and a flag for each system whose turn is due. If the save lacks `next` or
// `again`, no change is requested. If it lacks a system, that system's turn is not due, because the
// system did not exist when the state changed.
static void keep_state(const weft_match *match, unsigned char *state)
{
    const weft_field *fields = match->is.fields;
    if (!match->fields.each[0].was) return; // the state begins with its first value
    for (uint32_t i = 1; i < match->is.field_count; i++) {
        if (match->fields.each[i].was) continue;
        if (i == 1) {
            memcpy(state + fields[1].offset, state + fields[0].offset, fields[1].size);
        } else {
            memset(state + fields[i].offset, 0, fields[i].size);
        }
    }
}

bool weft_read_singleton(weft_loader *l, weft_bytes body)
{
    const weft_schema *file = l->matched.schemas.file;
    uint32_t was = weft_read_place(&body, file->singleton_count);
    bool known = !body.bad && file->singletons[was].save;
    const void *value = known ? weft_read_array(&body, 1, file->singletons[was].size) : NULL;
    if (!value || body.left != 0) return weft_loader_damaged(l, "a singleton is malformed");
    uint32_t now = l->matched.singletons.now[was];
    const weft_match *match = now == WEFT_NEVER ? NULL : l->matched.singletons.values[now];
    if (!match) return true;
    const weft_singleton_info *info = &l->matched.schemas.world->singletons[now];
    unsigned char *to = (unsigned char *)l->into + info->offset;
    if (!weft_loader_convert_structs(l, match, value, to, 1, &(weft_owners){.first = 0})) {
        return false;
    }
    if (info->state) keep_state(match, to);
    for (uint32_t i = 0; i < match->is.field_count; i++) {
        if (!match->fields.each[i].was) weft_field_seed(l->into, match->is.fields, i, to, 0, now);
    }
    return true;
}

static const char *clock_name(const weft_plan *plan, uint32_t clock)
{
    return plan->schema->systems[plan->clock_systems[clock]].name;
}

void weft_write_clocks(weft_sink *sink, const weft_saver *saver, uint32_t number)
{
    const weft_world *world = saver->world;
    const weft_clock *clocks = weft_world_clocks(world);
    (void)number;
    weft_write_word(sink, world->tick);
    weft_write_word(sink, 0); // a field that earlier saves had
    weft_write_word(sink, world->plan->clock_count);
    for (uint32_t i = 0; i < world->plan->clock_count; i++) {
        weft_write_text(sink, clock_name(world->plan, i));
        weft_write_word(sink, weft_bits_read(&clocks[i].waited, (uint32_t)sizeof(double)));
        weft_write_word(sink, weft_bits_read(&clocks[i].elapsed, (uint32_t)sizeof(double)));
    }
}

// Returns the clock of the system with this name, or NULL if it has none.
static weft_clock *clock_named(const weft_world *world, const char *name)
{
    for (uint32_t i = 0; i < world->plan->clock_count; i++) {
        if (strcmp(clock_name(world->plan, i), name) == 0) return &weft_world_clocks(world)[i];
    }
    return NULL;
}

bool weft_read_clocks(weft_loader *l, weft_bytes body)
{
    weft_world *into = l->into;
    into->tick = weft_read_word(&body);
    (void)weft_read_word(&body);
    uint32_t count = weft_read_number(&body, UINT16_MAX);
    for (uint32_t i = 0; i < count && !body.bad; i++) {
        weft_clock *clock = clock_named(into, weft_read_text(&body));
        uint64_t waited = weft_read_word(&body);
        uint64_t elapsed = weft_read_word(&body);
        if (!clock) continue;
        memcpy(&clock->waited, &waited, sizeof waited);
        memcpy(&clock->elapsed, &elapsed, sizeof elapsed);
    }
    return weft_bytes_ended(&body) || weft_loader_damaged(l, "its clocks are malformed");
}

static const char *switch_name(const weft_plan *plan, uint32_t number)
{
    return plan->schema->systems[plan->switch_systems[number]].name;
}

static uint32_t switches_off(const weft_world *world)
{
    uint32_t off = 0;
    for (uint32_t i = 0; i < world->plan->switch_count; i++) off += weft_world_switches(world)[i];
    return off;
}

void weft_write_switches(weft_sink *sink, const weft_saver *saver, uint32_t number)
{
    const weft_world *world = saver->world;
    (void)number;
    if (switches_off(world) == 0) return;
    weft_write_word(sink, switches_off(world));
    for (uint32_t i = 0; i < world->plan->switch_count; i++) {
        if (weft_world_switches(world)[i]) weft_write_text(sink, switch_name(world->plan, i));
    }
}

// Switches systems off. A system that has no switch now, or whose switch is not saved, stays on.
bool weft_read_switches(weft_loader *l, weft_bytes body)
{
    const weft_plan *plan = l->into->plan;
    uint32_t count = weft_read_number(&body, UINT16_MAX);
    for (uint32_t i = 0; i < count && !body.bad; i++) {
        const char *name = weft_read_text(&body);
        for (uint32_t s = 0; s < plan->switch_count; s++) {
            if (strcmp(switch_name(plan, s), name) == 0) weft_world_switches(l->into)[s] = true;
        }
    }
    return weft_bytes_ended(&body) || weft_loader_damaged(l, "its switches are malformed");
}

// ------------------------------------------------------------------------------------------------
// The seed is used for every rng that is created from now on, and for each rng that the save lacks.
// It is read before those. Singletons were seeded when the new world was made, so they are
// initialised again.

void weft_write_seed(weft_sink *sink, const weft_saver *saver, uint32_t number)
{
    (void)number;
    if (saver->world->plan->rng != 0) weft_write_word(sink, saver->world->seed);
}

bool weft_read_seed(weft_loader *l, weft_bytes body)
{
    l->into->seed = weft_read_word(&body);
    weft_singletons_begin(l->into);
    return weft_bytes_ended(&body) || weft_loader_damaged(l, "its seed is malformed");
}
