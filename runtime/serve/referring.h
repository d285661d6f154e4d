// A pass that finds the referrers of an entity in the rows of all tables. The work is done in
// pieces, and the world can run between them (see walk.h).
#ifndef WEFT_SERVE_REFERRING_H
#define WEFT_SERVE_REFERRING_H

#include "walk.h"

#define SERVE_REFERRERS_MAX 100u // listed for each field or relation

typedef enum serve_group_kind {
    SERVE_BY_COMPONENT,
    SERVE_BY_LINK_VALUE,
    SERVE_BY_RELATION,
} serve_group_kind;

// The owner of a value that refers to the entity.
typedef struct serve_referrer {
    uint64_t handle;
    uint64_t to; // the other end, if the value is that of a link from `handle`; otherwise 0
} serve_referrer;

// One field of a component or of a link, or one relation.
typedef struct serve_group {
    serve_group_kind kind;
    uint32_t of;     // number of the component, link or relation
    uint32_t field;  // number of the field
    uint64_t count;  // values that refer to the entity; an array may contain several
    uint64_t owners; // entities or links with such values
    serve_referrer some[SERVE_REFERRERS_MAX]; // the first owners
} serve_group;

typedef struct serve_referring {
    uint64_t target;
    serve_walk walk;
    uint64_t looked_at; // rows
    uint64_t total;
    uint32_t group_count;
    serve_group groups[]; // zeroed when a pass begins
} serve_referring;

// Begins a pass. Returns NULL if there is no memory. Free it with `free`.
serve_referring *serve_referring_begin(const weft_world *world, uint64_t target);

// Reads about `most` rows, and returns how many, or 0 if the pass has ended. An entity counts as
// one row, and each of its links as another if values of links contain handles.
uint32_t serve_referring_run(const weft_world *world, serve_referring *pass, uint32_t most);

// Returns the fields of the component or link of a group.
const weft_field *serve_group_field(const weft_schema *schema, const serve_group *group);

#endif
