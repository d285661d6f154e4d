// People, houses, fields and building sites show their state: hunger, sleep and illness, fires and
// lamps, growth and progress.
//
// program: worlds byte_order
// libs: -lm
#include "../small_world.h"
#include "painting.h"

#include <string.h>

enum { TILE = 20, WIDTH = 24 * TILE, HEIGHT = 12 * TILE };

static uint32_t pixels[WIDTH * HEIGHT], before[WIDTH * HEIGHT];
static const canvas ON = {pixels, WIDTH, WIDTH, HEIGHT};

// Paints the map as a new painting, and keeps the last picture in `before`.
static void paint_at(colony_world *world, float tile)
{
    const camera c = {.x = 11.5f, .y = 5.5f, .tile = tile, .width = WIDTH, .height = HEIGHT};
    painting p;
    memcpy(before, pixels, sizeof pixels);
    painting_open(&p, PIXEL_RGB);
    painting_paint(&p, world, &c, COLONY_NONE, &ON);
    painting_close(&p);
}

static void paint(colony_world *world)
{
    assert_int_equal(colony_run_record(world, 0), WEFT_OK);
    paint_at(world, TILE);
}

// Returns how many pixels of the last two pictures differ in a part of the map, in tiles.
static int changed_in(float left, float top, float right, float bottom)
{
    int changed = 0;
    for (int y = (int)((top + 0.5f) * TILE); y < (int)((bottom + 0.5f) * TILE); y++) {
        for (int x = (int)((left + 0.5f) * TILE); x < (int)((right + 0.5f) * TILE); x++) {
            changed += pixels[y * WIDTH + x] != before[y * WIDTH + x];
        }
    }
    return changed;
}

static int changed(void)
{
    return changed_in(-0.5f, -0.5f, 23.5f, 11.5f);
}

static void set_time(colony_world *world, colony_season season, float hour)
{
    colony_calendar_edit(world)->season = season;
    colony_calendar_edit(world)->hour = hour;
}

// ---- bubbles

static void the_hungry_have_a_bubble_over_their_heads(void **state)
{
    colony_world *world = *state;
    colony_entity one = adult_at(world, 6, 6);
    adult_at(world, 12, 6);
    *colony_needs_edit(world, one).hunger = 0.2f;
    paint(world);
    *colony_needs_edit(world, one).hunger = 0.5f;
    paint(world);
    const int over = changed_in(5.5f, 4, 8, 5.6f);
    assert_true(over > SPRITE_SIDE * SPRITE_SIDE / 2);
    assert_int_equal(changed(), over); // and nowhere else
}

// Returns the bubble of the only thing on the map.
static int bubble(colony_world *world)
{
    const camera c = {.x = 12, .y = 6, .tile = TILE, .width = WIDTH, .height = HEIGHT};
    sprites all = {0};
    paint(world);
    sprites_collect(&all, world, &c);
    assert_int_equal(all.count, 1);
    const int found = all.all[0].is.bubble;
    sprites_close(&all);
    return found;
}

static void sleep_hunger_and_illness_have_different_bubbles(void **state)
{
    colony_world *world = *state;
    colony_entity one = adult_at(world, 6, 6);
    assert_int_equal(bubble(world), 0);
    *colony_needs_edit(world, one).hunger = 0.5f;
    assert_int_equal(bubble(world), SHEET_HUNGRY);
    colony_asleep_set(world, one);
    assert_int_equal(bubble(world), SHEET_ASLEEP);
    assert_true(changed_in(5, 4, 8, 5.3f) > SPRITE_SIDE * SPRITE_SIDE / 2);
    colony_sick_set(world, one, colony_sick_defaults());
    assert_int_equal(bubble(world), SHEET_ILL);
    assert_in_range(changed_in(5, 4, 8, 5.3f), 10, SPRITE_SIDE * SPRITE_SIDE);
}

static void small_tiles_have_no_bubbles(void **state)
{
    colony_world *world = *state;
    colony_entity one = adult_at(world, 6, 6);
    assert_int_equal(colony_run_record(world, 0), WEFT_OK);
    paint_at(world, 11);
    *colony_needs_edit(world, one).hunger = 0.5f;
    paint_at(world, 11);
    assert_int_equal(changed(), 0);
    paint_at(world, 13);
    *colony_needs_edit(world, one).hunger = 0;
    paint_at(world, 13);
    assert_true(changed() > SPRITE_SIDE);
}

// ---- houses

