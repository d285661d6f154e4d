// State hashes. hash.h defines them byte by byte. They are sums, so they do not depend on the order
// of tables and rows, and each column is hashed in its place.
#include "hash.h"

#include "../record/event.h"
#include "../record/reader.h"
#include "../record/removals.h"
#include "../run/system.h"
#include "../value/visit.h"
#include "../world/links.h"
#include "../world/relation.h"
#include "../world/rows.h"
#include "bytes.h"

// Each chain of words starts with one of these, so that different kinds of terms cannot be
// confused.
enum {
    START_ENTITY = 1,
    START_COMPONENT,
    START_SINGLETON,
    START_ROWS,
    START_EXACT,
    START_CHANGE_BITS,
    START_EVENT,
    START_LINK,
    START_OFF,
    START_AWAY,
    START_LINKED
};

static uint64_t absorb(uint64_t h, uint64_t word)
{
    uint64_t x = (h ^ word) + 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static uint64_t absorb_text(uint64_t h, const char *text, size_t bytes)
{
    h = absorb(h, bytes);
    for (size_t i = 0; i < bytes; i += 8) {
        h = absorb(h, weft_little_read(text + i, bytes - i < 8 ? (uint32_t)(bytes - i) : 8));
    }
    return h;
}

static uint64_t absorb_name(uint64_t start, const char *name)
{
    return absorb_text(start, name, strlen(name));
}

static inline void absorb_numbers(uint64_t *h, const weft_leaves *leaves, uint32_t bytes)
{
    const unsigned char *at = leaves->at;
    for (size_t left = leaves->count; left != 0; left--, at += leaves->stride) {
        *h = absorb(*h, weft_bits_read(at, bytes));
        h += leaves->step;
    }
}

static void absorb_strings(uint64_t *h, const weft_leaves *leaves)
{
    const char *at = (const char *)leaves->at;
    for (size_t left = leaves->count; left != 0; left--, at += leaves->stride) {
        *h = absorb_text(*h, at, weft_string_bytes(leaves->field, at));
        h += leaves->step;
    }
}

// Absorbs leaves into the hashes of the values that they belong to.
static bool absorb_leaves(weft_visitor *v, const weft_leaves *leaves)
{
    uint64_t *h = (uint64_t *)v->context + leaves->value;
    if (leaves->type == WEFT_TYPE_CHAR)
        absorb_strings(h, leaves);
    else if (leaves->bytes == 4)
        absorb_numbers(h, leaves, 4);
    else
        absorb_numbers(h, leaves, leaves->bytes);
    return true;
}

// Returns a visitor of the saved leaves of values, in order. `hashes` has one hash for each value.
static weft_visitor absorber(const weft_world *world, uint64_t *hashes)
{
    return (weft_visitor){.schema = world->plan->schema,
                          .leaves = absorb_leaves,
                          .context = hashes,
                          .types = WEFT_VISIT_ALL,
                          .only_saved = true,
                          .in_order = true};
}

// Absorbs the saved fields of a value; `count` is 0 if its component is not saved.
static uint64_t absorb_value(uint64_t h, const weft_world *world, const weft_field *fields,
                             uint32_t count, const void *value)
{
    weft_visitor v = absorber(world, &h);
    weft_visit_values(&v, fields, count, (void *)(uintptr_t)value, 0, 1);
    return h;
}

static uint64_t row_handle(const weft_world *world, const weft_table *table, uint32_t row)
{
    return weft_handle_load(world->plan->format, weft_column(table, 0), row);
}

// Sums a sparse component or tag over the rows of a table whose bit is set. A tag has no fields, so
// no value is absorbed.
static uint64_t sum_by_bits(const weft_world *world, const weft_table *table, uint32_t component,
                            const uint64_t *words)
{
    const weft_component_info *info = &world->plan->schema->components[component];
    uint32_t field_count = info->save ? info->field_count : 0;
    uint64_t name = absorb_name(START_COMPONENT, info->name);
    uint64_t sum = 0;
    for (uint32_t word = 0; (uint64_t)word * 64 < table->count; word++) {
        for (uint64_t left = words[word]; left != 0;) {
            uint32_t row = word * 64 + weft_bits_pop(&left);
            uint64_t h = absorb(name, row_handle(world, table, row));
            const void *value = weft_row_value(world, table, row, component, NULL);
            sum += absorb_value(h, world, info->fields, field_count, value);
        }
    }
    return sum;
}

// Sums a table component over all rows of a table. Each leaf is absorbed for many rows before the
// next.
static uint64_t sum_columns(const weft_world *world, const weft_table *table, uint32_t component)
{
    enum { ROWS = 64 };
    const weft_plan *plan = world->plan;
    const weft_component_info *info = &plan->schema->components[component];
    const weft_column_plan *columns = &plan->columns[plan->components[component].first_column];
    uint64_t name = absorb_name(START_COMPONENT, info->name);
    uint64_t hashes[ROWS];
    uint64_t sum = 0;
    weft_visitor v = absorber(world, hashes);
    for (uint32_t first = 0, rows; first < table->count; first += rows) {
        rows = table->count - first < ROWS ? table->count - first : ROWS;
        for (uint32_t i = 0; i < rows; i++) {
            hashes[i] = absorb(name, row_handle(world, table, first + i));
        }
        for (uint32_t i = 0; info->save && i < info->field_count; i++) {
            void *members = weft_row_member(plan, table, first, component, i);
            weft_visit_members(&v, &info->fields[i], members, columns[info->soa ? i : 0].size,
                               rows);
        }
        for (uint32_t i = 0; i < rows; i++) sum += hashes[i];
    }
    return sum;
}

static uint64_t hash_table(const weft_world *world, const weft_table *table)
{
    const weft_plan *plan = world->plan;
    uint64_t sum = 0;
    for (uint32_t row = 0; row < table->count; row++) {
        sum += absorb(START_ENTITY, row_handle(world, table, row));
    }
    for (uint32_t c = 0; c < plan->component_count; c++) {
        if (weft_set_has(table->set, c)) sum += sum_columns(world, table, c);
    }
    for (uint32_t i = 0; i < table->bitset_count; i++) {
        uint32_t c = plan->columns[table->bitsets[i]].component;
        if (c >= plan->schema->component_count) continue; // the links imply it
        const weft_component_info *info = &plan->schema->components[c];
        if (info->storage == WEFT_STORAGE_TAG && !info->save) continue;
        sum += sum_by_bits(world, table, c, weft_column(table, table->bitsets[i]));
    }
    return sum;
}

// Singletons are in the struct of the generated world, which starts with weft_world.
static uint64_t sum_singletons(const weft_world *world)
{
    const weft_schema *schema = world->plan->schema;
    const unsigned char *base = (const unsigned char *)world;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < schema->singleton_count; i++) {
        const weft_singleton_info *info = &schema->singletons[i];
        if (!info->save) continue;
        uint64_t name = absorb_name(START_SINGLETON, info->name);
        sum += absorb_value(name, world, info->fields, info->field_count, base + info->offset);
    }
    return sum;
}

