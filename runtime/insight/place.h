// The bytes that a path names in the plain struct of its owner. Only the schema is used, so that
// values of entities that were despawned have a place too.
#ifndef WEFT_INSIGHT_PLACE_H
#define WEFT_INSIGHT_PLACE_H

#include "../value/path.h"
#include "../weft_insight.h"

// The values that a path names: a whole component, a field, or a single value.
typedef struct weft_place_span {
    weft_owner owner;
    uint32_t first; // bytes of the plain struct
    uint32_t end;
    weft_leaf_ref leaf; // without its value; field is NULL if there are several values
} weft_place_span;

// Finds the place of a path such as "needs", "needs.hunger", "stock.amount[bread]",
// "worker.route.count", or of a relation, "carried_by" or "carried_by.parent". Reports a refusal
// and returns false if the path is wrong.
bool weft_place_find(weft_world *world, const char *path, weft_place_span *span);

#endif
