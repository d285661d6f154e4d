// Saves the world at any moment and loads the save into another world with other contents. Now and
// then the world itself continues from a save.
//
// flags: hot
#include "fail.h"
#include "run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void fail_load(run *r, const void *bytes, size_t count)
{
    uint64_t before = fuzz_hash_exact(r->copy);
    memory_arm(&r->calm, (uint32_t)(r->operation / 8 % 97), r->operation % 16 == 0);
    weft_status status = fuzz_load_memory(r->copy, bytes, count);
    bool failed = memory_disarm(&r->calm);
    if (status == WEFT_OK) return;
    if (!failed || status != WEFT_NO_MEMORY) fail("a load ends with %d", (int)status);
    if (fuzz_hash_exact(r->copy) != before) fail("a load that failed has changed the world");
}

// The world loads the save that it has just written, and the result is compared as usual.
static void go_on_from(run *r, const void *bytes, size_t count)
{
    weft_status status = fuzz_load_memory(r->world, bytes, count);
    if (status != WEFT_OK) fail("loading: %s", fuzz_error(r->world));
    model_load(&r->model);
}

// Memory that is given back changes no byte of a save.
static void compare_trimmed(run *r, const void *bytes, size_t count)
{
    void *again;
    size_t again_count;
    weft_memory hooks = memory_hooks(&r->memory);
    if (fuzz_trim(r->world) != WEFT_OK) fail("trimming: %s", fuzz_error(r->world));
    if (fuzz_save_memory(r->world, &again, &again_count) != WEFT_OK) {
        fail("saving what was trimmed: %s", fuzz_error(r->world));
    }
    if (again_count != count || memcmp(again, bytes, count) != 0) fail("a trim changes the save");
    hooks.free_(hooks.user, again, again_count);
}

void compare_save(run *r)
{
    void *bytes;
    size_t count;
    weft_memory hooks = memory_hooks(&r->memory);
    uint64_t hash = fuzz_hash(r->world);
    weft_status status = fuzz_save_memory(r->world, &bytes, &count);
    if (status != WEFT_OK) fail("saving: %s", fuzz_error(r->world));
    fail_load(r, bytes, count);
    status = fuzz_load_memory(r->copy, bytes, count);
    if (status != WEFT_OK) fail("loading: %s", fuzz_error(r->copy));
    if (fuzz_hash(r->world) != hash) fail("saving has changed the world");
    if (fuzz_hash(r->copy) != hash) {
        fail("the copy's hash is %016" PRIx64 ", not %016" PRIx64, fuzz_hash(r->copy), hash);
    }
    uint64_t exact = fuzz_hash_exact(r->world);
    if (fuzz_hash_exact(r->copy) != exact) {
        fail("the copy's exact hash is %016" PRIx64 ", not %016" PRIx64, fuzz_hash_exact(r->copy),
             exact);
    }
    if (any_chance(r, 4)) compare_trimmed(r, bytes, count);
    if (any_chance(r, 4)) go_on_from(r, bytes, count);
    hooks.free_(hooks.user, bytes, count);
}
