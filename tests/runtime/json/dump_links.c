// Writes a random world of links as JSON, then one of its entities, each followed by a zero byte, and
// saves the world: `dump_links SEED SAVE`.
//
// program:
#include "../../fuzz/dice.h"
#include "random_world.h"
#include "ties_hooks.h"

#include <stdio.h>
#include <stdlib.h>

static void link_two(ties_world *w, dice *d, ties_entity a, ties_entity b)
{
    ties_owes value = ties_owes_defaults();
    value.gold = dice_below(d, 1001);
    value.mood = dice_below(d, 2) ? TIES_MOOD_ANGRY : TIES_MOOD_CALM;
    if (dice_below(d, 2)) value.witness = b;
    for (uint32_t i = 0; i < 7; i++) value.note[i] = (char)(1 + dice_below(d, 255));
    while (dice_below(d, 2) && ties_owes_dues_push(&value.dues, (uint8_t)dice_below(d, 256))) {
    }
    ties_owes_set(w, a, b, value);
    ties_knows_set(w, b, a);
    ties_likes_set(w, a, b, (ties_likes){.much = (float)dice_below(d, 1000) / 1000});
    if (dice_below(d, 2)) ties_sees_set(w, a, b);
}

int main(int argc, char **argv)
{
    enum { COUNT = 40, LINKS = 90 };
    if (argc != 3) {
        fprintf(stderr, "usage: dump_links SEED SAVE\n");
        return 2;
    }
    dice d = {strtoull(argv[1], NULL, 10)};
    ties_world *w = ties_open(NULL);
    ties_entity e[COUNT];
    for (uint32_t i = 0; i < COUNT; i++) e[i] = ties_spawn(w);
    for (uint32_t i = 0; i < LINKS; i++) {
        link_two(w, &d, e[dice_below(&d, COUNT)], e[dice_below(&d, COUNT)]);
    }
    for (uint32_t i = 0; i < 4; i++) ties_despawn(w, e[dice_below(&d, COUNT - 1)]);
    json world = json_of_world(ties_world_base(w));
    json entity = json_of_entity(ties_world_base(w), e[COUNT - 1].bits);
    bool written = fwrite(world.text, 1, world.bytes + 1, stdout) == world.bytes + 1 &&
                   fwrite(entity.text, 1, entity.bytes + 1, stdout) == entity.bytes + 1;
    bool saved = ties_save(w, argv[2]) == WEFT_OK;
    json_free(&world);
    json_free(&entity);
    ties_close(w);
    return written && saved ? 0 : 2;
}
