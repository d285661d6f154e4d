// Hooks run for direct calls in the promised order, and for all entities at the end.
//
// program: quick moving plain
#include "telling.h"
#include "weft_json.h"
#include "weft_reflect.h"

#include <string.h>

// ---- one component

static void told_of_every_kind_of_component(void **state)
{
    rig *r = (rig *)*state;
    den_entity e = den_spawn(r->w);
    static const uint16_t kinds[] = {DEN_COMPONENT_BODY, DEN_COMPONENT_GAIT, DEN_COMPONENT_SCENT,
                                     DEN_COMPONENT_SEEN};
    static const char *const added[] = {"+body:4", "+gait:4", "+scent:4", "+seen"};
    static const char *const replaced[] = {"=body:4:6", "=gait:4:6", "=scent:4:6", ""};
    static const char *const removed[] = {"-body:6", "-gait:6", "-scent:6", "-seen"};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        assert_true(rig_set(r->w, e, kinds[i], 4));
        told_only(r, added[i]);
        assert_true(rig_set(r->w, e, kinds[i], 6));
        told_only(r, replaced[i]);
        assert_true(rig_remove(r->w, e, kinds[i]));
        told_only(r, removed[i]);
        assert_false(rig_remove(r->w, e, kinds[i])); // not there
        told_only(r, "");
    }
}

static void told_by_reflection_too(void **state)
{
    rig *r = (rig *)*state;
    weft_world *base = den_world_base(r->w);
    den_entity e = den_spawn(r->w);
    assert_int_equal(weft_component_add_by_name(base, e.bits, "body"), WEFT_OK);
    assert_int_equal(weft_component_add_by_name(base, e.bits, "body"), WEFT_OK);
    told_only(r, "+body:5");
    den_body body = {.size = 6};
    unsigned char bytes[sizeof body + 1]; // by name a value may lie anywhere
    memcpy(bytes + 1, &body, sizeof body);
    assert_int_equal(weft_component_set_by_name(base, e.bits, "body", bytes + 1, sizeof body),
                     WEFT_OK);
    told_only(r, "=body:5:6");
    assert_int_equal(weft_component_remove_by_name(base, e.bits, "body"), WEFT_OK);
    told_only(r, "-body:6");
}

// An edit writes into a value that is there, and no whole one over it.
static void edits_in_place_are_not_told(void **state)
{
    rig *r = (rig *)*state;
    den_entity e = fox_with(r, 1);
    den_body_edit(r->w, e)->size = 2;
    *den_gait_edit(r->w, e).speed = 2;
    den_scent_edit(r->w, e)->strength = 2;
    uint32_t size = 3;
    assert_int_equal(weft_field_set(den_world_base(r->w), e.bits, "body.size", WEFT_TYPE_U32, &size,
                                    sizeof size),
                     WEFT_OK);
    told_only(r, "");
    rig_set(r->w, e, DEN_COMPONENT_BODY, 4);
    told_only(r, "=body:3:4");
}

static void json_is_told_value_by_value(void **state)
{
    rig *r = (rig *)*state;
    den_entity e = den_spawn(r->w);
    static const char text[] = "{\"components\": {\"body\": {\"size\": 3}, \"scent\": {}}}";
    assert_true(rig_set(r->w, e, DEN_COMPONENT_BODY, 1));
    rig_forget(r);
    assert_int_equal(weft_json_entity_read(den_world_base(r->w), e.bits, text, sizeof text - 1),
                     WEFT_OK);
    told_only(r, "=body:1:3 +scent:7");
}

static void what_is_refused_is_not_told(void **state)
{
    rig *r = (rig *)*state;
    den_entity e = den_spawn(r->w);
    assert_true(rig_set(r->w, e, DEN_COMPONENT_PELT, 1));
    told_only(r, "+body:5 +pelt:1"); // what it requires with it
    assert_false(den_bare_set(r->w, e));
    assert_false(den_body_remove(r->w, e));
    assert_true(den_despawn(r->w, e));
    told_only(r, "-body:5");
    assert_false(den_despawn(r->w, e));
    assert_false(den_body_set(r->w, e, (den_body){.size = 1}));
    told_only(r, "");
}

