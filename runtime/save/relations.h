// Relations in saves.
#ifndef WEFT_SAVE_RELATIONS_H
#define WEFT_SAVE_RELATIONS_H

#include "read.h"
#include "write.h"

WEFT_EXTERN_C_BEGIN

// Every link of a relation, such that attaching child by child makes the same lists.
bool weft_relation_is_put(const weft_world *world, uint32_t relation);
void weft_put_relation(weft_sink *sink, const weft_saver *saver, uint32_t relation);

// After all entities are there.
weft_status weft_loader_relations(weft_loader *loader);

WEFT_EXTERN_C_END

#endif
