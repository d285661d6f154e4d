// Runs some ticks, then makes changes that systems will see in the next one.
#include "lived.h"

#include "filled.h"

#include <stdlib.h>

static vault_entity anybody(vault_world *w, dice *d)
{
    return (vault_entity){(uint32_t)filled_anybody(vault_world_base(w), d)};
}

// Two entities leave. Nobody needs their part.
static void take_out(vault_world *w, dice *d)
{
    void *bytes;
    size_t count;
    const vault_entity set[] = {anybody(w, d), anybody(w, d)};
    const vault_part_options options = {.away = true};
    if (vault_part_save_memory(w, set, 2, &options, &bytes, &count) != WEFT_OK) abort();
    free(bytes);
}

void lived(vault_world *w, dice *d)
{
    for (uint32_t ticks = 3 + dice_below(d, 3); ticks != 0; ticks--) vault_tick(w, 0.3);
    vault_climb_switch(w, false);
    if (vault_everyone_count(w) > 4) take_out(w, d);
    for (int i = 0; i < 8; i++) {
        vault_grip_remove(w, anybody(w, d));
        vault_marked_remove(w, anybody(w, d));
        vault_place *place = vault_place_edit(w, anybody(w, d));
        if (place) place->x++;
        vault_carried_by_attach(w, anybody(w, d), anybody(w, d));
        vault_follows_attach(w, anybody(w, d), anybody(w, d));
        vault_knows_set(w, anybody(w, d), anybody(w, d));
        vault_owes_set(w, anybody(w, d), anybody(w, d), vault_owes_defaults());
        vault_owes_remove(w, anybody(w, d), anybody(w, d));
        vault_knows_remove(w, anybody(w, d), anybody(w, d));
    }
}
