// Who lost what, as far as somebody has still to see it, in saves.
#ifndef WEFT_SAVE_REMOVED_H
#define WEFT_SAVE_REMOVED_H

#include "read.h"
#include "write.h"

WEFT_EXTERN_C_BEGIN

// What is left of a log of removals to be seen.
bool weft_removed_is_put(const weft_world *world, uint32_t removal);
void weft_put_removed(weft_sink *sink, const weft_saver *saver, uint32_t removal);

// After the marks.
weft_status weft_loader_removed(weft_loader *loader);

WEFT_EXTERN_C_END

#endif
