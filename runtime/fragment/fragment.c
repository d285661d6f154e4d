// A merge first takes all memory, in the order in which the rows need it; after that nothing can
// fail. The new handle of an entity is written into its old record in the fragment, which is no
// longer needed.
#include "fragment.h"

#include "../edit/apply.h"
#include "../edit/calls.h"
#include "../edit/linking.h"
#include "../edit/reaction.h"
#include "../index/update.h"
#include "../record/reader.h"
#include "../run/lifecycle.h"
#include "../value/fields.h"
#include "../world/move.h"
#include "../world/report.h"
#include "../world/zone.h"

#include <string.h>

// The table of the world that gets the rows of a table of the fragment, starting at row `first`.
typedef struct merge_target {
    weft_table *table;
    uint32_t first;
} merge_target;

typedef struct merging {
    weft_world *to;
    weft_world *from;
    merge_target *targets; // by table of the fragment
    uint32_t indices;      // indices of the world after the merge
    bool side_by_side;     // all entities get fresh indices, in order, starting at `first`
    uint32_t first;
    uint32_t *map; // by index in the fragment: the index in the world; NULL: it has no links
    size_t map_bytes;
} merging;

weft_world *weft_fragment_create(const weft_plan *plan, size_t bytes, const weft_options *options)
{
    weft_world *fragment = weft_world_create(plan, bytes, options);
    if (!fragment) return NULL;
    weft_hooks_close(fragment);
    fragment->run.thread = NULL;
    return fragment;
}

// ------------------------------------------------------------------------------------------------
// Memory

static bool bitset_ready(merging *m, const weft_table *from, weft_table *to, uint32_t column)
{
    const weft_plan *plan = m->to->plan;
    uint32_t component = plan->columns[column].component;
    const uint64_t *words = (const uint64_t *)weft_column(from, column);
    uint32_t rows = weft_bits_count(words, weft_bits_words(from->count));
    return rows == 0 || (weft_removed_ready(m->to, component, rows) &&
                         weft_bitset_open(&m->to->heap, plan, to, column));
}

static bool table_ready(merging *m, const weft_table *from)
{
    const weft_plan *plan = m->to->plan;
    merge_target *t = &m->targets[from->id];
    t->table = weft_world_table(m->to, from->set);
    if (!t->table) return false;
    t->first = t->table->count;
    if (!weft_world_table_ready(m->to, t->table, t->first + from->count)) return false;
    for (uint32_t c = 0; c < plan->component_count; c++) {
        bool has = weft_set_has(from->set, c);
        if (has && !weft_removed_ready(m->to, c, from->count)) return false;
    }
    for (uint16_t i = 0; i < from->bitset_count; i++) {
        if (!bitset_ready(m, from, t->table, from->bitsets[i])) return false;
    }
    return true;
}

// Makes space in a store for the values of the fragment. The indices that their entities will get
// are taken from a copy of the free list, so the real list does not change yet.
static bool store_ready(merging *m, uint32_t store)
{
    const weft_sparse *from = &m->from->sparse[store];
    weft_format f = m->to->plan->format;
    weft_entities taken = m->to->entities;
    uint32_t index;
    uint32_t generation;
    if (weft_sparse_count(from) == 0) return true;
    weft_sparse *to = &m->to->sparse[store];
    if (!weft_sparse_reserve(&m->to->heap, to, weft_sparse_count(from))) return false;
    for (uint32_t i = 0; i < m->from->entities.index_count; i++) {
        if (weft_record_at(&m->from->entities, f, i).generation == 0) continue;
        weft_index_take(&taken, f, &index, &generation);
        const uint32_t *slot = weft_sparse_slot(from, i);
        bool has = slot && *slot != 0;
        if (has && !weft_sparse_pages(&m->to->heap, to, index, 1)) return false;
    }
    return true;
}

// Lists the indices that the entities of the fragment will get. Returns false if there is no memory.
static bool map_ready(merging *m)
{
    const weft_entities *from = &m->from->entities;
    weft_format f = m->to->plan->format;
    weft_entities taken = m->to->entities;
    uint32_t generation;
    m->map_bytes = from->index_count * sizeof *m->map;
    m->map = (uint32_t *)weft_allocate(&m->to->heap, m->map_bytes);
    for (uint32_t i = 0; m->map && i < from->index_count; i++) {
        m->map[i] = UINT32_MAX;
        if (weft_record_at(from, f, i).generation == 0) continue;
        weft_index_take(&taken, f, &m->map[i], &generation);
    }
    return m->map != NULL;
}

