// The memory of links grows with the indices, and is released after the last index with a link.
//
// program: quick units portable
#include "fixture.h"
#include "world/relation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

enum { INDICES = 4000, KEPT = 3 };

typedef struct rig {
    fixture_memory memory;
    weft_schema schema;
    weft_plan plan;
    weft_world world;
    weft_relation relation;
} rig;

// A relation with links of many indices, the last of which has KEPT.
static int open_rig(void **state)
{
    static rig r;
    memset(&r, 0, sizeof r);
    r.memory.no_reserve = true;
    r.schema.relation_count = 1;
    r.plan.schema = &r.schema;
    r.world.plan = &r.plan;
    r.world.heap.hooks = fixture_hooks(&r.memory);
    r.world.entities.index_limit = INDICES;
    r.world.relations = &r.relation;
    r.relation.meets = true;
    r.relation.attached = 1;
    *state = &r;
    if (!weft_nodes_grow(&r.world, &r.relation, INDICES - 1)) return 1;
    memset(r.relation.met.base, 0, r.relation.met.bytes);
    memset(r.relation.nodes.base, 0, r.relation.nodes.bytes);
    weft_node_at(&r.relation, KEPT)->parent = 1;
    r.relation.met.base[0] = 5;
    return 0;
}

static int close_rig(void **state)
{
    rig *r = (rig *)*state;
    weft_region_free(&r->world.heap, &r->relation.nodes);
    weft_region_free(&r->world.heap, &r->relation.met);
    return r->memory.held != 0;
}

// Either of the two copies may have no memory: the other is made all the same, and what could not
// be copied stays as it is.
static void test_what_cannot_be_copied_stays(void **state)
{
    rig *r = (rig *)*state;
    const weft_relation before = r->relation;
    assert_int_equal(before.capacity, INDICES);
    r->memory.calls = 0;
    r->memory.fail_at = 2;
    assert_false(weft_relations_trim(&r->world));
    assert_true(r->relation.nodes.bytes < before.nodes.bytes);
    assert_int_equal(r->relation.met.bytes, before.met.bytes);
    r->memory.fail_at = 3;
    assert_false(weft_relations_trim(&r->world)); // the links are as short as they can be
    assert_int_equal(r->relation.met.bytes, before.met.bytes);
    r->memory.fail_at = 0;
    assert_true(weft_relations_trim(&r->world));
    assert_true(r->relation.met.bytes < before.met.bytes);
    assert_true(r->relation.capacity >= KEPT && r->relation.capacity < INDICES);
    assert_int_equal(weft_node_at(&r->relation, KEPT)->parent, 1);
    assert_int_equal(r->relation.met.base[0], 5);
}

static void test_links_that_cannot_be_copied_stay_too(void **state)
{
    rig *r = (rig *)*state;
    const weft_relation before = r->relation;
    r->memory.calls = 0;
    r->memory.fail_at = 1;
    assert_false(weft_relations_trim(&r->world));
    assert_int_equal(r->relation.nodes.bytes, before.nodes.bytes);
    assert_int_equal(r->relation.capacity, INDICES);
    assert_int_equal(weft_node_at(&r->relation, KEPT)->parent, 1);
}

// Without any link no memory is kept.
static void test_a_relation_without_links_gives_all_back(void **state)
{
    rig *r = (rig *)*state;
    r->relation.attached = 0;
    assert_true(weft_relations_trim(&r->world));
    assert_int_equal(r->relation.capacity, 0);
    assert_int_equal(r->memory.held, 0);
}

int main(void)
{
#define RIG(test) cmocka_unit_test_setup_teardown(test, open_rig, close_rig)
    const struct CMUnitTest tests[] = {
        RIG(test_what_cannot_be_copied_stays),
        RIG(test_links_that_cannot_be_copied_stay_too),
        RIG(test_a_relation_without_links_gives_all_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
