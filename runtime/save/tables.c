// The sections of tables: each table with rows, its components, handles, columns and bitsets.
#include "loader.h"
#include "saver.h"

#include "../change/component.h"
#include "../query/sparse_rows.h"
#include "../world/move.h"

#include <inttypes.h>

weft_section_writer weft_write_table;
weft_loader_step weft_read_tables;

// Tells whether a bitset is written: it is saved, and a row has a bit in it.
static bool bitset_is_saved(const weft_world *world, const weft_table *table, uint32_t column)
{
    uint32_t component = world->plan->columns[column].component;
    uint16_t store = world->plan->components[component].sparse;
    if (store != WEFT_NONE) return weft_sparse_rows_count(world, table, store, column) != 0;
    if (component >= world->plan->schema->component_count) return false; // it follows from links
    return world->plan->schema->components[component].save &&
           table->bitset_counts[column - world->plan->first_bitset] != 0;
}

static void write_table_head(weft_sink *sink, const weft_world *world, const weft_table *table)
{
    const weft_plan *plan = world->plan;
    uint32_t components = 0;
    uint32_t bitsets = 0;
    for (uint32_t c = 0; c < plan->component_count; c++) components += weft_set_has(table->set, c);
    for (uint32_t column = plan->first_bitset; column < plan->column_count; column++) {
        bitsets += bitset_is_saved(world, table, column);
    }
    weft_write_word(sink, table->count);
    weft_write_word(sink, components);
    weft_write_word(sink, bitsets);
    for (uint32_t c = 0; c < plan->component_count; c++) {
        if (weft_set_has(table->set, c)) weft_write_word(sink, c);
    }
    for (uint32_t column = plan->first_bitset; column < plan->column_count; column++) {
        if (!bitset_is_saved(world, table, column)) continue;
        weft_write_word(sink, plan->columns[column].component);
    }
}

static void write_column(weft_sink *sink, const weft_saver *saver, const weft_table *table,
                         uint32_t column)
{
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
    weft_saver_values(saver, sink, &values);
}

void weft_write_table(weft_sink *sink, const weft_saver *saver, uint32_t number)
{
    const weft_world *world = saver->world;
    const weft_plan *plan = world->plan;
    const weft_table *table = saver->tables[number];
    write_table_head(sink, world, table);
    weft_write_numbers(sink, weft_column(table, 0), table->count, plan->format.handle_bytes);
    for (uint32_t column = 1; column < plan->first_bitset; column++) {
        uint32_t c = plan->columns[column].component;
        if (!weft_set_has(table->set, c) || !plan->schema->components[c].save) continue;
        write_column(sink, saver, table, column);
    }
    for (uint32_t column = plan->first_bitset; column < plan->column_count; column++) {
        if (!bitset_is_saved(world, table, column)) continue;
        weft_write_numbers(sink, weft_column(table, column), (table->count + 63) / 64,
                           sizeof(uint64_t));
    }
}

// ------------------------------------------------------------------------------------------------
// Rows of a save become rows of the world. Where the schema is the one that the save was written
// with, a table's rows go to one table in one piece. Else the components of each row decide: what
// was a sparse component or a tag may be a column now, and what is required now comes along.

// A table as it lies in the save.
typedef struct weft_saved_table {
    uint32_t rows;
    uint32_t component_count;
    uint32_t bitset_count;
    const uint32_t *components; // of the save; those in tables
    const uint32_t *bitsets;    // of the save; tags and sparse ones
    const unsigned char *handles;
    weft_table *whole; // where all rows go in one piece; NULL: they may go to several tables
    uint32_t start;    // the first of them there
} weft_saved_table;

// Finds what a component of the save is now; WEFT_NEVER: nothing, or a tag that is not saved.
static uint32_t component_now(const weft_loader *l, uint32_t component)
{
    uint32_t now = l->matched.components.now[component];
    if (now == WEFT_NEVER) return now;
    const weft_component_info *info = weft_loader_info(l, now);
    bool lost = info->storage == WEFT_STORAGE_TAG && !info->save;
    return lost ? WEFT_NEVER : now;
}

