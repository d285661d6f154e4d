// Sorting by a number of 64 bits, and then by the index of the entity, a slice at a time: digit by
// digit, from the lowest, into a second array and back. Digits that all rows share cost nothing.
// Rows of equal keys can get further keys, by which they are sorted among each other.
#ifndef WEFT_SERVE_SORTING_H
#define WEFT_SERVE_SORTING_H

#include "release.h"

#include <stdint.h>

#define SERVE_INDEX_DIGITS 4u // of an index, the lowest ones
#define SERVE_DIGITS 12u      // of these and of a key, of 8 bits each
#define SERVE_DIGIT_VALUES 256u

typedef struct serve_row {
    uint64_t key;
    uint64_t handle;
} serve_row;

typedef struct serve_sorting {
    serve_row *rows;
    serve_row *spare; // where a pass moves them to
    uint32_t count;
    uint32_t capacity;
    uint32_t index_mask; // of a handle
    uint32_t digit;      // by which rows are moved now
    uint32_t moved;      // of them
    uint32_t refined;    // rows that have their next key
    uint32_t groups;     // of rows with equal keys, among these
    uint64_t group;      // the key of the last of them before
    bool unordered;      // rows were added that are not in the order of their indices
    uint32_t counts[SERVE_DIGITS][SERVE_DIGIT_VALUES];
    uint32_t places[SERVE_DIGIT_VALUES]; // of the next row with that digit
} serve_sorting;

// Returns the next key of an entity, which decides among equal ones.
typedef uint32_t serve_next_key(const void *user, uint64_t handle);

// Opens it for so many rows. False: no memory. Closing gives back the rows, too.
bool serve_sorting_open(serve_sorting *sorting, uint32_t capacity, uint32_t index_mask);
void serve_sorting_close(serve_sorting *sorting, serve_releases *releases);

// Adds a row, before the first step. False: there is no memory for so many.
bool serve_sorting_add(serve_sorting *sorting, uint64_t key, uint64_t handle);

// Moves so many rows at most, and returns how many; 0: all are sorted.
uint32_t serve_sorting_step(serve_sorting *sorting, uint32_t most);

// Returns whether sorted rows have equal keys. It is known once they were refined.
bool serve_sorting_has_equals(const serve_sorting *sorting);

// Gives next keys to so many sorted rows at most, and returns to how many. When all have them,
// steps sort again, unless no keys were equal.
uint32_t serve_sorting_refine(serve_sorting *sorting, uint32_t most, serve_next_key *next,
                              const void *user);

#endif
