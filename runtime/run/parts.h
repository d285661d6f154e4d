// Parts: the rows of a query cut for several threads.
//
// The tables of a query form one sequence, each rounded up to units of rows. A part is a number of
// successive units, of one table or of several:
//
//     table 0   |unit|unit|unit|uni|   table 1   |u|   table 2   |unit|unit|…
//     part 0    '---------'
//     part 1              '-------------------------'
//     part 2                                                     '---------…
//
// The cuts depend only on the rows, never on workers, so that the result is the same for any number
// of workers. Units are chosen so that two parts never write the same word: 64 rows, or 4,096 if
// the system writes change bits or tags.
//
// The rows of a depth order run in rounds, because parents come first: a round begins when the
// previous one has ended. A round is one depth, cut into parts that are whole runs; or one part
// that contains successive depths, each too small to be cut:
//
//     depth 0 |run| depth 1 |run|run| depth 2 |run|run|run|run|run|run| depth 3 |run|run|…
//     '------------ round 0 --------' '------------ round 1 ----------' '------ round 2 …
//                  part 0              part 0  '   part 1   '   part 2
#ifndef WEFT_PARTS_H
#define WEFT_PARTS_H

#include "../query/depth.h"
#include "trial.h"

#define WEFT_PART_ROWS_MIN 256u // fewer rows are not worth waking another worker
#define WEFT_PASS_ROWS_MIN 512u // rows of a part of a pass; calls cost too much for fewer

// Cuts the current rows of a query into at most WEFT_PARTS_MAX parts. Parts begin at multiples of
// unit_rows and have at least rows_least rows if there are enough. Returns the number of parts, 0
// without rows. O(tables).
uint32_t weft_parts_cut(const weft_query *query, uint32_t unit_rows, uint32_t rows_least,
                        weft_part *parts);

// How a depth order is cut: into at most `most` parts a round, each of at least rows_least rows. If
// parts keep records, `most` is for all rounds together: parts are numbered through all rounds, so
// that their records are in the order of the rows.
typedef struct weft_depth_cut {
    uint64_t rows_least;
    uint32_t unit_rows;
    uint32_t most;
    uint32_t depth; // the first depth that is not cut yet
} weft_depth_cut;

weft_depth_cut weft_depth_cut_begin(const weft_query *query, uint32_t unit_rows, uint32_t most,
                                    bool keeps);

// Cuts the next round and numbers its parts from 0. Returns the number of parts, 0 if all rows are
// cut. O(runs of its depths).
uint32_t weft_depth_cut_next(weft_depth_cut *cut, const weft_depth_order *d, weft_part *parts);

// ------------------------------------------------------------------------------------------------
// Systems whose rows are cut

// The tag writes of a part, in order. They are kept until all parts have ended (run/system.h).
typedef struct weft_kept_writes {
    weft_region memory;
    size_t bytes; // in use
} weft_kept_writes;

// How the function of a pass runs over its rows.
typedef struct weft_blocks {
    uint32_t rows_max; // of a block
    bool joined;       // one loop does the work of several inline systems if possible
} weft_blocks;

typedef struct weft_parallel {
    uint32_t count;     // parts in this turn until now, if they keep records
    double dt;          // seconds since its last turn
    bool due;           // in this turn
    weft_blocks blocks; // of the pass that it begins
    weft_trial trial;   // whether that pass is faster with joined loops
    weft_depth_cut cut; // of its depth order, if it has one
    weft_part parts[WEFT_PARTS_MAX];
    weft_kept_writes kept[WEFT_PARTS_MAX]; // by part
} weft_parallel;

// Cuts the current rows of a parallel system, or their first round. Returns the number of parts, 0
// without rows. Parts that keep no records are numbered from 0 in each round.
uint32_t weft_parallel_cut(weft_world *world, uint32_t parallel);

// Cuts the next round of a system with a depth order. Returns the number of its parts, 0 if all
// rows are cut, or the system has no depth order.
uint32_t weft_parallel_round(weft_world *world, uint32_t parallel);

void weft_parallels_trim(weft_world *world); // frees the memory of kept writes

// A pass: a parallel system and the systems after it, which run block by block (run/passes.h).
typedef struct weft_pass {
    uint16_t query;        // its tables are those of all systems together
    uint16_t system_count; // at most WEFT_FUSED_MAX
    uint32_t unit_rows;    // parts begin at multiples of this number of rows
    // Runs some rows. It is not used if the world is observed.
    void (*run)(weft_world *world, const weft_part *part, const weft_blocks *blocks);
    uint32_t short_rows; // rows of a block if the rows do not fit into the caches
    uint32_t long_rows;  // rows of a block if they do
    uint32_t row_bytes;  // bytes of a row that its systems touch
    bool by_part;        // parts run one by one; if false, unit_rows is a multiple of both
    bool joins;          // one loop can do the work of several
} weft_pass;

// The generated functions of a system. If it is not parallel, `run` runs the whole turn. If it is
// parallel, begin returns whether it is due, and may change *dt. Then its rows are cut, turn is
// called, part is called for each part, and end is called. begin, turn and end may be NULL.
typedef struct weft_system_code {
    void (*run)(weft_world *world, double dt);
    void (*part)(weft_world *world, double dt, const weft_part *part);
    bool (*begin)(weft_world *world, double *dt);
    void (*turn)(weft_world *world, double dt); // lets the game begin the turn
    void (*end)(weft_world *world);
    uint16_t parallel;     // number of the parallel system, or WEFT_NONE
    const weft_pass *pass; // the pass that it begins, or NULL
} weft_system_code;

#endif
