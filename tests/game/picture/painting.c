#include "painting.h"

#include "colony.h"
#include "marks.h"
#include "ties.h"

#include <string.h>

static const uint32_t CHOSEN = 0xfff078ff;
static const uint32_t LIT = 0xffcf66ff;
enum { DOT_LAMPS = 150 }; // how much of the light of its windows a dot has, of 256

void painting_open(painting *p, pixel_order order)
{
    *p = (painting){.order = order, .season = COLONY_SEASON_COUNT};
}

void painting_close(painting *p)
{
    land_close(&p->land);
    sprites_close(&p->sprites);
}

// Computes the colours of sprites whose windows have `lamps` of 256 of their light. A dot cannot
// show its windows, so it has some of their light.
static void light_sheet(const painting *p, uint32_t *sheet, uint32_t *dots, uint32_t lamps)
{
    const uint32_t shining = pixel_of(p->order, LIT);
    for (size_t i = 0; i < sizeof p->sheet / sizeof *p->sheet; i++) {
        const uint32_t pixel = p->sheet[i];
        const bool pane = pixel >> 24 == PIXEL_PANE;
        if (pane && lamps > 0) {
            sheet[i] = pixel_mix(pixel, shining, lamps);
        } else {
            sheet[i] = pixel == 0 ? 0 : light_on(p->order, pixel, p->light);
        }
    }
    for (int picture = 0; picture < SHEET_SPRITES; picture++) {
        const uint32_t colour = sprite_colour(sheet, picture);
        dots[picture] = lamps == 0 ? colour : pixel_mix(colour, shining, lamps * DOT_LAMPS / 256);
    }
}

// Updates the colours of sprites if the light or the season has changed.
static void follow_light(painting *p, light now, colony_season season)
{
    if (light_is(p->light, now) && p->season == season) return;
    if (p->season != season) sprite_pixels(p->sheet, p->order, season);
    p->light = now;
    p->season = season;
    light_sheet(p, p->lit[false], p->dots[false], 0);
    light_sheet(p, p->lit[true], p->dots[true], now.lamps);
}

static void paint_land(const land *l, const canvas *on)
{
    for (int y = 0; y < on->height && y < l->height; y++) {
        const uint32_t *row = l->pixels + (size_t)y * (size_t)l->width;
        memcpy(on->pixels + (size_t)y * on->stride, row, (size_t)l->width * sizeof *row);
    }
}

static const uint32_t *of_sheet(const uint32_t *sheet, int which, uint32_t coat)
{
    return sheet + coat % SHEET_COATS * SPRITE_SIDE * SHEET_WIDTH + which * SPRITE_SIDE;
}

static void paint_shadows(const painting *p, const camera *c, const canvas *on)
{
    if (sprites_are_dots(c)) return;
    for (size_t i = 0; i < p->sprites.count; i++) {
        const sprite *one = &p->sprites.all[i];
        if (!look_has_shadow((colony_look)one->look)) continue;
        stamp_light(on, sprite_shadow(one, c), of_sheet(p->sheet, SHEET_SHADOW, 0), 256);
    }
}

static void paint_sprites(const painting *p, const camera *c, const canvas *on)
{
    const bool dots = sprites_are_dots(c);
    for (size_t i = 0; i < p->sprites.count; i++) {
        const sprite *one = &p->sprites.all[i];
        square at = sprite_place(one, c);
        if (dots) {
            stamp_dot(on, at, p->dots[one->is.inhabited][one->is.picture]);
        } else {
            const uint32_t *sheet = p->lit[one->is.inhabited];
            stamp_sprite(on, at, of_sheet(sheet, one->is.picture, one->entity.bits));
        }
    }
}

// Paints light around windows at night, if sprites are large enough to show windows.
static void paint_lights(const painting *p, const camera *c, const canvas *on)
{
    if (p->light.lamps == 0 || sprites_are_dots(c)) return;
    for (size_t i = 0; i < p->sprites.count; i++) {
        const sprite *one = &p->sprites.all[i];
        if (!one->is.inhabited) continue;
        stamp_light(on, sprite_glow(one, c), of_sheet(p->sheet, SHEET_GLOW, 0), p->light.lamps);
    }
}

static void paint_outline(const painting *p, const camera *c, colony_entity selected,
                          const canvas *on)
{
    if (colony_is_none(selected)) return;
    for (size_t i = 0; i < p->sprites.count; i++) {
        const sprite *one = &p->sprites.all[i];
        if (one->entity.bits != selected.bits) continue;
        square at = sprite_place(one, c);
        stamp_outline(on, (square){at.x - 2, at.y - 2, at.side + 4}, pixel_of(p->order, CHOSEN));
    }
}

void painting_paint(painting *p, colony_world *w, const camera *c, colony_entity selected,
                    const canvas *on)
{
    const colony_calendar *calendar = colony_calendar_get(w);
    follow_light(p, light_at(calendar->hour), calendar->season);
    p->work = land_update(&p->land, p->order, w, c, p->light);
    sprites_collect(&p->sprites, w, c);
    paint_land(&p->land, on);
    paint_shadows(p, c, on);
    paint_sprites(p, c, on);
    marks_paint_smoke(on, &p->sprites, w, c, p->lit[false]);
    paint_lights(p, c, on);
    marks_paint_bubbles(on, &p->sprites, c, p->lit[false]);
    paint_outline(p, c, selected, on);
    ties_paint(on, w, c, selected, p->sheet, p->order);
}
