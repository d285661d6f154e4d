// Spawns composite prefabs: see composite.h.
#include "composite.h"

#include "../world/relation.h"
#include "../world/report.h"
#include "member.h"
#include "nodes.h"

// The rows of one part in all trees that are being spawned, for hooks and the game.
typedef struct part_rows {
    weft_table *table;
    uint32_t first;
    uint32_t step; // from the row of one tree to that of the next
} part_rows;

// Trees that are being spawned. The arrays are scratch memory of the world, and contain one tree.
typedef struct planting {
    weft_world *world;
    const weft_tree *tree;
    uint32_t count;      // of trees
    bool by_part;        // the rows of a part are adjacent; false: those of a tree are
    uint64_t root;       // the handle of the root, or 0
    uint64_t *handles;   // by part
    uint32_t *row;       // by part
    unsigned char *kept; // the value of a keeper
} planting;

// ------------------------------------------------------------------------------------------------
// Scratch memory:  handles | rows | value of a keeper

static size_t scratch_of(const weft_prefab_plan *prefab)
{
    size_t parts = prefab->tree->part_count;
    size_t most = 0;
    for (uint32_t k = 0; k < prefab->tree->keeper_count; k++) {
        size_t kept = prefab->tree->keepers[k].count;
        if (kept > most) most = kept;
    }
    return parts * (sizeof(uint64_t) + sizeof(uint32_t)) + (most + 1) * sizeof(uint64_t);
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
    planting t = {.world = world, .tree = p->tree, .count = (uint32_t)n, .root = root};
    t.handles = (uint64_t *)(void *)world->scratch.trees;
    t.row = (uint32_t *)(void *)(t.handles + parts);
    t.kept = (unsigned char *)(t.row + weft_round_up(parts, 2));
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
    for (uint32_t i = 0; i < tree->table_count; i++) {
        const weft_tree_part *part = &tree->parts[tree->tables[i]];
        weft_table *table = world->shared.prefab_tables[part->prefab];
        uint32_t rows = table->count + n * part->rows;
        if (WEFT_UNLIKELY(rows > table->capacity) && !weft_world_table_ready(world, table, rows))
            return false;
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

// Makes pages for the index `one` and the next `reused` indices of the free list in the stores of a
// tree. A single tree takes its indices in the order of its parts, so that only those up to the
// last part with a component are needed.
static bool tree_pages_ready(const planting *t, uint32_t one, uint32_t reused)
{
    weft_world *world = t->world;
    for (uint32_t i = 0; i < t->tree->need_count; i++) {
        const weft_tree_need *need = &t->tree->needs[i];
        uint16_t store = world->plan->components[need->component].sparse;
        if (store == WEFT_NONE) continue;
        weft_sparse *sparse = &world->sparse[store];
        uint32_t count = t->count == 1 && need->last + 1u < reused ? need->last + 1u : reused;
        uint32_t next = world->entities.free_head;
        uint32_t index = one;
        for (uint32_t k = 0;; k++) {
            if (!weft_sparse_slot(sparse, index) &&
                !weft_sparse_pages(&world->heap, sparse, index, 1)) {
                return false;
            }
            if (k == count) break;
            index = next;
            weft_free_record(&world->entities, world->plan->format, index, &next);
        }
    }
    return true;
}

// Makes space for the links of the index `one` and the next `reused` indices of the free list, of
// `end` indices in all. The list is walked only if a relation lacks space for some index.
static bool tree_links_ready(weft_world *world, const weft_tree *tree, uint32_t one,
                             uint32_t reused, uint32_t end)
{
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < tree->relation_count; i++) {
        uint32_t capacity = world->relations[tree->relations[i]].capacity;
        if (capacity < least) least = capacity;
    }
    uint32_t index = world->entities.free_head;
    for (uint32_t i = 0; least < end && i < reused; i++) {
        if (index > one) one = index;
        weft_free_record(&world->entities, world->plan->format, index, &index);
    }
    for (uint32_t i = 0; i < tree->relation_count; i++) {
        if (!weft_nodes_ready(world, &world->relations[tree->relations[i]], one)) return false;
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
    uint32_t reused = (uint32_t)n - fresh;
    // A known index: that of the root, else one of those that are taken now.
    uint32_t one = fresh != 0 ? end - 1 : entities->free_head;
    if (t->root != 0) one = weft_handle_index(world->plan->format, t->root);
    uint32_t highest = fresh != 0 && end - 1 > one ? end - 1 : one;
    bool ready = tree_rows_ready(world, tree, t->count, entities->index_count, fresh) &&
                 tree_pages_ready(t, one, reused) &&
                 tree_links_ready(world, tree, highest, reused, end);
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
          tree_links_ready(world, tree, indices - 1, 0, indices))) {
        status = WEFT_NO_MEMORY;
    }
    weft_world_changed(world); // columns may have moved
    if (status != WEFT_OK) weft_refuse(world, weft_refusal_of(status, WEFT_NONE, 0));
    return status;
}

