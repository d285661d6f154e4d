// Walks every query outside and inside of systems: each passing row must be returned once, with the
// right columns.
//
// flags: played
#include "run.h"

#include "fail.h"

#include <inttypes.h>

static entity *walk_meet(run *r, selection s, fuzz_entity handle)
{
    entity *e = model_find(&r->model, handle.bits);
    if (!e)
        fail("selection %d gives handle %" PRIx64 ", which is dead", (int)s, (uint64_t)handle.bits);
    if (!passes(e, s)) fail("selection %d gives handle %" PRIx64, (int)s, e->bits);
    if (e->seen == r->stamp) fail("selection %d gives handle %" PRIx64 " twice", (int)s, e->bits);
    e->seen = r->stamp;
    return e;
}

void walk_optional(const entity *e, component c, const void *value)
{
    if (entity_has(e, c) != (value != NULL)) {
        fail("handle %" PRIx64 " comes %s '%s'", e->bits, value ? "with" : "without",
             components[c].name);
    }
    if (value) compare_value(e, c, value);
}

void walk_tag(const entity *e, component c, bool has)
{
    if (entity_has(e, c) != has) {
        fail("handle %" PRIx64 " comes %s tag '%s'", e->bits, has ? "with" : "without",
             components[c].name);
    }
}

void walk_motion(const entity *e, fuzz_motion_const_columns at, uint32_t i)
{
    fuzz_motion value;
    if (at.dx) motion_read(at, i, &value);
    walk_optional(e, MOTION, at.dx ? &value : NULL);
}

void walk_pouch(const entity *e, fuzz_pouch_const_columns at, uint32_t i)
{
    fuzz_pouch value;
    if (at.items) pouch_read(at, i, &value);
    walk_optional(e, POUCH, at.items ? &value : NULL);
}

void walk_heat(const entity *e, fuzz_heat_const_columns at, uint32_t i)
{
    fuzz_heat value;
    if (at.degrees) heat_read(at, i, &value);
    walk_optional(e, HEAT, at.degrees ? &value : NULL);
}

#define WRITES_ONCE_IN 8u

void walk_change(run *r, entity *e, component c, void *value)
{
    if (r->comparing || !any_chance(r, WRITES_ONCE_IN)) return;
    any_value_of(r, &components[c], value);
    entity_write(e, c, value);
}

void walk_change_pouch(run *r, entity *e, fuzz_pouch_columns at, uint32_t i)
{
    fuzz_pouch value;
    if (r->comparing || !any_chance(r, WRITES_ONCE_IN)) return;
    any_value_of(r, &components[POUCH], &value);
    pouch_write(at, i, &value);
    entity_write(e, POUCH, &value);
}

void walk_change_heat(run *r, entity *e, fuzz_heat_columns at, uint32_t i)
{
    fuzz_heat value;
    if (r->comparing || !any_chance(r, WRITES_ONCE_IN)) return;
    any_value_of(r, &components[HEAT], &value);
    heat_write(at, i, &value);
    entity_write(e, HEAT, &value);
}

static void walk_end(run *r, selection s, size_t rows, size_t count)
{
    uint32_t expected = count_passing(&r->model, s);
    if (rows != expected) {
        fail("selection %d gives %zu rows, not %" PRIu32, (int)s, rows, expected);
    }
    if (count != expected) fail("selection %d counts %zu, not %" PRIu32, (int)s, count, expected);
}

// Ends a range, which must have had a passing row. Returns the number of rows so far.
static size_t walk_range(selection s, size_t had, size_t rows)
{
    if (had == rows) fail("selection %d gives a range without rows", (int)s);
    return rows;
}

// Every row of an iterator's ranges, with its entity in the model as `e`.
#define EACH_ROW(s, next)                                                                          \
    for (size_t had = 0; next(it); had = walk_range(s, had, rows))                                 \
        for (uint32_t i = 0; i < it->count; i++)                                                   \
            for (entity *e = walk_meet(r, s, it->entities[i]); e; e = NULL, rows++)

