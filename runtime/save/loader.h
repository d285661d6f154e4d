// A loader contains the new world that a save is read into, and everything known about the save so
// far.
//
// When the whole save was found to be valid, the caller replaces the old world by the new one. If a
// function here returns false, it has set the status and reported the reason: WEFT_BAD_FILE if the
// bytes are not a save or are damaged, WEFT_MISMATCH if the save cannot be converted to the schema
// of the world, WEFT_NO_MEMORY if memory ran out.
#ifndef WEFT_SAVE_LOADER_H
#define WEFT_SAVE_LOADER_H

#include "../world/world.h"
#include "bytes.h"
#include "convert.h"
#include "part.h"

// The values of a sparse component in the save. All zero if no entity has the component.
typedef struct weft_saved_store {
    uint32_t count;
    const unsigned char *owners; // indices of 4 bytes, by slot
    void *values;                // by slot; NULL if the values are not saved
    uint32_t *slots; // slot + 1 by index if the values become columns of tables, else NULL
    uint64_t bits;   // rows read so far whose bit for this component is set
} weft_saved_store;

// The rows of a table of the save. Later sections refer to them.
typedef struct weft_saved_rows {
    uint32_t rows;
    const unsigned char *handles;
} weft_saved_rows;

// The description of a part. Its arrays lie in the save.
typedef struct weft_loaded_part {
    bool wanted; // a part is loaded, and not a world
    bool away;   // the entities were taken out of the world
    uint32_t node_count;
    const unsigned char *relations; // of 4 bytes
    const unsigned char *children;  // handles, like the next two
    const unsigned char *parents;
    const unsigned char *nexts;
} weft_loaded_part;

typedef struct weft_loader {
    weft_status status;   // the reason why reading failed
    weft_world *reporter; // the old world, which reports errors
    weft_world *into;     // the new world, which has no entities at first
    weft_scratch scratch;
    weft_scratch of_table; // of the current table, so that many small tables reuse one block
    weft_matched matched;
    size_t bytes;     // of the save
    uint32_t version; // the WEFT_VERSION that wrote it; 0 if unknown
    const weft_section *sections;
    uint32_t section_count;
    uint32_t index_count; // in the save, like the next three
    uint32_t live;
    uint32_t free_numbers; // of the free list; one or two for each run of free indices (entities.c)
    uint32_t retired_count;
    const unsigned char *free_list; // in the order of reuse
    const unsigned char *retired;   // indices of 4 bytes
    const unsigned char *away;      // handles of entities that are away; NULL: none
    uint32_t away_count;
    weft_loaded_part part;
    uint64_t *used; // by index: a bit that is set once the index was read as free or retired
    weft_saved_store *stores; // by component of the save
    void *const **columns;    // of the current table, by component of the save; NULL if it has none
    const unsigned char **bitsets; // like columns; NULL if no bit is set
    uint64_t *set;                 // the components of the current row
    weft_saved_rows *tables;       // in the order of the save
    uint32_t table_count;
    uint32_t row_count; // of all tables so far
} weft_loader;

// These refuse the save and return false.
bool weft_loader_refuse(weft_loader *loader, weft_status status, const char *format, ...);
bool weft_loader_damaged(weft_loader *loader, const char *what);
bool weft_loader_changed(weft_loader *loader); // because a checksum does not match
bool weft_loader_no_memory(weft_loader *loader);

// Reads the body of a section, or does a step that must wait until other sections were read.
typedef bool weft_section_reader(weft_loader *loader, weft_bytes body);
typedef bool weft_loader_step(weft_loader *loader);

// Reads all sections of a kind in the order of the save, and stops at the first that fails.
bool weft_loader_each(weft_loader *loader, uint32_t kind, weft_section_reader *read);

// The owners of an array of values, starting with number `first` of an array in the save. All zero
// if the values have no owner.
typedef struct weft_owners {
    const unsigned char *handles;
    const unsigned char *indices; // used if `handles` is NULL: indices of 4 bytes
    uint32_t first;
} weft_owners;

