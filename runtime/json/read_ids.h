// The ids of entities in a text that is read.
#ifndef WEFT_READ_IDS_H
#define WEFT_READ_IDS_H

#include "text.h"

// An id has 32 bits each of index and generation, so that ids are in the order of their keys.
// `handle` is, until there are handles, on the stage JUDGE where in the text the id stands, and on
// LINK the number of an id above it in the relation at hand, or its own.
typedef struct weft_json_id {
    uint64_t key;
    uint64_t handle;
} weft_json_id;

void weft_json_no_memory(weft_json_reader *in);

// Reads "index:generation" just as a handle of the world is written.
bool weft_json_id_read(weft_json_reader *in, uint64_t *key);

// Sorts ids whose keys differ in no more than the lowest `bits` bits, in place and in O(n) whatever
// the text. Where they differ in none an entity is there twice.
void weft_json_ids_sort(weft_json_reader *in, weft_json_id *ids, uint32_t count, uint32_t bits);

// Returns the number of an id among the sorted ones; their count: it is none of them.
uint32_t weft_json_id_find(const weft_json_reader *in, uint64_t key);

// Reads null, as 0, or an id: in a world that is done the handle that it stands for, 0 if it is of
// no entity in the text; else itself.
bool weft_json_handle_read(weft_json_reader *in, uint64_t *handle);

#endif