// ---- prefabs

static void prefabs_are_told_in_schema_order(void **state)
{
    rig *r = (rig *)*state;
    den_fox fox = rig_fox(9);
    den_entity e = den_fox_spawn(r->w, &fox);
    told_only(r, "+body:9 +gait:9 +scent:9 +seen");
    assert_true(den_scent_remove(r->w, e) && den_body_remove(r->w, e));
    rig_forget(r);
    fox = rig_fox(8);
    assert_true(den_fox_set(r->w, e, &fox)); // gait is overwritten
    told_only(r, "=gait:9:8 +body:8 +scent:8");
    assert_true(den_alive(r->w, den_cub_spawn(r->w, NULL)));
    told_only(r, "+body:5 +pelt:9");
    assert_true(den_alive(r->w, den_stone_spawn(r->w, NULL)));
    told_only(r, "");
}

static void many_are_told_one_after_the_other(void **state)
{
    rig *r = (rig *)*state;
    den_cub cub = rig_cub(2);
    den_entity out[3];
    assert_int_equal(den_cub_spawn_many(r->w, 3, &cub, out), 3);
    for (size_t i = 0; i < r->count; i++) assert_true(den_same(r->told[i].e, out[i / 2]));
    told_only(r, "+body:5 +pelt:2 +body:5 +pelt:2 +body:5 +pelt:2");
}

static void rows_to_fill_in_are_told_of_with_the_defaults(void **state)
{
    rig *r = (rig *)*state;
    den_fox_rows rows = den_fox_spawn_rows(r->w, 2);
    assert_int_equal(rows.count, 2);
    for (uint32_t i = 0; i < rows.count; i++) {
        assert_int_equal(rows.body[i].size, 3);
        rows.body[i].size = 7;
        assert_true(den_same(r->told[4 * i].e, rows.entities[i]));
    }
    told_only(r, "+body:3 +gait:1 +scent:7 +seen +body:3 +gait:1 +scent:7 +seen");
    assert_true(den_despawn(r->w, rows.entities[0]));
    told_only(r, "-body:7 -gait:1 -scent:7 -seen");
}

// ---- the end of an entity

static void seed_H4_despawn_tells_of_all_that_goes_in_schema_order(void **state)
{
    rig *r = (rig *)*state;
    den_entity e = fox_with(r, 5);
    assert_true(den_marked_set(r->w, e));
    assert_true(den_despawn(r->w, e));
    told_only(r, "-body:5 -gait:5 -scent:5 -seen -marked");
    e = fox_with(r, 6);
    assert_true(den_cmd_despawn(den_commands(r->w), e));
    assert_int_equal(den_flush(r->w), WEFT_OK);
    told_only(r, "-body:6 -gait:6 -scent:6 -seen");
}

static void a_tree_is_told_of_children_first(void **state)
{
    rig *r = (rig *)*state;
    den_entity e[4];
    for (uint32_t i = 0; i < 4; i++) {
        e[i] = den_spawn(r->w);
        assert_true(rig_set(r->w, e[i], DEN_COMPONENT_BODY, i));
    }
    assert_true(den_litter_attach(r->w, e[1], e[0]));
    assert_true(den_litter_attach(r->w, e[2], e[1]));
    assert_true(den_pack_attach(r->w, e[3], e[0])); // outlives it
    rig_forget(r);
    assert_true(den_despawn(r->w, e[0]));
    told_only(r, "-body:2 -body:1 -body:0");
    assert_true(den_alive(r->w, e[3]));
    assert_true(den_litter_attach(r->w, e[3], den_spawn(r->w)));
    den_cmd_despawn(den_commands(r->w), den_litter_parent(r->w, e[3]));
    assert_int_equal(den_flush(r->w), WEFT_OK);
    told_only(r, "-body:3");
}

