// Copies of values, how they are compared, and the ring of what differed.
#include "trace.h"

#include "../plan/fields.h"
#include "../world/report.h"
#include "../world/rows.h"
#include "leaf.h"
#include "place.h"

#include <string.h>

#define PIECE_BYTES 4096u // of a singleton, compared at once
#define RUN_ROWS 8u       // of a column, compared at once where not all are equal
#define RUN_ITEMS 32u     // of an array, compared at once

#define KEPT_BYTES 24u // of a value: all of a number or a handle, the beginning of a string

// A value that differed, or a component that came or went.
typedef struct written {
    uint64_t tick;
    const char *writer; // NULL: the game
    uint64_t handle;    // 0: a singleton
    uint32_t offset;    // of the value in the plain struct
    uint16_t of;        // component or singleton
    uint8_t kind;       // weft_write_kind
    bool commands;
    uint8_t before_bytes; // 0: there was no such item in the list
    uint8_t after_bytes;
    unsigned char before[KEPT_BYTES];
    unsigned char after[KEPT_BYTES];
} written;

// Items by the index of entities.
typedef struct copies {
    unsigned char *items;
    uint32_t capacity;
    uint32_t bytes; // of an item
} copies;

typedef struct traced traced;

typedef struct weft_tracing {
    traced *work;        // by component
    traced **in_table;   // those that are looked at in the table at hand
    copies *columns;     // of table components
    copies *stores;      // of sparse components
    copies *there;       // by component: a byte each, whether the entity has it
    uint32_t *counts;    // by component: of those
    copies handles;      // to whom the copies of an index belong
    unsigned char *once; // the singletons, one behind the other
    size_t once_bytes;
    written *ring;
    uint32_t capacity;
    uint64_t count; // of writes so far
    struct aligned *aligned;
    uint32_t aligned_count;
    uint32_t aligned_capacity;
    uint32_t aligned_at; // world->moves as these were found
    uint32_t indices;    // that there are copies for
    bool blind;          // there was no memory for copies
    bool strangers;      // an index has another owner than its copies have
} weft_tracing;

// Rows of a table whose copies belong to them, and lie side by side as they do.
typedef struct aligned {
    const weft_table *table;
    uint32_t row;
    uint32_t index;
    uint32_t count;
} aligned;

// A component at work.
struct traced {
    weft_world *world;
    weft_tracing *tracing;
    const weft_component_info *info;
    const weft_component_plan *plan;
    uint16_t of;
    bool singleton;
    uint64_t handle;
    uint32_t seen;  // entities that have it
    uint32_t first; // bytes of the plain struct in which anything differs
    uint32_t end;
};

// ------------------------------------------------------------------------------------------------
// Opening and closing

static size_t singletons_bytes(const weft_schema *schema)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < schema->singleton_count; i++) bytes += schema->singletons[i].size;
    return bytes;
}

// Copies the singletons of a world, which come one behind the other.
static void copy_singletons(const weft_world *world, unsigned char *to)
{
    const weft_schema *schema = world->plan->schema;
    for (uint32_t i = 0; i < schema->singleton_count; i++) {
        const weft_singleton_info *info = &schema->singletons[i];
        memcpy(to, (const unsigned char *)world + info->offset, info->size);
        to += info->size;
    }
}

