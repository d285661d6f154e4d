// Builds, merges and searches hashes and ordered indexes.
#include "sorted.h"

#include "../value/fields.h"

static uint64_t *keys_of(const weft_index *index)
{
    return (uint64_t *)(void *)index->keys.base;
}

static uint32_t *ids_of(const weft_index *index)
{
    return (uint32_t *)(void *)index->items.base;
}

// ------------------------------------------------------------------------------------------------
// Keys of rows

static void read_key_words(const weft_world *world, const weft_index_plan *plan,
                           const weft_table *table, uint32_t row, uint64_t *words)
{
    const weft_component_info *info = &world->plan->schema->components[plan->component];
    for (uint32_t i = 0; i < plan->field_count; i++) {
        const weft_field *field = &info->fields[plan->fields[i]];
        const void *value = weft_index_field(world, plan, table, row, i);
        if (field->shape == WEFT_SHAPE_STRING) {
            weft_key_string(words, (const char *)value, field->size);
            words += (field->size + 7) / 8;
        } else {
            *words++ = weft_index_word(world, field, value);
        }
    }
}

uint64_t weft_sorted_key(const weft_world *world, const weft_index_plan *plan,
                         const weft_table *table, uint32_t row)
{
    uint64_t words[WEFT_KEY_WORDS_MAX];
    read_key_words(world, plan, table, row, words);
    return plan->kind == WEFT_INDEX_ORDERED ? words[0] : weft_key_hash(words, plan->words);
}

// ------------------------------------------------------------------------------------------------
// Sorting: a radix sort by digits from the lowest, first by those of the entity index if rows are
// not in that order. A digit that is the same for all items is skipped.

typedef struct key_sorting {
    uint64_t *keys;
    uint32_t *ids;
    uint64_t *other_keys;
    uint32_t *other_ids;
    uint32_t count;
} key_sorting;

static uint32_t digit_of(const key_sorting *s, uint32_t i, uint32_t digit)
{
    uint64_t word = digit < 4 ? s->ids[i] : s->keys[i];
    return (uint32_t)(word >> (digit < 4 ? digit : digit - 4) * 8 & 0xFF);
}

static void sort_digit(key_sorting *s, uint32_t digit)
{
    uint32_t ends[256] = {0};
    for (uint32_t i = 0; i < s->count; i++) ends[digit_of(s, i, digit)]++;
    if (ends[digit_of(s, 0, digit)] == s->count) return;
    for (uint32_t d = 1; d < 256; d++) ends[d] += ends[d - 1];
    for (uint32_t i = s->count; i-- != 0;) {
        uint32_t to = --ends[digit_of(s, i, digit)];
        s->other_keys[to] = s->keys[i];
        s->other_ids[to] = s->ids[i];
    }
    key_sorting turned = {s->other_keys, s->other_ids, s->keys, s->ids, s->count};
    *s = turned;
}

void weft_keys_sort(uint64_t *keys, uint32_t *ids, uint32_t count, void *spare)
{
    bool ascending = true;
    if (count < 2) return;
    uint64_t *spare_keys = (uint64_t *)spare;
    key_sorting s = {keys, ids, spare_keys, (uint32_t *)(void *)(spare_keys + count), count};
    for (uint32_t i = 1; i < count; i++) ascending &= ids[i - 1] < ids[i];
    for (uint32_t digit = ascending ? 4 : 0; digit < 12; digit++) {
        sort_digit(&s, digit);
    }
    if (s.keys == keys) return;
    memcpy(keys, s.keys, count * sizeof *keys);
    memcpy(ids, s.ids, count * sizeof *ids);
}

// ------------------------------------------------------------------------------------------------
// Base

static void gather_keys(weft_world *world, uint32_t number)
{
    const weft_index_plan *plan = &world->plan->indexes[number];
    weft_index *index = &world->indexes[number];
    const weft_query *query = &world->queries[plan->query];
    index->count = 0;
    for (uint32_t t = 0; t < query->count; t++) {
        const weft_table *table = query->tables[t];
        for (uint32_t first = 0; first < table->count; first += 64) {
            for (uint64_t left = weft_index_passing(plan, table, first); left != 0;) {
                uint32_t row = first + weft_bits_pop(&left);
                keys_of(index)[index->count] = weft_sorted_key(world, plan, table, row);
                ids_of(index)[index->count++] = weft_index_entity(world, table, row);
            }
        }
    }
}