// Hashes the values of an event, starting at `first`, and the number of them that each of the first
// `hearers` hearers has not heard yet.
static uint64_t hash_values(const weft_world *world, uint32_t event, uint32_t first,
                            uint32_t hearers)
{
    const weft_plan *plan = world->plan;
    const weft_event_plan *e = &plan->events[event];
    const weft_event_info *info = &plan->schema->events[event];
    uint32_t count = world->events.logs[event].count;
    if (first == count) return 0;
    uint64_t h = absorb(absorb_name(START_EVENT, info->name), count - first);
    for (uint32_t i = first; i < count; i++) {
        const void *value = weft_event_value(world, event, i);
        h = absorb_value(h, world, info->fields, info->field_count, value);
    }
    for (uint32_t i = 0; i < hearers; i++) {
        h = absorb(h, count - world->events.heard[e->first_hearer + i]);
    }
    return h;
}

// Hashes the values of an event that systems have not heard yet. Listeners do not count, so that the
// hash does not depend on who watches the world.
static uint64_t hash_event(const weft_world *world, uint32_t event)
{
    const weft_event_plan *e = &world->plan->events[event];
    uint32_t systems = (uint32_t)e->hearer_count - e->listener_count;
    return hash_values(world, event, weft_event_heard_by_systems(world, event), systems);
}

// Absorbs the values that listeners have not heard yet.
static uint64_t absorb_unheard(uint64_t h, const weft_world *world)
{
    for (uint32_t i = 0; i < world->plan->event_count; i++) {
        const weft_event_plan *e = &world->plan->events[i];
        if (e->listener_count == 0) continue;
        h = absorb(h, hash_values(world, i, weft_event_dropped(world, i), e->hearer_count));
    }
    return h;
}

