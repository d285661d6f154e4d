// Hooks run for a load and may record commands then.
//
// program: quick worlds optimised plain byte_order
#define _POSIX_C_SOURCE 200809L // support/asserts.h

#include "../../support/asserts.h"
#include "telling.h"

typedef struct kept {
    void *bytes;
    size_t count;
} kept;

static kept save(rig *r)
{
    kept k;
    assert_int_equal(den_save_memory(r->w, &k.bytes, &k.count), WEFT_OK);
    return k;
}

static void forget_save(rig *r, kept k)
{
    weft_memory hooks = memory_hooks(&r->memory);
    hooks.free_(hooks.user, k.bytes, k.count);
}

// From `first` on hooks were told of everybody, in the order of rows; returns the first that was
// not.
static size_t told_of_rows(const rig *r, size_t first, bool removed)
{
    den_watched_iter it = den_watched_begin(r->w);
    while (den_watched_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            bool ended = false;
            while (!ended) {
                assert_true(first < r->count);
                const told *t = &r->told[first++];
                assert_int_equal(t->removed, removed);
                assert_true(den_same(t->e, it.entities[i]));
                ended = t->component == DEN_COMPONENT_SEEN; // the last that an entity has here
            }
        }
    }
    return first;
}

static void a_load_tells_of_all_that_was_and_of_all_that_is(void **state)
{
    rig *r = (rig *)*state;
    populate(r);
    kept k = save(r);
    fox_with(r, 77);
    den_seen_clear(r->w);
    rig_forget(r);
    assert_int_equal(den_load_memory(r->w, k.bytes, k.count), WEFT_OK);
    size_t was = 7 * 3; // what seven foxes have but `seen`
    for (size_t i = 0; i < was; i++) assert_true(r->told[i].removed);
    assert_int_equal(told_of_rows(r, was, false), r->count);
    assert_int_equal(r->count - was, 6 * 4 + 3);
    rig_check(r);
    rig_forget(r);
    assert_int_equal(den_load_memory(r->w, k.bytes, k.count), WEFT_OK);
    assert_int_equal(told_of_rows(r, told_of_rows(r, 0, true), false), r->count);
    forget_save(r, k);
}

static void a_load_that_fails_tells_nobody(void **state)
{
    rig *r = (rig *)*state;
    populate(r);
    kept k = save(r);
    assert_int_equal(den_load_memory(r->w, k.bytes, k.count - 8), WEFT_BAD_FILE);
    told_only(r, "");
    for (uint32_t fail_in = 0;; fail_in++) {
        memory_arm(&r->memory, fail_in, true);
        weft_status status = den_load_memory(r->w, k.bytes, k.count);
        bool failed = memory_disarm(&r->memory);
        if (status == WEFT_OK) break;
        assert_true(failed);
        assert_int_equal(status, WEFT_NO_MEMORY);
        told_only(r, "");
    }
    assert_int_equal(r->count, 2 * (6 * 4 + 3));
    forget_save(r, k);
}

static void despawn_and_unsee(rig *r, const den_hook_ctx *ctx, const told *t)
{
    (void)r;
    if (t->removed) den_cmd_despawn(ctx->cmd, t->e);
    if (!t->removed) rig_cmd_remove(ctx->cmd, t->e, DEN_COMPONENT_SEEN);
}

// Commands that on_remove has recorded are dropped: their world is not there any more.
static void what_hooks_of_a_load_record_is_applied_after_it(void **state)
{
    rig *r = (rig *)*state;
    populate(r);
    kept k = save(r);
    r->react = despawn_and_unsee;
    assert_int_equal(den_load_memory(r->w, k.bytes, k.count), WEFT_OK);
    r->react = NULL;
    assert_int_equal(den_watched_count(r->w), 9);
    assert_int_equal(den_flush(r->w), WEFT_OK);
    assert_int_equal(den_watched_count(r->w), 0);
    assert_int_equal(den_stats(r->w).entities, 9);
    assert_int_equal(den_stats(r->w).commands_dropped, 6 * 4 + 3); // one for each value that went
    forget_save(r, k);
}

// Commands that were recorded before a load are dropped too, here all but one that was lost.
static void what_a_load_drops_is_counted(void **state)
{
    rig *r = (rig *)*state;
    populate(r);
    kept k = save(r);
    weft_stats before = den_stats(r->w);
    den_cmd *cmd = den_commands(r->w);
    uint64_t recorded = 0;
    memory_arm(&r->memory, 0, true);
    while (den_cmd_spawn(cmd).bits != 0) recorded++;
    assert_true(memory_disarm(&r->memory));
    den_cmd_fox_spawn_many(cmd, 3, NULL);
    assert_int_equal(den_load_memory(r->w, k.bytes, k.count), WEFT_OK);
    weft_stats after = den_stats(r->w);
    assert_int_equal(after.commands_dropped - before.commands_dropped, recorded + 1);
    assert_int_equal(after.commands_lost - before.commands_lost, 1);
    assert_int_equal(den_flush(r->w), WEFT_OK);
    assert_int_equal(den_stats(r->w).entities, 9);
    forget_save(r, k);
}

// ------------------------------------------------------------------------------------------------
// Saves, while something waits that cannot be

