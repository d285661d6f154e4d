// The naive model of a world with links: entities by index, and for each a list of its links that is
// searched from end to end. It expects hooks, and what readers of changes are shown.
#ifndef LINK_MODEL_H
#define LINK_MODEL_H

#include "link_kinds.h"

enum { TELLINGS_MAX = 2 * LINKS_MAX };

typedef enum state { DEAD, ALIVE, AWAY } state;

typedef struct item {
    uint32_t to; // index
    value v;
} item;

typedef struct item_list {
    item *items;
    uint32_t count;
    uint32_t capacity;
} item_list;

typedef enum change { FIRST, OTHER, LAST } change; // added, changed, removed

// A reader of changes of `from(kind)` or `to(kind)`.
typedef enum reader {
    OWES_FIRST,
    OWED_OTHER,
    OWES_LAST,
    TRUSTS_OTHER,
    KNOWS_LAST,
    KNOWS_FIRST,
    BEARS_FIRST,
    NEEDS_LAST,
    NOTE, // the system
    READERS,
} reader;

typedef struct reader_state {
    bool must[INDICES];  // is shown in the next turn, if it has the links that are asked for
    bool may[INDICES];   // was lent before the last turn, and so may be shown again
    bool added[INDICES]; // got its first link since the last turn
} reader_state;

// A call of a hook.
typedef struct telling {
    kind k;
    bool added;
    bonds_entity from;
    bonds_entity to;
} telling;

typedef struct tellings {
    uint32_t count;
    telling items[TELLINGS_MAX];
} tellings;

typedef struct model {
    state state[INDICES];
    bonds_entity handle[INDICES];
    uint32_t id[INDICES]; // the value of component `id`, another one for each entity
    uint32_t next_id;
    bool asleep[INDICES];
    bool purse[INDICES];
    bool drift[INDICES];
    bool charm[INDICES];
    int32_t drift_x[INDICES];
    int32_t power[INDICES];
    uint32_t parent[INDICES]; // index + 1; 0: none
    uint32_t living;
    uint32_t top; // indices that were ever used
    item_list links[KINDS][INDICES];
    uint32_t count[KINDS];
    uint32_t from[KINDS][INDICES]; // links in the list of an entity
    uint32_t to[KINDS][INDICES];   // links in lists of others, and of itself
    bool lent[KINDS][2][INDICES];  // an edited value may still be written; from, to
    reader_state readers[READERS];
    tellings expected;
} model;

extern const struct reader_info {
    kind k;
    bool to;
    change change;
} readers[READERS];

void model_free(model *m);
void model_expect(model *m, kind k, bool added, uint32_t from, uint32_t to);

// Entities.
void model_spawn(model *m, bonds_entity e);
void model_forget_entity(model *m, uint32_t index); // without its links
void model_despawn(model *m, bonds_entity e);       // with all that is despawned with it
bool model_alive(const model *m, bonds_entity e);
bool model_exists(const model *m, bonds_entity e); // alive or away

// Links between indices. Both ends exist.
item *model_find(const model *m, kind k, uint32_t from, uint32_t to);
void model_set(model *m, kind k, uint32_t from, uint32_t to, const value *v);
bool model_remove(model *m, kind k, uint32_t from, uint32_t to);
void model_remove_all_of(model *m, uint32_t index);
void model_clear(model *m, kind k);

// A value was written, or given away to be written.
void model_written(model *m, kind k, uint32_t from, uint32_t to);
void model_lend(model *m, kind k, uint32_t from, uint32_t to);
void model_loans_end(model *m);

// Returns whether an entity has links from it, or to it.
bool model_any(const model *m, kind k, bool to, uint32_t index);

// Readers.
bool model_is_shown(const model *m, reader r, uint32_t index); // must be
bool model_may_show(const model *m, reader r, uint32_t index);
void model_turn(model *m, reader r); // its turn has ended
void model_returned(model *m, uint32_t index);

// All links in the order of loops.
void model_all(const model *m, kind k, shown_list *list);
void model_from(const model *m, kind k, uint32_t index, shown_list *list);
void model_to(const model *m, kind k, uint32_t index, shown_list *list);

#endif
