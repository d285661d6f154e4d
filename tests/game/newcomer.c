// A new villager with a name and a lifespan of its own.
#include "newcomer.h"

#include <string.h>

static const char *const BEGINNINGS[] = {"Al", "Be", "Co", "Da", "El", "Fi", "Gu", "Ha",
                                         "Is", "Jo", "Ka", "Lu", "Mi", "No", "Ro", "Ta"};
static const char *const MIDDLES[] = {"", "", "la", "ri", "no", "ve", "mi", "da"};
static const char *const ENDINGS[] = {"na", "ra", "lin", "bert", "dis", "mar", "wen", "rik"};

static const float SHORTEST_LIFE_DAYS = 40.0f;
static const float LONGEST_LIFE_DAYS = 60.0f;

#define PICK(dice, list) ((list)[weft_rng_below(dice, sizeof(list) / sizeof *(list))])

// Copies a part of a name, with its end, and returns where the next part goes. In a large colony a
// hundred thousand names are tried in one tick, most of them in vain.
static char *append(char *to, const char *part)
{
    size_t length = strlen(part);
    memcpy(to, part, length + 1);
    return to + length;
}

void newcomer_rename(colony_villager *newcomer, weft_rng *dice)
{
    char *end = append(newcomer->person.name, PICK(dice, BEGINNINGS));
    end = append(end, PICK(dice, MIDDLES));
    append(end, PICK(dice, ENDINGS)); // of at most eight letters in all
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
