// Relations: the parents of a single entity, and the links of a world.
//
// Those of a world are judged link by link, in O(log n) on average however deep the trees: a child
// is the top of all below it until it gets its parent, so a parent is below its child exactly if
// the child is at the parent's top. `above` leads there: for each id one above it in the relation
// at hand, or itself where it has no parent.
#include "links.h"

#include "../change/relation.h"
#include "ids.h"

#include <inttypes.h>

static bool refuse_link(weft_json_reader *in, uint64_t id, const char *words)
{
    weft_format f = in->text.world->plan->format;
    return WEFT_JSON_WRONG(&in->text, "\"%" PRIu32 ":%" PRIu64 "\" %s", weft_handle_index(f, id),
                           id >> f.index_bits, words);
}

static bool refuse_circle(weft_json_reader *in, uint64_t parent)
{
    return refuse_link(in, parent, "cannot be the parent: it is the child, or below it");
}

static weft_json_names relation_names(const weft_json_reader *in)
{
    const weft_schema *schema = in->text.world->plan->schema;
    return (weft_json_names){"relation", schema->relations, sizeof *schema->relations,
                             schema->relation_count};
}

// Asks what attaching would say, and takes the memory for it, so that it cannot fail later.
static bool judge_parent(weft_json_reader *in, uint32_t relation, uint64_t parent)
{
    weft_status status = weft_link_ready(in->text.world, relation, in->handle, parent);
    if (status == WEFT_NO_MEMORY) return weft_json_no_memory(in);
    if (status == WEFT_DEAD) return refuse_link(in, parent, "is nobody");
    return status == WEFT_OK || refuse_circle(in, parent);
}

// A child that has this parent already keeps its place among the children.
static void set_parent(weft_world *world, uint32_t relation, uint64_t child, uint64_t parent)
{
    if (parent == 0)
        weft_link_detach(world, relation, child);
    else if (weft_parent(world, world->plan->format, relation, child) != parent)
        weft_link_attach(world, relation, child, parent);
}

bool weft_json_parents(weft_json_reader *in)
{
    weft_json_names names = relation_names(in);
    weft_json_walk walk = {0};
    uint32_t relation;
    while (weft_json_next_record(&in->text, &walk, &names, &relation)) {
        uint64_t parent;
        if (!weft_json_handle(in, &parent)) return false;
        if (in->stage == WEFT_JSON_DO)
            set_parent(in->text.world, relation, in->handle, parent);
        else if (parent != 0 && !judge_parent(in, relation, parent))
            return false;
    }
    return in->text.status == WEFT_OK;
}

// Goes to the top, and shortens the way there for the next time.
static uint32_t top_of(uint32_t *above, uint32_t at)
{
    while (above[at] != at) {
        above[at] = above[above[at]];
        at = above[at];
    }
    return at;
}

// Reads the id at one end of a link, and once the ids are known its number among them.
static bool parse_end(weft_json_reader *in, uint64_t *id, uint32_t *number)
{
    if (!weft_json_id(in, id)) return false;
    if (in->stage == WEFT_JSON_JUDGE) return true;
    *number = weft_json_find_id(in, *id);
    return *number < in->id_count || refuse_link(in, *id, "is nobody in this text");
}

// Reads [child, parent]. `above`: NULL unless links are judged.
static bool parse_link(weft_json_reader *in, uint32_t relation, uint32_t *above)
{
    weft_json_text *t = &in->text;
    uint64_t ids[2];
    uint32_t child = 0;
    uint32_t parent = 0;
    if (!weft_json_take(t, '[') || !parse_end(in, &ids[0], &child)) return false;
    if (above && above[child] != child) return refuse_link(in, ids[0], "has a parent already");
    if (!weft_json_take(t, ',') || !parse_end(in, &ids[1], &parent)) return false;
    if (above && top_of(above, parent) == child) return refuse_circle(in, ids[1]);
    if (above) above[child] = parent;
    if (!weft_json_take(t, ']')) return false;
    if (in->stage != WEFT_JSON_DO) return true;
    const weft_json_known_id *known = weft_json_ids(in);
    return weft_link_attach(t->world, relation, known[child].handle, known[parent].handle) ==
               WEFT_OK ||
           weft_json_no_memory(in);
}

static bool parse_links(weft_json_reader *in, uint32_t relation)
{
    weft_json_walk walk = {0};
    uint32_t *above = NULL;
    if (in->stage == WEFT_JSON_LINK) above = (uint32_t *)(void *)(weft_json_ids(in) + in->id_count);
    for (uint32_t i = 0; above && i < in->id_count; i++) above[i] = i;
    while (weft_json_next_item(&in->text, &walk)) {
        if (!parse_link(in, relation, above)) return false;
    }
    return in->text.status == WEFT_OK;
}

bool weft_json_relations(weft_json_reader *in)
{
    weft_json_names names = relation_names(in);
    weft_json_walk walk = {0};
    uint32_t relation;
    weft_json_enter(&in->text, "relations", 0);
    while (weft_json_next_record(&in->text, &walk, &names, &relation)) {
        if (!parse_links(in, relation)) return false;
    }
    return in->text.status == WEFT_OK;
}
