// The turn of an index: sorts the changes that its reader has not seen, and merges them into the
// index.
#include "update.h"

#include "../record/command.h"
#include "../record/reader.h"
#include "../world/rows.h"
#include "grid.h"
#include "grid_delta.h"
#include "grid_merge.h"
#include "lent.h"
#include "point.h"
#include "sorted.h"

#define LEAST 64u        // delta is never merged below this size
#define SHARE 16u        // otherwise it is merged when it exceeds 1 / SHARE of base
#define SHARE_CHEAP 128u // the same for a grid, which merges sooner because its merge is cheap
#define SHARE_ALL 4u     // base is rebuilt when more than 1 / SHARE_ALL has changed at once

static const weft_reader_plan *reader_of(const weft_world *world, uint32_t number)
{
    return &world->plan->readers[world->plan->indexes[number].reader];
}

static uint64_t *index_bits(const weft_region *region)
{
    return (uint64_t *)(void *)region->base;
}

// ------------------------------------------------------------------------------------------------
// Building

static void forget_index(weft_world *world, uint32_t number)
{
    weft_index *index = &world->indexes[number];
    weft_lost *lost = &world->changes.lost[number];
    const weft_reader_plan *reader = reader_of(world, number);
    weft_region regions[WEFT_INDEX_REGIONS];
    memcpy(regions, index, sizeof regions);
    for (size_t i = 0; i < WEFT_INDEX_REGIONS; i++) weft_region_free(&world->heap, &regions[i]);
    weft_region_free(&world->heap, &lost->bits);
    for (uint32_t i = 0; i < reader->watch_count; i++) {
        const weft_watch_plan *watch = &reader->watches[i];
        if (watch->unseen != watch->incoming) world->changes.listening[watch->unseen] = false;
    }
    uint32_t updates = index->updates + 1;
    *index = (weft_index){.updates = updates};
    *lost = (weft_lost){.count = 0};
}

void weft_indexes_forget(weft_world *world)
{
    for (uint32_t i = 0; i < world->plan->index_count; i++) forget_index(world, i);
}

// Marks all changes as seen by the index.
static void see_all(weft_world *world, uint32_t number)
{
    const weft_reader_plan *reader = reader_of(world, number);
    weft_lost *lost = &world->changes.lost[number];
    weft_turn_end(world, world->plan->indexes[number].reader);
    for (uint32_t i = 0; i < reader->watch_count; i++) {
        world->changes.listening[reader->watches[i].unseen] = true;
    }
    if (lost->any) memset(lost->bits.base, 0, lost->bits.bytes);
    lost->any = false;
}

// Makes space for one bit for each entity index.
static bool bits_ready(weft_world *world, uint32_t number)
{
    weft_index *index = &world->indexes[number];
    weft_lost *lost = &world->changes.lost[number];
    size_t words = (size_t)weft_bits_words(world->entities.index_count) + 1;
    if (!weft_index_space(world, &index->moved, words, sizeof(uint64_t)) ||
        !weft_index_space(world, &lost->bits, words, sizeof(uint64_t))) {
        return false;
    }
    lost->count = (uint32_t)(words * 64);
    return true;
}

static bool again_ready(weft_world *world, weft_index *index)
{
    size_t words = (size_t)weft_bits_words(world->entities.index_count) + 1;
    return weft_index_space(world, &index->again, words, sizeof(uint64_t));
}

static bool make_index(weft_world *world, uint32_t number)
{
    weft_index *index = &world->indexes[number];
    bool grid = world->plan->indexes[number].kind == WEFT_INDEX_GRID;
    index->updates++;
    if (!bits_ready(world, number)) return false;
    if (!(grid ? weft_grid_make(world, number) : weft_sorted_make(world, number))) return false;
    see_all(world, number);
    return true;
}

static bool merge_index(weft_world *world, uint32_t number)
{
    bool grid = world->plan->indexes[number].kind == WEFT_INDEX_GRID;
    if (!grid) return weft_sorted_merge(world, number);
    return weft_grid_merge(world, number) || weft_grid_make(world, number);
}

// ------------------------------------------------------------------------------------------------
// News: rows that changed, and entities that lost a component

static bool matches(const weft_world *world, uint32_t number, const weft_table *table)
{
    return world->plan->queries[world->plan->indexes[number].query].matches(table);
}

// Returns the first watch that matters for the rows of a table. If the index cannot contain them,
// changes of the component itself do not matter. For an entity that came from a table of the index,
// the other watches report the components that it gained or lost on the way.
static uint32_t first_watch(const weft_world *world, uint32_t number, const weft_table *table)
{
    return matches(world, number, table) ? 0 : 1;
}