// Links of the fragment, one after the other.
typedef struct merged_links {
    weft_link_runs runs;
    uint32_t at; // of the run
    uint32_t link;
    weft_link_ends ends; // in the world
    const void *value;
} merged_links;

static bool next_in_fragment(const merging *m, merged_links *l)
{
    while (l->at == l->runs.run.count) {
        l->at = 0;
        if (weft_link_runs_next(&l->runs)) break;
        if (++l->link == m->to->plan->link_count) return false;
        l->runs = weft_link_runs_begin(m->from, l->link, 0, UINT32_MAX);
    }
    uint32_t at = l->at++;
    weft_adjacent_run run = l->runs.run;
    weft_link_ends ends = {m->map[l->runs.from], m->map[run.others[at]], true};
    l->ends = weft_link_ends_stored(&m->to->links[l->link], ends);
    l->value = run.values ? run.values + (size_t)at * m->to->plan->links[l->link].size : NULL;
    return true;
}

// Like next_in_fragment, without links to entities that are away, which do not move.
static bool next_merged(const merging *m, merged_links *l)
{
    while (next_in_fragment(m, l)) {
        if (l->ends.from != UINT32_MAX && l->ends.to != UINT32_MAX) return true;
    }
    return false;
}

static merged_links begin_merged(const merging *m)
{
    return (merged_links){.runs = weft_link_runs_begin(m->from, 0, 0, UINT32_MAX)};
}

// Adds the links of the fragment to the world, before its entities: nothing may fail after this.
// Returns false without changes if there is no memory.
static bool add_links(merging *m)
{
    uint64_t added = 0;
    if (m->from->linked == 0) return true;
    if (!map_ready(m)) return false;
    bool room = true;
    for (merged_links l = begin_merged(m); room && next_merged(m, &l); added += room) {
        room = weft_link_room(m->to, l.link, l.ends);
        if (room) weft_link_add_alone(m->to, l.link, l.ends, l.value);
    }
    if (room) return true;
    for (merged_links l = begin_merged(m); added != 0 && next_merged(m, &l); added--) {
        weft_link_remove_alone(m->to, l.link, l.ends);
    }
    return false;
}

static bool all_ready(merging *m)
{
    const weft_plan *plan = m->to->plan;
    for (uint32_t i = 0; i < m->from->tables.count; i++) {
        const weft_table *table = m->from->tables.items[i];
        if (table->count != 0 && !table_ready(m, table)) return false;
    }
    for (uint32_t i = 0; i < plan->sparse_count; i++) {
        if (!store_ready(m, i)) return false;
    }
    for (uint32_t i = 0; i < plan->schema->relation_count; i++) {
        bool linked = m->from->relations[i].attached != 0;
        if (linked && !weft_nodes_ready(m->to, &m->to->relations[i], m->indices - 1)) return false;
    }
    return add_links(m);
}

// ------------------------------------------------------------------------------------------------
// Handles

// Writes the handle that an entity of the fragment has in the world into its record. The generation
// stays, so that the old handle still finds the record, and no other handle does.
static void write_new(merging *m, uint32_t index, uint32_t generation, uint64_t handle)
{
    weft_format f = m->to->plan->format;
    uint32_t low = (uint32_t)handle;
    uint32_t high = (uint32_t)(handle >> 32);
    weft_record_write(&m->from->entities, f, index, generation, f.wide ? high : low,
                      f.wide ? low : 0);
}

static uint64_t read_new(const merging *m, uint64_t handle, weft_place at)
{
    weft_format f = m->to->plan->format;
    if (m->side_by_side) return handle + m->first;
    return f.wide ? (uint64_t)at.table << 32 | at.row : at.table;
}

// Returns the handle in the world of an entity that is alive in the fragment, and 0 for all other
// handles.
static uint64_t now_named(void *context, uint64_t handle)
{
    const merging *m = (const merging *)context;
    weft_format f = m->to->plan->format;
    weft_place at;
    return weft_find(&m->from->entities, f, handle, &at) ? read_new(m, handle, at) : 0;
}

