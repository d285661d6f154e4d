// Reading entities and worlds: what the parts of the reader share.
//
// A text is read several times, the first time to judge it: only what is right from end to end, and
// has room, is read again to be done. What is judged and what is done is the same code.
//
//   judge        every value and rule; who is in the text
//   links        who is whose child, now that it is known who is there
//   attach       handles for them, then the children to their parents
//   entities     each one's components as one batch
//   singletons   last, as nothing can fail any more
//
// All that returns false has said why, in words and in the status of the text.
#ifndef WEFT_JSON_READER_H
#define WEFT_JSON_READER_H

#include "values.h"

WEFT_EXTERN_C_BEGIN

typedef enum weft_json_stage {
    WEFT_JSON_JUDGE,
    WEFT_JSON_LINKS,
    WEFT_JSON_ATTACH,
    WEFT_JSON_ENTITIES,
    WEFT_JSON_SINGLETONS
} weft_json_stage;

typedef struct weft_json_reader {
    weft_world *world;
    weft_json_text text;
    weft_json_stage stage;
    bool whole;         // a world; else `handle` is given components
    uint64_t handle;    // the entity at hand; 0: being judged, as one that has nothing
    weft_region people; // those of a world
    uint32_t people_count;
    weft_json_text links; // at the relations of a world; no text: it has none
    weft_region above;    // uint32_t, for each of the people
    weft_region values;   // plain structs of the components at hand
    size_t values_used;   // bytes of them
    size_t values_max;
    uint64_t *names; // room for the set of components, singletons or relations that were there
    uint64_t *seen;  // room for the sets of their fields
} weft_json_reader;

// ------------------------------------------------------------------------------------------------
// Memory (capacity.c)

bool weft_json_reader_open(weft_json_reader *in);
void weft_json_reader_close(weft_json_reader *in);

// Always false.
bool weft_json_no_memory(weft_json_reader *in);

// Room for one more plain struct of so many bytes; NULL: no memory. Later stages find it there.
void *weft_json_take_room(weft_json_reader *in, uint32_t bytes);

// ------------------------------------------------------------------------------------------------
// Who is who in a world: their ids in the text, and their handles here (ids.c)

bool weft_json_add_person(weft_json_reader *in, uint64_t id);

// Every id once. From then on they can be found.
bool weft_json_judge_people(weft_json_reader *in);

// Which of the people it is; their count: none. O(log n).
uint32_t weft_json_person(const weft_json_reader *in, uint64_t id);

// A new handle for each, in the order of their ids; all or none.
bool weft_json_spawn_people(weft_json_reader *in);
void weft_json_despawn_people(weft_json_reader *in);

// What an id stands for; 0: nobody. A weft_json_handle of the reader.
uint64_t weft_json_handle_here(void *reader, uint64_t id);

// ------------------------------------------------------------------------------------------------
// Who is whose child (links.c)

// Takes the parents of a single entity.
bool weft_json_take_parents(weft_json_reader *in);

// Takes the relations of a world; while it is judged, just that they can be read.
bool weft_json_take_relations(weft_json_reader *in);

// Once more over the relations alone: that everybody in them is there, has one parent and is not
// above itself; then, who has handles by now is attached.
bool weft_json_judge_links(weft_json_reader *in);
bool weft_json_attach_links(weft_json_reader *in);

// ------------------------------------------------------------------------------------------------
// What somebody has (entity.c)

// Takes the fields of a component or singleton, with the handles of those in the text in them.
bool weft_json_take_struct(weft_json_reader *in, const weft_field *fields, uint32_t count,
                           void *value);

bool weft_json_take_entity(weft_json_reader *in);

WEFT_EXTERN_C_END

#endif
