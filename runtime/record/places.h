// Places: the indices that spawn commands get.
//
// A spawn command has its index and generation when it is recorded. Outside of phases, and in hooks
// that applying calls, it takes the next free index as a direct spawn does. While a phase runs
// nothing takes or frees an index, so the free ones in the order of reuse, with those that were
// never handed out behind them, are one row of places that does not change:
//
//   place      0    1    2    3    4    5    6    7    8    9    10   11   …
//   index      7    2    31   40   41   42   43   44   45   46   47   48   …
//              '- free list -'   '- never handed out
//   recorder   A    A    B    B    A    A    B    B    A    A    B    B
//   part of B            0    0              1    1              2    2
//
// Blocks of places (of 2 above, of 16 in most worlds) are dealt out in turn to the recorders of the
// phase, or of what a flush cuts off, in the order they are applied, and those of a parallel system
// to its parts, whose number follows from the rows. So which index a command gets depends on no
// thread, nor on what others record. The free list is linked, and is written down as far as a
// recorder asks; each asks for several places at a time, under the lock.
//
// When the phase ends, indices that were used leave the list and are promised: their handles are
// dead until the command is applied. All others go back, in the order of their places: those that
// were passed over and never handed out stand behind the free ones that a recorder could have used.
// They are unused (store/entity.h), the next phase offers them again, and a save keeps each row of
// them in two numbers. A promised index whose entity does not come to be goes back with its next
// generation.
//
// Each recorder counts the living and its own spawns, so several may have more than there is space
// for when the phase ends. Then those of the later recorders are lost.
//
// Only then are there records for indices that had none. Where there is no memory for them, the
// spawns are lost, and these indices begin with the next generation (weft_entities.owed); until
// there is, phases give out none that had no record.
#ifndef WEFT_PLACES_H
#define WEFT_PLACES_H

#include "command.h"

// Records the spawn of a prefab (WEFT_NONE: of an empty entity), for the caller to write its value.
// Returns NULL if there is no memory, or the world is full (WEFT_FULL); then the spawn is counted
// as lost.
weft_command *weft_command_spawned(weft_commands *commands, uint16_t prefab, size_t bytes);

// Records it with a value (NULL: that of the schema) and returns the handle that it will have. 0:
// it is lost. `bytes` is a constant where it is called, so that the value is copied without a call.
WEFT_ALWAYS_INLINE uint64_t weft_command_spawn(weft_commands *commands, uint16_t prefab,
                                               const void *value, size_t bytes)
{
    weft_command *c = weft_command_spawned(commands, prefab, bytes);
    if (!c) return 0;
    if (bytes != 0) {
        value = weft_prefab_given(&commands->world->plan->prefabs[prefab], value);
        memcpy(weft_command_value(c), value, bytes);
    }
    return c->handle;
}

void weft_places_grow(weft_world *world); // tries to make the records that are owed
void weft_places_take(weft_world *world); // takes the indices of the places that were used

// Says that a phase begins, or goes on behind a flush, when all commands before have been applied;
// and that it ends there.
static inline void weft_places_open(weft_world *world)
{
    if (WEFT_UNLIKELY(world->asides.owed)) weft_places_grow(world);
    world->places_open = true;
}

static inline void weft_places_close(weft_world *world)
{
    world->places_open = false;
    if (WEFT_UNLIKELY(world->places.count != 0)) weft_places_take(world);
}

// Gives the index of a promised handle back: its entity does not come to be.
void weft_place_return(weft_world *world, uint64_t handle);

#endif
