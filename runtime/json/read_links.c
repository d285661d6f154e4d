// Relations: the parents of a single entity, and the links of a world.
#include "read_links.h"

#include "../change/batch.h"
#include "../change/link.h"
#include "read_ids.h"

#define CIRCLE "cannot be the parent: it is the child, or below it"

// Refuses the id that was just read.
static bool refuse_id(weft_json_reader *in, const char *words)
{
    return WEFT_JSON_WRONG(in, "%.*s %s", (int)(in->at - in->value), in->text + in->value, words);
}

// Reads the parent of a single entity. Judging takes the memory for a link, so that attaching
// cannot fail later. A child that has this parent already keeps its place among the children.
static void parse_parent(weft_json_reader *in, uint32_t relation)
{
    weft_world *world = in->world;
    weft_status status = WEFT_OK;
    uint64_t child = in->handle, parent;
    uint64_t now = weft_parent(world, world->plan->format, relation, child);
    if (!weft_json_handle_read(in, &parent) || parent == now) return;
    if (in->stage == WEFT_JSON_JUDGE && parent != 0)
        status = weft_link_ready_in(world, relation, child, parent, weft_batch_table(world->batch));
    else if (in->stage != WEFT_JSON_JUDGE && parent != 0)
        weft_link_place(world, relation, child, parent);
    else if (in->stage != WEFT_JSON_JUDGE)
        weft_link_detach(world, relation, child);
    if (status == WEFT_NO_MEMORY)
        weft_json_no_memory(in);
    else if (status != WEFT_OK)
        refuse_id(in, status == WEFT_DEAD ? "is nobody" : CIRCLE);
}

// Goes to the top, and shortens the way there for the next time.
static uint32_t top_of(weft_json_id *ids, uint32_t at)
{
    while (ids[at].handle != at) at = (uint32_t)(ids[at].handle = ids[ids[at].handle].handle);
    return at;
}

// Reads one end of a link: the number of its id, once ids have numbers.
static bool parse_end(weft_json_reader *in, uint32_t *id)
{
    uint64_t key;
    if (!weft_json_id_read(in, &key)) return false;
    if (in->stage == WEFT_JSON_JUDGE) return true;
    *id = weft_json_id_find(in, key);
    return *id < in->id_count || refuse_id(in, "is nobody in this text");
}

// Reads [child, parent]. It is judged in O(log n) on average however deep the trees: a child is the
// top of all below it until it gets its parent, so a parent is below its child exactly if the child
// is at the parent's top.
static void parse_link(weft_json_reader *in, uint32_t relation)
{
    weft_json_id *ids = in->ids;
    bool judged = in->stage == WEFT_JSON_LINK;
    uint32_t child = 0;
    uint32_t parent = 0;
    if (!weft_json_take(in, '[') || !parse_end(in, &child)) return;
    if (judged && ids[child].handle != child) refuse_id(in, "has a parent already");
    if (!weft_json_take(in, ',') || !parse_end(in, &parent)) return;
    if (judged && top_of(ids, parent) == child) refuse_id(in, CIRCLE);
    if (judged) ids[child].handle = parent;
    if (weft_json_take(in, ']') && in->stage == WEFT_JSON_DO &&
        weft_link_attach(in->world, relation, ids[child].handle, ids[parent].handle) != WEFT_OK) {
        weft_json_no_memory(in);
    }
}

static void parse_links(weft_json_reader *in, uint32_t relation)
{
    weft_json_walk walk = {.kind = NULL};
    for (uint32_t i = 0; in->stage == WEFT_JSON_LINK && i < in->id_count; i++) {
        in->ids[i].handle = i;
    }
    while (weft_json_next(in, &walk)) parse_link(in, relation);
}

void weft_json_relations_read(weft_json_reader *in)
{
    const weft_schema *schema = in->world->plan->schema;
    weft_json_walk walk = WEFT_JSON_OBJECT("relation", schema->relations, schema->relation_count);
    while (weft_json_next(in, &walk)) (in->whole ? parse_links : parse_parent)(in, walk.item);
}
