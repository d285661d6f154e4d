// A new villager with a name and a lifespan of its own.
#include "newcomer.h"

#include <stdio.h>

static const char *const BEGINNINGS[] = {"Al", "Be", "Co", "Da", "El", "Fi", "Gu", "Ha",
                                         "Is", "Jo", "Ka", "Lu", "Mi", "No", "Ro", "Ta"};
static const char *const MIDDLES[] = {"", "", "la", "ri", "no", "ve", "mi", "da"};
static const char *const ENDINGS[] = {"na", "ra", "lin", "bert", "dis", "mar", "wen", "rik"};

static const float SHORTEST_LIFE_DAYS = 40.0f;
static const float LONGEST_LIFE_DAYS = 60.0f;

#define PICK(dice, list) ((list)[weft_rng_below(dice, sizeof(list) / sizeof *(list))])

void newcomer_rename(colony_villager *newcomer, weft_rng *dice)
{
    colony_person *person = &newcomer->person;
    const char *beginning = PICK(dice, BEGINNINGS);
    const char *middle = PICK(dice, MIDDLES);
    snprintf(person->name, sizeof person->name, "%s%s%s", beginning, middle, PICK(dice, ENDINGS));
}

colony_villager newcomer_at(colony_position position, weft_rng *dice)
{
    colony_villager newcomer = colony_villager_defaults();
    newcomer.position = position;
    newcomer.walker.goal = (colony_spot){position.x, position.y};
    newcomer.person.lifespan = dice_between(dice, SHORTEST_LIFE_DAYS, LONGEST_LIFE_DAYS);
    newcomer_rename(&newcomer, dice);
    return newcomer;
}
