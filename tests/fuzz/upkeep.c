// Calls about the whole world: recycle indices, reset, trim memory.
//
// flags: played
#include "operations.h"

#include "fail.h"

#include <inttypes.h>

void recycle_indices(run *r)
{
    if (!any_chance(r, 16)) return;
    size_t brought = fuzz_recycle(r->world); // which applies commands first
    model_apply(&r->model, &r->told);
    record_forget(r);
    uint32_t expected = model_recycle(&r->model);
    if (brought != expected) fail("%zu indices come back, not %" PRIu32, brought, expected);
}

// Applies all commands first, because a reset would drop waiting ones.
void reset_world(run *r)
{
    if (!any_chance(r, 64)) return;
    if (fuzz_flush(r->world) == WEFT_BUSY) fail("flushing: %s", fuzz_error(r->world));
    model_apply(&r->model, &r->told);
    record_forget(r);
    memory_arm(&r->memory, 0, true);
    if (fuzz_reset(r->world) != WEFT_OK) fail("resetting: %s", fuzz_error(r->world));
    memory_disarm(&r->memory);
    run_no_events(r, "resetting");
    model_reset(&r->model);
    if (fuzz_stats(r->world).entities != 0) fail("a reset leaves entities");
}

// Releasing memory changes nothing else, even if some of it could not be copied.
void trim_world(run *r)
{
    uint64_t hash = fuzz_hash_exact(r->world);
    size_t bytes = fuzz_stats(r->world).bytes_allocated;
    attempt(r);
    weft_status status = fuzz_trim(r->world);
    bool fired = memory_disarm(&r->memory);
    if (status != WEFT_OK && !(fired && status == WEFT_NO_MEMORY)) {
        fail("trimming: %s", fuzz_error(r->world));
    }
    if (status == WEFT_NO_MEMORY) run_event(r, WEFT_NO_MEMORY, 0);
    run_no_events(r, "trimming");
    if (fuzz_hash_exact(r->world) != hash) fail("a trim changes the world");
    if (fuzz_stats(r->world).bytes_allocated > bytes) fail("a trim takes memory");
}
