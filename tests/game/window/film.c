// Paints pictures of the colony without a window, for film.py.
//
// The options are those of build/colony. The first line of stdin is the size of the pictures,
// "WIDTH HEIGHT" in pixels. Each other line is a picture, "HOURS X Y TILE": the time that passes
// before it, the spot in its centre, and the pixels of a tile; 0 shows the whole map. The pixels
// are written to stdout, 0xffrrggbb in the byte order of the machine.
#include "colony.h"
#include "hours.h"
#include "options.h"
#include "painting.h"
#include "world_setup.h"

#include <stdio.h>
#include <stdlib.h>

enum { SIDE_MAX = 8192 };

static painting film;

// Advances by whole ticks and a part of one, because colony_advance drops ticks that are late.
static bool pass(colony_world *w, double hours)
{
    for (; hours > 0; hours -= HOURS_A_TICK) {
        double step = hours < HOURS_A_TICK ? hours : HOURS_A_TICK;
        if (colony_advance(w, step) != WEFT_OK) return false;
    }
    return true;
}

static bool paint_all(colony_world *w, camera c, uint32_t *pixels)
{
    const canvas on = {pixels, (size_t)c.width, c.width, c.height};
    const colony_ground *size = colony_ground_get(w);
    double hours;
    while (scanf("%lf %f %f %f", &hours, &c.x, &c.y, &c.tile) == 4) {
        if (!pass(w, hours)) return false;
        if (c.tile <= 0) camera_fit(&c, size->width, size->height);
        painting_paint(&film, w, &c, COLONY_NONE, &on);
        const size_t count = (size_t)c.width * (size_t)c.height;
        if (fwrite(pixels, sizeof *pixels, count, stdout) != count) return false;
    }
    return feof(stdin) != 0;
}

int main(int count, char **arguments)
{
    options wanted;
    camera c = {0};
    if (options_read(&wanted, count, arguments) != OPTIONS_RUN) return 2;
    if (scanf("%d %d", &c.width, &c.height) != 2 || c.width < 1 || c.height < 1 ||
        c.width > SIDE_MAX || c.height > SIDE_MAX) {
        fputs("film: the first line must be the width and the height in pixels\n", stderr);
        return 2;
    }
    colony_world *w = colony_open(&(weft_options){.seed = wanted.seed});
    uint32_t *pixels = (uint32_t *)calloc((size_t)c.width * (size_t)c.height, sizeof *pixels);
    painting_open(&film, PIXEL_RGB);
    bool painted =
        w != NULL && pixels != NULL && world_setup(w, &wanted) && paint_all(w, c, pixels);
    if (!painted) fputs("film: a picture could not be painted\n", stderr);
    painting_close(&film);
    free(pixels);
    if (w != NULL) colony_close(w);
    return painted ? 0 : 1;
}
