// Reads JSON piece by piece, strictly by RFC 8259: no comments, and no comma after the last item.
//
// At each place the schema determines what must follow, so the caller asks for exactly that, and
// recursion goes only as deep as the structs of the schema. Unlike other libraries, this builds no
// tree of the text, because a tree does not contain the place of a value that does not fit its
// field.
//
// Only the first refusal is reported: it gives line, column and path. After that, `status` is not
// WEFT_OK, all walks end, and further refusals are ignored. Functions that read a value return
// false if they have refused it.
#ifndef WEFT_JSON_TEXT_H
#define WEFT_JSON_TEXT_H

#include "../value/names.h"
#include "../weft_json.h"

#define WEFT_JSON_PATH_BYTES 96 // of the path in a message; a longer one is cut
#define WEFT_JSON_NAME_BYTES 72 // longer than any name of a schema

// A walk over an array, or over an object whose members are named like records of the schema
// (value/names.h). Each name may occur once. Walks are nested like the values of the text, and
// their items form the path of the current value.
typedef struct weft_json_walk {
    weft_names names; // of the members of an object; for an array, it has no kind
    bool by_name;     // the members are elements of an array that an enum numbers
    uint32_t count;   // items of an array so far
    uint32_t item;    // the current item or record; WEFT_NO_NAME if there is none
    uint32_t seen;    // where its part of the reader's `seen` begins, a bool for each record
    struct weft_json_walk *outer; // the walk around this one; NULL for the outermost
} weft_json_walk;

typedef struct weft_json_reader {
    weft_world *world;
    weft_status status;
    enum {
        WEFT_JSON_JUDGE, // checks values and rules; the ids are not known yet
        WEFT_JSON_LINK,  // checks relations and links, once ids and components are known
        WEFT_JSON_DO
    } stage;
    bool whole;      // a whole world, otherwise one entity: `handle`
    uint64_t handle; // the current entity; 0 to check a text as that of an empty entity
    // The ids in the text of a world. Their values depend on the stage. JUDGE: the place of the id
    // in the text. LINK: the number of an id above it in the current relation, or its own number.
    // DO: its handle.
    struct weft_keyed *ids;
    uint32_t id_count;
    uint32_t id_capacity;
    struct weft_keyed
        *links; // see links.c: those of the current kind, or of all kinds of an entity
    uint32_t link_count;
    uint32_t link_capacity;
    weft_json_walk *walk;  // the innermost; NULL before the first begins
    unsigned char *values; // space for plain structs: one of each component, or a singleton
    size_t values_used;
    uint64_t *named; // set of the new components of the entity that the text gives values to
    bool *seen;      // for all walks that have begun: the members that were read
    uint32_t seen_capacity;
    const char *text;
    size_t bytes;
    size_t at;           // everything before it was read
    size_t value;        // start of the current value, whose place messages give
    size_t string_bytes; // length of the last string, also of the part that was cut
} weft_json_reader;

// Refuses the current value. Returns false.
bool weft_json_refuse(weft_json_reader *in, weft_status status, const char *format, ...)
    WEFT_PRINTS(3, 4);
#define WEFT_JSON_WRONG(in, ...) weft_json_refuse(in, WEFT_BAD_VALUE, __VA_ARGS__)

// Refuses the next character, because `wanted` should be there. Returns false.
bool weft_json_wants(weft_json_reader *in, const char *wanted);

// Skips whitespace. The current value begins at the next character, which is returned, or '\0' at
// the end of the text.
char weft_json_peek(weft_json_reader *in);

// The first reads a word if it is next, and returns whether it was. The second refuses the text if
// the next character is not c.
bool weft_json_word(weft_json_reader *in, const char *word);
bool weft_json_take(weft_json_reader *in, char c);

// Reads a string of any length. Stores as much of it as fits before a NUL, and fills the rest with
// zeros.
bool weft_json_string(weft_json_reader *in, char *string, size_t capacity);

// Reads a number as text.
bool weft_json_number(weft_json_reader *in, char number[WEFT_JSON_NUMBER_MAX + 1]);

// Skips an array or object in a text that was checked before.
void weft_json_skip(weft_json_reader *in);

// Moves to the next item, or to the value after the next name. Returns false at the end of the
// walk, where `status` is still WEFT_OK, or after a refusal. The text must end after the outermost
// walk.
bool weft_json_next(weft_json_reader *in, weft_json_walk *walk);

#endif
