// The walk over fields: the visited leaves, their order, and the ends of lists and strings.
//
// program: quick still portable byte_order
#include "fields_fixture.h"
#include "value/check.h"
#include "value/path.h"
#include "value/visit.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

// The leaves that a walk visited, in words: "field:type:bytes " for each.
typedef struct visits {
    char text[1024];
    size_t used;
    const unsigned char *start;
    size_t bytes; // of the value: every leaf must lie inside
    size_t most;  // of the text: the visit ends there; 0: all of it
} visits;

static bool note(weft_visitor *visitor, const weft_leaves *leaves)
{
    static const char *const types[] = {"bool", "u8",   "u16", "u32", "u64", "i8",
                                        "i16",  "i32",  "i64", "f32", "f64", "entity",
                                        "char", "enum", "?",   "?"};
    visits *v = (visits *)visitor->context;
    const unsigned char *at = leaves->at;
    for (size_t i = 0; i < leaves->count; i++, at += leaves->stride) {
        bool string = leaves->type == WEFT_TYPE_CHAR;
        uint32_t bytes = string ? weft_string_bytes(leaves->field, at) : leaves->bytes;
        assert_in_range((size_t)(at - v->start) + bytes, 0, v->bytes);
        int more = snprintf(v->text + v->used, sizeof v->text - v->used, "%s:%s:%u ",
                            leaves->field->name, types[leaves->type], (unsigned)bytes);
        v->used += (size_t)more;
        assert_in_range(v->used, 0, sizeof v->text - 1);
    }
    return v->used < v->most;
}

static weft_visitor noting(visits *v, bool only_saved)
{
    if (v->most == 0) v->most = sizeof v->text;
    return (weft_visitor){.schema = &zoo_schema,
                          .leaves = note,
                          .context = v,
                          .types = WEFT_VISIT_ALL,
                          .only_saved = only_saved,
                          .in_order = true};
}

static bool walk_component(zoo_component component, void *value, bool only_saved, visits *v)
{
    const weft_component_info *info = &zoo_schema.components[component];
    *v = (visits){.start = (const unsigned char *)value, .bytes = info->size, .most = v->most};
    weft_visitor visitor = noting(v, only_saved);
    return weft_visit_values(&visitor, info->fields, info->field_count, value, 0, 1);
}

static const weft_field *field_of(zoo_component component, const char *name)
{
    const weft_component_info *info = &zoo_schema.components[component];
    for (uint32_t i = 0; i < info->field_count; i++) {
        if (strcmp(info->fields[i].name, name) == 0) return &info->fields[i];
    }
    fail_msg("no field %s", name);
    return NULL;
}

static zoo_worker worker_with_lists(void)
{
    zoo_worker worker = {.name = "ann"};
    worker.route.count = 2;
    memcpy(worker.route.items[0].label, "home", 4); // no NUL
    worker.friends.count = 1;
    return worker;
}

static void walk_visits_leaves_in_field_order(void **state)
{
    (void)state;
    zoo_worker worker = worker_with_lists();
    visits v = {.most = 0};
    walk_component(ZOO_WORKER, &worker, false, &v);
    assert_string_equal(
        v.text, "job:enum:1 target:entity:8 skill:u8:1 skill:u8:1 skill:u8:1 skill:u8:1 "
                "name:char:3 route:u32:4 "
                "x:f32:4 y:f32:4 wait:u16:2 guide:entity:8 label:char:4 scenic:bool:1 cache:u32:4 "
                "x:f32:4 y:f32:4 wait:u16:2 guide:entity:8 label:char:0 scenic:bool:1 cache:u32:4 "
                "friends:u32:4 friends:entity:8 plans:u32:4 lucky:bool:1 money:u64:8 debt:i64:8 "
                "level:i8:1 weight:f64:8 m:f32:4 m:f32:4 m:f32:4 m:f32:4 secret:u32:4 ");
}

static void walk_passes_over_unsaved_fields_at_any_depth(void **state)
{
    (void)state;
    zoo_worker worker = worker_with_lists();
    visits v = {.most = 0};
    walk_component(ZOO_WORKER, &worker, true, &v);
    assert_null(strstr(v.text, "cache"));
    assert_null(strstr(v.text, "secret"));
    assert_non_null(strstr(v.text, "scenic:bool:1 x:f32:4")); // what stands around it is there
}

