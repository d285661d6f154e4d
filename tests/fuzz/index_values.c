// Random values of the fields that indexes use as keys.
//
// flags: hot
#include "index_run.h"

#include <math.h>
#include <string.h>

double any_number(dice *d)
{
    static const double odd[] = {0.0, -0.0,     0x1p100,   -0x1p100,
                                 3e9, INFINITY, -INFINITY, NAN}; // floats
    if (dice_once_in(d, 40)) return odd[dice_below(d, 8)];
    double spread = dice_once_in(d, 50) ? 1000.0 : 16.0;
    return (double)dice_below(d, 256) / 256.0 * spread - spread / 2.0 + 0.25 * dice_below(d, 4);
}

land_place any_place(dice *d)
{
    return (land_place){(float)any_number(d), (float)any_number(d)};
}

land_spot any_spot(dice *d)
{
    land_spot s = land_spot_defaults();
    s.x = any_number(d);
    s.y = (float)any_number(d);
    s.z = (int16_t)((int)dice_below(d, 9) - 4);
    return s;
}

// A whole number most of the time.
static float any_step(dice *d)
{
    return dice_once_in(d, 8) ? (float)any_number(d) : (float)dice_below(d, 9) - 4.0f;
}

land_air any_air(dice *d)
{
    return (land_air){any_step(d), any_step(d), any_step(d)};
}

land_person any_person(run *r)
{
    dice *d = &r->d;
    land_person p = land_person_defaults();
    static const char names[][12] = {"a", "Islin", "Islinda", "eleven byte"};
    memcpy(p.name, names[dice_below(d, 4)], sizeof p.name);
    if (dice_once_in(d, 2)) p.name[0] = (char)('a' + dice_below(d, 20));
    p.team = (uint16_t)dice_below(d, 3);
    if (dice_once_in(d, 2) && r->all_count != 0) p.boss = r->all[dice_below(d, 2) % r->all_count];
    p.age = dice_once_in(d, 2) ? (float)dice_below(d, 12) : (float)any_number(d);
    p.rank = (land_rank)dice_below(d, 3);
    return p;
}

land_wind any_wind(dice *d)
{
    land_wind wind = {(float)any_number(d), (float)any_number(d), 0};
    wind.gust = dice_once_in(d, 4) ? INT64_MIN + (int64_t)dice_below(d, 3)
                                   : (int64_t)dice_below(d, 40) - 20;
    return wind;
}

land_mark any_mark(dice *d)
{
    return (land_mark){dice_below(d, 30), any_number(d)};
}
