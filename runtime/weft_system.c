// Applying tags that systems put, and clocks of systems that run at an interval.
#include "weft_system.h"

#include <string.h>

static weft_table *table_of(weft_world *world, const weft_table *table)
{
    return world->tables.items[table->id];
}

static void put_rows(weft_world *world, weft_table *table, uint32_t first, uint32_t column, const uint64_t *rows,
                     bool on)
{
    for (uint32_t word = 0; word < WEFT_PUT_ROWS / 64; word++) {
        for (uint64_t bits = rows[word]; bits != 0; bits &= bits - 1) {
            weft_plane_put(world->plan, table, column, first + word * 64 + weft_lowest_bit(bits), on);
        }
    }
}

static uint32_t rows_put(const uint64_t *rows)
{
    uint32_t n = 0;
    for (uint32_t word = 0; word < WEFT_PUT_ROWS / 64; word++) {
        for (uint64_t bits = rows[word]; bits != 0; bits &= bits - 1) n++;
    }
    return n;
}

void weft_puts_apply(weft_world *world, weft_puts *puts, const weft_table *table, uint32_t first, uint32_t column)
{
    if (!puts->any) return;
    weft_table *target = table_of(world, table);
    put_rows(world, target, first, column, puts->off, false);
    uint32_t raised = rows_put(puts->on);
    if (raised != 0) {
        if (weft_plane_open(&world->heap, world->plan, target, column)) {
            put_rows(world, target, first, column, puts->on, true);
        } else {
            world->commands_lost += raised;
        }
    }
    memset(puts, 0, sizeof *puts);
}

// The remainder without libm, whose results differ between machines: the quotient is small and exact enough,
// and rounding is mended by the two comparisons.
static double remainder_of(double value, double divisor)
{
    double quotient = value / divisor;
    if (!(quotient < 9007199254740992.0)) return 0.0; // 2^53: no fraction is left, also NaN and infinity
    value -= (double)(uint64_t)quotient * divisor;
    if (value < 0.0) value = 0.0;
    return value < divisor ? value : 0.0;
}

bool weft_clock_due(weft_clock *clock, double every, double dt, double *since)
{
    clock->waited += dt;
    clock->elapsed += dt;
    if (clock->waited < every) return false;
    *since = clock->elapsed;
    clock->elapsed = 0.0;
    clock->waited = remainder_of(clock->waited, every);
    return true;
}