// Sums the names of systems that are switched off, if their switches are saved.
static uint64_t sum_switches(const weft_world *world)
{
    const weft_plan *plan = world->plan;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < plan->switch_count; i++) {
        if (!weft_world_switches(world)[i]) continue;
        sum += absorb_name(START_OFF, plan->schema->systems[plan->switch_systems[i]].name);
    }
    return sum;
}

// Sums each child with its parent and its next sibling.
static uint64_t sum_relation(const weft_world *world, uint32_t relation)
{
    const weft_relation *r = &world->relations[relation];
    const weft_format f = world->plan->format;
    uint64_t name = absorb_name(START_LINK, world->plan->schema->relations[relation].name);
    uint64_t sum = 0;
    for (uint32_t i = 0; i < r->capacity; i++) {
        const weft_node *link = &weft_nodes(r)[i];
        if (link->parent == 0) continue;
        uint64_t h = absorb(name, weft_node_handle(world, f, i + 1));
        h = absorb(h, weft_node_handle(world, f, link->parent));
        sum += absorb(h, weft_node_handle(world, f, link->next));
    }
    return sum;
}

// Sums each link with its value.
static uint64_t sum_links(const weft_world *world, uint32_t link)
{
    const weft_link_info *info = &world->plan->schema->links[link];
    const weft_format f = world->plan->format;
    uint64_t name = absorb_name(START_LINKED, info->name);
    uint64_t sum = 0;
    weft_link_runs runs = weft_link_runs_begin(world, link, 0, UINT32_MAX);
    while (info->save && weft_link_runs_next(&runs)) {
        uint64_t from = absorb(name, weft_link_handle(world, f, runs.from));
        for (uint32_t i = 0; i < runs.run.count; i++) {
            uint64_t h = absorb(from, weft_link_handle(world, f, runs.run.others[i]));
            const unsigned char *value = runs.run.values;
            if (value) value += (size_t)i * info->size;
            sum += absorb_value(h, world, info->fields, info->field_count, value);
        }
    }
    return sum;
}

// Sums the handles of entities that are away.
static uint64_t sum_away(const weft_world *world)
{
    const weft_entities *entities = &world->entities;
    const weft_format f = world->plan->format;
    uint64_t sum = 0;
    for (uint32_t i = 0; entities->away_count != 0 && i < entities->index_count; i++) {
        if (!weft_index_is_away(entities, i)) continue;
        sum += absorb(START_AWAY, weft_handle(f, i, weft_record_at(entities, f, i).table));
    }
    return sum;
}

// Sums a hash over all tables with rows.
static uint64_t sum_tables(const weft_world *world,
                           uint64_t (*hash)(const weft_world *world, const weft_table *table))
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < world->lists.every_table.count; i++) {
        const weft_table *table = world->lists.every_table.tables[i];
        if (table->count != 0) sum += hash(world, table);
    }
    return sum;
}

uint64_t weft_world_hash(const weft_world *world)
{
    uint64_t sum = sum_singletons(world) + sum_tables(world, hash_table) + sum_switches(world);
    sum += sum_away(world);
    for (uint32_t i = 0; i < world->plan->event_count; i++) sum += hash_event(world, i);
    for (uint32_t i = 0; i < world->plan->schema->relation_count; i++) {
        sum += sum_relation(world, i);
    }
    for (uint32_t i = 0; i < world->plan->link_count; i++) sum += sum_links(world, i);
    return sum;
}

// Hashes the order of rows in a table.
static uint64_t hash_rows(const weft_world *world, const weft_table *table)
{
    uint64_t h = absorb(START_ROWS, table->count);
    for (uint32_t row = 0; row < table->count; row++) h = absorb(h, row_handle(world, table, row));
    return h;
}

static uint64_t absorb_sparse(uint64_t h, const weft_sparse *sparse)
{
    const uint32_t *owners = (const uint32_t *)(const void *)sparse->owners.base;
    uint32_t count = weft_sparse_count(sparse);
    h = absorb(h, count);
    for (uint32_t slot = 0; slot < count; slot++) h = absorb(h, owners[slot]);
    return h;
}

static uint64_t absorb_indices(uint64_t h, const weft_entities *entities, weft_format f)
{
    h = absorb(h, entities->index_count);
    for (uint32_t i = 0; i < entities->index_count; i++) {
        weft_wide_record record = weft_record_at(entities, f, i);
        h = absorb(h, record.generation != 0 ? record.generation : record.table);
    }
    h = absorb(h, entities->free_count);
    uint32_t index = entities->free_head;
    for (uint32_t i = 0; i < entities->free_count; i++) {
        h = absorb(h, index);
        index = weft_record_at(entities, f, index).row;
    }
    return absorb(h, entities->retired);
}