bool weft_tracing_open(weft_world *world, uint32_t writes)
{
    const weft_plan *plan = world->plan;
    weft_heap *heap = &world->heap;
    uint32_t components = plan->schema->component_count;
    weft_tracing *t = (weft_tracing *)weft_allocate_zeroed(heap, sizeof *t);
    if (!t) return false;
    world->watching->tracing = t;
    t->once_bytes = singletons_bytes(plan->schema);
    t->capacity = writes;
    t->handles.bytes = (uint32_t)sizeof(uint64_t);
    if (!weft_array_open(heap, &t->columns, plan->first_bitset, sizeof *t->columns) ||
        !weft_array_open(heap, &t->stores, plan->sparse_count, sizeof *t->stores) ||
        !weft_array_open(heap, &t->there, components, sizeof *t->there) ||
        !weft_array_open(heap, &t->counts, components, sizeof *t->counts) ||
        !weft_array_open(heap, &t->work, components, sizeof *t->work) ||
        !weft_array_open(heap, &t->in_table, components, sizeof *t->in_table) ||
        !weft_array_open(heap, &t->once, t->once_bytes, 1) ||
        !weft_array_open(heap, &t->ring, writes, sizeof *t->ring)) {
        return false;
    }
    for (uint32_t i = 0; i < plan->first_bitset; i++) t->columns[i].bytes = plan->columns[i].size;
    for (uint32_t i = 0; i < plan->sparse_count; i++) t->stores[i].bytes = world->sparse[i].size;
    for (uint32_t i = 0; i < components; i++) t->there[i].bytes = 1;
    copy_singletons(world, t->once);
    return true;
}

static void free_copies(weft_heap *heap, copies *some, uint32_t count)
{
    for (uint32_t i = 0; some && i < count; i++) {
        weft_free(heap, some[i].items, (size_t)some[i].capacity * some[i].bytes);
    }
}

void weft_tracing_close(weft_world *world)
{
    const weft_plan *plan = world->plan;
    weft_heap *heap = &world->heap;
    weft_tracing *t = world->watching->tracing;
    uint32_t components = plan->schema->component_count;
    if (!t) return;
    free_copies(heap, t->columns, plan->first_bitset);
    free_copies(heap, t->stores, plan->sparse_count);
    free_copies(heap, t->there, components);
    free_copies(heap, &t->handles, 1);
    weft_free(heap, t->columns, plan->first_bitset * sizeof *t->columns);
    weft_free(heap, t->stores, plan->sparse_count * sizeof *t->stores);
    weft_free(heap, t->there, components * sizeof *t->there);
    weft_free(heap, t->counts, components * sizeof *t->counts);
    weft_free(heap, t->aligned, t->aligned_capacity * sizeof *t->aligned);
    weft_free(heap, t->work, components * sizeof *t->work);
    weft_free(heap, t->in_table, components * sizeof *t->in_table);
    weft_free(heap, t->once, t->once_bytes);
    weft_free(heap, t->ring, t->capacity * sizeof *t->ring);
    weft_free(heap, t, sizeof *t);
    world->watching->tracing = NULL;
}

static bool grow(weft_heap *heap, copies *some, uint32_t count, uint32_t indices)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!weft_array_grow(heap, &some[i].items, &some[i].capacity, indices, some[i].bytes)) {
            return false;
        }
    }
    return true;
}

// Makes copies for all indices there are. Without memory for them nothing is watched any more.
static bool copies_ready(weft_world *world, weft_tracing *t)
{
    const weft_plan *plan = world->plan;
    weft_heap *heap = &world->heap;
    uint32_t indices = world->entities.index_count;
    if (t->blind || indices <= t->indices) return !t->blind;
    t->indices = indices;
    t->blind = !grow(heap, &t->handles, 1, indices) ||
               !grow(heap, t->there, plan->schema->component_count, indices) ||
               !grow(heap, t->stores, plan->sparse_count, indices) ||
               !grow(heap, t->columns + 1, plan->first_bitset - 1u, indices);
    if (t->blind) {
        weft_report(world, WEFT_NO_MEMORY, "no memory to watch values: writes are no longer kept");
    }
    return !t->blind;
}

// ------------------------------------------------------------------------------------------------
// The ring

static written *next_record(const traced *c, weft_write_kind kind, uint64_t handle)
{
    weft_tracing *t = c->tracing;
    const weft_watching *w = c->world->watching;
    written *r = &t->ring[t->count++ % t->capacity];
    *r = (written){.tick = c->world->tick,
                   .writer = w->writer,
                   .commands = w->commands,
                   .handle = handle,
                   .of = c->of,
                   .kind = (uint8_t)(c->singleton ? kind | WEFT_WRITE_SINGLETON : kind)};
    return r;
}

