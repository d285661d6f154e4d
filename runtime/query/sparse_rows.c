// Counts and lists the sparse rows of a table.
#include "sparse_rows.h"

#include "../base/keyed.h"
#include "../base/search.h"

// ------------------------------------------------------------------------------------------------
// Lists are updated if only a few values of the store were added, removed or moved, and no row
// moved.

#define TOUCHED_MAX 256u // owners of changed slots; beyond this, lists are rebuilt
#define BLOCK_OWNERS 64u // owners compared in one call

// Rows whose value was added, removed or moved, each with the index of its entity.
typedef struct touched_rows {
    uint32_t count; // TOUCHED_MAX + 1: too many
    weft_keyed rows[TOUCHED_MAX];
} touched_rows;

// Records the row of an entity, if it is in the table. The entity is alive: if it had been
// despawned since the list was built, rows would have moved.
static void touch(const weft_world *world, const weft_table *table, uint32_t index, touched_rows *t)
{
    weft_wide_record at = weft_record_at(&world->entities, world->plan->format, index);
    if (at.table != table->id || t->count > TOUCHED_MAX) return;
    if (t->count < TOUCHED_MAX) t->rows[t->count] = (weft_keyed){at.row, index};
    t->count++;
}

// Finds the rows of slots whose owner differs from the copy, both of the old and of the new owner.
static void find_touched(const weft_world *world, const weft_table *table,
                         const weft_sparse *sparse, const weft_sparse_rows *listed, touched_rows *t)
{
    const uint32_t *owners = (const uint32_t *)(const void *)sparse->owners.base;
    const uint32_t *copy = weft_sparse_rows_numbers(listed) + listed->space;
    uint32_t now = weft_sparse_count(sparse);
    uint32_t was = (uint32_t)listed->change_count;
    uint32_t both = now < was ? now : was;
    t->count = 0;
    for (uint32_t at = 0; at < both && t->count <= TOUCHED_MAX; at += BLOCK_OWNERS) {
        uint32_t end = both - at < BLOCK_OWNERS ? both : at + BLOCK_OWNERS;
        if (memcmp(owners + at, copy + at, (end - at) * sizeof *owners) == 0) continue;
        for (uint32_t slot = at; slot < end; slot++) {
            if (owners[slot] == copy[slot]) continue;
            touch(world, table, owners[slot], t);
            touch(world, table, copy[slot], t);
        }
    }
    for (uint32_t slot = both; slot < now && t->count <= TOUCHED_MAX; slot++) {
        touch(world, table, owners[slot], t);
    }
    for (uint32_t slot = both; slot < was && t->count <= TOUCHED_MAX; slot++) {
        touch(world, table, copy[slot], t);
    }
}

static void move_entries(const weft_sparse_rows *listed, uint32_t to, uint32_t from, uint32_t count)
{
    void **values = weft_sparse_rows_values(listed);
    uint32_t *rows = weft_sparse_rows_numbers(listed);
    if (to == from || count == 0) return;
    memmove(values + to, values + from, count * sizeof *values);
    memmove(rows + to, rows + from, count * sizeof *rows);
}

// Removes the rows without a value from the lists, and writes the new addresses of values. Keeps
// the touched rows that must be added.
static void drop_touched(const weft_sparse *sparse, weft_sparse_rows *listed, touched_rows *t)
{
    void **values = weft_sparse_rows_values(listed);
    const uint32_t *rows = weft_sparse_rows_numbers(listed);
    const uint32_t count = listed->count;
    uint32_t to = 0;
    uint32_t from = 0;
    uint32_t come = 0;
    for (uint32_t i = 0; i < t->count; i++) {
        weft_keyed touched = t->rows[i];
        if (i != 0 && t->rows[i - 1].key == touched.key) continue;
        void *value = weft_sparse_find(sparse, (uint32_t)touched.value);
        uint32_t place =
            weft_lower_bound(rows, from, count, weft_key_at_u32, (uint32_t)touched.key);
        if (place == count || rows[place] != touched.key) {
            if (value) t->rows[come++] = touched;
        } else if (value) {
            values[place] = value;
        } else {
            move_entries(listed, to, from, place - from);
            to += place - from;
            from = place + 1;
        }
    }
    move_entries(listed, to, from, count - from);
    listed->count = to + (count - from);
    t->count = come;
}

