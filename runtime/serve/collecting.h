// Collecting: finds the rows of a list by its expression, table by table, with a sort key each. The
// work is done in pieces, and the world can run between them.
#ifndef WEFT_SERVE_COLLECTING_H
#define WEFT_SERVE_COLLECTING_H

#include "rpc.h"

#include "../select/select.h"
#include "sorting.h"
#include "valued.h"
#include "walk.h"

// A list that is being made.
typedef struct serve_making {
    weft_select select; // contains the program of the expression
    serve_valued by;    // the sort value; without a program for the order of the world
    bool descending;
    uint32_t text_bytes; // length of the longest text among the sort values
    uint32_t text_from;  // texts are sorted by the bytes before this one; 0 if none yet
    serve_walk walk;     // where collecting continues
    uint64_t looked_at;  // rows
    uint64_t total;
    uint64_t *seen; // a bit for each entity index
    uint32_t seen_words;
    bool collected;
    uint32_t slices;
    uint32_t poll; // number of the poll of the last slice
    double takes;
    serve_sorting sorting; // rows with the sort value, or all rows in the order of the world
    serve_sorting without; // rows without it, which are last
} serve_making;

// Reads the expression and the sort key of a list. Returns false if they are refused; then close
// it.
bool serve_collecting_open(serve_call *call, serve_making *m, const serve_list_key *key);
void serve_collecting_close(serve_making *m, serve_releases *releases);

// Tests up to `most` rows, and returns how many were tested, or 0 if all are collected.
uint32_t serve_collect(const weft_world *world, serve_making *m, uint32_t most);

// Sorts up to `most` of the collected rows, and returns how many, or 0 if all are sorted.
uint32_t serve_sort(const weft_world *world, serve_making *m, uint32_t most);

#endif
