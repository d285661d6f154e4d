// Values as a save has them: what means something is copied to where there were zeros.
#include "saver.h"

#include "../plan/fields.h"

#define SAVER_BUFFER_BYTES ((size_t)8 * 1024)

static bool struct_is_whole(const weft_schema *schema, const weft_field *fields, uint32_t count,
                            uint32_t size);

// Tells whether a member is in memory what it is in a save: every byte of it means something.
static bool field_is_whole(const weft_schema *schema, const weft_field *field)
{
    const weft_struct_info *inner = weft_field_struct(schema, field);
    bool fixed = field->shape == WEFT_SHAPE_ONE || field->shape == WEFT_SHAPE_ARRAY;
    if (WEFT_BIG_ENDIAN || !field->save || !fixed) return false;
    return !inner || struct_is_whole(schema, inner->fields, inner->field_count, inner->size);
}

static bool struct_is_whole(const weft_schema *schema, const weft_field *fields, uint32_t count,
                            uint32_t size)
{
    uint32_t bytes = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!field_is_whole(schema, &fields[i])) return false;
        if (fields[i].offset != fields->offset + bytes) return false;
        bytes += fields[i].size;
    }
    return bytes == size;
}

static void save_fields(const weft_schema *schema, const weft_field *fields, uint32_t count,
                        weft_cells cells);

static void save_numbers(weft_cells cells, size_t size)
{
    if (!WEFT_BIG_ENDIAN) {
        weft_cells_copy(cells, size);
        return;
    }
    for (size_t i = 0; i < cells.count; i++) {
        weft_cells cell = weft_cells_nth(cells, i);
        weft_little_write(cell.to, (uint32_t)size, weft_bits_read(cell.from, (uint32_t)size));
    }
}

// Saves one element of each member.
static void save_elements(const weft_schema *schema, const weft_field *field, weft_cells cells)
{
    const weft_struct_info *inner = weft_field_struct(schema, field);
    if (inner)
        save_fields(schema, inner->fields, inner->field_count, cells);
    else
        save_numbers(cells, field->element_size);
}

static void save_list(const weft_schema *schema, const weft_field *field, weft_cells cell)
{
    weft_cells items = weft_cells_at(cell, field->items_offset, field->items_offset);
    items.from_stride = items.to_stride = field->element_size;
    items.count = weft_member_count(field, cell.from);
    save_elements(schema, field, items);
}

static void save_member(const weft_schema *schema, const weft_field *field, weft_cells cells)
{
    bool list = field->shape == WEFT_SHAPE_LIST;
    if (!field->save) return;
    if (!list && field->shape != WEFT_SHAPE_STRING) {
        for (uint32_t i = 0; i < field->count; i++) {
            size_t offset = (size_t)i * field->element_size;
            save_elements(schema, field, weft_cells_at(cells, offset, offset));
        }
        return;
    }
    if (list) save_numbers(cells, sizeof(uint32_t));
    for (size_t i = 0; i < cells.count; i++) {
        weft_cells cell = weft_cells_nth(cells, i);
        if (list)
            save_list(schema, field, cell);
        else
            memcpy(cell.to, cell.from, weft_string_bytes(field, cell.from));
    }
}

// Members that touch each other are copied in one piece.
static void save_fields(const weft_schema *schema, const weft_field *fields, uint32_t count,
                        weft_cells cells)
{
    const weft_field *end = fields + count;
    while (fields != end) {
        uint32_t start = fields->offset;
        weft_cells first = weft_cells_at(cells, start, start);
        uint32_t bytes = 0;
        for (; fields != end && field_is_whole(schema, fields); fields++) {
            if (fields->offset != start + bytes) break;
            bytes += fields->size;
        }
        if (bytes != 0)
            weft_cells_copy(first, bytes);
        else
            save_member(schema, fields++, first);
    }
}

// Copies values of `size` bytes each. A field alone is one of a column, and begins where the value
// does, not at its offset in the plain struct.
static void save_values(const weft_schema *schema, const weft_field *fields, uint32_t count,
                        uint32_t size, unsigned char *to, const unsigned char *from,
                        size_t value_count)
{
    weft_cells cells = {from, to, size, size, value_count};
    memset(to, 0, value_count * size);
    if (count == 1)
        save_member(schema, fields, cells);
    else
        save_fields(schema, fields, count, cells);
}

void weft_saver_values(const weft_saver *saver, weft_sink *sink, const weft_field *fields,
                       uint32_t count, const void *rows, uint64_t row_count, uint32_t size)
{
    const weft_schema *schema = saver->world->plan->schema;
    const unsigned char *at = (const unsigned char *)rows;
    if (!sink->write || struct_is_whole(schema, fields, count, size)) {
        weft_write_bytes(sink, rows, (size_t)row_count * size);
        return;
    }
    const size_t most = saver->buffer_bytes / size & ~(size_t)7; // eight of any size are words
    while (row_count != 0) {
        size_t some = row_count < most ? (size_t)row_count : most;
        save_values(schema, fields, count, size, saver->buffer, at, some);
        weft_write_bytes(sink, saver->buffer, some * size);
        at += some * size;
        row_count -= some;
    }
}

// Returns the space for as many values as stay in the cache, but for at least eight of any kind.
static size_t buffer_bytes(const weft_schema *schema)
{
    size_t most = SAVER_BUFFER_BYTES / 8;
    for (uint32_t i = 0; i < schema->component_count; i++) {
        if (schema->components[i].size > most) most = schema->components[i].size;
    }
    for (uint32_t i = 0; i < schema->singleton_count; i++) {
        if (schema->singletons[i].size > most) most = schema->singletons[i].size;
    }
    for (uint32_t i = 0; i < schema->event_count; i++) {
        if (schema->events[i].size > most) most = schema->events[i].size;
    }
    return most * 8;
}

bool weft_saver_open(weft_saver *saver, const weft_world *world, weft_scratch *scratch)
{
    *saver = (weft_saver){.world = world};
    saver->tables = weft_scratch_array(scratch, world->tables.count, sizeof *saver->tables);
    saver->buffer_bytes = buffer_bytes(world->plan->schema);
    saver->buffer = weft_scratch_array(scratch, saver->buffer_bytes, 1);
    if (!saver->tables || !saver->buffer) return false;
    for (uint32_t i = 0; i < world->every_table.count; i++) {
        const weft_table *table = world->every_table.tables[i];
        if (table->count != 0) saver->tables[saver->table_count++] = table;
    }
    return true;
}