// Convert rows of values from columns of the save to columns of the world. For the second function,
// both are plain structs that are stored one after the other, whatever the layout of the component
// in tables. If a value is refused, the message names its entity.
bool weft_loader_convert_rows(weft_loader *loader, const weft_match *match, weft_column_span from,
                              weft_column_span to, uint32_t rows, const weft_owners *owners);
bool weft_loader_convert_structs(weft_loader *loader, const weft_match *match, const void *from,
                                 void *to, uint32_t count, const weft_owners *owners);

// Seeds each rng that the rows of a component have but the save lacks: the rngs of new fields, or
// all of them if match is NULL. They are seeded as if the entities had just got the component. For
// a fragment this does nothing, because its entities are seeded when they are merged.
void weft_loader_seed(const weft_loader *loader, uint32_t component, const weft_match *match,
                      weft_column_span values, uint32_t rows, const weft_owners *owners);

// Returns outer node `i` of a part. Its relation is WEFT_NEVER if it no longer exists.
weft_part_node weft_loader_node(const weft_loader *loader, uint32_t i);

// Returns handle `i` of an array in the save. The next two functions return its parts.
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

// Returns whether an entity may take a handle of the save: its generation is valid, and no row has
// taken its index yet. Records are written when rows are appended, so a record that is still in its
// first state means that the index is not in use.
static inline bool weft_loader_is_fresh(const weft_loader *loader, uint64_t handle)
{
    weft_format f = loader->into->plan->format;
    uint64_t generation = weft_loader_generation(loader, handle);
    uint32_t index = weft_loader_index(loader, handle);
    return generation != 0 && generation >> loader->matched.schemas.file->generation_bits == 0 &&
           index < loader->index_count &&
           weft_record_at(&loader->into->entities, f, index).generation == 0;
}

// Marks a free or retired index of the save as seen. Returns false if the index does not exist, was
// seen before, or belongs to an entity.
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

// Returns the bit of a row in a bitset of the save. If `words` is NULL, no bit is set.
static inline bool weft_saved_bit(const unsigned char *words, uint32_t row)
{
    return words && ((uint32_t)words[row / 8] >> (row % 8) & 1u);
}

// Returns whether a row of the current table has a tag or sparse component of the save.
static inline bool weft_loader_bit(const weft_loader *loader, uint32_t component, uint32_t row)
{
    return weft_saved_bit(loader->bitsets[component], row);
}

// Returns the hidden tag of one end of a kind of links of the save. `end` counts both ends of all
// kinds. Returns WEFT_NEVER if there is no such tag.
static inline uint32_t weft_loader_end(const weft_loader *loader, uint32_t end)
{
    const weft_plan *plan = loader->into->plan;
    if (end / 2 >= loader->matched.schemas.file->link_count) return WEFT_NEVER;
    uint32_t link = loader->matched.links.now[end / 2];
    if (link == WEFT_NEVER) return WEFT_NEVER;
    uint16_t tag = end % 2 == 0 ? plan->links[link].from_tag : plan->links[link].to_tag;
    return tag == WEFT_NONE ? WEFT_NEVER : tag;
}

// Maps a number of the save (weft_saved_number) to the current component or hidden tag. Returns WEFT_NEVER if it no longer exists.
static inline uint32_t weft_loader_numbered(const weft_loader *loader, uint32_t number)
{
    const weft_plan *plan = loader->into->plan;
    const weft_schema *file = loader->matched.schemas.file;
    uint32_t relation = number - file->component_count;
    if (number < file->component_count) return loader->matched.components.now[number];
    if (relation >= file->relation_count) {
        return weft_loader_end(loader, relation - file->relation_count);
    }
    if (!plan->relations) return WEFT_NEVER;
    relation = loader->matched.relations.now[relation];
    if (relation == WEFT_NEVER || plan->relations[relation].attached == WEFT_NONE)
        return WEFT_NEVER;
    return plan->relations[relation].attached;
}

// Returns whether a reader of the world is the reader called `saved` in the save. A listener may
// have been renamed since (`was`).
bool weft_loader_is_reader(const weft_loader *loader, const char *name, const char *saved);

// Returns a component of the world.
static inline const weft_component_info *weft_loader_info(const weft_loader *loader,
                                                          uint32_t component)
{
    return &loader->matched.schemas.world->components[component];
}

#endif