// Adds what a component of the save gives to a set now: itself, and what it requires.
static void add_required(const weft_loader *l, uint64_t *set, uint32_t component)
{
    const weft_plan *plan = l->into->plan;
    uint32_t now = component_now(l, component);
    if (now == WEFT_NEVER) return;
    for (uint32_t i = 0; i < plan->set_words; i++) set[i] |= plan->components[now].closure[i];
}

// Refuses a component that excludes another of its set.
static bool check_excludes_of(weft_loader *l, const uint64_t *set, uint32_t component)
{
    const weft_plan *plan = l->into->plan;
    for (uint32_t word = 0; plan->components[component].ruled && word < plan->set_words; word++) {
        uint64_t others = set[word] & plan->components[component].conflicts[word];
        if (others == 0) continue;
        uint32_t other = word * 64 + weft_lowest_bit(others);
        return weft_loader_refuse(l, WEFT_MISMATCH,
                                  "the save has entities with both '%s' and '%s', which exclude "
                                  "each other now",
                                  weft_loader_info(l, component)->name,
                                  weft_loader_info(l, other)->name);
    }
    return true;
}

static bool check_excludes(weft_loader *l, const uint64_t *set)
{
    for (uint32_t word = 0; word < l->into->plan->set_words; word++) {
        for (uint64_t bits = set[word]; bits != 0;) {
            if (!check_excludes_of(l, set, word * 64 + weft_bits_pop(&bits))) return false;
        }
    }
    return true;
}

// Finds the table of a set and makes space in it for more rows.
static bool prepare_table(weft_loader *l, const uint64_t *set, uint32_t rows, weft_table **table)
{
    weft_world *into = l->into;
    if (!check_excludes(l, set)) return false;
    for (uint32_t i = 0; i < into->plan->set_words; i++) {
        into->scratch_set[i] = set[i] & into->table_set[i];
    }
    *table = weft_world_table(into, into->scratch_set);
    if (*table && weft_world_table_ready(into, *table, (*table)->count + rows)) {
        return true;
    }
    return weft_loader_no_memory(l);
}

static bool refuse_wide_handle(weft_loader *l, uint64_t bits)
{
    return weft_loader_refuse(l, WEFT_MISMATCH,
                              "entity %" PRIu32 ":%" PRIu64
                              " does not fit into handles of %u bits of "
                              "index and %u of generation",
                              weft_loader_index(l, bits), weft_loader_generation(l, bits),
                              (unsigned)l->into->plan->schema->index_bits,
                              (unsigned)l->into->plan->schema->generation_bits);
}

// Consecutive rows of the save, and the last rows of a table, which they become.
typedef struct row_piece {
    const weft_saved_table *from;
    uint32_t first;
    uint32_t rows;
    weft_table *table;
    uint32_t start;
} row_piece;

// Appends entities whose handles have one format in the save and in the world, which is a constant
// in each of the three loops that this becomes. Returns how many are sound.
WEFT_ALWAYS_INLINE uint32_t append_handles(weft_loader *l, const row_piece *p, weft_format f)
{
    weft_entities *entities = &l->into->entities;
    const unsigned char *from = p->from->handles + (size_t)p->first * f.handle_bytes;
    void *handles = weft_column(p->table, 0);
    for (uint32_t i = 0; i < p->rows; i++, from += f.handle_bytes) {
        uint64_t bits = weft_little_read(from, f.handle_bytes);
        uint64_t generation = bits >> f.index_bits;
        uint32_t index = weft_handle_index(f, bits);
        if (generation == 0 || generation >> f.generation_bits != 0 || index >= l->index_count ||
            weft_record_at(entities, f, index).generation != 0) {
            return i;
        }
        weft_handle_store(f, handles, p->start + i, bits);
        weft_record_place(entities, f, bits, p->table->id, p->start + i);
    }
    return p->rows;
}

