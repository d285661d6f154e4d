#include "light.h"

#include <math.h>

static const float STEPS_AN_HOUR = 2.0f;
static const float LAMPS_FROM_NOON = 6.0f, LAMPS_FULL_AFTER = 1.5f; // hours

// The tint at some hours. Between them the tint and its share change evenly.
typedef struct mark {
    float hour;
    uint8_t r, g, b, hides;
} mark;

static const mark MARKS[] = {
    {0.0f, 12, 18, 56, 150},   {3.5f, 12, 18, 56, 150},   {4.5f, 62, 50, 116, 112},
    {5.5f, 246, 140, 84, 84},  {6.5f, 255, 190, 120, 48}, {7.5f, 255, 220, 170, 0},
    {17.0f, 255, 200, 96, 0},  {18.5f, 255, 168, 72, 56}, {19.5f, 255, 116, 76, 68},
    {20.5f, 56, 54, 120, 104}, {21.5f, 12, 18, 56, 150},  {24.0f, 12, 18, 56, 150},
};

static uint32_t between(uint8_t from, uint8_t to, float share)
{
    return (uint32_t)((float)from + ((float)to - (float)from) * share);
}

light light_at(float hour)
{
    const float step = floorf(hour * STEPS_AN_HOUR) / STEPS_AN_HOUR;
    const mark *next = MARKS + 1;
    while (next->hour < step) next++;
    const mark *last = next - 1;
    const float share = (step - last->hour) / (next->hour - last->hour);
    const float lamps = (fabsf(step - 12.5f) - LAMPS_FROM_NOON) / LAMPS_FULL_AFTER;
    const light at = {
        between(last->r, next->r, share) << 24 | between(last->g, next->g, share) << 16 |
            between(last->b, next->b, share) << 8 | 0xffu,
        between(last->hides, next->hides, share),
        (uint32_t)(256 * fminf(fmaxf(lamps, 0.0f), 1.0f)),
    };
    return at.hides == 0 ? (light){.lamps = at.lamps} : at;
}

bool light_is(light one, light other)
{
    return one.tint == other.tint && one.hides == other.hides && one.lamps == other.lamps;
}
