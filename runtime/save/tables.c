// The sections of tables: for each table with rows, its components, handles, columns and bitsets.
#include "part.h"
#include "saver.h"
#include "table_rows.h"

#include "../query/sparse_rows.h"

weft_section_writer weft_write_table;
weft_loader_step weft_read_tables;

// The rows of a table that are written.
typedef struct written_rows {
    const weft_world *world;
    const weft_table *table;
    const weft_part_rows *chosen; // NULL: all rows
} written_rows;

// Returns the bits of the chosen rows in a bitset, or NULL if none is set.
static const weft_part_bits *chosen_bits(const weft_part_rows *rows, uint32_t column)
{
    for (uint32_t i = 0; i < rows->bits_count; i++) {
        if (rows->bits[i].column == column) return &rows->bits[i];
    }
    return NULL;
}

// Returns whether a bitset is written: its component is saved, and at least one bit is set.
static bool bitset_is_saved(const written_rows *rows, uint32_t column)
{
    const weft_world *world = rows->world;
    const weft_table *table = rows->table;
    uint32_t component = world->plan->columns[column].component;
    uint16_t store = world->plan->components[component].sparse;
    if (rows->chosen) {
        return chosen_bits(rows->chosen, column) != NULL &&
               (store != WEFT_NONE || world->plan->schema->components[component].save);
    }
    if (store != WEFT_NONE) return weft_sparse_rows_count(world, table, store, column) != 0;
    if (component >= world->plan->schema->component_count) return false; // the links imply it
    return world->plan->schema->components[component].save &&
           table->bitset_counts[column - world->plan->first_bitset] != 0;
}

static void write_table_head(weft_sink *sink, const written_rows *rows)
{
    const weft_table *table = rows->table;
    const weft_plan *plan = rows->world->plan;
    uint32_t components = 0;
    uint32_t bitsets = 0;
    for (uint32_t c = 0; c < plan->component_count; c++) components += weft_set_has(table->set, c);
    for (uint32_t column = plan->first_bitset; column < plan->column_count; column++) {
        bitsets += bitset_is_saved(rows, column);
    }
    weft_write_word(sink, rows->chosen ? rows->chosen->count : table->count);
    weft_write_word(sink, components);
    weft_write_word(sink, bitsets);
    for (uint32_t c = 0; c < plan->component_count; c++) {
        if (weft_set_has(table->set, c)) weft_write_word(sink, c);
    }
    for (uint32_t column = plan->first_bitset; column < plan->column_count; column++) {
        if (!bitset_is_saved(rows, column)) continue;
        weft_write_word(sink, plan->columns[column].component);
    }
}

static void write_column(weft_sink *sink, const weft_saver *saver, const written_rows *rows,
                         uint32_t column)
{
    const weft_table *table = rows->table;
    const weft_plan *plan = saver->world->plan;
    uint32_t c = plan->columns[column].component;
    const weft_component_info *info = &plan->schema->components[c];
    uint32_t field = info->soa ? column - plan->components[c].first_column : 0;
    weft_saved_values values = {
        .kind = "component",
        .name = info->name,
        .fields = info->fields + field,
        .field_count = info->soa ? 1 : info->field_count,
        .size = plan->columns[column].size,
        .count = table->count,
        .rows = weft_column(table, column),
        .handles = weft_column(table, 0),
    };
    weft_saver_chosen(saver, sink, &values, rows->chosen);
}

static void write_bitset(weft_sink *sink, const written_rows *rows, uint32_t column)
{
    const void *words =
        rows->chosen ? chosen_bits(rows->chosen, column)->words : weft_column(rows->table, column);
    uint32_t count = rows->chosen ? rows->chosen->count : rows->table->count;
    weft_write_numbers(sink, words, (count + 63) / 64, sizeof(uint64_t));
}

