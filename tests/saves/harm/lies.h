// A handmade save, word by word, of a small world that the vault loads, and the false statements
// that tests put into it.
#ifndef LIES_H
#define LIES_H

#include "world/world.h"

enum { LIES_ENTITIES = 2 }; // by index; the next one is free

// Singletons of the save: the first is saved and has no bytes, the second is not saved. The world
// has neither.
enum { LIES_EMPTY, LIES_UNSAVED, LIES_NONE };

enum { LIES_COMPONENTS = 2 }; // the tags of relations have the next numbers

// Kinds of links of the save: one with values, a symmetric one that is not symmetric in the world, one
// that is not saved, and one that the world has not.
enum { LIES_OWES, LIES_BEARS, LIES_UNSAVED_LINK, LIES_LOST, LIES_LINK_KINDS };
enum { LIES_LINKS = 3 };

typedef struct lies {
    uint64_t version; // of the format
    uint32_t weft;    // the version that wrote it; 0 if it is missing
    const char *world;
    uint8_t index_bits;
    uint8_t generation_bits;
    uint8_t handle_bytes;
    weft_component_info motion; // in tables
    weft_field field;           // the one that it has
    uint32_t rumor_size;
    uint32_t live;
    uint32_t rows;          // of the table, which has LIES_ENTITIES
    uint32_t free;          // a handle
    uint32_t frees;         // how often it is there
    bool has_row;           // another number follows it, which says how many are free behind it
    uint32_t row;           // that number
    uint32_t retired;       // indices behind that one
    uint32_t retired_first; // in place of the first of them, if this is not 0
    uint32_t handles[LIES_ENTITIES];
    uint64_t has; // bits of rows that have the sparse component `place`
    uint32_t values;
    uint32_t owners[LIES_ENTITIES]; // x is 100 in the first slot, 101 in the next
    uint32_t marks;                 // in the list of each
    uint32_t marks_of_last;         // in that of the last, if this is not 0
    uint32_t rumors;                // values of the event
    uint32_t events;                // sections of it
    uint32_t unheard;
    uint32_t links; // of that one
    uint32_t child;
    uint32_t parent;
    uint32_t link_kind;
    uint32_t link_sections;
    uint64_t link_count; // that the section says; it has at most LIES_LINKS
    uint32_t link_from[LIES_LINKS];
    uint32_t link_to[LIES_LINKS];
    uint32_t link_words;   // of their values
    uint32_t link_padding; // behind the last value
    weft_link_info owes;   // the first kind, with the values of its field
    weft_field gold;
    uint32_t clocks;    // sections of them
    uint32_t singleton; // the one that there is a value of; LIES_NONE: there is no value
    uint32_t its_words;
    uint32_t seed_words; // 0: there is no seed
    uint32_t ends;       // sections that end the save
    bool goes_on;        // another section follows
    uint32_t watched;    // what a reader watches in change bits; 0 if nothing
    uint32_t off;        // systems that are off, of which the section has one
    bool strange;        // there is a section of a kind that is not known
    uint32_t its_flags;
} lies;

lies lies_none(void);

// A handle of the first generation.
uint32_t lies_handle(uint32_t index);

// Bytes that stay as they are until the next call.
const void *lies_save(const lies *told, size_t *count);

#endif
