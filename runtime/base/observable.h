// Insight, profiles and the inspector observe a world that runs: each turn, phase and call of the
// game tests whether one of them does. A release that none ever observes may be compiled with
// -DWEFT_UNOBSERVED, runtime, generated code and game alike, and has no such test.
#ifndef WEFT_OBSERVABLE_H
#define WEFT_OBSERVABLE_H

#include "../weft.h"

#ifdef WEFT_UNOBSERVED
#define WEFT_OBSERVABLE false
WEFT_LINKS_WITH(weft_rebuild_all_with_WEFT_UNOBSERVED);
#else
#define WEFT_OBSERVABLE true
WEFT_LINKS_WITH(weft_rebuild_all_without_WEFT_UNOBSERVED);
#endif

// Tells whether a member of weft_world is set that says who observes it. In such a build it is a
// constant, which leaves no trace in object code; an inline function that returns one changes the
// order of instructions.
#ifdef WEFT_UNOBSERVED
#define WEFT_OBSERVER(world, member) (false && (world)->member)
#else
#define WEFT_OBSERVER(world, member) ((world)->member)
#endif

#define WEFT_OBSERVES_NOT "watch, checks and profile need a build without -DWEFT_UNOBSERVED"
#define WEFT_OBSERVED_BY(what)                                                                     \
    (WEFT_OBSERVABLE ? what " with weft_options.watch" : WEFT_OBSERVES_NOT)

#endif