// Makes space for `items` items of base. There are more items than entities while delta is merged
// into base, and more than twice as many places if most keys are equal. Returns false if there is
// no memory.
static bool base_ready(weft_world *world, weft_index *index, size_t items)
{
    const size_t most = 3 * (size_t)world->plan->max_entities + 64;
    return weft_region_grow(&world->heap, &index->keys, items * sizeof(uint64_t),
                            most * sizeof(uint64_t)) &&
           weft_region_grow(&world->heap, &index->items, items * sizeof(uint32_t),
                            most * sizeof(uint32_t));
}

// Returns the number of places for the items of a hash, which are sorted and have no gaps yet.
static size_t places_needed(const weft_index *index)
{
    const uint64_t *keys = keys_of(index);
    int64_t ahead = 0; // the largest distance of a home after the place of its item
    for (uint32_t i = 0; i < index->count; i++) {
        const int64_t home = weft_sorted_home(keys[i], index->homes);
        ahead = home - i > ahead ? home - i : ahead;
    }
    return (size_t)ahead + index->count;
}

// Makes gaps from one place up to another. Returns the place after them.
static uint32_t leave_gaps(uint64_t *keys, uint32_t *ids, uint32_t from, uint32_t to, uint64_t key)
{
    for (; from < to; from++) {
        keys[from] = key;
        ids[from] = UINT32_MAX;
    }
    return from;
}

// Moves each item of a hash to its place; before, all lie without gaps. They are first moved to the
// end of all places, so that none is overwritten before it is read.
static bool spread_items(weft_world *world, weft_index *index)
{
    index->homes = index->count + index->count / 4 + index->count / 32 + 8;
    const size_t used = places_needed(index);
    const size_t all = (used > index->homes ? used : index->homes) + 1;
    if (!base_ready(world, index, all)) return false;
    uint64_t *keys = keys_of(index);
    uint32_t *ids = ids_of(index);
    uint32_t from = (uint32_t)(used - index->count);
    uint32_t next = 0;
    memmove(keys + from, keys, index->count * sizeof *keys);
    memmove(ids + from, ids, index->count * sizeof *ids);
    for (; from < used; from++) {
        const uint64_t key = keys[from];
        const uint32_t id = ids[from];
        next = leave_gaps(keys, ids, next, weft_sorted_home(key, index->homes), key);
        keys[next] = key;
        ids[next++] = id;
    }
    index->used = next;
    leave_gaps(keys, ids, next, (uint32_t)all, UINT64_MAX);
    return true;
}

// Gives a hash its gaps, or updates the ends of an ordered index.
static bool arrange_items(weft_world *world, uint32_t number)
{
    if (world->plan->indexes[number].kind == WEFT_INDEX_HASH) {
        return spread_items(world, &world->indexes[number]);
    }
    weft_sorted_ends(world, number);
    return true;
}

bool weft_sorted_make(weft_world *world, uint32_t number)
{
    weft_index *index = &world->indexes[number];
    size_t rows = weft_index_rows(world, &world->plan->indexes[number]);
    size_t spare_bytes = rows * (sizeof(uint64_t) + sizeof(uint32_t));
    if (!base_ready(world, index, rows)) return false;
    void *spare = weft_allocate(&world->heap, spare_bytes);
    if (!spare && rows != 0) return false;
    gather_keys(world, number);
    weft_keys_sort(keys_of(index), ids_of(index), index->count, spare);
    weft_free(&world->heap, spare, spare_bytes);
    weft_index_settled(index);
    return arrange_items(world, number);
}

// Removes moved items and gaps from base.
static void drop_moved(weft_index *index, uint32_t places)
{
    uint64_t *keys = keys_of(index);
    uint32_t *ids = ids_of(index);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < places; i++) {
        uint32_t id = ids[i];
        bool stays = id != UINT32_MAX && !weft_index_moved(index, id);
        keys[kept] = keys[i];
        ids[kept] = id;
        kept += stays;
    }
    index->count = kept;
}

