// The section of entities: how many indices exist, and which of them are free or retired. The
// living ones are in the rows of tables.
//
// Free indices are written as handles in the order of reuse. Neighbouring indices often have the
// same generation, because they were skipped together or their entities died one after the other.
// Such a run is written as two numbers: its first handle, then a number with generation 0, which no
// handle has. In place of an index, the second number contains how many indices follow the first.
// If the run descends, this count is negative, modulo the number of indices.
#include "loader.h"
#include "saver.h"

#include <inttypes.h>

weft_section_writer weft_write_entities;
weft_section_reader weft_read_entities;
weft_loader_step weft_read_free_indices;

// A run of free indices: `more` indices follow the first, each one greater (or less) by 1.
typedef struct free_run {
    uint64_t first; // its handle
    uint32_t more;
    bool descends;
} free_run;

enum { UNBACKED_INDICES = 1 << 20 }; // that need no byte in the save: 8 MiB of records

// Returns the handle of the free index *index, and moves *index to the next one in the free list.
static uint64_t take_free(const weft_entities *entities, weft_format f, uint32_t *index)
{
    uint32_t at = *index;
    return weft_handle(f, at, weft_free_record(entities, f, at, index));
}

// Returns whether two handles have the same generation, and `next` has the next higher index.
static bool is_next(weft_format f, uint64_t handle, uint64_t next)
{
    return handle + 1 == next && weft_handle_index(f, next) != 0;
}

// Takes the longest run from the front of the free list, which has `left` indices left.
static free_run take_run(const weft_entities *entities, weft_format f, uint32_t *index,
                         uint32_t left)
{
    const uint32_t most = weft_index_mask(f) >> 1;
    free_run run = {.first = take_free(entities, f, index)};
    for (uint64_t last = run.first; run.more + 1 < left && run.more < most; run.more++) {
        uint32_t behind = *index;
        uint64_t handle = take_free(entities, f, &behind);
        if (run.more == 0) run.descends = is_next(f, handle, last);
        if (!(run.descends ? is_next(f, handle, last) : is_next(f, last, handle))) break;
        last = handle;
        *index = behind;
    }
    return run;
}

// Writes the free list and returns how many numbers it takes. With no stream, only counts them.
static uint32_t write_free(weft_number_stream *stream, const weft_entities *entities)
{
    weft_format f = entities->format;
    uint32_t index = entities->free_head;
    uint32_t numbers = 0;
    for (uint32_t left = entities->free_count; left != 0;) {
        free_run run = take_run(entities, f, &index, left);
        uint64_t count = (run.descends ? 0 - run.more : run.more) & weft_index_mask(f);
        left -= run.more + 1;
        numbers += run.more == 0 ? 1 : 2;
        if (!stream) continue;
        weft_stream_number(stream, run.first, f.handle_bytes);
        if (run.more != 0) weft_stream_number(stream, count, f.handle_bytes);
    }
    return numbers;
}

void weft_write_entities(weft_sink *sink, const weft_saver *saver, uint32_t number)
{
    const weft_entities *entities = &saver->world->entities;
    weft_format f = saver->world->plan->format;
    weft_number_stream stream = {.sink = sink};
    (void)number;
    weft_write_word(sink, weft_entities_live(entities));
    weft_write_word(sink, write_free(NULL, entities));
    weft_write_word(sink, entities->retired);
    (void)write_free(&stream, entities);
    weft_stream_end(&stream);
    uint32_t left = entities->retired;
    for (uint32_t i = 0; left != 0; i++) {
        if (!weft_index_is_retired(entities, f, i)) continue;
        weft_stream_number(&stream, i, sizeof i);
        left--;
    }
    weft_stream_end(&stream);
}

static bool check_entity_counts(weft_loader *l)
{
    const weft_entities *entities = &l->into->entities;
    if (l->live > entities->live_limit) {
        return weft_loader_refuse(l, WEFT_MISMATCH,
                                  "the save has %" PRIu32 " entities, and max_entities is %" PRIu32
                                  " now",
                                  l->live, entities->live_limit);
    }
    // A run takes two numbers however long it is. So that a small file cannot create a huge world,
    // a save with more indices than the world's own limit must have at least one byte for each. The
    // indices of a part may be those of the world that it returns to, whose limit a load has raised.
    bool backed = l->index_count <= entities->index_limit || l->index_count <= l->bytes ||
                  l->index_count <= UNBACKED_INDICES ||
                  (l->part.wanted && l->index_count <= l->reporter->entities.index_limit);
    if (l->index_count <= weft_entities_widest(entities) && backed) return true;
    return weft_loader_refuse(l, WEFT_MISMATCH,
                              "the save has %" PRIu32 " indices, and there are %" PRIu32
                              " now; raise index_bits",
                              l->index_count, weft_entities_widest(entities));
}

// Reads a run from place `at` of the free list. Returns the number of numbers it takes, 1 or 2, or
// 0 if it is invalid.
static uint32_t read_run(const weft_loader *l, uint32_t at, free_run *run)
{
    const uint32_t mask = (uint32_t)(((uint64_t)1 << l->matched.schemas.file->index_bits) - 1);
    *run = (free_run){.first = weft_loader_handle(l, l->free_list, at)};
    if (weft_loader_generation(l, run->first) == 0) return 0;
    if (at + 1 == l->free_numbers) return 1;
    uint64_t second = weft_loader_handle(l, l->free_list, at + 1);
    if (weft_loader_generation(l, second) != 0) return 1;
    uint32_t first = weft_loader_index(l, run->first);
    run->more = (uint32_t)second;
    run->descends = run->more > mask >> 1;
    if (run->descends) run->more = (mask - run->more) + 1;
    uint32_t room = run->descends ? first : mask - first;
    return run->more == 0 || run->more > room ? 0 : 2;
}