// Returns the index in the world of an entity of the fragment. Both are index + 1, and 0 for no
// entity.
static uint32_t now_linked(const merging *m, uint32_t link)
{
    weft_format f = m->to->plan->format;
    if (link == 0 || m->side_by_side) return link == 0 ? 0 : link + m->first;
    return weft_handle_index(f, read_new(m, 0, weft_place_of(&m->from->entities, f, link - 1))) + 1;
}

// Returns whether all entities get fresh indices of the world and no entity has died in the
// fragment. Then all of them have generation 1, before and after the merge.
static bool are_side_by_side(const merging *m)
{
    const weft_entities *from = &m->from->entities;
    weft_format f = m->to->plan->format;
    bool first = m->indices - m->to->entities.index_count == from->index_count;
    for (uint32_t i = 0; first && i < m->from->tables.count; i++) {
        const weft_table *table = m->from->tables.items[i];
        const void *handles = weft_column(table, 0);
        uint64_t others = 0;
        for (uint32_t row = 0; row < table->count; row++) {
            others |= (weft_handle_load(f, handles, row) >> f.index_bits) ^ 1;
        }
        first = others == 0;
    }
    return first;
}

// Gives the rows of a table their new handles, which differ from the old ones by a constant, and
// writes their records. Inlined with the constants of a handle format.
WEFT_ALWAYS_INLINE void name_rows_as(merging *m, const weft_table *from, weft_format f)
{
    const merge_target *t = &m->targets[from->id];
    const void *handles = weft_column(from, 0);
    for (uint32_t row = 0; row < from->count; row++) {
        uint64_t handle = weft_handle_load(f, handles, row) + m->first;
        weft_handle_store(f, weft_column(t->table, 0), t->first + row, handle);
        weft_record_place(&m->to->entities, f, handle, t->table->id, t->first + row);
    }
}

static void name_side_by_side(merging *m)
{
    for (uint32_t i = 0; i < m->from->tables.count; i++) {
        const weft_table *from = m->from->tables.items[i];
        weft_format f = m->to->plan->format;
        if (from->count == 0) continue;
        if (f.handle_bytes == 4) {
            name_rows_as(
                m, from,
                (weft_format){f.index_bits, f.generation_bits, 4, false, f.waits, f.grouped});
        } else {
            name_rows_as(m, from, f);
        }
    }
    WEFT_STORE_RELEASE(&m->to->entities.index_count, m->indices);
}

// Gives each entity of the fragment a handle of the world, and its row this handle.
static void name_all(merging *m)
{
    weft_format f = m->to->plan->format;
    for (uint32_t i = 0; i < m->from->entities.index_count; i++) {
        weft_wide_record at = weft_record_at(&m->from->entities, f, i);
        uint32_t index;
        uint32_t generation;
        if (at.generation == 0) continue;
        weft_index_take(&m->to->entities, f, &index, &generation);
        const merge_target *t = &m->targets[at.table];
        uint64_t handle = weft_handle(f, index, generation);
        weft_record_write(&m->to->entities, f, index, generation, t->table->id, t->first + at.row);
        weft_handle_store(f, weft_column(t->table, 0), t->first + at.row, handle);
        write_new(m, i, at.generation, handle);
    }
}

// ------------------------------------------------------------------------------------------------
// Rows

static void merge_rows(merging *m, const weft_table *from)
{
    const weft_plan *plan = m->to->plan;
    const merge_target *t = &m->targets[from->id];
    for (uint16_t i = 1; i < from->present_count; i++) {
        const weft_present *present = &from->present[i];
        memcpy(weft_cell(t->table, present->column, t->first, present->size), present->base,
               (size_t)from->count * present->size);
    }
    weft_mark_added_range(&t->table->change_bits, t->first, from->count);
    for (uint16_t i = 0; i < from->bitset_count; i++) {
        const uint64_t *words = (const uint64_t *)weft_column(from, from->bitsets[i]);
        bool any = weft_bits_count(words, weft_bits_words(from->count)) != 0;
        if (any) weft_bits_append(plan, from, t->table, t->first, from->bitsets[i]);
    }
    t->table->count += from->count;
    for (uint32_t c = 0; c < plan->component_count; c++) {
        if (!plan->components[c].has_entities || !weft_set_has(from->set, c)) continue;
        weft_rows_handles_change(m->to, t->table, c, t->first, now_named, m);
    }
}

