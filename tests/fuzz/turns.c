// Runs phases: the model goes through the steps of a tick in their order, and each call of a system
// must match. A step without a call must have had no rows, or not have been due.
//
// flags: hot
#include "run.h"

#include "fail.h"

#include <inttypes.h>
#include <string.h>

typedef enum step_kind { STEP_BEGIN, STEP_SYSTEM, STEP_END } step_kind;

typedef struct step {
    step_kind kind;
    phase phase;
    selection system;
} step;

// A whole tick.
static const step steps[] = {
    {STEP_BEGIN, EARLY, EVERYONE},  {STEP_SYSTEM, EARLY, RIPPLE},   {STEP_SYSTEM, EARLY, INTEGRATE},
    {STEP_SYSTEM, EARLY, SIFT},     {STEP_SYSTEM, EARLY, CENSUS},   {STEP_END, EARLY, EVERYONE},
    {STEP_BEGIN, MIDDLE, EVERYONE}, {STEP_SYSTEM, MIDDLE, GOSSIP},  {STEP_SYSTEM, MIDDLE, INFECT},
    {STEP_SYSTEM, MIDDLE, MARK},    {STEP_SYSTEM, MIDDLE, FLICKER}, {STEP_SYSTEM, MIDDLE, ECHO},
    {STEP_END, MIDDLE, EVERYONE},   {STEP_BEGIN, IDLE, EVERYONE},   {STEP_END, IDLE, EVERYONE},
    {STEP_BEGIN, LATE, EVERYONE},   {STEP_SYSTEM, LATE, LONE},      {STEP_SYSTEM, LATE, SLOW},
    {STEP_SYSTEM, LATE, TREAT},     {STEP_SYSTEM, LATE, HAUNT},     {STEP_SYSTEM, LATE, NURSE},
    {STEP_SYSTEM, LATE, SHADE},     {STEP_SYSTEM, LATE, TRAIL},     {STEP_END, LATE, EVERYONE},
};

#define STEPS ((uint32_t)(sizeof steps / sizeof steps[0]))

// ---- tag writes

// The tags that a system writes in the order they are set: that of its `write`, but required
// ones first.
static uint32_t written_tags(selection s, component tags[5])
{
    static const component of_ripple[] = {MARKED, HIDDEN};
    static const component of_mark[] = {ANGRY, COLD, HOT, AWAKE, KEEN};
    switch (s) {
    case RIPPLE:
        memcpy(tags, of_ripple, sizeof of_ripple);
        return 2;
    case MARK:
        memcpy(tags, of_mark, sizeof of_mark);
        return 5;
    case FLICKER:
    case ECHO:
        tags[0] = MARKED;
        return 1;
    case SHADE:
        tags[0] = HIDDEN;
        return 1;
    default:
        return 0;
    }
}

void turn_write(run *r, entity *e, uint32_t row, component tag, bool on)
{
    turns *t = &r->turns;
    for (uint32_t i = t->write_count; i > 0 && t->writes[i - 1].row == row; i--) {
        if (t->writes[i - 1].tag == tag) {
            t->writes[i - 1].on = on; // the last write of a row counts
            return;
        }
    }
    if (t->write_count == WRITES_MAX) fail("a range is longer than tags can be put on");
    t->writes[t->write_count++] = (tag_write){row, tag, on, e};
}

// Returns the status of a tag write under the rules: the entity must have all components that the
// tag requires, because a tag write adds none.
static weft_status may_write(const entity *e, component tag, bool on)
{
    if (!on) {
        weft_status status = entity_may_remove(e, tag);
        return status == WEFT_NOT_FOUND ? WEFT_OK : status;
    }
    if ((closure_of(tag) & ~only(tag) & ~e->has) != 0) return WEFT_REFUSED;
    return entity_may_set(e, tag);
}

void turn_write_now(run *r, fuzz_entity handle, component tag, bool on, bool done)
{
    entity *e = model_find(&r->model, handle.bits);
    weft_status status = !e                         ? WEFT_DEAD
                         : on == entity_has(e, tag) ? (on ? WEFT_OK : WEFT_NOT_FOUND)
                                                    : may_write(e, tag, on);
    const event *next = r->told.read < r->told.count ? &r->told.items[r->told.read] : NULL;
    if (status == WEFT_OK && on && !done && next && next->status == WEFT_NO_MEMORY) {
        status = WEFT_NO_MEMORY;
    }
    if (done != (status == WEFT_OK)) fail("a system wrote a tag at once: %d", (int)done);
    if (!done) {
        run_event(r, status, handle.bits);
        return;
    }
    e->has = on ? e->has | only(tag) : e->has & ~only(tag);
    e->stale = true;
}

