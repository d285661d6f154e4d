// A system at work: the sealed part of its context, the tags and events that it writes in passing,
// and its switch.
#ifndef WEFT_SYSTEM_H
#define WEFT_SYSTEM_H

#include "../edit/direct.h"
#include "../edit/tags.h"
#include "../query/query.h"
#include "../record/event.h"
#include "grant.h"
#include "schedule.h"

// The writes of one tag to the range at hand, row i of it at bit i. The last write of a row counts.
typedef struct weft_tag_writes {
    uint64_t on[WEFT_TAG_WRITE_ROWS / 64];
    uint64_t off[WEFT_TAG_WRITE_ROWS / 64];
    bool any;
} weft_tag_writes;

// The part of a context that only the generated functions read which take the context. Its types
// are never defined, so that no other function can be given what it holds.
typedef struct weft_sealed {
    const struct weft_sealed_world *world;
    const struct weft_sealed_table *table; // of the range at hand
    uint32_t first;                        // its first row
    uint32_t count;                        // its rows
    uint16_t reader;                       // 1 + the reader of changes; 0: the system reads none
    weft_tag_writes *tag_writes;           // by slot: one for each tag that the system writes
} weft_sealed;

// Returns the table of the current range. Asserts that there is one: the beginning, the merge and
// the end of a turn have no rows.
static inline const weft_table *weft_sealed_rows(const weft_sealed *sealed)
{
    WEFT_ASSERT(sealed->table != NULL, ==, true, "a call about rows was made where there are none");
    return (const weft_table *)(uintptr_t)sealed->table;
}

// Begins the sealed part of a context whose system has rows: the range is set before calls, and
// nothing reads what the schema does not grant, so neither is written here.
static inline void weft_seal(weft_sealed *sealed, const weft_world *world)
{
    sealed->world = (const struct weft_sealed_world *)(uintptr_t)world;
    sealed->table = NULL;
}

// Begins that of a system that is called without rows.
static inline void weft_seal_without_rows(weft_sealed *sealed, const weft_world *world)
{
    weft_seal(sealed, world);
    sealed->first = 0;
    sealed->count = 0;
}

// Sets the range that the system is called with next, where a call over its context asks for it.
static inline void weft_seal_rows(weft_sealed *sealed, const weft_cursor *at)
{
    sealed->table = (const struct weft_sealed_table *)(uintptr_t)at->table;
    sealed->first = at->first;
    sealed->count = at->count;
}

// Does so for debuggers where no such call is granted: three stores are a tenth of a small table.
static inline void weft_show_rows(weft_sealed *sealed, const weft_cursor *at)
{
#ifdef NDEBUG
    (void)sealed;
    (void)at;
#else
    weft_seal_rows(sealed, at);
#endif
}

// Asserts (release builds: ignores it) that the row is one of the range.
static inline void weft_tag_write(const weft_sealed *sealed, uint32_t slot, uint32_t row, bool on)
{
    WEFT_ASSERT(row, <, sealed->count, "a tag was written to a row beyond the range");
    if (row >= sealed->count) return;
    weft_tag_writes *writes = &sealed->tag_writes[slot];
    uint64_t bit = (uint64_t)1 << (row % 64);
    uint64_t set = writes->on[row / 64];
    uint64_t cleared = writes->off[row / 64];
    writes->any = true;
    writes->on[row / 64] = on ? set | bit : set & ~bit;
    writes->off[row / 64] = on ? cleared & ~bit : cleared | bit;
}

// Marks a row of the range at hand in a change set; asserts (release builds: ignores it) that it is
// one of the range.
static inline void weft_touch(const weft_sealed *sealed, uint32_t change_set, uint32_t row)
{
    // The change set is looked up before the row is checked, so that a loop over rows does it once.
    const weft_table *table = weft_sealed_rows(sealed);
    weft_change_set bits =
        weft_change_set_of(&table->change_bits, table->change_bits.slots[change_set]);
    WEFT_ASSERT(row, <, sealed->count, "a row beyond the range was touched");
    if (row < sealed->count) weft_change_set_mark(bits, sealed->first + row);
}