static void leaves_can_be_written(void **state)
{
    (void)state;
    zoo_burning burning = {.kind = 9, .by = {5}};
    visits v = {.most = 0};
    walk_component(ZOO_BURNING, &burning, false, &v);
    assert_string_equal(v.text, "kind:u8:1 seconds_left:f32:4 by:entity:8 ");
    weft_handle_write(&zoo_schema, &burning.by, UINT64_C(0x123456789abcdef0));
    assert_int_equal(burning.by.bits, UINT64_C(0x123456789abcdef0));
    assert_int_equal(burning.kind, 9);
}

// A count that C wrote wrongly must not lead the walk out of the list.
static void walk_stays_inside_a_list_with_a_wrong_count(void **state)
{
    (void)state;
    zoo_velocity velocity = {.trail = {.count = 4000000000u}};
    visits v = {.most = 0};
    walk_component(ZOO_VELOCITY, &velocity, true, &v);
    assert_string_equal(v.text, "x:f32:4 y:f32:4 gear:u8:1 trail:u32:4 "
                                "trail:u16:2 trail:u16:2 trail:u16:2 ");
}

// As a column of a soa component has it: one member after the other, at any address.
static void member_walk_needs_no_struct_around_it(void **state)
{
    (void)state;
    zoo_trail trail = {.count = 1, .items = {17}};
    unsigned char odd[sizeof trail + 1];
    memcpy(odd + 1, &trail, sizeof trail);
    visits v = {.start = odd + 1, .bytes = sizeof trail};
    weft_visitor visitor = noting(&v, true);
    weft_visit_members(&visitor, field_of(ZOO_VELOCITY, "trail"), odd + 1, 0, 1);
    assert_string_equal(v.text, "trail:u32:4 trail:u16:2 ");

    uint32_t heat = 1;
    v = (visits){.start = (const unsigned char *)&heat, .bytes = sizeof heat};
    visitor = noting(&v, true);
    weft_visit_members(&visitor, field_of(ZOO_VELOCITY, "heat"), &heat, 0, 1);
    assert_string_equal(v.text, "");
    visitor = noting(&v, false);
    weft_visit_members(&visitor, field_of(ZOO_VELOCITY, "heat"), &heat, 0, 1);
    assert_string_equal(v.text, "heat:u32:4 ");
}

static bool have_entities(const weft_field *fields, uint32_t count)
{
    return weft_fields_have(&zoo_schema, fields, count, WEFT_VISIT(WEFT_TYPE_ENTITY), false);
}

static void entities_are_found_at_any_depth(void **state)
{
    (void)state;
    const weft_component_info *components = zoo_schema.components;
    static const bool expected[] = {
        [ZOO_WORKER] = true, [ZOO_BURNING] = true, [ZOO_BUILDING] = false};
    for (uint32_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        assert_int_equal(have_entities(components[i].fields, components[i].field_count),
                         expected[i]);
    }
    // The list of structs alone: the handle is two levels down.
    assert_true(have_entities(field_of(ZOO_WORKER, "route"), 1));
    assert_false(have_entities(field_of(ZOO_WORKER, "frame"), 1));
    assert_false(have_entities(NULL, 0));
}

static void types_are_found_if_they_are_saved(void **state)
{
    (void)state;
    const weft_field *cache = &zoo_schema.structs[1].fields[5];
    assert_string_equal(cache->name, "cache");
    assert_true(weft_fields_have(&zoo_schema, cache, 1, WEFT_VISIT(WEFT_TYPE_U32), false));
    assert_false(weft_fields_have(&zoo_schema, cache, 1, WEFT_VISIT(WEFT_TYPE_U32), true));
    assert_true(
        weft_fields_have(&zoo_schema, field_of(ZOO_VELOCITY, "trail"), 1, WEFT_VISIT_COUNTS, true));
    assert_false(weft_fields_have(&zoo_schema, field_of(ZOO_VELOCITY, "trail"), 1,
                                  WEFT_VISIT(WEFT_TYPE_U32), true)); // only its count is one
    assert_false(
        weft_fields_have(&zoo_schema, field_of(ZOO_WORKER, "skill"), 1, WEFT_VISIT_COUNTS, true));
}

// ------------------------------------------------------------------------------------------------
// Runs and paths

// Sums the bytes of leaves, and counts the runs.
typedef struct sums {
    uint64_t bytes;
    uint32_t leaves;
    uint32_t runs;
} sums;

