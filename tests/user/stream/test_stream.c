// Streams a world of 64 regions, of which nine live at a time, and compares it with the same world
// that is kept whole. `test_stream 2000 10000` has 2,000 animals in a region, and 10,000 ticks.
//
// program: worlds
// flags: hot
#include "../../fuzz/dice.h"
#include "near.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ANIMALS_MOST = 2000, TICKS_BETWEEN = 5, TICKS_TO_SAVE = 400 };

typedef struct region {
    prairie_entity animals[ANIMALS_MOST];
    void *part; // NULL: the region lives
    size_t bytes;
} region;

typedef struct land {
    prairie_world *w;
    region regions[REGIONS];
    uint32_t animals; // of a region
    uint32_t moves;   // regions that left or returned
} land;

static void require(bool held, const char *what)
{
    if (held) return;
    fprintf(stderr, "%s\n", what);
    exit(1);
}

static void settle(land *l, uint64_t seed)
{
    dice d = {seed};
    l->w = prairie_open(&(weft_options){.seed = seed});
    require(l->w != NULL, "no memory");
    for (uint32_t r = 0; r < REGIONS; r++) {
        for (uint32_t i = 0; i < l->animals; i++) {
            l->regions[r].animals[i] = prairie_bison_spawn(l->w, NULL);
        }
    }
    for (uint32_t r = 0; r < REGIONS; r++) {
        prairie_entity *all = l->regions[r].animals;
        for (uint32_t i = 0; i < l->animals; i++) {
            uint32_t other = dice_once_in(&d, 4) ? dice_below(&d, REGIONS) : r;
            prairie_animal_edit(l->w, all[i])->region = r;
            prairie_joy_edit(l->w, all[i])->mate =
                l->regions[other].animals[dice_below(&d, l->animals)];
            if (i % 3 == 0) prairie_mood_set(l->w, all[i], (prairie_mood){1 + i % 7, r});
            if (i != 0) (void)prairie_herd_attach(l->w, all[i], all[dice_below(&d, i)]);
        }
    }
    *prairie_walker_edit(l->w) = (prairie_walker){4, 4};
}

static void leave(land *l, region *r)
{
    const prairie_part_options options = {.away = true};
    weft_status status =
        prairie_part_save_memory(l->w, r->animals, l->animals, &options, &r->part, &r->bytes);
    require(status == WEFT_OK, prairie_error(l->w));
    require(prairie_away(l->w, r->animals[0]), "a region has left, and its animals are not away");
    l->moves++;
}

static void come_back(land *l, region *r)
{
    weft_status status = prairie_part_load_memory(l->w, r->part, r->bytes, NULL, NULL);
    require(status == WEFT_OK, prairie_error(l->w));
    free(r->part);
    r->part = NULL;
    l->moves++;
}

// Takes out what is far, then brings back what is near.
static void stream(land *l)
{
    const prairie_walker *walker = prairie_walker_get(l->w);
    for (uint32_t r = 0; r < REGIONS; r++) {
        if (!is_near(walker, r) && !l->regions[r].part) leave(l, &l->regions[r]);
    }
    for (uint32_t r = 0; r < REGIONS; r++) {
        if (is_near(walker, r) && l->regions[r].part) come_back(l, &l->regions[r]);
    }
    require(prairie_animals_count(l->w) <= 9 * (size_t)l->animals, "more than nine regions live");
}

static uint32_t moved(uint32_t at, dice *d)
{
    uint32_t next = at + dice_below(d, 3) - 1;
    return next < SIDE ? next : at;
}

static void walk(prairie_world *w, dice *d)
{
    prairie_walker *walker = prairie_walker_edit(w);
    walker->x = moved(walker->x, d);
    walker->y = moved(walker->y, d);
}

// Loads a save of the streamed world into a new one, as if the game had been started again.
static void start_again(land *l)
{
    void *bytes;
    size_t count;
    require(prairie_save_memory(l->w, &bytes, &count) == WEFT_OK, prairie_error(l->w));
    prairie_close(l->w);
    l->w = prairie_open(NULL);
    require(prairie_load_memory(l->w, bytes, count) == WEFT_OK, prairie_error(l->w));
    free(bytes);
}

static void play(land *whole, land *streamed, uint32_t ticks)
{
    dice d = {11};
    for (uint32_t tick = 0; tick < ticks; tick++) {
        if (tick % TICKS_BETWEEN == 0) {
            dice same = d;
            walk(whole->w, &d);
            walk(streamed->w, &same);
            stream(streamed);
        }
        if (tick % TICKS_TO_SAVE == TICKS_TO_SAVE - 1) start_again(streamed);
        require(prairie_tick(whole->w, 0.1) == WEFT_OK, prairie_error(whole->w));
        require(prairie_tick(streamed->w, 0.1) == WEFT_OK, prairie_error(streamed->w));
    }
}

int main(int argc, char **argv)
{
    static land whole;
    static land streamed;
    uint32_t ticks = argc == 3 ? (uint32_t)atoi(argv[2]) : 1000;
    whole.animals = streamed.animals = argc == 3 ? (uint32_t)atoi(argv[1]) : 20;
    require(whole.animals != 0 && whole.animals <= ANIMALS_MOST, "1 to 2,000 animals");
    settle(&whole, 5);
    settle(&streamed, 5);
    require(prairie_hash(whole.w) == prairie_hash(streamed.w), "the worlds begin apart");
    play(&whole, &streamed, ticks);
    require(streamed.moves > REGIONS, "no region has moved");
    require(prairie_hash(whole.w) != prairie_hash(streamed.w), "regions are away, and not hashed");
    for (uint32_t r = 0; r < REGIONS; r++) {
        if (streamed.regions[r].part) come_back(&streamed, &streamed.regions[r]);
    }
    bool equal = prairie_hash(whole.w) == prairie_hash(streamed.w);
    prairie_close(whole.w);
    prairie_close(streamed.w);
    printf("%u moves of regions\n%d passed, %d failed\n", (unsigned)streamed.moves, equal, !equal);
    return equal ? 0 : 1;
}
