// Texts about stops: for a hook whose stop has become true, and for tools while a stop waits.
#ifndef WEFT_INSIGHT_STOP_WORDS_H
#define WEFT_INSIGHT_STOP_WORDS_H

#include "awaited.h"

// Return the write that is passed to a hook. `before` is NULL if the value did not exist.
weft_write weft_stop_value_write(const weft_world *world, const weft_stop *stop,
                                 const void *before);
weft_write weft_stop_any_write(const weft_world *world, const weft_stop *stop, uint64_t handle);
weft_write weft_stop_event_write(const weft_world *world, const weft_stop *stop, const void *value);
weft_write weft_stop_despawn_write(const weft_world *world, const weft_stop *stop);

void weft_stop_describe(const weft_world *world, const weft_stop *stop, weft_stop_view *view);

#endif
