// Worlds prepare for recording when they open: shares of places for buffers of commands, and space
// for the values that hooks are given.
//
// program: quick still portable byte_order
#include "fixture.h"

#include "record/command.h"
#include "record/hook.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// ------------------------------------------------------------------------------------------------
// Shares of places

// One outside of systems; then two in the first segment and three in the second.
static const weft_recorder_plan recorders[] = {{WEFT_NONE, false}, {0, true},  {0, false},
                                               {1, true},          {1, false}, {1, true}};

#define RECORDERS (sizeof recorders / sizeof *recorders)
#define BUFFERS_MAX (RECORDERS * WEFT_PARTS_MAX)

// Recorders of one segment have different shares of as many as they are. Where hooks may record
// while a phase runs, what records outside has the first of as many as are needed at most.
static void recorders_of_a_segment_have_shares_of_their_own(void **state)
{
    (void)state;
    static weft_commands buffers[BUFFERS_MAX];
    static const uint32_t share[] = {0, 0, 1, 0, 1, 2};
    static const uint32_t shares[] = {1, 2, 2, 3, 3, 3};
    for (uint32_t hooks = 0; hooks < 2; hooks++) {
        weft_plan plan = {.recorders = recorders,
                          .recorder_count = RECORDERS,
                          .buffer_count = 2 + 3 * WEFT_PARTS_MAX + 1};
        weft_hooks some;
        weft_world world = {
            .plan = &plan, .commands.buffers = buffers, .hooks = hooks ? &some : NULL};
        memset(buffers, 0, sizeof buffers);
        weft_commands_open(&world);
        for (uint32_t r = 0, buffer = 0; r < RECORDERS; r++) {
            uint32_t behind = r == 0 ? 0 : hooks;
            for (uint32_t i = 0; i < (recorders[r].parallel ? WEFT_PARTS_MAX : 1u); i++) {
                const weft_commands *c = &world.commands.buffers[buffer++];
                assert_ptr_equal(c->world, &world);
                assert_int_equal(c->share, behind + share[r]);
                if (r != 0) assert_int_equal(c->shares, hooks ? 4 : shares[r]);
                assert_int_equal(c->parts, 1);
            }
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Values for hooks

static void hear(const struct weft_hook_ctx *ctx, uint64_t handle, const void *value)
{
    (void)ctx;
    (void)handle;
    (void)value;
}

static void fill(const struct weft_hook_ctx *ctx, uint64_t handle, void *value)
{
    hear(ctx, handle, value);
}

static void hear_both(const weft_hook_ctx *ctx, uint64_t e, const void *old, const void *new_value)
{
    (void)ctx;
    (void)e;
    (void)old;
    (void)new_value;
}

static void hooks_have_space_for_the_largest_value_in_columns(void **state)
{
    (void)state;
    static const weft_component_plan components[] = {
        {.size = 12, .column_count = 3, .on_add = fill},
        {.size = 40, .column_count = 2, .on_remove = hear},
        {.size = 24, .column_count = 2, .on_add = fill},
        {.size = 100, .column_count = 1, .on_add = fill}, // it lies there as one piece
        {.size = 200, .column_count = 5},                 // it has no hook
        {.size = 56, .column_count = 1, .on_replace = hear_both},
    };
    weft_plan plan = {.components = components, .component_count = 6};
    weft_world world = {.plan = &plan};
    weft_heap_open(&world.heap, &(weft_memory){0});
    assert_true(weft_hooks_open(&world));
    assert_int_equal(world.hooks->value_bytes,
                     64); // 40, so that the new value behind it is aligned
    assert_int_equal(world.hooks->new_bytes, 56);
    weft_hooks_close(&world);
    assert_int_equal(world.heap.bytes, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorders_of_a_segment_have_shares_of_their_own),
        cmocka_unit_test(hooks_have_space_for_the_largest_value_in_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