// Lets somebody who is not on the map live in a house.
static void move_in(colony_world *world, colony_entity house)
{
    colony_person person = colony_person_defaults();
    colony_entity resident = colony_spawn(world);
    colony_person_set(world, resident, person);
    colony_dwelling *dwelling = colony_dwelling_edit(world, house);
    dwelling->residents.items[dwelling->residents.count++] = resident;
}

static void smoke_rises_only_over_houses_with_residents(void **state)
{
    colony_world *world = *state;
    set_time(world, COLONY_SEASON_WINTER, 12);
    colony_entity house = house_at(world, 6, 8);
    house_at(world, 14, 8);
    paint(world);
    move_in(world, house);
    paint(world);
    const int smoke = changed_in(5.5f, 3, 8.5f, 6.9f);
    assert_true(smoke > TILE * TILE / 2);
    assert_int_equal(changed(), smoke);
    paint(world); // the same moment
    assert_int_equal(changed(), 0);
    colony_calendar_edit(world)->hour += 0.4f;
    paint(world);
    assert_true(changed_in(5.5f, 3, 8.5f, 6.9f) > TILE);
    assert_int_equal(changed(), changed_in(5.5f, 3, 8.5f, 6.9f));
}

// Returns how many pixels smoke changes at a time.
static int smoke_at(colony_world *world, colony_entity house, colony_season season, float hour)
{
    set_time(world, season, hour);
    colony_dwelling *dwelling = colony_dwelling_edit(world, house);
    dwelling->residents.count = 0;
    paint(world);
    dwelling->residents.count = 1;
    paint(world);
    return changed_in(5.5f, 3, 8.5f, 6.5f);
}

static void fires_burn_in_cold_hours(void **state)
{
    colony_world *world = *state;
    colony_entity house = house_at(world, 6, 8);
    move_in(world, house);
    assert_int_equal(smoke_at(world, house, COLONY_SEASON_SUMMER, 12), 0);
    assert_int_equal(smoke_at(world, house, COLONY_SEASON_SUMMER, 7), 0);
    assert_true(smoke_at(world, house, COLONY_SEASON_SUMMER, 18) > TILE);
    assert_int_equal(smoke_at(world, house, COLONY_SEASON_AUTUMN, 12), 0);
    assert_true(smoke_at(world, house, COLONY_SEASON_AUTUMN, 7) > TILE);
    assert_true(smoke_at(world, house, COLONY_SEASON_WINTER, 3) > TILE);
}

// Returns how many pixels of a house have the yellow of a shining window.
static int shining(int x, int y)
{
    int found = 0;
    for (int i = 0; i < 2 * TILE * TILE; i++) {
        const int row = y * TILE - TILE / 2 + i / (2 * TILE);
        const uint32_t pixel = pixels[row * WIDTH + (x - 1) * TILE + TILE / 2 + i % (2 * TILE)];
        found += (pixel >> 16 & 0xffu) > 0xf0u && (pixel & 0xffu) < 0x90u;
    }
    return found;
}

// Returns the sum of red and green around the windows of a house.
static int brightness(float x, float y)
{
    int sum = 0;
    for (int i = 0; i < 2 * TILE * TILE; i++) {
        const int row = (int)((y + 0.5f) * TILE) + i / (2 * TILE) - TILE / 2;
        const int column = (int)((x - 0.5f) * TILE) + i % (2 * TILE);
        const uint32_t pixel = pixels[row * WIDTH + column];
        sum += (int)(pixel >> 16 & 0xffu) + (int)(pixel >> 8 & 0xffu);
    }
    return sum;
}

static void lamps_burn_where_people_live_or_work(void **state)
{
    colony_world *world = *state;
    set_time(world, COLONY_SEASON_SUMMER, 0);
    move_in(world, house_at(world, 4, 6));
    house_at(world, 8, 6);
    colony_busy_set(world, bakery_at(world, 12, 6, 0));
    bakery_at(world, 16, 6, 0);
    storehouse_at(world, 20, 6, 0);
    paint(world);
    assert_true(brightness(4, 6) > brightness(8, 6) * 6 / 5);
    assert_true(brightness(12, 6) > brightness(16, 6) * 6 / 5);
    assert_true(shining(4, 6) > TILE && shining(12, 6) > TILE / 2);
    assert_int_equal(shining(8, 6) + shining(16, 6) + shining(20, 6), 0);
    // By day empty houses look like the others.
    set_time(world, COLONY_SEASON_SUMMER, 12);
    paint(world);
    assert_true(brightness(4, 6) < brightness(8, 6) * 11 / 10);
}

