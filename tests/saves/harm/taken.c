// Entities leave one after the other, so that the nodes and links of a part lead to entities that
// stay, that are away already, and that leave later.
#include "taken.h"

#include "filled.h"
#include "lived.h"

#include <stdio.h>
#include <stdlib.h>

enum { SET_MAX = 64, SETS = TAKEN_PARTS / 2 };

// Lists each entity with probability 1 / (SETS + 1), so that some stay.
static size_t choose(vault_world *w, dice *d, vault_entity *set)
{
    size_t n = 0;
    vault_everyone_iter it = vault_everyone_begin(w);
    while (vault_everyone_next(&it)) {
        for (uint32_t i = 0; i < it.count && n < SET_MAX; i++) {
            if (dice_once_in(d, SETS + 1)) set[n++] = it.entities[i];
        }
    }
    return n;
}

static void require(vault_world *w, weft_status status)
{
    if (status == WEFT_OK) return;
    fprintf(stderr, "%s\n", vault_error(w));
    abort();
}

static taken_bytes part_of(vault_world *w, const vault_entity *set, size_t n, bool away)
{
    void *bytes;
    taken_bytes made;
    const vault_part_options options = {.away = away, .carried_by = true};
    require(w, vault_part_save_memory(w, set, n, &options, &bytes, &made.count));
    made.bytes = (unsigned char *)bytes;
    return made;
}

void taken_make(taken *t)
{
    vault_entity set[SET_MAX];
    dice d = {7};
    void *bytes;
    vault_world *w = vault_open(NULL);
    filled_spawn(vault_world_base(w), &d, TAKEN_ENTITIES);
    lived(w, &d);
    for (int i = 0; i < TAKEN_PARTS; i += 2) {
        size_t count = choose(w, &d, set);
        t->parts[i] = part_of(w, set, count, false);
        t->parts[i + 1] = part_of(w, set, count, true);
    }
    require(w, vault_save_memory(w, &bytes, &t->start.count));
    t->start.bytes = (unsigned char *)bytes;
    vault_close(w);
}

void taken_free(taken *t)
{
    for (int i = 0; i < TAKEN_PARTS; i++) free(t->parts[i].bytes);
    free(t->start.bytes);
}
