// Sorting by a number of 64 bits, a slice at a time: digit by digit, from the lowest, into a second
// array and back. Digits that all rows share cost nothing. Rows of equal keys stay in their order.
#ifndef WEFT_SERVE_SORTING_H
#define WEFT_SERVE_SORTING_H

#include "release.h"

#include <stdint.h>

#define SERVE_DIGITS 8u // of a key, of 8 bits each
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
    uint32_t digit; // by which rows are moved now
    uint32_t moved; // of them
    uint32_t counts[SERVE_DIGITS][SERVE_DIGIT_VALUES];
    uint32_t places[SERVE_DIGIT_VALUES]; // of the next row with that digit
} serve_sorting;

// Opens it for so many rows. False: no memory. Closing gives back the rows, too.
bool serve_sorting_open(serve_sorting *sorting, uint32_t capacity);
void serve_sorting_close(serve_sorting *sorting, serve_releases *releases);

// Adds a row, before the first step. False: there is no memory for so many.
bool serve_sorting_add(serve_sorting *sorting, uint64_t key, uint64_t handle);

// Moves so many rows at most, and returns how many; 0: all are sorted.
uint32_t serve_sorting_step(serve_sorting *sorting, uint32_t most);

#endif
