// Prepares values for a save: everything that has a meaning is copied into zeroed memory.
#include "saver.h"

#include "../value/check.h"
#include "../world/report.h"

#include <inttypes.h>
#include <stdio.h>

#define SAVER_BUFFER_BYTES ((size_t)8 * 1024)

static bool struct_is_whole(const weft_schema *schema, const weft_field *fields, uint32_t count,
                            uint32_t size);

// Returns whether a member has the same bytes in memory and in a save: every byte has a meaning.
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

// Adjacent members are copied in one piece.
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

// Copies `count` values, starting at `first`, to the buffer.
static void save_values(const weft_saver *saver, const weft_saved_values *v, uint32_t first,
                        uint32_t count)
{
    const weft_schema *schema = saver->world->plan->schema;
    const unsigned char *from = (const unsigned char *)v->rows + (size_t)first * v->size;
    weft_cells cells = {from, saver->buffer, v->size, v->size, count};
    memset(saver->buffer, 0, (size_t)count * v->size);
    if (v->field_count == 1)
        save_member(schema, v->fields, cells);
    else
        save_fields(schema, v->fields, v->field_count, cells);
}

// Writes the owner of a value: its entity, or which of several values it is.
static void name_owner_saved(const weft_world *world, const weft_saved_values *v, uint32_t row,
                             char text[40])
{
    weft_format f = world->plan->format;
    text[0] = '\0';
    if (v->chosen) row = weft_part_row(v->chosen, v->chosen_at + row);
    if (v->handles || v->indices) {
        uint64_t handle = v->handles ? weft_handle_load(f, v->handles, row)
                                     : weft_handle_of(&world->entities, f, v->indices[row]);
        snprintf(text, 40, " of entity %s", weft_handle_as_text(f, handle).text);
    } else if (v->count != 1) {
        snprintf(text, 40, " (%" PRIu32 " of %" PRIu32 ")", row + 1, v->count);
    }
}

// Writes the message about the first invalid value, starting the search at `row`.
static void refuse_values(const weft_saver *saver, const weft_saved_values *v, uint32_t row)
{
    const weft_schema *schema = saver->world->plan->schema;
    const unsigned char *rows = (const unsigned char *)v->rows;
    const bool alone = v->field_count == 1; // a column: the field is at offset 0
    weft_flaw found;
    char owner[40];
    rows += (size_t)row * v->size;
    for (;
         alone ? weft_member_check(schema, v->fields, rows, WEFT_ONLY_SOUND, &found)
               : weft_value_check(schema, v->fields, v->field_count, rows, WEFT_ONLY_SOUND, &found);
         rows += v->size) {
        row++;
    }
    name_owner_saved(saver->world, v, row, owner);
    saver->refusal->any = true;
    snprintf(saver->refusal->words, sizeof saver->refusal->words,
             "world '%s' is not saved, because no load would accept it: field '%s' of %s '%s'%s "
             "%s",
             schema->name, found.path, v->kind, v->name, owner, found.why);
}

// Values are checked in small groups, so that they are still in the cache when they are written.
void weft_saver_values(const weft_saver *saver, weft_sink *sink, const weft_saved_values *v)
{
    const weft_schema *schema = saver->world->plan->schema;
    const unsigned char *rows = (const unsigned char *)v->rows;
    bool whole = struct_is_whole(schema, v->fields, v->field_count, v->size);
    bool limited = weft_fields_limited(schema, v->fields, v->field_count);
    if (!sink->write || (whole && !limited)) {
        weft_write_bytes(sink, v->rows, (size_t)v->count * v->size);
        return;
    }
    const size_t most = saver->buffer_bytes / v->size & ~(size_t)7; // eight values are whole words
    uint32_t some;
    for (uint32_t first = 0; first < v->count && !sink->failed; first += some) {
        const unsigned char *at = rows + (size_t)first * v->size;
        some = v->count - first < most ? v->count - first : (uint32_t)most;
        if (limited && !weft_values_sound(schema, v->fields, v->field_count, at, v->size, some)) {
            refuse_values(saver, v, first);
            sink->failed = true;
            return;
        }
        if (!whole) save_values(saver, v, first, some);
        weft_write_bytes(sink, whole ? at : saver->buffer, (size_t)some * v->size);
    }
}