static uint32_t append_handles_alike(weft_loader *l, const row_piece *p)
{
    weft_format f = l->into->plan->format;
    f.wide = f.handle_bytes == 8; // which each branch knows
    if (f.handle_bytes == 8) return append_handles(l, p, f);
    if (f.handle_bytes == 4) return append_handles(l, p, f);
    return append_handles(l, p, f);
}

// Appends entities to a table that has space for them.
static bool append_rows(weft_loader *l, const row_piece *p)
{
    weft_world *into = l->into;
    uint32_t sound = 0;
    weft_mark_added_range(&p->table->change_bits, p->start, p->rows);
    if (weft_handles_same(&l->matched.schemas)) {
        sound = append_handles_alike(l, p);
        p->table->count += sound;
    }
    for (uint32_t i = sound; i < p->rows; i++) {
        uint64_t bits = weft_loader_handle(l, p->from->handles, p->first + i);
        if (!weft_loader_is_fresh(l, bits))
            return weft_loader_damaged(l, "a handle is none that lives");
        uint64_t handle = weft_convert_handle(&l->matched.schemas, bits);
        if (handle == 0) return refuse_wide_handle(l, bits);
        weft_row_append(into, into->plan->format, p->table, handle);
    }
    l->row_count += p->rows;
    return true;
}

// Converts the value that a row has in a sparse store of the save to where `to` begins.
static bool fill_sparse_value(weft_loader *l, const weft_saved_table *t, uint32_t component,
                              uint32_t row, weft_column_span to)
{
    uint32_t was = l->matched.components.was[component];
    const weft_saved_store *sparse = &l->stores[was];
    uint32_t index = weft_loader_index(l, weft_loader_handle(l, t->handles, row));
    uint32_t slot = sparse->slots ? sparse->slots[index] : 0;
    if (slot == 0) return weft_loader_damaged(l, "a sparse component lacks a value");
    weft_column_span from = {&sparse->values, slot - 1};
    return weft_loader_convert_rows(l, l->matched.components.values[component], from, to, 1,
                                    (weft_owners){.handles = t->handles, .first = row});
}

// Tells whether a row of the save has what a component is now.
static bool row_had(const weft_loader *l, const weft_saved_table *t, uint32_t component,
                    uint32_t row)
{
    uint32_t was = l->matched.components.was[component];
    if (was == WEFT_NEVER || component_now(l, was) != component) return false;
    for (uint32_t i = 0; i < t->component_count; i++) {
        if (t->components[i] == was) return true;
    }
    return l->bitsets[was] && weft_loader_bit(l, was, row);
}

// Returns the first in schema order of those that require a component and that a row of the save
// has; WEFT_NEVER: it has none.
static uint32_t first_requirer(const weft_loader *l, const weft_saved_table *t, uint32_t component,
                               uint32_t row)
{
    const weft_plan *plan = l->into->plan;
    for (uint32_t word = 0; word < plan->set_words; word++) {
        uint64_t bits = plan->components[component].required_by[word];
        while (bits != 0) {
            uint32_t other = word * 64 + weft_bits_pop(&bits);
            if (row_had(l, t, other, row)) return other;
        }
    }
    return WEFT_NEVER;
}

// Returns what a component begins with in a row of the save without values of it: if it comes along
// now, what the one that brings it gives, which none of the row's requires in turn.
static const void *value_brought(const weft_loader *l, const weft_saved_table *t,
                                 uint32_t component, uint32_t row)
{
    const weft_plan *plan = l->into->plan;
    const void *value = NULL;
    uint32_t by = row_had(l, t, component, row) ? WEFT_NEVER : component;
    while (by != WEFT_NEVER && (by = first_requirer(l, t, by, row)) != WEFT_NEVER) {
        const weft_component_plan *c = &plan->components[by];
        value = weft_required_value_of(c->required_values, c->required_value_count, component);
    }
    return value ? value : plan->components[component].defaults;
}