typedef struct ending {
    told *told;
    size_t count;
} ending;

static void copy_told(rig *r, const den_hook_ctx *ctx, const told *t)
{
    ending *end = (ending *)r->more;
    (void)t;
    end->count = r->count;
    end->told = (told *)realloc(end->told, r->count * sizeof *end->told);
    assert_non_null(end->told);
    memcpy(end->told, r->told, r->count * sizeof *end->told);
    assert_true(den_cmd_despawn(ctx->cmd, t->e)); // in vain
}

static void seed_H4_close_tells_of_everybody_in_the_order_of_rows(void **state)
{
    (void)state;
    rig *r = rig_open();
    ending end = {0};
    den_entity order[9];
    uint32_t rows = 0;
    populate(r);
    den_watched_iter it = den_watched_begin(r->w);
    while (den_watched_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) order[rows++] = it.entities[i];
    }
    assert_int_equal(rows, 9);
    r->react = copy_told;
    r->more = &end;
    rig_close(r);
    assert_int_equal(end.count, 6 * 4 + 3);
    uint32_t row = 0;
    for (size_t i = 0; i < end.count; i++) {
        assert_true(end.told[i].removed);
        assert_true(den_same(end.told[i].e, order[row]));
        row += end.told[i].component == DEN_COMPONENT_SEEN; // the last of each
    }
    assert_int_equal(row, 9);
    free(end.told);
}

static void clearing_a_tag_tells_of_each_in_the_order_of_rows(void **state)
{
    rig *r = (rig *)*state;
    uint32_t n = 0;
    populate(r);
    den_watched_iter it = den_watched_begin(r->w);
    den_entity order[9];
    while (den_watched_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) order[n++] = it.entities[i];
    }
    den_seen_clear(r->w);
    assert_int_equal(r->count, 9);
    for (uint32_t i = 0; i < 9; i++) assert_true(den_same(r->told[i].e, order[i]));
    rig_forget(r);
    den_seen_clear(r->w);
    told_only(r, "");
}

// Each hook is called before the first one loses it, for components in columns and sparse ones.
static void clearing_a_component_tells_of_each_in_the_order_of_rows(void **state)
{
    rig *r = (rig *)*state;
    static bool (*const clears[])(den_world *) = {den_body_clear, den_gait_clear, den_scent_clear};
    static const uint16_t cleared[] = {DEN_COMPONENT_BODY, DEN_COMPONENT_GAIT, DEN_COMPONENT_SCENT};
    for (size_t c = 0; c < 3; c++) {
        uint32_t n = 0;
        den_entity order[100];
        populate(r);
        den_everyone_iter it = den_everyone_begin(r->w);
        while (den_everyone_next(&it)) {
            for (uint32_t i = 0; i < it.count; i++) {
                uint64_t value;
                bool has = rig_number(r->w, it.entities[i], cleared[c], &value);
                bool kept =
                    cleared[c] == DEN_COMPONENT_BODY &&
                    (den_pelt_has(r->w, it.entities[i]) || den_marked_has(r->w, it.entities[i]));
                if (has && !kept) order[n++] = it.entities[i];
            }
        }
        assert_true(n > 5);
        rig_forget(r);
        assert_true(clears[c](r->w));
        assert_int_equal(r->count, n);
        for (uint32_t i = 0; i < n; i++) {
            uint64_t value;
            assert_true(r->told[i].removed && r->told[i].component == cleared[c]);
            assert_true(den_same(r->told[i].e, order[i]));
            assert_false(rig_number(r->w, order[i], cleared[c], &value));
        }
        rig_forget(r);
    }
}

// ---- resources

// A resource for each body, by what hooks are told alone.
typedef struct resources {
    void *of[INDICES];
    size_t open;
    size_t opened;
} resources;

