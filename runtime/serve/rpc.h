// A call of JSON-RPC 2.0 on a world: its params, its refusal, and the state that calls share. The
// files with methods include this one, and answer.c includes them.
#ifndef WEFT_SERVE_RPC_H
#define WEFT_SERVE_RPC_H

#include "release.h"
#include "text.h"
#include "weft_serve_options.h"

#include "../json/scan.h"
#include "../select/program.h"
#include "../value/names.h"
#include "../weft_insight.h"

#define SERVE_LISTS_MAX 8u        // lists that are kept or being made
#define SERVE_FINDINGS_MAX 4u     // passes that find the referrers of an entity
#define SERVE_SLICE_ROWS 65536u   // rows that a poll may test or move, for all lists
#define SERVE_SLICE_SECONDS 0.002 // the longest time of this work in a poll
#define SERVE_SLICE_LEAST_ROWS                                                                     \
    16384u // rows tested by the call that begins a list, so that short lists are ready at once
#define SERVE_EXPRESSION_MAX WEFT_SELECT_TEXT_MAX // bytes of an expression, with its NUL
#define SERVE_PATH_MAX 256u
#define SERVE_COLUMNS_MAX 16u       // of a window
#define SERVE_ROWS_MAX 500u         // of a window
#define SERVE_DOTS_MAX 2048u        // of a window of the map
#define SERVE_PACKED_DOTS_MAX 8192u // the same, if they are packed, which is much faster
#define SERVE_CHILDREN_MAX 200u     // shown with an entity, for each relation
#define SERVE_LINKS_MAX 100u        // shown with an entity, for each kind and direction
#define SERVE_BATCH_MAX 64u         // calls in one request
#define SERVE_ID_MAX 128u           // bytes of the id of a call
#define SERVE_COUNT_SECONDS 5.0     // turns are counted, and events kept, this long after a request
#define SERVE_STEP_SECONDS 0.2      // then a step ends, perhaps with fewer ticks than requested
#define SERVE_STRING_MAX 4096u
#define SERVE_OFF_MAX 16u            // systems that are off, listed with the counters
#define SERVE_EVENTS_MAX 256u        // kept between two calls; others are only counted
#define SERVE_EVENT_BYTES 512u       // of a value; longer values are not kept, but the event is
#define SERVE_REMEMBERED_MAX 100000u // entities that `remember` takes
#define SERVE_REMEMBERED_BYTES_MAX ((size_t)256 << 20)
#define SERVE_CHANGES_MAX 200u   // listed as changed, new or gone
#define SERVE_CHANGE_BYTES 8192u // an entity up to this size is always listed with its values,
#define SERVE_CHANGES_BYTES ((size_t)1 << 20) // a larger one up to this length of the answer
#define SERVE_WRITES_KEPT 65536u              // after a page starts watching; 99 to 171 bytes each
#define SERVE_SERIES_MAX 16u                  // values over ticks, for all pages
#define SERVE_STOPS_MAX 16u                   // stops of pages
#define SERVE_STOP_BYTES (WEFT_STOP_TEXT_MAX + 1)
// Bytes that an answer keeps free for the refusal of each later call in a batch.
#define SERVE_REFUSAL_BYTES 4096u

// A line of the log, or a refusal.
typedef struct serve_message {
    uint64_t number; // 0 if empty
    uint64_t tick;
    char text[240];
} serve_message;

// The expression and sort key of a list.
typedef struct serve_list_key {
    char where[SERVE_EXPRESSION_MAX];
    char by[SERVE_PATH_MAX]; // path of the sort value; "" for the order of the world
    bool descending;
} serve_list_key;

// A list of entities; see list.h.
typedef struct serve_list {
    serve_list_key key;
    struct serve_row *rows; // NULL before the first list is ready
    uint32_t count;
    struct serve_row *without; // entities without the sort value, which are last
    uint32_t without_count;
    uint32_t slices;             // number of slices in which it was made
    uint64_t tick;               // in which it was made
    double made;                 // time in seconds; 0 to make it again
    double takes;                // how long making it took, in seconds
    double asked;                // time of the last request for it; 0 if this place is free
    struct serve_making *making; // NULL if no list is being made
} serve_list;

// A pass that finds the referrers of an entity; see referrers.h.
typedef struct serve_finding {
    struct serve_referring *pass; // NULL if this place is free
    double asked;                 // time of the last request for it; 0 before the first
    bool ready;                   // all rows were read
} serve_finding;

// An event that a system has emitted.
typedef struct serve_event {
    uint64_t number; // counts all events
    uint64_t tick;
    uint32_t stage; // position of the system among the emitters of the event
    uint32_t event;
    bool whole; // the value is kept
    unsigned char value[SERVE_EVENT_BYTES];
} serve_event;