// Returns whether the world had no memory for a tag that the table did not have yet.
static bool writes_lost(run *r, component tag)
{
    const event *next = r->told.read < r->told.count ? &r->told.items[r->told.read] : NULL;
    if (!next || next->status != WEFT_NO_MEMORY || next->component == WEFT_NONE) return false;
    if (strcmp(fuzz_schema()->components[next->component].name, components[tag].name) != 0) {
        return false;
    }
    r->told.read++;
    return true;
}

static void apply_writes_of(run *r, component tag, bool on)
{
    turns *t = &r->turns;
    uint32_t allowed = 0;
    for (uint32_t i = 0; i < t->write_count; i++) {
        tag_write *p = &t->writes[i];
        if (p->tag != tag || p->on != on) continue;
        weft_status status = may_write(p->of, tag, on);
        if (status == WEFT_OK) {
            allowed++;
            continue;
        }
        run_event(r, status, p->of->bits);
        r->model.dropped++;
        p->of = NULL;
    }
    if (on && allowed != 0 && writes_lost(r, tag)) {
        for (uint32_t i = 0; i < allowed; i++) {
            model_record_lost(&r->model, OUTSIDE, WEFT_NO_MEMORY);
        }
        return;
    }
    for (uint32_t i = 0; i < t->write_count; i++) {
        tag_write *p = &t->writes[i];
        if (p->tag != tag || p->on != on || !p->of) continue;
        p->of->has = on ? p->of->has | only(tag) : p->of->has & ~only(tag);
        p->of->stale = true;
    }
}

// They take effect after the range: tags are cleared first, then set.
static void apply_writes(run *r)
{
    component tags[5];
    uint32_t count = written_tags(r->turns.open, tags);
    for (uint32_t i = count; i-- > 0;) apply_writes_of(r, tags[i], false);
    for (uint32_t i = 0; i < count; i++) apply_writes_of(r, tags[i], true);
    r->turns.write_count = 0;
}

// ---- turns

// A row that the open system should have been given; 0 if the last tag writes hide it.
static uint64_t first_missed(const run *r)
{
    const model *m = &r->model;
    for (uint32_t i = 0; i < m->living_count; i++) {
        const entity *e = &m->entities[m->living[i]];
        if (e->state == ALIVE && e->met != r->turns.begun && passes(e, r->turns.open)) {
            return e->bits;
        }
    }
    return 0;
}

// The end of the range that the open system was called for, if it was called.
static void range_end(run *r)
{
    turns *t = &r->turns;
    bool empty = t->met == t->met_before;
    if (t->calls != 0 && empty && !systems[t->open].once) {
        fail("system %d is called for a range without rows", (int)t->open);
    }
    t->met_before = t->met;
    apply_writes(r);
}

// Returns whether a system that hears rumors has its turn now.
static bool hears(const turns *t)
{
    return t->due && systems[t->open].hearer != NO_HEARER;
}

void turn_hear(const run *r, const fuzz_rumor *heard, uint32_t count)
{
    const rumor_list *known = &r->model.rumors.unheard[systems[r->turns.open].hearer];
    int system = (int)r->turns.open;
    if (count != known->count) {
        fail("system %d hears %" PRIu32 " rumors, not %" PRIu32, system, count, known->count);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (values_equal(&rumor_info, &known->items[i], &heard[i])) continue;
        fail("rumor %" PRIu32 " that system %d hears differs", i, system);
    }
}

static void turn_close(run *r)
{
    turns *t = &r->turns;
    if (t->open == EVERYONE) return;
    range_end(r);
    if (t->met != t->expected) {
        fail("system %d was given %" PRIu32 " rows, not %" PRIu32 ": handle %" PRIx64 " missed",
             (int)t->open, t->met, t->expected, first_missed(r));
    }
    if (systems[t->open].once && t->calls != (t->due ? 1 : 0)) {
        fail("system %d was called %" PRIu32 " times", (int)t->open, t->calls);
    }
    if (hears(t)) rumors_heard(&r->model.rumors, systems[t->open].hearer);
    t->open = EVERYONE;
}

// Returns whether the world had no memory to order the rows of the open system, which then has no
// turn.
static bool order_lost(run *r)
{
    const system_info *open = &systems[r->turns.open];
    const event *next = r->told.read < r->told.count ? &r->told.items[r->told.read] : NULL;
    if (!open->ordered || !next || next->unordered != open->order) return false;
    r->told.read++;
    model_record_lost(&r->model, OUTSIDE, WEFT_NO_MEMORY);
    return true;
}

// The system is due again the next time, with the whole elapsed time.
static void postpone(turns *t, selection s)
{
    if (systems[s].every <= 0) return;
    t->waited[s] += systems[s].every;
    t->elapsed[s] = t->since;
}

