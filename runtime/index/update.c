// An index has its turn: what is new to its reader is sorted, and merged into what it has.
#include "update.h"

#include "../record/command.h"
#include "../record/reader.h"
#include "../world/rows.h"
#include "grid.h"
#include "sorted.h"

#include <stdlib.h>

#define LEAST 64u    // so much in delta is never too much
#define SHARE 16u    // else it is merged when it is this part of base
#define SHARE_ALL 4u // base is made anew when this part of it has changed at once

static const weft_reader_plan *reader_of(const weft_world *world, uint32_t number)
{
    return &world->plan->readers[world->plan->indexes[number].reader];
}

static uint64_t *index_bits(const weft_region *region)
{
    return (uint64_t *)(void *)region->base;
}

// ------------------------------------------------------------------------------------------------
// Making

static void forget_index(weft_world *world, uint32_t number)
{
    weft_index *index = &world->indexes[number];
    weft_lost *lost = &world->lost[number];
    const weft_reader_plan *reader = reader_of(world, number);
    weft_region *regions[] = {&index->keys,  &index->items, &index->starts,  &index->moved,
                              &index->again, &index->delta, &index->changes, &lost->bits};
    for (size_t i = 0; i < sizeof regions / sizeof *regions; i++) {
        weft_region_free(&world->heap, regions[i]);
    }
    for (uint32_t i = 0; i < reader->watch_count; i++) {
        const weft_watch_plan *watch = &reader->watches[i];
        if (watch->unseen != watch->incoming) world->listening[watch->unseen] = false;
    }
    uint32_t updates = index->updates + 1;
    *index = (weft_index){.updates = updates};
    *lost = (weft_lost){.count = 0};
}

void weft_indexes_forget(weft_world *world)
{
    for (uint32_t i = 0; i < world->plan->index_count; i++) forget_index(world, i);
}

// Forgets what the index has yet to see, since it has seen all there is.
static void see_all(weft_world *world, uint32_t number)
{
    const weft_reader_plan *reader = reader_of(world, number);
    weft_lost *lost = &world->lost[number];
    weft_turn_end(world, world->plan->indexes[number].reader);
    for (uint32_t i = 0; i < reader->watch_count; i++) {
        world->listening[reader->watches[i].unseen] = true;
    }
    if (lost->any) memset(lost->bits.base, 0, lost->bits.bytes);
    lost->any = false;
}

// Makes space for a bit of each entity index.
static bool bits_ready(weft_world *world, uint32_t number)
{
    weft_index *index = &world->indexes[number];
    weft_lost *lost = &world->lost[number];
    size_t words = (size_t)weft_bits_words(world->entities.index_count) + 1;
    if (!weft_index_space(world, &index->moved, words, sizeof(uint64_t)) ||
        !weft_index_space(world, &index->again, words, sizeof(uint64_t)) ||
        !weft_index_space(world, &lost->bits, words, sizeof(uint64_t))) {
        return false;
    }
    lost->count = (uint32_t)(words * 64);
    return true;
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
    return grid ? weft_grid_merge(world, number) : weft_sorted_merge(world, number);
}

// ------------------------------------------------------------------------------------------------
// News: rows that changed, and entities that lost something

static bool anything_new(const weft_world *world, uint32_t number)
{
    const weft_reader_plan *reader = reader_of(world, number);
    if (world->lost[number].any) return true;
    for (uint32_t t = 0; t < world->every_table.count; t++) {
        const weft_table *table = world->every_table.tables[t];
        const weft_change_bits *bits = &table->change_bits;
        for (uint32_t i = 0; i < reader->watch_count; i++) {
            if (weft_marked_any(bits, reader->watches[i].unseen, table->count)) return true;
        }
    }
    return false;
}

// Notes that base is out of date about an entity; if it was before, `again` says so.
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

// Lets the rows of what was lost be looked at as if they had changed; what has no such row any more
// has moved.
static void look_at_lost(weft_world *world, uint32_t number)
{
    const weft_watch_plan *of = &reader_of(world, number)->watches[0];
    weft_lost *lost = &world->lost[number];
    weft_format f = world->plan->format;
    for (uint32_t word = 0; lost->any && word < lost->count / 64; word++) {
        for (uint64_t left = index_bits(&lost->bits)[word]; left != 0;) {
            uint32_t id = word * 64 + weft_bits_pop(&left);
            weft_wide_record record = weft_record_at(&world->entities, f, id);
            const weft_table *table =
                record.generation == 0 ? NULL : world->tables.items[record.table];
            if (table && weft_row_has(world->plan, table, record.row, of->component)) {
                weft_row_mark(table, record.row, of->unseen);
            } else {
                move_entity(&world->indexes[number], id);
            }
        }
    }
}

// Adds the rows where what decides about them was added to those of the component that changed, and
// counts all.
static size_t look_at_rows(weft_world *world, uint32_t number)
{
    const weft_reader_plan *reader = reader_of(world, number);
    const uint16_t all = reader->watches[0].unseen;
    size_t changed = 0;
    for (uint32_t t = 0; t < world->every_table.count; t++) {
        const weft_table *table = world->every_table.tables[t];
        const weft_change_bits *bits = &table->change_bits;
        if (bits->slots[all] == WEFT_NONE) continue;
        for (uint32_t i = 1; i < reader->watch_count; i++) {
            uint16_t unseen = reader->watches[i].unseen;
            if (!weft_marked_any(bits, unseen, table->count)) continue;
            weft_change_bits_add(bits, bits->slots[unseen], bits->slots[all], table->count);
        }
        for (uint32_t row = 0; row < table->count; row += 64) {
            changed += weft_bits_count(weft_change_words(bits, all, row / 64).words, 1);
        }
    }
    return changed;
}

