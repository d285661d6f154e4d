// Saves of a small world that are edited word by word, with correct checksums: names that the
// schema no longer has, components and relations that a reader watched by other numbers, flags and
// values that only another schema would write. The rest of each save must be loaded as its words
// say.
//
// program: worlds byte_order
#include "husk.h"
#include "parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SAVE_BYTES = 8192, TEXT_WORDS = 2 }; // of a name of at most seven bytes

void husk_act(const husk_act_ctx *ctx, uint32_t count, const husk_shell *WEFT_RESTRICT shell)
{
    for (uint32_t i = 0; i < count; i++) husk_cry_emit(ctx->emit_cry, (husk_cry){shell[i].x});
}

// ------------------------------------------------------------------------------------------------
// A world and its save

typedef struct rig {
    husk_world *w;
    unsigned char bytes[SAVE_BYTES];
    size_t count;
    parts parts;
} rig;

static int open_rig(void **state)
{
    static rig r;
    r = (rig){.w = husk_open(NULL)};
    *state = &r;
    return r.w ? 0 : 1;
}

static int close_rig(void **state)
{
    husk_close(((rig *)*state)->w);
    return 0;
}

static void take_save(rig *r)
{
    void *bytes;
    assert_int_equal(husk_save_memory(r->w, &bytes, &r->count), WEFT_OK);
    assert_true(r->count <= sizeof r->bytes);
    memcpy(r->bytes, bytes, r->count);
    free(bytes);
    assert_true(parts_find(&r->parts, r->bytes, r->count));
}

static weft_status load(rig *r)
{
    parts_mend(&r->parts, r->bytes, r->count);
    return husk_load_memory(r->w, r->bytes, r->count);
}

static void expect_damaged(rig *r, const char *words)
{
    uint64_t exact = husk_hash_exact(r->w);
    assert_int_equal(load(r), WEFT_BAD_FILE);
    assert_non_null(strstr(husk_error(r->w), words));
    assert_true(husk_hash_exact(r->w) == exact);
}

// Returns the nth section of a kind.
static part *part_nth(rig *r, uint32_t kind, uint32_t nth)
{
    for (uint32_t i = 0; i < r->parts.count; i++) {
        if (r->parts.items[i].kind == kind && nth-- == 0) return &r->parts.items[i];
    }
    fail_msg("there is no such section");
    return NULL;
}

static unsigned char *word_at(rig *r, const part *p, size_t word)
{
    assert_true(word * 8 < p->count);
    return r->bytes + p->at + word * 8;
}

// Returns the word behind the nth text of a section that is a name.
static size_t behind_text(rig *r, const part *p, const char *name, uint32_t nth)
{
    size_t length = strlen(name);
    assert_true(length < 8);
    for (size_t word = 0; word + 1 < p->count / 8; word++) {
        const unsigned char *at = word_at(r, p, word);
        if (weft_little_read(at, 8) != length || memcmp(at + 8, name, length + 1) != 0) continue;
        if (nth-- == 0) return word + TEXT_WORDS;
    }
    fail_msg("there is no '%s'", name);
    return 0;
}

// Another name of the same length takes the place of one in the schema of the save.
static void rename_to(rig *r, const char *name, const char *other)
{
    const part *p = part_nth(r, WEFT_SECTION_SCHEMA, 0);
    memcpy(word_at(r, p, behind_text(r, p, name, 0) - 1), other, strlen(name));
}

// Words at the end of a section are added, as zeros, or taken away.
static void resize(rig *r, part *p, int words)
{
    size_t end = p->at + p->count;
    size_t to = words < 0 ? end - (size_t)-words * 8 : end + (size_t)words * 8;
    assert_true(r->count + (to > end ? to - end : 0) <= sizeof r->bytes);
    memmove(r->bytes + to, r->bytes + end, r->count - end);
    for (int i = 0; i < words; i++) memset(r->bytes + end + 8u * (unsigned)i, 0, 8);
    for (uint32_t i = 0; i < r->parts.count; i++) {
        if (r->parts.items[i].at >= end) r->parts.items[i].at = r->parts.items[i].at + to - end;
    }
    p->count = p->count + to - end;
    r->count = r->count + to - end;
}

static husk_entity spawn_asleep(rig *r)
{
    husk_entity e = husk_spawn(r->w);
    assert_true(husk_asleep_set(r->w, e));
    return e;
}

static uint32_t rows_of_window(rig *r)
{
    uint32_t rows = 0;
    for (husk_window_iter it = husk_window_begin(r->w); husk_window_next(&it);) rows += it.count;
    return rows;
}

// ------------------------------------------------------------------------------------------------
// What readers have yet to see

