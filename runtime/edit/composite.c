// Spawns composite prefabs: see composite.h.
#include "composite.h"

#include "../world/relation.h"
#include "../world/report.h"
#include "member.h"
#include "nodes.h"

#include <string.h>

// The rows of one part in all trees that are being spawned.
typedef struct part_rows {
    weft_table *table;
    uint32_t first;
    uint32_t step; // from the row of one tree to that of the next
} part_rows;

// Trees that are being spawned. The arrays are scratch memory of the world.
typedef struct planting {
    weft_world *world;
    const weft_tree *tree;
    uint32_t count;       // of trees
    uint64_t root;        // the handle of the root, or 0
    part_rows *rows;      // by part
    uint64_t *handles;    // by part, of one tree
    unsigned char *kept;  // the value of a keeper
    unsigned char *value; // a copy of the value, whose refs are those of one tree
} planting;

// ------------------------------------------------------------------------------------------------
// Scratch memory:  rows | handles | value of a keeper | value of the prefab

static size_t scratch_of(const weft_prefab_plan *prefab)
{
    size_t parts = prefab->tree->part_count;
    size_t most = 0;
    for (uint32_t k = 0; k < prefab->tree->keeper_count; k++) {
        size_t kept = prefab->tree->keepers[k].count;
        if (kept > most) most = kept;
    }
    size_t handles = (parts + most) * sizeof(uint64_t);
    return weft_round_up(parts * sizeof(part_rows) + handles, 16) + prefab->size;
}

size_t weft_trees_scratch(const weft_plan *plan)
{
    size_t most = 0;
    for (uint32_t i = 0; i < plan->prefab_count; i++) {
        size_t bytes = plan->prefabs[i].tree ? scratch_of(&plan->prefabs[i]) : 0;
        if (bytes > most) most = bytes;
    }
    return most;
}

static planting planting_of(weft_world *world, uint32_t prefab, uint64_t n, uint64_t root)
{
    const weft_prefab_plan *p = &world->plan->prefabs[prefab];
    size_t parts = p->tree->part_count;
    unsigned char *scratch = world->scratch.trees;
    planting t = {.world = world, .tree = p->tree, .count = (uint32_t)n, .root = root};
    t.rows = (part_rows *)(void *)scratch;
    t.handles = (uint64_t *)(void *)(t.rows + parts);
    t.kept = (unsigned char *)(t.handles + parts);
    t.value = scratch + (scratch_of(p) - p->size);
    return t;
}

// ------------------------------------------------------------------------------------------------
// Space

static weft_table *part_table(const weft_world *world, const weft_tree *tree, uint32_t part)
{
    return world->shared.prefab_tables[tree->parts[part].prefab];
}

// Makes space for the rows of n more trees, and for what these rows need outside of columns. Stores
// get pages for `indices` indices from `first`.
static bool tree_rows_ready(weft_world *world, const weft_tree *tree, uint32_t n, uint32_t first,
                            uint32_t indices)
{
    for (uint32_t i = 0; i < tree->part_count; i++) {
        weft_table *table = part_table(world, tree, i);
        uint32_t rows = table->count + n * tree->parts[i].rows;
        if (!weft_world_table_ready(world, table, rows)) return false;
    }
    for (uint32_t i = 0; i < tree->need_count; i++) {
        const weft_tree_need *need = &tree->needs[i];
        if (!weft_component_ready(world, part_table(world, tree, need->part), need->component,
                                  n * need->count, first, indices)) {
            return false;
        }
    }
    return true;
}

// Makes pages for an index in the stores of a tree.
static bool tree_pages_ready(weft_world *world, const weft_tree *tree, uint32_t index)
{
    for (uint32_t i = 0; i < tree->need_count; i++) {
        uint16_t store = world->plan->components[tree->needs[i].component].sparse;
        if (store != WEFT_NONE &&
            !weft_sparse_pages(&world->heap, &world->sparse[store], index, 1)) {
            return false;
        }
    }
    return true;
}

// Makes space for the links of all indices up to `highest`.
static bool tree_links_ready(weft_world *world, const weft_tree *tree, uint32_t highest)
{
    for (uint32_t i = 1; i < tree->part_count; i++) {
        weft_relation *relation = &world->relations[tree->parts[i].relation];
        if (!weft_nodes_ready(world, relation, highest)) return false;
    }
    return true;
}

