// A saver has the world that a save is written from, and knows how values are written.
#ifndef WEFT_SAVE_SAVER_H
#define WEFT_SAVE_SAVER_H

#include "../world/world.h"
#include "bytes.h"
#include "scratch.h"

// Why a save is given up: a value that no load would take.
typedef struct weft_save_refusal {
    bool any;
    char words[512];
} weft_save_refusal;

typedef struct weft_saver {
    const weft_world *world;
    weft_save_refusal *refusal;
    const weft_table **tables; // those with rows, in the order of their sets
    uint32_t table_count;
    unsigned char *buffer; // for values that cannot be written from where they lie
    size_t buffer_bytes;   // for eight values of any size
} weft_saver;

// Writes the body of a section about the table, store, singleton, event, relation or log of that
// number, or about all of the world. A body of no bytes means that there is nothing to be saved.
//
// Each section has one file with its writer and its reader (loader.h). Only save.c calls them, and
// the files of sections stand below it, so both sides declare them by these two types: then either
// declaration is checked against the definition, however the runtime is compiled.
typedef void weft_section_writer(weft_sink *sink, const weft_saver *saver, uint32_t number);

// Returns the number in saves of a component, or of the relation whose tag it is. The numbers of
// relations follow those of components.
static inline uint32_t weft_saved_number(const weft_plan *plan, uint32_t component)
{
    uint32_t count = plan->schema->component_count;
    uint32_t relation = 0;
    if (component < count) return component;
    while (plan->relations[relation].attached != component) relation++;
    return count + relation;
}

// False: no memory. All that it needs is the scratch's.
bool weft_saver_open(weft_saver *saver, const weft_world *world, weft_scratch *scratch);

// Rows of a struct, or of one field alone, and whose they are.
typedef struct weft_saved_values {
    const char *kind; // "component", "singleton", …
    const char *name;
    const weft_field *fields;
    uint32_t field_count;
    uint32_t size;  // of a row
    uint32_t count; // of the rows
    const void *rows;
    const void *handles;     // of the entities that have them; NULL: of none, or told by indices
    const uint32_t *indices; // likewise
} weft_saved_values;

// Writes rows: numbers little-endian, and zeros wherever bytes mean nothing. Those are between
// fields, behind the NUL of a string, behind the last item of a list, and in fields that are not
// saved. So equal values are equal bytes, and nothing else from the memory of a game comes into a
// file. Rows in which every byte means something are written from where they lie. Where a value is
// one that no load would take the sink fails, and the saver's refusal has the words.
void weft_saver_values(const weft_saver *saver, weft_sink *sink, const weft_saved_values *values);

#endif