static void merge_store(merging *m, uint32_t store)
{
    const weft_sparse *from = &m->from->sparse[store];
    const uint32_t *owners = (const uint32_t *)(const void *)from->owners.base;
    weft_sparse *to = &m->to->sparse[store];
    uint32_t component = m->to->plan->sparse_components[store];
    for (uint32_t slot = 0; slot < weft_sparse_count(from); slot++) {
        uint32_t index = now_linked(m, owners[slot] + 1) - 1;
        uint32_t last = weft_sparse_append(to, weft_sparse_slot_of(to, index), index);
        void *value = weft_sparse_value(to, last, to->size);
        memcpy(value, weft_sparse_value(from, slot, from->size), from->size);
        weft_handles_change(m->to, component, value, now_named, m);
    }
}

// The first child of a parent links to the last child only if the world needs that (`rings`).
static void merge_links(merging *m, uint32_t relation)
{
    const weft_relation *from = &m->from->relations[relation];
    weft_relation *to = &m->to->relations[relation];
    for (uint32_t i = 0; i < from->capacity && from->attached != 0; i++) {
        const weft_node *link = &weft_nodes(from)[i];
        if (link->parent == 0 && link->first_child == 0) continue;
        uint32_t previous = link->previous;
        if (link->parent != 0 && weft_nodes(from)[link->parent - 1].first_child == i + 1) {
            previous = to->rings ? weft_last_child(from, link->parent - 1) : 0;
        }
        weft_nodes(to)[now_linked(m, i + 1) - 1] = (weft_node){
            .parent = now_linked(m, link->parent),
            .first_child = now_linked(m, link->first_child),
            .next = now_linked(m, link->next),
            .previous = now_linked(m, previous),
        };
    }
    to->attached += from->attached;
    to->version += from->attached != 0;
    m->to->attached += from->attached;
}

// Renames the handles in the values of links, which were added before.
static void merge_link_values(merging *m)
{
    const weft_schema *schema = m->to->plan->schema;
    if (m->from->linked == 0) return;
    for (merged_links l = begin_merged(m); next_merged(m, &l);) {
        const weft_link_info *info = &schema->links[l.link];
        if (!m->to->plan->links[l.link].has_entities) continue;
        void *value = weft_link_value(m->to, l.link, l.ends.from, l.ends.to);
        weft_fields_change(schema, info->fields, info->field_count, value, now_named, m);
    }
}

// ------------------------------------------------------------------------------------------------
// Afterwards

static void call_hooks(const merging *m)
{
    weft_format f = m->to->plan->format;
    for (uint32_t i = 0; m->to->hooks && i < m->from->entities.index_count; i++) {
        weft_wide_record at = weft_record_at(&m->from->entities, f, i);
        if (at.generation == 0) continue;
        uint32_t index = now_linked(m, i + 1) - 1;
        weft_place to = weft_place_of(&m->to->entities, f, index);
        weft_hooks_added(m->to, m->to->tables.items[to.table], to.row, 1);
    }
    for (uint32_t i = 0; m->to->hooks && i < m->from->entities.index_count; i++) {
        weft_wide_record at = weft_record_at(&m->from->entities, f, i);
        if (at.generation != 0) weft_hooks_parents(m->to, now_linked(m, i + 1) - 1, true);
    }
    if (!m->to->hooks || m->from->linked == 0) return;
    for (merged_links l = begin_merged(m); next_merged(m, &l);) {
        weft_link_tell_added(m->to, l.link, l.ends);
    }
}

static void empty_tables(weft_world *fragment)
{
    const weft_plan *plan = fragment->plan;
    weft_watch_nothing(fragment);
    for (uint32_t i = 0; i < fragment->tables.count; i++) {
        weft_table *table = fragment->tables.items[i];
        weft_bits_empty(plan, table);
        bool had_rows = table->count != 0;
        table->count = 0;
        if (had_rows) weft_table_emptied(fragment, 0);
    }
    for (uint32_t i = 0; i < plan->removal_count; i++) {
        fragment->changes.removed[i].count = 0;
        fragment->changes.removed[i].count_max = 0;
    }
}

