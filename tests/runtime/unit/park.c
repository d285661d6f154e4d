// One entity of the zoo, with all components.
//
// flags: hot
#include "park.h"

#include "edit/calls.h"
#include "row_take.h"
#include "weft_reflect.h"
#include "world/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

int open_park(void **state)
{
    park *p = (park *)calloc(1, sizeof *p);
    zoo_worker worker = zoo_worker_defaults;
    p->zoo = zoo_open(&zoo_plan);
    p->world = &p->zoo->base;
    p->e = weft_spawn_empty(p->world);
    worker.route.count = 2;
    worker.route.items[1].at.y = 2.5f;
    worker.route.items[1].wait = 30;
    static const zoo_velocity velocity = {.gear = 3, .trail = {.count = 1, .items = {7}}};
    assert_true(weft_component_set(p->world, p->e, ZOO_WORKER, &worker));
    assert_true(weft_component_set(p->world, p->e, ZOO_VELOCITY, &velocity));
    assert_true(weft_component_set(p->world, p->e, ZOO_POSITION, &(zoo_position){1, 0}));
    assert_true(weft_component_set(p->world, p->e, ZOO_BURNING, &(zoo_burning){.kind = 9}));
    assert_true(weft_component_set(p->world, p->e, ZOO_SELECTED, NULL));
    *state = p;
    return 0;
}

int close_park(void **state)
{
    park *p = (park *)*state;
    zoo_close(p->zoo);
    free(p);
    return 0;
}

static void take(const park *p, zoo_component component, void *value)
{
    weft_place place = {0};
    assert_true(weft_find(&p->world->entities, zoo_plan.format, p->e, &place));
    row_take(&zoo_plan, p->world->tables.items[place.table], place.row, component, value);
}

zoo_worker worker_of(const park *p)
{
    zoo_worker worker;
    take(p, ZOO_WORKER, &worker);
    return worker;
}

zoo_velocity velocity_of(const park *p)
{
    zoo_velocity velocity;
    take(p, ZOO_VELOCITY, &velocity);
    return velocity;
}

double number(const park *p, const char *path)
{
    double value = -12345.0;
    weft_status status = weft_field_get_number(p->world, p->e, path, &value);
    if (status != WEFT_OK) fail_msg("%s", weft_world_error(p->world));
    return value;
}

void set_number(const park *p, const char *path, double value)
{
    if (weft_field_set_number(p->world, p->e, path, value) != WEFT_OK) {
        fail_msg("%s", weft_world_error(p->world));
    }
    assert_true(number(p, path) == value);
}