// A listener begins with all that there is if the save has it as a reader that had not begun.
static void test_a_listener_that_had_not_begun_is_shown_a_singleton(void **state)
{
    rig *r = (rig *)*state;
    spawn_asleep(r);
    assert_int_equal(rows_of_window(r), 1);
    assert_int_equal(rows_of_window(r), 0);
    take_save(r);
    assert_int_equal(load(r), WEFT_OK);
    assert_int_equal(rows_of_window(r), 0); // it goes on
    const part *p = part_nth(r, WEFT_SECTION_CHANGE_BITS, 0);
    size_t flag = behind_text(r, p, "window", 1);
    assert_int_equal(weft_little_read(word_at(r, p, flag + 1), 8), 1); // it listens
    weft_little_write(word_at(r, p, flag + 1), 8, 0);
    assert_int_equal(load(r), WEFT_OK);
    assert_int_equal(rows_of_window(r), 1);
    assert_int_equal(rows_of_window(r), 0);
}

static bool is_shown(const rig *r, husk_entity e)
{
    weft_place at;
    const weft_world *world = husk_world_base(r->w);
    const weft_watch_plan *watch = &world->plan->readers[HUSK_READER_PLACED].watches[0];
    assert_true(weft_find(&world->entities, world->plan->format, e.bits, &at));
    const weft_table *table = world->tables.items[at.table];
    uint64_t word = weft_change_words(&table->change_bits, watch->visible, at.row / 64).words[0];
    return word >> at.row % 64 & 1;
}

static uint32_t rows_placed(rig *r)
{
    uint32_t rows = 0;
    for (husk_placed_iter it = husk_placed_begin(r->w); husk_placed_next(&it);) rows += it.count;
    return rows;
}

// A system has one change set for what it has yet to see and for what it is shown. If it is a query
// now, it is shown nothing before its next turn.
static void test_a_query_that_was_a_system_is_shown_nothing_yet(void **state)
{
    rig *r = (rig *)*state;
    husk_entity first = husk_spawn(r->w);
    husk_entity second = husk_spawn(r->w);
    assert_true(husk_shell_set(r->w, first, (husk_shell){1}));
    assert_int_equal(rows_placed(r), 1);
    assert_true(husk_shell_set(r->w, second, (husk_shell){2}));
    take_save(r);
    assert_int_equal(load(r), WEFT_OK);
    assert_true(is_shown(r, first) && !is_shown(r, second));
    const part *p = part_nth(r, WEFT_SECTION_CHANGE_BITS, 0);
    size_t watch = behind_text(r, p, "placed", 0) + 1;
    uint64_t unseen = weft_little_read(word_at(r, p, watch + 3), 8);
    weft_little_write(word_at(r, p, watch + 4), 8, unseen);
    assert_int_equal(load(r), WEFT_OK);
    assert_true(!is_shown(r, first) && !is_shown(r, second));
    assert_int_equal(rows_placed(r), 1);
    assert_true(!is_shown(r, first) && is_shown(r, second));
}

// ------------------------------------------------------------------------------------------------
// Removals

static void lose_parent(rig *r)
{
    husk_entity child = husk_spawn(r->w);
    assert_true(husk_held_by_attach(r->w, child, husk_spawn(r->w)));
    rows_of_window(r);
    assert_true(husk_held_by_detach(r->w, child));
}

// Points all that the save says of links by `held_by` to the other relation, which is not watched.
static void point_to_near(rig *r)
{
    part *removed = part_nth(r, WEFT_SECTION_REMOVED, 0);
    const part *marks = part_nth(r, WEFT_SECTION_CHANGE_BITS, 0);
    unsigned char *number = word_at(r, removed, behind_text(r, removed, "window", 0));
    uint64_t held_by = weft_little_read(number, 8);
    assert_int_equal(held_by, husk_world_base(r->w)->plan->schema->component_count);
    weft_little_write(number, 8, held_by + 1);
    size_t watch = behind_text(r, marks, "window", 0);
    uint64_t watches = weft_little_read(word_at(r, marks, watch++), 8);
    for (; watches != 0; watches--, watch += 5) {
        number = word_at(r, marks, watch);
        if (weft_little_read(number, 8) == held_by) weft_little_write(number, 8, held_by + 1);
    }
}

static uint32_t losses(rig *r)
{
    return husk_window_begin(r->w).removed_held_by_count;
}

static void test_links_of_a_relation_that_nobody_watches_are_forgotten(void **state)
{
    rig *r = (rig *)*state;
    lose_parent(r);
    take_save(r);
    assert_int_equal(load(r), WEFT_OK);
    assert_int_equal(losses(r), 1);
    point_to_near(r);
    assert_int_equal(load(r), WEFT_OK);
    assert_int_equal(losses(r), 0);
}