static bool add_leaves(weft_visitor *visitor, const weft_leaves *leaves)
{
    sums *sum = (sums *)visitor->context;
    const unsigned char *at = leaves->at;
    for (size_t i = 0; i < leaves->count; i++, at += leaves->stride) {
        for (uint32_t byte = 0; byte < leaves->bytes; byte++) sum->bytes += at[byte];
    }
    sum->leaves += (uint32_t)leaves->count;
    sum->runs++;
    return true;
}

static sums sums_of(zoo_worker *workers, size_t count, uint32_t types, bool in_order)
{
    const weft_component_info *info = &zoo_schema.components[ZOO_WORKER];
    sums sum = {0, 0, 0};
    weft_visitor v = {.schema = &zoo_schema,
                      .leaves = add_leaves,
                      .context = &sum,
                      .types = types,
                      .in_order = in_order};
    assert_true(
        weft_visit_values(&v, info->fields, info->field_count, workers, sizeof *workers, count));
    return sum;
}

// All ways through many values come to the same leaves: one value after the other, or a leaf of all
// of them, with arrays longer and shorter than there are values.
static void runs_of_many_values_have_every_leaf_once(void **state)
{
    (void)state;
    const uint32_t types[] = {WEFT_VISIT_ALL, WEFT_VISIT(WEFT_TYPE_ENTITY), WEFT_VISIT_COUNTS,
                              WEFT_VISIT(WEFT_TYPE_U8) | WEFT_VISIT(WEFT_TYPE_CHAR)};
    zoo_worker workers[6];
    for (size_t i = 0; i < 6; i++) {
        workers[i] = worker_with_lists();
        workers[i].skill[i % 4] = (uint8_t)(i + 1);
        workers[i].route.count = (uint32_t)(i % 4);
        workers[i].route.items[i % 3].guide.bits = UINT64_C(1) << i;
        workers[i].target.bits = UINT64_C(256) << i;
    }
    for (size_t count = 1; count <= 6; count++) {
        for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
            sums one_by_one = {0, 0, 0};
            for (size_t i = 0; i < count; i++) {
                sums one = sums_of(&workers[i], 1, types[t], true);
                one_by_one.bytes += one.bytes;
                one_by_one.leaves += one.leaves;
                one_by_one.runs += one.runs;
            }
            sums all = sums_of(workers, count, types[t], false);
            assert_int_equal(all.bytes, one_by_one.bytes);
            assert_int_equal(all.leaves, one_by_one.leaves);
            assert_true(all.runs <= one_by_one.runs);
        }
    }
    assert_int_equal(sums_of(workers, 6, WEFT_VISIT_COUNTS, false).runs, 3); // a run for each list
}

static bool add_path(void *context, const char *path, const weft_leaf_ref *leaf)
{
    char *text = (char *)context;
    snprintf(text + strlen(text), 1024 - strlen(text), "%s%s ", path,
             leaf->is_count                 ? ""
             : leaf->type == WEFT_TYPE_CHAR ? "$"
                                            : "");
    return strcmp(path, "lucky") != 0;
}

static void leaves_have_paths(void **state)
{
    (void)state;
    zoo_worker worker = worker_with_lists();
    const weft_component_info *info = &zoo_schema.components[ZOO_WORKER];
    char text[1024] = "";
    worker.route.count = 1;
    assert_false(
        weft_leaves_visit(&zoo_schema, info->fields, info->field_count, &worker, add_path, text));
    assert_string_equal(text, "job target skill[0] skill[1] skill[2] skill[3] name$ route.count "
                              "route[0].at.x route[0].at.y route[0].wait route[0].guide "
                              "route[0].label$ route[0].scenic route[0].cache friends.count "
                              "friends[0] plans.count lucky ");
}