// Adds rows to the lists, which have space for them. It begins with the last, so that each entry
// moves once.
static void add_touched(const weft_sparse *sparse, weft_sparse_rows *listed, const touched_rows *t)
{
    void **values = weft_sparse_rows_values(listed);
    uint32_t *rows = weft_sparse_rows_numbers(listed);
    uint32_t end = listed->count;
    for (uint32_t i = t->count; i-- > 0;) {
        uint32_t row = (uint32_t)t->rows[i].key;
        uint32_t place = weft_lower_bound(rows, 0, end, weft_key_at_u32, row);
        move_entries(listed, place + i + 1, place, end - place);
        rows[place + i] = row;
        values[place + i] = weft_sparse_find(sparse, (uint32_t)t->rows[i].value);
        end = place;
    }
    listed->count += t->count;
}

static void copy_owners(const weft_sparse *sparse, const weft_sparse_rows *listed)
{
    memcpy(weft_sparse_rows_numbers(listed) + listed->space, sparse->owners.base,
           weft_sparse_count(sparse) * sizeof(uint32_t));
}

// Updates the lists and the count. Once a row has moved, an index may belong to another entity,
// which owners do not show. Returns false if the lists must be rebuilt.
static bool keep_up(const weft_world *world, const weft_table *table, const weft_sparse *sparse,
                    weft_sparse_rows *listed)
{
    touched_rows t;
    bool known = listed->base && listed->base == sparse->values.base &&
                 listed->moves == weft_moves(world) &&
                 (uint32_t)listed->change_count <= listed->space &&
                 weft_sparse_count(sparse) <= listed->space;
    if (!known) return false;
    find_touched(world, table, sparse, listed, &t);
    if (t.count > TOUCHED_MAX) return false;
    weft_keyed_sort(t.rows, t.count, 32);
    drop_touched(sparse, listed, &t);
    add_touched(sparse, listed, &t);
    copy_owners(sparse, listed);
    listed->change_count = sparse->change_count;
    listed->counted = true;
    return true;
}

// ------------------------------------------------------------------------------------------------
// Counts

static uint32_t count_owners(const weft_world *world, const weft_table *table,
                             const weft_sparse *sparse)
{
    const uint32_t *owners = (const uint32_t *)(const void *)sparse->owners.base;
    uint32_t count = weft_sparse_count(sparse);
    uint32_t rows = 0;
    for (uint32_t i = 0; i < count; i++) {
        weft_place at = weft_place_of(&world->entities, world->plan->format, owners[i]);
        rows += at.table == table->id;
    }
    return rows;
}

uint32_t weft_sparse_rows_recount(const weft_world *world, const weft_table *table, uint32_t store,
                                  uint32_t column)
{
    weft_sparse_rows *listed = &table->sparse_rows[store];
    const weft_sparse *sparse = &world->sparse[store];
    if (!world->now.in_parallel && keep_up(world, table, sparse, listed)) return listed->count;
    const uint64_t *bits = (const uint64_t *)weft_column(table, column); // NULL: no row has the
                                                                         // component
    uint32_t words = bits ? weft_bits_words(table->count) : 0;
    // Reading the place of an owner costs as much as several words.
    uint32_t count = weft_sparse_count(sparse) < words / 8 ? count_owners(world, table, sparse)
                                                           : weft_bits_count(bits, words);
    if (!world->now.in_parallel) {
        listed->base = NULL;
        listed->change_count = sparse->change_count;
        listed->count = count;
        listed->counted = true;
    }
    return count;
}

// ------------------------------------------------------------------------------------------------
// Lists

