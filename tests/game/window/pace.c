#include "pace.h"

#include <SDL.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const char *const NAMES[] = {
    [PACE_TICK] = "a tick",   [PACE_DRAW] = "to draw",          [PACE_SHOW] = "to show",
    [PACE_FRAME] = "a frame", [PACE_FRAME_TICK] = "with ticks",
};

double pace_now(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

void pace_add(pace *p, pace_part part, double seconds)
{
    struct pace_times *times = &p->parts[part];
    if (times->count == times->space) {
        size_t space = times->space ? 2 * times->space : 1024;
        float *more = (float *)realloc(times->ms, space * sizeof *more);
        if (more == NULL) return;
        times->ms = more;
        times->space = space;
    }
    times->ms[times->count++] = (float)(1000 * seconds);
    if (part != PACE_FRAME) return;
    p->last = SDL_GetPerformanceCounter();
    if (p->first == 0) p->first = p->last;
}

static int compare(const void *a, const void *b)
{
    float one = *(const float *)a, two = *(const float *)b;
    return (one > two) - (one < two);
}

void pace_report(pace *p)
{
    double seconds = (double)(p->last - p->first) / (double)SDL_GetPerformanceFrequency();
    size_t frames = p->parts[PACE_FRAME].count;
    if (frames < 2 || seconds <= 0) return;
    printf("  frames       %zu, %.1f a second; milliseconds of processor time:\n", frames,
           (double)(frames - 1) / seconds);
    for (int part = 0; part < PACE_PARTS; part++) {
        struct pace_times *times = &p->parts[part];
        if (times->count == 0) continue;
        qsort(times->ms, times->count, sizeof *times->ms, compare);
        printf("  %-12s %.1f, one in a hundred over %.1f (%zu)\n", NAMES[part],
               (double)times->ms[times->count / 2],
               (double)times->ms[(times->count - 1) * 99 / 100], times->count);
    }
}

void pace_close(pace *p)
{
    for (int part = 0; part < PACE_PARTS; part++) free(p->parts[part].ms);
    *p = (pace){0};
}
