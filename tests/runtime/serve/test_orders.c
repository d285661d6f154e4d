// Lists ordered by every type of value, in both directions, compared with a model that reads the
// values from the world. Equal values are ordered by index; entities without the value are last.
//
// program: worlds byte_order
#include "../../fuzz/dice.h"
#include "desk_test.h"

#include <float.h>
#include <math.h>

#define ENTITIES 700u
#define SEEDS 3

typedef int compare_values(const desk_world *w, desk_entity one, desk_entity other);
typedef bool has_value(const desk_world *w, desk_entity one);

#define COMPARE(a, b) (((a) > (b)) - ((a) < (b)))

static const desk_person *person_of(const desk_world *w, desk_entity e)
{
    return desk_person_get(w, e);
}

static bool has_person(const desk_world *w, desk_entity e)
{
    return desk_person_has(w, e);
}

static bool has_mark(const desk_world *w, desk_entity e)
{
    return desk_mark_has(w, e);
}

static bool has_note(const desk_world *w, desk_entity e)
{
    return desk_note_has(w, e);
}

static bool has_third_spot(const desk_world *w, desk_entity e)
{
    const desk_path *path = desk_path_get(w, e);
    return path && path->spots.count > 2;
}

#define OF_PERSON(name)                                                                            \
    static int by_##name(const desk_world *w, desk_entity one, desk_entity other)                  \
    {                                                                                              \
        return COMPARE(person_of(w, one)->name, person_of(w, other)->name);                        \
    }
OF_PERSON(id)
OF_PERSON(age)
OF_PERSON(mood)
OF_PERSON(awake)
OF_PERSON(rank)

// Numbers come before what is none; the direction is known to the caller.
static int by_number(double one, double other)
{
    return COMPARE(one, other);
}

static int by_wealth(const desk_world *w, desk_entity one, desk_entity other)
{
    return by_number(person_of(w, one)->wealth, person_of(w, other)->wealth);
}

static int by_weight(const desk_world *w, desk_entity one, desk_entity other)
{
    return by_number((double)person_of(w, one)->weight, (double)person_of(w, other)->weight);
}

static int by_third_spot(const desk_world *w, desk_entity one, desk_entity other)
{
    return by_number((double)desk_path_get(w, one)->spots.items[2].y,
                     (double)desk_path_get(w, other)->spots.items[2].y);
}

static int by_name(const desk_world *w, desk_entity one, desk_entity other)
{
    return strcmp(person_of(w, one)->name, person_of(w, other)->name);
}

static int by_mark(const desk_world *w, desk_entity one, desk_entity other)
{
    return strcmp(desk_mark_get(w, one)->text, desk_mark_get(w, other)->text);
}

static int by_mark_number(const desk_world *w, desk_entity one, desk_entity other)
{
    return COMPARE(desk_mark_get(w, one)->number, desk_mark_get(w, other)->number);
}

static int by_note(const desk_world *w, desk_entity one, desk_entity other)
{
    return strcmp(desk_note_get(w, one)->text, desk_note_get(w, other)->text);
}

static uint32_t index_of(desk_entity e)
{
    return (uint32_t)(e.bits & (((uint64_t)1 << desk_schema()->index_bits) - 1));
}

static int by_boss(const desk_world *w, desk_entity one, desk_entity other)
{
    const desk_entity a = person_of(w, one)->boss, b = person_of(w, other)->boss;
    if (desk_is_none(a) || desk_is_none(b)) return (int)!desk_is_none(a) - (int)!desk_is_none(b);
    if (index_of(a) != index_of(b)) return COMPARE(index_of(a), index_of(b));
    return COMPARE(a.bits, b.bits);
}

static int all_equal(const desk_world *w, desk_entity one, desk_entity other)
{
    (void)w, (void)one, (void)other;
    return 0;
}

typedef double number_of(const desk_world *w, desk_entity e);

static double wealth_of(const desk_world *w, desk_entity e)
{
    return person_of(w, e)->wealth;
}

static double weight_of(const desk_world *w, desk_entity e)
{
    return (double)person_of(w, e)->weight;
}

