// Rows of tables out of a save. Where the schema is the one it was written with, a table's rows go to
// one table in one piece. Else a row's set of components decides: what was a sparse component or a
// tag may be a column now, and what is required now comes along.
#include "weft_save_read.h"

#include "weft_fields.h"
#include "weft_structure.h"

#include <inttypes.h>

// A table as it lies in the save.
typedef struct saved_table {
    uint32_t rows;
    uint32_t component_count;
    uint32_t plane_count;
    const uint32_t *components; // of the save
    const uint32_t *planes;
    const unsigned char *handles;
    weft_table *whole; // where all its rows go in one piece; NULL: they may go apart
    uint32_t start;    // the first of them there
} saved_table;

static const weft_component_info *info_of(const weft_loader *l, uint32_t component)
{
    return &l->into->plan->schema->components[component];
}

static bool saved_bit(const weft_loader *l, uint32_t component, uint32_t row)
{
    const unsigned char *words = l->planes[component];
    return words && ((uint32_t)words[row / 8] >> (row % 8) & 1u);
}

// ------------------------------------------------------------------------------------------------
// Sets

// What a component of the save gives to a set now: itself, and what it requires.
static void add_component(const weft_loader *l, uint64_t *set, uint32_t component)
{
    const weft_plan *plan = l->into->plan;
    uint32_t now = l->matched.components.now[component];
    if (now == UINT32_MAX) return;
    if (info_of(l, now)->storage == WEFT_STORAGE_TAG && !info_of(l, now)->save) return;
    for (uint32_t i = 0; i < plan->set_words; i++) set[i] |= plan->components[now].closure[i];
}

static weft_status check_rules(const weft_loader *l, const uint64_t *set)
{
    const weft_plan *plan = l->into->plan;
    for (uint32_t c = 0; c < plan->component_count; c++) {
        if (!plan->components[c].ruled || !weft_set_has(set, c)) continue;
        for (uint32_t other = 0; other < plan->component_count; other++) {
            if (!weft_set_has(set, other) || !weft_set_has(plan->components[c].conflicts, other))
                continue;
            return weft_world_say(l->said, WEFT_MISMATCH,
                                  "the save has entities with both '%s' and '%s', which exclude "
                                  "each other now",
                                  info_of(l, c)->name, info_of(l, other)->name);
        }
    }
    return WEFT_OK;
}

// Whether rows of one table of the save may be of several tables now, or break a rule one by one.
static bool goes_apart(const weft_loader *l, const saved_table *t)
{
    const weft_plan *plan = l->into->plan;
    for (uint32_t i = 0; i < t->plane_count; i++) {
        uint32_t now = l->matched.components.now[t->planes[i]];
        if (now == UINT32_MAX) continue;
        if (info_of(l, now)->storage == WEFT_STORAGE_TABLE || plan->components[now].ruled) {
            return true;
        }
    }
    return false;
}

// ------------------------------------------------------------------------------------------------
// Places

// Room for more rows in the table of that set, to which they belong.
static weft_status find_place(weft_loader *l, const uint64_t *set, uint32_t rows,
                              weft_table **table)
{
    weft_world *into = l->into;
    weft_status status = check_rules(l, set);
    if (status != WEFT_OK) return status;
    for (uint32_t i = 0; i < into->plan->set_words; i++) {
        into->scratch_set[i] = set[i] & into->table_set[i];
    }
    *table = weft_world_table(into, into->scratch_set);
    if (*table && weft_table_grow(&into->heap, into->plan, *table, (*table)->count + rows)) {
        return WEFT_OK;
    }
    return weft_loader_no_memory(l);
}

// ------------------------------------------------------------------------------------------------
// Taking a table

