// Selections of entities by their links: from(owes), to(owes), with and without bits of rows.
//
// program: worlds quick
#include "../../fuzz/dice.h"
#include "ties_hooks.h"
#include "weft_reflect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { COUNT = 150 };

typedef struct linkage {
    ties_world *w;
    ties_entity e[COUNT];
} linkage;

static linkage linkage_open(uint64_t seed, uint32_t links)
{
    dice d = {seed};
    linkage t = {.w = ties_open(NULL)};
    for (uint32_t i = 0; i < COUNT; i++) {
        t.e[i] = ties_spawn(t.w);
        if (dice_below(&d, 2)) ties_place_set(t.w, t.e[i], (ties_place){.x = (int32_t)i});
    }
    for (uint32_t i = 0; i < links; i++) {
        ties_entity a = t.e[dice_below(&d, COUNT)], b = t.e[dice_below(&d, COUNT)];
        ties_owes_set(t.w, a, b, ties_owes_defaults());
        ties_sees_set(t.w, b, a);
        ties_likes_set(t.w, a, t.e[dice_below(&d, COUNT)], ties_likes_defaults());
    }
    return t;
}

// Returns the number of entities that a selection finds. Each must pass `passes`, and no other may.
static uint32_t find_all(const linkage *t, const char *text,
                         bool (*passes)(const ties_world *w, ties_entity e))
{
    bool found[COUNT] = {false};
    uint32_t count = 0;
    weft_select select = weft_select_begin(ties_world_base(t->w), text);
    assert_int_equal(select.status, WEFT_OK);
    while (weft_select_next(&select)) found[select.handle & 0xFFFF] = true;
    weft_select_end(&select);
    for (uint32_t i = 0; i < COUNT; i++) {
        if (ties_alive(t->w, t->e[i])) assert_int_equal(found[i], passes(t->w, t->e[i]));
        count += found[i];
    }
    return count;
}

static bool owes_some(const ties_world *w, ties_entity e)
{
    return ties_owes_count_from(w, e) != 0;
}

static bool sees_to(const ties_world *w, ties_entity e)
{
    return ties_sees_count_to(w, e) != 0;
}

static bool likes_any(const ties_world *w, ties_entity e)
{
    return ties_likes_count_from(w, e) != 0;
}

static bool placed_debtor(const ties_world *w, ties_entity e)
{
    return ties_place_has(w, e) && owes_some(w, e) && !sees_to(w, e);
}

static void entities_are_found_by_their_links(void **state)
{
    (void)state;
    static const uint32_t links[] = {0, 1, 20, 100, 600};
    for (uint32_t i = 0; i < 5; i++) {
        linkage t = linkage_open(i, links[i]);
        for (uint32_t round = 0; round < 3; round++) {
            uint32_t debtors = find_all(&t, "from(owes)", owes_some);
            assert_true((debtors != 0) == (ties_owes_count(t.w) != 0));
            find_all(&t, "to(sees)", sees_to);
            find_all(&t, " from( likes )", likes_any);
            find_all(&t, "to(likes)", likes_any);
            find_all(&t, "place & from(owes) & !to(sees)", placed_debtor);
            if (round == 0) ties_despawn(t.w, t.e[7]);
            if (round == 1) ties_owes_clear(t.w);
        }
        ties_close(t.w);
    }
}

static void wrong_expressions_are_refused(void **state)
{
    (void)state;
    static const char *const wrongs[][2] = {
        {"from(ows)", "column 6: there is no link 'ows', did you mean 'owes'?"},
        {"to()", "column 4: a link should be here: there is owes, knows, likes, sees"},
        {"from(owes", "column 10: ')' should be here"},
        {"from", "column 1: from(…) takes a link in parentheses"},
        {"owes", "column 1: 'owes' is a link: write from(owes) or to(owes)"},
        {"root(owes)", "column 6: there is no relation 'owes': there is part_of"},
        {"fron(owes)",
         "column 1: there is no component, relation or test 'fron', did you mean 'from'"},
    };
    ties_world *w = ties_open(NULL);
    for (uint32_t i = 0; i < sizeof wrongs / sizeof *wrongs; i++) {
        weft_select select = weft_select_begin(ties_world_base(w), wrongs[i][0]);
        assert_int_not_equal(select.status, WEFT_OK);
        if (!strstr(ties_error(w), wrongs[i][1])) fail_msg("%s", ties_error(w));
    }
    ties_close(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entities_are_found_by_their_links),
        cmocka_unit_test(wrong_expressions_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
