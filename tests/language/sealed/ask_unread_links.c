// Reads lost parents of a relation whose removals it does not read.
//
// gcc: has no member named 'removed_part_of'
// clang: no member named 'removed_part_of' in
#include "sealed.h"

void seal_ask_unread_links(const seal_ask_unread_links_ctx *ctx, uint32_t count)
{
    (void)count;
    (void)ctx->removed_part_of;
}
