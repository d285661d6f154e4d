// The ids of entities: those of a world come in any order and are sorted once.
#include "read_ids.h"

#include "../world/report.h"

#include <stdlib.h>
#include <string.h>

void weft_json_no_memory(weft_json_reader *in)
{
    in->status = WEFT_NO_MEMORY;
    weft_refuse_space(in->world, weft_refusal_of(in->status, WEFT_NONE, in->handle));
}

static uint64_t handle_of(const weft_json_reader *in, uint64_t key)
{
    return weft_handle(in->world->plan->format, (uint32_t)(key >> 32), (uint32_t)key);
}

bool weft_json_id_read(weft_json_reader *in, uint64_t *key)
{
    const weft_format f = in->world->plan->format;
    char text[WEFT_JSON_NAME_BYTES];
    char *end;
    if (!weft_json_string(in, text, sizeof text)) return false;
    uint64_t index = strtoull(text, &end, 10);
    uint64_t generation = *end == ':' ? strtoull(end + 1, NULL, 10) : 0;
    *key = index << 32 | generation;
    return (generation != 0 && generation <= weft_generation_max(f) &&
            strcmp(weft_handle_as_text(f, handle_of(in, *key)).text, text) == 0) ||
           WEFT_JSON_WRONG(in, "'%.24s' is no handle, index:generation, here", text);
}

void weft_json_ids_sort(weft_json_reader *in, weft_json_id *ids, uint32_t count, uint32_t bits)
{
    uint32_t low = 0;
    uint32_t high = count;
    if (count < 2) return;
    if (bits-- == 0) {
        in->value = (size_t)(ids[0].handle > ids[1].handle ? ids[0].handle : ids[1].handle);
        WEFT_JSON_WRONG(in, "entity \"%s\" is there twice",
                        weft_handle_as_text(in->world->plan->format, handle_of(in, ids->key)).text);
        return;
    }
    while (low < high) {
        weft_json_id id = ids[low];
        bool above = id.key >> bits & 1u;
        low += !above;
        if (!above) continue;
        ids[low] = ids[--high];
        ids[high] = id;
    }
    weft_json_ids_sort(in, ids, low, bits);
    weft_json_ids_sort(in, ids + low, count - low, bits);
}

uint32_t weft_json_id_find(const weft_json_reader *in, uint64_t key)
{
    uint32_t at = 0;
    for (uint32_t left = in->id_count, half; left > 1; left -= half) {
        half = left / 2;
        at += in->ids[at + half].key <= key ? half : 0;
    }
    return at < in->id_count && in->ids[at].key == key ? at : in->id_count;
}

bool weft_json_handle_read(weft_json_reader *in, uint64_t *handle)
{
    uint64_t key;
    *handle = 0;
    if (weft_json_word(in, "null")) return true;
    if (!weft_json_id_read(in, &key)) return false;
    bool mapped = in->whole && in->stage == WEFT_JSON_DO;
    uint32_t i = mapped ? weft_json_id_find(in, key) : 0;
    *handle = !mapped ? handle_of(in, key) : i < in->id_count ? in->ids[i].handle : 0;
    return true;
}
