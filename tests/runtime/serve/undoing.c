#include "undoing.h"

char *world_text(const desk *d)
{
    size_t used = 0;
    char *all = malloc(TEXT_MAX);
    assert_non_null(all);
    for (uint32_t i = 0; i < DESKS; i++) {
        char params[64];
        snprintf(params, sizeof params, "{\"id\": \"%u:1\"}", i);
        const char *answer = call(d, "entity", params);
        const size_t bytes = strlen(answer);
        assert_true(used + bytes < TEXT_MAX);
        memcpy(all + used, answer, bytes + 1);
        used += bytes;
    }
    return all;
}

uint32_t state_of_dice;

uint32_t below(uint32_t bound)
{
    state_of_dice = state_of_dice * 1664525u + 1013904223u;
    return (state_of_dice >> 8) % bound;
}

desk_entity entity(uint32_t index, uint32_t generation)
{
    return desk_entity_of(((uint64_t)generation << desk_schema()->index_bits) | index);
}

const char *handle_text(desk_entity e)
{
    static char texts[4][24];
    static unsigned next;
    char *to = texts[next++ % 4];
    const unsigned bits = desk_schema()->index_bits;
    const uint64_t all = (uint64_t)e.bits;
    snprintf(to, sizeof texts[0], "%u:%u", (unsigned)(all & (((uint64_t)1 << bits) - 1)),
             (unsigned)(all >> bits));
    return to;
}

void fill(const desk *d, desk_entity *people)
{
    desk_world *w = d->world;
    for (uint32_t i = 0; i < DESKS; i++) {
        desk_clerk clerk = desk_clerk_defaults();
        snprintf(clerk.person.name, sizeof clerk.person.name, "clerk \"%u\"", i);
        clerk.person.boss = people[below(i + 1)];
        people[i] = desk_clerk_spawn(w, &clerk);
        if (below(2) == 0) desk_tired_set(w, people[i]);
        if (below(3) == 0) desk_mark_set(w, people[i], (desk_mark){.text = "a", .number = 7});
        if (below(4) == 0) desk_person_remove(w, people[i]);
    }
    for (uint32_t i = 0; i < 3 * DESKS; i++) {
        const desk_entity one = people[below(DESKS)], other = people[below(DESKS)];
        desk_owes owes = desk_owes_defaults();
        owes.who = people[below(DESKS)];
        switch (below(5)) {
        case 0:
            if (one.bits < other.bits) desk_under_attach(w, one, other);
            break;
        case 1:
            if (one.bits < other.bits) desk_inside_attach(w, one, other);
            break;
        case 2:
            desk_owes_set(w, one, other, owes);
            break;
        case 3:
            desk_knows_set(w, one, other);
            break;
        default:
            if (below(4) == 0) desk_carries_set(w, one, other, (desk_carries){(uint16_t)i});
        }
    }
}

unsigned undo_of(const char *answer)
{
    unsigned number = 0;
    assert_done(answer);
    const char *at = strstr(answer, "\"undo\":");
    assert_non_null(at);
    if (sscanf(at, "\"undo\":%u", &number) != 1) number = 0;
    return number;
}

const char *undo(const desk *d, unsigned number)
{
    char params[64];
    snprintf(params, sizeof params, "{\"number\": %u}", number);
    return call(d, "undo", params);
}