void weft_write_table(weft_sink *sink, const weft_saver *saver, uint32_t number)
{
    const weft_world *world = saver->world;
    const weft_plan *plan = world->plan;
    const weft_table *table = saver->tables[number];
    written_rows rows = {world, table, saver->part ? &saver->part->tables[number] : NULL};
    write_table_head(sink, &rows);
    weft_saver_numbers(saver, sink, weft_column(table, 0), table->count, plan->format.handle_bytes,
                       rows.chosen);
    for (uint32_t column = 1; column < plan->first_bitset; column++) {
        uint32_t c = plan->columns[column].component;
        if (!weft_set_has(table->set, c) || !plan->schema->components[c].save) continue;
        write_column(sink, saver, &rows, column);
    }
    for (uint32_t column = plan->first_bitset; column < plan->column_count; column++) {
        if (bitset_is_saved(&rows, column)) write_bitset(sink, &rows, column);
    }
}

// ------------------------------------------------------------------------------------------------
// Reading

// Reads component numbers in ascending order. Either all of them must be stored in tables, or none.
// If there is no memory for them, the body becomes bad too, and read_table reports the reason.
static const uint32_t *read_component_ids(weft_loader *l, weft_bytes *body, uint32_t count,
                                          bool in_table)
{
    const weft_schema *file = l->matched.schemas.file;
    uint32_t *ids = weft_scratch_array(&l->of_table, count, sizeof *ids);
    const unsigned char *at = weft_read_array(body, count, WEFT_WORD_BYTES);
    if (!ids) body->bad = true;
    for (uint32_t i = 0; i < count && !body->bad; i++, at += WEFT_WORD_BYTES) {
        uint64_t id = weft_little_read(at, WEFT_WORD_BYTES);
        bool known = id < file->component_count && (i == 0 || id > ids[i - 1]);
        bool right = known && (file->components[id].storage == WEFT_STORAGE_TABLE) == in_table;
        ids[i] = (uint32_t)id;
        body->bad = !right;
    }
    return ids;
}

// Reads the head of a table. The number of rows is limited by the entities not read yet, and by the
// bytes left for handles.
static bool read_table_head(weft_loader *l, weft_bytes *body, weft_saved_table *t)
{
    const weft_schema *file = l->matched.schemas.file;
    t->rows = weft_read_number(body, l->live - l->row_count);
    t->component_count = weft_read_number(body, file->component_count);
    t->bitset_count = weft_read_number(body, file->component_count);
    t->components = read_component_ids(l, body, t->component_count, true);
    t->bitsets = read_component_ids(l, body, t->bitset_count, false);
    bool rows = t->rows <= body->left / file->handle_bytes;
    if (!body->bad && rows) return true;
    return weft_loader_damaged(l, "a table is malformed");
}

static bool read_columns(weft_loader *l, weft_bytes *body, const weft_saved_table *t,
                         uint32_t component)
{
    const weft_component_info *info = &l->matched.schemas.file->components[component];
    uint32_t count = info->soa ? info->field_count : 1;
    void *const *there = weft_saved_table_columns(l, t, component);
    void **columns = there ? NULL : weft_scratch_array(&l->of_table, count, sizeof *columns);
    if (l->of_table.out_of_memory) return false;
    for (uint32_t i = 0; i < count && info->save; i++) {
        uint32_t size = info->soa ? info->fields[i].size : info->size;
        if (there) {
            weft_read_copy(body, t->rows, size,
                           (unsigned char *)there[i] + (size_t)t->start * size);
        } else {
            columns[i] = (void *)(uintptr_t)weft_read_array(body, t->rows, size);
        }
    }
    l->columns[component] = there ? there : columns;
    return true;
}

