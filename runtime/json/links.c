// Each link of a text is an entry of `in->links`: its stored ends, and where it is in the text.
#include "links.h"

#include "../edit/batch.h"
#include "../edit/linking.h"
#include "../edit/reaction.h"
#include "../world/report.h"
#include "../world/rows.h"

#include <string.h>

#define LINK_IS_NEW ((uint64_t)1 << 63) // in the value of an entry, above the number of the kind

// A link in the text.
typedef struct json_link {
    uint32_t kind;
    bool given[2];     // from, to
    uint64_t end[2];   // handles in the world, if the stage knows them
    uint32_t place[2]; // LINK, of a world: the positions of the ids
    size_t start;      // of the link in the text
    size_t value;      // of its value in the text; 0: none
} json_link;

enum { LINK_FROM, LINK_TO, LINK_VALUE, LINK_PARTS };
static const char *const link_parts[LINK_PARTS] = {"from", "to", "value"};

// ------------------------------------------------------------------------------------------------
// The form of a link

// Reads one end. Its entity must exist as soon as that can be known.
static void parse_link_end(weft_json_reader *in, json_link *link, uint32_t end)
{
    uint64_t id;
    if (!weft_json_id(in, &id)) return;
    link->given[end] = true;
    link->end[end] = id;
    if (in->stage == WEFT_JSON_JUDGE) return;
    if (!in->whole) {
        if (!weft_alive(&in->world->entities, in->world->plan->format, id)) {
            weft_json_refuse_id(in, "is not alive");
        }
        return;
    }
    link->place[end] = weft_json_find_id(in, id);
    if (link->place[end] == in->id_count) {
        weft_json_refuse_id(in, "is not an entity in this text");
    } else {
        link->end[end] = in->ids[link->place[end]].value;
    }
}

// Reads the value over the values of the schema, to check it.
static void judge_link_value(weft_json_reader *in, uint32_t kind)
{
    const weft_link_info *info = &in->world->plan->schema->links[kind];
    weft_json_peek(in);
    if (info->size == 0) {
        WEFT_JSON_WRONG(in, "link '%s' has no fields, so leave 'value' out", info->name);
        return;
    }
    memcpy(in->values, info->defaults, info->size);
    weft_json_fields(in, info->name, info->fields, info->field_count, in->values);
}

// Refuses a link without both ends, or with both in the text of one of them.
static bool check_given(weft_json_reader *in, const json_link *link)
{
    bool from = link->given[LINK_FROM], to = link->given[LINK_TO];
    if (in->status != WEFT_OK) return false;
    in->value = link->start;
    if (in->whole) {
        return (from && to) || WEFT_JSON_WRONG(in, "a link lacks its '%s'", from ? "to" : "from");
    }
    return from != to || WEFT_JSON_WRONG(in, from ? "a link of an entity names only its other end: "
                                                    "leave 'from' or 'to' out"
                                                  : "a link lacks its other end, 'from' or 'to'");
}

// Reads a link. Its value is checked in the first stage, and skipped in the others.
static bool parse_link_parts(weft_json_reader *in, json_link *link)
{
    weft_json_walk walk = {.names = WEFT_NAMES("part", NULL, link_parts, LINK_PARTS)};
    weft_json_peek(in);
    link->start = in->at;
    while (weft_json_next(in, &walk)) {
        if (walk.item != LINK_VALUE) {
            parse_link_end(in, link, walk.item);
            continue;
        }
        link->value = in->at;
        if (in->stage == WEFT_JSON_JUDGE) {
            judge_link_value(in, link->kind);
        } else {
            weft_json_skip(in);
        }
    }
    if (!check_given(in, link)) return false;
    if (!in->whole) link->end[link->given[LINK_FROM] ? LINK_TO : LINK_FROM] = in->handle;
    return true;
}

// ------------------------------------------------------------------------------------------------
// Checks of a kind, once all entities are known

static weft_link_ends json_link_ends(const weft_json_reader *in, uint32_t kind, uint64_t from,
                                     uint64_t to)
{
    return weft_link_ends_of(in->world, in->world->plan->format, kind, from, to);
}

// Notes the ends of a link: the positions of its ids, or the indices of living entities.
static void note_link(weft_json_reader *in, const json_link *link)
{
    weft_link_ends ends = {link->place[LINK_FROM], link->place[LINK_TO], true};
    if (in->whole) {
        ends = weft_link_ends_stored(&in->world->links[link->kind], ends);
    } else {
        ends = json_link_ends(in, link->kind, link->end[LINK_FROM], link->end[LINK_TO]);
    }
    if (!weft_array_grow(&in->world->heap, &in->links, &in->link_capacity, in->link_count + 1,
                         sizeof *in->links)) {
        weft_json_needs(in, false);
        return;
    }
    in->links[in->link_count++] =
        (weft_keyed){(uint64_t)ends.from << 32 | ends.to, (uint64_t)link->start};
}

