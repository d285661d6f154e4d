// Parents of an entity, and the relations of a world.
//
// Those of a world are judged link by link as they stand in the text: a child is the top of what is
// below it until it gets its parent, so that a parent is below its child exactly if the child is at
// the parent's top. `above` leads there: for each of the people somebody above it in the relation
// at hand; itself: it has no parent.
#include "../change/relation.h"
#include "reader.h"

#include <inttypes.h>

static const char BELOW[] = "cannot be the parent: it is the child, or below it";

static bool no_link(weft_json_reader *in, uint64_t handle, const char *words)
{
    weft_format f = in->world->plan->format;
    return weft_json_refuse(&in->text, WEFT_BAD_VALUE, "\"%" PRIu32 ":%" PRIu64 "\" %s",
                            weft_handle_index(f, handle), handle >> f.index_bits, words);
}

static weft_json_members by_relation(const weft_json_reader *in)
{
    const weft_schema *schema = in->world->plan->schema;
    return (weft_json_members){.kind = "relation",
                               .records = schema->relations,
                               .record_bytes = sizeof *schema->relations,
                               .count = schema->relation_count,
                               .seen = in->names};
}

// ------------------------------------------------------------------------------------------------
// Of a single entity

// What attaching says is heeded before anything is done; then it cannot fail.
static bool judge_parent(weft_json_reader *in, uint32_t relation, uint64_t parent)
{
    switch (weft_link_ready(in->world, relation, in->handle, parent)) {
    case WEFT_OK:
        return true;
    case WEFT_DEAD:
        return no_link(in, parent, "is nobody");
    case WEFT_NO_MEMORY:
        return weft_json_no_memory(in);
    default:
        return no_link(in, parent, BELOW);
    }
}

// One that has this parent keeps its place among the children.
static void put_parent(weft_world *world, uint32_t relation, uint64_t child, uint64_t parent)
{
    if (parent == 0)
        weft_link_detach(world, relation, child);
    else if (weft_parent(world, world->plan->format, relation, child) != parent)
        weft_link_attach(world, relation, child, parent);
}

static bool take_parent(weft_json_reader *in, uint32_t relation)
{
    uint64_t parent = 0;
    if (!weft_json_null(&in->text) && !weft_json_id(&in->text, &parent)) return false;
    if (in->stage == WEFT_JSON_JUDGE) return parent == 0 || judge_parent(in, relation, parent);
    put_parent(in->world, relation, in->handle, parent);
    return true;
}

bool weft_json_take_parents(weft_json_reader *in)
{
    weft_json_members members = by_relation(in);
    uint32_t relation;
    while (weft_json_next_member(&in->text, &members, &relation)) {
        if (!take_parent(in, relation)) return false;
    }
    return in->text.status == WEFT_OK;
}

// ------------------------------------------------------------------------------------------------
// Of a world

static uint32_t *above_of(const weft_json_reader *in)
{
    return (uint32_t *)(void *)in->above.base;
}

// Who is at the top of those that it is below, and a shorter way there for the next time.
static uint32_t top_of(uint32_t *above, uint32_t at)
{
    while (above[at] != at) {
        above[at] = above[above[at]];
        at = above[at];
    }
    return at;
}

static bool take_end(weft_json_reader *in, uint64_t *id, uint32_t *who)
{
    if (!weft_json_id(&in->text, id)) return false;
    if (in->stage != WEFT_JSON_LINKS) return true;
    *who = weft_json_person(in, *id);
    return *who < in->people_count || no_link(in, *id, "is nobody in this text");
}

static bool take_ends(weft_json_reader *in, uint64_t *child, uint64_t *parent)
{
    uint32_t *above = above_of(in);
    bool judges = in->stage == WEFT_JSON_LINKS;
    uint32_t below = 0;
    uint32_t over = 0;
    if (!take_end(in, child, &below)) return false;
    if (judges && above[below] != below) return no_link(in, *child, "has a parent already");
    if (!weft_json_take(&in->text, ',', "','") || !take_end(in, parent, &over)) return false;
    if (!judges) return true;
    if (top_of(above, over) == below) return no_link(in, *parent, BELOW);
    above[below] = over;
    return true;
}

static bool take_link(weft_json_reader *in, uint32_t relation)
{
    uint64_t child;
    uint64_t parent;
    if (!weft_json_take(&in->text, '[', "'['") || !take_ends(in, &child, &parent) ||
        !weft_json_take(&in->text, ']', "']'")) {
        return false;
    }
    return in->stage != WEFT_JSON_ATTACH ||
           weft_link_attach(in->world, relation, weft_json_handle_here(in, child),
                            weft_json_handle_here(in, parent)) == WEFT_OK ||
           weft_json_no_memory(in);
}

static bool take_links(weft_json_reader *in, uint32_t relation)
{
    weft_json_text *t = &in->text;
    bool judges = in->stage == WEFT_JSON_LINKS;
    uint32_t count = 0;
    for (uint32_t i = 0; judges && i < in->people_count; i++) above_of(in)[i] = i;
    if (!weft_json_take(t, '[', "'['")) return false;
    for (; weft_json_more(t, ']', count == 0); count++) {
        size_t path = weft_json_enter_item(t, count);
        if (!take_link(in, relation)) return false;
        weft_json_leave(t, path);
    }
    return t->status == WEFT_OK;
}

bool weft_json_take_relations(weft_json_reader *in)
{
    if (in->stage == WEFT_JSON_JUDGE) in->links = in->text;
    size_t path = weft_json_enter(&in->text, "relations");
    weft_json_members members = by_relation(in);
    uint32_t relation;
    while (weft_json_next_member(&in->text, &members, &relation)) {
        if (!take_links(in, relation)) return false;
    }
    weft_json_leave(&in->text, path);
    return in->text.status == WEFT_OK;
}

static bool follow_links(weft_json_reader *in, weft_json_stage stage)
{
    in->stage = stage;
    if (!in->links.text) return true;
    in->text = in->links;
    return weft_json_take_relations(in);
}

bool weft_json_judge_links(weft_json_reader *in)
{
    size_t bytes = in->people_count * sizeof(uint32_t);
    bool room = !in->links.text || bytes == 0 ||
                weft_region_grow(&in->world->heap, &in->above, bytes, bytes);
    return room ? follow_links(in, WEFT_JSON_LINKS) : weft_json_no_memory(in);
}

bool weft_json_attach_links(weft_json_reader *in)
{
    return follow_links(in, WEFT_JSON_ATTACH);
}
