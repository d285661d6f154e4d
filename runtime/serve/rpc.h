// A call of JSON-RPC 2.0 on a world: its params, its refusal, and the state that calls share. The
// methods, a file for each kind of them, stand above this one, and answer.h above these.
#ifndef WEFT_SERVE_RPC_H
#define WEFT_SERVE_RPC_H

#include "release.h"
#include "text.h"
#include "weft_serve_options.h"

#include "../json/scan.h"
#include "../select/program.h"
#include "../value/names.h"
#include "../weft_insight.h"

#define SERVE_LISTS_MAX 8u        // that are kept, or made
#define SERVE_SLICE_ROWS 65536u   // rows that a poll looks at, or moves, for all lists
#define SERVE_SLICE_SECONDS 0.002 // or as many as it can in this time
#define SERVE_SLICE_LEAST_ROWS                                                                     \
    16384u // of a call that begins a list, so that short ones are there at once
#define SERVE_EXPRESSION_MAX WEFT_SELECT_TEXT_MAX // bytes of an expression with its end
#define SERVE_PATH_MAX 256u
#define SERVE_COLUMNS_MAX 16u   // of a window
#define SERVE_ROWS_MAX 500u     // of a window
#define SERVE_CHILDREN_MAX 200u // that an entity is shown with, in each relation
#define SERVE_BATCH_MAX 64u     // calls in one text
#define SERVE_ID_MAX 128u       // bytes of the id of a call, as it is written
#define SERVE_COUNT_SECONDS 5.0 // turns are counted, and events kept, so long after it was asked
#define SERVE_STEP_SECONDS 0.2  // a step ends after so long, with fewer ticks than were asked for
#define SERVE_STRING_MAX 4096u
#define SERVE_EVENTS_MAX 256u        // that are kept from one call to the next; others are counted
#define SERVE_EVENT_BYTES 512u       // of a value that is kept; of others only that they came
#define SERVE_REMEMBERED_MAX 100000u // entities that `remember` takes
#define SERVE_REMEMBERED_BYTES_MAX ((size_t)256 << 20)
#define SERVE_CHANGES_MAX 200u                // entities that are listed as changed, new or gone
#define SERVE_CHANGE_BYTES 8192u              // of one that is always listed with its values;
#define SERVE_CHANGES_BYTES ((size_t)1 << 20) // others are while the answer is no longer than this
#define SERVE_WRITES_KEPT 65536u              // once a page has begun to watch, of 99 to 171 bytes
#define SERVE_STOPS_MAX 16u                   // values that pages stop at
#define SERVE_STOP_BYTES (WEFT_STOP_TEXT_MAX + 1)
// Bytes that an answer keeps free for the refusal of each call that comes later in a batch.
#define SERVE_REFUSAL_BYTES 4096u

// A line of a log, or a refusal.
typedef struct serve_message {
    uint64_t number; // 0: none yet
    uint64_t tick;
    char text[240];
} serve_message;

// The selection of a list, and its order.
typedef struct serve_list_key {
    char where[SERVE_EXPRESSION_MAX];
    char by[SERVE_PATH_MAX]; // a value; "": the order of the world
    bool descending;
} serve_list_key;

// Entities of a selection, see list.h.
typedef struct serve_list {
    serve_list_key key;
    struct serve_row *rows; // NULL: there are none yet
    uint32_t count;
    struct serve_row *without; // those without the value, which come behind
    uint32_t without_count;
    uint32_t slices;             // that it was made in
    uint64_t tick;               // in which it was made
    double made;                 // when, in seconds; 0: it is to be made anew
    double takes;                // how long, in seconds
    double asked;                // when it was asked for the last time; 0: there is no list here
    struct serve_making *making; // NULL: nothing is being made
} serve_list;