// Ids of components, ascending, that are stored in tables or beside them.
static const uint32_t *take_ids(weft_loader *l, weft_bytes *body, uint32_t count, bool in_table)
{
    const weft_schema *file = l->matched.schemas.file;
    uint32_t *ids = (uint32_t *)weft_scratch_take(&l->of_table, count, sizeof *ids);
    for (uint32_t i = 0; ids && i < count && !body->bad; i++) {
        ids[i] = weft_take_number(body, UINT16_MAX);
        bool known = ids[i] < file->component_count && (i == 0 || ids[i] > ids[i - 1]);
        if (!known || (file->components[ids[i]].storage == WEFT_STORAGE_TABLE) != in_table) {
            body->bad = true;
        }
    }
    return ids;
}

// What stands before the handles. Rows are not more than there are handles for, nor than entities left.
static bool take_head(weft_loader *l, weft_bytes *body, saved_table *t)
{
    const weft_schema *file = l->matched.schemas.file;
    t->rows = weft_take_number(body, l->live - l->row_count);
    t->component_count = weft_take_number(body, file->component_count);
    t->plane_count = weft_take_number(body, file->component_count);
    t->components = take_ids(l, body, t->component_count, true);
    t->planes = take_ids(l, body, t->plane_count, false);
    return !body->bad && t->components && t->planes && t->rows <= body->left / file->handle_bytes;
}

// Where a column of the save is copied to while it is taken: the same bytes are its place in the
// world. NULL: they have to be carried over.
static void *const *columns_there(const weft_loader *l, const saved_table *t, uint32_t component)
{
    const weft_plan *plan = l->into->plan;
    uint32_t now = l->matched.components.now[component];
    const weft_match *match = now == UINT32_MAX ? NULL : l->matched.components.values[now];
    if (!t->whole || !match || !match->same) return NULL;
    if (info_of(l, now)->storage != WEFT_STORAGE_TABLE) return NULL;
    return weft_columns(t->whole) + plan->components[now].first_column;
}

static bool take_columns(weft_loader *l, weft_bytes *body, const saved_table *t, uint32_t component)
{
    const weft_component_info *info = &l->matched.schemas.file->components[component];
    uint32_t count = info->soa ? info->field_count : 1;
    void *const *there = columns_there(l, t, component);
    void **columns = (void **)weft_scratch_take(&l->of_table, there ? 0 : count, sizeof *columns);
    if (!columns) return false;
    for (uint32_t i = 0; i < count && info->save; i++) {
        uint32_t size = info->soa ? info->fields[i].size : info->size;
        if (there) {
            weft_take_copy(body, t->rows, size,
                           (unsigned char *)there[i] + (size_t)t->start * size);
        } else {
            columns[i] = (void *)(uintptr_t)weft_take_array(body, t->rows, size);
        }
    }
    l->columns[component] = there ? there : columns;
    return true;
}

// Bits of rows that there are not are 0.
static bool plane_ends(const unsigned char *words, uint32_t rows)
{
    if (rows % 64 == 0) return true;
    return weft_little_read(words + rows / 64 * sizeof(uint64_t), 8) >> rows % 64 == 0;
}

// What stands behind the head.
static weft_status take_rows(weft_loader *l, weft_bytes *body, saved_table *t)
{
    const weft_schema *file = l->matched.schemas.file;
    memset(l->columns, 0, file->component_count * sizeof *l->columns);
    memset(l->planes, 0, file->component_count * sizeof *l->planes);
    t->handles = (const unsigned char *)weft_take_array(body, t->rows, file->handle_bytes);
    for (uint32_t i = 0; !body->bad && i < t->component_count; i++) {
        if (!take_columns(l, body, t, t->components[i])) return weft_loader_no_memory(l);
    }
    for (uint32_t i = 0; !body->bad && i < t->plane_count; i++) {
        const unsigned char *words =
            (const unsigned char *)weft_take_array(body, (t->rows + 63) / 64, sizeof(uint64_t));
        l->planes[t->planes[i]] = words;
        if (words && !plane_ends(words, t->rows)) body->bad = true;
    }
    if (!weft_section_ended(body)) return weft_loader_damaged(l, "a table is not whole");
    return WEFT_OK;
}

// ------------------------------------------------------------------------------------------------
// Rows into a table

