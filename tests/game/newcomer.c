// A new villager with a name and a lifespan of its own.
#include "newcomer.h"

#include <stdio.h>

static const char *const BEGINNINGS[] = {"Al", "Be", "Co", "Da", "El", "Fi", "Gu", "Ha",
                                         "Is", "Jo", "Ka", "Lu", "Mi", "No", "Ro", "Ta"};
static const char *const MIDDLES[] = {"", "", "la", "ri", "no", "ve", "mi", "da"};
static const char *const ENDINGS[] = {"na", "ra", "lin", "bert", "dis", "mar", "wen", "rik"};

enum { NAMES_TRIED = 100 }; // then two bear one name
static const float SHORTEST_LIFE_DAYS = 40.0f;
static const float LONGEST_LIFE_DAYS = 60.0f;

#define PICK(dice, list) ((list)[dice_roll(dice, sizeof(list) / sizeof *(list))])

static void draw_name(colony_person *person, game_dice *dice)
{
    const char *beginning = PICK(dice, BEGINNINGS);
    const char *middle = PICK(dice, MIDDLES);
    snprintf(person->name, sizeof person->name, "%s%s%s", beginning, middle, PICK(dice, ENDINGS));
}

static void give_name(colony_person *person, game_dice *dice, const names *borne)
{
    for (int tries = 0; tries < NAMES_TRIED; tries++) {
        draw_name(person, dice);
        if (borne == NULL || !names_has(borne, person->name)) return;
    }
}

colony_villager newcomer_at(colony_position position, game_dice *dice, const names *borne)
{
    colony_villager newcomer = colony_villager_defaults();
    newcomer.position = position;
    newcomer.walker.goal = (colony_spot){position.x, position.y};
    newcomer.person.lifespan = dice_between(dice, SHORTEST_LIFE_DAYS, LONGEST_LIFE_DAYS);
    give_name(&newcomer.person, dice, borne);
    return newcomer;
}
