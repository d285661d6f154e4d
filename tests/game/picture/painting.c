#include "painting.h"

#include "colony.h"
#include "ties.h"

#include <string.h>

static const uint32_t CHOSEN = 0xfff078ff;
static const uint32_t LIT = 0xffcf66ff;
static const float NIGHT_HIDES = 150.0f; // of 256, at its darkest

void painting_open(painting *p, pixel_order order)
{
    *p = (painting){.order = order, .dark = 1};
    sprite_pixels(p->sheet, order, p->season);
}

void painting_close(painting *p)
{
    land_close(&p->land);
    sprites_close(&p->sprites);
}

// Returns a pixel of the sheet in the current light. Window panes shine when it is dark.
static uint32_t in_light(const painting *p, uint32_t pixel, uint32_t dark)
{
    if (pixel == 0) return 0;
    if (pixel >> 24 != PIXEL_PANE) return pixel_by_night(p->order, pixel, dark);
    return pixel_mix(pixel, pixel_of(p->order, LIT), dark * 256 / (uint32_t)NIGHT_HIDES);
}

// Updates the colours of sprites if the light or the season has changed. A dot cannot show its
// windows, so it has some of their light.
static void follow_light(painting *p, uint32_t dark, colony_season season)
{
    if (p->dark == dark && p->season == season) return;
    if (p->season != season) sprite_pixels(p->sheet, p->order, season);
    for (size_t i = 0; i < sizeof p->sheet / sizeof *p->sheet; i++) {
        p->dark_sheet[i] = in_light(p, p->sheet[i], dark);
    }
    for (int look = 0; look < COLONY_LOOK_COUNT; look++) {
        p->dots[look] = sprite_colour(p->dark_sheet, look);
        if (!look_has_windows((colony_look)look)) continue;
        p->dots[look] = pixel_mix(p->dots[look], pixel_of(p->order, LIT), dark);
    }
    p->dark = dark;
    p->season = season;
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
            stamp_dot(on, at, p->dots[one->look]);
        } else {
            stamp_sprite(on, at, of_sheet(p->dark_sheet, one->picture, one->entity.bits));
        }
    }
}

// Paints light around windows at night, if sprites are large enough to show windows.
static void paint_lights(const painting *p, const camera *c, uint32_t bright, const canvas *on)
{
    if (bright == 0 || sprites_are_dots(c)) return;
    for (size_t i = 0; i < p->sprites.count; i++) {
        const sprite *one = &p->sprites.all[i];
        if (!look_has_windows((colony_look)one->look)) continue;
        stamp_light(on, sprite_glow(one, c), of_sheet(p->sheet, SHEET_GLOW, 0), bright);
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
    const float darkness = sprites_darkness(w);
    const uint32_t dark = (uint32_t)(NIGHT_HIDES * darkness);
    follow_light(p, dark, colony_calendar_get(w)->season);
    p->work = land_update(&p->land, p->order, w, c, dark);
    sprites_collect(&p->sprites, w, c);
    paint_land(&p->land, on);
    paint_shadows(p, c, on);
    paint_sprites(p, c, on);
    paint_lights(p, c, (uint32_t)(256 * darkness), on);
    paint_outline(p, c, selected, on);
    ties_paint(on, w, c, selected, p->sheet, p->order);
}
