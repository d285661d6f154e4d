// Queries of the game that run on the workers of a world.
#ifndef WEFT_QUERY_RUN_H
#define WEFT_QUERY_RUN_H

#include "../query/query.h"

typedef struct weft_query_run weft_query_run;

// A run of a query in parts. The type of the game's function differs for each query; only the
// generated `part` knows it.
struct weft_query_run {
    weft_world *world;
    const weft_query *query;
    uint32_t unit_rows; // parts begin at multiples of this number of rows
    void (*part)(const weft_query_run *run, const weft_part *part);
    void (*function)(void);
    void *user;
};

// Calls `part` once for each part of the rows, on the threads of the world if it has workers. All
// structural changes, and walks that write, are refused meanwhile. Returns WEFT_BUSY if a phase or
// a hook runs; debug builds assert. `call` is the name of the call, followed by advice.
weft_status weft_query_run_parts(const weft_query_run *run, const char *call);

#endif
