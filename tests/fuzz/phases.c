// Records commands from outside of systems, and applies them by a flush, a phase or a tick.
//
// flags: played
#include "operations.h"

#include "fail.h"

void record_outside(run *r)
{
    attempt(r);
    if (any_chance(r, 512)) {
        record_flood(r, fuzz_commands(r->world), OUTSIDE);
    } else {
        record_any(r, fuzz_commands(r->world), OUTSIDE);
    }
    memory_disarm(&r->memory);
    run_no_events(r, "recording");
}

// Commands may be recorded while iterating.
void record_iterating(run *r)
{
    r->stamp++;
    for (fuzz_places_iter it = fuzz_places_begin(r->world); fuzz_places_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            if (!any_chance(r, 16)) continue;
            record_any(r, fuzz_commands(r->world), OUTSIDE);
            walk_optional(model_find(&r->model, it.entities[i].bits), PLACE, &it.place[i]);
        }
    }
    run_no_events(r, "recording");
}

// Reserves records for all spawns of a phase, because the world does not report which spawns are
// lost without them.
static void records_ready(run *r)
{
    weft_world *base = fuzz_world_base(r->world);
    uint32_t indices = base->entities.index_count + PHASE_INDICES_MAX;
    if (indices > base->entities.index_limit) indices = base->entities.index_limit;
    if (!weft_entities_grow(&base->entities, &base->heap, indices)) fail("no memory to test with");
}

// Memory may fail in a phase only if it is certain which entities that affects.
static void attempt_phase(run *r)
{
    r->memory.fired = false;
    if (!r->options.faults || r->recipients.crossed || !any_chance(r, 3)) return;
    uint32_t fail_in = any_below(r, 16);
    r->recipients.careful = true;
    records_ready(r);
    memory_arm(&r->memory, fail_in, any_chance(r, 3));
}

static void attempted_phase(run *r)
{
    memory_disarm(&r->memory);
    r->recipients.careful = false;
    run_no_events(r, "applying commands");
}

#define SAVE_EACH 8u // of the flushes, those after which the world is saved

void apply_waiting(run *r)
{
    weft_status status = fuzz_flush(r->world);
    if (status != model_apply(&r->model, &r->told)) fail("the status is %d", (int)status);
    record_forget(r);
    run_live(r);
}

void flush_commands(run *r)
{
    attempt_phase(r);
    weft_status status = fuzz_flush(r->world);
    weft_status expected = model_apply(&r->model, &r->told);
    record_forget(r);
    attempted_phase(r);
    if (status != expected) {
        fail("the status is '%s', not '%s'", weft_status_text(status), weft_status_text(expected));
    }
    if (r->operation % SAVE_EACH == 0) compare_save(r);
}

// Halves and quarters add up exactly.
static double any_seconds(run *r)
{
    return any_below(r, 12) / 16.0;
}

void phase_one(run *r)
{
    phase p = (phase)any_below(r, PHASES);
    double dt = any_seconds(r);
    attempt_phase(r);
    run_phase(r, p, dt);
    attempted_phase(r);
}

void tick_world(run *r)
{
    double dt = any_seconds(r);
    attempt_phase(r);
    run_tick(r, dt);
    attempted_phase(r);
}
