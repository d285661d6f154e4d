// Tables of a save, one after the other. Where the schema is the one it was written with, a table's
// rows go to one table in one piece. Else a row's set of components decides: what was a sparse
// component or a tag may be a column now, and what is required now comes along.
#include "tables.h"

#include "../world/move.h"
#include "../world/report.h"

// ------------------------------------------------------------------------------------------------
// Where rows go

void weft_loader_add(const weft_loader *l, uint64_t *set, uint32_t component)
{
    const weft_plan *plan = l->into->plan;
    uint32_t now = weft_loaded_as(l, component);
    if (now == UINT32_MAX) return;
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
            return weft_report(l->said, WEFT_MISMATCH,
                               "the save has entities with both '%s' and '%s', which exclude "
                               "each other now",
                               weft_loaded_info(l, c)->name, weft_loaded_info(l, other)->name);
        }
    }
    return WEFT_OK;
}

// Whether rows of one table of the save may be of several tables now, or break a rule one by one.
static bool goes_apart(const weft_loader *l, const weft_saved_table *t)
{
    const weft_plan *plan = l->into->plan;
    for (uint32_t i = 0; i < t->bitset_count; i++) {
        uint32_t now = l->matched.components.now[t->bitsets[i]];
        if (now == UINT32_MAX) continue;
        if (weft_loaded_info(l, now)->storage == WEFT_STORAGE_TABLE ||
            plan->components[now].ruled) {
            return true;
        }
    }
    return false;
}

weft_status weft_loader_place(weft_loader *l, const uint64_t *set, uint32_t rows,
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

// What stands before the handles. Rows are not more than there are handles for, nor than entities
// left.
static bool take_head(weft_loader *l, weft_bytes *body, weft_saved_table *t)
{
    const weft_schema *file = l->matched.schemas.file;
    t->rows = weft_take_number(body, l->live - l->row_count);
    t->component_count = weft_take_number(body, file->component_count);
    t->bitset_count = weft_take_number(body, file->component_count);
    t->components = take_ids(l, body, t->component_count, true);
    t->bitsets = take_ids(l, body, t->bitset_count, false);
    return !body->bad && t->components && t->bitsets && t->rows <= body->left / file->handle_bytes;
}

// Where a column of the save is copied to while it is taken: the same bytes are its place in the
// world. NULL: they have to be carried over.
static void *const *columns_there(const weft_loader *l, const weft_saved_table *t,
                                  uint32_t component)
{
    const weft_plan *plan = l->into->plan;
    uint32_t now = l->matched.components.now[component];
    const weft_match *match = now == UINT32_MAX ? NULL : l->matched.components.values[now];
    if (!t->whole || !match || !match->same) return NULL;
    if (weft_loaded_info(l, now)->storage != WEFT_STORAGE_TABLE) return NULL;
    return weft_columns(t->whole) + plan->components[now].first_column;
}

static bool take_columns(weft_loader *l, weft_bytes *body, const weft_saved_table *t,
                         uint32_t component)
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
static bool bitset_ends(const unsigned char *words, uint32_t rows)
{
    if (rows % 64 == 0) return true;
    return weft_little_read(words + rows / 64 * sizeof(uint64_t), 8) >> rows % 64 == 0;
}

// What stands behind the head.
static weft_status take_rows(weft_loader *l, weft_bytes *body, weft_saved_table *t)
{
    const weft_schema *file = l->matched.schemas.file;
    memset(l->columns, 0, file->component_count * sizeof *l->columns);
    memset(l->bitsets, 0, file->component_count * sizeof *l->bitsets);
    t->handles = (const unsigned char *)weft_take_array(body, t->rows, file->handle_bytes);
    for (uint32_t i = 0; !body->bad && i < t->component_count; i++) {
        if (!take_columns(l, body, t, t->components[i])) return weft_loader_no_memory(l);
    }
    for (uint32_t i = 0; !body->bad && i < t->bitset_count; i++) {
        const unsigned char *words =
            (const unsigned char *)weft_take_array(body, (t->rows + 63) / 64, sizeof(uint64_t));
        l->bitsets[t->bitsets[i]] = words;
        if (words && !bitset_ends(words, t->rows)) body->bad = true;
    }
    if (!weft_section_ended(body)) return weft_loader_damaged(l, "a table is not whole");
    return WEFT_OK;
}

// A table that is looked at while its columns are copied: what was found to be wrong with it may be
// for its bytes having changed.
static weft_status take_table(weft_loader *l, const weft_section *section, uint64_t *base,
                              weft_saved_table *t)
{
    weft_checksum sum;
    weft_status status = WEFT_OK;
    weft_bytes body = weft_section_open(section, &sum);
    *t = (weft_saved_table){0};
    if (!take_head(l, &body, t)) status = weft_loader_damaged(l, "a table is not whole");
    memset(base, 0, l->into->plan->set_words * sizeof *base);
    for (uint32_t i = 0; i < t->component_count && status == WEFT_OK; i++) {
        weft_loader_add(l, base, t->components[i]);
    }
    if (status == WEFT_OK && !goes_apart(l, t))
        status = weft_loader_place(l, base, t->rows, &t->whole);
    if (status == WEFT_OK) t->start = t->whole ? t->whole->count : 0;
    if (status == WEFT_OK) status = take_rows(l, &body, t);
    if (l->of_table.out_of_memory) return weft_loader_no_memory(l);
    if (status == WEFT_OK || status == WEFT_NO_MEMORY) return status;
    return weft_section_is_sound(section) ? status : weft_loader_changed(l);
}

weft_status weft_loader_tables(weft_loader *loader)
{
    const weft_schema *file = loader->matched.schemas.file;
    size_t words = loader->into->plan->set_words;
    uint64_t *base = (uint64_t *)weft_scratch_take(&loader->scratch, words, sizeof *base);
    loader->set = (uint64_t *)weft_scratch_take(&loader->scratch, words, sizeof *loader->set);
    loader->columns = (void *const **)weft_scratch_take(&loader->scratch, file->component_count,
                                                        sizeof *loader->columns);
    loader->bitsets = (const unsigned char **)weft_scratch_take(
        &loader->scratch, file->component_count, sizeof *loader->bitsets);
    loader->tables = (weft_saved_rows *)weft_scratch_take(&loader->scratch, loader->section_count,
                                                          sizeof *loader->tables);
    if (loader->scratch.out_of_memory) return weft_loader_no_memory(loader);
    for (uint32_t i = 0; i < loader->section_count; i++) {
        weft_saved_table table;
        if (loader->sections[i].kind != WEFT_SECTION_TABLE) continue;
        weft_status status = take_table(loader, &loader->sections[i], base, &table);
        if (status == WEFT_OK) status = weft_loader_put(loader, &table, base);
        weft_scratch_free(&loader->of_table);
        loader->tables[loader->table_count++] = (weft_saved_rows){table.rows, table.handles};
        if (status != WEFT_OK) return status;
    }
    if (loader->row_count != loader->live) {
        return weft_loader_damaged(loader, "there are not as many rows as entities");
    }
    return WEFT_OK;
}