static uint8_t keep(unsigned char *to, const void *value, uint32_t bytes)
{
    uint32_t kept = !value ? 0 : bytes < KEPT_BYTES ? bytes : KEPT_BYTES;
    if (kept != 0) memcpy(to, value, kept);
    return (uint8_t)kept;
}

// Keeps a value that differs. NULL: the list had, or has, no such item.
static void keep_value(const traced *c, uint32_t offset, const void *before, const void *after,
                       uint32_t bytes)
{
    written *r = next_record(c, WEFT_WRITE_VALUE, c->handle);
    r->offset = offset;
    r->before_bytes = keep(r->before, before, bytes);
    r->after_bytes = keep(r->after, after, bytes);
}

static void compare_fields(const traced *c, const weft_field *fields, uint32_t count,
                           uint32_t offset, const unsigned char *before,
                           const unsigned char *after);

// Compares an element; the one that is NULL is not there.
static void compare_element(const traced *c, const weft_field *field, uint32_t offset,
                            const unsigned char *before, const unsigned char *after)
{
    const weft_struct_info *inner = weft_field_struct(c->world->plan->schema, field);
    uint32_t bytes = field->element_size;
    if (inner) {
        compare_fields(c, inner->fields, inner->field_count, offset, before, after);
    } else if (!before || !after || memcmp(before, after, bytes) != 0) {
        keep_value(c, offset, before, after, bytes);
    }
}

// Compares two elements; most are numbers, for which a call would take longer than the comparison.
static inline bool are_equal(const unsigned char *before, const unsigned char *after,
                             uint32_t bytes)
{
    bool number = bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
    if (number) return weft_bits_read(before, bytes) == weft_bits_read(after, bytes);
    return memcmp(before, after, bytes) == 0;
}

// Returns the first item of a member in the bytes in which anything differs.
static uint32_t first_item(const traced *c, const weft_field *field, uint32_t offset)
{
    uint32_t items = offset + field->items_offset;
    return c->first <= items ? 0 : (c->first - items) / field->element_size;
}

// Compares a member, of which one may be NULL.
static void compare_member(const traced *c, const weft_field *field, uint32_t offset,
                           const unsigned char *before, const unsigned char *after)
{
    const uint32_t count_bytes = (uint32_t)sizeof(uint32_t);
    bool at_once = before && after && field->size <= PIECE_BYTES;
    if (at_once && memcmp(before, after, field->size) == 0) return;
    if (field->shape == WEFT_SHAPE_STRING) {
        const void *either = before ? before : after;
        uint32_t bytes = weft_string_bytes(field, before ? before : after);
        bool equal = before && after && bytes == weft_string_bytes(field, after) &&
                     memcmp(before, after, bytes) == 0;
        if (!equal && either) keep_value(c, offset, before, after, field->count);
        return;
    }
    bool list = field->shape == WEFT_SHAPE_LIST;
    if (list && (!before || !after || memcmp(before, after, count_bytes) != 0)) {
        keep_value(c, offset, before, after, count_bytes);
    }
    uint32_t had = before ? weft_member_count(field, before) : 0;
    uint32_t has = after ? weft_member_count(field, after) : 0;
    for (uint32_t i = first_item(c, field, offset); i < had || i < has; i++) {
        uint32_t at = field->items_offset + i * field->element_size;
        if (offset + at >= c->end) return;
        if (i % RUN_ITEMS == 0 && i + RUN_ITEMS <= had && i + RUN_ITEMS <= has &&
            memcmp(before + at, after + at, (size_t)RUN_ITEMS * field->element_size) == 0) {
            i += RUN_ITEMS - 1;
            continue;
        }
        bool both = i < had && i < has;
        if (both && are_equal(before + at, after + at, field->element_size)) continue;
        compare_element(c, field, offset + at, i < had ? before + at : NULL,
                        i < has ? after + at : NULL);
    }
}

