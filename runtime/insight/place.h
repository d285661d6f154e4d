// Where a value lies in the plain struct of its component or singleton, and the other way round: by
// the schema alone, so that values of entities that are gone have a place too.
#ifndef WEFT_INSIGHT_PLACE_H
#define WEFT_INSIGHT_PLACE_H

#include "../reflect/value.h"
#include "../weft_insight.h"

// The fields of a component or singleton.
typedef struct weft_place_fields {
    const weft_field *fields;
    uint32_t count;
} weft_place_fields;

weft_place_fields weft_place_owner(const weft_schema *schema, uint32_t of, bool singleton);

// The values that a path leads to: all of a component, of a field, or a single one.
typedef struct weft_place_span {
    uint16_t of;
    bool singleton;
    uint32_t first; // bytes in the plain struct
    uint32_t end;
    weft_leaf_ref leaf; // without its value; field is NULL where there are several
} weft_place_span;

// Finds the place of "needs", "needs.hunger", "stock.amount[bread]" or "worker.route.count". False:
// there is none, which is reported.
bool weft_place_find(weft_world *world, const char *path, weft_place_span *span);

// Tells whether a plain struct has a value at a place: of lists it has the items that it counts.
bool weft_place_is_there(const weft_schema *schema, weft_place_fields of,
                         const unsigned char *value, uint32_t offset);

// Finds the single value at a place that has one, and writes its path behind the owner.
weft_leaf_ref weft_place_leaf(const weft_schema *schema, weft_place_fields of, uint32_t offset,
                              char path[WEFT_WRITE_TEXT_BYTES]);

#endif
