// The referrers of an entity: in fields of every shape and storage, in values of links, by links
// and by relations; of many entities, in slices; and of an entity that was despawned. Counts of
// random worlds are compared with a model that reads them through the calls of the game.
//
// program: still byte_order
#include "../../fuzz/dice.h"
#include "desk_test.h"

#include "serve/answer.h"

enum { MANY = 70000, SOME = 100, HANDLE_BYTES = 32 };

typedef struct scene {
    desk d;
    desk_entity target;
    char handle[HANDLE_BYTES];
    char params[64];
} scene;

static void write_handle(char text[HANDLE_BYTES], desk_entity e)
{
    snprintf(text, HANDLE_BYTES, "%u:%u", (unsigned)(e.bits & 0xfffff), (unsigned)(e.bits >> 20));
}

static int open_scene(void **state)
{
    static scene s;
    s.d = open_desk();
    s.target = desk_spawn(s.d.world);
    write_handle(s.handle, s.target);
    snprintf(s.params, sizeof s.params, "{\"id\": \"%s\"}", s.handle);
    *state = &s;
    return 0;
}

static int close_scene(void **state)
{
    close_desk(&((scene *)*state)->d);
    return 0;
}

#define REFERRERS_TEST(function) cmocka_unit_test_setup_teardown(function, open_scene, close_scene)

// Asks until all rows were read. Returns the answer.
static const char *referrers(const scene *s, uint32_t *calls)
{
    for (uint32_t i = 1; i < 100000; i++) {
        const char *answer = call(&s->d, "referrers", s->params);
        assert_done(answer);
        if (calls) *calls = i;
        if (strstr(answer, "\"making\":null")) return answer;
    }
    fail_msg("the referrers are never found");
    return "";
}

// Returns how many values of a kind and path the answer counts.
static unsigned long long counted(const char *answer, const char *kind, const char *path)
{
    char begin[128];
    unsigned long long count = 0;
    snprintf(begin, sizeof begin, "{\"kind\":\"%s\",\"path\":\"%s\"", kind, path);
    const char *group = strstr(answer, begin);
    const char *at = group ? strstr(group, "\"count\":") : NULL;
    if (at) assert_int_equal(sscanf(at, "\"count\":%llu", &count), 1);
    return count;
}

static void an_entity_without_referrers_has_none(void **state)
{
    const scene *s = *state;
    assert_non_null(strstr(referrers(s, NULL), "\"referrers\":[]"));
}

static void fields_of_every_storage_refer(void **state)
{
    const scene *s = *state;
    desk_world *w = s->d.world;
    const desk_entity a = desk_spawn(w);
    desk_person_set(w, a, (desk_person){.boss = s->target});
    desk_team_set(w, a, (desk_team){.lead = s->target, .members = {3, {s->target, a, s->target}}});
    desk_room_set(w, a, (desk_room){.seats = {{.taken_by = a}, {.taken_by = s->target}}});
    desk_clock_edit(w)->keeper = s->target;
    const char *answer = referrers(s, NULL);
    assert_int_equal(counted(answer, "component", "person.boss"), 1);
    assert_int_equal(counted(answer, "component", "team.lead"), 1);
    assert_int_equal(counted(answer, "component", "team.members"), 2);
    assert_int_equal(counted(answer, "component", "room.seats"), 1);
    assert_int_equal(counted(answer, "singleton", "clock.keeper"), 1);
    assert_non_null(strstr(answer, "[\"team.members[0]\",\"team.members[2]\"]"));
    assert_non_null(strstr(answer, "[\"room.seats[1].taken_by\"]"));
    assert_non_null(strstr(answer, "{\"singleton\":\"clock\",\"paths\":[\"clock.keeper\"]}"));
    assert_int_equal(count_of(answer, "\"kind\":"), 5);
}

static void an_item_after_the_end_of_a_list_does_not_refer(void **state)
{
    const scene *s = *state;
    const desk_entity a = desk_spawn(s->d.world);
    desk_team_set(s->d.world, a, (desk_team){.members = {1, {a, s->target, s->target}}});
    assert_non_null(strstr(referrers(s, NULL), "\"referrers\":[]"));
}

static void links_their_values_and_children_refer(void **state)
{
    const scene *s = *state;
    desk_world *w = s->d.world;
    const desk_entity a = desk_spawn(w), b = desk_spawn(w);
    desk_owes_set(w, a, b, (desk_owes){.who = s->target});
    desk_owes_set(w, b, s->target, (desk_owes){.who = a});
    desk_knows_set(w, s->target, a);
    desk_under_attach(w, a, s->target);
    desk_under_attach(w, b, s->target);
    desk_inside_attach(w, b, a);
    const char *answer = referrers(s, NULL);
    assert_int_equal(counted(answer, "link value", "owes.who"), 1);
    assert_int_equal(counted(answer, "link", "owes"), 1);
    assert_int_equal(counted(answer, "link", "knows"), 1);
    assert_int_equal(counted(answer, "relation", "under"), 2);
    assert_int_equal(count_of(answer, "\"kind\":"), 4);
    assert_non_null(strstr(answer, "\"paths\":[\"owes.who\"]"));
}