static void compare_fields(const traced *c, const weft_field *fields, uint32_t count,
                           uint32_t offset, const unsigned char *before, const unsigned char *after)
{
    for (uint32_t i = 0; i < count; i++) {
        const weft_field *field = &fields[i];
        uint32_t at = offset + field->offset;
        if (at >= c->end || at + field->size <= c->first) continue;
        compare_member(c, field, offset + field->offset, before ? before + field->offset : NULL,
                       after ? after + field->offset : NULL);
    }
}

// ------------------------------------------------------------------------------------------------
// Entities

static uint64_t *owner_of(const weft_tracing *t, uint32_t index)
{
    return (uint64_t *)(void *)t->handles.items + index;
}

// Says whether the copy of an index is one of this component and entity. If not, the component has
// come, and so that is kept.
static bool was_there(traced *c, uint32_t index)
{
    weft_tracing *t = c->tracing;
    unsigned char *there = &t->there[c->of].items[index];
    uint64_t owner = *owner_of(t, index);
    c->seen++;
    if (*there && owner == c->handle) return true;
    if (*there) {
        next_record(c, WEFT_WRITE_REMOVED, owner);
    } else {
        t->counts[c->of]++;
    }
    *there = 1;
    next_record(c, WEFT_WRITE_ADDED, c->handle);
    return false;
}

// Compares what lies at a row, all of a plain struct or one field, with its copy.
static inline void compare_cell(const traced *c, const copies *of, const weft_field *field,
                                uint32_t index, const unsigned char *cell, bool there)
{
    unsigned char *copy = of->items + (size_t)index * of->bytes;
    if (memcmp(copy, cell, of->bytes) == 0) return;
    if (there && field) {
        compare_member(c, field, field->offset, copy, cell);
    } else if (there) {
        compare_fields(c, c->info->fields, c->info->field_count, 0, copy, cell);
    }
    memcpy(copy, cell, of->bytes);
}

// Looks at a row whose copies may belong to another entity, or be none of this component.
static void look_at_row(traced *c, const weft_table *table, uint32_t row, uint64_t handle)
{
    uint32_t index = weft_handle_index(c->world->plan->format, handle);
    c->handle = handle;
    bool there = was_there(c, index);
    for (uint32_t i = 0; i < c->plan->column_count; i++) {
        uint32_t column = (uint32_t)c->plan->first_column + i;
        const copies *of = &c->tracing->columns[column];
        const unsigned char *cell =
            (const unsigned char *)weft_column(table, column) + (size_t)row * of->bytes;
        compare_cell(c, of, c->info->soa ? &c->info->fields[i] : NULL, index, cell, there);
    }
}

// Compares one column of aligned rows with its copies, a few rows at once.
static void compare_column(traced *c, const aligned *rows, uint32_t number)
{
    uint32_t column = (uint32_t)c->plan->first_column + number;
    weft_format f = c->world->plan->format;
    const copies *of = &c->tracing->columns[column];
    const size_t bytes = of->bytes;
    const weft_field *field = c->info->soa ? &c->info->fields[number] : NULL;
    const void *handles = weft_column(rows->table, 0);
    const unsigned char *cells =
        (const unsigned char *)weft_column(rows->table, column) + rows->row * bytes;
    const unsigned char *items = of->items + rows->index * bytes;
    uint32_t step = rows->count;
    for (uint32_t i = 0; i < rows->count; i += step) {
        uint32_t left = rows->count - i;
        uint32_t some = left < step ? left : step;
        if (memcmp(items + i * bytes, cells + i * bytes, some * bytes) == 0) continue;
        if (step > RUN_ROWS) { // again, from here on by fewer
            step = RUN_ROWS;
            i -= step;
            continue;
        }
        for (uint32_t k = i; k < i + some; k++) {
            c->handle = weft_handle_load(f, handles, rows->row + k);
            compare_cell(c, of, field, rows->index + k, cells + k * bytes, true);
        }
    }
}

