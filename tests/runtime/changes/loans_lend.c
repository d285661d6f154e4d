// Each way in which a game gets memory that it may write.
//
// flags: played
#include "loans.h"

// Lends the result of a call, which must not be NULL.
static void lent(run *r, void *to, const entity *e, thing t, uint32_t of_walk)
{
    if (!to)
        fail("thing %u of entity %u cannot be written", (unsigned)t, (unsigned)(e - r->entities));
    lend_it(r, to, e, t, of_walk);
}

void edit_some(run *r)
{
    entity *e = any_entity(r);
    if (!e) return;
    thing t = (thing)any_below(r, THINGS);
    lend_entity h = lend_entity_of(e->bits);
    bool fails = any_chance(r, 4);
    if (t == RANK && !e->ranked) t = PLACE;
    if (fails) memory_arm(&r->memory, 0, true);
    void *to = t == PLACE    ? (void *)lend_place_edit(r->w, h)
               : t == NUMBER ? (void *)lend_number_edit(r->w, h).n
               : t == RANK   ? (void *)lend_rank_edit(r->w, h)
               : t == SOLO   ? (void *)lend_solo_edit(r->w, h)
                             : (void *)lend_sole_edit(r->w, h);
    if (fails) (void)memory_disarm(&r->memory);
    lent(r, to, e, t, 0);
    wrote(r, e, t, e->of[t]);
}

void edit_sky(run *r)
{
    r->sky = lend_sky_edit(r->w);
    if (!r->sky) fail("there is no sky");
    r->sky_must = r->sky_may = true;
}

static walk *begin_walk(run *r)
{
    walk *w = &r->walks[any_below(r, WALKS)]; // if it is begun it is left as it is
    w->kind = (walk_kind)any_below(r, WALK_KINDS);
    w->number = ++r->walk_count;
    switch (w->kind) {
    case WHOLE:
        w->it.whole = lend_whole_begin(r->w);
        break;
    case RUNS:
        w->it.runs = lend_runs_begin(r->w);
        break;
    case MASKS:
        w->it.masks = lend_masks_begin(r->w);
        break;
    case LISTS:
        w->it.lists = lend_lists_begin(r->w);
        break;
    default:
        w->it.ranked = lend_ranked_begin(r->w);
        break;
    }
    return w;
}

// Lends a row of a walk, which counts as written because it is marked.
static void at_hand(run *r, walk *w, lend_entity h, thing t, void *to)
{
    entity *e = entity_of(r, h);
    lent(r, to, e, t, w->number);
    wrote(r, e, t, e->of[t]);
}

static bool step_whole(run *r, walk *w)
{
    lend_whole_iter *it = &w->it.whole;
    give_back(r, w->number);
    if (!lend_whole_next(it)) return false;
    for (uint32_t i = 0; i < it->count; i++) {
        at_hand(r, w, it->entities[i], PLACE, &it->place[i]);
        at_hand(r, w, it->entities[i], NUMBER, &it->number.n[i]);
    }
    return true;
}

static bool step_runs(run *r, walk *w)
{
    lend_runs_iter *it = &w->it.runs;
    give_back(r, w->number);
    if (!lend_runs_next(it)) return false;
    for (uint32_t i = 0; i < it->count; i++) {
        at_hand(r, w, it->entities[i], PLACE, &it->place[i]);
        at_hand(r, w, it->entities[i], SOLO, &it->solo[i]);
    }
    return true;
}

static bool step_masks(run *r, walk *w)
{
    lend_masks_iter *it = &w->it.masks;
    uint32_t i;
    give_back(r, w->number);
    if (!lend_masks_next(it)) return false;
    while (weft_next(&it->rows, &i)) {
        at_hand(r, w, it->entities[i], NUMBER, &it->number.n[i]);
        at_hand(r, w, it->entities[i], SOLE, &it->sole[i]);
    }
    return true;
}

static bool step_lists(run *r, walk *w)
{
    lend_lists_iter *it = &w->it.lists;
    give_back(r, w->number);
    if (!lend_lists_next(it)) return false;
    for (uint32_t k = 0; k < it->count; k++) {
        at_hand(r, w, it->entities[it->rows[k]], RANK, it->rank[k]);
    }
    return true;
}

static bool step_ranked(run *r, walk *w)
{
    lend_ranked_iter *it = &w->it.ranked;
    give_back(r, w->number);
    if (!lend_ranked_next(it)) return false;
    for (uint32_t i = 0; i < it->count; i++) {
        at_hand(r, w, it->entities[i], RANK, it->rank[i]);
        at_hand(r, w, it->entities[i], PLACE, &it->place[i]);
    }
    return true;
}

void step_walks(run *r)
{
    static bool (*const steps[WALK_KINDS])(run *, walk *) = {step_whole, step_runs, step_masks,
                                                             step_lists, step_ranked};
    walk *w = &r->walks[any_below(r, WALKS)];
    if (w->number == 0 || any_chance(r, 6)) w = begin_walk(r);
    bool fails = any_chance(r, 8);
    if (fails) memory_arm(&r->memory, 0, true);
    bool more = steps[w->kind](r, w);
    if (fails) (void)memory_disarm(&r->memory);
    while (more && any_chance(r, 3)) more = steps[w->kind](r, w);
    if (!more) w->number = 0;
}

// While a function is called for each row, all rows of the range are lent.
static void each_row(lend_entity h, lend_place *place, lend_solo *solo, void *user)
{
    run *r = (run *)user;
    entity *e = entity_of(r, h);
    uint32_t value = any_below(r, VALUES);
    if (any_chance(r, 4)) ask_index(r);
    if (any_chance(r, 8)) ask_reader(r);
    solo->n = value;
    *place = place_of(value);
    wrote(r, e, PLACE, value);
    wrote(r, e, SOLO, value);
    if (any_chance(r, 8)) ask_index(r);
}

void run_each(run *r)
{
    r->loose = true;
    lend_runs_each(r->w, each_row, r);
    for (uint32_t i = 0; i < ENTITIES; i++) {
        entity *e = &r->entities[i];
        for (reader k = 0; k <= LOOK; k++) e->may[k] |= !e->hidden;
    }
    r->loose = false;
}

static void write_part(lend_masks_iter *it, void *user)
{
    run *r = (run *)user;
    while (lend_masks_next(it)) {
        for (uint32_t i; weft_next(&it->rows, &i);) {
            it->number.n[i] = any_below(r, VALUES);
            wrote(r, entity_of(r, it->entities[i]), NUMBER, it->number.n[i]);
            wrote(r, entity_of(r, it->entities[i]), SOLE, it->sole[i].n);
        }
        if (any_chance(r, 4)) return;
    }
}

void run_parts(run *r)
{
    if (lend_masks_run(r->w, write_part, r) != WEFT_OK) fail("%s", lend_error(r->w));
}