// An event that a system has emitted.
typedef struct serve_event {
    uint64_t number; // of all events so far
    uint64_t tick;
    uint32_t stage; // which of its emitters the system is
    uint32_t event;
    bool whole; // the value is kept
    unsigned char value[SERVE_EVENT_BYTES];
} serve_event;

// A comparison that pauses the game when it comes to hold.
typedef struct serve_stop {
    struct serve_state *state;
    uint64_t count;              // how often it came to hold
    weft_write last;             // that made it hold
    char when[SERVE_STOP_BYTES]; // empty: there is none here
} serve_stop;

typedef struct serve_state {
    weft_world *world;
    weft_serve_options options;
    weft_serve_clock clock;
    uint64_t messages; // so far
    uint64_t stopped;  // how often a stop has paused the game
    bool watches;      // a page has begun to watch
    bool holds;        // a page has switched a system off that has no switch in the schema
    uint64_t edits;    // changes that were made through here
    double counted;    // when counts of turns were asked for the last time; 0: none are kept for it
    struct serve_hearing *hearing; // events, see events.c; NULL: nothing has asked for them
    struct serve_memory *memory;   // see changes.c; NULL: no tick is remembered
    serve_message kept[WEFT_SERVE_MESSAGES_MAX];
    uint32_t rows_left;      // that lists may still take in this poll
    double slice_end;        // when they have taken all of their time; 0: none has begun
    uint32_t polls;          // so far, wrapping
    bool has_lists;          // some of these are used
    serve_releases releases; // memory of lists that are gone
    serve_list lists[SERVE_LISTS_MAX];
    serve_stop stops[SERVE_STOPS_MAX];
} serve_state;

// A call that is being answered.
typedef struct serve_call {
    serve_state *state;
    weft_world *world;
    weft_scanned params;
    serve_text *out; // the result goes here
    size_t result;   // where in it that begins
    bool refused;
    int code;
    char why[512];
} serve_call;

// Returns whether a pointer that a call of the game needs is not NULL. It asserts in debug builds.
bool serve_is_given(const void *pointer, const char *words);
#define IS_GIVEN(pointer) serve_is_given((pointer), #pointer " is NULL")

// Keeps a line for pages.
void serve_state_log(serve_state *state, const char *line);

// Returns seconds of a clock that only goes forward.
double serve_now(void);

// ------------------------------------------------------------------------------------------------
// The parts of a call

enum {
    SERVE_PARSE_ERROR = -32700,
    SERVE_INVALID_REQUEST = -32600,
    SERVE_NO_METHOD = -32601,
    SERVE_INVALID_PARAMS = -32602,
    SERVE_READ_ONLY = -32001,
    SERVE_TOO_LARGE = -32002,
    SERVE_REFUSED = -32000, // the world refuses; the message has its words
};

// Answers a call. The result is `true` if it adds none.
typedef void serve_method(serve_call *call);

// Refuse a call. They return false.
bool serve_refuse(serve_call *call, int code, const char *format, ...) WEFT_PRINTS(3, 4);
bool serve_refuse_world(serve_call *call); // in the words of the world's last refusal

// Read members of the params, whose kinds were judged already. False: it is refused, since a member
// is missing or wrong.
bool serve_take_string(serve_call *call, const char *name, char *string, size_t capacity);
bool serve_take_handle(serve_call *call, const char *name, uint64_t *handle);
bool serve_take_component(serve_call *call, uint32_t *component);
bool serve_take_relation(serve_call *call, uint32_t *relation);
bool serve_take_name(serve_call *call, const char *param, weft_names names, uint32_t *found);

// Read members that may be missing, which leaves the value alone.
bool serve_may_take_string(serve_call *call, const char *name, char *string, size_t capacity);
bool serve_may_take_number(serve_call *call, const char *name, double low, double high,
                           double *number);
bool serve_may_take_bool(serve_call *call, const char *name, bool *value);

// Add a handle as "index:generation", or null for none.
void serve_add_handle(serve_call *call, uint64_t handle);

#endif