// The save holds the world as it is when saving has ended.
static void assert_saves_what_is(rig *r)
{
    kept k = save(r);
    uint64_t hash = den_hash_exact(r->w);
    uint32_t entities = den_stats(r->w).entities;
    assert_int_equal(den_load_memory(r->w, k.bytes, k.count), WEFT_OK);
    assert_true(den_hash_exact(r->w) == hash);
    assert_int_equal(den_stats(r->w).entities, entities);
    forget_save(r, k);
}

static void a_reset_tells_of_all_that_lives(void **state)
{
    rig *r = (rig *)*state;
    populate(r);
    assert_int_equal(den_reset(r->w), WEFT_OK);
    assert_int_equal(r->count, 6 * 4 + 3);
    for (size_t i = 0; i < r->count; i++) assert_true(r->told[i].removed);
    rig_check(r);
    rig_forget(r);
    assert_int_equal(den_reset(r->w), WEFT_OK);
    assert_int_equal(r->count, 0);
}

// Nothing lives after a reset, not even what was about to.
static void what_a_reset_drops_is_counted(void **state)
{
    rig *r = (rig *)*state;
    den_bare_set(r->w, den_spawn(r->w));
    den_entity promised = den_cmd_fox_spawn(den_commands(r->w), NULL);
    r->react = go_in_circles; // which answers with a command
    uint64_t dropped = den_stats(r->w).commands_dropped;
    assert_int_equal(den_reset(r->w), WEFT_OK);
    r->react = NULL;
    assert_int_equal(den_stats(r->w).commands_dropped - dropped, 2);
    assert_int_equal(den_flush(r->w), WEFT_OK);
    assert_int_equal(den_stats(r->w).entities, 0);
    assert_false(den_alive(r->w, promised));
}

static void a_full_world_is_saved_whatever_waits(void **state)
{
    rig *r = (rig *)*state;
    populate(r);
    while (den_stats(r->w).entities < den_schema()->max_entities) den_spawn(r->w);
    uint64_t lost = den_stats(r->w).commands_lost;
    den_cmd_spawn(den_commands(r->w));
    assert_saves_what_is(r);
    assert_int_equal(den_stats(r->w).commands_lost, lost + 1);
    assert_non_null(strstr(den_error(r->w), "no room"));
    assert_int_equal(den_flush(r->w), WEFT_OK); // nothing is left of it
}

// Hooks hear of nothing in a fragment, and of all that is merged: by entities, as they were
// spawned.
static void a_merge_tells_of_all_that_comes(void **state)
{
    rig *r = (rig *)*state;
    den_entity held[40];
    den_world *fragment = den_fragment_open(&(weft_options){.user = r});
    populate(r);
    for (uint32_t i = 0; i < 40; i++) {
        den_fox fox = rig_fox(i);
        den_cub cub = rig_cub(i);
        held[i] = i % 2 == 0 ? den_fox_spawn(fragment, &fox) : den_cub_spawn(fragment, &cub);
        if (i % 3 == 0) den_seen_set(fragment, held[i]);
        if (i % 5 == 0) rig_remove(fragment, held[i], DEN_COMPONENT_SCENT);
    }
    den_despawn(fragment, held[39]); // its index stays free
    den_despawn(fragment, held[7]);
    den_cmd_cub_spawn(den_commands(fragment), NULL);
    rig_forget(r);
    memory_arm(&r->memory, 0, true);
    assert_int_equal(den_fragment_merge(r->w, fragment, held, 40), WEFT_NO_MEMORY);
    memory_disarm(&r->memory);
    told_only(r, "");
    assert_int_equal(den_fragment_merge(r->w, fragment, held, 40), WEFT_OK);
    assert_true(den_is_none(held[7]) && den_is_none(held[39]));
    size_t at = 0;
    for (uint32_t i = 0; i < 39; i++) {
        size_t first = at;
        if (i == 7) held[i] = r->told[at].e; // the cub that was a command has the index of the dead
        for (; at < r->count && den_same(r->told[at].e, held[i]); at++) {
            assert_false(r->told[at].removed);
            assert_true(at == first || r->told[at].component > r->told[at - 1].component);
        }
        assert_true(at > first);
    }
    assert_int_equal(at, r->count);
    rig_check(r);
    den_close(fragment);
}

static void merge_a_world(void *context)
{
    den_world **worlds = (den_world **)context;
    den_fragment_merge(worlds[0], worlds[1], NULL, 0);
}

static void a_world_with_hooks_is_no_fragment(void **state)
{
    rig *r = (rig *)*state;
    den_world *worlds[2] = {r->w, den_open(&(weft_options){.user = r})};
    den_spawn(worlds[1]);
#ifdef NDEBUG
    merge_a_world(worlds);
    assert_string_equal(den_error(r->w), "this world is not a fragment");
    assert_int_equal(den_stats(r->w).entities, 0);
#else
    assert_true(asserts_saying(merge_a_world, worlds, "this world is not a fragment"));
#endif
    den_close(worlds[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_load_tells_of_all_that_was_and_of_all_that_is),
        TEST(a_load_that_fails_tells_nobody),
        TEST(what_hooks_of_a_load_record_is_applied_after_it),
        TEST(what_a_load_drops_is_counted),
        TEST(a_reset_tells_of_all_that_lives),
        TEST(what_a_reset_drops_is_counted),
        TEST(a_full_world_is_saved_whatever_waits),
        TEST(a_merge_tells_of_all_that_comes),
        TEST(a_world_with_hooks_is_no_fragment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
