#include "referring.h"

#include "../query/query.h"
#include "../value/visit.h"
#include "../world/links.h"
#include "../world/relation.h"
#include "../world/rows.h"

#include <stdlib.h>

#define BLOCK_ROWS 64u // one bit each

// ------------------------------------------------------------------------------------------------
// Groups

static bool has_handles(const weft_schema *schema, const weft_field *field)
{
    return weft_fields_have(schema, field, 1, WEFT_VISIT(WEFT_TYPE_ENTITY), false);
}

static void add_group(serve_referring *pass, uint32_t *count, serve_group group)
{
    if (pass) pass->groups[*count] = group;
    ++*count;
}

// Adds a group for each field with handles and for each relation. Without a pass, only counts them.
static uint32_t add_groups(const weft_schema *schema, serve_referring *pass)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < schema->component_count; i++) {
        const weft_component_info *info = &schema->components[i];
        for (uint32_t k = 0; k < info->field_count; k++) {
            if (!has_handles(schema, &info->fields[k])) continue;
            add_group(pass, &count, (serve_group){.kind = SERVE_BY_COMPONENT, .of = i, .field = k});
        }
    }
    for (uint32_t i = 0; i < schema->link_count; i++) {
        const weft_link_info *info = &schema->links[i];
        for (uint32_t k = 0; k < info->field_count; k++) {
            if (!has_handles(schema, &info->fields[k])) continue;
            add_group(pass, &count,
                      (serve_group){.kind = SERVE_BY_LINK_VALUE, .of = i, .field = k});
        }
    }
    for (uint32_t i = 0; i < schema->relation_count; i++) {
        add_group(pass, &count, (serve_group){.kind = SERVE_BY_RELATION, .of = i});
    }
    return count;
}

const weft_field *serve_group_field(const weft_schema *schema, const serve_group *group)
{
    if (group->kind == SERVE_BY_COMPONENT)
        return &schema->components[group->of].fields[group->field];
    return &schema->links[group->of].fields[group->field];
}

serve_referring *serve_referring_begin(const weft_world *world, uint64_t target)
{
    const weft_schema *schema = world->plan->schema;
    const weft_query *all = &world->lists.every_table;
    const uint32_t count = add_groups(schema, NULL);
    serve_referring *pass =
        (serve_referring *)calloc(1, sizeof *pass + count * sizeof *pass->groups);
    if (!pass) return NULL;
    pass->target = target;
    pass->group_count = add_groups(schema, pass);
    for (uint32_t i = 0; i < all->count; i++) pass->total += all->tables[i]->count;
    serve_walk_begin(world, &pass->walk);
    return pass;
}

// ------------------------------------------------------------------------------------------------
// Values

typedef struct finding {
    uint64_t target;
    uint64_t count; // values that refer to it
    uint64_t bits;  // values of a block that contain such a value
} finding;

static bool find_leaves(weft_visitor *v, const weft_leaves *leaves)
{
    finding *found = (finding *)v->context;
    const unsigned char *at = leaves->at;
    for (size_t i = 0; i < leaves->count; i++, at += leaves->stride) {
        if (weft_handle_read(v->schema, at) != found->target) continue;
        found->count++;
        found->bits |= (uint64_t)1 << (leaves->value + i * leaves->step);
    }
    return true;
}

// Returns the bits of up to 64 members that contain the handle, and counts the values.
static uint64_t find_in_members(const weft_world *world, serve_group *group, uint64_t target,
                                void *members, size_t stride, size_t count)
{
    const weft_schema *schema = world->plan->schema;
    finding found = {.target = target};
    weft_visitor v = {.schema = schema,
                      .leaves = find_leaves,
                      .context = &found,
                      .types = WEFT_VISIT(WEFT_TYPE_ENTITY)};
    weft_visit_members(&v, serve_group_field(schema, group), members, stride, count);
    group->count += found.count;
    return found.bits;
}

static void add_referrer(serve_group *group, uint64_t handle, uint64_t to)
{
    if (group->owners < SERVE_REFERRERS_MAX) {
        group->some[group->owners] = (serve_referrer){.handle = handle, .to = to};
    }
    group->owners++;
}

// ------------------------------------------------------------------------------------------------
// Rows

// Some rows of the current table.
typedef struct row_block {
    const weft_world *world;
    const weft_table *table;
    uint32_t first;
    uint32_t count;
} row_block;

static uint64_t handle_in(const row_block *b, uint32_t i)
{
    return weft_handle_load(b->world->plan->format, weft_column(b->table, 0), b->first + i);
}

