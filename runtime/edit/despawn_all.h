// Despawning all rows of a query, or all that have a tag.
#ifndef WEFT_DESPAWN_ALL_H
#define WEFT_DESPAWN_ALL_H

#include "../query/query.h"

// Despawns the rows of a query that pass, each as by a call of its own, the last rows first, so
// that those before them stay where they are. What ended with one before it is passed over.
// O(tables + rows / 64 + entities despawned), with memory for 8 bytes a row meanwhile. WEFT_BUSY,
// or WEFT_NO_MEMORY, with which nothing changed.
weft_status weft_query_end(weft_world *world, const weft_query *query, weft_match_table match,
                           weft_filter filter);

// Despawns all that have a tag, likewise: tables in canonical order, the last rows first. What
// looks into the world is told that `writer` does it.
weft_status weft_tag_end(weft_world *world, uint32_t tag, const char *writer);

#endif
