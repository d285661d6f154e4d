// Values of fields, and the ids in them.
#ifndef WEFT_JSON_VALUES_H
#define WEFT_JSON_VALUES_H

#include "text.h"

// An id of a world's text, by index and generation: 32 bits each, so that ids are in the order of
// their keys. `handle` is, until there are handles, on the stage JUDGE where in the text the id
// stands, and on LINK the number of an id above it in the relation at hand.
typedef struct weft_json_known_id {
    uint64_t key;
    uint64_t handle;
} weft_json_known_id;

static inline weft_json_known_id *weft_json_ids(const weft_json_reader *in)
{
    return (weft_json_known_id *)(void *)in->ids.base;
}

// The number of an id among the sorted ones; their count: it is none of them. O(log n).
uint32_t weft_json_find_id(const weft_json_reader *in, uint64_t key);

// Reads "index:generation".
bool weft_json_id(weft_json_reader *in, uint64_t *key);

// Reads null, as 0, or an id: in a world that is done the handle that it stands for, 0 if it is of
// no entity in the text; else itself.
bool weft_json_handle(weft_json_reader *in, uint64_t *handle);

// Reads an object with some of these fields into a plain struct; the others stay. The struct may be
// half written where it fails.
bool weft_json_struct(weft_json_reader *in, const weft_field *fields, uint32_t count, void *value);

#endif
