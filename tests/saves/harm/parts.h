// A save as its sections, which can be taken apart and joined again with the right checksums.
#ifndef PARTS_H
#define PARTS_H

#include "save/saver.h"

#define PARTS_MAX 64

typedef struct part {
    uint32_t kind;
    uint32_t flags;
    size_t at;    // the start of its body
    size_t count; // bytes of it
} part;

typedef struct parts {
    uint32_t count;
    part items[PARTS_MAX];
} parts;

// Writes the section that a world of the schema has of it.
weft_section_writer weft_write_schema;
static inline void part_of_schema(weft_sink *sink, const void *schema)
{
    const weft_plan plan = {.schema = (const weft_schema *)schema};
    const weft_world world = {.plan = &plan};
    weft_write_schema(sink, &(weft_saver){.world = &world}, 0);
}

// Bytes of a section in all whose body has that many.
static inline size_t part_bytes(size_t body)
{
    return WEFT_SECTION_HEAD_BYTES + body + WEFT_WORD_BYTES;
}

// Finds the sections by their heads alone. Returns false if they are not those of a save.
bool parts_find(parts *p, const unsigned char *bytes, size_t count);

// Writes the right lengths and checksums everywhere. `bytes` are a head and then sections.
void parts_mend(const parts *p, unsigned char *bytes, size_t count);

#endif
