// Collecting: the rows of a list are found by its expression, table by table and with a key each,
// in pieces between which the world goes on.
#ifndef WEFT_SERVE_COLLECTING_H
#define WEFT_SERVE_COLLECTING_H

#include "rpc.h"

#include "../select/expression.h"
#include "../select/path.h"
#include "../select/select.h"
#include "sorting.h"

// A list that is being made.
typedef struct serve_making {
    weft_select select;         // for its program
    weft_select_program *order; // passes where the value is; NULL: the order of the world
    weft_select_value value;
    bool whole; // a component is asked for, and not a value of it
    bool descending;
    uint32_t text_bytes;     // of the longest text that it is ordered by
    uint32_t text_from;      // the bytes before it are sorted; 0: none yet
    const weft_table *table; // where collecting goes on
    uint32_t place;          // of this table
    uint32_t row;
    uint32_t version;   // of the world as its program was bound to the table
    uint64_t looked_at; // rows
    uint64_t total;
    uint64_t *seen; // bits by the index of entities
    uint32_t seen_words;
    bool collected;
    uint32_t slices;
    uint32_t poll; // of the last slice
    double takes;
    serve_sorting sorting; // of entities with the value, or of all in the order of the world
    serve_sorting without; // those without it, which come last
} serve_making;

// Reads the expression of a list, and what it is ordered by. False: it is refused; closing frees
// what there is.
bool serve_collecting_open(serve_call *call, serve_making *m, const serve_list_key *key);
void serve_collecting_close(serve_making *m, serve_releases *releases);

// Looks at some rows, and returns how many; 0: all are collected.
uint32_t serve_collect(const weft_world *world, serve_making *m, uint32_t most);

// Sorts some of the rows that were collected, and returns how many; 0: all are sorted.
uint32_t serve_sort(const weft_world *world, serve_making *m, uint32_t most);

#endif
