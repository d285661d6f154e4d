// The worlds of a run: opens them with every allocation failing in turn, reads their messages, and
// keeps the mirror alive in step.
#include "run.h"

#include "fail.h"
#include "record/places.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- messages of the world

static uint32_t next_index(const weft_entities *entities)
{
    bool reuses = entities->free_count > entities->wait;
    return reuses ? entities->free_head : entities->index_count;
}

// A system that has no turn, since there is no memory to order its rows, is known by words alone.
static relation unordered_by(const char *line)
{
    char words[80];
    for (relation i = 0; i < RELATIONS; i++) {
        snprintf(words, sizeof words, "no memory to order rows by relation '%s'",
                 relations[i].name);
        if (strncmp(line, words, strlen(words)) == 0) return i;
    }
    return RELATIONS;
}

// Resets the count of each refusal, so that every one of them is reported.
static void hear(void *user, const char *line)
{
    run *r = (run *)user;
    events *told = &r->told;
    weft_world *base = fuzz_world_base(r->world);
    weft_stats stats = fuzz_stats(r->world);
    memset(base->report.repeats, 0, sizeof base->report.repeats);
    if (line[0] == '\0') fail("a refusal without a word");
    if (told->count == told->capacity) {
        told->capacity = told->capacity == 0 ? 64 : told->capacity * 2;
        told->items = (event *)realloc(told->items, told->capacity * sizeof *told->items);
        if (!told->items) fail("no memory to test with");
    }
    told->items[told->count++] =
        (event){base->report.refusal.status, base->report.refusal.component,
                base->report.refusal.handle, stats.entities,
                next_index(&base->entities), stats.commands_lost,
                stats.events_lost,           unordered_by(line)};
}

static const event *next_event(run *r, weft_status status)
{
    if (r->told.read == r->told.count) {
        fail("the world did not say that it refuses (%s)", weft_status_text(status));
    }
    const event *e = &r->told.items[r->told.read++];
    if (e->status != status) {
        fail("the world says '%s' of handle %" PRIx64 ", not '%s'", weft_status_text(e->status),
             e->handle, weft_status_text(status));
    }
    return e;
}

void run_event(run *r, weft_status status, uint64_t handle)
{
    const event *e = next_event(r, status);
    if (e->handle != handle) {
        fail("the world says '%s' of handle %" PRIx64 ", not of %" PRIx64, weft_status_text(status),
             e->handle, handle);
    }
}

void run_event_of(run *r, weft_status status)
{
    next_event(r, status);
}

void run_no_events(run *r, const char *what)
{
    if (r->told.read != r->told.count) {
        const event *e = &r->told.items[r->told.read];
        fail("%s: the world says '%s' of handle %" PRIx64, what, weft_status_text(e->status),
             e->handle);
    }
    r->told.read = 0;
    r->told.count = 0;
}

// ---- opening

static fuzz_world *open_world(run *r, memory *m, void (*log)(void *, const char *))
{
    weft_options options = memory_options(m);
    options.log = log;
    options.user = r;
    return fuzz_open(&options);
}

// The first allocation fails, then the second …; nothing may be left each time, until the world
// opens. Their number differs by build, so it does not depend on random numbers.
static fuzz_world *open_at_last(run *r)
{
    for (uint32_t fail_in = 0;; fail_in++) {
        memory_arm(&r->memory, fail_in, (r->options.seed + fail_in) % 2 == 0);
        fuzz_world *w = open_world(r, &r->memory, hear);
        bool fired = memory_disarm(&r->memory);
        if (w && (!fired || r->memory.bytes != 0)) return w;
        if (!fired) fail("a world does not open, though there is memory");
        memory_check_empty(&r->memory);
    }
}

static void populate_foreign(run *r)
{
    for (uint32_t i = 0; i < 50; i++) {
        any_value value;
        prefab p = any_prefab(r);
        any_value_of_prefab(r, p, &value);
        fuzz_entity e = prefab_api[p].spawn(r->foreign, &value);
        if (any_chance(r, 3)) fuzz_despawn(r->foreign, e);
    }
}

void run_open_fragment(run *r)
{
    weft_options options = memory_options(&r->calm);
    r->fragment = fuzz_fragment_open(&options);
    if (!r->fragment) fail("no memory to test with");
}

void run_open(run *r)
{
    r->dice = (dice){r->options.seed};
    r->idle_dice = (dice){~r->options.seed};
    r->memory.no_reserve = r->options.no_reserve;
    r->memory.no_decommit = r->options.seed % 4 == 1;
    r->world = open_at_last(r);
    r->mirror = open_world(r, &r->calm, NULL);
    r->foreign = open_world(r, &r->calm, NULL);
    r->copy = open_world(r, &r->calm, NULL);
    run_open_fragment(r);
    if (!r->mirror || !r->foreign || !r->copy) fail("no memory to test with");
    model_open(&r->model, fuzz_schema());
    populate_foreign(r);
}

void run_close(run *r)
{
    fuzz_close(r->world);
    fuzz_close(r->mirror);
    fuzz_close(r->foreign);
    fuzz_close(r->copy);
    fuzz_close(r->fragment);
    memory_check_empty(&r->memory);
    memory_check_empty(&r->calm);
    model_close(&r->model);
    free(r->told.items);
    free(r->recipients.buffers);
}

// ---- the mirror

void run_live(run *r)
{
    model *m = &r->model;
    weft_world *base = fuzz_world_base(r->mirror);
    for (uint32_t i = 0; i < m->life_count; i++) {
        const life *l = &m->lives[i];
        uint64_t got = l->bits;
        switch (l->kind) {
        case SPAWNED:
            got = fuzz_spawn(r->mirror).bits;
            r->kept[r->kept_count++ % HANDLES_KEPT] = l->bits;
            break;
        case SPAWNED_AT:
            if (fuzz_spawn_at(r->mirror, fuzz_entity_of(l->bits)) != WEFT_OK) got = 0;
            r->kept[r->kept_count++ % HANDLES_KEPT] = l->bits;
            break;
        case DIED:
            got = fuzz_despawn(r->mirror, fuzz_entity_of(l->bits)) ? l->bits : 0;
            break;
        case RECYCLED:
            got = fuzz_recycle(r->mirror);
            break;
        case PHASE_BEGAN:
            weft_places_open(base);
            break;
        case PHASE_SPAWNED:
            got = weft_command_spawn(&base->commands.buffers[l->buffer], WEFT_NONE, NULL, 0);
            break;
        case PHASE_ENDED:
            weft_places_close(base);
            fuzz_flush(r->mirror);
            break;
        }
        if (got != l->bits)
            fail("the mirror gives %" PRIx64 ", not %" PRIx64 " %s", got, l->bits,
                 fuzz_error(r->mirror));
    }
    m->life_count = 0;
}
