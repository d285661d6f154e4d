// The naive model of a world of fuzz.toml: an array of structs, rules evaluated as the contract
// states them, and commands in a list. It knows nothing of tables, columns or bitsets.
//
// A model_… function that changes something first returns the status that the world must return. It
// changes the model only if the rules allow the operation. The caller does not call it if the world
// had no memory.
#ifndef MODEL_H
#define MODEL_H

#include "rumors.h"

typedef enum entity_state {
    NEVER, // the index was not handed out yet
    ALIVE,
    TAKEN, // handed out to a spawn command that is not applied yet
    FREE,
    RETIRED, // generations used up
} entity_state;

typedef enum relation { PART_OF, FOLLOWS, OWNED_BY, RELATIONS } relation;

// The place of an entity below its parent in a relation.
typedef struct tie {
    uint64_t parent; // 0: none
    uint64_t since;  // the sibling with the greatest number is the first
} tie;

// The place of a child: before all other children of a parent, after them, or before a sibling.
typedef enum how { LINK_FIRST, LINK_LAST, LINK_BEFORE, HOWS } how;

typedef struct entity {
    entity_state state;
    uint32_t generation; // its own, or the next one if it is free
    uint64_t bits;       // ALIVE, TAKEN: the handle
    set has;
    uint32_t listed; // ALIVE, TAKEN: its position in model.living
    uint32_t seen;   // the last walk that met it
    uint32_t met;    // the last turn of a system that met it
    bool stale;      // differs from the mirror
    tie ties[RELATIONS];
    uint32_t children[RELATIONS]; // how many, so that none is searched for in vain
    values values;
} entity;

typedef enum command_kind {
    COMMAND_SPAWN,
    COMMAND_SPAWN_MANY,
    COMMAND_DESPAWN,
    COMMAND_SET,
    COMMAND_REPLACE,
    COMMAND_SET_PREFAB,
    COMMAND_REMOVE,
    COMMAND_CLEAR,
    COMMAND_ATTACH,
    COMMAND_DETACH,
} command_kind;

typedef struct command {
    command_kind kind;
    component component;
    prefab prefab;
    relation relation;
    how how;         // ATTACH
    uint64_t other;  // ATTACH: the parent or sibling, as recorded
    bool in_time;    // ATTACH: the parent was there then, and children end with their parents
    uint64_t target; // the entity; SPAWN: the handle that the world gave
    size_t n;        // SPAWN_MANY
    bool done;       // applied, dropped or lost
    bool dead;       // on an entity that was dead when its stretch began
    any_value value;
} command;

// Buffers in the order they are applied.
typedef enum buffer_id {
    OUTSIDE,
    BUFFER_GOSSIP,
    BUFFER_INFECT,
    BUFFER_FLICKER,
    BUFFER_LONE,
    BUFFER_SLOW,
    BUFFER_HAUNT,
    BUFFERS,
} buffer_id;

typedef struct buffer {
    command *items;
    uint32_t count;
    uint32_t capacity;
    uint32_t spawns; // of the items, in the phase that runs
    uint32_t lost;   // records that there was no space for
    weft_status trouble;
} buffer;

// The buffers of one phase, whose spawns get indices in turn.
enum { BUFFERS_OF_A_PHASE = 3 };

// The world reports this to its log hook when it happens.
typedef struct event {
    weft_status status;
    uint16_t component;
    uint64_t handle;
    uint32_t living; // at that moment: entities,
    uint32_t next;   // the index that would be taken next,
    uint64_t lost;   // commands_lost
    uint64_t rumors_lost;
    relation unordered; // that rows could not be ordered by; RELATIONS: it was about something else
} event;

typedef struct events {
    event *items;
    uint32_t count;
    uint32_t capacity;
    uint32_t read; // the next that the model has not explained
} events;

// An index that became alive or dead, in order: the mirror must repeat it. Spawns of systems in a
// phase stand between its begin and its end, buffer by buffer.
typedef enum life_kind {
    SPAWNED,
    SPAWNED_AT,
    DIED,
    RECYCLED,
    PHASE_BEGAN,
    PHASE_SPAWNED,
    PHASE_ENDED,
} life_kind;

typedef struct life {
    life_kind kind;
    uint64_t bits;    // RECYCLED: how many; PHASE_BEGAN: which
    buffer_id buffer; // PHASE_SPAWNED
} life;

