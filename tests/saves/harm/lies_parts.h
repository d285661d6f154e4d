// A part of four entities of the vault, whose sections can be edited:
//
//   A, D            stay in the world
//   B, C            are away: B was carried by A, and C is carried by B
//   B owes C and D  only the first link is in the part
//   C knows D
//   B has a fever   which is sparse
#ifndef LIES_PARTS_H
#define LIES_PARTS_H

#include "trial.h"

#include "parts.h" // after the runtime, which calls parameters `part`

enum { IA, IB, IC, ID }; // indices; they are of generation 1

#define HANDLE_OF(index) ((uint32_t)(index) | 1u << 20)
#define HA HANDLE_OF(IA)
#define HB HANDLE_OF(IB)
#define HC HANDLE_OF(IC)
#define HD HANDLE_OF(ID)
#define A ((vault_entity){HA})
#define B ((vault_entity){HB})
#define C ((vault_entity){HC})
#define D ((vault_entity){HD})

enum { LIES_PART_BYTES = 16384 };

typedef struct lies_part {
    trial trial;                          // begins with the world without B and C
    unsigned char bytes[LIES_PART_BYTES]; // of the part
    size_t count;
    parts parts;
    unsigned char *original; // the bytes before any edit
    size_t original_count;
    unsigned char *start; // a save of the world without B and C
    size_t start_count;
} lies_part;

void lies_part_open(lies_part *r);
void lies_part_close(lies_part *r);

// Edit the first section of a kind: write a word of its body, insert a copy before it, remove it.
void lies_part_word(lies_part *r, uint32_t kind, uint32_t word, uint64_t value);
void lies_part_double(lies_part *r, uint32_t kind);
void lies_part_drop(lies_part *r, uint32_t kind);

// Adds a section before the last one.
void lies_part_add(lies_part *r, uint32_t kind, const uint64_t *body, uint32_t words);

// Replaces the handle of a row: 0 is B, 1 is C.
void lies_part_handle(lies_part *r, uint32_t row, uint64_t handle);

// Edits are to the save of the world from now on, until they are undone.
void lies_part_take_start(lies_part *r);

void lies_part_mend(lies_part *r);        // writes lengths and checksums
weft_status lies_part_load(lies_part *r); // mends it, and loads it as a trial
void lies_part_restore(lies_part *r);     // undoes all edits

static inline uint64_t lies_handle_of(uint32_t index)
{
    return HANDLE_OF(index);
}

#endif