// A path that is too long loses its beginning, because its end names the leaf.
static void a_path_that_is_too_long_keeps_its_end(void **state)
{
    (void)state;
    enum { LETTERS = WEFT_LEAF_PATH_BYTES / 2 + 10 };
    char outer[LETTERS + 1] = "";
    char inner[LETTERS + 1] = "";
    for (uint32_t i = 0; i < LETTERS; i++) {
        outer[i] = (char)('a' + i % 26);
        inner[i] = (char)('A' + i % 26);
    }
    const weft_field leaf = {.name = inner, .type = WEFT_TYPE_U8, .element_size = 1, .count = 1};
    const weft_struct_info around = {.field_count = 1, .fields = &leaf};
    const weft_field whole = {
        .name = outer, .type = WEFT_TYPE_STRUCT, .element_size = 1, .count = 1};
    weft_schema schema = zoo_schema;
    schema.structs = &around;
    const uint8_t value = 0;
    char expected[2 * LETTERS + 8];
    char text[1024] = "";
    snprintf(expected, sizeof expected, "%s.%s ", outer, inner);
    assert_true(weft_leaves_visit(&schema, &whole, 1, &value, add_path, text));
    assert_int_equal(strlen(text), WEFT_LEAF_PATH_BYTES); // the path and a space
    assert_string_equal(text, expected + strlen(expected) - WEFT_LEAF_PATH_BYTES);
}

// A visit that returns false is the last one, wherever it is.
static void a_visit_ends_where_it_is_told_to(void **state)
{
    (void)state;
    zoo_worker worker = worker_with_lists();
    for (size_t most = 1; most < 400; most++) {
        visits v = {.most = most};
        bool all = walk_component(ZOO_WORKER, &worker, false, &v);
        assert_int_equal(all, v.used < most);
    }
}

static void members_are_counted_by_shape(void **state)
{
    (void)state;
    zoo_worker worker = worker_with_lists();
    assert_int_equal(weft_member_count(field_of(ZOO_WORKER, "job"), &worker.job), 1);
    assert_int_equal(weft_member_count(field_of(ZOO_WORKER, "skill"), worker.skill), 4);
    assert_int_equal(weft_member_count(field_of(ZOO_WORKER, "name"), worker.name), 1);
    assert_int_equal(weft_member_count(field_of(ZOO_WORKER, "route"), &worker.route), 2);
    assert_int_equal(weft_member_count(field_of(ZOO_WORKER, "plans"), &worker.plans), 0);
    assert_ptr_equal(weft_field_struct(&zoo_schema, field_of(ZOO_WORKER, "route")),
                     &zoo_schema.structs[1]);
    assert_ptr_equal(weft_field_struct(&zoo_schema, field_of(ZOO_WORKER, "frame")),
                     &zoo_schema.externs[0]);
    assert_null(weft_field_struct(&zoo_schema, field_of(ZOO_WORKER, "job")));
}

static void handles_take_the_bytes_of_the_schema(void **state)
{
    (void)state;
    for (uint8_t bytes = 2; bytes <= 8; bytes = (uint8_t)(bytes * 2)) {
        weft_schema schema = zoo_schema;
        schema.handle_bytes = bytes;
        unsigned char memory[9];
        memset(memory, 0xee, sizeof memory);
        uint64_t bits = UINT64_C(0x0123456789abcdef) >> (64 - bytes * 8);
        weft_handle_write(&schema, memory, bits);
        assert_int_equal(weft_handle_read(&schema, memory), bits);
        assert_int_equal(memory[bytes], 0xee); // the neighbour
    }
}

static void handles_have_the_bits_of_the_schema(void **state)
{
    (void)state;
    const uint8_t bits[][2] = {{10, 6}, {20, 12}, {21, 12}, {24, 24}, {32, 31}, {32, 32}};
    char why[WEFT_WHY_BYTES];
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++) {
        weft_schema schema = zoo_schema;
        schema.index_bits = bits[i][0];
        schema.generation_bits = bits[i][1];
        uint32_t width = (uint32_t)bits[i][0] + bits[i][1];
        assert_true(weft_handle_check(&schema, UINT64_MAX >> (64 - width), why));
        assert_true(weft_handle_check(&schema, UINT64_MAX, why) == (width == 64));
        if (width == 64) continue;
        assert_false(weft_handle_check(&schema, UINT64_C(1) << width, why));
        assert_non_null(strstr(why, ", and handles have "));
    }
}

// Numbers are compared some at a time: one that is too large is found at any place.
static void a_number_beyond_a_limit_is_found_at_any_place(void **state)
{
    (void)state;
    for (uint32_t bytes = 1; bytes <= 4; bytes *= 2) {
        for (size_t stride = bytes; stride <= 8; stride += bytes) {
            for (size_t count = 1; count <= 11; count++) {
                for (size_t place = 0; place < count; place++) {
                    unsigned char numbers[11 * 8];
                    memset(numbers, 0xff, sizeof numbers); // what lies between does not count
                    for (size_t i = 0; i < count; i++) {
                        weft_bits_write(numbers + i * stride, bytes, 7);
                    }
                    assert_true(weft_numbers_within(numbers, stride, count, bytes, 7));
                    weft_bits_write(numbers + place * stride, bytes, 8);
                    assert_false(weft_numbers_within(numbers, stride, count, bytes, 7));
                }
            }
        }
    }
}