// Reads the bits of a tag or sparse component and counts them, because the count is compared with
// the values in its store later. Bits after the last row must be 0.
static void read_bitset(weft_loader *l, weft_bytes *body, uint32_t component, uint32_t rows)
{
    uint32_t words = (rows + 63) / 64;
    const unsigned char *bits = weft_read_array(body, words, sizeof(uint64_t));
    l->bitsets[component] = bits;
    if (!bits) return;
    if (rows % 64 != 0 && weft_little_read(bits + (words - 1) * 8, 8) >> rows % 64 != 0) {
        body->bad = true;
    }
    for (uint32_t i = 0; i < words; i++) {
        uint64_t word = weft_little_read(bits + (size_t)i * 8, 8);
        l->stores[component].bits += weft_bits_count(&word, 1);
    }
}

// Reads the rest of a table: handles, columns, bitsets.
static bool read_table_body(weft_loader *l, weft_bytes *body, const weft_checksum *sum,
                            weft_saved_table *t)
{
    const weft_schema *file = l->matched.schemas.file;
    t->handles = weft_read_array(body, t->rows, file->handle_bytes);
    for (uint32_t i = 0; !body->bad && i < t->component_count; i++) {
        if (!read_columns(l, body, t, t->components[i])) return weft_loader_no_memory(l);
    }
    for (uint32_t i = 0; !body->bad && i < t->bitset_count; i++) {
        read_bitset(l, body, t->bitsets[i], t->rows);
    }
    return weft_section_ended(body, sum) || weft_loader_damaged(l, "a table is malformed");
}

// Reads a table while its checksum is being computed. If reading fails, the reason may be that
// bytes have changed; a wrong checksum is reported instead of the error then.
static bool read_table(weft_loader *l, const weft_section *section, uint64_t *base,
                       weft_saved_table *t)
{
    weft_checksum sum;
    weft_bytes body = weft_section_open(section, &sum);
    *t = (weft_saved_table){0};
    bool read = read_table_head(l, &body, t) && weft_saved_table_place(l, base, t) &&
                read_table_body(l, &body, &sum, t);
    if (l->of_table.out_of_memory) return weft_loader_no_memory(l);
    if (read || l->status == WEFT_NO_MEMORY) return read;
    if (!weft_section_is_sound(section)) weft_loader_changed(l);
    return false;
}

// Clears the columns and bitsets of a table that was read, so that the next table does not find
// them.
static void forget_table(weft_loader *l, const weft_saved_table *t)
{
    for (uint32_t i = 0; i < t->component_count; i++) l->columns[t->components[i]] = NULL;
    for (uint32_t i = 0; i < t->bitset_count; i++) l->bitsets[t->bitsets[i]] = NULL;
}

bool weft_read_tables(weft_loader *loader)
{
    const weft_schema *file = loader->matched.schemas.file;
    size_t words = loader->into->plan->set_words;
    uint64_t *base = weft_scratch_array(&loader->scratch, words, sizeof *base);
    loader->set = weft_scratch_array(&loader->scratch, words, sizeof *loader->set);
    loader->columns =
        weft_scratch_array(&loader->scratch, file->component_count, sizeof *loader->columns);
    loader->bitsets =
        weft_scratch_array(&loader->scratch, file->component_count, sizeof *loader->bitsets);
    loader->tables =
        weft_scratch_array(&loader->scratch, loader->section_count, sizeof *loader->tables);
    if (loader->scratch.out_of_memory) return weft_loader_no_memory(loader);
    for (uint32_t i = 0; i < loader->section_count; i++) {
        weft_saved_table table;
        if (loader->sections[i].kind != WEFT_SECTION_TABLE) continue;
        bool read = read_table(loader, &loader->sections[i], base, &table) &&
                    weft_saved_table_load(loader, &table, base);
        if (read) forget_table(loader, &table);
        weft_scratch_reset(&loader->of_table);
        loader->tables[loader->table_count++] = (weft_saved_rows){table.rows, table.handles};
        if (!read) return false;
    }
    if (loader->row_count != loader->live) {
        return weft_loader_damaged(loader, "it has more or fewer rows than entities");
    }
    return true;
}
