// Writing a world: all of it that the future depends on, section by section.
#ifndef WEFT_SAVE_WRITE_H
#define WEFT_SAVE_WRITE_H

#include "../world/world.h"
#include "format.h"
#include "scratch.h"

WEFT_EXTERN_C_BEGIN

// A world to be written, and its tables with rows in the order of their sets.
typedef struct weft_saver {
    const weft_world *world;
    const weft_table **tables;
    uint32_t table_count;
    unsigned char *room; // where values are made that are not ready to be put as they lie
    size_t room_bytes;   // of it; no value has more
    uint64_t bytes;      // of the whole save
} weft_saver;

// False: no memory. What it takes is the scratch's.
bool weft_saver_open(weft_saver *saver, const weft_world *world, weft_scratch *scratch);

// Puts rows of a struct, or of one field alone, `size` bytes each: from where they lie, if all of
// it means something; else in pieces, by way of the room.
void weft_put_values(const weft_saver *saver, weft_sink *sink, const weft_field *fields,
                     uint32_t count, const void *rows, uint64_t row_count, uint32_t size);

// Puts the whole save. The sink says whether it could.
void weft_saver_put(const weft_saver *saver, weft_sink *sink);

WEFT_EXTERN_C_END

#endif
