// For libFuzzer: loads any bytes as a save, or as a part if they have its section.
#include "mutate.h"
#include "parts.h"
#include "taken.h"
#include "trial.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// A run of free indices takes two numbers in the file. If the last index has nodes and links, each
// of 2^20 indices takes a record, a node in each relation and an entry in each list of links, and
// arrays that grow exist twice.
#define INDEX_BYTES ((size_t)200 << 20)

// Begins with the world from which the parts of `seeds` were taken.
static void open_part_trial(trial *t)
{
    static taken made;
    taken_make(&made);
    trial_open_part(t, made.start.bytes, made.start.count);
}

static bool is_part(const uint8_t *data, size_t size)
{
    parts p;
    if (!parts_find(&p, data, size)) return false;
    for (uint32_t i = 0; i < p.count; i++) {
        if (p.items[i].kind == WEFT_SECTION_PART) return true;
    }
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static trial world;
    static trial part;
    if (!world.w) trial_open(&world);
    if (!part.w) open_part_trial(&part);
    world.index_bytes = part.index_bytes = INDEX_BYTES;
    trial *t = is_part(data, size) ? &part : &world;
    if (trial_load(t, data, size) == WEFT_OK) mutate_keep(data, size);
    return 0;
}