static bool anything_new_in(const weft_world *world, uint32_t number, const weft_table *table)
{
    const weft_reader_plan *reader = reader_of(world, number);
    for (uint32_t i = first_watch(world, number, table); i < reader->watch_count; i++) {
        if (weft_marked_any(&table->change_bits, reader->watches[i].unseen, table->count)) {
            return true;
        }
    }
    return false;
}

static bool anything_new(const weft_world *world, uint32_t number)
{
    if (world->changes.lost[number].any) return true;
    for (uint32_t t = 0; t < world->lists.every_table.count; t++) {
        if (anything_new_in(world, number, world->lists.every_table.tables[t])) return true;
    }
    return false;
}

// Marks the item of an entity in base as out of date. If it already was, sets its bit in `again`.
static void move_entity(weft_index *index, uint32_t id)
{
    uint64_t bit = (uint64_t)1 << (id % 64);
    uint64_t *moved = index_bits(&index->moved) + id / 64;
    if (*moved & bit) {
        index_bits(&index->again)[id / 64] |= bit;
    } else {
        *moved |= bit;
        index->moved_count++;
    }
}

// Returns whether a row is in the index.
static bool is_indexed(const weft_world *world, uint32_t number, const weft_table *table,
                       uint32_t row)
{
    const weft_index_plan *plan = &world->plan->indexes[number];
    if (!matches(world, number, table)) return false;
    return weft_index_passing(plan, table, row & ~63u) >> (row % 64) & 1u;
}

// Marks the rows of entities that lost a component as changed. If such an entity has no row in the
// index any more, it has moved out of it.
static void look_at_lost(weft_world *world, uint32_t number)
{
    const weft_watch_plan *of = &reader_of(world, number)->watches[0];
    weft_lost *lost = &world->changes.lost[number];
    weft_format f = world->plan->format;
    for (uint32_t word = 0; lost->any && word < lost->count / 64; word++) {
        for (uint64_t left = index_bits(&lost->bits)[word]; left != 0;) {
            uint32_t id = word * 64 + weft_bits_pop(&left);
            weft_wide_record record = weft_record_at(&world->entities, f, id);
            const weft_table *table =
                record.generation == 0 ? NULL : world->tables.items[record.table];
            if (table && weft_row_has(world->plan, table, record.row, of->component) &&
                is_indexed(world, number, table, record.row)) {
                weft_row_mark(table, record.row, of->unseen);
            } else {
                move_entity(&world->indexes[number], id);
            }
        }
    }
}

// Returns the rows with news among 64 rows of a table. A changed value in a row that the index does
// not contain, and according to the other watches did not contain before, is no news. For example,
// moving entities do not concern an index of standing ones.
static uint64_t new_rows(const weft_world *world, uint32_t number, const weft_table *table,
                         uint32_t word)
{
    const weft_reader_plan *reader = reader_of(world, number);
    uint64_t rows = 0;
    for (uint32_t i = 1; i < reader->watch_count; i++) {
        rows |= weft_change_words(&table->change_bits, reader->watches[i].unseen, word).words[0];
    }
    if (first_watch(world, number, table) != 0) return rows;
    uint64_t values =
        weft_change_words(&table->change_bits, reader->watches[0].unseen, word).words[0];
    if ((values & ~rows) == 0) return rows;
    return rows | (values & weft_index_passing(&world->plan->indexes[number], table, word * 64));
}

// Returns the number of rows with news.
static size_t count_rows(const weft_world *world, uint32_t number)
{
    size_t changed = 0;
    for (uint32_t t = 0; t < world->lists.every_table.count; t++) {
        const weft_table *table = world->lists.every_table.tables[t];
        if (!anything_new_in(world, number, table)) continue;
        for (uint32_t row = 0; row < table->count; row += 64) {
            uint64_t rows = new_rows(world, number, table, row / 64);
            changed += weft_bits_count(&rows, 1);
        }
    }
    return changed;
}

// Stores the item of a row of a grid, unless a coordinate is NaN.
static void keep_point(weft_index *index, const weft_points *points, uint32_t row, uint32_t id)
{
    const weft_grid_form f = weft_grid_form_of(points->plan);
    weft_index_item *item = (weft_index_item *)(void *)index->changes.base + index->change_count;
    item->id = id;
    item->at[2] = 0.0;
    weft_point_read(points, f.dimensions, points->f32, row, item->at);
    if (!weft_point_is(item->at, f.dimensions)) return;
    item->key = weft_grid_key(item->at, f);
    index->change_count++;
}

// Stores the item of a row of a hash or an ordered index.
static void keep_key(weft_index *index, const weft_points *points, uint32_t row, uint32_t id)
{
    weft_index_item *item = (weft_index_item *)(void *)index->changes.base + index->change_count++;
    item->id = id;
    item->key = weft_sorted_key(points->world, points->plan, points->table, row);
}

