// Where a value lies in the plain struct of its component or singleton, and the other way round: by
// the schema alone, so that values of entities that are gone have a place too. A relation is as a
// component of two fields, `parent` and `next_sibling`.
#ifndef WEFT_INSIGHT_PLACE_H
#define WEFT_INSIGHT_PLACE_H

#include "../value/leaf.h"
#include "../weft_insight.h"

// The owner of a value.
typedef struct weft_owner {
    uint16_t of; // component, singleton or relation, by its number
    bool singleton;
    bool relation; // its values are the parent and the next sibling
} weft_owner;

// The fields of a component, singleton or relation.
typedef struct weft_place_fields {
    const weft_field *fields;
    uint32_t count;
} weft_place_fields;

weft_place_fields weft_place_owner(const weft_schema *schema, weft_owner owner);
const char *weft_owner_name(const weft_schema *schema, weft_owner owner);

static inline bool weft_owner_is(weft_owner a, weft_owner b)
{
    return a.of == b.of && a.singleton == b.singleton && a.relation == b.relation;
}

// The values that a path leads to: all of a component, of a field, or a single one.
typedef struct weft_place_span {
    weft_owner owner;
    uint32_t first; // bytes in the plain struct
    uint32_t end;
    weft_leaf_ref leaf; // without its value; field is NULL where there are several
} weft_place_span;

// Finds the place of "needs", "needs.hunger", "stock.amount[bread]", "worker.route.count", or of a
// relation, "carried_by" or "carried_by.parent". False: there is none, which is reported.
bool weft_place_find(weft_world *world, const char *path, weft_place_span *span);

// Tells whether a plain struct has a value at a place: of lists it has the items that it counts.
bool weft_place_is_there(const weft_schema *schema, weft_place_fields of,
                         const unsigned char *value, uint32_t offset);

// Finds the single value at a place that has one, and writes its path behind the owner.
weft_leaf_ref weft_place_leaf(const weft_schema *schema, weft_place_fields of, uint32_t offset,
                              char path[WEFT_WRITE_TEXT_BYTES]);

#endif
