// Friendships: how they begin, last and end, and what they change.
//
// program: worlds optimised
// libs: -lm
#include "small_world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static colony_friends of_warmth(float warmth)
{
    return (colony_friends){.warmth = warmth};
}

static float warmth_of(colony_world *world, colony_entity one, colony_entity other)
{
    return colony_friends_get(world, one, other)->warmth;
}

static void housemates_become_friends(void **state)
{
    colony_world *world = *state;
    house_at(world, 5, 5);
    colony_entity one = adult_at(world, 1, 1), two = adult_at(world, 2, 1);
    colony_entity three = adult_at(world, 3, 1);
    assert_false(colony_friends_has(world, one, two));
    live(world, 2);
    assert_int_equal(colony_friends_count(world), 3);
    assert_true(colony_friends_has(world, three, one) && colony_friends_has(world, two, one));
}

static void people_in_different_houses_do_not(void **state)
{
    colony_world *world = *state;
    for (int i = 0; i < 2; i++) {
        colony_entity house = house_at(world, 5.0f + 8.0f * (float)i, 5);
        colony_entity who = adult_at(world, 1.0f + 8.0f * (float)i, 1);
        colony_home_edit(world, who)->house = house;
        colony_dwelling_residents_push(&colony_dwelling_edit(world, house)->residents, who);
    }
    live(world, 2);
    assert_int_equal(colony_friends_count(world), 0);
}

static void who_moves_in_keeps_the_warmth_of_old_friends(void **state)
{
    colony_world *world = *state;
    colony_entity one = adult_at(world, 1, 1), two = adult_at(world, 2, 1);
    colony_friends_set(world, one, two, of_warmth(0.75f));
    house_at(world, 5, 5);
    live(world, 1);
    assert_int_equal(colony_friends_count(world), 1);
    assert_true(warmth_of(world, two, one) > 0.7f);
}

static colony_entity eater_at(colony_world *world, colony_entity depot)
{
    colony_position at = *colony_position_get(world, depot); // a spawn may move components
    colony_entity who = adult_at(world, at.x, at.y);
    *colony_worker_edit(world, who) = (colony_worker){.job = COLONY_JOB_EAT, .destination = depot};
    colony_walker_edit(world, who)->goal = (colony_spot){at.x, at.y};
    return who;
}

static void who_eats_together_becomes_friends(void **state)
{
    colony_world *world = *state;
    colony_entity depot = storehouse_at(world, 5, 5, 9), other = storehouse_at(world, 15, 5, 9);
    colony_entity empty = storehouse_at(world, 5, 9, 0);
    colony_entity one = eater_at(world, depot), two = eater_at(world, depot);
    colony_entity far = eater_at(world, other);
    colony_entity hungry = eater_at(world, empty);
    assert_int_equal(colony_run_act(world, HOURS_A_TICK), WEFT_OK);
    assert_int_equal(stock_of(world, depot, COLONY_GOODS_BREAD), 7);
    assert_true(colony_friends_has(world, one, two));
    assert_int_equal(colony_friends_count_from(world, far), 0);
    assert_int_equal(colony_friends_count_from(world, hungry), 0);
}

static void friendships_warm_near_and_end_far_away(void **state)
{
    colony_world *world = *state;
    colony_entity one = adult_at(world, 1, 1), near = adult_at(world, 2, 1);
    colony_entity far = adult_at(world, 20, 1);
    colony_friends_set(world, one, near, of_warmth(0.5f));
    colony_friends_set(world, far, one, of_warmth(0.055f));
    live(world, 5);
    assert_true(warmth_of(world, one, near) > 0.59f && warmth_of(world, one, near) < 0.61f);
    assert_true(warmth_of(world, one, far) > 0.0f);
    live(world, 1);
    assert_false(colony_friends_has(world, one, far));
    live(world, 30);
    assert_true(warmth_of(world, near, one) == 1.0f);
}

static float distance(colony_world *world, colony_entity one, colony_entity other)
{
    const colony_position *a = colony_position_get(world, one);
    const colony_position *b = colony_position_get(world, other);
    return (a->x - b->x) * (a->x - b->x) + (a->y - b->y) * (a->y - b->y);
}

// Returns how near two idle people come in eight hours of a day.
static float nearest_in_a_day(colony_world *world, colony_entity one, colony_entity other)
{
    float nearest = distance(world, one, other);
    for (int i = 0; i < 32; i++) {
        tick(world, 1);
        nearest = fminf(nearest, distance(world, one, other));
    }
    return nearest;
}

