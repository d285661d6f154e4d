// Events that somebody has still to hear, and relations, in saves.
#ifndef WEFT_SAVE_LINKS_H
#define WEFT_SAVE_LINKS_H

#include "weft_save_read.h"
#include "weft_save_write.h"

WEFT_EXTERN_C_BEGIN

// What is left of an event's log to be heard, and by whom; nothing if it is all heard.
bool weft_event_is_put(const weft_world *world, uint32_t event);
void weft_put_event(weft_sink *sink, const weft_saver *saver, uint32_t event);

// What is left of a log of removals to be seen.
bool weft_removed_is_put(const weft_world *world, uint32_t removal);
void weft_put_removed(weft_sink *sink, const weft_saver *saver, uint32_t removal);

// After the marks.
weft_status weft_loader_removed(weft_loader *loader);

// Every link of a relation, such that attaching child by child makes the same lists.
bool weft_relation_is_put(const weft_world *world, uint32_t relation);
void weft_put_relation(weft_sink *sink, const weft_saver *saver, uint32_t relation);

// After all entities are there.
weft_status weft_loader_events(weft_loader *loader);
weft_status weft_loader_relations(weft_loader *loader);

WEFT_EXTERN_C_END

#endif
