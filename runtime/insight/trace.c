// Copies of values, how they are compared, and the ring of what differed.
#include "trace.h"

#include "../plan/fields.h"
#include "../world/report.h"
#include "../world/rows.h"
#include "leaf.h"
#include "place.h"

#include <string.h>

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

typedef struct weft_tracing {
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
    bool blind;     // there was no memory for copies
} weft_tracing;

// A component at work.
typedef struct traced {
    weft_world *world;
    weft_tracing *tracing;
    const weft_component_info *info;
    const weft_component_plan *plan;
    uint16_t of;
    bool singleton;
    uint64_t handle;
    uint32_t seen; // entities that have it, of those whose copies say that they had it
} traced;

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
    if (t->blind) return false;
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

// Compares a member, of which one may be NULL.
static void compare_member(const traced *c, const weft_field *field, uint32_t offset,
                           const unsigned char *before, const unsigned char *after)
{
    const uint32_t count_bytes = (uint32_t)sizeof(uint32_t);
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
    for (uint32_t i = 0; i < had || i < has; i++) {
        uint32_t at = field->items_offset + i * field->element_size;
        compare_element(c, field, offset + at, i < had ? before + at : NULL,
                        i < has ? after + at : NULL);
    }
}

static void compare_fields(const traced *c, const weft_field *fields, uint32_t count,
                           uint32_t offset, const unsigned char *before, const unsigned char *after)
{
    for (uint32_t i = 0; i < count; i++) {
        const weft_field *field = &fields[i];
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

static void look_at_table(traced *c, const weft_table *table)
{
    weft_format f = c->world->plan->format;
    const void *handles = weft_column(table, 0);
    for (uint32_t row = 0; row < table->count; row++) {
        c->handle = weft_handle_load(f, handles, row);
        uint32_t index = weft_handle_index(f, c->handle);
        bool there = was_there(c, index);
        for (uint32_t i = 0; i < c->plan->column_count; i++) {
            uint32_t column = (uint32_t)c->plan->first_column + i;
            const copies *of = &c->tracing->columns[column];
            const unsigned char *cell =
                (const unsigned char *)weft_column(table, column) + (size_t)row * of->bytes;
            compare_cell(c, of, c->info->soa ? &c->info->fields[i] : NULL, index, cell, there);
        }
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

static void look_at_component(traced *c)
{
    const weft_world *world = c->world;
    bool sparse = c->info->storage == WEFT_STORAGE_SPARSE;
    if (sparse) look_at_store(c);
    for (uint32_t i = 0; !sparse && i < world->every_table.count; i++) {
        const weft_table *table = world->every_table.tables[i];
        if (c->info->storage == WEFT_STORAGE_TAG) {
            look_at_tags(c, table);
        } else if (weft_set_has(table->set, c->of)) {
            look_at_table(c, table);
        }
    }
    find_lost(c);
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
            memcmp(copy, value, info->size) != 0) {
            compare_fields(&c, info->fields, info->field_count, 0, copy, value);
            memcpy(copy, value, info->size);
        }
        copy += info->size;
    }
}

void weft_tracing_look(weft_world *world, const uint64_t *set, bool all)
{
    const weft_plan *plan = world->plan;
    weft_tracing *t = world->watching->tracing;
    look_at_singletons(world, set);
    if (!copies_ready(world, t)) return;
    for (uint32_t i = 0; i < plan->schema->component_count; i++) {
        if (!weft_set_has(set, i)) continue;
        traced c = {.world = world,
                    .tracing = t,
                    .info = &plan->schema->components[i],
                    .plan = &plan->components[i],
                    .of = (uint16_t)i};
        look_at_component(&c);
    }
    if (all) note_owners(world, t);
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

uint32_t weft_trace(weft_world *world, uint64_t handle, const char *path, weft_write *writes,
                    uint32_t most)
{
    uint32_t found = 0;
    weft_place_span span;
    if (!world->watching || !world->watching->tracing) {
        weft_report(world, WEFT_REFUSED, "writes are kept with weft_options.watch");
        return 0;
    }
    if (!weft_place_find(world, path, &span)) return 0;
    weft_insight_writer(world, world->watching->writer, world->watching->commands);
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
