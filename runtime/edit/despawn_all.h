// Despawns all rows of a query, or all entities with a tag.
#ifndef WEFT_DESPAWN_ALL_H
#define WEFT_DESPAWN_ALL_H

#include "../query/query.h"

// Despawns the rows of a query that pass, each as by its own call. The last rows go first, so that
// the rows before them stay in place. Rows that were already despawned with another row are
// skipped. O(tables + rows / 64 + despawned entities), with temporary memory of 8 bytes a row.
// Returns WEFT_BUSY, or WEFT_NO_MEMORY without changes.
weft_status weft_query_end(weft_world *world, const weft_query *query, weft_match_table match,
                           weft_filter filter);

// Despawns all entities with a tag: tables in canonical order backwards, the last rows first.
// Insight is notified that `writer` does it. Returns WEFT_NO_MEMORY, without changes, or WEFT_OK.
weft_status weft_tag_end(weft_world *world, uint32_t tag, const char *writer);

#endif
