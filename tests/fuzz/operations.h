// The operations that operations.c chooses among.
#ifndef OPERATIONS_H
#define OPERATIONS_H

#include "run.h"

// ---- calls that may fail (attempts.c)

void attempt(run *r); // from now on memory may fail

// Ends an attempt. Returns whether the call succeeded as expected; otherwise it must have given its
// reason and changed nothing.
bool attempted(run *r, bool done, weft_status expected, uint64_t handle);

bool had_no_memory(const run *r); // the world reports so of the call

// ---- entities (spawning.c)

void spawn_empty(run *r);
void spawn_at(run *r);
void spawn_one(run *r);
void spawn_many(run *r);
void spawn_rows(run *r);
void despawn_any(run *r);
void despawn_one(run *r, fuzz_entity e);
void reserve_space(run *r);
void ask_alive(run *r);

// ---- the whole world (upkeep.c)

void recycle_indices(run *r);
void reset_world(run *r);
void trim_world(run *r);

// ---- values (changing.c)

void set_one(run *r);
void replace_one(run *r);
void edit_one(run *r);
void remove_one(run *r);
void strip_one(run *r);
void clear_one(run *r);
void set_prefab(run *r);
void edit_singleton(run *r);

// ---- fragments (fragments.c)

void merge_fragment(run *r);

// ---- relations (relating.c)

void attach_one(run *r);
void attach_chain(run *r);
void detach_one(run *r);
void sort_rows(run *r);

// ---- all rows of a query (sorting.c)

void sort_query(run *r);
void despawn_rows(run *r);
void change_rows(run *r);

// ---- commands (phases.c)

void record_outside(run *r);
void record_iterating(run *r);
void flush_commands(run *r);
void phase_one(run *r);
void tick_world(run *r);

#endif