// ------------------------------------------------------------------------------------------------
// Rows of a part are gathered in small groups, for the same reason

// The next row to gather.
typedef struct gathering {
    const weft_part_rows *rows;
    uint32_t run;
    uint32_t in_run; // rows of the run that were gathered
} gathering;

// Copies the next `count` elements to `to`.
static void gather_rows(gathering *g, const void *from, size_t size, uint32_t count,
                        unsigned char *to)
{
    const unsigned char *elements = (const unsigned char *)from;
    while (count != 0) {
        weft_part_run run = g->rows->runs[g->run];
        uint32_t left = run.count - g->in_run;
        uint32_t some = left < count ? left : count;
        const unsigned char *at = elements + ((size_t)run.first + g->in_run) * size;
        if (some == 1)
            weft_copy(to, at, size);
        else
            memcpy(to, at, some * size);
        to += some * size;
        count -= some;
        g->in_run += some;
        if (g->in_run == run.count) {
            g->run++;
            g->in_run = 0;
        }
    }
}

// Returns how many elements of a size are gathered at once: a multiple of eight, whose bytes are
// whole words.
static uint32_t group_of(const weft_saver *saver, size_t size)
{
    return (uint32_t)(saver->buffer_bytes / size) & ~(uint32_t)7;
}

void weft_saver_chosen(const weft_saver *saver, weft_sink *sink, const weft_saved_values *values,
                       const weft_part_rows *rows)
{
    weft_saved_values some = *values;
    gathering g = {rows, 0, 0};
    if (!rows || !sink->write) {
        if (rows) some.count = rows->count;
        weft_saver_values(saver, sink, &some);
        return;
    }
    some.chosen = rows;
    if (rows->run_count == 1) {
        some.rows = (const unsigned char *)values->rows + (size_t)rows->runs->first * some.size;
        some.count = rows->count;
        weft_saver_values(saver, sink, &some);
        return;
    }
    some.rows = saver->gathered;
    uint32_t most = group_of(saver, some.size);
    for (uint32_t at = 0; at < rows->count && !sink->failed; at += some.count) {
        some.count = rows->count - at < most ? rows->count - at : most;
        some.chosen_at = at;
        gather_rows(&g, values->rows, some.size, some.count, saver->gathered);
        weft_saver_values(saver, sink, &some);
    }
}

void weft_saver_numbers(const weft_saver *saver, weft_sink *sink, const void *numbers,
                        uint32_t count, size_t size, const weft_part_rows *rows)
{
    gathering g = {rows, 0, 0};
    if (!rows || !sink->write) {
        weft_write_numbers(sink, numbers, rows ? rows->count : count, size);
        return;
    }
    uint32_t most = group_of(saver, size);
    for (uint32_t at = 0, some; at < rows->count && !sink->failed; at += some) {
        some = rows->count - at < most ? rows->count - at : most;
        gather_rows(&g, numbers, size, some, saver->gathered);
        weft_write_numbers(sink, saver->gathered, some, size);
    }
}

// ------------------------------------------------------------------------------------------------

// Returns the size of the buffer: it should stay in the cache, but must have room for eight values
// of the largest type.
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
    for (uint32_t i = 0; i < schema->link_count; i++) {
        if (schema->links[i].size > most) most = schema->links[i].size;
    }
    return most * 8;
}

bool weft_saver_open(weft_saver *saver, const weft_world *world, weft_scratch *scratch)
{
    *saver = (weft_saver){.world = world};
    saver->tables = weft_scratch_array(scratch, world->tables.count, sizeof *saver->tables);
    saver->buffer_bytes = buffer_bytes(world->plan->schema);
    saver->buffer = weft_scratch_array(scratch, saver->buffer_bytes, 1);
    saver->refusal = weft_scratch_array(scratch, 1, sizeof *saver->refusal);
    if (world->plan->link_count != 0) {
        saver->link_values = weft_scratch_array(scratch, saver->buffer_bytes, 1);
        saver->link_ends = weft_scratch_array(scratch, WEFT_SAVED_LINKS, sizeof *saver->link_ends);
    }
    if (scratch->out_of_memory) return false;
    for (uint32_t i = 0; i < world->lists.every_table.count; i++) {
        const weft_table *table = world->lists.every_table.tables[i];
        if (table->count != 0) saver->tables[saver->table_count++] = table;
    }
    return true;
}