// The limits of fields that no save has do not count.
static void unsaved_fields_are_sound(void **state)
{
    (void)state;
    const weft_field fields[] = {
        {.name = "on",
         .type = WEFT_TYPE_BOOL,
         .offset = 0,
         .size = 1,
         .element_size = 1,
         .count = 1,
         .save = true},
        {.name = "off",
         .type = WEFT_TYPE_BOOL,
         .offset = 1,
         .size = 1,
         .element_size = 1,
         .count = 1},
    };
    const uint8_t sound[3][2] = {{0, 7}, {1, 255}, {1, 0}};
    const uint8_t flawed[3][2] = {{0, 1}, {2, 0}, {1, 0}};
    assert_true(weft_fields_limited(&zoo_schema, fields, 2));
    assert_false(weft_fields_limited(&zoo_schema, &fields[1], 1));
    assert_true(weft_values_sound(&zoo_schema, fields, 2, sound, 2, 3));
    assert_true(weft_values_sound(&zoo_schema, &fields[1], 1, sound[0] + 1, 2, 3));
    assert_false(weft_values_sound(&zoo_schema, fields, 2, flawed, 2, 3));
}

// A plain struct has the items that its lists count.
static void leaves_exist_up_to_the_counts_of_lists(void **state)
{
    (void)state;
    const weft_component_info *info = &zoo_schema.components[ZOO_WORKER];
    const weft_field_list all = {info->fields, info->field_count};
    zoo_worker worker = worker_with_lists();
    const unsigned char *value = (const unsigned char *)&worker;
    for (worker.route.count = 0; worker.route.count <= 3; worker.route.count++) {
        for (uint32_t i = 0; i < 3; i++) {
            uint32_t item = (uint32_t)(offsetof(zoo_worker, route.items) + i * sizeof(zoo_stop));
            uint32_t wait = item + (uint32_t)offsetof(zoo_stop, wait);
            assert_true(weft_leaf_exists(&zoo_schema, all, value, wait) ==
                        (i < worker.route.count));
        }
        uint32_t count = offsetof(zoo_worker, route.count);
        assert_true(weft_leaf_exists(&zoo_schema, all, value, count));
        assert_true(weft_leaf_exists(&zoo_schema, all, value, offsetof(zoo_worker, skill[3])));
    }
}

static void paths_have_the_bytes_of_what_they_name(void **state)
{
    static const struct {
        const char *path; // behind the name of the component
        size_t bytes;
    } parts[] = {
        {".job", sizeof(zoo_job)},
        {".name", sizeof(((zoo_worker *)0)->name)},
        {".skill", sizeof(((zoo_worker *)0)->skill)},
        {".skill[2]", 1},
        {".route", sizeof(zoo_stops)},
        {".route.count", sizeof(uint32_t)},
        {".route[1]", sizeof(zoo_stop)},
        {".route[1].label", sizeof(((zoo_stop *)0)->label)},
        {".route[1].wait", sizeof(uint16_t)},
    };
    weft_owner owner;
    (void)state;
    assert_true(weft_owner_find(&zoo_schema, "worker", 6, &owner));
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        weft_path path = weft_path_begin(&zoo_schema, owner, parts[i].path);
        assert_true(weft_path_follow(&path));
        assert_int_equal(weft_path_bytes(&path), parts[i].bytes);
    }
}

// Strings are equal up to their NUL, and one that has none up to its end.
static void strings_are_compared_up_to_their_nul(void **state)
{
    (void)state;
    static const char strings[][8] = {
        "", "a", "an", "ann", "anna", "bnn", {'a', 'n', 'n', 'a', 'n', 'n', 'a', 'n'}};
    const uint32_t count = sizeof strings / sizeof *strings;
    const weft_field *field = field_of(ZOO_WORKER, "name");
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < count; k++) {
            zoo_worker left = worker_with_lists();
            zoo_worker right = left;
            memset(left.name, 'x', sizeof left.name); // behind the NUL
            uint32_t bytes = weft_string_bytes(field, strings[i]);
            memcpy(left.name, strings[i], bytes < sizeof left.name ? bytes + 1 : bytes);
            memcpy(right.name, strings[k], sizeof right.name);
            bool equal = weft_member_equal(&zoo_schema, field, left.name, right.name);
            assert_int_equal(equal, i == k);
        }
    }
}