// Each row of a walk whose mask marks the passing rows of a range.
#define EACH_MASKED_ROW(s, next)                                                                   \
    for (size_t had = 0; next(it); had = walk_range(s, had, rows))                                 \
        for (uint32_t i = 0; weft_next(&it->rows, &i);)                                            \
            for (entity *e = walk_meet(r, s, it->entities[i]); e; e = NULL, rows++)

// The same for a walk whose list contains the numbers of these rows.
#define EACH_LISTED_ROW(s, next)                                                                   \
    for (size_t had = 0; next(it); had = walk_range(s, had, rows))                                 \
        for (uint32_t k = 0; k < it->count; k++)                                                   \
            for (entity *e = walk_meet(r, s, it->entities[it->rows[k]]); e; e = NULL, rows++)

void check_everyone(run *r, fuzz_everyone_iter *it, size_t count)
{
    size_t rows = 0;
    r->stamp++;
    EACH_ROW(EVERYONE, fuzz_everyone_next)(void) e;
    walk_end(r, EVERYONE, rows, count);
}

static void check_places(run *r, fuzz_places_iter *it, size_t count)
{
    size_t rows = 0;
    r->stamp++;
    EACH_ROW(PLACES, fuzz_places_next) walk_optional(e, PLACE, &it->place[i]);
    walk_end(r, PLACES, rows, count);
}

void check_movers(run *r, fuzz_movers_iter *it, size_t count)
{
    size_t rows = 0;
    r->stamp++;
    EACH_ROW(MOVERS, fuzz_movers_next)
    {
        walk_motion(e, it->motion, i);
        walk_optional(e, PLACE, &it->place[i]);
        walk_change(r, e, PLACE, &it->place[i]);
    }
    walk_end(r, MOVERS, rows, count);
}

static void check_noted(run *r, fuzz_noted_iter *it, size_t count)
{
    size_t rows = 0;
    r->stamp++;
    EACH_ROW(NOTED, fuzz_noted_next)(void) e;
    walk_end(r, NOTED, rows, count);
}

static void check_kin(run *r, fuzz_kin_iter *it, size_t count)
{
    size_t rows = 0;
    r->stamp++;
    EACH_ROW(KIN, fuzz_kin_next)(void) e;
    walk_end(r, KIN, rows, count);
}

static void check_strangers(run *r, fuzz_strangers_iter *it, size_t count)
{
    size_t rows = 0;
    r->stamp++;
    EACH_ROW(STRANGERS, fuzz_strangers_next)(void) e;
    walk_end(r, STRANGERS, rows, count);
}

static void check_feverish(run *r, fuzz_feverish_iter *it, size_t count)
{
    size_t rows = 0;
    r->stamp++;
    EACH_LISTED_ROW(FEVERISH, fuzz_feverish_next)
    {
        walk_optional(e, FEVER, it->fever[k]);
        walk_optional(e, BRAND, it->brand[k]);
        walk_change(r, e, BRAND, it->brand[k]);
    }
    walk_end(r, FEVERISH, rows, count);
}

void check_mixed(run *r, fuzz_mixed_iter *it, size_t count)
{
    size_t rows = 0;
    r->stamp++;
    EACH_ROW(MIXED, fuzz_mixed_next)
    {
        walk_optional(e, PLACE, &it->place[i]);
        walk_optional(e, SCALARS, it->scalars ? &it->scalars[i] : NULL);
        walk_pouch(e, it->pouch, i);
        walk_optional(e, FEVER, it->fever[i]);
        walk_tag(e, AWAKE, fuzz_mixed_awake_has(it, i));
        walk_tag(e, MARKED, fuzz_mixed_marked_has(it, i));
        walk_tag(e, HIDDEN, fuzz_mixed_hidden_has(it, i));
    }
    walk_end(r, MIXED, rows, count);
}