// Makes space for the next `reused` indices of the free list. Raises *highest to the highest.
static bool reused_ready(weft_world *world, const weft_tree *tree, uint32_t reused,
                         uint32_t *highest)
{
    const weft_entities *entities = &world->entities;
    uint32_t index = entities->free_head;
    for (uint32_t i = 0; i < reused; i++) {
        if (!tree_pages_ready(world, tree, index)) return false;
        if (index > *highest) *highest = index;
        weft_free_record(entities, world->plan->format, index, &index);
    }
    return true;
}

// Takes all memory for the trees.
static weft_status trees_ready(const planting *t)
{
    weft_world *world = t->world;
    const weft_tree *tree = t->tree;
    const weft_entities *entities = &world->entities;
    uint64_t n = (uint64_t)t->count * tree->part_count - (t->root != 0);
    uint32_t end;
    weft_status status = weft_records_ready(world, n, &end);
    if (status != WEFT_OK) return status;
    uint32_t fresh = end - entities->index_count;
    uint32_t root = weft_handle_index(world->plan->format, t->root);
    uint32_t highest = fresh != 0 ? end - 1 : 0;
    if (t->root != 0 && root > highest) highest = root;
    bool ready = tree_rows_ready(world, tree, t->count, entities->index_count, fresh) &&
                 (t->root == 0 || tree_pages_ready(world, tree, root)) &&
                 reused_ready(world, tree, (uint32_t)n - fresh, &highest) &&
                 tree_links_ready(world, tree, highest);
    return ready ? WEFT_OK : WEFT_NO_MEMORY;
}

// Returns how many entities n trees have, or UINT64_MAX if there are more than that.
static uint64_t entities_of(const weft_tree *tree, uint64_t n)
{
    return n > UINT64_MAX / tree->part_count ? UINT64_MAX : n * tree->part_count;
}

weft_status weft_trees_reserve(weft_world *world, uint32_t prefab, size_t n)
{
    const weft_tree *tree = world->plan->prefabs[prefab].tree;
    uint32_t indices = 0;
    if (weft_busy(world, "reserve" WEFT_WAITS)) return WEFT_BUSY;
    weft_status status = weft_records_ready(world, entities_of(tree, n), &indices);
    // Any index may become a part: see weft_prefab_reserve.
    if (status == WEFT_OK && indices != 0 &&
        !(tree_rows_ready(world, tree, (uint32_t)n, 0, indices) &&
          tree_links_ready(world, tree, indices - 1))) {
        status = WEFT_NO_MEMORY;
    }
    weft_world_changed(world); // columns may have moved
    if (status != WEFT_OK) weft_refuse(world, weft_refusal_of(status, WEFT_NONE, 0));
    return status;
}

// ------------------------------------------------------------------------------------------------
// Writing

static uint64_t handle_take(weft_entities *entities, weft_format f)
{
    uint32_t index;
    uint32_t generation;
    weft_index_take(entities, f, &index, &generation);
    return weft_handle(f, index, generation);
}

// Writes the handles of a tree into the fields that name parts. Returns the value with them: the
// copy, or `value` itself if there are none.
static const unsigned char *refs_write(const planting *t, const void *value)
{
    const weft_tree *tree = t->tree;
    if (tree->ref_count == 0) return (const unsigned char *)value;
    for (uint32_t i = 0; i < tree->ref_count; i++) {
        const weft_tree_ref *ref = &tree->refs[i];
        weft_handle_store(t->world->plan->format, t->value + ref->offset, 0,
                          t->handles[ref->target]);
    }
    return t->value;
}

static uint32_t part_row(const planting *t, uint32_t part, uint32_t n)
{
    return t->rows[part].first + n * t->rows[part].step;
}