// Refuses a link that occurs twice, at its second place.
static void check_twice(weft_json_reader *in, uint32_t kind, uint32_t first)
{
    weft_keyed *links = in->links;
    if (in->status != WEFT_OK || in->link_count == first) return;
    weft_keyed_sort(links + first, in->link_count - first, 64);
    for (uint32_t i = first + 1; i < in->link_count; i++) {
        if (links[i].key != links[i - 1].key) continue;
        size_t one = (size_t)links[i].value, other = (size_t)links[i - 1].value;
        in->value = one > other ? one : other;
        WEFT_JSON_WRONG(in, "the link occurs twice%s",
                        in->world->links[kind].symmetric ? "; it leads in both directions" : "");
        return;
    }
}

// ------------------------------------------------------------------------------------------------
// Links of a single entity

static weft_link_ends noted_ends(const weft_keyed *link)
{
    return (weft_link_ends){(uint32_t)(link->key >> 32), (uint32_t)link->key, true};
}

// Makes space for the bits of an end, also in the table that the entity is about to be in.
static bool link_bits_ready(weft_json_reader *in, uint32_t kind, uint32_t index)
{
    weft_world *world = in->world;
    const weft_plan *plan = world->plan;
    const uint16_t tags[2] = {plan->links[kind].from_tag, plan->links[kind].to_tag};
    bool own = index == weft_handle_index(plan->format, in->handle);
    for (uint32_t i = 0; i < 2; i++) {
        if (tags[i] == WEFT_NONE) continue;
        if (!weft_hidden_tag_ready(world, index + 1, tags[i])) return false;
        weft_table *table = own ? weft_batch_table(world->scratch.batch) : NULL;
        uint32_t column = weft_bitset_column(plan, &plan->components[tags[i]]);
        if (own && (!table || !weft_bitset_open(&world->heap, plan, table, column))) return false;
    }
    return true;
}

// Adds the noted links that do not exist yet, without any consequence.
static void add_noted(weft_json_reader *in, uint32_t kind, uint32_t first)
{
    weft_world *world = in->world;
    for (uint32_t i = first; in->status == WEFT_OK && i < in->link_count; i++) {
        weft_link_ends ends = noted_ends(&in->links[i]);
        in->links[i].value = kind;
        if (weft_adjacent_has(&world->links[kind].from, ends.from, ends.to)) continue;
        if (link_bits_ready(in, kind, ends.from) && link_bits_ready(in, kind, ends.to) &&
            weft_link_room(world, kind, ends)) {
            weft_link_add_alone(world, kind, ends, world->plan->links[kind].defaults);
            in->links[i].value |= LINK_IS_NEW;
        } else {
            weft_json_needs(in, false);
        }
    }
}

void weft_json_links_end(weft_json_reader *in)
{
    bool done = in->status == WEFT_OK;
    bool changed = false;
    for (uint32_t i = 0; !in->whole && i < in->link_count; i++) {
        if ((in->links[i].value & LINK_IS_NEW) == 0) continue;
        uint32_t kind = (uint32_t)in->links[i].value;
        weft_link_ends ends = noted_ends(&in->links[i]);
        if (!changed) weft_world_changed_in_place(in->world);
        changed = true;
        if (done) {
            weft_link_added(in->world, kind, ends);
            weft_link_tell_added(in->world, kind, ends);
        } else {
            weft_link_remove_alone(in->world, kind, ends);
        }
    }
}

// ------------------------------------------------------------------------------------------------
// All links

// Reads the value of a link again, over its current value. It was checked, so it is not refused.
static void write_link_value(weft_json_reader *in, const json_link *link, const void *now)
{
    const weft_link_info *info = &in->world->plan->schema->links[link->kind];
    size_t end = in->at;
    memcpy(in->values, now, info->size);
    in->at = link->value;
    weft_json_fields(in, info->name, info->fields, info->field_count, in->values);
    in->at = end;
}

static void do_link(weft_json_reader *in, const json_link *link)
{
    weft_world *world = in->world;
    const weft_link_plan *plan = &world->plan->links[link->kind];
    uint64_t from = link->end[LINK_FROM], to = link->end[LINK_TO];
    if (in->whole) {
        if (link->value != 0) write_link_value(in, link, plan->defaults);
        const void *value = link->value != 0 ? in->values : plan->defaults;
        weft_json_needs(in, weft_link_change(world, link->kind, from, to, value) == WEFT_OK);
        return;
    }
    if (link->value == 0) return;
    weft_link_ends ends = json_link_ends(in, link->kind, from, to);
    void *value = weft_link_value(world, link->kind, ends.from, ends.to);
    write_link_value(in, link, value);
    memcpy(value, in->values, plan->size);
    weft_link_mark(world, link->kind, ends, false);
}

static void parse_kind(weft_json_reader *in, uint32_t kind)
{
    weft_json_walk walk = {.count = 0};
    if (in->whole) in->link_count = 0;
    const uint32_t first = in->link_count;
    while (weft_json_next(in, &walk)) {
        json_link link = {.kind = kind};
        if (!parse_link_parts(in, &link)) continue;
        if (in->stage == WEFT_JSON_LINK) note_link(in, &link);
        if (in->stage == WEFT_JSON_DO) do_link(in, &link);
    }
    if (in->stage != WEFT_JSON_LINK) return;
    check_twice(in, kind, first);
    if (!in->whole) add_noted(in, kind, first);
}

void weft_json_links(weft_json_reader *in)
{
    weft_json_walk walk = {.names = weft_link_names(in->world->plan->schema)};
    while (weft_json_next(in, &walk)) parse_kind(in, walk.item);
}
