// A loader has the new world that a save is read into, and what is known of the save so far.
//
// The caller puts the new world in the place of the old one when all of the save has been found to
// be sound. A function here that returns false has set the status, and reported it in words:
// WEFT_BAD_FILE means that the bytes are no save or a damaged one, WEFT_MISMATCH that the save
// cannot be converted to the schema of the world, WEFT_NO_MEMORY what it says.
#ifndef WEFT_SAVE_LOADER_H
#define WEFT_SAVE_LOADER_H

#include "../world/world.h"
#include "bytes.h"
#include "convert.h"

// Values of a sparse component in the save. All zero: no entity has it.
typedef struct weft_saved_store {
    uint32_t count;
    const unsigned char *owners; // numbers of 4 bytes, by slot
    void *values;                // by slot; NULL: not saved
    uint32_t *slots;             // slot + 1 by index, if values become columns of tables; else NULL
    uint64_t bits;               // rows so far whose bit says that they have it
} weft_saved_store;

// The rows of a table of the save, which later sections refer to.
typedef struct weft_saved_rows {
    uint32_t rows;
    const unsigned char *handles;
} weft_saved_rows;

typedef struct weft_loader {
    weft_status status;   // why reading has failed
    weft_world *reporter; // the old world, which reports what is wrong
    weft_world *into;     // the new one, without entities at first
    weft_scratch scratch;
    weft_scratch of_table; // for the table at hand, so that many small ones need no more than one
    weft_matched matched;
    size_t bytes;     // of the save
    uint32_t version; // of the Weft that wrote it, as WEFT_VERSION is; 0: it does not say
    const weft_section *sections;
    uint32_t section_count;
    uint32_t index_count; // of the save, as the next three
    uint32_t live;
    uint32_t free_numbers; // in the list, for one or many free indices each (entities.c)
    uint32_t retired_count;
    const unsigned char *free_list; // in the order of reuse
    const unsigned char *retired;   // numbers of 4 bytes
    uint64_t *used;                 // by index: a bit that says it was seen free or retired
    weft_saved_store *stores;       // by component of the save
    void *const **columns;          // by component of the save: of the table at hand; NULL: none
    const unsigned char **bitsets;  // likewise
    uint64_t *set;                  // of the row at hand
    weft_saved_rows *tables;        // in the order of the save
    uint32_t table_count;
    uint32_t row_count; // of all tables so far
} weft_loader;

// Refuse the save: all of them return false.
bool weft_loader_refuse(weft_loader *loader, weft_status status, const char *format, ...);
bool weft_loader_damaged(weft_loader *loader, const char *what);
bool weft_loader_changed(weft_loader *loader); // as a checksum shows
bool weft_loader_no_memory(weft_loader *loader);

// Reads the body of a section, or does what can only be done once others were read.
typedef bool weft_section_reader(weft_loader *loader, weft_bytes body);
typedef bool weft_loader_step(weft_loader *loader);

// Reads all sections of a kind, in the order of the save, up to the first that fails.
bool weft_loader_each(weft_loader *loader, uint32_t kind, weft_section_reader *read);

// The entities that values are of, from one of an array of the save on; all zero: they are of none.
typedef struct weft_owners {
    const unsigned char *handles;
    const unsigned char *indices; // where there are no handles: numbers of 4 bytes
    uint32_t first;
} weft_owners;

// Converts rows of values in columns of the save to rows in columns of the world. Structs are plain
// ones, however the component is laid out in tables, and lie one behind the other in both. A value
// that is refused is named with its entity.
bool weft_loader_convert_rows(weft_loader *loader, const weft_match *match, weft_column_span from,
                              weft_column_span to, uint32_t rows, const weft_owners *owners);
bool weft_loader_convert_structs(weft_loader *loader, const weft_match *match, const void *from,
                                 void *to, uint32_t count, const weft_owners *owners);

