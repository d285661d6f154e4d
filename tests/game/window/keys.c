// Keys and mouse: some become orders of the player, the others move the picture.
#include "show.h"

#include "colony.h"
#include "ground.h"
#include "world_setup.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double SPEED_MIN = 0.25, SPEED_MAX = 64.0;
static const float PAN_PIXELS = 60.0f, ZOOM = 1.15f;

// ---- orders ------------------------------------------------------------------------------------

// Escape opens the menu, and in the menu it quits.
static void escape(show *s)
{
    if (colony_game_now(s->w) == COLONY_GAME_MENU) {
        s->over = true;
    } else {
        show_order(s, (colony_order){.kind = COLONY_ORDER_KIND_MENU});
    }
}

static void space(show *s)
{
    colony_order order = {.kind = COLONY_ORDER_KIND_PAUSE};
    if (colony_game_now(s->w) == COLONY_GAME_MENU) {
        order.kind = COLONY_ORDER_KIND_PLAY;
    } else if (colony_pause_now(s->w) == COLONY_PAUSE_ON) {
        order.kind = COLONY_ORDER_KIND_GO;
    }
    show_order(s, order);
}

// Returns the tile of the map at a pixel.
static spot tile_at(const show *s, int x, int y)
{
    const colony_ground *size = colony_ground_get(s->w);
    spot at = camera_spot(&s->viewer.camera, (spot){(float)x, (float)y});
    return (spot){fminf(fmaxf(roundf(at.x), 0), (float)size->width - 1),
                  fminf(fmaxf(roundf(at.y), 0), (float)size->height - 1)};
}

static void build(show *s)
{
    int x, y;
    SDL_GetMouseState(&x, &y);
    spot at = tile_at(s, x, y);
    show_order(s, (colony_order){.kind = COLONY_ORDER_KIND_BUILD, .x = at.x, .y = at.y});
}

static void send(show *s, int x, int y)
{
    const colony_person *person = colony_person_get(s->w, s->viewer.selected);
    if (person == NULL) return;
    spot at = tile_at(s, x, y);
    colony_order order = {.kind = COLONY_ORDER_KIND_SEND, .x = at.x, .y = at.y};
    SDL_memcpy(order.name, person->name, sizeof order.name);
    show_order(s, order);
}

// ---- files -------------------------------------------------------------------------------------

void show_keep_picture(show *s)
{
    s->photographs = false;
    SDL_Surface *picture =
        SDL_CreateRGBSurfaceWithFormat(0, s->width, s->height, 32, SDL_PIXELFORMAT_ARGB8888);
    bool kept = picture != NULL &&
                SDL_RenderReadPixels(s->renderer, NULL, SDL_PIXELFORMAT_ARGB8888, picture->pixels,
                                     picture->pitch) == 0 &&
                SDL_SaveBMP(picture, "colony.bmp") == 0;
    SDL_FreeSurface(picture);
    snprintf(s->said, sizeof s->said, "%s", kept ? "the picture is in colony.bmp" : SDL_GetError());
}

static void load(show *s)
{
    bool fine = world_load(s->w, s->save);
    show_say(s, fine ? "loaded" : "not loaded", fine);
}

// ---- keys --------------------------------------------------------------------------------------

static void pan(show *s, float x, float y)
{
    viewer_pan(&s->viewer, s->w, x, y);
}

static void zoom(show *s, float factor)
{
    int x, y;
    SDL_GetMouseState(&x, &y);
    viewer_zoom(&s->viewer, factor, (spot){(float)x, (float)y});
}

static void key(show *s, SDL_Keycode code)
{
    switch (code) {
    case SDLK_ESCAPE:
        escape(s);
        break;
    case SDLK_SPACE:
    case SDLK_RETURN:
        space(s);
        break;
    case SDLK_b:
        build(s);
        break;
    case SDLK_PERIOD:
        s->speed = SDL_min(s->speed * 2, SPEED_MAX);
        break;
    case SDLK_COMMA:
        s->speed = SDL_max(s->speed / 2, SPEED_MIN);
        break;
    case SDLK_PLUS:
    case SDLK_EQUALS:
    case SDLK_KP_PLUS:
        zoom(s, ZOOM);
        break;
    case SDLK_MINUS:
    case SDLK_KP_MINUS:
        zoom(s, 1 / ZOOM);
        break;
    case SDLK_LEFT:
        pan(s, PAN_PIXELS, 0);
        break;
    case SDLK_RIGHT:
        pan(s, -PAN_PIXELS, 0);
        break;
    case SDLK_UP:
        pan(s, 0, PAN_PIXELS);
        break;
    case SDLK_DOWN:
        pan(s, 0, -PAN_PIXELS);
        break;
    case SDLK_f:
        viewer_follow(&s->viewer);
        break;
    case SDLK_v:
        s->values = !s->values;
        break;
    case SDLK_i:
        show_inspect(s);
        break;
    case SDLK_F1:
        s->helps = !s->helps;
        break;
    case SDLK_F5: {
        bool fine = colony_save(s->w, s->save) == WEFT_OK;
        show_say(s, fine ? "saved" : "not saved", fine);
        break;
    }
    case SDLK_F9:
        load(s);
        break;
    case SDLK_F12:
        s->photographs = true;
        break;
    default:
        break;
    }
}

static void mouse_down(show *s, const SDL_MouseButtonEvent *button)
{
    const spot pixel = {(float)button->x, (float)button->y};
    s->dragged = false;
    if (button->button != SDL_BUTTON_LEFT || button->x >= s->viewer.camera.width) return;
    s->press = SHOW_PRESS_MAP;
    if (!minimap_covers(&s->viewer.minimap, &s->viewer.camera, pixel)) return;
    s->press = SHOW_PRESS_MINIMAP;
    viewer_move_to(&s->viewer, pixel);
}

static void mouse_up(show *s, const SDL_MouseButtonEvent *button)
{
    const bool on_map = button->x < s->viewer.camera.width;
    if (button->button == SDL_BUTTON_RIGHT && on_map) send(s, button->x, button->y);
    if (button->button != SDL_BUTTON_LEFT) return;
    const bool clicked = s->press == SHOW_PRESS_MAP && !s->dragged;
    s->press = SHOW_PRESS_NONE;
    if (clicked) viewer_select(&s->viewer, s->w, (spot){(float)button->x, (float)button->y});
}

static void mouse_moved(show *s, const SDL_MouseMotionEvent *motion)
{
    if (s->press == SHOW_PRESS_MINIMAP) {
        viewer_move_to(&s->viewer, (spot){(float)motion->x, (float)motion->y});
    } else if (s->press == SHOW_PRESS_MAP) {
        s->dragged = s->dragged || abs(motion->xrel) + abs(motion->yrel) > 1;
        if (s->dragged) pan(s, (float)motion->xrel, (float)motion->yrel);
    }
}

void show_handle(show *s, const SDL_Event *event)
{
    switch (event->type) {
    case SDL_QUIT:
        s->over = true;
        break;
    case SDL_KEYDOWN:
        key(s, event->key.keysym.sym);
        break;
    case SDL_MOUSEBUTTONDOWN:
        mouse_down(s, &event->button);
        break;
    case SDL_MOUSEBUTTONUP:
        mouse_up(s, &event->button);
        break;
    case SDL_MOUSEMOTION:
        mouse_moved(s, &event->motion);
        break;
    case SDL_MOUSEWHEEL:
        zoom(s, event->wheel.y > 0 ? ZOOM : 1 / ZOOM);
        break;
    default:
        break;
    }
}