// Looks at rows that are aligned.
static void look_at_rows(traced *c, const aligned *rows)
{
    weft_format f = c->world->plan->format;
    const void *handles = weft_column(rows->table, 0);
    if (!memchr(c->tracing->there[c->of].items + rows->index, 0, rows->count)) {
        c->seen += rows->count;
        for (uint32_t i = 0; i < c->plan->column_count; i++) compare_column(c, rows, i);
        return;
    }
    for (uint32_t i = 0; i < rows->count; i++) {
        look_at_row(c, rows->table, rows->row + i, weft_handle_load(f, handles, rows->row + i));
    }
}

// Keeps aligned rows for as long as no row moves. Without memory they are found again each time.
static void keep_aligned(weft_world *world, const aligned *rows)
{
    weft_tracing *t = world->watching->tracing;
    if (weft_array_grow(&world->heap, &t->aligned, &t->aligned_capacity, t->aligned_count + 1,
                        sizeof *rows)) {
        t->aligned[t->aligned_count++] = *rows;
    } else {
        t->strangers = true;
    }
}

// Looks at `listed` components of a table.
static void look_at_table(weft_world *world, const weft_table *table, uint32_t listed)
{
    weft_tracing *t = world->watching->tracing;
    weft_format f = world->plan->format;
    const void *handles = weft_column(table, 0);
    for (uint32_t row = 0; row < table->count;) {
        uint64_t handle = weft_handle_load(f, handles, row);
        aligned rows = {table, row, weft_handle_index(f, handle), 0};
        while (*owner_of(t, rows.index + rows.count) == handle) {
            rows.count++;
            if (row + rows.count == table->count) break;
            handle = weft_handle_load(f, handles, row + rows.count);
            if (weft_handle_index(f, handle) != rows.index + rows.count) break;
        }
        for (uint32_t i = 0; i < listed; i++) {
            if (rows.count != 0) {
                look_at_rows(t->in_table[i], &rows);
            } else {
                look_at_row(t->in_table[i], table, row, handle);
            }
        }
        t->strangers |= rows.count == 0;
        if (rows.count != 0) keep_aligned(world, &rows);
        row += rows.count == 0 ? 1 : rows.count;
    }
}

// Looks at the rows of a table that have a tag.
static void look_at_tags(traced *c, const weft_table *table)
{
    weft_format f = c->world->plan->format;
    const void *handles = weft_column(table, 0);
    const uint64_t *words =
        (const uint64_t *)weft_column(table, weft_bitset_column(c->world->plan, c->plan));
    for (uint32_t w = 0; words && w < weft_bits_words(table->count); w++) {
        for (uint64_t left = words[w]; left != 0;) {
            uint32_t row = w * 64 + weft_bits_pop(&left);
            c->handle = weft_handle_load(f, handles, row);
            was_there(c, weft_handle_index(f, c->handle));
        }
    }
}

static void look_at_store(traced *c)
{
    weft_world *world = c->world;
    const weft_sparse *store = &world->sparse[c->plan->sparse];
    const copies *of = &c->tracing->stores[c->plan->sparse];
    const uint32_t *owners = (const uint32_t *)(void *)store->owners.base;
    for (uint32_t slot = 0; slot < weft_sparse_count(store); slot++) {
        uint32_t index = owners[slot];
        c->handle = weft_handle_of(&world->entities, world->plan->format, index);
        bool there = was_there(c, index);
        const unsigned char *value =
            (const unsigned char *)weft_sparse_value(store, slot, store->size);
        compare_cell(c, of, NULL, index, value, there);
    }
}

// Tells whether the entity that an index has now has the component.
static bool has_now(const traced *c, uint32_t index)
{
    const weft_world *world = c->world;
    weft_format f = world->plan->format;
    weft_place at;
    return weft_find(&world->entities, f, weft_handle_of(&world->entities, f, index), &at) &&
           weft_row_has(world->plan, world->tables.items[at.table], at.row, c->of);
}

// Finds the entities that have lost a component, where fewer have it than had it.
static void find_lost(traced *c)
{
    weft_tracing *t = c->tracing;
    copies *there = &t->there[c->of];
    for (uint32_t index = 0; index < there->capacity && c->seen != t->counts[c->of]; index++) {
        if (!there->items[index] || has_now(c, index)) continue;
        there->items[index] = 0;
        t->counts[c->of]--;
        next_record(c, WEFT_WRITE_REMOVED, *owner_of(t, index));
    }
}