typedef struct model {
    uint32_t index_bits, generation_bits, entities_max, wait;
    uint64_t index_limit;
    entity *entities; // by index
    uint32_t index_count;
    uint32_t index_capacity;
    uint32_t *living;      // indices, in no order
    uint32_t living_count; // with those that are taken
    uint32_t taken;
    uint32_t *free; // the next to be used stands first if any have to wait, else last
    uint32_t free_count;
    uint32_t retired;
    singleton_values singletons;
    rumors rumors;
    buffer buffers[BUFFERS];
    uint64_t ticks, dropped, lost;
    uint64_t changes;  // structural changes
    uint64_t attaches; // ever
    uint64_t attached; // ties that there are
    life *lives;
    uint32_t life_count;
    uint32_t life_capacity;
} model;

void model_open(model *m, const weft_schema *schema);
void model_close(model *m);

// ---- handles

// NULL: not alive.
entity *model_find(model *m, uint64_t bits);
bool model_alive(model *m, uint64_t bits);

static inline bool entity_has(const entity *e, component c)
{
    return e->has >> c & 1u;
}

// ---- rules; these change nothing

// All that a component requires, itself too.
set closure_of(component c);

// Returns the prefab's components and all components that they require.
set prefab_closure(prefab p);

weft_status model_may_spawn(const model *m, uint64_t n);
weft_status model_may_spawn_at(const model *m, uint64_t bits);
weft_status model_may_set(model *m, uint64_t bits, component c);
weft_status model_may_set_prefab(model *m, uint64_t bits, prefab p);
weft_status model_may_remove(model *m, uint64_t bits, component c);

// ---- changes; the rules have allowed them. Values: NULL for the defaults.

entity *model_spawn(model *m, prefab p, const any_value *value); // one more
entity *model_spawn_at(model *m, uint64_t bits);
void model_despawn(model *m, uint64_t bits); // and whom relations end with it (trees.c)
void model_set(model *m, uint64_t bits, component c, const void *value);
void model_set_prefab(model *m, uint64_t bits, prefab p, const any_value *value);
void model_remove(model *m, uint64_t bits, component c);
void model_strip(model *m, uint64_t bits);
void model_clear(model *m, component tag); // from everybody who may lose it
void model_reset(model *m);
uint32_t model_recycle(model *m); // returns how many indices came back
void model_load(model *m);        // what it has just saved

// The value of a component that is there, in place.
void entity_write(entity *e, component c, const void *value);

// These change an entity that may not be in the model yet.
void entity_set(entity *e, component c, const void *value);
void entity_set_prefab(entity *e, prefab p, const any_value *value);
weft_status entity_may_set(const entity *e, component c);
weft_status entity_may_set_prefab(const entity *e, prefab p);
weft_status entity_may_remove(const entity *e, component c); // NOT_FOUND: it is not there

// ---- for commands

uint32_t model_next_index(const model *m); // that would be taken next
entity *model_take(model *m);              // one more handle, not alive yet; there is space
void model_place(model *m, entity *e);
void model_give(model *m, entity *e); // the end of a handle, placed or not; it has no ties
void model_end(model *m, entity *e);  // likewise, with all that its ties say (trees.c)

// Returns whether a handle was never alive and is the next of its index.
bool model_is_ahead(const model *m, uint64_t bits);

// ---- commands (model_commands.c)

void model_record(model *m, buffer_id id, const command *c);
void model_record_lost(model *m, buffer_id id, weft_status status);

// Returns the handle that the next spawn command of a buffer must get, or 0 if there is no space
// for it. Commands outside of phases take their index immediately, others when the phase ends.
uint64_t model_next_handle(const model *m, buffer_id id);
void model_end_phase(model *m, uint32_t phase);
void model_lose_spawns(model *m, events *told);

// Applies all buffers. It learns from the events which commands had no memory, and explains each
// event.
weft_status model_apply(model *m, events *told);

// Gives rumors to their hearers; for those lost without memory it relies on the world's events.
void model_distribute(model *m, events *told);

// ---- the state as a number, defined in save/hash.h

uint64_t model_absorb(uint64_t h, uint64_t word);
uint64_t model_absorb_name(uint64_t h, const char *name);
uint64_t model_hash(const model *m);
uint64_t model_rumors_hash(const model *m); // the part of it that is rumors

#endif
