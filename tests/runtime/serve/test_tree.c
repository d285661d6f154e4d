// The tree of a relation: windows of children in both directions compared with the list of all
// children, and ancestors.
//
// program: still byte_order
#include "undoing.h"

enum { MANY = 65537, CHILDREN = 23 };

static void assert_has(const char *answer, const char *words)
{
    if (!strstr(answer, words)) fail_msg("'%s' is missing in %.800s", words, answer);
}

// Asks for children of an entity: `cursor` is "after" or "before" a child, or NULL.
static const char *children(const desk *d, desk_entity parent, const char *cursor,
                            desk_entity child, uint32_t limit)
{
    char params[256];
    const int used = snprintf(params, sizeof params, "{\"relation\": \"under\", \"id\": \"%s\"",
                              handle_text(parent));
    char *rest = params + used;
    const size_t left = sizeof params - (size_t)used;
    if (cursor)
        snprintf(rest, left, ", \"%s\": \"%s\", \"limit\": %u}", cursor, handle_text(child), limit);
    else
        snprintf(rest, left, ", \"limit\": %u}", limit);
    return call(d, "children", params);
}

// Asserts that an answer lists these children in this order.
static void assert_lists(const char *answer, const desk_entity *some, uint32_t count)
{
    char text[64];
    const char *at = answer;
    assert_int_equal(count_of(answer, "\"has_children\""), count);
    for (uint32_t i = 0; i < count; i++) {
        snprintf(text, sizeof text, "{\"id\":\"%s\",", handle_text(some[i]));
        at = strstr(at, text);
        if (!at) fail_msg("%s is missing, or in another place, in %.800s", text, answer);
    }
}

static void windows_begin_at_every_child(void **state)
{
    (void)state;
    desk d = open_desk();
    const desk_entity parent = desk_spawn(d.world);
    desk_entity all[CHILDREN];
    for (uint32_t i = 0; i < CHILDREN; i++) {
        all[i] = desk_spawn(d.world);
        desk_under_append(d.world, all[i], parent);
    }
    assert_has(children(&d, parent, NULL, parent, 500),
               "\"earlier\":false,\"later\":false,\"total\":23}");
    assert_lists(children(&d, parent, NULL, parent, 5), all, 5);
    assert_has(children(&d, parent, NULL, parent, 5), "\"earlier\":false,\"later\":true,");
    for (uint32_t i = 0; i < CHILDREN; i++) {
        const uint32_t after = CHILDREN - i - 1 < 5 ? CHILDREN - i - 1 : 5;
        const uint32_t before = i < 5 ? i : 5;
        const char *answer = children(&d, parent, "after", all[i], 5);
        assert_lists(answer, all + i + 1, after);
        assert_has(answer, i + 6 < CHILDREN ? "\"later\":true" : "\"later\":false");
        answer = children(&d, parent, "before", all[i], 5);
        assert_lists(answer, all + i - before, before);
        assert_has(answer, i > 5 ? "\"earlier\":true" : "\"earlier\":false");
    }
    close_desk(&d);
}

// Children that were attached as first ones have another order of links.
static void children_that_have_children_are_marked(void **state)
{
    (void)state;
    desk d = open_desk();
    desk_entity some[4];
    for (uint32_t i = 0; i < 4; i++) some[i] = desk_spawn(d.world);
    desk_under_attach(d.world, some[1], some[0]);
    desk_under_attach(d.world, some[2], some[0]);
    desk_under_attach(d.world, some[3], some[1]);
    desk_inside_attach(d.world, some[3], some[2]); // another relation
    const char *answer = children(&d, some[0], NULL, some[0], 9);
    assert_has(answer,
               "[{\"id\":\"2:1\",\"has_children\":false},{\"id\":\"1:1\",\"has_children\":true}]");
    assert_lists(children(&d, some[0], "before", some[1], 9), &some[2], 1);
    assert_has(children(&d, some[3], NULL, some[3], 9),
               "{\"children\":[],\"earlier\":false,\"later\":false,\"total\":0}");
    desk_under_detach(d.world, some[2]);
    assert_refused(children(&d, some[0], "after", some[2], 9), REFUSED,
                   "2:1 is no longer a child of 0:1");
    desk_despawn(d.world, some[0]);
    assert_refused(children(&d, some[0], NULL, some[0], 9), REFUSED, "is no longer alive");
    close_desk(&d);
}

static void children_are_counted_up_to_a_limit(void **state)
{
    (void)state;
    desk d = open_desk();
    const desk_entity parent = desk_spawn(d.world);
    for (uint32_t i = 0; i < MANY; i++) {
        desk_under_attach(d.world, desk_spawn(d.world), parent);
        if (i == 65535) assert_has(children(&d, parent, NULL, parent, 1), "\"total\":65536}");
        if (i == 65536) assert_has(children(&d, parent, NULL, parent, 1), "\"total\":null}");
    }
    assert_int_equal(count_of(children(&d, parent, NULL, parent, 500), "\"has_children\""), 500);
    close_desk(&d);
}

static void ancestors_are_listed_from_the_nearest(void **state)
{
    (void)state;
    desk d = open_desk();
    desk_entity above = desk_spawn(d.world);
    assert_has(call(&d, "ancestors", "{\"relation\": \"under\", \"id\": \"0:1\"}"),
               "{\"has_children\":false,\"ancestors\":[],\"higher\":false}");
    for (uint32_t i = 0; i < 1001; i++) {
        const desk_entity one = desk_spawn(d.world);
        desk_under_attach(d.world, one, above);
        above = one;
    }
    assert_has(call(&d, "ancestors", "{\"relation\": \"under\", \"id\": \"3:1\"}"),
               "{\"has_children\":true,\"ancestors\":[\"2:1\",\"1:1\",\"0:1\"],\"higher\":false}");
    assert_has(call(&d, "ancestors", "{\"relation\": \"under\", \"id\": \"1000:1\"}"),
               "\"0:1\"],\"higher\":false}");
    assert_has(call(&d, "ancestors", "{\"relation\": \"under\", \"id\": \"1001:1\"}"),
               "\"1:1\"],\"higher\":true}");
    close_desk(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(windows_begin_at_every_child),
        cmocka_unit_test(children_that_have_children_are_marked),
        cmocka_unit_test(children_are_counted_up_to_a_limit),
        cmocka_unit_test(ancestors_are_listed_from_the_nearest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
