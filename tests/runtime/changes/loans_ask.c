// Runs readers and queries indexes, and compares both with a scan of all entities.
//
// flags: played
#include "loans.h"

// Counts the entities of the model that a question is about, and checks one that was found.
typedef struct question {
    thing what;
    uint32_t least, most; // of the value
    bool shown_only;      // not those that are hidden
    float x, y, radius;   // of places
} question;

static bool is_meant(const entity *e, const question *q)
{
    if (e->bits == 0 || (q->shown_only && e->hidden) || (q->what == RANK && !e->ranked))
        return false;
    if (q->what != PLACE) return e->of[q->what] >= q->least && e->of[q->what] <= q->most;
    lend_place at = place_of(e->of[PLACE]);
    float x = at.x - q->x;
    float y = at.y - q->y;
    return x * x + y * y <= q->radius * q->radius;
}

static void found(run *r, lend_entity e, const question *q)
{
    show(r, e);
    if (!is_meant(entity_of(r, e), q)) fail("an index of %u is out of date", (unsigned)q->what);
}

static void found_all(run *r, const question *q)
{
    for (uint32_t i = 0; i < ENTITIES; i++) {
        entity *e = &r->entities[i];
        if (is_meant(e, q) != e->shown)
            fail("an index of %u and entity %u: %u (%u to %u) %d %d", (unsigned)q->what, i,
                 e->of[q->what], q->least, q->most, is_meant(e, q), e->shown);
        e->shown = false;
    }
    r->asks++;
}

static question place_question(run *r, uint32_t radius)
{
    lend_place at = place_of(any_below(r, VALUES));
    return (question){.what = PLACE, .x = at.x, .y = at.y, .radius = (float)radius + 0.25f};
}

static void ask_place(run *r)
{
    question q = place_question(r, any_below(r, 6));
    lend_by_place_near_iter it = lend_by_place_near_begin(r->w, q.x, q.y, q.radius);
    while (lend_by_place_near_next(&it)) found(r, it.entity, &q);
    found_all(r, &q);
}

static void ask_number(run *r)
{
    uint32_t n = any_below(r, VALUES);
    question q = {.what = NUMBER, .least = n, .most = n, .shown_only = true};
    lend_by_number_each_iter it = lend_by_number_each_begin(r->w, n);
    while (lend_by_number_each_next(&it)) found(r, it.entity, &q);
    found_all(r, &q);
}

static void ask_solo(run *r)
{
    uint32_t n = any_below(r, VALUES);
    question q = {.what = SOLO, .least = n, .most = n};
    lend_by_solo_each_iter it = lend_by_solo_each_begin(r->w, n);
    while (lend_by_solo_each_next(&it)) found(r, it.entity, &q);
    found_all(r, &q);
}

static void ask_rank(run *r)
{
    uint32_t from = any_below(r, VALUES);
    question q = {.what = RANK, .least = from, .most = from + any_below(r, VALUES)};
    lend_by_rank_range_iter it = lend_by_rank_range_begin(r->w, (int32_t)q.least, (int32_t)q.most);
    while (lend_by_rank_range_next(&it)) found(r, it.entity, &q);
    found_all(r, &q);
}

void ask_index(run *r)
{
    static void (*const asks[])(run *) = {ask_place, ask_number, ask_solo, ask_rank};
    asks[any_below(r, 4)](r);
}

void ask_inside(run *r)
{
    question q = place_question(r, 4);
    lend_by_place_near_iter it = lend_by_place_near_begin(r->w, q.x, q.y, q.radius);
    for (uint32_t i = 0; lend_by_place_near_next(&it); i++) {
        found(r, it.entity, &q);
        if (i != 2) continue;
        lend_by_place_near_iter other = lend_by_place_near_begin(r->w, q.y, q.x, 3);
        while (lend_by_place_near_next(&other)) r->asks++;
    }
    found_all(r, &q);
}

#define TURN(query, of)                                                                            \
    do {                                                                                           \
        lend_##query##_iter it = lend_##query##_begin(r->w);                                       \
        while (lend_##query##_next(&it)) {                                                         \
            for (uint32_t i = 0; i < it.count; i++) show(r, it.entities[i]);                       \
        }                                                                                          \
        has_turn(r, of);                                                                           \
    } while (0)

static void ask_sky(run *r)
{
    (void)lend_lit_begin(r->w);
    bool shown = r->living != 0 && lend_lit_count(r->w) != 0;
    if (r->living != 0 && r->sky_must && !shown) fail("the sky was not shown");
    if (shown && !r->sky_may) fail("the sky was shown");
    r->sky_must = false;
    r->sky_may = r->sky != NULL;
}

void ask_reader(run *r)
{
    switch (any_below(r, 6)) {
    case 0:
        TURN(moved, MOVED);
        break;
    case 1:
        TURN(told, TOLD);
        break;
    case 2:
        TURN(counted, COUNTED);
        break;
    case 3:
        TURN(rated, RATED);
        break;
    case 4:
        TURN(soled, SOLED);
        break;
    default:
        ask_sky(r);
        break;
    }
}

void ask_all(run *r)
{
    for (uint32_t i = 0; i < 8; i++) ask_index(r);
    TURN(moved, MOVED);
    TURN(told, TOLD);
    TURN(counted, COUNTED);
    TURN(rated, RATED);
    TURN(soled, SOLED);
    ask_sky(r);
}
