// The ids of a text, "index:generation", and the handles that they stand for.
#ifndef WEFT_JSON_IDS_H
#define WEFT_JSON_IDS_H

#include "reader.h"

bool weft_json_no_memory(weft_json_reader *in); // returns false

// Reads "index:generation", as bits.
bool weft_json_id(weft_json_reader *in, uint64_t *id);

// Reads null, as 0, or an id: in a world that is done the handle that it stands for, 0 if it is of
// no entity in the text; else itself.
bool weft_json_handle(weft_json_reader *in, uint64_t *handle);

// Reads the id of the next entity of a world.
bool weft_json_add_id(weft_json_reader *in);

// Sorts the ids, after which they can be found. Fails where one is there twice.
bool weft_json_sort_ids(weft_json_reader *in);

// The number of an id among the sorted ones; their count: it is none of them. O(log n).
uint32_t weft_json_find_id(const weft_json_reader *in, uint64_t id);

// Gives each id a new handle, in their order. Where that fails those that have one are left.
bool weft_json_spawn_ids(weft_json_reader *in);
void weft_json_despawn_ids(weft_json_reader *in);

#endif
