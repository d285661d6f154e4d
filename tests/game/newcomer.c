// A new villager with a name and a lifespan of its own.
#include "newcomer.h"

#include <string.h>

static const char *const BEGINNINGS[] = {"Al", "Be", "Co", "Da", "El", "Fi", "Gu", "Ha",
                                         "Is", "Jo", "Ka", "Lu", "Mi", "No", "Ro", "Ta"};
static const char *const MIDDLES[] = {"", "", "la", "ri", "no", "ve", "mi", "da"};
static const char *const ENDINGS[] = {"na", "ra", "lin", "bert", "dis", "mar", "wen", "rik"};

static const float SHORTEST_LIFE_DAYS = 40.0f;
static const float LONGEST_LIFE_DAYS = 60.0f;

#define LENGTH(list) ((uint32_t)(sizeof(list) / sizeof *(list)))
#define PICK(dice, list) weft_rng_below(dice, LENGTH(list))

WEFT_STATIC_ASSERT(LENGTH(BEGINNINGS) * LENGTH(MIDDLES) * LENGTH(ENDINGS) == NEWCOMER_NAMES,
                   "names are counted");

// Copies a part of a name with its final zero, and returns where the next part goes. It avoids
// snprintf because a large colony tries a hundred thousand names in one tick.
static char *append(char *to, const char *part)
{
    size_t length = strlen(part);
    memcpy(to, part, length + 1);
    return to + length;
}

uint32_t newcomer_rename(colony_villager *newcomer, weft_rng *dice)
{
    const uint32_t beginning = PICK(dice, BEGINNINGS), middle = PICK(dice, MIDDLES);
    const uint32_t ending = PICK(dice, ENDINGS);
    char *end = append(newcomer->person.name, BEGINNINGS[beginning]);
    append(append(end, MIDDLES[middle]), ENDINGS[ending]); // of at most eight letters in all
    return (beginning * LENGTH(MIDDLES) + middle) * LENGTH(ENDINGS) + ending;
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