static void test_links_of_a_relation_that_is_gone_are_forgotten(void **state)
{
    rig *r = (rig *)*state;
    lose_parent(r);
    take_save(r);
    rename_to(r, "held_by", "tied_to");
    assert_int_equal(load(r), WEFT_OK);
    assert_int_equal(losses(r), 0);
}

// The values of a component that is not saved are its defaults, as in rows.
static void test_a_removed_value_that_is_not_saved_is_the_default(void **state)
{
    rig *r = (rig *)*state;
    husk_entity e = husk_spawn(r->w);
    assert_true(husk_ash_set(r->w, e, (husk_ash){99}));
    rows_of_window(r);
    assert_true(husk_ash_remove(r->w, e));
    take_save(r);
    assert_int_equal(load(r), WEFT_OK);
    husk_window_iter it = husk_window_begin(r->w);
    assert_int_equal(it.removed_ash_count, 1);
    assert_true(it.removed_ash[0].bits == e.bits);
    assert_int_equal(it.removed_ash_value[0].v, 7);
}

// So are those of a reader that did not ask for them in the save.
static void test_a_removed_value_that_the_save_lacks_is_the_default(void **state)
{
    rig *r = (rig *)*state;
    husk_entity e = husk_spawn(r->w);
    assert_true(husk_shell_set(r->w, e, (husk_shell){99}));
    rows_of_window(r);
    assert_true(husk_shell_remove(r->w, e));
    take_save(r);
    assert_int_equal(load(r), WEFT_OK);
    assert_int_equal(husk_window_begin(r->w).removed_shell_value[0].x, 99);
    part *p = part_nth(r, WEFT_SECTION_REMOVED, 0);
    weft_little_write(word_at(r, p, behind_text(r, p, "window", 0) + 1), 8, 0);
    resize(r, p, -1);
    assert_int_equal(load(r), WEFT_OK);
    husk_window_iter it = husk_window_begin(r->w);
    assert_int_equal(it.removed_shell_count, 1);
    assert_int_equal(it.removed_shell_value[0].x, 5);
}

// ------------------------------------------------------------------------------------------------
// Rows and events

// Handles of 14 bits lie in numbers of 16: one of the two bits that are left would be lost.
static void test_a_handle_has_no_more_bits_than_the_world_has(void **state)
{
    rig *r = (rig *)*state;
    spawn_asleep(r);
    take_save(r);
    const part *p = part_nth(r, WEFT_SECTION_TABLE, 0);
    size_t head =
        3 + (size_t)(weft_little_read(word_at(r, p, 1), 8) + weft_little_read(word_at(r, p, 2), 8));
    unsigned char *handle = word_at(r, p, head);
    for (uint32_t bit = 14; bit < 16; bit++) {
        uint64_t was = weft_little_read(handle, 2);
        weft_little_write(handle, 2, was | (uint64_t)1 << bit);
        expect_damaged(r, "the handle of a row is invalid");
        weft_little_write(handle, 2, was);
    }
    assert_int_equal(load(r), WEFT_OK);
}

// A tag that is not saved would bring the component with another value, but it is gone after a
// load.
static void test_a_lost_tag_brings_no_value(void **state)
{
    rig *r = (rig *)*state;
    husk_entity both = husk_spawn(r->w);
    assert_true(husk_ember_set(r->w, both, (husk_ember){3}));
    assert_true(husk_wet_set(r->w, both));
    take_save(r);
    rename_to(r, "lit", "dry");
    rename_to(r, "wet", "lit"); // as if tags named `lit` had been saved once
    rename_to(r, "spark", "smoke");
    assert_int_equal(load(r), WEFT_OK);
    assert_false(husk_lit_has(r->w, both));
    assert_int_equal(husk_spark_get(r->w, both)->left, 9);
}

// A sparse value is of an entity that has the component by its bit.
static void test_a_sparse_value_is_of_somebody(void **state)
{
    rig *r = (rig *)*state;
    husk_entity owner = husk_spawn(r->w);
    husk_entity other = husk_spawn(r->w); // index 1
    husk_entity gone = husk_spawn(r->w);  // index 2
    assert_true(husk_mould_set(r->w, owner, (husk_mould){7}));
    assert_true(husk_shell_set(r->w, other, (husk_shell){1}));
    assert_true(husk_despawn(r->w, gone));
    take_save(r);
    const part *p = part_nth(r, WEFT_SECTION_SPARSE, 0);
    for (uint32_t index = 1; index < 5; index++) { // from 3 on there are none
        weft_little_write(word_at(r, p, 2), 4, index);
        expect_damaged(r, "a sparse component has a value without an entity");
    }
    weft_little_write(word_at(r, p, 2), 4, 0);
    assert_int_equal(load(r), WEFT_OK);
    assert_int_equal(husk_mould_get(r->w, owner)->spots, 7);
}

