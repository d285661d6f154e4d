// Parts: the rows of a query cut for several threads.
//
// The tables of a query lie one behind the other, each rounded up to units of rows; a part is a
// number of successive units, of one table or of several:
//
//     table 0   |unit|unit|unit|uni|   table 1   |u|   table 2   |unit|unit|…
//     part 0    '---------'
//     part 1              '-------------------------'
//     part 2                                                     '---------…
//
// Where to cut follows from the rows alone, never from workers, so that any number of them gives
// one result. Units are such that parts share no word of what they write: 64 rows, or 4,096 where
// change bits or tags are written.
//
// The rows of a depth order come in rounds, since parents come first: a round begins when the one
// before has ended. A round is one depth, cut into parts that are whole runs; or one part, of all
// the depths in a row that are too small to be cut:
//
//     depth 0 |run| depth 1 |run|run| depth 2 |run|run|run|run|run|run| depth 3 |run|run|…
//     '------------ round 0 --------' '------------ round 1 ----------' '------ round 2 …
//                  part 0              part 0  '   part 1   '   part 2
#ifndef WEFT_PARTS_H
#define WEFT_PARTS_H

#include "../query/depth.h"
#include "trial.h"

#define WEFT_PART_ROWS_MIN 256u // fewer rows are not worth waking another worker
#define WEFT_PASS_ROWS_MIN 512u // of a part of a pass: in fewer, calling its systems would count

// Cuts the rows of a query as they are now into at most WEFT_PARTS_MAX parts, which are multiples
// of unit_rows and have rows_least at least. Returns their number, 0 without rows. O(tables).
uint32_t weft_parts_cut(const weft_query *query, uint32_t unit_rows, uint32_t rows_least,
                        weft_part *parts);

// How a depth order is cut: into at most `most` parts a round, each of so many rows at least. Where
// parts keep what they record, `most` is for all rounds together, so that their numbers go on and
// what they keep is in the order of the rows.
typedef struct weft_depth_cut {
    uint64_t rows_least;
    uint32_t unit_rows;
    uint32_t most;
    uint32_t depth; // the first that is not cut yet
} weft_depth_cut;

weft_depth_cut weft_depth_cut_begin(const weft_query *query, uint32_t unit_rows, uint32_t most,
                                    bool keeps);

// Cuts the next round and numbers its parts from 0. Returns how many they are, 0 when all rows are
// cut. O(runs of its depths).
uint32_t weft_depth_cut_next(weft_depth_cut *cut, const weft_depth_order *d, weft_part *parts);

// ------------------------------------------------------------------------------------------------
// Systems whose rows are cut

// A part keeps its tag writes one behind the other until all parts have ended (run/system.h).
typedef struct weft_kept_writes {
    weft_region memory;
    size_t bytes; // in use
} weft_kept_writes;

// How the function of a pass goes over its rows.
typedef struct weft_blocks {
    uint32_t rows_max; // of a block
    bool joined;       // one loop does the work of several inline systems, where it can
} weft_blocks;

typedef struct weft_parallel {
    uint32_t count;     // parts that it has had in this turn, if they keep anything
    double dt;          // seconds since the turn before
    bool due;           // it has this turn
    weft_blocks blocks; // of the pass that it begins,
    weft_trial trial;   // and whether that runs faster with loops that are joined
    weft_depth_cut cut; // of the depth order, if it has one
    weft_part parts[WEFT_PARTS_MAX];
    weft_kept_writes kept[WEFT_PARTS_MAX]; // by part
} weft_parallel;

// Cuts the rows of a parallel system as they are now, or the first round of them. Returns the
// number of parts, 0 without rows. Parts that keep nothing are numbered anew in each round.
uint32_t weft_parallel_cut(weft_world *world, uint32_t parallel);

// Cuts the next round of a system with a depth order. Returns the number of its parts, 0 if all
// rows are cut, or the system has no depth order.
uint32_t weft_parallel_round(weft_world *world, uint32_t parallel);

void weft_parallels_trim(weft_world *world); // gives back the memory of kept writes

// A pass: a parallel system and those behind it, which run block by block (run/passes.h).
typedef struct weft_pass {
    uint16_t query;        // it has the tables of all of them
    uint16_t system_count; // at most WEFT_FUSED_MAX
    uint32_t unit_rows;    // parts begin at multiples of so many rows
    // Runs some rows, unless the world is observed.
    void (*run)(weft_world *world, const weft_part *part, const weft_blocks *blocks);
    uint32_t short_rows; // of its blocks: while rows come from memory,
    uint32_t long_rows;  // and while they stay in the caches
    uint32_t row_bytes;  // what its systems touch in a row
    bool by_part;        // parts run one by one; otherwise unit_rows is a multiple of both
    bool joins;          // one loop can do the work of several
} weft_pass;

// The functions of a system, generated. Either `run` does all of it; or the system is parallel:
// begin returns whether it is due, and may change *dt; then its rows are cut, turn is called, its
// parts run, if it has any, then end. begin, turn and end may be NULL.
typedef struct weft_system_code {
    void (*run)(weft_world *world, double dt);
    void (*part)(weft_world *world, double dt, const weft_part *part);
    bool (*begin)(weft_world *world, double *dt);
    void (*turn)(weft_world *world, double dt); // lets the game begin the turn; or NULL
    void (*end)(weft_world *world);
    uint16_t parallel;     // number of the parallel system; WEFT_NONE: it is not one
    const weft_pass *pass; // that it begins; NULL: it begins none
} weft_system_code;

#endif
