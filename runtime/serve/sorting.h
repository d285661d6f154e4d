// Sorts by a key of 64 bits, and then by the index of the entity, one slice at a time: digit by
// digit, beginning with the lowest, from one array to another and back. Digits that are the same in
// all rows cost nothing. Rows with equal keys can get a further key, which sorts them among
// each other.
#ifndef WEFT_SERVE_SORTING_H
#define WEFT_SERVE_SORTING_H

#include "release.h"

#include <stdint.h>

#define SERVE_INDEX_DIGITS 4u // digits of an index; they are the lowest
#define SERVE_DIGITS 12u      // digits of an index and a key, of 8 bits each
#define SERVE_DIGIT_VALUES 256u

typedef struct serve_row {
    uint64_t key;
    uint64_t handle;
} serve_row;

typedef struct serve_sorting {
    serve_row *rows;
    serve_row *spare; // the array that rows are moved to
    uint32_t count;
    uint32_t capacity;
    uint32_t index_mask; // of a handle
    uint32_t digit;      // the current digit
    uint32_t moved;      // rows moved by the current digit
    uint32_t refined;    // rows that have their next key
    uint32_t groups;     // groups of equal keys among these rows
    uint64_t group;      // the key of the last group, before it was replaced
    bool unordered;      // rows were added that are not in the order of their indices
    uint32_t counts[SERVE_DIGITS][SERVE_DIGIT_VALUES];
    uint32_t places[SERVE_DIGIT_VALUES]; // of the next row with each digit
} serve_sorting;

// Returns the next key of an entity, which orders rows with equal keys.
typedef uint32_t serve_next_key(const void *user, uint64_t handle);

// Opens a list with space for `capacity` rows. Returns false if there is no memory. Closing frees
// the rows too.
bool serve_sorting_open(serve_sorting *sorting, uint32_t capacity, uint32_t index_mask);
void serve_sorting_close(serve_sorting *sorting, serve_releases *releases);

// Adds a row; only before the first step. Returns false if there is no memory.
bool serve_sorting_add(serve_sorting *sorting, uint64_t key, uint64_t handle);

// Moves up to `most` rows, and returns how many, or 0 if all are sorted.
uint32_t serve_sorting_step(serve_sorting *sorting, uint32_t most);

// Returns whether some sorted rows have equal keys. Valid after all of them were refined.
bool serve_sorting_has_equals(const serve_sorting *sorting);

// Gives the next key to up to `most` sorted rows, and returns to how many. When all rows have it,
// steps sort again, unless no keys were equal.
uint32_t serve_sorting_refine(serve_sorting *sorting, uint32_t most, serve_next_key *next,
                              const void *user);

#endif