// Empties a fragment as if it had just been opened, but keeps its memory, tables, singletons,
// events and clocks.
static void empty_fragment(weft_world *fragment)
{
    const weft_plan *plan = fragment->plan;
    weft_entities *entities = &fragment->entities;
    empty_tables(fragment);
    weft_indexes_forget(fragment);
    for (uint32_t i = 0; i < plan->sparse_count; i++) {
        weft_sparse *sparse = &fragment->sparse[i];
        const uint32_t *owners = (const uint32_t *)(const void *)sparse->owners.base;
        uint32_t count = weft_sparse_count(sparse);
        for (uint32_t slot = 0; slot < count; slot++)
            *weft_sparse_slot_of(sparse, owners[slot]) = 0;
        sparse->change_count -= count;
    }
    for (uint32_t i = 0; i < plan->schema->relation_count; i++) {
        weft_relation *r = &fragment->relations[i];
        if (r->attached == 0) continue;
        memset(r->nodes.base, 0, r->nodes.bytes);
        r->attached = 0;
        r->version++;
    }
    fragment->attached = 0;
    for (uint32_t i = 0; i < plan->link_count; i++) {
        weft_adjacency_clear(&fragment->heap, &fragment->links[i].from);
        weft_adjacency_clear(&fragment->heap, &fragment->links[i].to);
        fragment->links[i].count = 0;
    }
    fragment->linked = 0;
    memset(entities->records.base, 0, (size_t)entities->index_count * entities->record_bytes);
    entities->index_count = entities->free_count = entities->retired = entities->owed = 0;
    entities->unused_count = entities->away_count = 0;
    if (entities->away) memset(entities->away, 0, entities->away_words * sizeof *entities->away);
    entities->free_head = entities->free_tail = 0;
    weft_world_changed(fragment);
}

// ------------------------------------------------------------------------------------------------

static void move_all(merging *m, void *kept, size_t n)
{
    const weft_plan *plan = m->to->plan;
    m->side_by_side = are_side_by_side(m);
    m->first = m->to->entities.index_count;
    if (m->side_by_side) {
        name_side_by_side(m);
    } else {
        name_all(m);
    }
    for (uint32_t i = 0; i < m->from->tables.count; i++) {
        if (m->from->tables.items[i]->count != 0) merge_rows(m, m->from->tables.items[i]);
    }
    for (uint32_t i = 0; i < plan->sparse_count; i++) merge_store(m, i);
    for (uint32_t i = 0; i < plan->schema->relation_count; i++) merge_links(m, i);
    merge_link_values(m);
    for (size_t i = 0; kept && i < n; i++) {
        unsigned char *at = (unsigned char *)kept + i * plan->format.handle_bytes;
        weft_handle_store(plan->format, at, 0, now_named(m, weft_handle_load(plan->format, at, 0)));
    }
    weft_world_changed(m->to);
    weft_hooks_because(m->to, WEFT_BY_MERGE);
    call_hooks(m);
    weft_hooks_because(m->to, WEFT_BY_CALL);
    empty_fragment(m->from);
}

weft_status weft_fragment_merge(weft_world *world, weft_world *fragment, void *kept, size_t n)
{
    merging m = {.to = world, .from = fragment};
    if (weft_busy(world, "merge" WEFT_WAITS) || weft_busy(fragment, "merge" WEFT_WAITS)) {
        return WEFT_BUSY;
    }
    bool is_fragment = world != fragment && !fragment->run.thread;
    if (!is_fragment) {
        WEFT_ASSERT(is_fragment, ==, true, "this world is not a fragment");
        return weft_report(world, WEFT_REFUSED, "this world is not a fragment");
    }
    (void)weft_commands_apply(fragment);
    weft_zone_begin(world, WEFT_ZONE_MERGE, 0, 0);
    uint32_t entities = weft_entities_live(&fragment->entities);
    weft_status status = weft_records_ready(world, entities, &m.indices);
    if (status == WEFT_OK) {
        size_t bytes = fragment->tables.count * sizeof *m.targets;
        m.targets = (merge_target *)weft_allocate(&world->heap, bytes);
        bool ready = m.targets && (entities == 0 || all_ready(&m));
        if (ready) move_all(&m, kept, n);
        if (!ready) status = WEFT_NO_MEMORY;
        weft_free(&world->heap, m.targets, bytes);
        weft_free(&world->heap, m.map, m.map_bytes);
    }
    if (status != WEFT_OK) weft_refuse_space(world, weft_refusal_of(status, WEFT_NONE, 0));
    weft_zone_end(world, WEFT_ZONE_MERGE, 0, 0);
    return status;
}