static void a_despawned_entity_can_still_be_referred_to(void **state)
{
    const scene *s = *state;
    const desk_entity a = desk_spawn(s->d.world);
    desk_person_set(s->d.world, a, (desk_person){.boss = s->target});
    desk_under_attach(s->d.world, a, s->target);
    desk_despawn(s->d.world, s->target);
    const char *answer = referrers(s, NULL);
    assert_int_equal(counted(answer, "component", "person.boss"), 1);
    assert_int_equal(count_of(answer, "\"kind\":"), 1);
}

// A poll reads at most 65,536 rows, so that the answer takes several polls.
static void many_entities_are_read_in_slices(void **state)
{
    const scene *s = *state;
    uint32_t calls = 0;
    for (uint32_t i = 0; i < MANY; i++) {
        const desk_entity a = desk_spawn(s->d.world);
        desk_person_set(s->d.world, a, (desk_person){.boss = i % 2 ? s->target : a});
    }
    const char *answer = referrers(s, &calls);
    assert_true(calls > 1);
    assert_int_equal(counted(answer, "component", "person.boss"), MANY / 2);
    assert_int_equal(count_of(answer, "{\"id\":"), SOME);
    assert_non_null(strstr(answer, "\"left_off\":34900"));
}

// A pass is begun again after a request that changes the world, and not only once.
static void a_change_by_a_request_is_seen(void **state)
{
    const scene *s = *state;
    char params[128], first[HANDLE_BYTES];
    const desk_entity one = desk_spawn(s->d.world);
    desk_person_set(s->d.world, one, desk_person_defaults());
    write_handle(first, one);
    for (uint32_t i = 0; i < MANY; i++) {
        desk_person_set(s->d.world, desk_spawn(s->d.world), desk_person_defaults());
    }
    assert_null(strstr(call(&s->d, "referrers", s->params), "\"making\":null"));
    snprintf(params, sizeof params,
             "{\"id\": \"%s\", \"path\": \"person.boss\", \"value\": \"%s\"}", first, s->handle);
    assert_done(call(&s->d, "set", params));
    assert_int_equal(counted(referrers(s, NULL), "component", "person.boss"), 1);
}

static void counts_of_random_worlds_are_exact(void **state)
{
    const scene *s = *state;
    enum { COUNT = 500 };
    static desk_entity all[COUNT];
    struct dice rolled = {7};
    unsigned bosses = 0, members = 0, seats = 0, values = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        const desk_entity other = i == 0 ? s->target : all[i - 1];
        const desk_entity to = dice_once_in(&rolled, 3) ? s->target : other;
        all[i] = desk_spawn(s->d.world);
        if (dice_once_in(&rolled, 2)) {
            desk_person_set(s->d.world, all[i], (desk_person){.boss = to});
            bosses += desk_same(to, s->target);
        }
        if (dice_once_in(&rolled, 3)) {
            desk_team_set(s->d.world, all[i], (desk_team){.members = {2, {to, to}}});
            members += desk_same(to, s->target) ? 2 : 0;
        }
        if (dice_once_in(&rolled, 4)) {
            desk_room_set(s->d.world, all[i], (desk_room){.seats = {{.taken_by = to}}});
            seats += desk_same(to, s->target);
        }
        if (i != 0 && dice_once_in(&rolled, 5)) {
            desk_owes_set(s->d.world, all[i], all[i - 1], (desk_owes){.who = to});
            values += desk_same(to, s->target);
        }
    }
    const char *answer = referrers(s, NULL);
    assert_int_equal(counted(answer, "component", "person.boss"), bosses);
    assert_int_equal(counted(answer, "component", "team.members"), members);
    assert_int_equal(counted(answer, "component", "room.seats"), seats);
    assert_int_equal(counted(answer, "link value", "owes.who"), values);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        REFERRERS_TEST(an_entity_without_referrers_has_none),
        REFERRERS_TEST(fields_of_every_storage_refer),
        REFERRERS_TEST(an_item_after_the_end_of_a_list_does_not_refer),
        REFERRERS_TEST(links_their_values_and_children_refer),
        REFERRERS_TEST(a_despawned_entity_can_still_be_referred_to),
        REFERRERS_TEST(many_entities_are_read_in_slices),
        REFERRERS_TEST(a_change_by_a_request_is_seen),
        REFERRERS_TEST(counts_of_random_worlds_are_exact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
