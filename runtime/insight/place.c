// A path may end at any part of its owner.
#include "place.h"

#include "../world/report.h"

static bool find_part(weft_path *path, weft_place_span *span)
{
    if (!weft_path_follow(path) || !weft_path_ends(path)) return false;
    span->first = path->offset;
    span->end = path->offset + weft_path_bytes(path);
    bool leaf = !path->is_many && path->fields.count == 0;
    if (leaf || path->is_count) span->leaf = weft_path_leaf(path);
    return true;
}

bool weft_place_find(weft_world *world, const char *path, weft_place_span *span)
{
    const weft_schema *schema = world->plan->schema;
    const weft_names names[] = {weft_component_names(schema), weft_singleton_names(schema),
                                weft_relation_names(schema)};
    char why[WEFT_WHY_BYTES];
    size_t length = weft_name_length(path);
    *span = (weft_place_span){.end = UINT32_MAX};
    if (!weft_owner_find(schema, path, length, &span->owner)) {
        weft_name_refuse(why, names, 3, path, length);
    } else {
        weft_path rest = weft_path_begin(schema, span->owner, path + length);
        if (path[length] == '\0' || find_part(&rest, span)) return true;
        memcpy(why, rest.why, sizeof why);
    }
    weft_report(world, WEFT_NOT_FOUND, "%.64s: %s", path, why);
    return false;
}