// A condition that pauses the game when it becomes true.
typedef struct serve_stop {
    struct serve_state *state;
    bool off;                    // it waits until it is switched on, and is not in the world
    uint32_t skip;               // how many times it only counts before it pauses the game
    uint64_t count;              // how often it became true
    weft_write last;             // the write that made it true last
    char when[SERVE_STOP_BYTES]; // empty if this place is free
} serve_stop;

// Called for each file of a folder, with its whole path and its path below the folder.
typedef void serve_file_hook(void *user, const char *path, const char *below);

// How files are read; see folder.h.
typedef struct serve_files {
    // Lists the files in a folder and below it. Returns why it cannot be read, or NULL.
    const char *(*list)(const char *folder, serve_file_hook *found, void *user);
    // Returns the bytes of a file, which must be freed, or NULL if it cannot be read or is longer
    // than `most`.
    char *(*read)(const char *path, size_t most, size_t *bytes);
} serve_files;

typedef struct serve_state {
    weft_world *world;
    weft_serve_options options;
    const serve_files *files;      // NULL without a server
    struct serve_sources *sources; // see sources.c; NULL before the first request for them
    weft_serve_clock clock;
    uint64_t messages;   // so far
    uint64_t stopped;    // how often a stop has paused the game
    bool watches;        // a page has started watching
    bool holds;          // a page has switched off a system that has no switch in the schema
    uint64_t edits;      // changes made by requests
    uint64_t started;    // when the inspector was opened, in milliseconds since 1970
    uint32_t phase;      // 1 + the phase that ran last alone in this tick; 0 if none did
    uint64_t phase_tick; // the tick of `phase`
    double counted;      // time of the last request for counts of turns; 0 if they are off
    struct serve_hearing *hearing; // see events.c; NULL before the first request for events
    struct serve_memory *memory;   // see changes.c; NULL if no tick is remembered
    struct serve_names *names;     // see names.h; NULL before the first request for names
    struct serve_taken *taken;     // see taken.h; NULL if nothing can be undone
    uint64_t steps;                // number of the last despawn or removal
    serve_message kept[WEFT_SERVE_MESSAGES_MAX];
    struct serve_recording *recording; // see timeline.c; NULL if no ticks were recorded
    uint64_t recordings;               // number of the last one
    uint32_t rows_left;                // rows that lists may still test or move in this poll
    double slice_end; // when the time of lists in this poll ends; 0 before they begin
    uint32_t polls;   // number of polls, wrapping
    uint32_t series_count;
    uint32_t series_turn;                          // the series that may sample first
    double series_credit;                          // seconds that aggregates may take now
    double series_looked;                          // time when this was last raised
    struct serve_series *series[SERVE_SERIES_MAX]; // see series.c
    bool has_lists;                                // some places are in use
    serve_releases releases;                       // memory of lists that were dropped
    serve_list lists[SERVE_LISTS_MAX];
    serve_finding findings[SERVE_FINDINGS_MAX];
    serve_stop stops[SERVE_STOPS_MAX];
} serve_state;

// A call that is being answered.
typedef struct serve_call {
    serve_state *state;
    weft_world *world;
    weft_scanned params;
    serve_text *out; // the result is added to it
    size_t result;   // where the result begins in it
    bool refused;
    int code;
    char why[512];
} serve_call;

// Returns whether a required pointer is not NULL; asserts in debug builds.
bool serve_is_given(const void *pointer, const char *words);
#define IS_GIVEN(pointer) serve_is_given((pointer), #pointer " is NULL")

// Stores a line for pages.
void serve_state_log(serve_state *state, const char *line);

// Returns the seconds of a clock that never goes back.
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
    SERVE_REFUSED = -32000, // the world refuses; its error is the message
};

// Answers a call. If it adds no result, the result is `true`.
typedef void serve_method(serve_call *call);

// Refuse a call. Return false.
bool serve_refuse(serve_call *call, int code, const char *format, ...) WEFT_PRINTS(3, 4);
bool serve_refuse_world(serve_call *call); // with the text of the world's last refusal

// Read members of the params, whose kinds were already checked. Return false if the call is refused
// because a member is missing or wrong.
bool serve_take_string(serve_call *call, const char *name, char *string, size_t capacity);
bool serve_take_handle(serve_call *call, const char *name, uint64_t *handle);
bool serve_take_living(serve_call *call, const char *name, uint64_t *handle); // of an entity now
bool serve_take_component(serve_call *call, uint32_t *component);
bool serve_take_relation(serve_call *call, uint32_t *relation);
bool serve_take_link(serve_call *call, uint32_t *link);
bool serve_take_name(serve_call *call, const char *param, weft_names names, uint32_t *found);

// Read optional members. If a member is missing, the value stays as it is.
bool serve_may_take_string(serve_call *call, const char *name, char *string, size_t capacity);
bool serve_may_take_number(serve_call *call, const char *name, double low, double high,
                           double *number);
bool serve_may_take_bool(serve_call *call, const char *name, bool *value);

// Adds a handle as "index:generation", or null for 0.
void serve_add_handle(serve_call *call, uint64_t handle);

#endif
