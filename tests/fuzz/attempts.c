// Calls during which memory may fail. Each does what the model expects, or reports the reason and
// changes nothing.
//
// flags: played
#include "operations.h"

#include "fail.h"

void attempt(run *r)
{
    r->memory.fired = false;
    r->moved = false;
    if (r->options.faults && any_chance(r, 6)) {
        uint32_t fail_in = any_below(r, 4);
        memory_arm(&r->memory, fail_in, any_chance(r, 2));
    }
}

bool had_no_memory(const run *r)
{
    const event *e = r->told.read < r->told.count ? &r->told.items[r->told.read] : NULL;
    return e && e->status == WEFT_NO_MEMORY;
}

bool attempted(run *r, bool done, weft_status expected, uint64_t handle)
{
    bool fired = memory_disarm(&r->memory);
    if (done) {
        if (expected != WEFT_OK) fail("this is done, not refused: %s", weft_status_text(expected));
        run_no_events(r, "done");
        return true;
    }
    bool no_memory = fired && had_no_memory(r);
    if (expected == WEFT_OK && !no_memory) fail("this is refused: %s", fuzz_error(r->world));
    run_event(r, no_memory ? WEFT_NO_MEMORY : expected, handle);
    r->moved = no_memory || expected == WEFT_FULL;
    run_no_events(r, "refused");
    compare_handle(r, handle);
    return false;
}