// ------------------------------------------------------------------------------------------------
// Writing

// Takes the indices of `count` new entities, and stores their handles.
static void handles_take(weft_entities *entities, weft_format f, uint64_t *handles, uint32_t count)
{
    uint32_t reused = weft_entities_listed(entities);
    uint32_t unused = 0;
    if (reused > count) reused = count;
    for (uint32_t i = 0; i < reused; i++) {
        uint32_t index = entities->free_head;
        uint32_t generation = weft_free_record(entities, f, index, &entities->free_head);
        unused += generation == 1;
        handles[i] = weft_handle(f, index, generation);
    }
    entities->free_count -= reused;
    entities->unused_count -= unused;
    uint32_t index = entities->index_count;
    for (uint32_t i = reused; i < count; i++) handles[i] = weft_handle(f, index++, 1);
    WEFT_STORE_RELEASE(&entities->index_count, index);
}

// Writes the handles of a tree into the fields that name parts, after the values. To write them into
// a copy of the values would be slower, because wide reads of recent narrow writes stall.
static void refs_write(const planting *t)
{
    const weft_world *world = t->world;
    const weft_format f = world->plan->format;
    for (uint32_t i = 0; i < t->tree->ref_count; i++) {
        const weft_tree_ref *ref = &t->tree->refs[i];
        unsigned char *at;
        if (ref->column == WEFT_NONE) {
            uint32_t index = weft_handle_index(f, t->handles[ref->holder]);
            at =
                (unsigned char *)weft_sparse_value_of(&world->sparse[ref->store], index, ref->size);
        } else {
            const weft_table *table = part_table(world, t->tree, ref->holder);
            at = (unsigned char *)weft_cell(table, ref->column, t->row[ref->holder], ref->size);
        }
        weft_handle_store(f, at + ref->offset, 0, t->handles[ref->target]);
    }
}

// Writes the value of a keeper to its row, which lacks it.
static void keeper_write(const planting *t, const weft_tree_keeper *keeper)
{
    weft_world *world = t->world;
    const weft_plan *plan = world->plan;
    const weft_component_plan *c = &plan->components[keeper->component];
    weft_table *table = part_table(world, t->tree, keeper->part);
    uint32_t row = t->row[keeper->part];
    weft_bitset_write(plan, table, weft_bitset_column(plan, c), row, true);
    weft_sparse_write(&world->sparse[c->sparse],
                      weft_handle_index(plan->format, t->handles[keeper->part]), t->kept);
}

// Writes the refs of a tree, attaches its parts, and writes its keepers.
static void tree_join(const planting *t)
{
    weft_world *world = t->world;
    const weft_tree *tree = t->tree;
    refs_write(t);
    weft_nodes_place_tree(world, tree, t->handles);
    for (uint32_t k = 0; k < tree->keeper_count; k++) {
        const weft_tree_keeper *keeper = &tree->keepers[k];
        for (uint32_t i = 0; i < keeper->count; i++) {
            uint64_t handle = keeper->parts[i] == WEFT_NONE ? 0 : t->handles[keeper->parts[i]];
            weft_handle_store(world->plan->format, t->kept, i, handle);
        }
        keeper_write(t, keeper);
    }
}