bool weft_sorted_merge(weft_world *world, uint32_t number)
{
    weft_index *index = &world->indexes[number];
    const bool hash = world->plan->indexes[number].kind == WEFT_INDEX_HASH;
    if (!base_ready(world, index, (size_t)index->count + index->delta_count)) return false;
    drop_moved(index, hash ? index->used : index->count);
    uint64_t *keys = keys_of(index);
    uint32_t *ids = ids_of(index);
    uint32_t from = index->count;
    uint32_t delta = index->delta_count;
    uint32_t to = index->count = from + delta;
    while (delta != 0) {
        const weft_index_item *item = &weft_index_delta(index)[delta - 1];
        bool base =
            from != 0 && weft_item_before(item->key, item->id, keys[from - 1], ids[from - 1]);
        to--;
        keys[to] = base ? keys[from - 1] : item->key;
        ids[to] = base ? ids[from - 1] : item->id;
        from -= base;
        delta -= !base;
    }
    weft_index_settled(index);
    return arrange_items(world, number);
}

// ------------------------------------------------------------------------------------------------
// Searching

// Among equal keys the last item has the greatest entity index. Moved items at either end of base
// are excluded from then on.
void weft_sorted_ends(weft_world *world, uint32_t number)
{
    weft_index *index = &world->indexes[number];
    const uint64_t *keys = keys_of(index);
    const uint32_t *ids = ids_of(index);
    const weft_index_item *delta = weft_index_delta(index);
    uint32_t delta_count = index->delta_count;
    while (index->first < index->count && weft_index_moved(index, ids[index->first])) {
        index->first++;
    }
    while (index->first < index->count && weft_index_moved(index, ids[index->count - 1])) {
        index->count--;
    }
    index->least = index->greatest = 0;
    if (index->first == index->count && delta_count == 0) return;
    uint32_t least = index->first < index->count ? ids[index->first] : delta[0].id;
    uint32_t greatest =
        index->first < index->count ? ids[index->count - 1] : delta[delta_count - 1].id;
    if (index->first < index->count && delta_count != 0) {
        const weft_index_item *last = &delta[delta_count - 1];
        if (weft_item_before(delta[0].key, delta[0].id, keys[index->first], least)) {
            least = delta[0].id;
        }
        if (weft_item_before(keys[index->count - 1], greatest, last->key, last->id)) {
            greatest = last->id;
        }
    }
    index->least = weft_index_handle(world, world->plan->format, least);
    index->greatest = weft_index_handle(world, world->plan->format, greatest);
}

bool weft_sorted_settle(weft_world *world, uint32_t number)
{
    weft_index *index = &world->indexes[number];
    const weft_index_item *delta = weft_index_delta(index);
    uint32_t bits = 6;
    while (bits < 28 && (uint32_t)1 << bits >> 4 < index->delta_count) bits++;
    size_t words = ((size_t)1 << bits) / 64;
    if (!weft_index_space(world, &index->delta_cells, words, sizeof(uint64_t))) return false;
    index->delta_shift = 64 - bits;
    uint64_t *all = (uint64_t *)(void *)index->delta_cells.base;
    memset(all, 0, words * sizeof *all);
    for (uint32_t i = 0; i < index->delta_count; i++) {
        const uint64_t bit = delta[i].key >> index->delta_shift;
        all[bit / 64] |= (uint64_t)1 << (bit % 64);
    }
    return true;
}

uint32_t weft_sorted_far(const weft_index *index, uint32_t at, uint64_t hash)
{
    return weft_keys_near(index, at, index->used, hash);
}

uint32_t weft_sorted_find_apart(const weft_world *world, uint32_t number, uint64_t hash)
{
    weft_sorted_walk walk = weft_sorted_equal(world, number, true, hash, true);
    return weft_sorted_step(&walk) ? walk.id : UINT32_MAX;
}

size_t weft_sorted_count(weft_sorted_walk walk)
{
    size_t count = 0;
    while (weft_sorted_next(&walk)) count++;
    return count;
}
