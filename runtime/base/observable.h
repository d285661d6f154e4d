// Insight, profiles and the inspector observe a running world. For them, each turn, phase and call
// of the game tests whether the world is observed. A release that is never observed can omit these
// tests: compile runtime, generated code and game with -DWEFT_UNOBSERVED.
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

// Returns whether `member`, the observer in a weft_world, is set. With -DWEFT_UNOBSERVED this must
// be a constant expression and not an inline function, because the latter changes the order of
// instructions.
#ifdef WEFT_UNOBSERVED
#define WEFT_OBSERVER(world, member) (false && (world)->member)
#else
#define WEFT_OBSERVER(world, member) ((world)->member)
#endif

#define WEFT_OBSERVES_NOT "watch, checks and profile need a build without -DWEFT_UNOBSERVED"
#define WEFT_OBSERVED_BY(what)                                                                     \
    (WEFT_OBSERVABLE ? what " with weft_options.watch" : WEFT_OBSERVES_NOT)

#endif
