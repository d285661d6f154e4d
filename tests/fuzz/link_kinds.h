// The calls of each kind of links, in one form.
#ifndef LINK_KINDS_H
#define LINK_KINDS_H

#include "bonds.h"

enum { INDICES = 2048, LINKS_MAX = 40000 };
#define INDEX(e) ((e).bits & (INDICES - 1u))

typedef enum kind { OWES, TRUSTS, KNOWS, BEARS, NEEDS, SHARES, SEES, KINDS } kind;

// The value of a link of any kind. Kinds with fewer fields leave the others 0.
typedef struct value {
    uint32_t number;
    bool met; // written by on_add
    uint64_t paid;
    bonds_entity witness;
    bonds_entity judge;
} value;

// A link as a loop shows it.
typedef struct seen_link {
    bonds_entity from;
    bonds_entity to;
    value v;
} seen_link;

typedef struct shown_list {
    uint32_t count;
    seen_link items[LINKS_MAX];
} shown_list;

typedef struct kind_calls {
    const char *name;
    bool valued;
    bool symmetric;
    bool tells_added; // hooks
    bool tells_removed;
    bool from_ends; // despawning `from` despawns `to`
    bool to_ends;
    bool (*set)(bonds_world *w, bonds_entity from, bonds_entity to, const value *v);
    bool (*remove)(bonds_world *w, bonds_entity from, bonds_entity to);
    bool (*clear)(bonds_world *w);
    bool (*has)(const bonds_world *w, bonds_entity from, bonds_entity to);
    bool (*get)(const bonds_world *w, bonds_entity from, bonds_entity to, value *v);
    void *(*edit)(bonds_world *w, bonds_entity from, bonds_entity to); // NULL: without values
    void (*write)(void *at, const value *v);                           // through an edited pointer
    uint64_t (*count)(const bonds_world *w);
    uint32_t (*count_from)(const bonds_world *w, bonds_entity e);
    uint32_t (*count_to)(const bonds_world *w, bonds_entity e);
    void (*show_from)(const bonds_world *w, bonds_entity e, shown_list *list);
    void (*show_to)(const bonds_world *w, bonds_entity e, shown_list *list);
    void (*show_all)(const bonds_world *w, shown_list *list);
    bool (*cmd_set)(bonds_cmd *cmd, bonds_entity from, bonds_entity to, const value *v);
    bool (*cmd_remove)(bonds_cmd *cmd, bonds_entity from, bonds_entity to);
} kind_calls;

extern const kind_calls kinds[KINDS];

// Returns what a kind stores of a value.
value kind_stored(kind k, const value *v);

// Returns the value of the schema.
value kind_defaults(kind k);

// Returns whether two values are equal.
bool value_same(const value *a, const value *b);

#endif
