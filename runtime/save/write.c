// Each section is a function that puts its words, called once to count and once for good.
#include "write.h"

#include "../query/sparse_rows.h"
#include "../run/system.h"
#include "change_bits.h"
#include "events.h"
#include "relations.h"
#include "removed.h"
#include "schema.h"
#include "values.h"

#define ROOM_BYTES ((size_t)8 * 1024)

// What a section is about: the saver, and a table, store or singleton by its number.
typedef struct part {
    const weft_saver *saver;
    uint32_t number;
} part;

static const part *part_of(const void *context)
{
    return (const part *)context;
}

// ------------------------------------------------------------------------------------------------
// Columns

void weft_put_values(const weft_saver *saver, weft_sink *sink, const weft_field *fields,
                     uint32_t count, const void *rows, uint64_t row_count, uint32_t size)
{
    const weft_schema *schema = saver->world->plan->schema;
    const unsigned char *at = (const unsigned char *)rows;
    if (!sink->write || weft_values_ready(schema, fields, count, size)) {
        weft_put_bytes(sink, rows, (size_t)row_count * size);
        return;
    }
    const size_t most = saver->room_bytes / size;
    weft_loose loose = {.sink = sink};
    while (row_count != 0) {
        size_t some = row_count < most ? (size_t)row_count : most;
        weft_values_copy(schema, fields, count, size, saver->room, at, some);
        weft_put_loose(&loose, saver->room, some * size);
        at += some * size;
        row_count -= some;
    }
    weft_end_loose(&loose);
}

static void put_column(const weft_saver *saver, weft_sink *sink, const weft_table *table,
                       uint32_t column)
{
    const weft_plan *plan = saver->world->plan;
    uint32_t c = plan->columns[column].component;
    const weft_component_info *info = &plan->schema->components[c];
    uint32_t size = plan->columns[column].size;
    uint32_t field = info->soa ? column - plan->components[c].first_column : 0;
    weft_put_values(saver, sink, info->fields + field, info->soa ? 1 : info->field_count,
                    weft_column(table, column), table->count, size);
}

// ------------------------------------------------------------------------------------------------
// Sections

static void put_entities(weft_sink *sink, const void *context)
{
    const weft_world *world = part_of(context)->saver->world;
    const weft_entities *entities = &world->entities;
    weft_format f = world->plan->format;
    weft_loose loose = {.sink = sink};
    weft_put_word(sink, weft_entities_live(entities));
    weft_put_word(sink, entities->free_count);
    weft_put_word(sink, entities->retired);
    uint32_t index = entities->free_head;
    for (uint32_t i = 0; i < entities->free_count; i++) {
        uint32_t behind;
        uint32_t next = weft_free_record(entities, f, index, &behind);
        weft_put_loose_number(&loose, weft_handle(f, index, next), f.handle_bytes);
        index = behind;
    }
    weft_end_loose(&loose);
    uint32_t left = entities->retired;
    for (uint32_t i = 0; left != 0; i++) {
        if (!weft_index_is_retired(entities, f, i)) continue;
        weft_put_loose_number(&loose, i, sizeof i);
        left--;
    }
    weft_end_loose(&loose);
}

// Whether a bitset is written: somebody has it, and it is saved.
static bool bitset_is_put(const weft_world *world, const weft_table *table, uint32_t column)
{
    uint32_t component = world->plan->columns[column].component;
    uint16_t store = world->plan->components[component].sparse;
    if (store != WEFT_NONE) return weft_sparse_rows_count(world, table, store, column) != 0;
    return world->plan->schema->components[component].save &&
           table->bitset_counts[column - world->plan->first_bitset] != 0;
}

