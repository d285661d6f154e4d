// Reading JSON piece by piece, by RFC 8259 and nothing beside it: no comments, no comma at the end.
//
// The schema says at each place what has to come next, so the caller asks for exactly that, and
// nothing recurses deeper than its structs. There is no tree of the text, as other libraries make:
// a tree does not know where a value stood that does not suit its field.
//
// The first refusal counts: the world then has the message with line, column and path, `status` is
// not WEFT_OK, walks are at their end, and further refusals are not heard. Functions that read a
// value return false where they have refused it.
#ifndef WEFT_JSON_TEXT_H
#define WEFT_JSON_TEXT_H

#include "../value/names.h"
#include "../weft_json.h"

#define WEFT_JSON_PATH_BYTES 96 // of the path in a message; a longer one is cut
#define WEFT_JSON_NAME_BYTES 72 // longer than any name of a schema

// A walk over an array, or over an object whose members are named after records of the schema
// (value/names.h), each of which may be there once. Walks lie within one another as the values of
// the text do, and their items are the path of the value at hand.
typedef struct weft_json_walk {
    weft_names names; // of the members of an object; without a kind: an array
    bool by_name;     // its members are the elements of an array by an enum
    uint32_t count;   // items of an array so far
    uint32_t item;    // the index of the one at hand, or of the member's record; WEFT_NO_NAME: none
    uint32_t seen;    // where the bools of the records begin: one was there
    struct weft_json_walk *outer; // the one that this one lies within; NULL: none
} weft_json_walk;

typedef struct weft_json_reader {
    weft_world *world;
    weft_status status;
    enum {
        WEFT_JSON_JUDGE, // values and rules, before the ids are known
        WEFT_JSON_LINK,  // relations, once they are, and of an entity alone its components
        WEFT_JSON_DO
    } stage;
    bool whole;      // a world; else the entity `handle` is given components
    uint64_t handle; // the entity at hand; 0: it is judged as one that has nothing
    // Those of a world's text. Their values are on the stage JUDGE where in the text each stands,
    // on LINK the number of one above it in the relation at hand, or its own, on DO handles.
    struct weft_keyed *ids;
    uint32_t id_count;
    uint32_t id_capacity;
    weft_json_walk *walk;  // the innermost; NULL: none has begun
    unsigned char *values; // space for plain structs: one of each component, or a singleton
    size_t values_used;
    uint64_t *named; // the new components of the entity that the text gives values to, as a set
    bool *seen;      // of the walks that have begun
    uint32_t seen_capacity;
    const char *text;
    size_t bytes;
    size_t at;           // everything before it is read
    size_t value;        // where the value at hand begins, which is the place that messages name
    size_t string_bytes; // of all of the last string, without a NUL
} weft_json_reader;

// Refuses the value at hand. Returns false.
bool weft_json_refuse(weft_json_reader *in, weft_status status, const char *format, ...)
    WEFT_PRINTS(3, 4);
#define WEFT_JSON_WRONG(in, ...) weft_json_refuse(in, WEFT_BAD_VALUE, __VA_ARGS__)

// Refuses the character that comes next. Returns false.
bool weft_json_wants(weft_json_reader *in, const char *wanted);

// Skips whitespace; what follows is the value at hand. Returns its first character, '\0' at the
// end of the text.
char weft_json_peek(weft_json_reader *in);

// Reads this word if it comes next; this character, which has to.
bool weft_json_word(weft_json_reader *in, const char *word);
bool weft_json_take(weft_json_reader *in, char c);

// Reads a string of any length, and keeps as much of it as there is space for before a NUL; the
// rest of the space becomes zeros.
bool weft_json_string(weft_json_reader *in, char *string, size_t capacity);

// Reads a number, as it is written.
bool weft_json_number(weft_json_reader *in, char number[WEFT_JSON_NUMBER_MAX + 1]);

// Skips an array or object of a text that was judged.
void weft_json_skip(weft_json_reader *in);

// Goes on to the next item, or behind the next name. Returns false also at the end of the walk,
// where `status` stays WEFT_OK; behind the outermost one the text has to end.
bool weft_json_next(weft_json_reader *in, weft_json_walk *walk);

#endif
