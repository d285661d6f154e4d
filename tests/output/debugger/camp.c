// Makes a world with everything. A debugger stops this program in `camp_stroll`.
#include "camp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static camp_entity first_camper(camp_world *w)
{
    camp_entity e = camp_spawn(w);
    camp_camper camper = camp_camper_defaults();
    memcpy(camper.name, "Ada", 4);
    camper.mood = CAMP_MOOD_MERRY;
    camper.path.count = 2;
    camper.path.items[1].x = 0.1f;
    camper.skill[2] = 500;
    camper.awake = true;
    camper.felt[CAMP_HOUR_NIGHT] = CAMP_MOOD_GRIM;
    camper.marks.count = 2;
    camper.marks.items[0] = 7; // right behind the count
    camp_position_set(w, e, (camp_position){3, 4});
    camp_camper_set(w, e, camper);
    return e;
}

static void fill(camp_world *w)
{
    camp_entity ended = camp_spawn(w);
    camp_entity ada = first_camper(w);
    camp_entity bob = camp_spawn(w);
    camp_position_set(w, bob, (camp_position){-0.5f, 1e9f});
    camp_speed_set(w, bob, (camp_speed){1, 2.5f, {7, 9}});
    camp_camper_set(w, bob, camp_camper_defaults());
    camp_camper *camper = camp_camper_edit(w, bob);
    camper->patron = ada;
    camp_camper_rivals_push(&camper->rivals, ended);
    camp_camper_rivals_push(&camper->rivals, ada);
    camp_fever_set(w, bob, (camp_fever){39.5, -3});
    camp_asleep_set(w, bob);
    camp_carried_by_attach(w, bob, ada);
    camp_entity gone = camp_spawn(w);
    camp_camper_set(w, gone, camp_camper_defaults());
    camp_buried_set(w, gone);
    camp_owl_spawn(w, &(camp_owl){.position = {1, 2}});
    camp_entity dora = camp_spawn(w);
    camp_camper_set(w, dora, camp_camper_defaults());
    camp_asleep_set(w, dora);
    camp_weather_edit(w)->wind[1] = -7;
    camp_weather_edit(w)->mood = CAMP_MOOD_GRIM;
    camp_weather_edit(w)->days[CAMP_MOOD_MERRY] = 3;
    camp_despawn(w, camp_tent_spawn_all(w, NULL).pole[1]);
    camp_despawn(w, ended);
}

void camp_stroll(const camp_stroll_ctx *ctx, uint32_t count, const camp_camper *camper,
                 camp_position *position, const camp_fever *const *fever)
{
    camp_entity here = ctx->entities[0];
    camp_mood mood = camper[0].mood;
    if (ctx->tick == 2) abort();
    printf("%u %d %d %d %g\n", here.bits, mood, (int)count, fever[0] != NULL, position[0].x);
}

void camp_brood(const camp_brood_ctx *ctx, uint32_t count, camp_camper *camper)
{
    (void)ctx;
    for (uint32_t i = 0; i < count; i++) camper[i].skill[0]++;
}

int main(void)
{
    camp_world *w = camp_open(NULL);
    fill(w);
    while (camp_tick(w, 0.5) == WEFT_OK) {
    }
    camp_close(w);
    return 0;
}
