// Clones. The list of members is its own queue: the entities below each of them are appended, until none is left. Parents therefore come before their children.
#include "clone.h"

#include "../record/places.h"
#include "../world/relation.h"
#include "../world/report.h"
#include "copy.h"
#include "copying.h"

#include <string.h>

// The entities that belong to a clone.
typedef struct clone_set {
    weft_copying copying;
    const uint64_t *below; // relations, see weft_clone_options
    uint64_t *met; // a bit for each index that is in the set; NULL: no entity can be met twice
    size_t met_bytes;
} clone_set;

static bool is_below_copied(const clone_set *set, uint32_t relation)
{
    return set->below && weft_set_has(set->below, relation) &&
           set->copying.from->relations[relation].attached != 0;
}

// Adds an index, unless it was added before.
static inline bool add_to_clone(clone_set *set, uint32_t index)
{
    const weft_world *world = set->copying.from;
    weft_format f = set->copying.members.format;
    if (set->met) {
        if (weft_set_has(set->met, index)) return true;
        weft_set_add(set->met, index);
    }
    weft_wide_record record = weft_record_at(&world->entities, f, index);
    return weft_members_add(set->copying.to, &set->copying.members,
                            weft_handle(f, index, record.generation),
                            (weft_place){record.table, record.row});
}

// An entity can be met twice only if trees of several relations are copied.
static bool open_met(clone_set *set)
{
    const weft_world *world = set->copying.from;
    uint32_t relations = 0;
    for (uint32_t r = 0; r < world->plan->schema->relation_count; r++) {
        relations += is_below_copied(set, r);
    }
    if (relations < 2) return true;
    set->met_bytes = weft_bits_words(world->entities.index_count) * sizeof(uint64_t);
    set->met = (uint64_t *)weft_allocate_zeroed(&set->copying.to->heap, set->met_bytes);
    return set->met != NULL;
}

static bool add_children(clone_set *set, uint32_t relation, uint32_t index)
{
    const weft_relation *r = &set->copying.from->relations[relation];
    uint32_t child = index < r->capacity ? weft_nodes(r)[index].first_child : 0;
    for (; child != 0; child = weft_node_at(r, child)->next) {
        if (!add_to_clone(set, child - 1)) return false;
    }
    return true;
}

// Lists an entity and everything below it. Returns false if there is no memory.
static bool find_clone_set(clone_set *set, uint64_t handle)
{
    const weft_members *members = &set->copying.members;
    uint32_t relations = set->copying.from->plan->schema->relation_count;
    if (!open_met(set) || !add_to_clone(set, weft_member_index(members, handle))) return false;
    for (uint32_t i = 0; i < members->count; i++) {
        uint32_t index = weft_member_index(members, members->items[i].from);
        for (uint32_t r = 0; r < relations; r++) {
            if (is_below_copied(set, r) && !add_children(set, r, index)) return false;
        }
    }
    return true;
}

// Copies the set of a clone. Returns a status without reporting it.
static weft_status clone_set_of(weft_world *to, const weft_world *from, uint64_t handle,
                                const uint64_t *below, const weft_copy_options *options)
{
    weft_place at;
    clone_set set = {.copying = weft_copying_of(to, from, options), .below = below};
    if (!weft_find(&from->entities, from->plan->format, handle, &at)) return WEFT_DEAD;
    weft_status status = WEFT_NO_MEMORY;
    if (find_clone_set(&set, handle)) status = weft_copy_members(&set.copying);
    weft_free(&to->heap, set.met, set.met_bytes);
    return status;
}

static bool clone_is_refused(weft_world *to, weft_world *from)
{
    return weft_busy(to, "clone" WEFT_RECORDED) ||
           (from != to && weft_busy_to_look(from, "clone_into" WEFT_WAITS));
}

uint64_t weft_clone(weft_world *to, weft_world *from, uint64_t handle,
                    const weft_clone_options *options)
{
    weft_format f = to->plan->format;
    weft_map map = {0};
    uint64_t first = 0;
    weft_copy_options copying = {
        .reason = WEFT_BY_CLONE,
        .parents = to == from,
        .outside = to == from ? WEFT_OUTSIDE_DECLARED : WEFT_OUTSIDE_NONE,
        .first = &first,
        .map = options->map ? &map : NULL,
    };
    if (clone_is_refused(to, from)) return 0;
    weft_status status = clone_set_of(to, from, handle, options->below, &copying);
    if (status == WEFT_DEAD) weft_refuse(to, weft_refusal_of(status, WEFT_NONE, handle));
    if (status == WEFT_FULL || status == WEFT_NO_MEMORY) {
        weft_refuse_space(to, weft_refusal_of(status, WEFT_NONE, 0));
    }
    if (status != WEFT_OK || !options->map) return first;
    weft_map_close(f, options->map);
    *options->map = map;
    return first;
}

// ------------------------------------------------------------------------------------------------
// Commands. The value is the original, then the words of `below`.

uint64_t weft_command_clone(weft_commands *commands, uint64_t handle,
                            const weft_clone_options *options)
{
    if (!commands->world) return 0;
    size_t words =
        weft_bits_words(commands->world->plan->schema->relation_count) * sizeof(uint64_t);
    WEFT_ASSERT(options->map == NULL, ==, true, "a recorded clone fills no map");
    weft_command *c =
        weft_command_promised(commands, WEFT_COMMAND_CLONE, WEFT_NONE, sizeof handle + words);
    if (!c) return 0;
    memcpy(weft_command_value(c), &handle, sizeof handle);
    memset(weft_command_value(c) + sizeof handle, 0, words);
    if (options->below) memcpy(weft_command_value(c) + sizeof handle, options->below, words);
    return c->handle;
}

weft_status weft_clone_apply(weft_world *world, weft_command *c)
{
    // Values of commands are aligned to 8 bytes.
    const uint64_t *value = (const uint64_t *)(const void *)weft_command_value(c);
    const weft_copy_options copying = {
        .reason = WEFT_BY_CLONE,
        .parents = true,
        .promised = c->handle,
    };
    return clone_set_of(world, world, value[0], value + 1, &copying);
}