// Seeds each rng that rows of a component have and the save does not: those of new fields, or all
// of them if match is NULL. They are seeded as if the entities had just got them. A fragment seeds
// nothing, since its entities are seeded when they are merged.
void weft_loader_seed(const weft_loader *loader, uint32_t component, const weft_match *match,
                      weft_column_span values, uint32_t rows, const weft_owners *owners);

// Returns a handle from an array of the save. The next two return its parts.
static inline uint64_t weft_loader_handle(const weft_loader *loader, const unsigned char *handles,
                                          uint32_t i)
{
    uint32_t bytes = loader->matched.schemas.file->handle_bytes;
    return weft_little_read(handles + (size_t)i * bytes, bytes);
}

static inline uint32_t weft_loader_index(const weft_loader *loader, uint64_t handle)
{
    return (uint32_t)(handle & (((uint64_t)1 << loader->matched.schemas.file->index_bits) - 1));
}

static inline uint64_t weft_loader_generation(const weft_loader *loader, uint64_t handle)
{
    return handle >> loader->matched.schemas.file->index_bits;
}

// Tells whether an entity may have a handle of the save: its record is still as fresh as all of
// them are at first, and its generation is one. Records are written as rows are appended, so that
// no index has two.
static inline bool weft_loader_is_fresh(const weft_loader *loader, uint64_t handle)
{
    weft_format f = loader->into->plan->format;
    uint64_t generation = weft_loader_generation(loader, handle);
    uint32_t index = weft_loader_index(loader, handle);
    return generation != 0 && generation >> loader->matched.schemas.file->generation_bits == 0 &&
           index < loader->index_count &&
           weft_record_at(&loader->into->entities, f, index).generation == 0;
}

// Notes that a free or a retired index of the save was seen. False: there is no such index, it was
// seen before, or an entity has it.
static inline bool weft_loader_use(weft_loader *loader, uint64_t index)
{
    weft_format f = loader->into->plan->format;
    if (index >= loader->index_count ||
        weft_record_at(&loader->into->entities, f, (uint32_t)index).generation != 0) {
        return false;
    }
    uint64_t *word = &loader->used[index / 64];
    uint64_t bit = (uint64_t)1 << index % 64;
    bool fresh = (*word & bit) == 0;
    *word |= bit;
    return fresh;
}

// Tells the bit of a row in a bitset of the save; NULL: none is set.
static inline bool weft_saved_bit(const unsigned char *words, uint32_t row)
{
    return words && ((uint32_t)words[row / 8] >> (row % 8) & 1u);
}

// Tells whether a row of the table at hand has a tag or sparse component of the save.
static inline bool weft_loader_bit(const weft_loader *loader, uint32_t component, uint32_t row)
{
    return weft_saved_bit(loader->bitsets[component], row);
}

// Finds what a component is now of which a save has this number, or the tag of a relation
// (weft_saved_number); WEFT_NEVER: nothing.
static inline uint32_t weft_loader_numbered(const weft_loader *loader, uint32_t number)
{
    const weft_plan *plan = loader->into->plan;
    const weft_schema *file = loader->matched.schemas.file;
    uint32_t relation = number - file->component_count;
    if (number < file->component_count) return loader->matched.components.now[number];
    if (relation >= file->relation_count || !plan->relations) return WEFT_NEVER;
    relation = loader->matched.relations.now[relation];
    if (relation == WEFT_NEVER || plan->relations[relation].attached == WEFT_NONE)
        return WEFT_NEVER;
    return plan->relations[relation].attached;
}

// Tells whether a reader of the world, by its name, is the one of that name in the save. A listener
// may have had another name then.
bool weft_loader_is_reader(const weft_loader *loader, const char *name, const char *saved);

// Returns a component of the world.
static inline const weft_component_info *weft_loader_info(const weft_loader *loader,
                                                          uint32_t component)
{
    return &loader->matched.schemas.world->components[component];
}

#endif
