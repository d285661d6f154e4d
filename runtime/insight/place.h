// The bytes that a path names in the plain struct of its owner, by the schema alone, so that values
// of entities that have ended have a place too.
#ifndef WEFT_INSIGHT_PLACE_H
#define WEFT_INSIGHT_PLACE_H

#include "../value/path.h"
#include "../weft_insight.h"

// The values that a path leads to: all of a component, of a field, or a single one.
typedef struct weft_place_span {
    weft_owner owner;
    uint32_t first; // bytes in the plain struct
    uint32_t end;
    weft_leaf_ref leaf; // without its value; field is NULL if there are several
} weft_place_span;

// Finds the place of "needs", "needs.hunger", "stock.amount[bread]", "worker.route.count", or of a
// relation, "carried_by" or "carried_by.parent". Reports a refusal and returns false if there is
// none.
bool weft_place_find(weft_world *world, const char *path, weft_place_span *span);

#endif