static void the_idle_visit_friends_nearby(void **state)
{
    colony_world *world = *state;
    float with = 0, without = 0;
    for (int pair = 0; pair < 8; pair++) {
        colony_entity who[2];
        for (int i = 0; i < 2; i++) {
            who[i] = adult_at(world, 4.0f + 10.0f * (float)i, 6);
            colony_walker_edit(world, who[i])->luck = weft_rng_of(1, (uint64_t)(2 * pair + i));
            colony_walker_edit(world, who[i])->goal = (colony_spot){4.0f + 10.0f * (float)i, 6};
        }
        if (pair % 2) colony_friends_set(world, who[0], who[1], of_warmth(1));
        *(pair % 2 ? &with : &without) += nearest_in_a_day(world, who[0], who[1]);
        for (int i = 0; i < 2; i++) colony_despawn(world, who[i]);
        colony_calendar_edit(world)->hour = 8;
    }
    assert_true(with < without / 2);
}

// Returns how often somebody who stands idle at (2, 6) sets out for the east, of 200 times.
static int visits_east(colony_world *world, colony_entity who, float hour)
{
    int visits = 0;
    colony_arrived_set(world, who);
    for (int i = 0; i < 200; i++) {
        colony_walker_edit(world, who)->goal = (colony_spot){2, 6};
        colony_calendar_edit(world)->hour = hour;
        assert_int_equal(colony_run_decide(world, HOURS_A_TICK), WEFT_OK);
        visits += colony_walker_get(world, who)->goal.x > 8;
    }
    return visits;
}

static void nobody_visits_at_night_or_far_away(void **state)
{
    colony_world *world = *state;
    colony_entity who = adult_at(world, 2, 6), near = adult_at(world, 12, 6);
    colony_entity far = adult_at(world, 23, 6);
    colony_friends_set(world, who, far, of_warmth(1));
    assert_int_equal(visits_east(world, who, 12), 0);
    colony_friends_set(world, near, who, of_warmth(1));
    assert_int_equal(visits_east(world, who, 23), 0);
    assert_in_range(visits_east(world, who, 12), 1, 40);
}

static void the_dead_are_missed_by_their_friends(void **state)
{
    colony_world *world = *state;
    colony_entity old = adult_at(world, 1, 1), one = adult_at(world, 2, 1);
    colony_entity two = adult_at(world, 3, 1);
    colony_friends_set(world, old, one, colony_friends_defaults());
    colony_friends_set(world, two, old, colony_friends_defaults());
    colony_person_edit(world, old)->age = 100;
    tick(world, 1);
    assert_false(colony_alive(world, old));
    assert_int_equal(colony_friends_count_from(world, one), 0);
    const char *news = colony_chronicle_get(world)->news;
    assert_non_null(strstr(news, " dies in bed, missed by 2 friends"));
    colony_person_edit(world, two)->age = 100;
    tick(world, 1);
    assert_null(strstr(colony_chronicle_get(world)->news, "missed"));
}

static void a_load_revives_no_friendship(void **state)
{
    colony_world *world = *state;
    house_at(world, 5, 5);
    adult_at(world, 1, 1);
    adult_at(world, 2, 1);
    live(world, 2);
    assert_int_equal(colony_friends_count(world), 1);
    colony_friends_clear(world);
    void *bytes;
    size_t size;
    assert_int_equal(colony_save_memory(world, &bytes, &size), WEFT_OK);
    assert_int_equal(colony_load_memory(world, bytes, size), WEFT_OK);
    free(bytes);
    live(world, 2);
    assert_int_equal(colony_friends_count(world), 0); // the house has not changed
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        ON_LAND(housemates_become_friends),
        ON_LAND(people_in_different_houses_do_not),
        ON_LAND(who_moves_in_keeps_the_warmth_of_old_friends),
        ON_LAND(who_eats_together_becomes_friends),
        ON_LAND(friendships_warm_near_and_end_far_away),
        ON_LAND(the_idle_visit_friends_nearby),
        ON_LAND(nobody_visits_at_night_or_far_away),
        ON_LAND(the_dead_are_missed_by_their_friends),
        ON_LAND(a_load_revives_no_friendship),
    };
    return cmocka_run_group_tests_name("friends", tests, NULL, NULL);
}
