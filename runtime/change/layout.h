// Prefab layouts say what the rows of a prefab consist of. They are worked out once, when a world
// is opened, so that spawning walks plain lists instead of sets.
#ifndef WEFT_PREFAB_LAYOUT_H
#define WEFT_PREFAB_LAYOUT_H

#include "../world/world.h"

// The place a value comes from: the prefab's plain struct, or the defaults of the schema.
typedef struct weft_source {
    const unsigned char *defaults; // NULL for members of the prefab
    uint32_t offset; // bytes from the start of the prefab's struct, or of the defaults
} weft_source;

typedef struct weft_prefab_layout_column {
    uint32_t column;
    uint32_t size; // bytes an element
    weft_source source;
} weft_prefab_layout_column;

typedef struct weft_prefab_layout_value {
    uint32_t store;
    weft_source source;
    const void *defaults; // of the component, for spawning without values
} weft_prefab_layout_value;

typedef struct weft_prefab_layout {
    weft_prefab_layout_column *columns; // but for the handles
    weft_prefab_layout_value *values;   // of sparse components
    uint32_t *bitsets;                  // columns of tags and sparse components
    uint32_t column_count;
    uint32_t value_count;
    uint32_t bitset_count;
} weft_prefab_layout;

// Layouts of all prefabs are opened and closed with their world. False: no memory.
bool weft_prefab_layouts_open(weft_world *world);
void weft_prefab_layouts_close(weft_world *world);

// Returns the address of a value; NULL: it is a member, and none is given, since `value` is NULL.
static inline const void *weft_source_at(const weft_source *source, const void *value)
{
    const unsigned char *base = (const unsigned char *)value;
    if (source->defaults) base = source->defaults;
    return base ? base + source->offset : NULL;
}

#endif
