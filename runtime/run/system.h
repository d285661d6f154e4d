// Calls of a running system: the sealed part of its context, the tags and events that it writes,
// its resources and its switch.
#ifndef WEFT_SYSTEM_H
#define WEFT_SYSTEM_H

#include "../edit/direct.h"
#include "../edit/tags.h"
#include "../query/query.h"
#include "../record/event.h"
#include "grant.h"
#include "schedule.h"

// The writes of one tag to the current range; bit i is its row i. The last write of a row counts.
typedef struct weft_tag_writes {
    uint64_t on[WEFT_TAG_WRITE_ROWS / 64];
    uint64_t off[WEFT_TAG_WRITE_ROWS / 64];
    bool any;
} weft_tag_writes;

// The part of a context that only generated functions may read. Its pointer types are never
// defined, so that no other function accepts these pointers.
typedef struct weft_sealed {
    const struct weft_sealed_world *world;
    const struct weft_sealed_table *table; // of the current range
    uint32_t first;                        // its first row
    uint32_t count;                        // its rows
    uint16_t reader;                       // 1 + the reader of changes; 0 if there is none
    weft_tag_writes *tag_writes;           // by slot: one for each tag that the system writes
} weft_sealed;

// Returns the table of the current range. Asserts that there is one: the beginning, the merge and
// the end of a turn have no rows.
static inline const weft_table *weft_sealed_rows(const weft_sealed *sealed)
{
    WEFT_ASSERT(sealed->table != NULL, ==, true, "a call about rows was made where there are none");
    return (const weft_table *)(uintptr_t)sealed->table;
}

// Begins the sealed part of a context whose system has rows. The range is set before each call, and
// members that the schema does not grant are never read, so neither is written here.
static inline void weft_seal(weft_sealed *sealed, const weft_world *world)
{
    sealed->world = (const struct weft_sealed_world *)(uintptr_t)world;
    sealed->table = NULL;
}

// Begins the sealed part of a context whose system has no rows.
static inline void weft_seal_without_rows(weft_sealed *sealed, const weft_world *world)
{
    weft_seal(sealed, world);
    sealed->first = 0;
    sealed->count = 0;
}

// Sets the range of the next call, for systems that may use calls about their rows.
static inline void weft_seal_rows(weft_sealed *sealed, const weft_cursor *at)
{
    sealed->table = (const struct weft_sealed_table *)(uintptr_t)at->table;
    sealed->first = at->first;
    sealed->count = at->count;
}

// Sets the range only for debuggers, for systems without such calls. Release builds leave it out,
// because three stores cost a tenth of the time of a small table.
static inline void weft_show_rows(weft_sealed *sealed, const weft_cursor *at)
{
#ifdef NDEBUG
    (void)sealed;
    (void)at;
#else
    weft_seal_rows(sealed, at);
#endif
}

// Writes a tag of a row of the range. Asserts that the row is in the range; release builds ignore
// other rows.
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

// Marks a row of the current range in a change set. Asserts that the row is in the range; release
// builds ignore other rows.
static inline void weft_touch(const weft_sealed *sealed, uint32_t change_set, uint32_t row)
{
    // The change set is looked up before the row is checked, so that a loop over rows does it once.
    const weft_table *table = weft_sealed_rows(sealed);
    weft_change_set bits =
        weft_change_set_of(&table->change_bits, table->change_bits.slots[change_set]);
    WEFT_ASSERT(row, <, sealed->count, "a row beyond the range was touched");
    if (row < sealed->count) weft_change_set_mark(bits, sealed->first + row);
}

// Emits an event: copies a value of the event's struct, which has `bytes` bytes. The door of an
// emitter is the stage of its system, or of the running part.
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

// Applies the tag writes of the current range and empties them. columns: the bitsets by slot; the
// slot of a tag is after those of the tags that it requires. Writes of a parallel system take
// effect when all of its parts have ended: each part stores them in `kept`, and settle applies them
// all in the order of the rows.
//
// Tags are cleared first, in the order of slots from last to first, then set, from first to last.
// So a tag can replace one that excludes it, and a chain of required tags can be set or cleared in
// one call. If two tags that exclude each other are both set, the one in the lower slot wins. A
// write that breaks a rule is dropped and counted: the tag is excluded, or another tag requires the
// one that would be cleared, or the row lacks what the tag requires (tag writes do not add required
// components). If there is no memory, the rows that would get the tag are lost and counted, and the
// phase returns WEFT_NO_MEMORY. O(count * rows of the range / 64), or O(count) if no tag was
// written.
void weft_tag_writes_end(weft_world *world, const weft_sealed *sealed, const uint16_t *columns,
                         uint32_t count, struct weft_kept_writes *kept);
void weft_tag_writes_settle(weft_world *world, uint32_t parallel);

// ------------------------------------------------------------------------------------------------
// Tags of any entity, written immediately by a system that the schema grants this. No row moves.
// The walk of such a system does not test these tags, and no system that tests them runs meanwhile.

// Returns whether systems run now. It does not read `running` while systems run in parallel,
// because a hook on another thread may write it.
static inline bool weft_systems_run(const weft_world *world)
{
    return world->now.in_parallel || weft_is_phase(world->now.running);
}

// Records that tags were written. Iterators that the system has begun stay valid, because none of
// them tests these tags. Iterators from outside of systems are invalid when the phase ends.
static inline void weft_granted_tags_written(weft_world *world)
{
    if (WEFT_UNLIKELY(world->now.in_parallel)) {
        weft_schedule_tags_written(world);
    } else {
        world->now.asides.tags_written = true;
    }
}

// Sets or removes a tag of any entity, and calls its hooks immediately. It does not add components
// that the tag requires. Returns false if the entity is dead, lacks the tag that would be removed,
// a rule forbids it, there is no memory, or no system runs (WEFT_REFUSED; debug builds assert). The
// reason is reported like that of a refused direct call.
bool weft_granted_tag_write(weft_world *world, uint64_t handle, uint32_t tag, bool on);

// Like weft_granted_tag_write, but inline, for a tag without rules, readers and hooks.
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

// Returns whether the game has bound a resource that a system needs. If not, the system gets no
// turn and the phase returns WEFT_REFUSED; debug builds assert.
bool weft_resource_missing(weft_world *world, const char *resource, const char *system);
static inline bool weft_resource_ready(weft_world *world, const void *bound, const char *resource,
                                       const char *system)
{
    return WEFT_LIKELY(bound != NULL) || weft_resource_missing(world, resource, system);
}

// ------------------------------------------------------------------------------------------------
// Switches

// Returns the switches of systems, the saved ones first. true means off.
static inline bool *weft_world_switches(const weft_world *world)
{
    return (bool *)((unsigned char *)(uintptr_t)world + world->plan->switches_offset);
}

#endif