static double third_spot_of(const desk_world *w, desk_entity e)
{
    return (double)desk_path_get(w, e)->spots.items[2].y;
}

static const struct order {
    const char *path;
    has_value *has;
    compare_values *compare;
    number_of *number; // that may be none; NULL: it has none
} orders[] = {
    {"person.id", has_person, by_id, NULL},
    {"person.age", has_person, by_age, NULL},
    {"person.wealth", has_person, by_wealth, wealth_of},
    {"person.weight", has_person, by_weight, weight_of},
    {"person.mood", has_person, by_mood, NULL},
    {"person.awake", has_person, by_awake, NULL},
    {"person.rank", has_person, by_rank, NULL},
    {"person.name", has_person, by_name, NULL},
    {"person.boss", has_person, by_boss, NULL},
    {"person", has_person, all_equal, NULL},
    {"mark.text", has_mark, by_mark, NULL},
    {"mark.number", has_mark, by_mark_number, NULL},
    {"note.text", has_note, by_note, NULL},
    {"path.spots[2].y", has_third_spot, by_third_spot, third_spot_of},
};

// ------------------------------------------------------------------------------------------------
// The model

static struct model {
    const desk_world *world;
    const struct order *order;
    bool descending;
} asked;

static int place_of(desk_entity e)
{
    if (!asked.order->has(asked.world, e)) return 2;
    return asked.order->number && isnan(asked.order->number(asked.world, e));
}

static int in_order(const void *one, const void *other)
{
    const desk_entity a = *(const desk_entity *)one, b = *(const desk_entity *)other;
    int by = COMPARE(place_of(a), place_of(b));
    if (by == 0 && place_of(a) == 0) {
        by = asked.order->compare(asked.world, a, b);
        if (asked.descending) by = -by;
    }
    return by != 0 ? by : COMPARE(index_of(a), index_of(b));
}

// ------------------------------------------------------------------------------------------------
// Values, of which many are equal, and some as large as they can be

static double random_number(dice *d)
{
    const double odd[] = {0.0, -0.0, NAN,  -NAN,  INFINITY, -INFINITY, 1e-45,   -1e-45,
                          1.5, -1.5, 1e30, -1e30, 5e-324,   -5e-324,   DBL_MAX, -DBL_MAX};
    if (dice_once_in(d, 2)) return odd[dice_below(d, sizeof odd / sizeof *odd)];
    return (double)dice_below(d, 50) - 25;
}

static uint64_t random_bits(dice *d)
{
    static const uint64_t odd[] = {0,         1,          UINT64_MAX,    UINT64_MAX - 1,
                                   INT64_MAX, 1ull << 63, INT64_MAX - 1, (1ull << 63) + 1};
    if (dice_once_in(d, 2)) return odd[dice_below(d, sizeof odd / sizeof *odd)];
    return dice_once_in(d, 2) ? dice_bits(d) : dice_below(d, 20);
}

// Texts that differ anywhere, also behind long beginnings that are equal.
static void random_text(dice *d, char *text, uint32_t capacity)
{
    static const char *const ends[] = {"", "a", "b", "ab", "\xC3\xA9", "\x7F", "z", " ", "\x01"};
    uint32_t length = dice_once_in(d, 4) ? dice_below(d, 10) : dice_below(d, capacity - 4);
    memset(text, 0, capacity);
    memset(text, 'v', length);
    strcpy(text + length, ends[dice_below(d, 9)]);
    if (dice_once_in(d, 3) && length > 0) text[dice_below(d, length)] = 'u';
}

