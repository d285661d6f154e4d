// The limit of adding and removing: two groups of packed arrays, with and without health, between
// which rows are moved by hand; values in a packed array that an index leads to; and one bit for
// each entity. All use records with generations, as any program that keeps handles must.
#ifndef GROUPS_H
#define GROUPS_H

#include "bench.h"

#include "arena_health.h"
#include "arena_spinner.h"

typedef struct groups_record {
    uint32_t row;
    uint16_t generation;
    uint16_t group;
} groups_record;

typedef struct group {
    uint32_t count;
    uint32_t *ids;
    arena_position *position;
    arena_velocity *velocity;
    arena_rotation *rotation;
    arena_health *health; // NULL: the group without
} group;

typedef struct groups {
    groups_record *records; // by index
    group group[2];         // without health, with it
    uint32_t *slots;        // by index: where its packed value is
    uint32_t packed_count;
    uint32_t *owners;     // by slot
    arena_health *packed; // by slot
    uint64_t *bits;       // by row of the first group
} groups;

groups groups_open(uint32_t n); // n entities, all in the first group
void groups_close(groups *g, uint32_t n);

// The n entities of `ids`, from the first to the last. False: one was not alive.
bool groups_add_health(groups *g, const uint32_t *ids, uint32_t n);
bool groups_remove_health(groups *g, const uint32_t *ids, uint32_t n);
bool groups_add_packed(groups *g, const uint32_t *ids, uint32_t n);
bool groups_remove_packed(groups *g, const uint32_t *ids, uint32_t n);
bool groups_add_bit(groups *g, const uint32_t *ids, uint32_t n);
bool groups_remove_bit(groups *g, const uint32_t *ids, uint32_t n);

#endif