// Fills rows with the values of a component from `row` of the save on: from the columns of the
// table at hand, which may have been copied to their place already; else with what it begins with,
// and with what a sparse store has.
static bool fill_values(weft_loader *l, const weft_saved_table *t, uint32_t component, uint32_t row,
                        weft_column_span to, uint32_t rows)
{
    const weft_match *match = l->matched.components.values[component];
    uint32_t was = l->matched.components.was[component];
    if (match && l->columns[was]) {
        bool there = l->columns[was][0] == to.columns[0];
        if (there) to.columns = l->columns[was];
        weft_column_span from = {l->columns[was], there ? to.first : row};
        return weft_loader_convert_rows(l, match, from, to, rows,
                                        (weft_owners){.handles = t->handles, .first = row});
    }
    weft_component_info info = *weft_loader_info(l, component);
    info.defaults = value_brought(l, t, component, row);
    weft_default_rows(&info, to, rows);
    for (uint32_t i = 0; match && i < rows; i++, to.first++) {
        if (!weft_loader_bit(l, was, row + i)) continue;
        if (!fill_sparse_value(l, t, component, row + i, to)) return false;
    }
    return true;
}

// Returns the columns that a table has of a component. NULL: no memory.
static void *const *columns_of(weft_loader *l, const weft_table *table, uint32_t component)
{
    const weft_component_plan *c = &l->into->plan->components[component];
    void **columns = (void **)weft_scratch_array(&l->of_table, c->column_count, sizeof *columns);
    for (uint32_t i = 0; columns && i < c->column_count; i++) {
        columns[i] = weft_column(table, (uint32_t)c->first_column + i);
    }
    return columns;
}

static bool fill_columns(weft_loader *l, const row_piece *p)
{
    const weft_plan *plan = l->into->plan;
    for (uint32_t word = 0; word < plan->set_words; word++) {
        for (uint64_t bits = p->table->set[word]; bits != 0;) {
            uint32_t c = word * 64 + weft_bits_pop(&bits);
            void *const *columns = columns_of(l, p->table, c);
            if (!columns) return weft_loader_no_memory(l);
            weft_column_span to = {columns, p->start};
            if (!fill_values(l, p->from, c, p->first, to, p->rows)) return false;
        }
    }
    return true;
}

// Gives a row a value of a component that is sparse now and was not in the save.
static bool fill_new_sparse(weft_loader *l, const row_piece *p, uint32_t component, uint32_t i)
{
    weft_world *into = l->into;
    weft_sparse *store = &into->sparse[into->plan->components[component].sparse];
    weft_format f = into->plan->format;
    uint64_t handle = weft_handle_load(f, weft_column(p->table, 0), p->start + i);
    uint32_t index = weft_handle_index(f, handle);
    if (!weft_sparse_ready(&into->heap, store, index)) return weft_loader_no_memory(l);
    void *value = weft_sparse_write(store, index, weft_loader_info(l, component)->defaults);
    return fill_values(l, p->from, component, p->first + i, (weft_column_span){&value, 0}, 1);
}

static bool is_new_sparse(const weft_loader *l, uint32_t component)
{
    uint32_t was = l->matched.components.was[component];
    const weft_schema *file = l->matched.schemas.file;
    return weft_loader_info(l, component)->storage == WEFT_STORAGE_SPARSE &&
           (was == WEFT_NEVER || file->components[was].storage != WEFT_STORAGE_SPARSE);
}

// Sets the bits of rows that have a tag or sparse component: of those that have `was` in the save,
// or of all if that is WEFT_NEVER.
static bool set_bits_of(weft_loader *l, const row_piece *p, uint32_t component, uint32_t was)
{
    weft_world *into = l->into;
    uint32_t column = weft_bitset_column(into->plan, &into->plan->components[component]);
    bool fresh = is_new_sparse(l, component);
    for (uint32_t i = 0; i < p->rows; i++) {
        if (was != WEFT_NEVER && !weft_loader_bit(l, was, p->first + i)) continue;
        if (!weft_bitset_open(&into->heap, into->plan, p->table, column)) {
            return weft_loader_no_memory(l);
        }
        weft_bitset_write(into->plan, p->table, column, p->start + i, true);
        if (fresh && !fill_new_sparse(l, p, component, i)) return false;
    }
    return true;
}

