// Links by name, and their values by path.
#include "../edit/links.h"
#include "../edit/linking.h"
#include "../value/check.h"
#include "../value/path.h"
#include "../weft_reflect.h"
#include "../world/report.h"
#include "../world/writer.h"
#include "path.h"
#include "typed.h"

#include <inttypes.h>
#include <string.h>

int weft_link_index(const weft_schema *schema, const char *name)
{
    WEFT_ASSERT((uintptr_t)schema, !=, (uintptr_t)0, "weft_link_index: 'schema' is NULL");
    WEFT_ASSERT((uintptr_t)name, !=, (uintptr_t)0, "weft_link_index: 'name' is NULL");
    if (!schema || !name) return -1;
    weft_names names = weft_link_names(schema);
    uint32_t i = weft_names_find(&names, name, strlen(name));
    return i == WEFT_NO_NAME ? -1 : (int)i;
}

// Finds a kind of links by name. Reports a refusal if there is none.
static weft_status find_kind(weft_world *world, const char *name, size_t length, uint32_t *link)
{
    char why[WEFT_WHY_BYTES];
    weft_names names = weft_link_names(world->plan->schema);
    *link = weft_names_find(&names, name, length);
    if (*link != WEFT_NO_NAME) return WEFT_OK;
    weft_name_refuse(why, &names, 1, name, length);
    return weft_report(world, WEFT_NOT_FOUND, "%s", why);
}

// Finds a kind of links whose values have `bytes` bytes, to show that the caller means the same
// struct.
static weft_status find_sized(weft_world *world, const char *name, size_t bytes, uint32_t *link)
{
    weft_status status = find_kind(world, name, strlen(name), link);
    if (status != WEFT_OK) return status;
    const weft_link_info *info = &world->plan->schema->links[*link];
    if (info->size == bytes) return WEFT_OK;
    return weft_report(world, WEFT_BAD_VALUE, "%s: has %" PRIu32 " bytes, not %zu", info->name,
                       info->size, bytes);
}

// Finds a link that must exist.
static weft_status find_ends(weft_world *world, uint32_t link, uint64_t from, uint64_t to,
                             weft_link_ends *ends)
{
    *ends = weft_link_ends_of(world, world->plan->format, link, from, to);
    if (ends->alive && weft_adjacent_has(&world->links[link].from, ends->from, ends->to)) {
        return WEFT_OK;
    }
    weft_status status = ends->alive ? WEFT_NOT_FOUND : WEFT_DEAD;
    weft_refuse_ends(world, status, link, from, to);
    return status;
}

// ------------------------------------------------------------------------------------------------
// Whole links

// Checks the value of a link before it is stored.
static weft_status check_link(weft_world *world, uint32_t link, const void *value)
{
    const weft_link_info *info = &world->plan->schema->links[link];
    weft_flaw flaw;
    if (weft_value_check(world->plan->schema, info->fields, info->field_count, value,
                         WEFT_ALL_LIMITS, &flaw)) {
        return WEFT_OK;
    }
    return weft_report(world, WEFT_BAD_VALUE, "%s.%s: %s", info->name, flaw.path, flaw.why);
}

weft_status weft_link_set_by_name(weft_world *world, const char *name, uint64_t from, uint64_t to,
                                  const void *value, size_t bytes)
{
    uint32_t link;
    if (!WEFT_GIVEN(world, name, "weft_link_set_by_name")) return WEFT_BAD_VALUE;
    if (weft_busy(world, "weft_link_set_by_name" WEFT_WAITS)) return WEFT_BUSY;
    weft_status status =
        value ? find_sized(world, name, bytes, &link) : find_kind(world, name, strlen(name), &link);
    if (status == WEFT_OK && value) status = check_link(world, link, value);
    if (status != WEFT_OK) return status;
    weft_writer(world, "weft_link_set_by_name", false);
    status = weft_link_change(world, link, from, to, value);
    if (status != WEFT_OK) weft_refuse_ends(world, status, link, from, to);
    weft_writer(world, NULL, false);
    return status;
}

weft_status weft_link_remove_by_name(weft_world *world, const char *name, uint64_t from,
                                     uint64_t to)
{
    uint32_t link;
    if (!WEFT_GIVEN(world, name, "weft_link_remove_by_name")) return WEFT_BAD_VALUE;
    if (weft_busy(world, "weft_link_remove_by_name" WEFT_WAITS)) return WEFT_BUSY;
    weft_status status = find_kind(world, name, strlen(name), &link);
    if (status != WEFT_OK) return status;
    weft_writer(world, "weft_link_remove_by_name", false);
    status = weft_link_end(world, link, from, to);
    if (status != WEFT_OK) weft_refuse_ends(world, status, link, from, to);
    weft_writer(world, NULL, false);
    return status;
}

bool weft_link_has_by_name(const weft_world *world, const char *name, uint64_t from, uint64_t to)
{
    weft_world *reports = (weft_world *)(uintptr_t)world;
    if (!WEFT_GIVEN(reports, name, "weft_link_has_by_name")) return false;
    int link = weft_link_index(world->plan->schema, name);
    return link >= 0 && weft_link_has(world, world->plan->format, (uint32_t)link, from, to);
}

