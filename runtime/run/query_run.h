// Queries of the game whose rows are shared out among the workers of a world.
#ifndef WEFT_QUERY_RUN_H
#define WEFT_QUERY_RUN_H

#include "../query/query.h"

typedef struct weft_query_run weft_query_run;

// Runs a query of the game in parts. The function that gets the rows has a type of its own for each
// query, which only the generated `part` knows.
struct weft_query_run {
    weft_world *world;
    const weft_query *query;
    uint32_t unit_rows; // parts begin at multiples of so many rows
    void (*part)(const weft_query_run *run, const weft_part *part);
    void (*function)(void);
    void *user;
};

// Calls `part` once for each part of the rows, on the threads of the world if it has workers. All
// structural changes, and walks that write, are refused meanwhile. WEFT_BUSY: a phase or a hook
// runs, and debug builds assert; `call` is the name of the call and the advice behind it.
weft_status weft_query_run_parts(const weft_query_run *run, const char *call);

#endif