// Attaches the parts of tree n, and writes its keepers.
static void tree_join(const planting *t, uint32_t n)
{
    weft_world *world = t->world;
    const weft_tree *tree = t->tree;
    for (uint32_t i = 1; i < tree->part_count; i++) {
        const weft_tree_part *part = &tree->parts[i];
        uint32_t child = weft_handle_index(world->plan->format, t->handles[i]) + 1;
        uint32_t above = weft_handle_index(world->plan->format, t->handles[part->above]) + 1;
        weft_node_place_new(world, part->relation, child, above);
    }
    for (uint32_t k = 0; k < tree->keeper_count; k++) {
        const weft_tree_keeper *keeper = &tree->keepers[k];
        for (uint32_t i = 0; i < keeper->count; i++) {
            uint64_t handle = keeper->parts[i] == WEFT_NONE ? 0 : t->handles[keeper->parts[i]];
            weft_handle_store(world->plan->format, t->kept, i, handle);
        }
        weft_component_write(world, t->rows[keeper->part].table, part_row(t, keeper->part, n),
                             keeper->component, t->kept, true);
    }
}

// Appends the rows of one tree, with their values.
static void tree_append(planting *t, const void *value)
{
    weft_world *world = t->world;
    const weft_tree *tree = t->tree;
    const weft_format f = world->plan->format;
    for (uint32_t i = 0; i < tree->part_count; i++) {
        bool given = i == 0 && t->root != 0;
        t->handles[i] = given ? t->root : handle_take(&world->entities, f);
    }
    const unsigned char *from = refs_write(t, value);
    for (uint32_t i = 0; i < tree->part_count; i++) {
        const weft_tree_part *part = &tree->parts[i];
        weft_table *table = t->rows[i].table;
        weft_prefab_append append = world->plan->prefabs[part->prefab].append;
        uint32_t row = table->count;
        if (append) {
            append(world, t->handles[i], table, from + part->value);
            weft_mark_added_range(&table->change_bits, row, 1);
        } else {
            weft_row_append(world, f, table, t->handles[i]);
            weft_prefab_rows_write(world, part->prefab, row, 1, from + part->value);
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Hooks

static uint64_t part_handle(const planting *t, uint32_t part, uint32_t n)
{
    const part_rows *rows = &t->rows[part];
    return weft_handle_load(t->world->plan->format, weft_column(rows->table, 0),
                            part_row(t, part, n));
}

// Hooks only record changes, so that no row moves meanwhile.
static void hooks_call(const planting *t)
{
    weft_world *world = t->world;
    const weft_tree *tree = t->tree;
    const weft_relation_plan *relations = world->plan->relations;
    for (uint32_t n = 0; n < t->count; n++) {
        for (uint32_t i = 0; i < tree->part_count; i++) {
            weft_hooks_added(world, t->rows[i].table, part_row(t, i, n), 1);
        }
    }
    for (uint32_t n = 0; relations && n < t->count; n++) {
        for (uint32_t i = 1; i < tree->part_count; i++) {
            const weft_tree_part *part = &tree->parts[i];
            weft_hook hook = relations[part->relation].on_attach;
            if (!hook) continue;
            weft_hook_call_link(world, hook, part_handle(t, i, n), part_handle(t, part->above, n));
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Spawning

// Finds the rows that the parts will get if trees are appended one after the other.
static void rows_find(const planting *t)
{
    for (uint32_t i = 0; i < t->tree->part_count; i++) {
        const weft_tree_part *part = &t->tree->parts[i];
        weft_table *table = t->world->shared.prefab_tables[part->prefab];
        t->rows[i] = (part_rows){table, table->count + part->row, part->rows};
    }
}

weft_status weft_trees_place(weft_world *world, uint32_t prefab, uint64_t n, uint64_t root,
                             const void *value, void *out)
{
    const weft_prefab_plan *p = &world->plan->prefabs[prefab];
    uint32_t indices;
    if (n == 0) return WEFT_OK;
    if (n > UINT32_MAX) return weft_records_ready(world, entities_of(p->tree, n), &indices);
    planting t = planting_of(world, prefab, n, root);
    weft_status status = trees_ready(&t);
    if (status != WEFT_OK) return status;
    value = weft_prefab_given(p, value);
    rows_find(&t);
    if (t.tree->ref_count != 0) memcpy(t.value, value, p->size);
    for (uint32_t i = 0; i < n; i++) {
        tree_append(&t, value);
        tree_join(&t, i);
        if (out) weft_handle_store(world->plan->format, out, i, t.handles[0]);
    }
    weft_world_changed(world);
    if (WEFT_UNLIKELY(world->hooks != NULL)) hooks_call(&t);
    return WEFT_OK;
}

static bool refuse_trees(weft_world *world, weft_status status)
{
    return weft_refuse_space(world, weft_refusal_of(status, WEFT_NONE, 0));
}

uint64_t weft_tree_spawn(weft_world *world, uint32_t prefab, const void *value, void *all)
{
    const weft_tree *tree = world->plan->prefabs[prefab].tree;
    if (weft_busy(world, "spawn" WEFT_RECORDED)) return 0;
    weft_status status = weft_trees_place(world, prefab, 1, 0, value, NULL);
    if (status != WEFT_OK) {
        refuse_trees(world, status);
        return 0;
    }
    const planting t = planting_of(world, prefab, 1, 0);
    for (uint32_t i = 0; all && i < tree->part_count; i++) {
        weft_handle_store(world->plan->format, (unsigned char *)all + tree->parts[i].handle, 0,
                          t.handles[i]);
    }
    return t.handles[0];
}

bool weft_trees_spawn(weft_world *world, uint32_t prefab, size_t n, const void *value, void *out)
{
    if (n != 0 && weft_busy(world, "spawn_many" WEFT_RECORDED)) return false;
    weft_status status = weft_trees_place(world, prefab, n, 0, value, out);
    return status == WEFT_OK || refuse_trees(world, status);
}

bool weft_spawn_any(weft_world *world, uint32_t prefab, size_t n, const void *value, void *out)
{
    uint32_t first_row;
    if (world->plan->prefabs[prefab].tree) return weft_trees_spawn(world, prefab, n, value, out);
    return weft_spawn_many(world, prefab, n, value, out, &first_row);
}

// ------------------------------------------------------------------------------------------------
// Rows for the caller to fill in

// Appends the rows of all trees, part by part, with handles but without values.
static void parts_append(const planting *t)
{
    weft_world *world = t->world;
    const weft_format f = world->plan->format;
    for (uint32_t i = 0; i < t->tree->part_count; i++) {
        weft_table *table = part_table(world, t->tree, i);
        t->rows[i] = (part_rows){table, table->count, 1};
        for (uint32_t n = 0; n < t->count; n++) {
            weft_row_append(world, f, table, handle_take(&world->entities, f));
        }
    }
}

// Writes the values of tree n, whose rows exist.
static void tree_write(planting *t, uint32_t n, const void *value)
{
    const weft_tree *tree = t->tree;
    for (uint32_t i = 0; i < tree->part_count; i++) t->handles[i] = part_handle(t, i, n);
    const unsigned char *from = refs_write(t, value);
    for (uint32_t i = 0; i < tree->part_count; i++) {
        const weft_tree_part *part = &tree->parts[i];
        weft_prefab_rows_write(t->world, part->prefab, part_row(t, i, n), 1, from + part->value);
    }
}

void weft_trees_spawn_rows(weft_world *world, uint32_t prefab, size_t n, void *rows)
{
    const weft_prefab_plan *p = &world->plan->prefabs[prefab];
    uint32_t indices;
    if (n == 0 || weft_busy(world, "spawn_rows" WEFT_RECORDED)) return;
    planting t = planting_of(world, prefab, n, 0);
    weft_status status = n > UINT32_MAX
                             ? weft_records_ready(world, entities_of(p->tree, n), &indices)
                             : trees_ready(&t);
    if (status != WEFT_OK) {
        refuse_trees(world, status);
        return;
    }
    parts_append(&t);
    memcpy(t.value, p->defaults, p->size);
    for (uint32_t i = 0; i < n; i++) {
        tree_write(&t, i, p->defaults);
        tree_join(&t, i);
    }
    weft_world_changed(world);
    if (WEFT_UNLIKELY(world->hooks != NULL)) hooks_call(&t);
    for (uint32_t i = 0; i < t.tree->part_count; i++) {
        const weft_tree_part *part = &t.tree->parts[i];
        weft_rows_lend(world, part->prefab, t.rows[i].first, n,
                       (unsigned char *)rows + part->columns);
    }
}