// Lists the rows of a table with news, and prefetches their data, which may be scattered. Returns
// their number.
static uint32_t list_new_rows(const weft_world *world, uint32_t number, const weft_points *points,
                              uint32_t *rows)
{
    const weft_table *table = points->table;
    const unsigned char *handles = (const unsigned char *)weft_column(table, 0);
    const uint32_t handle_bytes = world->plan->format.handle_bytes;
    uint32_t count = 0;
    for (uint32_t first = 0; first < table->count; first += 64) {
        for (uint64_t left = new_rows(world, number, table, first / 64); left != 0;) {
            uint32_t row = first + weft_bits_pop(&left);
            WEFT_PREFETCH(handles + (size_t)row * handle_bytes);
            if (points->first[0]) WEFT_PREFETCH(points->first[0] + row * points->stride[0]);
            rows[count++] = row;
        }
    }
    return count;
}

static void look_at_table(weft_world *world, uint32_t number, const weft_table *table)
{
    const weft_index_plan *plan = &world->plan->indexes[number];
    weft_index *index = &world->indexes[number];
    uint32_t *rows = (uint32_t *)(void *)index->order.base;
    bool may_be = matches(world, number, table);
    weft_points points = {.world = world, .plan = plan, .table = table};
    if (may_be && plan->kind == WEFT_INDEX_GRID) points = weft_points_of(world, plan, table);
    uint32_t count = list_new_rows(world, number, &points, rows);
    uint64_t passing = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id = weft_index_entity(world, table, rows[i]);
        move_entity(index, id);
        if (!may_be) continue;
        if (i == 0 || rows[i] / 64 != rows[i - 1] / 64) {
            passing = weft_index_passing(plan, table, rows[i] & ~63u);
        }
        if ((passing >> (rows[i] % 64) & 1u) == 0) continue;
        if (plan->kind == WEFT_INDEX_GRID) {
            keep_point(index, &points, rows[i], id);
        } else {
            keep_key(index, &points, rows[i], id);
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Merging into delta

// The position of a change, with its key, for sorting.
typedef struct change_order {
    uint64_t key;
    uint32_t id;
    uint32_t place;
} change_order;

// Sorts by one byte of the key or entity index. Returns the array with the result.
static change_order *sort_by_byte(change_order *from, change_order *to, uint32_t count, bool by_id,
                                  uint32_t shift)
{
    uint32_t ends[256] = {0};
    for (uint32_t i = 0; i < count; i++) {
        ends[(by_id ? from[i].id : from[i].key) >> shift & 0xFF]++;
    }
    for (uint32_t d = 1; d < 256; d++) ends[d] += ends[d - 1];
    for (uint32_t i = count; i-- != 0;) {
        to[--ends[(by_id ? from[i].id : from[i].key) >> shift & 0xFF]] = from[i];
    }
    return to;
}

// Sorts the positions of the changes by key, then by entity index: a radix sort by bytes that skips
// bytes that are the same for all. Returns the result, which is in one of two halves of `order`.
static change_order *sort_changes(const weft_index *index, change_order *order)
{
    const weft_index_item *changes = (const weft_index_item *)(const void *)index->changes.base;
    uint32_t count = index->change_count;
    uint64_t keys = 0;
    uint32_t ids = 0;
    bool ascending = true;
    change_order *from = order;
    if (count == 0) return order; // `order` may have no memory
    for (uint32_t i = 0; i < count; i++) {
        order[i] = (change_order){changes[i].key, changes[i].id, i};
        keys |= changes[i].key ^ changes[0].key;
        ids |= changes[i].id ^ changes[0].id;
        ascending &= i == 0 || changes[i].id > changes[i - 1].id;
    }
    for (uint32_t shift = 0; shift < 32 && !ascending; shift += 8) {
        change_order *other = from == order ? order + count : order;
        if (ids >> shift & 0xFF) from = sort_by_byte(from, other, count, true, shift);
    }
    for (uint32_t shift = 0; shift < 64; shift += 8) {
        change_order *other = from == order ? order + count : order;
        if (keys >> shift & 0xFF) from = sort_by_byte(from, other, count, false, shift);
    }
    return from;
}

// Removes items from delta that have moved again.
static void drop_again(weft_index *index)
{
    weft_index_item *delta = (weft_index_item *)(void *)index->delta.base;
    const uint64_t *again = index_bits(&index->again);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < index->delta_count; i++) {
        if (again[delta[i].id / 64] >> (delta[i].id % 64) & 1u) continue;
        if (kept != i) delta[kept] = delta[i];
        kept++;
    }
    index->delta_count = kept;
}

// Merges the sorted changes into delta from the end. Delta has space for them.
static void merge_changes(weft_index *index, const change_order *order)
{
    weft_index_item *delta = (weft_index_item *)(void *)index->delta.base;
    const weft_index_item *changes = (const weft_index_item *)(const void *)index->changes.base;
    uint32_t from = index->delta_count;
    uint32_t left = index->change_count;
    index->delta_count += left;
    for (uint32_t to = index->delta_count; left != 0;) {
        change_order last = order[left - 1];
        bool stays = from != 0 &&
                     weft_item_before(last.key, last.id, delta[from - 1].key, delta[from - 1].id);
        delta[--to] = stays ? delta[--from] : changes[order[--left].place];
    }
}

// Makes space for `changed` changes, and twice as many in `order`. Returns false if there is no
// memory.
static bool changes_ready(weft_world *world, weft_index *index, size_t changed)
{
    size_t most = index->delta_count + changed;
    return again_ready(world, index) &&
           weft_index_space(world, &index->changes, changed, sizeof(weft_index_item)) &&
           weft_index_space(world, &index->order, 2 * changed, sizeof(change_order)) &&
           weft_index_space(world, &index->delta, most, sizeof(weft_index_item));
}

// Updates the search data of delta, or merges delta into base if it has become large.
static bool settle_changes(weft_world *world, uint32_t number)
{
    weft_index *index = &world->indexes[number];
    const weft_index_plan *plan = &world->plan->indexes[number];
    bool cheap = plan->kind == WEFT_INDEX_GRID && weft_grid_fits(world, number);
    uint32_t enough = LEAST + index->count / (cheap ? SHARE_CHEAP : SHARE);
    if (index->moved_count > enough || index->left) return merge_index(world, number);
    if (plan->kind == WEFT_INDEX_GRID) return weft_grid_settle(world, number);
    if (plan->kind == WEFT_INDEX_HASH) return weft_sorted_settle(world, number);
    weft_sorted_ends(world, number);
    return true;
}

// Updates an index with `changed` rows that may have changed.
static bool take_changes(weft_world *world, uint32_t number, size_t changed)
{
    weft_index *index = &world->indexes[number];
    if (!changes_ready(world, index, changed)) return false;
    index->updates++;
    index->change_count = 0;
    for (uint32_t t = 0; t < world->lists.every_table.count; t++) {
        const weft_table *table = world->lists.every_table.tables[t];
        if (anything_new_in(world, number, table)) look_at_table(world, number, table);
    }
    if (world->plan->indexes[number].kind == WEFT_INDEX_GRID) weft_grid_enter(world, number);
    drop_again(index);
    memset(index->again.base, 0, index->again.bytes);
    merge_changes(index, sort_changes(index, (change_order *)(void *)index->order.base));
    see_all(world, number);
    return settle_changes(world, number);
}

static bool take_news(weft_world *world, uint32_t number)
{
    weft_index *index = &world->indexes[number];
    if (world->changes.lost[number].count == 0) return make_index(world, number);
    if (!anything_new(world, number)) return true;
    if (!bits_ready(world, number)) return false;
    if (world->changes.lost[number].any && !again_ready(world, index)) return false;
    bool lost = world->changes.lost[number].any;
    look_at_lost(world, number);
    size_t changed = count_rows(world, number);
    if (changed == 0 && !lost) {
        see_all(world, number);
        return true;
    }
    if (changed > LEAST + index->count / SHARE_ALL) return make_index(world, number);
    return take_changes(world, number, changed);
}

static bool update_index(weft_world *world, uint32_t number)
{
    weft_turn_begin(world, world->plan->indexes[number].reader);
    weft_index_pass_over(world, number);
    bool ready = take_news(world, number);
    weft_index_restore(world, number);
    if (ready) weft_index_keep_lent(world, number);
    return ready;
}

bool weft_index_turn(weft_world *world, uint32_t number)
{
    weft_world_lock(world);
    bool ready = update_index(world, number);
    if (!ready) {
        forget_index(world, number);
        weft_commands_lose(&world->commands.buffers[0], WEFT_NO_MEMORY, 1);
        weft_refuse(world,
                    weft_refusal_of(WEFT_NO_MEMORY, world->plan->indexes[number].component, 0));
    }
    weft_world_unlock(world);
    return ready;
}

bool weft_index_ask(weft_world *world, uint32_t number, const char *call)
{
    if (weft_busy_to_look(world, call)) return false;
    weft_world_used(world);
    bool ready = update_index(world, number);
    if (ready) return true;
    forget_index(world, number);
    return weft_refuse(world,
                       weft_refusal_of(WEFT_NO_MEMORY, world->plan->indexes[number].component, 0));
}
