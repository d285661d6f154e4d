// Tables of the generated calls of each component, singleton and prefab, so that random operations
// can choose among them.
#ifndef CALLS_H
#define CALLS_H

#include "trees.h"

typedef struct component_calls {
    bool (*get)(const fuzz_world *w, fuzz_entity e, void *value); // if false: NULL; none for tags
    bool (*edit)(fuzz_world *w, fuzz_entity e, const void *value);
    bool (*set)(fuzz_world *w, fuzz_entity e, const void *value);     // value: NULL for tags
    bool (*replace)(fuzz_world *w, fuzz_entity e, const void *value); // not of tags
    bool (*has)(const fuzz_world *w, fuzz_entity e);
    bool (*remove)(fuzz_world *w, fuzz_entity e);
    bool (*clear)(fuzz_world *w);
    // For rows of query `everyone`, or else of `mixed`. Sparse components have no such call.
    weft_status (*set_all)(fuzz_world *w, bool everyone, const void *value);
    weft_status (*remove_all)(fuzz_world *w, bool everyone);
    bool (*cmd_set)(fuzz_cmd *cmd, fuzz_entity e, const void *value);
    bool (*cmd_replace)(fuzz_cmd *cmd, fuzz_entity e, const void *value); // not of tags
    bool (*cmd_remove)(fuzz_cmd *cmd, fuzz_entity e);
    bool (*cmd_clear)(fuzz_cmd *cmd);
} component_calls;

extern const component_calls component_api[COMPONENTS];

typedef struct prefab_calls {
    void (*defaults)(void *value);
    fuzz_entity (*spawn)(fuzz_world *w, const void *value);
    size_t (*spawn_many)(fuzz_world *w, size_t n, const void *one, fuzz_entity *out);
    // Fills in the columns of the new rows from n values.
    size_t (*spawn_rows)(fuzz_world *w, size_t n, const any_value *each, fuzz_entity *out);
    bool (*set)(fuzz_world *w, fuzz_entity e, const void *value);
    weft_status (*reserve)(fuzz_world *w, size_t n);
    fuzz_entity (*cmd_spawn)(fuzz_cmd *cmd, const void *value);
    bool (*cmd_spawn_many)(fuzz_cmd *cmd, size_t n, const void *one);
    bool (*cmd_set)(fuzz_cmd *cmd, fuzz_entity e, const void *value);
} prefab_calls;

extern const prefab_calls prefab_api[PREFABS];

typedef struct relation_calls {
    bool (*attach[HOWS])(fuzz_world *w, fuzz_entity child, fuzz_entity other);
    bool (*detach)(fuzz_world *w, fuzz_entity child);
    fuzz_entity (*parent)(const fuzz_world *w, fuzz_entity e);
    fuzz_entity (*first_child)(const fuzz_world *w, fuzz_entity e);
    fuzz_entity (*next_sibling)(const fuzz_world *w, fuzz_entity e);
    fuzz_entity (*prev_sibling)(const fuzz_world *w, fuzz_entity e);
    uint32_t (*child_count)(const fuzz_world *w, fuzz_entity e);
    uint32_t (*depth)(const fuzz_world *w, fuzz_entity e);
    weft_status (*sort)(fuzz_world *w);
    // A walk to its end, or until `see` returns false.
    void (*walk)(const fuzz_world *w, fuzz_entity root,
                 bool (*see)(void *user, fuzz_entity e, uint32_t depth), void *user);
    bool (*cmd_attach[HOWS])(fuzz_cmd *cmd, fuzz_entity child, fuzz_entity other);
    bool (*cmd_detach)(fuzz_cmd *cmd, fuzz_entity child);
} relation_calls;

extern const relation_calls relation_api[RELATIONS];

// Reads and writes a row of a soa component as its plain struct. Padding between its fields is 0.
void motion_read(fuzz_motion_const_columns at, uint32_t row, fuzz_motion *value);
void motion_write(fuzz_motion_columns at, uint32_t row, const fuzz_motion *value);
void pouch_read(fuzz_pouch_const_columns at, uint32_t row, fuzz_pouch *value);
void pouch_write(fuzz_pouch_columns at, uint32_t row, const fuzz_pouch *value);
void heat_read(fuzz_heat_const_columns at, uint32_t row, fuzz_heat *value);
void heat_write(fuzz_heat_columns at, uint32_t row, const fuzz_heat *value);

fuzz_motion_const_columns motion_const(fuzz_motion_columns at);
fuzz_pouch_const_columns pouch_const(fuzz_pouch_columns at);
fuzz_heat_const_columns heat_const(fuzz_heat_columns at);

#endif