// Looks at tags and sparse components, which no column of tables has.
static void look_beside_tables(traced *c)
{
    const weft_world *world = c->world;
    if (c->info->storage == WEFT_STORAGE_SPARSE) look_at_store(c);
    for (uint32_t i = 0; c->info->storage == WEFT_STORAGE_TAG && i < world->every_table.count;
         i++) {
        look_at_tags(c, world->every_table.tables[i]);
    }
}

// Lists the components of a set that a table has. Returns how many they are.
static uint32_t list_in_table(const weft_world *world, const weft_table *table, const uint64_t *set)
{
    weft_tracing *t = world->watching->tracing;
    uint32_t components = world->plan->schema->component_count;
    uint32_t listed = 0;
    for (uint32_t w = 0; w < weft_bits_words(components); w++) {
        for (uint64_t left = table->set[w] & set[w]; left != 0;) {
            t->in_table[listed++] = &t->work[w * 64 + weft_bits_pop(&left)];
        }
    }
    return listed;
}

// Looks at the components of a set where no row has moved since the last time.
static void look_at_aligned(const weft_world *world, const uint64_t *set)
{
    const weft_tracing *t = world->watching->tracing;
    const weft_table *table = NULL;
    uint32_t listed = 0;
    for (uint32_t i = 0; i < t->aligned_count; i++) {
        if (t->aligned[i].table != table) {
            table = t->aligned[i].table;
            listed = list_in_table(world, table, set);
        }
        for (uint32_t k = 0; k < listed; k++) look_at_rows(t->in_table[k], &t->aligned[i]);
    }
}

// Looks at the components of a set in all tables. Relations have no tables, so that their numbers,
// which are those behind components, are in no table's set.
static void look_at_tables(weft_world *world, const uint64_t *set)
{
    weft_tracing *t = world->watching->tracing;
    if (t->aligned_count != 0 && t->aligned_at == world->moves) {
        look_at_aligned(world, set);
        return;
    }
    t->aligned_count = 0;
    t->aligned_at = world->moves;
    for (uint32_t i = 0; i < world->every_table.count; i++) {
        const weft_table *table = world->every_table.tables[i];
        look_at_table(world, table, list_in_table(world, table, set));
    }
    if (t->strangers) t->aligned_count = 0;
}

// Notes the handles that indices have now.
static void note_owners(const weft_world *world, weft_tracing *t)
{
    weft_format f = world->plan->format;
    for (uint32_t i = 0; i < world->every_table.count; i++) {
        const weft_table *table = world->every_table.tables[i];
        const void *handles = weft_column(table, 0);
        for (uint32_t row = 0; row < table->count; row++) {
            uint64_t handle = weft_handle_load(f, handles, row);
            *owner_of(t, weft_handle_index(f, handle)) = handle;
        }
    }
}

// Finds where a value differs from its copy, in pieces. False: nowhere.
static bool find_difference(traced *c, const unsigned char *copy, const unsigned char *value,
                            uint32_t size)
{
    c->first = UINT32_MAX;
    for (uint32_t at = 0; at < size; at += PIECE_BYTES) {
        uint32_t bytes = size - at < PIECE_BYTES ? size - at : PIECE_BYTES;
        if (memcmp(copy + at, value + at, bytes) == 0) continue;
        if (c->first == UINT32_MAX) c->first = at;
        c->end = at + bytes;
    }
    return c->first != UINT32_MAX;
}

static void look_at_singletons(weft_world *world, const uint64_t *set)
{
    const weft_schema *schema = world->plan->schema;
    traced c = {.world = world, .tracing = world->watching->tracing, .singleton = true};
    unsigned char *copy = c.tracing->once;
    for (uint32_t i = 0; i < schema->singleton_count; i++) {
        const weft_singleton_info *info = &schema->singletons[i];
        const unsigned char *value = (const unsigned char *)world + info->offset;
        c.of = (uint16_t)i;
        if (weft_set_has(set, schema->component_count + i) &&
            find_difference(&c, copy, value, info->size)) {
            compare_fields(&c, info->fields, info->field_count, 0, copy, value);
            memcpy(copy + c.first, value + c.first, c.end - c.first);
        }
        copy += info->size;
    }
}

