// Ids, "index:generation", and the handles they stand for. Those of a world come in any order and
// are sorted once, by their keys byte by byte, in O(n) whatever the text.
#include "ids.h"

#include "../change/calls.h"
#include "../change/spawn.h"
#include "../world/report.h"

#include <inttypes.h>

bool weft_json_no_memory(weft_json_reader *in)
{
    weft_refusal refusal = {WEFT_NO_MEMORY, WEFT_NONE, WEFT_NONE, false, in->handle};
    in->text.status = WEFT_NO_MEMORY;
    return weft_refuse_space(in->text.world, refusal);
}

static uint64_t key_of(weft_format f, uint64_t id)
{
    return (uint64_t)weft_handle_index(f, id) << 32 | id >> f.index_bits;
}

// Reads decimal digits up to `most`, without zeros in front. Returns what follows; NULL: no number.
static const char *parse_decimal(const char *text, uint32_t most, uint32_t *number)
{
    uint64_t read = 0;
    const char *at = text;
    for (; *at >= '0' && *at <= '9'; at++) {
        read = read * 10 + (uint64_t)(*at - '0');
        if (read > most) return NULL;
    }
    *number = (uint32_t)read;
    return at == text || (*text == '0' && at != text + 1) ? NULL : at;
}

bool weft_json_id(weft_json_reader *in, uint64_t *id)
{
    weft_format f = in->text.world->plan->format;
    char text[WEFT_JSON_NAME_BYTES];
    size_t length;
    uint32_t index = 0;
    uint32_t generation = 0;
    if (!weft_json_string(&in->text, text, sizeof text, &length)) return false;
    const char *at = parse_decimal(text, weft_index_mask(f), &index);
    if (at) at = *at == ':' ? parse_decimal(at + 1, weft_generation_max(f), &generation) : NULL;
    *id = weft_handle(f, index, generation);
    return (at && *at == '\0' && generation != 0) ||
           WEFT_JSON_WRONG(&in->text, "'%.24s' is no handle, index:generation, here", text);
}

bool weft_json_handle(weft_json_reader *in, uint64_t *handle)
{
    *handle = 0;
    if (weft_json_null(&in->text)) return true;
    if (!weft_json_id(in, handle)) return false;
    if (!in->whole || in->stage == WEFT_JSON_JUDGE) return true;
    uint32_t i = weft_json_find_id(in, *handle);
    *handle = i < in->id_count ? weft_json_ids(in)[i].handle : 0;
    return true;
}

// Makes space for so many. The limit goes by max_entities, as a region has one limit for ever.
static bool ids_ready(weft_json_reader *in, uint64_t count)
{
    const size_t most = SIZE_MAX / 2 / sizeof(weft_json_known_id);
    uint64_t limit = (uint64_t)in->text.world->plan->max_entities * 2 + 1;
    if (limit > most) limit = most;
    return count <= limit && weft_region_grow(&in->text.world->heap, &in->ids,
                                              (size_t)count * sizeof(weft_json_known_id),
                                              (size_t)limit * sizeof(weft_json_known_id));
}

bool weft_json_add_id(weft_json_reader *in)
{
    const weft_plan *plan = in->text.world->plan;
    uint64_t id;
    if (!weft_json_id(in, &id)) return false;
    if (in->id_count == plan->max_entities) {
        return weft_json_refuse(&in->text, WEFT_FULL, "more than the %" PRIu32 " of max_entities",
                                plan->max_entities);
    }
    if (!ids_ready(in, (uint64_t)in->id_count + 1)) return weft_json_no_memory(in);
    weft_json_ids(in)[in->id_count++] =
        (weft_json_known_id){key_of(plan->format, id), in->text.value};
    return true;
}

// One step of a radix sort: by eight bits of the keys, equal ones in the order they have.
static void sort_by_byte(const weft_json_known_id *from, weft_json_known_id *to, uint32_t count,
                         uint32_t shift)
{
    uint32_t places[257] = {0};
    for (uint32_t i = 0; i < count; i++) places[(from[i].key >> shift & 0xFF) + 1]++;
    for (uint32_t i = 0; i < 256; i++) places[i + 1] += places[i];
    for (uint32_t i = 0; i < count; i++) to[places[from[i].key >> shift & 0xFF]++] = from[i];
}

bool weft_json_sort_ids(weft_json_reader *in)
{
    uint32_t count = in->id_count;
    if (!ids_ready(in, (uint64_t)count * 2 + 1)) return weft_json_no_memory(in);
    weft_json_known_id *ids = weft_json_ids(in);
    for (uint32_t shift = 0; shift < 64; shift += 16) {
        sort_by_byte(ids, ids + count, count, shift);
        sort_by_byte(ids + count, ids, count, shift + 8);
    }
    for (uint32_t i = 1; i < count; i++) {
        if (ids[i].key != ids[i - 1].key) continue;
        in->text.value = (size_t)ids[i].handle;
        return WEFT_JSON_WRONG(&in->text, "entity \"%" PRIu32 ":%" PRIu32 "\" is there twice",
                               (uint32_t)(ids[i].key >> 32), (uint32_t)ids[i].key);
    }
    return true;
}

uint32_t weft_json_find_id(const weft_json_reader *in, uint64_t id)
{
    const weft_json_known_id *ids = weft_json_ids(in);
    uint64_t key = key_of(in->text.world->plan->format, id);
    uint32_t low = 0;
    for (uint32_t high = in->id_count; low < high;) {
        uint32_t middle = low + (high - low) / 2;
        if (ids[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < in->id_count && ids[low].key == key ? low : in->id_count;
}

bool weft_json_spawn_ids(weft_json_reader *in)
{
    weft_world *world = in->text.world;
    uint32_t count = in->id_count;
    in->text.status = weft_world_reserve(world, count);
    for (in->id_count = 0; in->text.status == WEFT_OK && in->id_count < count;) {
        uint64_t handle = weft_spawn_empty(world);
        if (handle == 0)
            in->text.status = world->refusal.status;
        else
            weft_json_ids(in)[in->id_count++].handle = handle;
    }
    return in->text.status == WEFT_OK;
}

void weft_json_despawn_ids(weft_json_reader *in)
{
    weft_world *world = in->text.world;
    for (uint32_t i = 0; i < in->id_count; i++) {
        weft_place at; // some are despawned with their parents
        uint64_t handle = weft_json_ids(in)[i].handle;
        bool alive = weft_find(&world->entities, world->plan->format, handle, &at);
        if (alive) weft_despawn(world, handle);
    }
}
