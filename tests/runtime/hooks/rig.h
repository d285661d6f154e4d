// A world with hooks that store their calls and compare them with the world.
#ifndef RIG_H
#define RIG_H

#include "den.h"
#include "memory.h"

#define KINDS (DEN_COMPONENT_PLAIN + 1) // components of the den
#define INDICES 4096u

// One call of a hook, with its arguments.
typedef struct told {
    bool removed;
    bool replaced; // by `value`
    uint16_t component;
    den_entity e;
    uint64_t value; // see rig_number
    uint64_t old;   // replaced: the value that there was
} told;

typedef struct rig {
    den_world *w;
    memory memory;
    told *told;
    size_t count;
    size_t capacity;
    uint32_t held[KINDS][INDICES]; // by index: the holder, according to hooks
    size_t held_count[KINDS];
    // Additional work of a hook: `react` when a component is added or removed, `replace` when a
    // value is replaced. May be NULL.
    void (*react)(struct rig *r, const den_hook_ctx *ctx, const told *t);
    void (*replace)(struct rig *r, const den_hook_ctx *ctx, const told *t);
    void (*roam)(struct rig *r, const den_roam_ctx *ctx, uint32_t i);
    void *more; // for those two
    char said[256];
} rig;

rig *rig_open(void);

// Closes the world. Nothing may be held afterwards, and all memory must be released.
void rig_close(rig *r);

// Forgets the recorded calls, but not which entities hold which components.
void rig_forget(rig *r);

// Checks that the holders of each component, according to hooks, are the entities that have it.
void rig_check(const rig *r);

// Returns whether e has a component, and its value as a number: that of rig_values_of for some v.
bool rig_number(const den_world *w, den_entity e, uint16_t component, uint64_t *number);

// The values that v stands for, in every component.
typedef struct rig_values {
    den_body body;
    den_gait gait;
    den_scent scent;
    den_pelt pelt;
    den_plain plain;
} rig_values;

rig_values rig_values_of(uint32_t v);
uint64_t rig_number_of(uint16_t component, uint32_t v);
uint64_t rig_number_default(uint16_t component);

// Calls on any component, by its number.
bool rig_set(den_world *w, den_entity e, uint16_t component, uint32_t v);
bool rig_remove(den_world *w, den_entity e, uint16_t component);
bool rig_cmd_set(den_cmd *cmd, den_entity e, uint16_t component, uint32_t v);
bool rig_cmd_remove(den_cmd *cmd, den_entity e, uint16_t component);

den_fox rig_fox(uint32_t v);
den_cub rig_cub(uint32_t v);

#endif