void check_scattered(run *r, fuzz_scattered_iter *it, size_t count)
{
    size_t rows = 0;
    r->stamp++;
    EACH_MASKED_ROW(SCATTERED, fuzz_scattered_next)
    {
        walk_optional(e, PLACE, &it->place[i]);
        walk_optional(e, SCALARS, &it->scalars[i]);
        walk_optional(e, BRAND, it->brand[i]);
        walk_motion(e, it->motion, i);
        walk_tag(e, COLD, fuzz_scattered_cold_has(it, i));
        walk_change(r, e, SCALARS, &it->scalars[i]);
    }
    walk_end(r, SCATTERED, rows, count);
}

static void check_specks(run *r, fuzz_specks_iter *it, size_t count)
{
    size_t rows = 0;
    r->stamp++;
    EACH_MASKED_ROW(SPECKS, fuzz_specks_next) walk_optional(e, SPECK, &it->speck[i]);
    walk_end(r, SPECKS, rows, count);
}

void check_gripped(run *r, fuzz_gripped_iter *it, size_t count)
{
    size_t rows = 0;
    r->stamp++;
    EACH_ROW(GRIPPED, fuzz_gripped_next)
    {
        walk_optional(e, GRIP, &it->grip[i]);
        walk_tag(e, TAMED, fuzz_gripped_tamed_has(it, i));
        walk_change(r, e, GRIP, &it->grip[i]);
    }
    walk_end(r, GRIPPED, rows, count);
}

static void check_three(run *r, fuzz_three_iter *it, size_t count)
{
    size_t rows = 0;
    r->stamp++;
    EACH_ROW(THREE, fuzz_three_next) walk_heat(e, it->heat, i);
    walk_end(r, THREE, rows, count);
}

static void check_pouches(run *r, fuzz_pouches_iter *it, size_t count)
{
    size_t rows = 0;
    r->stamp++;
    EACH_LISTED_ROW(POUCHES, fuzz_pouches_next)
    {
        uint32_t i = it->rows[k];
        walk_motion(e, it->motion, i);
        walk_pouch(e, pouch_const(it->pouch), i);
        walk_optional(e, PILOT, it->pilot ? &it->pilot[i] : NULL);
        walk_tag(e, TAMED, fuzz_pouches_tamed_has(it, i));
        walk_optional(e, BULK, it->bulk ? &it->bulk[i] : NULL);
        walk_change_pouch(r, e, it->pouch, i);
    }
    walk_end(r, POUCHES, rows, count);
}

void check_haunted(run *r, fuzz_haunted_iter *it, size_t count)
{
    size_t rows = 0;
    r->stamp++;
    EACH_MASKED_ROW(HAUNTED, fuzz_haunted_next)
    {
        walk_optional(e, GHOST, it->ghost[i]);
        walk_optional(e, LABEL, it->label ? &it->label[i] : NULL);
        walk_change(r, e, GHOST, it->ghost[i]);
    }
    walk_end(r, HAUNTED, rows, count);
}

// The one entity is asked for by its handle, which is right if there is one row and it passes.
#define CHECK(name)                                                                                \
    do {                                                                                           \
        fuzz_##name##_iter it = fuzz_##name##_begin(r->world);                                     \
        size_t count = fuzz_##name##_count(r->world);                                              \
        fuzz_entity only = fuzz_##name##_only(r->world);                                           \
        check_##name(r, &it, count);                                                               \
        if (fuzz_is_none(only) ? count == 1                                                        \
                               : count != 1 || !fuzz_##name##_passes(r->world, only)) {            \
            fail("%" PRIx64 " is the only one of %zu rows", (uint64_t)only.bits, count);           \
        }                                                                                          \
    } while (0)

void check_queries(run *r)
{
    CHECK(everyone);
    CHECK(places);
    CHECK(movers);
    CHECK(noted);
    CHECK(strangers);
    CHECK(feverish);
    CHECK(mixed);
    CHECK(scattered);
    CHECK(specks);
    CHECK(gripped);
    CHECK(three);
    CHECK(pouches);
    CHECK(haunted);
    CHECK(kin);
}