// Emits a value, whose bytes are those of the event's struct. The door of an emitter is the stage
// of its system, or of the part that runs. Costs a copy.
static inline void weft_emit(const void *door, const void *value, size_t bytes)
{
    weft_stage *stage = (weft_stage *)(uintptr_t)door;
    WEFT_ASSERT(stage != NULL, ==, true, "an emitter was used that no system was given");
    WEFT_ASSERT(weft_grants_hold(stage->world), ==, true,
                "an emitter was used after the system that it was given to");
    size_t at = stage->count * bytes;
    if (WEFT_UNLIKELY(stage->values.bytes - at < bytes) && !weft_stage_grow(stage)) return;
    memcpy(stage->values.base + at, value, bytes);
    stage->count++;
}

// Does the tag writes of the range at hand and empties them. columns: of the bitsets, by slot; a
// tag stands behind those it requires. Writes of a parallel system take effect only when all of its
// parts have ended: they are `kept` in the part until settle does all, in the order of the rows.
//
// First tags are cleared, what requires before what is required, then set, what is required before
// what requires: so a tag may take the place of one that excludes it, and a chain may be set or
// cleared in one call. Of two that exclude each other and are both set, the one in the lower slot
// stays. A write that the rules refuse is dropped and counted: it is excluded, or clears a tag that
// is required, or sets one without what it requires (a tag write brings nothing along). Without
// memory the rows that would get the tag are lost and counted, and the phase returns
// WEFT_NO_MEMORY. O(count * rows of the range / 64), nothing if no tag was written.
void weft_tag_writes_end(weft_world *world, const weft_sealed *sealed, const uint16_t *columns,
                         uint32_t count, struct weft_kept_writes *kept);
void weft_tag_writes_settle(weft_world *world, uint32_t parallel);

// ------------------------------------------------------------------------------------------------
// Tags of any entity, written at once by a system that the schema grants it. No row moves. The walk
// of such a system asks nothing of these tags, and no system that asks for them runs meanwhile.

// Says whether systems have their turns. A hook that another thread calls meanwhile writes
// `running`, so that in parallel it is not read.
static inline bool weft_systems_run(const weft_world *world)
{
    return world->now.in_parallel || weft_is_phase(world->now.running);
}

// Notes that tags were written. Iterators that the system has begun stay valid, since none of them
// asks for these tags; those from outside are invalid when the phase ends.
static inline void weft_granted_tags_written(weft_world *world)
{
    if (WEFT_UNLIKELY(world->now.in_parallel)) {
        weft_schedule_tags_written(world);
    } else {
        world->now.asides.tags_written = true;
    }
}

// Sets or removes a tag of any entity. False, and reported like the refusal of a direct call: the
// entity is dead, lacks the tag that is to be removed, the rules forbid it, no memory, or no system
// runs (WEFT_REFUSED, an assert in debug builds). What a tag requires is not brought along. Hooks
// are called here and now.
bool weft_granted_tag_write(weft_world *world, uint64_t handle, uint32_t tag, bool on);

// Does it inline for a tag without rules, readers and hooks.
WEFT_ALWAYS_INLINE bool weft_granted_tag(weft_world *world, weft_format f, uint64_t handle,
                                         weft_direct of, bool on)
{
    weft_place at;
    if (WEFT_LIKELY(weft_systems_run(world) && weft_find(&world->entities, f, handle, &at))) {
        weft_table *table = weft_table_of(world, f, at.table);
        uint64_t *word = weft_bitset_word(table, of.column, at.row);
        uint64_t bit = (uint64_t)1 << (at.row % 64);
        if (word && ((*word & bit) != 0) != on) {
            if (!on) weft_direct_losing(world, table, at.row, of);
            weft_bitset_flip_bit(table, of.part, word, bit, on);
            weft_granted_tags_written(world);
            return true;
        }
        if (word && on) return true;
    }
    return weft_granted_tag_write(world, handle, of.component, on);
}

// ------------------------------------------------------------------------------------------------
// Resources

// Says whether the game has bound a resource that a system needs in its turn. If not, the system
// has no turn, and the phase returns WEFT_REFUSED; it asserts in debug builds.
bool weft_resource_missing(weft_world *world, const char *resource, const char *system);
static inline bool weft_resource_ready(weft_world *world, const void *bound, const char *resource,
                                       const char *system)
{
    return WEFT_LIKELY(bound != NULL) || weft_resource_missing(world, resource, system);
}

// ------------------------------------------------------------------------------------------------
// Switches

// Returns the switches of systems, of which the saved ones come first. True is off.
static inline bool *weft_world_switches(const weft_world *world)
{
    return (bool *)((unsigned char *)(uintptr_t)world + world->plan->switches_offset);
}

#endif