// Takes the index of a row's handle. False: the handle can be nobody's, or somebody has that index.
static bool take_index(weft_loader *l, uint64_t bits)
{
    uint64_t generation = weft_saved_generation(l, bits);
    return generation != 0 && generation >> l->matched.schemas.file->generation_bits == 0 &&
           weft_loader_use(l, weft_saved_index(l, bits));
}

static weft_status say_wide(const weft_loader *l, uint64_t bits)
{
    return weft_world_say(l->said, WEFT_MISMATCH,
                          "entity %" PRIu32 ":%" PRIu64 " does not fit into handles of %u bits of "
                          "index and %u of generation",
                          weft_saved_index(l, bits), weft_saved_generation(l, bits),
                          (unsigned)l->into->plan->schema->index_bits,
                          (unsigned)l->into->plan->schema->generation_bits);
}

// Entities of the save in rows at the end of a table, whose room has been made.
static weft_status append_rows(weft_loader *l, const saved_table *t, uint32_t first, uint32_t rows,
                               weft_table *table)
{
    weft_world *into = l->into;
    weft_mark_born_range(&table->marks, table->count, rows);
    for (uint32_t i = 0; i < rows; i++) {
        uint64_t bits = weft_saved_handle(l, t->handles, first + i);
        if (!take_index(l, bits)) return weft_loader_damaged(l, "a handle is none that lives");
        uint64_t handle = weft_handle_carry(&l->matched.schemas, bits);
        if (handle == 0) return say_wide(l, bits);
        weft_row_append(into, into->plan->format, table, handle);
    }
    l->row_count += rows;
    return WEFT_OK;
}

// The value in a sparse store of the save that a row has, to where `to` begins.
static weft_status put_sparse_value(weft_loader *l, const saved_table *t, uint32_t component,
                                    uint32_t row, weft_strip to)
{
    uint32_t was = l->matched.components.was[component];
    const weft_sparse_saved *sparse = &l->sparse[was];
    uint32_t index = weft_saved_index(l, weft_saved_handle(l, t->handles, row));
    uint32_t slot = sparse->slots ? sparse->slots[index] : 0;
    if (slot == 0) return weft_loader_damaged(l, "a sparse component lacks a value");
    weft_strip from = weft_saved_strip(l, was, &sparse->values, slot - 1);
    return weft_loader_carry(l, l->matched.components.values[component], from, to, 1);
}

// Values of a component in rows from `row` of the save on, wherever they lie there (or where they are
// already); or defaults.
static weft_status put_values(weft_loader *l, const saved_table *t, uint32_t component,
                              uint32_t row, weft_strip to, uint32_t rows)
{
    const weft_match *match = l->matched.components.values[component];
    uint32_t was = l->matched.components.was[component];
    if (match && l->columns[was]) {
        bool there = l->columns[was] == to.columns;
        weft_strip from = there ? to : weft_saved_strip(l, was, l->columns[was], row);
        return weft_loader_carry(l, match, from, to, rows);
    }
    weft_default_rows(info_of(l, component), to, rows);
    for (uint32_t i = 0; match && i < rows; i++, to.first++) {
        if (!saved_bit(l, was, row + i)) continue;
        weft_status status = put_sparse_value(l, t, component, row + i, to);
        if (status != WEFT_OK) return status;
    }
    return WEFT_OK;
}

static weft_status put_columns(weft_loader *l, const saved_table *t, uint32_t first, uint32_t rows,
                               weft_table *table, uint32_t start)
{
    const weft_plan *plan = l->into->plan;
    for (uint32_t c = 0; c < plan->component_count; c++) {
        if (!weft_set_has(table->set, c)) continue;
        const weft_component_info *info = info_of(l, c);
        weft_strip to = {weft_columns(table) + plan->components[c].first_column, start, info->size,
                         info->soa, info->fields};
        weft_status status = put_values(l, t, c, first, to, rows);
        if (status != WEFT_OK) return status;
    }
    return WEFT_OK;
}

