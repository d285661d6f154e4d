// Reading a save into a world that nobody has seen yet: the caller puts it in the place of the old
// one when all of it has been found to be sound.
//
// A status other than WEFT_OK has been said in words. What can be wrong: the bytes are no save, or
// damaged (WEFT_BAD_FILE); they are one that cannot be carried over (WEFT_MISMATCH); there is no
// memory.
#ifndef WEFT_SAVE_READ_H
#define WEFT_SAVE_READ_H

#include "../world/world.h"
#include "convert/rows.h"
#include "format.h"

WEFT_EXTERN_C_BEGIN

// Values of a sparse component in the save. All zero: nobody has it.
typedef struct weft_sparse_saved {
    uint32_t count;
    const unsigned char *owners; // numbers of 4 bytes, by slot
    void *values;                // by slot; NULL: not saved
    uint32_t *slots;             // slot + 1 by index, where rows look for them; else NULL
    uint64_t bits;               // rows so far that say they have it
} weft_sparse_saved;

// A table of the save, as far as rows are looked for in it later.
typedef struct weft_saved_rows {
    uint32_t rows;
    const unsigned char *handles;
} weft_saved_rows;

typedef struct weft_loader {
    weft_world *said; // who says what is wrong
    weft_world *into; // the new one, without entities
    weft_scratch scratch;
    weft_scratch of_table; // for the table at hand: many small ones together take no more
    weft_matched matched;
    size_t bytes; // of the save
    const weft_section *sections;
    uint32_t section_count;
    uint32_t index_count; // of the save, as what follows
    uint32_t live;
    uint32_t free_count;
    uint32_t retired_count;
    const unsigned char *free_list; // handles of the save, in the order of reuse
    const unsigned char *retired;   // numbers of 4 bytes
    uint64_t *used;                 // by index: a bit that says it is accounted for
    weft_sparse_saved *sparse;      // by component of the save
    void *const **columns;          // by component of the save: of the table at hand; NULL
    const unsigned char **bitsets;  // the same
    uint64_t *set;                  // of the row at hand
    weft_saved_rows *tables;        // in the order of the save
    uint32_t table_count;
    uint32_t row_count; // of all tables so far
} weft_loader;

weft_status weft_loader_damaged(const weft_loader *loader, const char *what);
weft_status weft_loader_changed(const weft_loader *loader); // a checksum says so
weft_status weft_loader_no_memory(const weft_loader *loader);

// Carries rows of values over, `from` in the save.
weft_status weft_loader_carry(const weft_loader *loader, const weft_match *match, weft_strip from,
                              weft_strip to, uint32_t rows);

// Takes all sections of a kind, in the order of the save, up to the first that is not WEFT_OK.
weft_status weft_loader_each(weft_loader *loader, uint32_t kind,
                             weft_status (*take)(weft_loader *loader, weft_bytes body));

// All of it, into loader->into.
weft_status weft_loader_read(weft_loader *loader, const void *bytes, size_t count);

// Rows from one on of a component of the save, in columns as it has them.
weft_strip weft_saved_strip(const weft_loader *loader, uint32_t was, void *const *columns,
                            uint32_t first);

// One of the handles of the save that lie side by side, and its parts.
static inline uint64_t weft_saved_handle(const weft_loader *loader, const unsigned char *handles,
                                         uint32_t i)
{
    uint32_t bytes = loader->matched.schemas.file->handle_bytes;
    return weft_little_read(handles + (size_t)i * bytes, bytes);
}

static inline uint32_t weft_saved_index(const weft_loader *loader, uint64_t handle)
{
    return (uint32_t)(handle & (((uint64_t)1 << loader->matched.schemas.file->index_bits) - 1));
}

static inline uint64_t weft_saved_generation(const weft_loader *loader, uint64_t handle)
{
    return handle >> loader->matched.schemas.file->index_bits;
}

// Accounts for an index of the save. False: there is none, or it is accounted for.
static inline bool weft_loader_use(weft_loader *loader, uint64_t index)
{
    if (index >= loader->index_count) return false;
    uint64_t *word = &loader->used[index / 64];
    uint64_t bit = (uint64_t)1 << index % 64;
    bool fresh = (*word & bit) == 0;
    *word |= bit;
    return fresh;
}

// weft_save_table.c: tables, whole or row by row. The indices and the stores have been taken in.
weft_status weft_loader_tables(weft_loader *loader);

// weft_save_stores.c: takes sparse stores in; puts those that are stores still, values in their
// slots, after the rows.
weft_status weft_loader_stores(weft_loader *loader);
weft_status weft_loader_sparse(weft_loader *loader);

WEFT_EXTERN_C_END

#endif
