// Measures frames: draws the colony as the window draws it, at one zoom after the other, while time
// passes. Without keys, a clock or waiting, only work is measured.
//
// SDL_VIDEODRIVER=dummy draws into memory, any other driver shows it.
#include "colony.h"
#include "hours.h"
#include "options.h"
#include "show.h"
#include "world_setup.h"

#include <stdio.h>

enum { WIDTH = 1152, HEIGHT = 720, TEXT_PIXELS = 14, FRAMES_A_TICK = 15, FRAMES_A_SECOND = 60 };

static const float TILES[] = {0, 1, 2, 4.5f, 5, 8, 16, 48}; // pixels; 0: the whole map

static bool frame(show *s)
{
    double begun = pace_now();
    uint64_t ticks = colony_stats(s->w).ticks;
    if (colony_advance(s->w, HOURS_A_TICK / FRAMES_A_TICK) != WEFT_OK) return false;
    bool ticked = colony_stats(s->w).ticks > ticks;
    double advanced = pace_now();
    if (ticked) pace_add(&s->pace, PACE_TICK, advanced - begun);
    scene_draw(&s->scene, &s->viewer, s->w, 1.0f / FRAMES_A_SECOND);
    show_words(s);
    SDL_RenderFlush(s->renderer);
    double drawn = pace_now();
    pace_add(&s->pace, PACE_DRAW, drawn - advanced);
    SDL_RenderPresent(s->renderer);
    double shown = pace_now();
    pace_add(&s->pace, PACE_SHOW, shown - drawn);
    pace_add(&s->pace, PACE_FRAME, shown - begun);
    if (ticked) pace_add(&s->pace, PACE_FRAME_TICK, shown - begun);
    return true;
}

// Plays ticks at one zoom, with the centre of the map in the centre of the window.
static bool measure(show *s, float tile, uint64_t ticks)
{
    const colony_ground *size = colony_ground_get(s->w);
    s->viewer.camera = (camera){.width = WIDTH, .height = HEIGHT};
    camera_fit(&s->viewer.camera, size->width, size->height);
    if (tile > 0) s->viewer.camera.tile = tile;
    for (uint64_t i = 0; i < ticks * FRAMES_A_TICK; i++) {
        SDL_PumpEvents();
        if (!frame(s)) return false;
    }
    printf("tiles of %.1f pixels, %zu sprites\n", (double)s->viewer.camera.tile,
           s->viewer.painting.sprites.count);
    pace_report(&s->pace);
    pace_close(&s->pace);
    return true;
}

static bool open_window(show *s)
{
    if (SDL_Init(SDL_INIT_VIDEO) != 0) return false;
    SDL_SetHint(SDL_HINT_RENDER_BATCHING, "1");
    SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0");
    s->window = SDL_CreateWindow("frames", 0, 0, WIDTH, HEIGHT, 0);
    if (s->window == NULL) return false;
    s->renderer = SDL_CreateRenderer(s->window, -1, SDL_RENDERER_SOFTWARE);
    if (s->renderer == NULL) return false;
    scene_open(&s->scene, s->renderer);
    return text_open(&s->text, s->renderer, SHOW_FONT, TEXT_PIXELS);
}

int main(int count, char **arguments)
{
    options wanted;
    if (options_read(&wanted, count, arguments) != OPTIONS_RUN) return 2;
    show s = {.speed = 1, .width = WIDTH, .height = HEIGHT};
    viewer_open(&s.viewer, PIXEL_RGB);
    s.w = colony_open(&(weft_options){.workers = (uint32_t)wanted.workers, .seed = wanted.seed});
    if (s.w == NULL || !world_setup(s.w, &wanted) || !open_window(&s)) {
        fprintf(stderr, "frames: %s\n", SDL_GetError());
        return 1;
    }
    for (size_t i = 0; i < sizeof TILES / sizeof *TILES; i++) {
        if (!measure(&s, TILES[i], wanted.ticks)) return 1;
    }
    printf("%llx\n", (unsigned long long)colony_hash(s.w));
    return 0;
}