// An item that is taken out of a list leaves zeros behind the others, as those that it never had.
static void an_item_that_is_taken_out_leaves_zeros(void **state)
{
    (void)state;
    for (uint32_t item = 0; item < 4; item++) {
        uint16_t items[] = {10, 11, 12, 13, 0};
        uint32_t count = 4;
        assert_true(weft_items_remove(&count, items, sizeof *items, item, 5));
        assert_int_equal(count, 3);
        for (uint32_t i = 0; i < 3; i++) assert_int_equal(items[i], 10 + i + (i >= item));
        assert_int_equal(items[3], 0);
        assert_false(weft_items_remove(&count, items, sizeof *items, 3, 5));
        assert_false(weft_items_remove(&count, items, sizeof *items, 0, 2)); // the count is wrong
        assert_int_equal(count, 3);
    }
}

static void of_names_that_are_equally_near_the_first_is_meant(void **state)
{
    (void)state;
    const char *const values[] = {"farm", "harm", "charm", "warm"};
    const weft_enum_info info = {.name = "kind", .count = 4, .values = values};
    const weft_names names[] = {weft_value_names(&info), weft_value_names(&info)};
    for (uint32_t kinds = 1; kinds <= 2; kinds++) {
        weft_nearest nearest = {NULL, 0};
        for (uint32_t i = 0; i < kinds; i++) weft_names_nearest(&nearest, &names[i], "marm", 4);
        assert_ptr_equal(nearest.name, values[0]);
        assert_int_equal(nearest.letters, 1);
    }
}

static void bits_are_those_of_an_unsigned_integer(void **state)
{
    (void)state;
    const int8_t i8 = -1;
    const int16_t i16 = -2;
    const float f32 = -0.0f;
    const double f64 = 1.0;
    assert_int_equal(weft_bits_read(&i8, 1), 0xff);
    assert_int_equal(weft_bits_read(&i16, 2), 0xfffe);
    assert_int_equal(weft_bits_read(&f32, 4), 0x80000000u);
    assert_int_equal(weft_bits_read(&f64, 8), UINT64_C(0x3ff0000000000000));

    uint16_t narrow[2] = {0, 0x5555};
    weft_bits_write(narrow, 2, UINT64_C(0xffffffffffff1234));
    assert_int_equal(narrow[0], 0x1234);
    assert_int_equal(narrow[1], 0x5555);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(walk_visits_leaves_in_field_order),
        cmocka_unit_test(walk_passes_over_unsaved_fields_at_any_depth),
        cmocka_unit_test(leaves_can_be_written),
        cmocka_unit_test(walk_stays_inside_a_list_with_a_wrong_count),
        cmocka_unit_test(member_walk_needs_no_struct_around_it),
        cmocka_unit_test(entities_are_found_at_any_depth),
        cmocka_unit_test(types_are_found_if_they_are_saved),
        cmocka_unit_test(runs_of_many_values_have_every_leaf_once),
        cmocka_unit_test(leaves_have_paths),
        cmocka_unit_test(a_path_that_is_too_long_keeps_its_end),
        cmocka_unit_test(a_visit_ends_where_it_is_told_to),
        cmocka_unit_test(members_are_counted_by_shape),
        cmocka_unit_test(handles_take_the_bytes_of_the_schema),
        cmocka_unit_test(handles_have_the_bits_of_the_schema),
        cmocka_unit_test(a_number_beyond_a_limit_is_found_at_any_place),
        cmocka_unit_test(unsaved_fields_are_sound),
        cmocka_unit_test(leaves_exist_up_to_the_counts_of_lists),
        cmocka_unit_test(paths_have_the_bytes_of_what_they_name),
        cmocka_unit_test(strings_are_compared_up_to_their_nul),
        cmocka_unit_test(an_item_that_is_taken_out_leaves_zeros),
        cmocka_unit_test(of_names_that_are_equally_near_the_first_is_meant),
        cmocka_unit_test(bits_are_those_of_an_unsigned_integer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
