// Events that somebody has still to hear, in saves.
#ifndef WEFT_SAVE_EVENTS_H
#define WEFT_SAVE_EVENTS_H

#include "read.h"
#include "write.h"

WEFT_EXTERN_C_BEGIN

// What is left of an event's log to be heard, and by whom; nothing if it is all heard.
bool weft_event_is_put(const weft_world *world, uint32_t event);
void weft_put_event(weft_sink *sink, const weft_saver *saver, uint32_t event);

// After all entities are there.
weft_status weft_loader_events(weft_loader *loader);

WEFT_EXTERN_C_END

#endif