// Absorbs the changes of a table that a reader has not seen, and those that are visible to it.
// Incoming changes count as unseen, whichever reader had the last turn.
static uint64_t absorb_watch(uint64_t h, const weft_world *world, const weft_table *table,
                             const weft_watch_plan *watch)
{
    const weft_change_bits *bits = &table->change_bits;
    bool incoming = watch->unseen != watch->incoming && world->changes.listening[watch->unseen];
    for (uint32_t word = 0; word < (table->count + 63) / 64; word++) {
        uint64_t unseen = weft_change_words(bits, watch->unseen, word).words[0];
        if (incoming) unseen |= weft_change_words(bits, watch->incoming, word).words[0];
        h = absorb(h, unseen);
        if (watch->visible == watch->unseen) continue;
        h = absorb(h, weft_change_words(bits, watch->visible, word).words[0]);
    }
    return h;
}

static uint64_t hash_change_bits(const weft_world *world, const weft_table *table)
{
    uint64_t h = START_CHANGE_BITS;
    for (uint32_t reader = 0; reader < world->plan->reader_count; reader++) {
        const weft_reader_plan *r = &world->plan->readers[reader];
        for (uint32_t i = 0; i < r->watch_count; i++) {
            const weft_watch_plan *watch = &r->watches[i];
            if (!watch->singleton) h = absorb_watch(h, world, table, watch);
        }
    }
    return absorb(h, row_handle(world, table, 0));
}

// Absorbs what a reader has not seen of singletons, and what is visible to it. Singletons that a
// load sets to their defaults are left out.
static uint64_t absorb_flags(uint64_t h, const weft_world *world, uint32_t reader)
{
    const weft_reader_plan *r = &world->plan->readers[reader];
    for (uint32_t i = 0; i < r->watch_count; i++) {
        const weft_watch_plan *watch = &r->watches[i];
        if (!watch->singleton) continue;
        h = absorb(h, world->changes.listening[watch->unseen]);
        if (!world->plan->schema->singletons[watch->component].save) continue;
        h = absorb(h, weft_flag_unseen(world, watch));
        h = absorb(h, weft_flag_shown(world, watch));
    }
    return h;
}

// Absorbs the removals that readers have not seen yet.
static uint64_t absorb_removed(uint64_t h, const weft_world *world, uint32_t removal)
{
    const weft_plan *plan = world->plan;
    const weft_removal_plan *r = &plan->removals[removal];
    const weft_removed *log = &world->changes.removed[removal];
    h = absorb(h, log->count);
    for (uint32_t i = 0; i < log->count; i++) {
        h = absorb(h, weft_handle_load(plan->format, log->handles.base, i));
        if (!r->value) continue;
        const weft_component_info *info = &plan->schema->components[r->component];
        if (!info->save) continue;
        h = absorb_value(h, world, info->fields, info->field_count,
                         log->values.base + (size_t)i * info->size);
    }
    return h;
}

uint64_t weft_world_hash_exact(const weft_world *world, const double *clocks, uint32_t clock_count)
{
    const weft_plan *plan = world->plan;
    uint64_t h = absorb(START_EXACT, weft_world_hash(world));
    h = absorb(h, sum_tables(world, hash_rows));
    for (uint32_t i = 0; i < plan->sparse_count; i++) h = absorb_sparse(h, &world->sparse[i]);
    h = absorb_indices(h, &world->entities, plan->format);
    if (plan->change_set_count != 0) h = absorb(h, sum_tables(world, hash_change_bits));
    for (uint32_t i = 0; i < plan->change_set_count; i++) {
        if (!plan->indexes_only || !plan->indexes_only[i])
            h = absorb(h, world->changes.listening[i]);
    }
    for (uint32_t i = 0; i < plan->reader_count; i++) h = absorb_flags(h, world, i);
    for (uint32_t i = 0; i < plan->removal_count; i++) h = absorb_removed(h, world, i);
    h = absorb_unheard(h, world);
    h = absorb(h, world->tick);
    if (plan->rng != 0) h = absorb(h, world->seed);
    h = absorb(h, clock_count);
    for (uint32_t i = 0; i < clock_count; i++) {
        h = absorb(h, weft_bits_read(&clocks[i], (uint32_t)sizeof clocks[i]));
    }
    return h;
}