static void put_table_head(weft_sink *sink, const weft_world *world, const weft_table *table)
{
    const weft_plan *plan = world->plan;
    uint32_t components = 0;
    uint32_t bitsets = 0;
    for (uint32_t c = 0; c < plan->component_count; c++) components += weft_set_has(table->set, c);
    for (uint32_t column = plan->first_bitset; column < plan->column_count; column++) {
        bitsets += bitset_is_put(world, table, column);
    }
    weft_put_word(sink, table->count);
    weft_put_word(sink, components);
    weft_put_word(sink, bitsets);
    for (uint32_t c = 0; c < plan->component_count; c++) {
        if (weft_set_has(table->set, c)) weft_put_word(sink, c);
    }
    for (uint32_t column = plan->first_bitset; column < plan->column_count; column++) {
        if (bitset_is_put(world, table, column)) {
            weft_put_word(sink, plan->columns[column].component);
        }
    }
}

static void put_table(weft_sink *sink, const void *context)
{
    const part *p = part_of(context);
    const weft_plan *plan = p->saver->world->plan;
    const weft_table *table = p->saver->tables[p->number];
    put_table_head(sink, p->saver->world, table);
    weft_put_numbers(sink, weft_column(table, 0), table->count, plan->format.handle_bytes);
    for (uint32_t column = 1; column < plan->first_bitset; column++) {
        uint32_t c = plan->columns[column].component;
        if (weft_set_has(table->set, c) && plan->schema->components[c].save) {
            put_column(p->saver, sink, table, column);
        }
    }
    for (uint32_t column = plan->first_bitset; column < plan->column_count; column++) {
        if (bitset_is_put(p->saver->world, table, column)) {
            weft_put_numbers(sink, weft_column(table, column), (table->count + 63) / 64,
                             sizeof(uint64_t));
        }
    }
}

static void put_sparse(weft_sink *sink, const void *context)
{
    const part *p = part_of(context);
    const weft_plan *plan = p->saver->world->plan;
    const weft_sparse *sparse = &p->saver->world->sparse[p->number];
    uint32_t count = weft_sparse_count(sparse);
    uint32_t c = plan->sparse_components[p->number];
    const weft_component_info *info = &plan->schema->components[c];
    weft_put_word(sink, c);
    weft_put_word(sink, count);
    weft_put_numbers(sink, sparse->owners.base, count, sizeof(uint32_t));
    if (!info->save) return;
    weft_put_values(p->saver, sink, info->fields, info->field_count, sparse->values.base, count,
                    sparse->size);
}

static void put_singleton(weft_sink *sink, const void *context)
{
    const part *p = part_of(context);
    const weft_world *world = p->saver->world;
    const weft_singleton_info *info = &world->plan->schema->singletons[p->number];
    weft_put_word(sink, p->number);
    weft_put_values(p->saver, sink, info->fields, info->field_count,
                    (const unsigned char *)world + info->offset, 1, info->size);
}

static void put_clocks(weft_sink *sink, const void *context)
{
    const weft_world *world = part_of(context)->saver->world;
    const weft_plan *plan = world->plan;
    const weft_clock *clocks = weft_world_clocks(world);
    weft_put_word(sink, world->tick);
    weft_put_word(sink, world->provisional.first);
    weft_put_word(sink, plan->clock_count);
    for (uint32_t i = 0; i < plan->clock_count; i++) {
        weft_put_text(sink, plan->schema->systems[plan->clock_systems[i]].name);
        weft_put_word(sink, weft_bits_read(&clocks[i].waited, (uint32_t)sizeof(double)));
        weft_put_word(sink, weft_bits_read(&clocks[i].elapsed, (uint32_t)sizeof(double)));
    }
}

static void put_event(weft_sink *sink, const void *context)
{
    weft_put_event(sink, part_of(context)->saver, part_of(context)->number);
}

static void put_relation(weft_sink *sink, const void *context)
{
    weft_put_relation(sink, part_of(context)->saver, part_of(context)->number);
}

static void put_removed(weft_sink *sink, const void *context)
{
    weft_put_removed(sink, part_of(context)->saver, part_of(context)->number);
}

static void put_marks(weft_sink *sink, const void *context)
{
    weft_put_marks(sink, part_of(context)->saver);
}

static void put_nothing(weft_sink *sink, const void *context)
{
    (void)sink;
    (void)context;
}

// ------------------------------------------------------------------------------------------------
// The whole