static uint64_t find_in_table(const row_block *b, serve_group *group, uint64_t target)
{
    const weft_plan *plan = b->world->plan;
    const bool soa = plan->schema->components[group->of].soa;
    const uint32_t column = plan->components[group->of].first_column + (soa ? group->field : 0u);
    if (!weft_column(b->table, column)) return 0;
    void *members = weft_row_member(plan, b->table, b->first, group->of, group->field);
    return find_in_members(b->world, group, target, members, plan->columns[column].size, b->count);
}

static uint64_t find_in_sparse(const row_block *b, serve_group *group, uint64_t target)
{
    const weft_plan *plan = b->world->plan;
    const weft_sparse *store = &b->world->sparse[plan->components[group->of].sparse];
    const size_t offset = plan->schema->components[group->of].fields[group->field].offset;
    uint64_t bits = 0;
    if (weft_sparse_count(store) == 0) return 0;
    for (uint32_t i = 0; i < b->count; i++) {
        const uint32_t index = weft_handle_index(plan->format, handle_in(b, i));
        unsigned char *value = (unsigned char *)weft_sparse_find(store, index);
        if (!value) continue;
        bits |= find_in_members(b->world, group, target, value + offset, 0, 1) << i;
    }
    return bits;
}

static uint64_t find_children(const row_block *b, serve_group *group, uint64_t target)
{
    uint64_t bits = 0;
    if (b->world->relations[group->of].attached == 0) return 0;
    for (uint32_t i = 0; i < b->count; i++) {
        const uint64_t parent =
            weft_parent(b->world, b->world->plan->format, group->of, handle_in(b, i));
        bits |= (uint64_t)(parent == target) << i;
    }
    group->count += weft_bits_count(&bits, 1);
    return bits;
}

// Finds values of the links from one entity. A symmetric link is only read from its lower end.
// Returns the number of links.
static uint32_t find_in_links(const weft_world *world, serve_group *group, uint64_t target,
                              uint64_t from)
{
    const weft_format f = world->plan->format;
    const weft_link_info *info = &world->plan->schema->links[group->of];
    const size_t offset = info->fields[group->field].offset;
    uint32_t links = 0;
    weft_link_walk walk = weft_link_walk_from(world, group->of, from);
    for (; weft_link_walk_next(&walk, f); links++) {
        const uint64_t to = walk.other;
        if (info->symmetric && weft_handle_index(f, to) < weft_handle_index(f, from)) continue;
        // The visitor takes values that it could change, but this visit only reads them.
        unsigned char *value =
            (unsigned char *)(uintptr_t)weft_link_get(world, f, group->of, info->size, from, to);
        if (value && find_in_members(world, group, target, value + offset, 0, 1) != 0) {
            add_referrer(group, from, to);
        }
    }
    return links;
}

// Reads the rows of a block for one group. Returns the number of links that it read.
static uint32_t find_in_block(const row_block *b, serve_group *group, uint64_t target)
{
    uint64_t bits = 0;
    uint32_t links = 0;
    if (group->kind == SERVE_BY_LINK_VALUE) {
        if (weft_link_count(b->world, group->of) == 0) return 0;
        for (uint32_t i = 0; i < b->count; i++) {
            links += find_in_links(b->world, group, target, handle_in(b, i));
        }
        return links;
    }
    if (group->kind == SERVE_BY_RELATION)
        bits = find_children(b, group, target);
    else if (b->world->plan->schema->components[group->of].storage == WEFT_STORAGE_SPARSE)
        bits = find_in_sparse(b, group, target);
    else
        bits = find_in_table(b, group, target);
    while (bits != 0) add_referrer(group, handle_in(b, weft_bits_pop(&bits)), 0);
    return 0;
}

uint32_t serve_referring_run(const weft_world *world, serve_referring *pass, uint32_t most)
{
    uint32_t done = 0;
    bool begins;
    while (done < most && serve_walk_table(world, &pass->walk, &begins)) {
        serve_walk *walk = &pass->walk;
        if (walk->row >= walk->table->count) {
            serve_walk_next(walk);
            done++;
            continue;
        }
        const uint32_t left = walk->table->count - walk->row;
        const row_block b = {.world = world,
                             .table = walk->table,
                             .first = walk->row,
                             .count = left < BLOCK_ROWS ? left : BLOCK_ROWS};
        for (uint32_t i = 0; i < pass->group_count; i++) {
            done += find_in_block(&b, &pass->groups[i], pass->target);
        }
        walk->row += b.count;
        pass->looked_at += b.count;
        done += b.count;
    }
    return done;
}
