// Insight: tells what of a world is not as the schema says, and who made it so. It is for
// debugging and tests: a game that does not ask for it has no code of it, but for a test a turn.
//
//     #include "colony_insight.h" // generated; links weft_json.c besides weft.c
//     weft_options options = {.insight = colony_insight(), .checks = true, .log = print};
//     colony_world *w = colony_open(&options);
//
// Invariants (weft_options.checks). What `holds` of a component or singleton says, and `min`,
// `max`, values of enums, bools, counts of lists, ends of strings and bits of handles, is looked at
//   - after the turn of each system, of what it may write;
//   - after the commands of each system are applied, after a load, before a phase and before a
//     save, of everything.
// What is found broken goes to the log hook and colony_error, with who broke it, the value and the
// entity, and the world goes on:
//
//     deliver broke stock: amount[0] = -1 of 9:4
//     tick broke calendar: hour = 25.5
//     commands of build broke site: used = 9, needed = 8 of 12:1 (used <= needed)
//
// weft_stats.broken counts it. It is reported once, and again after it has held meanwhile; of
// reports in equal words, numbers aside, the log hook gets the first, second, fourth, eighth … With
// weft_options.checks_stop the first one is printed to stderr, and ends the program by abort().
//
// While a world is looked into, its systems run one by one on the thread of the game, in the order
// in which they would without workers; what they compute is equal.
#ifndef WEFT_INSIGHT_H
#define WEFT_INSIGHT_H

#include "world/world.h"

WEFT_EXTERN_C_BEGIN

// A part of `holds`, or the limits of one field.
typedef struct weft_rule {
    const char *text; // as the schema writes it; NULL: limits
    uint16_t field;   // that has the limits
    uint16_t path_count;
    const char *const *paths; // of the values that it is about
} weft_rule;

// The rules of a component or singleton. Generated.
typedef struct weft_check {
    uint16_t of; // by their numbers
    bool singleton;
    uint16_t rule_count;
    const weft_rule *rules;
    uint64_t (*broken)(const void *value); // bit i: rule i is; the rest share the last bit
} weft_check;

// These are the functions of a weft_insight; generated code names them.
bool weft_insight_open(weft_world *world, const weft_options *options);
void weft_insight_close(weft_world *world);
void weft_insight_writer(weft_world *world, const char *name, bool commands);

WEFT_EXTERN_C_END

#endif
