// A world with `COUNT` components of all kinds in turn, compared with plain sets after random
// changes. test_edges.py writes EACH_COMPONENT(X) and EACH_QUERY(X).
#include "boundary.h"

#include "components.h"

#include <stdio.h>
#include <stdlib.h>

#define ENTITIES 150u
#define STEPS 20000u

#define WRAP(name)                                                                                 \
    static bool name##_has(boundary_world *w, boundary_entity e)                                   \
    {                                                                                              \
        return boundary_##name##_has(w, e);                                                        \
    }                                                                                              \
    static bool name##_remove(boundary_world *w, boundary_entity e)                                \
    {                                                                                              \
        return boundary_##name##_remove(w, e);                                                     \
    }
#define WRAP_VALUE(name)                                                                           \
    WRAP(name)                                                                                     \
    static bool name##_set(boundary_world *w, boundary_entity e)                                   \
    {                                                                                              \
        return boundary_##name##_set(w, e, (boundary_##name){7});                                  \
    }
#define WRAP_TAG(name)                                                                             \
    WRAP(name)                                                                                     \
    static bool name##_set(boundary_world *w, boundary_entity e)                                   \
    {                                                                                              \
        return boundary_##name##_set(w, e);                                                        \
    }
EACH_VALUE(WRAP_VALUE)
EACH_TAG(WRAP_TAG)

typedef bool call(boundary_world *w, boundary_entity e);

#define ROW(name) {name##_has, name##_set, name##_remove},
static const struct {
    call *has, *set, *remove;
} components[COUNT] = {EACH_COMPONENT(ROW)};

static bool model[ENTITIES][COUNT];
static boundary_entity entities[ENTITIES];

static void wrong(const char *what, uint32_t entity, uint32_t component)
{
    printf("%s: entity %u, component %u\n", what, (unsigned)entity, (unsigned)component);
    exit(1);
}

static void check(boundary_world *w)
{
    for (uint32_t e = 0; e < ENTITIES; e++) {
        for (uint32_t c = 0; c < COUNT; c++) {
            if (components[c].has(w, entities[e]) != model[e][c]) wrong("has", e, c);
        }
    }
#define CHECK_QUERY(name, condition)                                                               \
    {                                                                                              \
        size_t rows = 0;                                                                           \
        for (uint32_t e = 0; e < ENTITIES; e++) rows += (condition);                               \
        if (boundary_##name##_count(w) != rows) wrong(#name, (uint32_t)rows, 0);                   \
    }
    EACH_QUERY(CHECK_QUERY)
}

// Those next to the ends of words come often, and one entity has everything there is.
static uint32_t any_component(uint32_t r)
{
    static const uint32_t near[] = {0, 1, 62, 63, 64, 65, 126, 127, 128, COUNT - 1};
    uint32_t component = r % 4 != 0 ? near[r / 4 % 10] : r / 4 % COUNT;
    return component < COUNT ? component : COUNT - 1;
}

int main(void)
{
    boundary_world *w = boundary_open(NULL);
    uint64_t state = 1;
    if (!w) return 1;
    for (uint32_t e = 0; e < ENTITIES; e++) entities[e] = boundary_spawn(w);
    for (uint32_t c = 0; c < COUNT; c++) {
        if (!components[c].set(w, entities[0])) wrong("set", 0, c);
        model[0][c] = true;
    }
    for (uint32_t step = 0; step < STEPS; step++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        uint32_t e = (uint32_t)(state >> 33) % ENTITIES;
        uint32_t c = any_component((uint32_t)(state >> 40));
        bool add = state >> 63;
        bool done = add ? components[c].set(w, entities[e]) : components[c].remove(w, entities[e]);
        if (done != (add || model[e][c])) wrong(add ? "set" : "remove", e, c);
        model[e][c] = add;
        if (step % 1000 == 999) check(w);
    }
    boundary_close(w);
    return 0;
}