static void turn_open(run *r, selection s)
{
    turns *t = &r->turns;
    double every = systems[s].every;
    t->open = s;
    t->due = true;
    t->since = t->dt;
    t->calls = 0;
    t->met = 0;
    t->met_before = 0;
    t->begun++;
    if (every > 0) {
        t->waited[s] += t->dt;
        t->elapsed[s] += t->dt;
        t->due = t->waited[s] >= every;
        if (t->due) {
            t->since = t->elapsed[s];
            t->elapsed[s] = 0;
            while (t->waited[s] >= every) t->waited[s] -= every;
        }
    }
    if (hears(t)) model_distribute(&r->model, &r->told);
    bool rows = t->due && !systems[s].once;
    if (rows && order_lost(r)) {
        postpone(t, s);
        rows = false;
    }
    t->expected = rows ? count_passing(&r->model, s) : 0;
}

static void note_status(turns *t, weft_status status)
{
    if (t->status == WEFT_OK) t->status = status;
}

static void take_step(run *r)
{
    const step *next = &steps[r->turns.step++];
    turn_close(r);
    if (next->kind == STEP_SYSTEM) {
        turn_open(r, next->system);
        return;
    }
    if (next->kind == STEP_END) {
        model_distribute(&r->model, &r->told);
        model_end_phase(&r->model, next->phase);
        model_lose_spawns(&r->model, &r->told);
    }
    weft_status commands = model_apply(&r->model, &r->told);
    weft_status told = next->kind == STEP_END ? rumors_settle(&r->model.rumors) : WEFT_OK;
    bool worse = told == WEFT_NO_MEMORY || commands == WEFT_OK;
    note_status(&r->turns, worse ? told : commands);
    record_forget(r);
    run_live(r);
}

void turn_call(run *r, selection s, double dt, uint64_t tick)
{
    turns *t = &r->turns;
    if (!t->running) fail("system %d is called outside of a tick", (int)s);
    if (t->open == s && !systems[s].once) {
        range_end(r);
    } else {
        do {
            if (t->step == t->end) fail("system %d is called out of order", (int)s);
            take_step(r);
        } while (t->open != s);
    }
    t->calls++;
    if (!t->due) fail("system %d is called before it is due", (int)s);
    if (dt != t->since) fail("system %d is told that %g s passed, not %g", (int)s, dt, t->since);
    if (tick != r->model.ticks) fail("system %d is told of tick %" PRIu64, (int)s, tick);
}

entity *turn_meet(run *r, fuzz_entity handle)
{
    turns *t = &r->turns;
    entity *e = model_find(&r->model, handle.bits);
    uint64_t bits = handle.bits;
    if (!e) fail("system %d is given handle %" PRIx64 ", which is dead", (int)t->open, bits);
    if (!passes(e, t->open)) fail("system %d is given handle %" PRIx64, (int)t->open, bits);
    if (e->met == r->turns.begun) fail("system %d is given %" PRIx64 " twice", (int)t->open, bits);
    e->met = r->turns.begun;
    t->met++;
    return e;
}

// Checks that parents come before their children, and that the rows of one call have one depth.
void turn_follow(run *r, const entity *e, uint32_t *depth)
{
    relation along = systems[r->turns.open].order;
    uint64_t bits = e->bits;
    uint32_t here = model_depth(&r->model, along, bits);
    const entity *parent = model_find(&r->model, e->ties[along].parent);
    int system = (int)r->turns.open;
    if (parent && passes(parent, r->turns.open) && parent->met != r->turns.begun) {
        fail("system %d is given %" PRIx64 " before its parent", system, bits);
    }
    if (*depth == UINT32_MAX) *depth = here;
    if (here != *depth) fail("system %d is given %" PRIx64 " among others' depth", system, bits);
}

// ---- running

static void begin(run *r, uint32_t step_first, uint32_t end, double dt)
{
    turns *t = &r->turns;
    t->running = true;
    t->open = EVERYONE;
    t->step = step_first;
    t->end = end;
    t->dt = dt;
    t->status = WEFT_OK;
}

static void finish(run *r, weft_status status)
{
    turns *t = &r->turns;
    while (t->step < t->end) take_step(r);
    t->running = false;
    if (status != t->status) {
        fail("the status is '%s', not '%s'", weft_status_text(status), weft_status_text(t->status));
    }
}

void run_phase(run *r, phase p, double dt)
{
    static weft_status (*const phases[PHASES])(fuzz_world *, double) = {
        fuzz_run_early, fuzz_run_middle, fuzz_run_idle, fuzz_run_late};
    uint32_t first = 0;
    while (steps[first].phase != p) first++;
    uint32_t end = first;
    while (end < STEPS && steps[end].phase == p) end++;
    begin(r, first, end, dt);
    finish(r, phases[p](r->world, dt));
}

void run_tick(run *r, double dt)
{
    begin(r, 0, STEPS, dt);
    finish(r, fuzz_tick(r->world, dt));
    r->model.ticks++;
}