static void put_sections(const weft_saver *saver, weft_sink *sink)
{
    const weft_plan *plan = saver->world->plan;
    part p = {saver, 0};
    weft_put_section(sink, WEFT_SECTION_SCHEMA, 0, weft_put_schema, plan->schema);
    weft_put_section(sink, WEFT_SECTION_ENTITIES, 0, put_entities, &p);
    for (p.number = 0; p.number < saver->table_count; p.number++) {
        weft_put_section(sink, WEFT_SECTION_TABLE, 0, put_table, &p);
    }
    for (p.number = 0; p.number < plan->sparse_count; p.number++) {
        if (weft_sparse_count(&saver->world->sparse[p.number]) == 0) continue;
        weft_put_section(sink, WEFT_SECTION_SPARSE, 0, put_sparse, &p);
    }
    for (p.number = 0; p.number < plan->schema->singleton_count; p.number++) {
        if (!plan->schema->singletons[p.number].save) continue;
        weft_put_section(sink, WEFT_SECTION_SINGLETON, 0, put_singleton, &p);
    }
    weft_put_section(sink, WEFT_SECTION_CLOCKS, 0, put_clocks, &p);
    for (p.number = 0; p.number < plan->event_count; p.number++) {
        if (!weft_event_is_put(saver->world, p.number)) continue;
        weft_put_section(sink, WEFT_SECTION_EVENT, 0, put_event, &p);
    }
    for (p.number = 0; p.number < plan->schema->relation_count; p.number++) {
        if (!weft_relation_is_put(saver->world, p.number)) continue;
        weft_put_section(sink, WEFT_SECTION_RELATION, 0, put_relation, &p);
    }
    for (p.number = 0; p.number < plan->removal_count; p.number++) {
        if (!weft_removed_is_put(saver->world, p.number)) continue;
        weft_put_section(sink, WEFT_SECTION_REMOVED, WEFT_SECTION_SKIP, put_removed, &p);
    }
    if (plan->change_set_count != 0) {
        weft_put_section(sink, WEFT_SECTION_CHANGE_BITS, WEFT_SECTION_SKIP, put_marks, &p);
    }
    weft_put_section(sink, WEFT_SECTION_END, 0, put_nothing, &p);
}

void weft_saver_put(const weft_saver *saver, weft_sink *sink)
{
    weft_checksum_begin(&sink->sum);
    weft_put_word(sink, WEFT_SAVE_MAGIC);
    weft_put_word(sink, WEFT_SAVE_VERSION);
    weft_put_word(sink, saver->bytes);
    weft_put_word(sink, weft_checksum_end(&sink->sum));
    put_sections(saver, sink);
}

// Room for so many values as stay near the processor, and for any one at least.
static size_t room_bytes(const weft_schema *schema)
{
    size_t most = ROOM_BYTES;
    for (uint32_t i = 0; i < schema->component_count; i++) {
        if (schema->components[i].size > most) most = schema->components[i].size;
    }
    for (uint32_t i = 0; i < schema->singleton_count; i++) {
        if (schema->singletons[i].size > most) most = schema->singletons[i].size;
    }
    for (uint32_t i = 0; i < schema->event_count; i++) {
        if (schema->events[i].size > most) most = schema->events[i].size;
    }
    return most;
}

bool weft_saver_open(weft_saver *saver, const weft_world *world, weft_scratch *scratch)
{
    *saver = (weft_saver){.world = world};
    saver->tables =
        (const weft_table **)weft_scratch_take(scratch, world->tables.count, sizeof *saver->tables);
    saver->room_bytes = room_bytes(world->plan->schema);
    saver->room = (unsigned char *)weft_scratch_take(scratch, saver->room_bytes, 1);
    if (!saver->tables || !saver->room) return false;
    for (uint32_t i = 0; i < world->every_table.count; i++) {
        const weft_table *table = world->every_table.tables[i];
        if (table->count != 0) saver->tables[saver->table_count++] = table;
    }
    weft_sink counter = {.write = NULL};
    weft_saver_put(saver, &counter);
    saver->bytes = counter.bytes;
    return true;
}