// Keeps the item of a row, if the index has one of it.
static void keep_item(weft_world *world, uint32_t number, const weft_table *table, uint32_t row)
{
    const weft_index_plan *plan = &world->plan->indexes[number];
    weft_index *index = &world->indexes[number];
    weft_index_item *item = (weft_index_item *)(void *)index->changes.base + index->change_count;
    item->id = weft_index_entity(world, table, row);
    if (plan->kind == WEFT_INDEX_GRID) {
        index->change_count += weft_grid_item(world, plan, table, row, item);
    } else {
        item->key = weft_sorted_key(world, plan, table, row);
        index->change_count++;
    }
}

static void look_at_table(weft_world *world, uint32_t number, const weft_table *table)
{
    const weft_index_plan *plan = &world->plan->indexes[number];
    const uint16_t unseen = reader_of(world, number)->watches[0].unseen;
    bool matches = world->plan->queries[plan->query].matches(table);
    for (uint32_t first = 0; first < table->count; first += 64) {
        uint64_t left = weft_change_words(&table->change_bits, unseen, first / 64).words[0];
        if (left == 0) continue;
        uint64_t passing = matches ? weft_index_passing(plan, table, first) : 0;
        while (left != 0) {
            uint32_t i = weft_bits_pop(&left);
            move_entity(&world->indexes[number], weft_index_entity(world, table, first + i));
            if (passing >> i & 1u) keep_item(world, number, table, first + i);
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Into delta

static int compare_index_items(const void *left, const void *right)
{
    const weft_index_item *a = (const weft_index_item *)left;
    const weft_index_item *b = (const weft_index_item *)right;
    if (a->key != b->key) return a->key < b->key ? -1 : 1;
    return a->id < b->id ? -1 : a->id > b->id;
}

// Takes out of delta what has moved again.
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

// Merges the changes, which are sorted, from behind into delta, which has space for them.
static void merge_changes(weft_index *index)
{
    weft_index_item *delta = (weft_index_item *)(void *)index->delta.base;
    const weft_index_item *changes = (const weft_index_item *)(void *)index->changes.base;
    uint32_t from = index->delta_count;
    uint32_t left = index->change_count;
    index->delta_count += left;
    for (uint32_t to = index->delta_count; left != 0;) {
        bool stays = from != 0 && compare_index_items(&changes[left - 1], &delta[from - 1]) < 0;
        delta[--to] = stays ? delta[--from] : changes[--left];
    }
}

// Brings an index up to date with so many rows that may have changed.
static bool take_changes(weft_world *world, uint32_t number, size_t changed)
{
    weft_index *index = &world->indexes[number];
    size_t most = index->delta_count + changed;
    if (!bits_ready(world, number) ||
        !weft_index_space(world, &index->changes, changed, sizeof(weft_index_item)) ||
        !weft_index_space(world, &index->delta, most, sizeof(weft_index_item))) {
        return false;
    }
    index->updates++;
    index->change_count = 0;
    for (uint32_t t = 0; t < world->every_table.count; t++) {
        const weft_table *table = world->every_table.tables[t];
        const uint16_t unseen = reader_of(world, number)->watches[0].unseen;
        if (!weft_marked_any(&table->change_bits, unseen, table->count)) continue;
        look_at_table(world, number, table);
    }
    drop_again(index);
    memset(index->again.base, 0, index->again.bytes);
    if (index->change_count > 1) {
        qsort(index->changes.base, index->change_count, sizeof(weft_index_item),
              compare_index_items);
    }
    merge_changes(index);
    see_all(world, number);
    uint32_t enough = LEAST + index->count / SHARE;
    if (index->moved_count > enough || weft_grid_left(world, number))
        return merge_index(world, number);
    const uint32_t *ids = (const uint32_t *)(const void *)index->items.base;
    bool grid = world->plan->indexes[number].kind == WEFT_INDEX_GRID;
    while (!grid && index->first < index->count && weft_index_moved(index, ids[index->first])) {
        index->first++;
    }
    return true;
}

static bool update_index(weft_world *world, uint32_t number)
{
    weft_index *index = &world->indexes[number];
    weft_turn_begin(world, world->plan->indexes[number].reader);
    if (world->lost[number].count == 0) return make_index(world, number);
    if (!anything_new(world, number)) return true;
    if (!bits_ready(world, number)) return false;
    look_at_lost(world, number);
    size_t changed = look_at_rows(world, number);
    if (changed > LEAST + index->count / SHARE_ALL) return make_index(world, number);
    return take_changes(world, number, changed);
}

bool weft_index_turn(weft_world *world, uint32_t number)
{
    weft_world_lock(world);
    bool ready = update_index(world, number);
    if (!ready) {
        forget_index(world, number);
        weft_commands_lose(&world->buffers[0], WEFT_NO_MEMORY, 1);
        weft_refuse(world,
                    weft_refusal_of(WEFT_NO_MEMORY, world->plan->indexes[number].component, 0));
    }
    weft_world_unlock(world);
    return ready;
}

bool weft_index_ask(weft_world *world, uint32_t number, const char *call)
{
    if (weft_busy(world, call)) return false;
    weft_world_used(world);
    bool ready = update_index(world, number);
    if (ready) return true;
    forget_index(world, number);
    return weft_refuse(world,
                       weft_refusal_of(WEFT_NO_MEMORY, world->plan->indexes[number].component, 0));
}
