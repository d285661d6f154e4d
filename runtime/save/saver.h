// A saver refers to the world that is saved, and knows how to write its values.
#ifndef WEFT_SAVE_SAVER_H
#define WEFT_SAVE_SAVER_H

#include "../world/world.h"
#include "bytes.h"
#include "part_rows.h"
#include "scratch.h"

#define WEFT_SAVED_LINKS 1024u // links that are collected, or converted, at once

// The reason why a save is given up: a value that no load would accept.
typedef struct weft_save_refusal {
    bool any;
    char words[512];
} weft_save_refusal;

typedef struct weft_saver {
    const weft_world *world;
    weft_save_refusal *refusal;
    const weft_table **tables; // the tables with rows, in the order of their sets
    uint32_t table_count;
    unsigned char *buffer;   // for values that must be changed before they are written
    size_t buffer_bytes;     // room for eight values of any size
    unsigned char *gathered; // of the same size; the last two are set by weft_saved_part_list
    const struct weft_saved_part *part; // NULL: the whole world is saved
    unsigned char *link_values; // values of links that are collected; as large. NULL: no links
    uint32_t *link_ends;        // their ends, WEFT_SAVED_LINKS
} weft_saver;

// Writes the body of one section: about the table, store, singleton, event, relation or log with
// this number, or about the whole world. If the body has no bytes, the section is not written.
//
// Each section has one file with its writer and its reader (loader.h). Only save.c calls them. Both
// save.c and that file declare these functions with the two types. So a definition with another
// type is a compile error, also if the runtime is compiled file by file.
typedef void weft_section_writer(weft_sink *sink, const weft_saver *saver, uint32_t number);

// Returns the number of a component in saves. Relations are numbered after the components, then
// both ends of each kind of links; if the component is the hidden tag of one, returns that number.
static inline uint32_t weft_saved_number(const weft_plan *plan, uint32_t component)
{
    uint32_t count = plan->schema->component_count;
    uint32_t relation = 0;
    if (component < count) return component;
    for (; relation < plan->schema->relation_count; relation++) {
        if (plan->relations && plan->relations[relation].attached == component)
            return count + relation;
    }
    uint32_t link = 0;
    while (plan->links[link].from_tag != component && plan->links[link].to_tag != component) link++;
    return count + relation + 2 * link + (plan->links[link].to_tag == component);
}

// Returns false if there is no memory. All memory is taken from the scratch.
bool weft_saver_open(weft_saver *saver, const weft_world *world, weft_scratch *scratch);

// Rows of a struct, or of a single field, with their owners.
typedef struct weft_saved_values {
    const char *kind; // "component", "singleton", …
    const char *name;
    const weft_field *fields;
    uint32_t field_count;
    uint32_t size;  // of a row
    uint32_t count; // of the rows
    const void *rows;
    const void *handles;          // of the entities that own the rows; NULL if unknown
    const uint32_t *indices;      // of the owners, if `handles` is NULL; NULL if they have none
    const weft_part_rows *chosen; // set by weft_saver_chosen: `rows` begins with row
    uint32_t chosen_at;           // `chosen_at` of these; owners are still those of all rows
} weft_saved_values;

// Writes rows. Numbers are written little-endian, and bytes without meaning are written as zeros:
// bytes between fields, after the NUL of a string, after the last item of a list, and in fields
// that are not saved. So equal values are equal bytes, and no other data from the memory of a game
// gets into a file. Rows in which every byte has a meaning are written directly from their place.
// If no load would accept a value, the sink fails, and the saver's refusal contains the message.
void weft_saver_values(const weft_saver *saver, weft_sink *sink, const weft_saved_values *values);

// Like weft_saver_values, but writes only the chosen rows. NULL: all of them.
void weft_saver_chosen(const weft_saver *saver, weft_sink *sink, const weft_saved_values *values,
                       const weft_part_rows *rows);

// Writes the chosen ones of `count` numbers as an array. NULL: all of them.
void weft_saver_numbers(const weft_saver *saver, weft_sink *sink, const void *numbers,
                        uint32_t count, size_t size, const weft_part_rows *rows);

#endif
