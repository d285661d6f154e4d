// Places: the indices that spawn commands get.
//
// A spawn command gets its index and generation when it is recorded. Outside of phases, and in
// hooks during the application of commands, it takes the next free index, like a direct spawn.
// While a phase runs, nothing takes or frees an index. So the free indices in the order of reuse,
// followed by the fresh indices, form a fixed sequence of places:
//
//   place      0    1    2    3    4    5    6    7    8    9    10   11   …
//   index      7    2    31   40   41   42   43   44   45   46   47   48   …
//              '- free list -'   '- fresh
//   recorder   A    A    B    B    A    A    B    B    A    A    B    B
//   part of B            0    0              1    1              2    2
//
// Blocks of places (of 2 above, of 16 in most worlds) are dealt in turn to the recorders of the
// segment, in the order in which they are applied. The blocks of a parallel system are dealt to its
// parts, whose number depends only on the rows. So the index of a command depends neither on
// threads nor on the commands of other recorders. The free list is linked. It is copied to an array
// as far as a recorder needs; each fetches several places at a time, under the lock.
//
// When the phase ends, the used indices leave the list and are promised: their handles are dead
// until the command is applied. All others return to the list, in the order of their places. Fresh
// indices that were skipped follow the free ones that a recorder could have used. They are unused
// (store/entity.h): the next phase offers them again, and a save stores each run of them as two
// numbers. If the entity of a promised index is never created, the index is freed with its next
// generation.
//
// Each recorder counts the living entities and its own spawns only, so several recorders together
// may exceed the limit. Then the spawns of later recorders are lost at the end of the phase.
//
// Fresh indices get records only at the end of the phase. If there is no memory for them, the
// spawns are lost, and these indices begin with the next generation (weft_entities.owed). Until
// there is memory, phases give out no index without a record.
#ifndef WEFT_PLACES_H
#define WEFT_PLACES_H

#include "command.h"

// Records the spawn of a prefab (WEFT_NONE: of an empty entity); the caller writes its value. If
// there is no memory, or the world is full (WEFT_FULL), counts the spawn as lost and returns NULL.
weft_command *weft_command_spawned(weft_commands *commands, uint16_t prefab, size_t bytes);

// Like weft_command_spawned, for another kind of command that creates an entity.
weft_command *weft_command_promised(weft_commands *commands, weft_command_kind kind, uint16_t what,
                                    size_t bytes);

// Records a spawn with a value (NULL: that of the schema). Returns the handle that the entity will
// have, or 0 if the spawn is lost. `bytes` is a constant at the call, so that copying the value
// needs no call.
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

// Like weft_command_spawn, for a composite prefab. Its parts get their handles when the command is
// applied.
uint64_t weft_command_spawn_tree(weft_commands *commands, uint16_t prefab, const void *value,
                                 size_t bytes);

void weft_places_grow(weft_world *world); // tries to make the owed records
void weft_places_take(weft_world *world); // takes the indices of the used places

// Lets spawn commands take places. Called when a phase begins, or continues after a flush, after
// all earlier commands have been applied.
static inline void weft_places_open(weft_world *world)
{
    if (WEFT_UNLIKELY(world->now.asides.owed)) weft_places_grow(world);
    world->now.places_open = true;
}

// Stops this at a flush or the end of a phase, and takes the indices of the used places. Called
// before the recorded commands are applied.
static inline void weft_places_close(weft_world *world)
{
    world->now.places_open = false;
    if (WEFT_UNLIKELY(world->commands.places.count != 0)) weft_places_take(world);
}

// Frees the index of a promised handle whose entity is never created.
void weft_place_return(weft_world *world, uint64_t handle);

#endif
