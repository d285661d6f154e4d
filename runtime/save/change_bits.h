// Marks of what was added and changed, in saves: who has not seen what.
//
// Change sets are numbered anew by every schema, so a save says for each reader and what it watches
// which change sets it has. Where all who watch the same are those of the save, their change sets come back
// as they were; where not, each that the save knows gets what it had not seen, and each other
// everything.
#ifndef WEFT_SAVE_CHANGE_BITS_H
#define WEFT_SAVE_CHANGE_BITS_H

#include "read.h"
#include "write.h"

WEFT_EXTERN_C_BEGIN

void weft_put_marks(weft_sink *sink, const weft_saver *saver);

// After all rows and values are there.
weft_status weft_loader_marks(weft_loader *loader);

WEFT_EXTERN_C_END

#endif