// Says that a row has a tag or sparse component.
static weft_status put_bit(weft_loader *l, weft_table *table, uint32_t component, uint32_t row)
{
    weft_world *into = l->into;
    uint32_t column = weft_plane_column(into->plan, &into->plan->components[component]);
    if (!weft_plane_open(&into->heap, into->plan, table, column)) return weft_loader_no_memory(l);
    weft_plane_put(into->plan, table, column, row, true);
    return WEFT_OK;
}

// A value of what is a sparse component now and was none in the save.
static weft_status put_new_sparse(weft_loader *l, const saved_table *t, uint32_t component,
                                  uint32_t from_row, const weft_table *table, uint32_t row)
{
    weft_world *into = l->into;
    const weft_component_info *info = info_of(l, component);
    weft_sparse *store = &into->sparse[into->plan->components[component].sparse];
    weft_format f = into->plan->format;
    uint32_t index = weft_handle_index(f, weft_handle_load(f, weft_column(table, 0), row));
    if (!weft_sparse_ready(&into->heap, store, index)) return weft_loader_no_memory(l);
    void *value = weft_sparse_put(store, index, info->defaults);
    return put_values(l, t, component, from_row,
                      (weft_strip){&value, 0, info->size, false, info->fields}, 1);
}

static bool was_sparse(const weft_loader *l, uint32_t component)
{
    uint32_t was = l->matched.components.was[component];
    const weft_schema *file = l->matched.schemas.file;
    return was != UINT32_MAX && file->components[was].storage == WEFT_STORAGE_SPARSE;
}

// Tags and sparse components that all these rows have.
static weft_status put_planes(weft_loader *l, const saved_table *t, const uint64_t *set,
                              uint32_t first, uint32_t rows, weft_table *table, uint32_t start)
{
    const weft_plan *plan = l->into->plan;
    for (uint32_t c = 0; c < plan->component_count; c++) {
        if (!weft_set_has(set, c) || plan->components[c].plane == WEFT_NONE) continue;
        bool fresh = info_of(l, c)->storage == WEFT_STORAGE_SPARSE && !was_sparse(l, c);
        for (uint32_t i = 0; i < rows; i++) {
            weft_status status = put_bit(l, table, c, start + i);
            if (status == WEFT_OK && fresh) {
                status = put_new_sparse(l, t, c, first + i, table, start + i);
            }
            if (status != WEFT_OK) return status;
        }
    }
    return WEFT_OK;
}

// Rows that all have that set, beyond what their own bits say.
static weft_status put_rows(weft_loader *l, const saved_table *t, const uint64_t *set,
                            uint32_t first, uint32_t rows, weft_table *table)
{
    uint32_t start = table->count;
    weft_status status = append_rows(l, t, first, rows, table);
    if (status == WEFT_OK) status = put_columns(l, t, first, rows, table, start);
    if (status == WEFT_OK) status = put_planes(l, t, set, first, rows, table, start);
    return status;
}

// Tags and sparse components that some of the rows have, with their bits as they lie in the save.
static weft_status put_bits(weft_loader *l, const saved_table *t)
{
    for (uint32_t i = 0; i < t->plane_count; i++) {
        uint32_t now = l->matched.components.now[t->planes[i]];
        const weft_component_info *info = now == UINT32_MAX ? NULL : info_of(l, now);
        if (!info || (info->storage == WEFT_STORAGE_TAG && !info->save)) continue;
        bool fresh = info->storage == WEFT_STORAGE_SPARSE && !was_sparse(l, now);
        for (uint32_t row = 0; row < t->rows; row++) {
            if (!saved_bit(l, t->planes[i], row)) continue;
            weft_status status = put_bit(l, t->whole, now, t->start + row);
            if (status == WEFT_OK && fresh) {
                status = put_new_sparse(l, t, now, row, t->whole, t->start + row);
            }
            if (status != WEFT_OK) return status;
        }
    }
    return WEFT_OK;
}