weft_status weft_link_get_by_name(weft_world *world, const char *name, uint64_t from, uint64_t to,
                                  void *value, size_t bytes)
{
    uint32_t link;
    weft_link_ends ends;
    if (!WEFT_GIVEN(world, name, "weft_link_get_by_name")) return WEFT_BAD_VALUE;
    if (bytes != 0 && !WEFT_GIVEN(world, value, "weft_link_get_by_name")) return WEFT_BAD_VALUE;
    weft_status status = find_sized(world, name, bytes, &link);
    if (status == WEFT_OK) status = find_ends(world, link, from, to, &ends);
    if (status != WEFT_OK || bytes == 0) return status;
    memcpy(value, weft_link_value(world, link, ends.from, ends.to), bytes);
    return WEFT_OK;
}

weft_link_walk weft_link_walk_by_name(const weft_world *world, const char *name, uint64_t handle,
                                      bool from)
{
    weft_world *reports = (weft_world *)(uintptr_t)world;
    weft_link_walk none = {
        .ahead = {.world = world, .moment = weft_moment(world), .last = true},
    };
    if (!WEFT_GIVEN(reports, name, "weft_link_walk_by_name")) return none;
    int link = weft_link_index(world->plan->schema, name);
    if (link < 0) return none;
    return from ? weft_link_walk_from(world, (uint32_t)link, handle)
                : weft_link_walk_to(world, (uint32_t)link, handle);
}

// ------------------------------------------------------------------------------------------------
// Values by path

typedef struct link_leaf {
    uint32_t link;
    weft_link_ends ends;
    weft_leaf_ref leaf;
} link_leaf;

// Finds the value that a path names, which begins with the name of the kind.
static weft_status find_leaf(weft_world *world, uint64_t from, uint64_t to, const char *text,
                             weft_type type, link_leaf *found)
{
    weft_status status = find_kind(world, text, weft_name_length(text), &found->link);
    if (status == WEFT_OK) status = find_ends(world, found->link, from, to, &found->ends);
    if (status != WEFT_OK) return status;
    const weft_link_info *info = &world->plan->schema->links[found->link];
    weft_path path = {.schema = world->plan->schema,
                      .at = text + weft_name_length(text),
                      .name = info->name,
                      .fields = {info->fields, info->field_count}};
    path.value = (const unsigned char *)weft_link_value(world, found->link, found->ends.from,
                                                        found->ends.to);
    if (!weft_path_find_rest(&path, type == WEFT_TYPE_STRUCT)) {
        return weft_report(world, WEFT_NOT_FOUND, WEFT_PATH_SHOWN "%s", text, path.why);
    }
    found->leaf = weft_path_leaf(&path);
    return WEFT_OK;
}

weft_status weft_link_field_find(weft_world *world, uint64_t from, uint64_t to, const char *path,
                                 weft_leaf_ref *leaf)
{
    link_leaf found;
    if (!WEFT_GIVEN(world, path, "weft_link_field_find")) return WEFT_BAD_VALUE;
    if (!WEFT_GIVEN(world, leaf, "weft_link_field_find")) return WEFT_BAD_VALUE;
    weft_status status = find_leaf(world, from, to, path, WEFT_TYPE_U8, &found);
    if (status == WEFT_OK) *leaf = found.leaf;
    return status;
}

weft_status weft_link_field_get(weft_world *world, uint64_t from, uint64_t to, const char *path,
                                weft_type type, void *value, size_t bytes)
{
    link_leaf found;
    char why[WEFT_WHY_BYTES];
    if (!WEFT_GIVEN(world, path, "weft_link_field_get")) return WEFT_BAD_VALUE;
    if (!WEFT_GIVEN(world, value, "weft_link_field_get")) return WEFT_BAD_VALUE;
    weft_status status = find_leaf(world, from, to, path, type, &found);
    if (status != WEFT_OK) return status;
    if (weft_leaf_read_as(world->plan->schema, &found.leaf, type, value, bytes, why)) {
        return WEFT_OK;
    }
    return weft_report(world, WEFT_BAD_VALUE, WEFT_PATH_SHOWN "%s", path, why);
}

weft_status weft_link_field_set(weft_world *world, uint64_t from, uint64_t to, const char *path,
                                weft_type type, const void *value, size_t bytes)
{
    link_leaf found;
    char why[WEFT_WHY_BYTES];
    if (!WEFT_GIVEN(world, path, "weft_link_field_set")) return WEFT_BAD_VALUE;
    if (!WEFT_GIVEN(world, value, "weft_link_field_set")) return WEFT_BAD_VALUE;
    if (weft_busy(world, "weft_link_field_set" WEFT_WAITS)) return WEFT_BUSY;
    weft_status status = find_leaf(world, from, to, path, type, &found);
    if (status != WEFT_OK) return status;
    if (!weft_leaf_write_as(world->plan->schema, &found.leaf, type, value, bytes, why)) {
        const char *ends = why[0] == '.' ? "" : ": "; // the reason continues the path
        return weft_report(world, WEFT_BAD_VALUE, "%.64s%s%s", path, ends, why);
    }
    weft_link_mark(world, found.link, found.ends, false);
    return WEFT_OK;
}

weft_status weft_link_field_get_number(weft_world *world, uint64_t from, uint64_t to,
                                       const char *path, double *value)
{
    return weft_link_field_get(world, from, to, path, WEFT_AS_DOUBLE, value, sizeof *value);
}

weft_status weft_link_field_set_number(weft_world *world, uint64_t from, uint64_t to,
                                       const char *path, double value)
{
    return weft_link_field_set(world, from, to, path, WEFT_AS_DOUBLE, &value, sizeof value);
}