static void cry_to(rig *r, uint32_t hearers)
{
    const part *end = part_nth(r, WEFT_SECTION_END, 0);
    size_t at = end->at - WEFT_SECTION_HEAD_BYTES;
    size_t bytes = part_bytes(4 * 8);
    memmove(r->bytes + at + bytes, r->bytes + at, r->count - at);
    memset(r->bytes + at, 0, bytes);
    weft_little_write(r->bytes + at, 8, WEFT_SECTION_EVENT);
    weft_little_write(r->bytes + at + 8, 8, 4 * 8);
    weft_little_write(r->bytes + at + 24, 8, 1); // one value, of 4 bytes
    weft_little_write(r->bytes + at + 32, 8, 42);
    weft_little_write(r->bytes + at + 40, 8, hearers);
    r->count += bytes;
    assert_true(parts_find(&r->parts, r->bytes, r->count));
}

// Values that somebody had yet to hear when it was saved are dropped if nobody hears the event now.
static void test_an_event_that_nobody_hears_is_dropped(void **state)
{
    rig *r = (rig *)*state;
    spawn_asleep(r);
    take_save(r);
    assert_int_equal(load(r), WEFT_OK);
    uint64_t exact = husk_hash_exact(r->w);
    cry_to(r, 0);
    assert_int_equal(load(r), WEFT_OK);
    assert_true(husk_hash_exact(r->w) == exact);
    assert_int_equal(husk_world_base(r->w)->events.logs[0].count, 0);
    take_save(r);
    cry_to(r, 1); // whom it does not name
    expect_damaged(r, "an event is malformed");
}

// ------------------------------------------------------------------------------------------------
// The order of sections

static void fill_all_kinds(rig *r)
{
    husk_entity parent = spawn_asleep(r);
    lose_parent(r);
    assert_true(husk_shell_set(r->w, parent, (husk_shell){7}));
    assert_true(husk_mould_set(r->w, parent, (husk_mould){3}));
    assert_true(husk_held_by_attach(r->w, husk_spawn(r->w), parent));
    husk_sky_edit(r->w)->n = 8;
}

static void move_to_front(rig *r, uint32_t number)
{
    static unsigned char moved[SAVE_BYTES];
    const part *p = &r->parts.items[number];
    size_t at = p->at - WEFT_SECTION_HEAD_BYTES;
    size_t bytes = part_bytes(p->count);
    memcpy(moved, r->bytes + at, bytes);
    memmove(r->bytes + WEFT_SAVE_HEAD_BYTES + bytes, r->bytes + WEFT_SAVE_HEAD_BYTES,
            at - WEFT_SAVE_HEAD_BYTES);
    memcpy(r->bytes + WEFT_SAVE_HEAD_BYTES, moved, bytes);
    assert_true(parts_find(&r->parts, r->bytes, r->count));
}

// Only tables have an order among them, and the end is the last section.
static void test_any_section_may_be_the_first(void **state)
{
    rig *r = (rig *)*state;
    fill_all_kinds(r);
    take_save(r);
    const uint64_t saved = husk_hash_exact(r->w);
    const parts whole = r->parts;
    for (uint32_t i = 1; i < whole.count; i++) {
        if (whole.items[i].kind == WEFT_SECTION_TABLE) continue;
        if (whole.items[i].kind == WEFT_SECTION_END) continue;
        husk_spawn(r->w); // which the load takes back
        move_to_front(r, i);
        assert_int_equal(load(r), WEFT_OK);
        assert_true(husk_hash_exact(r->w) == saved);
        take_save(r);
        assert_int_equal(r->parts.count, whole.count);
    }
}

int main(void)
{
#define RIG(test) cmocka_unit_test_setup_teardown(test, open_rig, close_rig)
    const struct CMUnitTest tests[] = {
        RIG(test_a_listener_that_had_not_begun_is_shown_a_singleton),
        RIG(test_a_query_that_was_a_system_is_shown_nothing_yet),
        RIG(test_links_of_a_relation_that_nobody_watches_are_forgotten),
        RIG(test_links_of_a_relation_that_is_gone_are_forgotten),
        RIG(test_a_removed_value_that_is_not_saved_is_the_default),
        RIG(test_a_removed_value_that_the_save_lacks_is_the_default),
        RIG(test_a_handle_has_no_more_bits_than_the_world_has),
        RIG(test_a_lost_tag_brings_no_value),
        RIG(test_a_sparse_value_is_of_somebody),
        RIG(test_an_event_that_nobody_hears_is_dropped),
        RIG(test_any_section_may_be_the_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
