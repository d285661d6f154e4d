// Worlds that open make ready for records: numbers of provisional handles for buffers of commands,
// and space for the values that hooks are told.
#include "fixture.h"

#include "record/command.h"
#include "record/hook.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

// ------------------------------------------------------------------------------------------------
// Numbers of provisional handles

// One outside of systems; then two in the first phase and three in the second.
static const weft_recorder_plan recorders[] = {{WEFT_NONE, false}, {0, true},  {0, false},
                                               {1, true},          {1, false}, {1, true}};

#define RECORDERS (sizeof recorders / sizeof *recorders)
#define BUFFERS_MAX (RECORDERS * WEFT_PARTS_MAX)

typedef struct numbers {
    uint64_t first;
    uint64_t end;
} numbers;

static bool overlap(numbers a, numbers b)
{
    return a.first < b.end && b.first < a.end;
}

// Those that may record at any time, and those of one phase, never give two spawns one number.
static void check_shares(const weft_world *world, uint64_t limit)
{
    numbers of[BUFFERS_MAX];
    uint16_t phase[BUFFERS_MAX];
    uint32_t count = 0;
    uint32_t buffer = 0;
    for (uint32_t r = 0; r < RECORDERS; r++) {
        uint32_t some = 0;
        for (uint32_t i = 0; i < (recorders[r].parallel ? WEFT_PARTS_MAX : 1u); i++, buffer++) {
            const weft_commands *c = &world->buffers[buffer];
            assert_ptr_equal(c->world, world);
            if (c->numbers == 0) continue;
            phase[count] = recorders[r].phase;
            of[count++] = (numbers){c->number_first, (uint64_t)c->number_first + c->numbers};
            some += c->numbers;
        }
        assert_true(some >= limit / 8); // at most four share them, and parts lose little
    }
    for (uint32_t i = 0; i < count; i++) {
        assert_true(of[i].end <= limit);
        for (uint32_t k = 0; k < i; k++) {
            bool together = phase[i] == phase[k] || phase[k] == WEFT_NONE;
            assert_false(together && overlap(of[i], of[k]));
        }
    }
}

static void buffers_share_the_numbers_of_provisional_handles(void **state)
{
    (void)state;
    static weft_commands buffers[BUFFERS_MAX];
    static const uint8_t index_bits[] = {11, 12, 16, 20, 22, 31};
    for (uint32_t i = 0; i < sizeof index_bits; i++) {
        for (uint32_t hooks = 0; hooks < 2; hooks++) {
            weft_plan plan = {.format = {.index_bits = index_bits[i]},
                              .recorders = recorders,
                              .recorder_count = RECORDERS,
                              .buffer_count = 2 + 3 * WEFT_PARTS_MAX + 1};
            weft_hooks some;
            weft_world world = {.plan = &plan, .buffers = buffers, .hooks = hooks ? &some : NULL};
            memset(buffers, 0, sizeof buffers);
            weft_commands_open(&world);
            check_shares(&world, weft_provisional_limit(&plan));
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
        {.size = 12, .column_count = 3, .on_add = hear},
        {.size = 40, .column_count = 2, .on_remove = hear},
        {.size = 24, .column_count = 2, .on_add = hear},
        {.size = 100, .column_count = 1, .on_add = hear}, // it lies there as one piece
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
        cmocka_unit_test(buffers_share_the_numbers_of_provisional_handles),
        cmocka_unit_test(hooks_have_space_for_the_largest_value_in_columns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