static weft_status put_apart(weft_loader *l, const saved_table *t, const uint64_t *base)
{
    weft_table *table = NULL;
    for (uint32_t row = 0; row < t->rows; row++) {
        memcpy(l->set, base, l->into->plan->set_words * sizeof *base);
        for (uint32_t i = 0; i < t->plane_count; i++) {
            if (saved_bit(l, t->planes[i], row)) add_component(l, l->set, t->planes[i]);
        }
        weft_status status = find_place(l, l->set, 1, &table);
        if (status == WEFT_OK) status = put_rows(l, t, l->set, row, 1, table);
        if (status != WEFT_OK) return status;
    }
    return WEFT_OK;
}

static void count_bits(weft_loader *l, const saved_table *t)
{
    for (uint32_t i = 0; i < t->plane_count; i++) {
        for (uint32_t row = 0; row < t->rows; row++) {
            l->sparse[t->planes[i]].bits += saved_bit(l, t->planes[i], row);
        }
    }
}

// A table that is looked at while its columns are copied: what was found to be wrong with it may be
// for its bytes having changed.
static weft_status take_table(weft_loader *l, const weft_section *section, uint64_t *base,
                              saved_table *t)
{
    weft_checksum sum;
    weft_status status = WEFT_OK;
    weft_bytes body = weft_section_open(section, &sum);
    *t = (saved_table){0};
    if (!take_head(l, &body, t)) status = weft_loader_damaged(l, "a table is not whole");
    memset(base, 0, l->into->plan->set_words * sizeof *base);
    for (uint32_t i = 0; i < t->component_count && status == WEFT_OK; i++) {
        add_component(l, base, t->components[i]);
    }
    if (status == WEFT_OK && !goes_apart(l, t)) status = find_place(l, base, t->rows, &t->whole);
    if (status == WEFT_OK) t->start = t->whole ? t->whole->count : 0;
    if (status == WEFT_OK) status = take_rows(l, &body, t);
    if (l->of_table.out_of_memory) return weft_loader_no_memory(l);
    if (status == WEFT_OK || status == WEFT_NO_MEMORY) return status;
    return weft_section_is_sound(section) ? status : weft_loader_changed(l);
}

static weft_status put_table(weft_loader *l, const saved_table *t, const uint64_t *base)
{
    count_bits(l, t);
    if (!t->whole) return put_apart(l, t, base);
    weft_status status = put_rows(l, t, base, 0, t->rows, t->whole);
    return status == WEFT_OK ? put_bits(l, t) : status;
}

weft_status weft_loader_tables(weft_loader *loader)
{
    const weft_schema *file = loader->matched.schemas.file;
    size_t words = loader->into->plan->set_words;
    uint64_t *base = (uint64_t *)weft_scratch_take(&loader->scratch, words, sizeof *base);
    loader->set = (uint64_t *)weft_scratch_take(&loader->scratch, words, sizeof *loader->set);
    loader->columns = (void *const **)weft_scratch_take(&loader->scratch, file->component_count,
                                                        sizeof *loader->columns);
    loader->planes = (const unsigned char **)weft_scratch_take(
        &loader->scratch, file->component_count, sizeof *loader->planes);
    loader->tables = (weft_saved_rows *)weft_scratch_take(&loader->scratch, loader->section_count,
                                                          sizeof *loader->tables);
    if (loader->scratch.out_of_memory) return weft_loader_no_memory(loader);
    for (uint32_t i = 0; i < loader->section_count; i++) {
        saved_table table;
        if (loader->sections[i].kind != WEFT_SECTION_TABLE) continue;
        weft_status status = take_table(loader, &loader->sections[i], base, &table);
        if (status == WEFT_OK) status = put_table(loader, &table, base);
        weft_scratch_free(&loader->of_table);
        loader->tables[loader->table_count++] = (weft_saved_rows){table.rows, table.handles};
        if (status != WEFT_OK) return status;
    }
    if (loader->row_count != loader->live) {
        return weft_loader_damaged(loader, "there are not as many rows as entities");
    }
    return WEFT_OK;
}
