// Reading entities and worlds: what the parts of the reader share.
//
// A text is judged before anything is done: every value and rule in one walk over it, its ids when
// all of them are known, then who is whose child. Only then are handles made for the ids and
// children attached, each entity gets its components as one batch, and singletons are written last,
// when nothing can fail any more. The code that judges is the code that does, on another stage: the
// text is read again from where the first walk found its parts.
//
// There is no tree of the text: a tree does not know at which line and column a value stood that
// does not suit its field. The libraries that were looked at (cJSON, Jansson, json-c, yyjson) make
// one, and the first two do not keep all digits of an integer; jsmn leaves numbers and strings to
// its caller, which is most of the work. Text of any shape is what makes JSON hard, and here the
// schema says at each place what has to come.
//
// Memory is taken through the hooks: 32 bytes an id, space for one of each component, and a bit for
// each name that an object may have. The schema alone says how much that is, whatever the text.
//
// Every function returns false where it has reported why; nothing more is read after that.
#ifndef WEFT_JSON_READER_H
#define WEFT_JSON_READER_H

#include "text.h"

typedef enum weft_json_stage {
    WEFT_JSON_JUDGE, // values and rules, before the ids are known
    WEFT_JSON_LINK,  // only relations of a world, once they are
    WEFT_JSON_DO
} weft_json_stage;

// An id of a world's text. While the text is judged `handle` is where in it the id stands.
typedef struct weft_json_known_id {
    uint64_t key; // index, then generation: 32 bits each, so that ids are in the order of keys
    uint64_t handle;
} weft_json_known_id;

typedef struct weft_json_reader {
    weft_json_text text;
    weft_json_stage stage;
    bool whole;      // a world; else the entity `handle` is given components
    uint64_t handle; // the entity at hand; 0: it is judged as one that has nothing
    weft_region ids; // weft_json_known_id, and as much space again
    uint32_t id_count;
    unsigned char *values; // space for plain structs: one of each component, or a singleton
    size_t values_used;
    size_t values_bytes;
} weft_json_reader;

// A member of a world or an entity; it begins with its name, as records of the schema do.
typedef struct weft_json_part {
    const char *name;
    bool (*parse)(weft_json_reader *in);
} weft_json_part;

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

static inline weft_json_known_id *weft_json_ids(const weft_json_reader *in)
{
    return (weft_json_known_id *)(void *)in->ids.base;
}

// Reads an object with some of these fields into a plain struct; the others stay. The struct may be
// half written where it fails.
bool weft_json_struct(weft_json_reader *in, const weft_field *fields, uint32_t count, void *value);

// Reads the parents of a single entity; the relations of a world, on each stage; an entity.
bool weft_json_parents(weft_json_reader *in);
bool weft_json_relations(weft_json_reader *in);
bool weft_json_entity(weft_json_reader *in);

#endif