// Sets the bits of what all of the rows have, and of what some have by their bits in the save.
static bool set_bits(weft_loader *l, const row_piece *p, const uint64_t *set)
{
    const weft_plan *plan = l->into->plan;
    for (uint32_t word = 0; word < plan->set_words; word++) {
        for (uint64_t all = set[word] & ~l->into->table_set[word]; all != 0;) {
            uint32_t c = word * 64 + weft_bits_pop(&all);
            if (!set_bits_of(l, p, c, WEFT_NEVER)) return false;
        }
    }
    for (uint32_t i = 0; i < p->from->bitset_count; i++) {
        uint32_t was = p->from->bitsets[i];
        uint32_t c = component_now(l, was);
        if (c == WEFT_NEVER || l->matched.components.was[c] != was || weft_set_has(set, c))
            continue;
        if (plan->components[c].bitset == WEFT_NONE) continue;
        if (!set_bits_of(l, p, c, was)) return false;
    }
    return true;
}

// Finds the table of a row, which depends on its own bits too.
static bool place_row(weft_loader *l, const uint64_t *base, row_piece *p)
{
    const weft_saved_table *t = p->from;
    memcpy(l->set, base, l->into->plan->set_words * sizeof *base);
    for (uint32_t i = 0; i < t->bitset_count; i++) {
        if (weft_loader_bit(l, t->bitsets[i], p->first)) add_required(l, l->set, t->bitsets[i]);
    }
    if (!prepare_table(l, l->set, 1, &p->table)) return false;
    p->start = p->table->count;
    return true;
}

// Appends the rows of the table at hand, all of which have at least `base`: in one piece, or each
// to a table of its own.
static bool load_rows(weft_loader *l, const weft_saved_table *t, const uint64_t *base)
{
    row_piece p = {t, 0, t->whole ? t->rows : 1, t->whole, t->start};
    const uint64_t *set = t->whole ? base : l->set;
    for (; p.first < t->rows; p.first += p.rows) {
        if (!t->whole && !place_row(l, base, &p)) return false;
        if (!append_rows(l, &p) || !fill_columns(l, &p) || !set_bits(l, &p, set)) return false;
    }
    return true;
}

// ------------------------------------------------------------------------------------------------
// Reading

// Tells whether the rows of one table of the save may belong to several tables now, or whether each
// may break a rule.
static bool goes_apart(const weft_loader *l, const weft_saved_table *t)
{
    const weft_plan *plan = l->into->plan;
    for (uint32_t i = 0; i < t->bitset_count; i++) {
        uint32_t now = l->matched.components.now[t->bitsets[i]];
        if (now == WEFT_NEVER) continue;
        if (weft_loader_info(l, now)->storage == WEFT_STORAGE_TABLE ||
            plan->components[now].ruled) {
            return true;
        }
    }
    return false;
}

// Reads ids of components, ascending, all of them stored in tables or none.
static const uint32_t *read_component_ids(weft_loader *l, weft_bytes *body, uint32_t count,
                                          bool in_table)
{
    const weft_schema *file = l->matched.schemas.file;
    uint32_t *ids = weft_scratch_array(&l->of_table, count, sizeof *ids);
    for (uint32_t i = 0; ids && i < count && !body->bad; i++) {
        ids[i] = weft_read_number(body, UINT16_MAX);
        bool known = ids[i] < file->component_count && (i == 0 || ids[i] > ids[i - 1]);
        if (!known || (file->components[ids[i]].storage == WEFT_STORAGE_TABLE) != in_table) {
            body->bad = true;
        }
    }
    return ids;
}

