// Opening and closing scenes, and counting their stops.
#include "scene.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

int scene_open(void **state, uint32_t writes)
{
    static scene s;
    s = (scene){.count = 0};
    s.world = open_watched(&s.work, writes);
    *state = &s;
    return s.world ? 0 : -1;
}

int scene_close(void **state)
{
    scene *s = *state;
    tavern_close(s->world);
    return 0;
}

void scene_stopped(void *user, const weft_write *write)
{
    scene *s = user;
    s->count++;
    s->last = *write;
}

void scene_stop_at(scene *s, const char *text)
{
    if (tavern_stop_at(s->world, text, scene_stopped, s) != WEFT_OK)
        fail_msg("%s", tavern_error(s->world));
}