void weft_tracing_look(weft_world *world, const uint64_t *set, bool all)
{
    const weft_plan *plan = world->plan;
    const uint32_t components = plan->schema->component_count;
    weft_tracing *t = world->watching->tracing;
    look_at_singletons(world, set);
    if (!copies_ready(world, t)) return;
    t->strangers = false;
    for (uint32_t i = 0; i < components; i++) {
        if (!weft_set_has(set, i)) continue;
        t->work[i] = (traced){.world = world,
                              .tracing = t,
                              .info = &plan->schema->components[i],
                              .plan = &plan->components[i],
                              .of = (uint16_t)i,
                              .end = UINT32_MAX};
        look_beside_tables(&t->work[i]);
    }
    look_at_tables(world, set);
    for (uint32_t i = 0; i < components; i++) {
        if (weft_set_has(set, i)) find_lost(&t->work[i]);
    }
    if (t->strangers && all) note_owners(world, t);
}

// ------------------------------------------------------------------------------------------------
// Telling of writes

// Says as text what was kept of a value; "": it was not there.
static void tell_value(const weft_plan *plan, weft_leaf_ref leaf, const unsigned char *kept,
                       uint8_t bytes, char text[WEFT_WRITE_TEXT_BYTES])
{
    unsigned char whole[KEPT_BYTES + 1] = {0}; // a string may have no end
    text[0] = '\0';
    if (bytes == 0) return;
    memcpy(whole, kept, bytes);
    leaf.value = whole;
    weft_leaf_text(plan, &leaf, text);
}

static void tell(const weft_world *world, const written *r, weft_write *write)
{
    const weft_schema *schema = world->plan->schema;
    bool singleton = (r->kind & WEFT_WRITE_SINGLETON) != 0;
    *write = (weft_write){.tick = r->tick,
                          .writer = r->writer ? r->writer : "the game",
                          .commands = r->commands,
                          .kind = (weft_write_kind)(r->kind & ~WEFT_WRITE_SINGLETON),
                          .handle = r->handle,
                          .owner = singleton ? schema->singletons[r->of].name
                                             : schema->components[r->of].name};
    if (write->kind != WEFT_WRITE_VALUE) return;
    weft_place_fields of = weft_place_owner(schema, r->of, singleton);
    weft_leaf_ref leaf = weft_place_leaf(schema, of, r->offset, write->path);
    tell_value(world->plan, leaf, r->before, r->before_bytes, write->before);
    tell_value(world->plan, leaf, r->after, r->after_bytes, write->after);
}

uint32_t weft_last_writes(weft_world *world, uint64_t handle, const char *path, weft_write *writes,
                          uint32_t most)
{
    uint32_t found = 0;
    weft_place_span span;
    if (!world->watching || !world->watching->tracing) {
        weft_report(world, WEFT_REFUSED, "writes are kept with weft_options.watch");
        return 0;
    }
    if (!weft_place_find(world, path, &span)) return 0;
    weft_writer(world, world->watching->writer, world->watching->commands);
    const weft_tracing *t = world->watching->tracing;
    uint64_t oldest = t->count > t->capacity ? t->count - t->capacity : 0;
    for (uint64_t i = t->count; i > oldest && found < most; i--) {
        const written *r = &t->ring[(i - 1) % t->capacity];
        bool singleton = (r->kind & WEFT_WRITE_SINGLETON) != 0;
        bool value = (r->kind & ~WEFT_WRITE_SINGLETON) == WEFT_WRITE_VALUE;
        bool inside = !value || (r->offset >= span.first && r->offset < span.end);
        if (r->of != span.of || singleton != span.singleton || !inside) continue;
        if (!singleton && r->handle != handle) continue;
        tell(world, r, &writes[found++]);
    }
    return found;
}
