// Sorts, despawns and changes all rows of a query at once.
//
// flags: played
#include "operations.h"

#include "fail.h"

#include <inttypes.h>

typedef struct listed_row {
    uint64_t bits;
    uint32_t table;
} listed_row;

typedef struct listing {
    listed_row *rows;
    uint32_t count;
} listing;

static int key_of(uint64_t bits)
{
    return (int)(bits * 0x9e3779b97f4a7c15u >> 60); // few, so that many are equal
}

static int by_key(const fuzz_world *w, fuzz_entity a, fuzz_entity b, void *user)
{
    (void)w;
    *(uint32_t *)user += 1;
    return key_of(a.bits) - key_of(b.bits);
}

static void list_row(run *r, listing *all, fuzz_entity e)
{
    weft_place at = {0, 0};
    weft_find(&fuzz_world_base(r->world)->entities, fuzz_entity_format, e.bits, &at);
    all->rows[all->count++] = (listed_row){e.bits, at.table};
}

static void list_rows(run *r, listing *all, bool everyone)
{
    all->count = 0;
    if (everyone) {
        fuzz_everyone_iter it = fuzz_everyone_begin(r->world);
        while (fuzz_everyone_next(&it)) {
            for (uint32_t i = 0; i < it.count; i++) list_row(r, all, it.entities[i]);
        }
    } else {
        fuzz_mixed_iter it = fuzz_mixed_begin(r->world);
        while (fuzz_mixed_next(&it)) {
            for (uint32_t i = 0; i < it.count; i++) list_row(r, all, it.entities[i]);
        }
    }
}

// Inserts each row after the rows of its table that must not follow it.
static void order_rows(listing *all)
{
    for (uint32_t i = 1; i < all->count; i++) {
        listed_row row = all->rows[i];
        uint32_t k = i;
        for (; k > 0 && all->rows[k - 1].table == row.table; k--) {
            if (key_of(all->rows[k - 1].bits) <= key_of(row.bits)) break;
            all->rows[k] = all->rows[k - 1];
        }
        all->rows[k] = row;
    }
}

// Checks that rows are in order, and that nothing else that the model knows has changed.
void sort_query(run *r)
{
    static listed_row rows[2][16384];
    listing expected = {rows[0], 0};
    listing found = {rows[1], 0};
    bool everyone = any_chance(r, 2);
    uint32_t compared = 0;
    if (r->model.living_count > sizeof rows[0] / sizeof rows[0][0]) return;
    list_rows(r, &expected, everyone);
    order_rows(&expected);
    attempt(r);
    weft_status status = everyone ? fuzz_everyone_sort(r->world, by_key, &compared)
                                  : fuzz_mixed_sort(r->world, by_key, &compared);
    if (!attempted(r, status == WEFT_OK, WEFT_OK, 0)) return;
    list_rows(r, &found, everyone);
    if (found.count != expected.count) fail("a sort changes who passes");
    for (uint32_t i = 0; i < found.count; i++) {
        if (found.rows[i].bits != expected.rows[i].bits) fail("row %" PRIu32 " is another", i);
    }
}

// The rows that are listed end, the last first, and those below them.
void despawn_rows(run *r)
{
    static listed_row rows[16384];
    listing found = {rows, 0};
    bool everyone = any_chance(r, 8);
    if (!any_chance(r, 8) || r->model.living_count > sizeof rows / sizeof rows[0]) return;
    list_rows(r, &found, everyone);
    attempt(r);
    weft_status status =
        everyone ? fuzz_everyone_despawn_all(r->world) : fuzz_mixed_despawn_all(r->world);
    if (!attempted(r, status == WEFT_OK, WEFT_OK, 0)) return;
    for (uint32_t i = found.count; i-- > 0;) {
        uint64_t bits = found.rows[i].bits;
        if (model_alive(&r->model, bits)) model_despawn(&r->model, bits);
    }
}

// Adds a component to all listed rows or removes it, except if the rules refuse it.
void change_rows(run *r)
{
    static listed_row rows[16384];
    listing found = {rows, 0};
    component c = any_component(r);
    bool everyone = any_chance(r, 4);
    bool on = any_chance(r, 2);
    any_value value;
    if (!component_api[c].set_all || r->model.living_count > sizeof rows / sizeof rows[0]) return;
    any_value_of(r, &components[c], &value);
    list_rows(r, &found, everyone);
    attempt(r);
    weft_status status = on ? component_api[c].set_all(r->world, everyone, &value)
                            : component_api[c].remove_all(r->world, everyone);
    if (!attempted(r, status == WEFT_OK, WEFT_OK, 0)) return;
    for (uint32_t i = 0; i < found.count; i++) {
        uint64_t bits = found.rows[i].bits;
        if (on && model_may_set(&r->model, bits, c) == WEFT_OK) {
            model_set(&r->model, bits, c, &value);
        } else if (!on && model_may_remove(&r->model, bits, c) == WEFT_OK) {
            model_remove(&r->model, bits, c);
        }
    }
}