static void keep_resources(rig *r, const den_hook_ctx *ctx, const told *t)
{
    resources *all = (resources *)r->more;
    (void)ctx;
    if (t->component != DEN_COMPONENT_BODY) return;
    if (t->removed) {
        assert_non_null(all->of[t->e.bits % INDICES]);
        free(all->of[t->e.bits % INDICES]);
        all->of[t->e.bits % INDICES] = NULL;
        all->open--;
    } else {
        assert_null(all->of[t->e.bits % INDICES]);
        all->of[t->e.bits % INDICES] = malloc(16);
        all->open++;
        all->opened++;
    }
}

static void seed_B5_resources_are_given_back_whichever_way_their_owner_goes(void **state)
{
    (void)state;
    rig *r = rig_open();
    resources *all = (resources *)calloc(1, sizeof *all);
    den_entity e[8];
    assert_non_null(all);
    r->react = keep_resources;
    r->more = all;
    assert_int_equal(den_fox_spawn_many(r->w, 8, NULL, e), 8);
    assert_true(den_body_remove(r->w, e[0]));
    assert_true(den_despawn(r->w, e[1]));
    assert_true(den_cmd_despawn(den_commands(r->w), e[2]));
    assert_true(den_cmd_body_remove(den_commands(r->w), e[3]));
    assert_true(den_cmd_body_remove(den_commands(r->w), e[4]));
    assert_true(den_cmd_body_set(den_commands(r->w), e[4], (den_body){.size = 1}));
    assert_true(den_body_set(r->w, e[5], (den_body){.size = 2})); // keeps what it has
    assert_int_equal(den_flush(r->w), WEFT_OK);
    assert_int_equal(all->opened, 9);
    assert_int_equal(all->open, 4);
    rig_close(r);
    assert_int_equal(all->open, 0);
    free(all);
}

static void look_around(rig *r, const den_hook_ctx *ctx, const told *t)
{
    (void)ctx;
    if (!t->removed) return;
    uint64_t body;
    assert_true(rig_number(r->w, t->e, DEN_COMPONENT_BODY, &body)); // whole to the last
    assert_true(den_seen_has(r->w, t->e));
    assert_int_equal(den_bodies_count(r->w), 1);
}

static void seed_B6_no_dangling_component_is_ever_seen(void **state)
{
    rig *r = (rig *)*state;
    uint64_t number;
    den_entity e = fox_with(r, 4);
    r->react = look_around;
    assert_true(den_despawn(r->w, e));
    r->react = NULL;
    for (uint16_t c = 0; c < KINDS; c++) assert_false(rig_number(r->w, e, c, &number));
    assert_int_equal(den_bodies_count(r->w) + den_scents_count(r->w) + den_watched_count(r->w), 0);
    den_entity next = den_spawn(r->w); // in its place
    assert_int_equal(next.bits % INDICES, e.bits % INDICES);
    for (uint16_t c = 0; c < KINDS; c++) assert_false(rig_number(r->w, next, c, &number));
    rig_forget(r);
    assert_true(den_despawn(r->w, next));
    told_only(r, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(told_of_every_kind_of_component),
        TEST(told_by_reflection_too),
        TEST(edits_in_place_are_not_told),
        TEST(json_is_told_value_by_value),
        TEST(what_is_refused_is_not_told),
        TEST(prefabs_are_told_in_schema_order),
        TEST(many_are_told_one_after_the_other),
        TEST(rows_to_fill_in_are_told_of_with_the_defaults),
        TEST(seed_H4_despawn_tells_of_all_that_goes_in_schema_order),
        TEST(a_tree_is_told_of_children_first),
        cmocka_unit_test(seed_H4_close_tells_of_everybody_in_the_order_of_rows),
        TEST(clearing_a_tag_tells_of_each_in_the_order_of_rows),
        TEST(clearing_a_component_tells_of_each_in_the_order_of_rows),
        cmocka_unit_test(seed_B5_resources_are_given_back_whichever_way_their_owner_goes),
        TEST(seed_B6_no_dangling_component_is_ever_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