// Writes the numbers of the rows whose bits are set, 64 words at a time.
static void list_rows(const weft_table *table, uint32_t column, uint32_t *to)
{
    const uint64_t *words = (const uint64_t *)weft_column(table, column);
    for (uint32_t at = 0; at < weft_bits_words(table->count); at += 64) {
        uint32_t left = weft_bits_words(table->count) - at;
        uint64_t occupied = weft_words_occupied(words + at, left < 64 ? left : 64);
        while (occupied != 0) {
            uint32_t word = at + weft_bits_pop(&occupied);
            for (uint64_t bits = words[word]; bits != 0;) *to++ = word * 64 + weft_bits_pop(&bits);
        }
    }
}

// Makes space for lists of the counted rows, with a reserve and a copy of owners if they will be
// updated. If most values belong to other tables, copies of all owners would take more memory than
// the lists.
static bool space_for_list(const weft_world *world, const weft_sparse *sparse,
                           weft_sparse_rows *listed)
{
    weft_heap *heap = (weft_heap *)(uintptr_t)&world->heap;
    const size_t entry = sizeof(void *) + 2 * sizeof(uint32_t);
    const uint32_t all = weft_sparse_count(sparse);
    uint64_t space = listed->count;
    if (listed->count >= all / 2) space = (uint64_t)all + all / 8 + 8;
    if (space > world->plan->max_entities) space = world->plan->max_entities;
    if (!weft_region_grow(heap, &listed->entries, (size_t)space * entry,
                          world->plan->max_entities * entry)) {
        return false;
    }
    listed->space = (uint32_t)space;
    return true;
}

// Builds the lists of the counted rows. The cache is not part of the world's state, so a const
// world is enough. Returns false if there is no memory; `base` is then unchanged, and differs from
// that of the values.
static bool make(const weft_world *world, const weft_table *table, uint32_t store, uint32_t column,
                 weft_sparse_rows *listed)
{
    const weft_sparse *sparse = &world->sparse[store];
    if (!space_for_list(world, sparse, listed)) return false;
    listed->base = sparse->values.base;
    listed->moves = weft_moves(world);
    if (weft_sparse_count(sparse) <= listed->space) copy_owners(sparse, listed);
    const weft_format f = world->plan->format;
    void **values = weft_sparse_rows_values(listed);
    uint32_t *rows = weft_sparse_rows_numbers(listed);
    list_rows(table, column, rows);
    for (uint32_t i = 0; i < listed->count; i++) {
        uint64_t handle = weft_handle_load(f, weft_column(table, 0), rows[i]);
        values[i] = weft_sparse_value_of(sparse, weft_handle_index(f, handle), sparse->size);
    }
    return true;
}

const weft_sparse_rows *weft_sparse_rows_of(const weft_world *world, const weft_table *table,
                                            uint32_t store, uint32_t column)
{
    const weft_sparse *sparse = &world->sparse[store];
    uint32_t count = weft_sparse_rows_count(world, table, store, column);
    if (count == 0 || count >= table->count / WEFT_SPARSE_ROWS_SHARE) return NULL;
    weft_sparse_rows *listed = &table->sparse_rows[store];
    if (weft_sparse_rows_counted(listed, sparse) && listed->base == sparse->values.base)
        return listed;
    return !world->now.in_parallel && make(world, table, store, column, listed) ? listed : NULL;
}

void weft_sparse_rows_ready(const weft_world *world, const weft_query *query, uint32_t store,
                            uint32_t column, bool listed)
{
    for (uint32_t i = 0; i < query->count; i++) {
        weft_sparse_rows_count(world, query->tables[i], store, column);
        if (listed) weft_sparse_rows_of(world, query->tables[i], store, column);
    }
}

uint32_t weft_sparse_rows_behind(const weft_sparse_rows *listed, uint32_t row)
{
    const uint32_t *rows = weft_sparse_rows_numbers(listed);
    uint32_t high = listed->count;
    if (rows[high - 1] < row) return high;
    return weft_lower_bound(rows, 0, high, weft_key_at_u32, row);
}