static void from_afar_only_inhabited_houses_shine(void **state)
{
    colony_world *world = *state;
    set_time(world, COLONY_SEASON_SUMMER, 0);
    colony_entity house = house_at(world, 6, 6);
    assert_int_equal(colony_run_record(world, 0), WEFT_OK);
    paint_at(world, 4);
    move_in(world, house);
    paint_at(world, 4);
    assert_int_equal(changed(), 8 * 8); // the dot of the house, and no glow around it
}

static void a_bakery_smokes_while_it_bakes(void **state)
{
    colony_world *world = *state;
    set_time(world, COLONY_SEASON_SUMMER, 12);
    colony_entity bakery = bakery_at(world, 6, 8, 0);
    paint(world);
    colony_busy_set(world, bakery);
    paint(world);
    assert_true(changed_in(4, 4, 7, 6.5f) > TILE);
}

// ---- fields and sites

// Returns the mean red and blue of a tile.
static void mean_of(int x, int y, int *red, int *blue)
{
    *red = *blue = 0;
    for (int i = 0; i < TILE * TILE; i++) {
        const uint32_t pixel = pixels[(y * TILE + i / TILE) * WIDTH + x * TILE + i % TILE];
        *red += (int)(pixel >> 16 & 0xffu);
        *blue += (int)(pixel & 0xffu);
    }
    *red /= TILE * TILE;
    *blue /= TILE * TILE;
}

static colony_entity field_at(colony_world *world, float x, float y)
{
    colony_field field = colony_field_defaults();
    field.position = (colony_position){x, y};
    return colony_field_spawn(world, &field);
}

static void crops_grow_in_stages(void **state)
{
    colony_world *world = *state;
    set_time(world, COLONY_SEASON_SUMMER, 12);
    colony_entity field = field_at(world, 6, 6);
    colony_plant *plant = colony_plant_edit(world, field);
    paint(world);
    const float grown[] = {0.5f, 0.8f};
    for (int i = 0; i < 2; i++) {
        plant->hours_grown = grown[i] * plant->hours_to_ripen;
        paint(world);
        assert_in_range(changed(), TILE * TILE / 10, TILE * TILE * 13 / 10);
        plant->hours_grown += 1;
        paint(world);
        assert_int_equal(changed(), 0);
    }
    colony_ripe_set(world, field);
    paint(world);
    assert_in_range(changed(), TILE * TILE / 10, TILE * TILE * 13 / 10);
}

static void fields_are_brown_and_in_winter_under_snow(void **state)
{
    colony_world *world = *state;
    int red, blue;
    field_at(world, 6, 6);
    set_time(world, COLONY_SEASON_SUMMER, 12);
    paint(world);
    mean_of(6, 6, &red, &blue);
    assert_true(red > 100 && blue < 80);
    set_time(world, COLONY_SEASON_WINTER, 12);
    paint(world);
    mean_of(6, 6, &red, &blue);
    assert_true(red > 180 && blue > 180);
    colony_plant_edit(world, field_at(world, 8, 6))->hours_grown = 1000;
    paint(world);
    mean_of(8, 6, &red, &blue); // leaves stand out of the snow
    assert_true(red > 150 && blue > 150);
}

static void building_sites_show_their_progress(void **state)
{
    colony_world *world = *state;
    colony_building_site site = colony_building_site_defaults();
    site.position = (colony_position){6, 6};
    colony_entity built = colony_building_site_spawn(world, &site);
    paint(world);
    const uint32_t planks[] = {site.site.planks / 2, site.site.planks - 1};
    const float tops[] = {5.0f, 4.5f}; // walls, then the roof
    for (int i = 0; i < 2; i++) {
        colony_stock_edit(world, built)->amount[COLONY_GOODS_PLANKS] = planks[i];
        paint(world);
        assert_true(changed_in(5, tops[i], 7, tops[i] + 0.5f) > TILE / 2);
    }
    colony_stock_edit(world, built)->amount[COLONY_GOODS_PLANKS] -= 1;
    paint(world);
    assert_int_equal(changed(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_LAND(the_hungry_have_a_bubble_over_their_heads),
        ON_LAND(sleep_hunger_and_illness_have_different_bubbles),
        ON_LAND(small_tiles_have_no_bubbles),
        ON_LAND(smoke_rises_only_over_houses_with_residents),
        ON_LAND(fires_burn_in_cold_hours),
        ON_LAND(lamps_burn_where_people_live_or_work),
        ON_LAND(from_afar_only_inhabited_houses_shine),
        ON_LAND(a_bakery_smokes_while_it_bakes),
        ON_LAND(crops_grow_in_stages),
        ON_LAND(fields_are_brown_and_in_winter_under_snow),
        ON_LAND(building_sites_show_their_progress),
    };
    return cmocka_run_group_tests_name("appearance", tests, NULL, NULL);
}