static void fill(desk_world *w, dice *d, desk_entity *all)
{
    for (uint32_t i = 0; i < ENTITIES; i++) all[i] = desk_spawn(w);
    for (uint32_t i = 0; i < ENTITIES; i++) {
        const desk_entity e = all[dice_below(d, ENTITIES)]; // so that rows are in no order
        if (dice_once_in(d, 8)) desk_tired_set(w, e);
        if (!dice_once_in(d, 4)) {
            desk_person person = {.id = random_bits(d),
                                  .age = (int64_t)random_bits(d),
                                  .wealth = random_number(d),
                                  .weight = (float)random_number(d),
                                  .mood = (desk_mood)dice_below(d, 3),
                                  .awake = dice_once_in(d, 2),
                                  .rank = (int8_t)dice_bits(d)};
            random_text(d, person.name, sizeof person.name);
            if (!dice_once_in(d, 3)) person.boss = all[dice_below(d, ENTITIES)];
            desk_person_set(w, e, person);
        }
        if (dice_once_in(d, 3)) {
            desk_mark mark = {.number = (int32_t)random_bits(d)};
            random_text(d, mark.text, sizeof mark.text);
            desk_mark_set(w, e, mark);
        }
        if (dice_once_in(d, 3)) {
            desk_note note;
            random_text(d, note.text, sizeof note.text);
            desk_note_set(w, e, note);
        }
        if (dice_once_in(d, 3)) {
            desk_path path = {.spots = {.count = dice_below(d, 5)}};
            for (uint32_t k = 0; k < path.spots.count; k++) {
                path.spots.items[k].y = (float)random_number(d);
            }
            desk_path_set(w, e, path);
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Lists

// Reads the entities of a window, and returns how many they are.
static uint32_t read_rows(const char *answer, desk_entity *rows)
{
    uint32_t count = 0;
    for (const char *at = strstr(answer, "{\"id\":\""); at; at = strstr(at + 1, "{\"id\":\"")) {
        char *behind;
        const uint64_t index = strtoull(at + 7, &behind, 10);
        const uint64_t generation = strtoull(behind + 1, NULL, 10);
        rows[count++] = desk_entity_of(index | generation << desk_schema()->index_bits);
    }
    return count;
}

static void assert_order(const desk *d, const struct order *order, bool descending,
                         const char *where, desk_entity *all, uint32_t count)
{
    static desk_entity rows[500];
    asked = (struct model){d->world, order, descending};
    qsort(all, count, sizeof *all, in_order);
    for (uint32_t offset = 0; offset < count;) {
        char params[256];
        snprintf(params, sizeof params,
                 "{\"where\": \"%s\", \"sort\": \"%s\", \"descending\": %s, \"offset\": %u, "
                 "\"limit\": 500}",
                 where, order->path, descending ? "true" : "false", offset);
        const char *answer = call(d, "entities", params);
        assert_done(answer);
        if (!strstr(answer, "\"making\":null")) continue;
        const uint32_t found = read_rows(answer, rows);
        assert_int_equal(found, count - offset < 500 ? count - offset : 500);
        for (uint32_t i = 0; i < found; i++) {
            if (rows[i].bits == all[offset + i].bits) continue;
            fail_msg("%s%s: %u is entity %u, not %u", order->path, descending ? " down" : "",
                     offset + i, index_of(rows[i]), index_of(all[offset + i]));
        }
        offset += found;
    }
}

static void lists_are_in_order(void **state)
{
    static desk_entity all[ENTITIES];
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        desk d = open_desk();
        struct dice rolled = {seed};
        fill(d.world, &rolled, all);
        for (size_t i = 0; i < 2 * (sizeof orders / sizeof *orders); i++) {
            // Whoever has nothing at all, or anything, passes.
            assert_order(&d, &orders[i / 2], i % 2 != 0, "tired | !tired", all, ENTITIES);
        }
        close_desk(&d);
    }
}

// Handles that were used before, in a table whose rows are in another order than the indices.
static void equal_values_are_ordered_by_index(void **state)
{
    enum { COUNT = 300 };
    static desk_entity all[COUNT];
    (void)state;
    desk d = open_desk();
    struct dice rolled = {5};
    for (uint32_t i = 0; i < COUNT; i++) all[i] = desk_spawn(d.world);
    for (uint32_t i = 0; i < COUNT; i++) {
        if (dice_once_in(&rolled, 2)) continue;
        desk_despawn(d.world, all[i]);
        all[i] = desk_spawn(d.world);
    }
    for (uint32_t i = COUNT; i-- != 0;) desk_person_set(d.world, all[i], desk_person_defaults());
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        assert_order(&d, &orders[i], i % 2 == 0, "person", all, COUNT);
    }
    close_desk(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_in_order),
        cmocka_unit_test(equal_values_are_ordered_by_index),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