// Reads what stands before the handles. There are no more rows than there are handles for, and no
// more than entities left.
static bool read_table_head(weft_loader *l, weft_bytes *body, weft_saved_table *t)
{
    const weft_schema *file = l->matched.schemas.file;
    t->rows = weft_read_number(body, l->live - l->row_count);
    t->component_count = weft_read_number(body, file->component_count);
    t->bitset_count = weft_read_number(body, file->component_count);
    t->components = read_component_ids(l, body, t->component_count, true);
    t->bitsets = read_component_ids(l, body, t->bitset_count, false);
    bool rows = t->rows <= body->left / file->handle_bytes;
    if (!body->bad && t->components && t->bitsets && rows) return true;
    return weft_loader_damaged(l, "a table is not whole");
}

// Finds the table of the world that all rows go to, if there is one.
static bool find_place(weft_loader *l, uint64_t *base, weft_saved_table *t)
{
    memset(base, 0, l->into->plan->set_words * sizeof *base);
    for (uint32_t i = 0; i < t->component_count; i++) add_required(l, base, t->components[i]);
    if (goes_apart(l, t)) return true;
    if (!prepare_table(l, base, t->rows, &t->whole)) return false;
    t->start = t->whole->count;
    return true;
}

// Where the columns of a component are copied to while they are read: their place in the world, if
// their bytes belong there as they are. NULL: they have to be converted.
static void *const *columns_in_world(weft_loader *l, const weft_saved_table *t, uint32_t component)
{
    uint32_t now = l->matched.components.now[component];
    const weft_match *match = now == WEFT_NEVER ? NULL : l->matched.components.values[now];
    if (!t->whole || !match || !match->fields.same) return NULL;
    if (weft_loader_info(l, now)->storage != WEFT_STORAGE_TABLE) return NULL;
    return columns_of(l, t->whole, now);
}

static bool read_columns(weft_loader *l, weft_bytes *body, const weft_saved_table *t,
                         uint32_t component)
{
    const weft_component_info *info = &l->matched.schemas.file->components[component];
    uint32_t count = info->soa ? info->field_count : 1;
    void *const *there = columns_in_world(l, t, component);
    void **columns = weft_scratch_array(&l->of_table, there ? 0 : count, sizeof *columns);
    if (!columns) return false;
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

// Reads which rows have a tag or sparse component, and counts them, to be compared with the values
// in its store. Bits behind the last row must be 0.
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

// Reads what stands behind the head: handles, columns, bitsets.
static bool read_table_body(weft_loader *l, weft_bytes *body, weft_saved_table *t)
{
    const weft_schema *file = l->matched.schemas.file;
    t->handles = weft_read_array(body, t->rows, file->handle_bytes);
    for (uint32_t i = 0; !body->bad && i < t->component_count; i++) {
        if (!read_columns(l, body, t, t->components[i])) return weft_loader_no_memory(l);
    }
    for (uint32_t i = 0; !body->bad && i < t->bitset_count; i++) {
        read_bitset(l, body, t->bitsets[i], t->rows);
    }
    return weft_section_ended(body) || weft_loader_damaged(l, "a table is not whole");
}

// Reads a table while its checksum is still being computed. If something in it was wrong, its bytes
// may have changed, and then that is reported instead.
static bool read_table(weft_loader *l, const weft_section *section, uint64_t *base,
                       weft_saved_table *t)
{
    weft_checksum sum;
    weft_bytes body = weft_section_open(section, &sum);
    *t = (weft_saved_table){0};
    bool read =
        read_table_head(l, &body, t) && find_place(l, base, t) && read_table_body(l, &body, t);
    if (l->of_table.out_of_memory) return weft_loader_no_memory(l);
    if (read || l->status == WEFT_NO_MEMORY) return read;
    return !weft_section_is_sound(section) && weft_loader_changed(l);
}

// Forgets the columns and bitsets of a table that was read, so that there are none for the next.
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
                    load_rows(loader, &table, base);
        if (read) forget_table(loader, &table);
        weft_scratch_reset(&loader->of_table);
        loader->tables[loader->table_count++] = (weft_saved_rows){table.rows, table.handles};
        if (!read) return false;
    }
    if (loader->row_count != loader->live) {
        return weft_loader_damaged(loader, "there are not as many rows as entities");
    }
    return true;
}