// Adds the number of free indices to *count. Returns false if the list is invalid.
static bool count_free(weft_loader *l, uint64_t *count)
{
    free_run run;
    uint32_t numbers;
    for (uint32_t at = 0; at < l->free_numbers; at += numbers) {
        numbers = read_run(l, at, &run);
        if (numbers == 0) return false;
        *count += (uint64_t)run.more + 1;
    }
    return true;
}

bool weft_read_entities(weft_loader *l, weft_bytes body)
{
    weft_world *into = l->into;
    uint32_t handle_bytes = l->matched.schemas.file->handle_bytes;
    l->live = weft_read_number(&body, UINT32_MAX);
    l->free_numbers = weft_read_number(&body, UINT32_MAX);
    l->retired_count = weft_read_number(&body, UINT32_MAX);
    l->free_list = weft_read_array(&body, l->free_numbers, handle_bytes);
    l->retired = weft_read_array(&body, l->retired_count, 4);
    bool whole = weft_bytes_ended(&body) && l->live <= l->bytes / handle_bytes; // a handle per row
    uint64_t indices = (uint64_t)l->live + l->retired_count + l->away_count;
    if (whole && !count_free(l, &indices)) return weft_loader_damaged(l, "a free index is invalid");
    if (!whole || indices > UINT32_MAX) {
        return weft_loader_damaged(l, "its entities are malformed");
    }
    l->index_count = (uint32_t)indices;
    if (!check_entity_counts(l)) return false;
    l->used = weft_scratch_array(&l->scratch, (size_t)l->index_count / 64 + 1, sizeof *l->used);
    uint32_t capacity = l->index_count == 0 ? 1 : l->index_count;
    if (!l->used || !weft_entities_widen(&into->entities, &into->heap, capacity)) {
        return weft_loader_no_memory(l);
    }
    into->entities.index_count = l->index_count;
    return true;
}

// Appends an index to the free list, which is built from head to tail here.
static void append_free(weft_entities *entities, weft_format f, uint32_t index, uint32_t next)
{
    uint32_t tail = entities->free_tail;
    if (entities->free_count == 0) {
        entities->free_head = index;
    } else {
        uint32_t none;
        weft_record_write(entities, f, tail, 0, weft_free_record(entities, f, tail, &none), index);
    }
    weft_record_write(entities, f, index, 0, next, 0);
    entities->free_tail = index;
    entities->free_count++;
    entities->unused_count += next == 1;
}

// Frees the indices of a run. An index retires if its next generation does not fit in a handle.
static bool free_row(weft_loader *l, const free_run *run)
{
    weft_entities *entities = &l->into->entities;
    weft_format f = l->into->plan->format;
    uint64_t next = weft_loader_generation(l, run->first);
    for (uint32_t i = 0; i <= run->more; i++) {
        uint64_t bits = run->descends ? run->first - i : run->first + i;
        uint32_t index = weft_loader_index(l, bits);
        if (!weft_loader_is_fresh(l, bits) || !weft_loader_use(l, index)) return false;
        if (next > weft_generation_max(f))
            entities->retired++; // its record stays zero, like that of every retired index
        else
            append_free(entities, f, index, (uint32_t)next);
    }
    return true;
}

static bool refuse_wide_away(weft_loader *l, uint64_t bits)
{
    return weft_loader_refuse(l, WEFT_MISMATCH,
                              "entity %" PRIu32 ":%" PRIu64
                              ", which is away, does not fit into handles of %u bits of index and "
                              "%u of generation",
                              weft_loader_index(l, bits), weft_loader_generation(l, bits),
                              (unsigned)l->into->plan->schema->index_bits,
                              (unsigned)l->into->plan->schema->generation_bits);
}

static bool read_away_indices(weft_loader *l)
{
    weft_entities *entities = &l->into->entities;
    if (l->away_count == 0) return true;
    if (!weft_away_ready(entities, &l->into->heap)) return weft_loader_no_memory(l);
    for (uint32_t i = 0; i < l->away_count; i++) {
        uint64_t bits = weft_loader_handle(l, l->away, i);
        if (!weft_loader_is_fresh(l, bits) || !weft_loader_use(l, weft_loader_index(l, bits))) {
            return weft_loader_damaged(l, "the handle of an entity that is away is invalid");
        }
        uint64_t handle = weft_convert_handle(&l->matched.schemas, bits);
        if (handle == 0) return refuse_wide_away(l, bits);
        weft_away_put(entities, l->into->plan->format, handle);
    }
    return true;
}

// Builds the free list, so that indices are reused in the order of the save. The indices of a part
// that have no entity are never used, so they have no list.
bool weft_read_free_indices(weft_loader *l)
{
    weft_entities *entities = &l->into->entities;
    free_run run;
    if (l->part.wanted) {
        entities->retired = l->index_count - l->live;
        return true;
    }
    for (uint32_t at = 0; at < l->free_numbers;) {
        at += read_run(l, at, &run);
        if (!free_row(l, &run)) return weft_loader_damaged(l, "a free index is invalid");
    }
    for (uint32_t i = 0; i < l->retired_count; i++) {
        if (weft_loader_use(l, weft_little_read(l->retired + (size_t)i * 4, 4))) continue;
        return weft_loader_damaged(l, "a retired index is invalid");
    }
    entities->retired += l->retired_count;
    return read_away_indices(l);
}