// Appends the rows of one tree, with their values.
static void tree_append(const planting *t, const unsigned char *value)
{
    const weft_format f = t->world->plan->format;
    weft_world *world = t->world;
    const weft_tree *tree = t->tree;
    uint32_t given = t->root != 0;
    if (given) t->handles[0] = t->root;
    handles_take(&world->entities, f, t->handles + given, tree->part_count - given);
    weft_table *table = NULL;
    weft_prefab_append append = NULL;
    for (uint32_t i = 0; i < tree->part_count; i++) {
        const weft_tree_part *part = &tree->parts[i];
        if (i == 0 || part->prefab != part[-1].prefab) { // successive parts often have one prefab
            table = world->shared.prefab_tables[part->prefab];
            append = world->plan->prefabs[part->prefab].append;
        }
        t->row[i] = table->count;
        if (append) {
            append(world, t->handles[i], table, value + part->value);
            weft_mark_added_range(&table->change_bits, t->row[i], 1);
        } else {
            weft_row_append(world, f, table, t->handles[i]);
            weft_prefab_rows_write(world, part->prefab, t->row[i], 1, value + part->value);
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Hooks

static uint64_t part_handle(const weft_world *world, const part_rows *rows, uint32_t n)
{
    return weft_handle_load(world->plan->format, weft_column(rows->table, 0),
                            rows->first + n * rows->step);
}

// Returns the rows of a part in all trees, which are the last rows of their tables.
static part_rows rows_of(const planting *t, uint32_t part)
{
    const weft_tree_part *p = &t->tree->parts[part];
    part_rows rows = {part_table(t->world, t->tree, part), p->row, p->rows};
    if (t->by_part) {
        rows.first = p->row * t->count;
        rows.step = 1;
    }
    rows.first += rows.table->count - t->count * p->rows;
    return rows;
}

static void hook_attached(const planting *t, uint32_t part, uint32_t n)
{
    weft_world *world = t->world;
    const weft_tree_part *p = &t->tree->parts[part];
    weft_hook hook = world->plan->relations[p->relation].on_attach;
    if (!hook) return;
    part_rows below = rows_of(t, part);
    part_rows above = rows_of(t, p->above);
    weft_hook_call_link(world, hook, part_handle(world, &below, n), part_handle(world, &above, n));
}

// Hooks only record changes, so that no row moves meanwhile.
static void hooks_call(const planting *t)
{
    weft_world *world = t->world;
    const uint32_t parts = t->tree->part_count;
    for (uint32_t n = 0; n < t->count; n++) {
        for (uint32_t i = 0; i < parts; i++) {
            part_rows rows = rows_of(t, i);
            weft_hooks_added(world, rows.table, rows.first + n * rows.step, 1);
        }
    }
    for (uint32_t n = 0; world->plan->relations && n < t->count; n++) {
        for (uint32_t i = 1; i < parts; i++) hook_attached(t, i, n);
    }
}

// ------------------------------------------------------------------------------------------------
// Spawning

// Returns why n trees can never be spawned: they are more than any world can have.
static weft_status too_many(weft_world *world, const weft_tree *tree, uint64_t n)
{
    uint32_t indices;
    return weft_records_ready(world, entities_of(tree, n), &indices);
}

weft_status weft_trees_place(weft_world *world, uint32_t prefab, uint64_t n, uint64_t root,
                             const void *value, void *out)
{
    const weft_prefab_plan *p = &world->plan->prefabs[prefab];
    if (n == 0) return WEFT_OK;
    if (n > UINT32_MAX) return too_many(world, p->tree, n);
    planting t = planting_of(world, prefab, n, root);
    weft_status status = trees_ready(&t);
    if (status != WEFT_OK) return status;
    value = weft_prefab_given(p, value);
    for (uint32_t i = 0; i < n; i++) {
        tree_append(&t, (const unsigned char *)value);
        tree_join(&t);
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

// Appends the rows of all trees, part by part, with the defaults.
static void parts_append(const planting *t, const unsigned char *defaults)
{
    weft_world *world = t->world;
    const weft_format f = world->plan->format;
    for (uint32_t i = 0; i < t->tree->part_count; i++) {
        const weft_tree_part *part = &t->tree->parts[i];
        weft_table *table = part_table(world, t->tree, i);
        uint32_t first = table->count;
        for (uint32_t n = 0; n < t->count; n++) {
            uint64_t handle;
            handles_take(&world->entities, f, &handle, 1);
            weft_row_append(world, f, table, handle);
        }
        weft_prefab_rows_write(world, part->prefab, first, t->count, defaults + part->value);
    }
}

// Completes all trees, whose rows exist.
static void parts_join(const planting *t)
{
    for (uint32_t n = 0; n < t->count; n++) {
        for (uint32_t i = 0; i < t->tree->part_count; i++) {
            const part_rows rows = rows_of(t, i);
            t->row[i] = rows.first + n;
            t->handles[i] = part_handle(t->world, &rows, n);
        }
        tree_join(t);
    }
}

void weft_trees_spawn_rows(weft_world *world, uint32_t prefab, size_t n, void *rows)
{
    const weft_prefab_plan *p = &world->plan->prefabs[prefab];
    if (n == 0 || weft_busy(world, "spawn_rows" WEFT_RECORDED)) return;
    planting t = planting_of(world, prefab, n, 0);
    weft_status status = n > UINT32_MAX ? too_many(world, p->tree, n) : trees_ready(&t);
    if (status != WEFT_OK) {
        refuse_trees(world, status);
        return;
    }
    t.by_part = true;
    parts_append(&t, (const unsigned char *)p->defaults);
    parts_join(&t);
    weft_world_changed(world);
    if (WEFT_UNLIKELY(world->hooks != NULL)) hooks_call(&t);
    for (uint32_t i = 0; i < t.tree->part_count; i++) {
        const weft_tree_part *part = &t.tree->parts[i];
        weft_rows_lend(world, part->prefab, rows_of(&t, i).first, n,
                       (unsigned char *)rows + part->columns);
    }
}
