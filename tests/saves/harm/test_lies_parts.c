// Part files that are edited word by word, with correct checksums: impossible descriptions, handles
// and indices outside of the part, entities, nodes and links that occur twice. Each is refused for
// that reason, or the rest of the part is loaded. The same for the list of entities that are away,
// in the save of a world.
//
// program: quick moving byte_order
#include "lies_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define NOBODY UINT32_MAX

static int open_rig(void **state)
{
    static lies_part r;
    lies_part_open(&r);
    *state = &r;
    return 0;
}

static int close_rig(void **state)
{
    lies_part_close((lies_part *)*state);
    return 0;
}

// Loads the edited part, undoes the edits, and expects the status and the words of its report.
static void expect(lies_part *r, weft_status status, const char *words)
{
    weft_status found = lies_part_load(r);
    if (found != status || (status != WEFT_OK && !strstr(vault_error(r->trial.w), words))) {
        fail_msg("'%s' is not reported: %d, '%s'", words, found, vault_error(r->trial.w));
    }
    lies_part_restore(r);
}

// Loads the edited part into a world of its own, undoes the edits, and returns the world.
static vault_world *loaded(lies_part *r)
{
    vault_world *w = vault_open(NULL);
    assert_int_equal(vault_load_memory(w, r->start, r->start_count), WEFT_OK);
    lies_part_mend(r);
    assert_int_equal(vault_part_load_memory(w, r->bytes, r->count, NULL, NULL), WEFT_OK);
    lies_part_restore(r);
    return w;
}

static uint64_t two(uint64_t first, uint64_t second)
{
    return first | second << 32;
}

static void test_a_true_part_returns(void **state)
{
    lies_part *r = (lies_part *)*state;
    expect(r, WEFT_OK, "");
    vault_world *w = loaded(r);
    assert_int_equal(vault_everyone_count(w), 4);
    assert_true(vault_same(vault_carried_by_parent(w, B), A));
    assert_true(vault_same(vault_carried_by_parent(w, C), B));
    assert_true(vault_owes_has(w, B, C) && vault_owes_has(w, B, D) && vault_knows_has(w, C, D));
    vault_close(w);
}

// ------------------------------------------------------------------------------------------------
// The description

static void test_a_part_has_one_description(void **state)
{
    lies_part *r = (lies_part *)*state;
    lies_part_double(r, WEFT_SECTION_PART);
    expect(r, WEFT_BAD_FILE, "it has two descriptions of a part");
    lies_part_drop(r, WEFT_SECTION_PART);
    expect(r, WEFT_BAD_FILE, "the save contains a whole world, and no part of one");
}

static void test_a_description_has_as_many_nodes_as_it_states(void **state)
{
    static const uint64_t counts[] = {0, 3, 1000, UINT32_MAX, 1ull << 32, UINT64_MAX};
    lies_part *r = (lies_part *)*state;
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        lies_part_word(r, WEFT_SECTION_PART, 1, counts[i]);
        expect(r, WEFT_BAD_FILE, "its description is malformed");
    }
    lies_part_word(r, WEFT_SECTION_PART, 0, 2);
    expect(r, WEFT_BAD_FILE, "its description is malformed");
    static const uint64_t relations[] = {2, UINT32_MAX};
    for (size_t i = 0; i < sizeof relations / sizeof *relations; i++) {
        lies_part_word(r, WEFT_SECTION_PART, 2, relations[i]);
        expect(r, WEFT_BAD_FILE, "a node of its description is of no relation");
    }
}

// Nodes that no writer makes are left out, or attach the entities where that is possible.
static void test_a_node_between_others_is_left_out(void **state)
{
    static const struct {
        uint32_t child, parent, next;
        uint32_t is; // the parent of B afterwards
    } nodes[] = {
        {IB, IA, 0, IA},         // true
        {IB, IA, ID, IA},        // the next sibling is none
        {IB, IA, IB, IA},        // it is its own sibling
        {IB, IA, 77, IA},        // no entity
        {IB, ID, 0, ID},         // another parent outside
        {IB, IC, 0, NOBODY},     // both inside, and a circle
        {IC, IB, 0, NOBODY},     // both inside, attached already
        {IA, ID, 0, NOBODY},     // both outside
        {IB, IB, 0, NOBODY},     // itself
        {IB, 77, 0, NOBODY},     // no entity
        {77, IA, 0, NOBODY},     // no entity
        {IA, IC, IB, NOBODY},    // the parent is inside, and the child outside
        {1048575, IA, 0, NOBODY} // the last index that a handle can have
    };
    lies_part *r = (lies_part *)*state;
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
        for (int look = 0; look < 2; look++) {
            lies_part_word(r, WEFT_SECTION_PART, 3, lies_handle_of(nodes[i].child));
            lies_part_word(r, WEFT_SECTION_PART, 4, lies_handle_of(nodes[i].parent));
            lies_part_word(r, WEFT_SECTION_PART, 5,
                           nodes[i].next == 0 ? 0 : lies_handle_of(nodes[i].next));
            if (look == 0) {
                expect(r, WEFT_OK, "");
                continue;
            }
            vault_world *w = loaded(r);
            uint64_t parent = vault_carried_by_parent(w, B).bits;
            assert_int_equal(parent, nodes[i].is == NOBODY ? 0 : lies_handle_of(nodes[i].is));
            vault_close(w);
        }
    }
}

static void test_handles_of_nodes_are_those_of_one_generation(void **state)
{
    static const uint64_t handles[] = {0, IA, IA | 2u << 20, IA | 4095u << 20, UINT32_MAX};
    lies_part *r = (lies_part *)*state;
    for (size_t i = 0; i < sizeof handles / sizeof *handles; i++) {
        for (uint32_t word = 3; word < 6; word++) {
            lies_part_word(r, WEFT_SECTION_PART, word, handles[i]);
            vault_world *w = loaded(r);
            assert_int_equal(vault_is_none(vault_carried_by_parent(w, B)), word != 5);
            vault_close(w);
            lies_part_word(r, WEFT_SECTION_PART, word, handles[i]);
            expect(r, WEFT_OK, "");
        }
    }
}

static void test_a_node_that_occurs_twice_is_attached_once(void **state)
{
    const uint64_t body[] = {1, 3, 0, 0, two(HB, HB), HB, two(HA, HA), HD, 0, 0};
    lies_part *r = (lies_part *)*state;
    lies_part_drop(r, WEFT_SECTION_PART);
    lies_part_add(r, WEFT_SECTION_PART, body, 10);
    vault_world *w = loaded(r);
    assert_true(vault_same(vault_carried_by_parent(w, B), A)); // the first one stays
    vault_close(w);
    lies_part_drop(r, WEFT_SECTION_PART);
    lies_part_add(r, WEFT_SECTION_PART, body, 10);
    expect(r, WEFT_OK, "");
}

// ------------------------------------------------------------------------------------------------
// Entities

static void test_rows_are_those_of_the_entities(void **state)
{
    lies_part *r = (lies_part *)*state;
    lies_part_word(r, WEFT_SECTION_ENTITIES, 0, 3);
    expect(r, WEFT_BAD_FILE, "it has more or fewer rows than entities");
    lies_part_word(r, WEFT_SECTION_ENTITIES, 0, 1);
    expect(r, WEFT_BAD_FILE, "a table is malformed");
    lies_part_word(r, WEFT_SECTION_ENTITIES, 0, 2001);
    expect(r, WEFT_BAD_FILE, "its entities are malformed");
    lies_part_double(r, WEFT_SECTION_TABLE);
    expect(r, WEFT_BAD_FILE, "a table is malformed");
    lies_part_drop(r, WEFT_SECTION_TABLE);
    expect(r, WEFT_BAD_FILE, "it has more or fewer rows than entities");
}

static void test_a_row_has_a_handle_of_its_own(void **state)
{
    static const uint64_t handles[] = {HC, IB, 77 | 1u << 20, UINT32_MAX, 0};
    lies_part *r = (lies_part *)*state;
    for (size_t i = 0; i < sizeof handles / sizeof *handles; i++) {
        lies_part_handle(r, 0, handles[i]);
        expect(r, WEFT_BAD_FILE, "the handle of a row is invalid");
    }
}

static void test_gaps_are_of_indices(void **state)
{
    lies_part *r = (lies_part *)*state;
    lies_part_word(r, WEFT_SECTION_ENTITIES, 3, 0);
    expect(r, WEFT_BAD_FILE, "a free index is invalid");
    lies_part_word(r, WEFT_SECTION_ENTITIES, 3, two(HA, 1u << 19)); // downwards, below 0
    lies_part_word(r, WEFT_SECTION_ENTITIES, 1, 2);
    expect(r, WEFT_BAD_FILE, "a free index is invalid");
    lies_part_word(r, WEFT_SECTION_ENTITIES, 1, 0);
    lies_part_word(r, WEFT_SECTION_ENTITIES, 2, 2); // the same bytes, as retired indices
    expect(r, WEFT_OK, "");
    lies_part_word(r, WEFT_SECTION_ENTITIES, 1, UINT32_MAX);
    expect(r, WEFT_BAD_FILE, "its entities are malformed");
    lies_part_word(r, WEFT_SECTION_ENTITIES, 1, 2); // the gap has as many indices as there can be
    lies_part_word(r, WEFT_SECTION_ENTITIES, 3, two(HA, (1u << 19) - 1));
    expect(r, WEFT_OK, "");
}

static void test_entities_that_are_alive_do_not_return(void **state)
{
    lies_part *r = (lies_part *)*state;
    lies_part_handle(r, 1, HA);
    lies_part_drop(r, WEFT_SECTION_RELATION);
    lies_part_drop(r, WEFT_SECTION_LINKS);
    expect(r, WEFT_REFUSED, "entity 0:1 of the part is alive");
}

static void test_entities_that_are_not_away_are_given_up(void **state)
{
    lies_part *r = (lies_part *)*state;
    lies_part_handle(r, 0, IB | 7u << 20); // C is below it
    lies_part_handle(r, 1, IC | 7u << 20);
    expect(r, WEFT_DEAD, "no entity of the part is away");
    lies_part_handle(r, 1, IC | 7u << 20);
    vault_world *w = loaded(r);
    assert_true(vault_alive(w, B));
    assert_true(vault_away(w, C)); // it was not in the file
    vault_close(w);
    lies_part_handle(r, 1, IC | 7u << 20);
    expect(r, WEFT_OK, "");
}

// ------------------------------------------------------------------------------------------------
// Relations, links, sparse values: of indices in the part

static void test_pairs_are_of_entities_of_the_part(void **state)
{
    static const struct {
        uint64_t child, parent;
    } pairs[] = {{IA, IB},         {IC, IA},         {ID, IB}, {IC, 77},
                 {UINT32_MAX, IB}, {IC, UINT32_MAX}, {IC, IC}};
    lies_part *r = (lies_part *)*state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        lies_part_word(r, WEFT_SECTION_RELATION, 2, two(pairs[i].child, pairs[i].parent));
        expect(r, WEFT_BAD_FILE, "a link refers to a missing entity");
    }
    const uint64_t twice[] = {0, 2, two(IC, IB), two(IC, IB)};
    lies_part_drop(r, WEFT_SECTION_RELATION);
    lies_part_add(r, WEFT_SECTION_RELATION, twice, 4);
    expect(r, WEFT_BAD_FILE, "an entity has two parents");
    const uint64_t circle[] = {0, 2, two(IC, IB), two(IB, IC)};
    lies_part_drop(r, WEFT_SECTION_RELATION);
    lies_part_add(r, WEFT_SECTION_RELATION, circle, 4);
    expect(r, WEFT_BAD_FILE, "a link refers to a missing entity");
    lies_part_double(r, WEFT_SECTION_RELATION);
    expect(r, WEFT_BAD_FILE, "an entity has two parents");
    lies_part_word(r, WEFT_SECTION_RELATION, 0, 2);
    expect(r, WEFT_BAD_FILE, "a relation is malformed");
}

static void test_links_are_between_entities_of_the_part(void **state)
{
    static const uint64_t outside[] = {IA, ID, 77, UINT32_MAX};
    lies_part *r = (lies_part *)*state;
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        for (uint32_t word = 2; word < 4; word++) {
            lies_part_word(r, WEFT_SECTION_LINKS, word, outside[i]);
            expect(r, WEFT_BAD_FILE, "a link refers to a missing entity");
        }
    }
    lies_part_double(r, WEFT_SECTION_LINKS);
    expect(r, WEFT_BAD_FILE, "links of a kind occur twice");
    lies_part_word(r, WEFT_SECTION_LINKS, 0, 3);
    expect(r, WEFT_BAD_FILE, "links are of no kind of the save");
    lies_part_word(r, WEFT_SECTION_LINKS, 1, 1ull << 61);
    expect(r, WEFT_BAD_FILE, "links are malformed");
    const uint64_t twice[] = {1, 2, two(IB, IB), two(IC, IC)};
    lies_part_add(r, WEFT_SECTION_LINKS, twice, 4);
    expect(r, WEFT_BAD_FILE, "links are not in their order");
    const uint64_t reversed[] = {1, 1, IC, IB};
    lies_part_add(r, WEFT_SECTION_LINKS, reversed, 4);
    expect(r, WEFT_BAD_FILE, "links are not in their order");
}

// Entities that were away have the links of the world, whatever the part contains.
static void test_links_of_entities_that_return_are_those_of_the_world(void **state)
{
    const uint64_t more[] = {1, 1, IB, IC};
    lies_part *r = (lies_part *)*state;
    lies_part_add(r, WEFT_SECTION_LINKS, more, 4);
    vault_world *w = loaded(r);
    assert_false(vault_knows_has(w, B, C));
    assert_true(vault_owes_has(w, B, C));
    vault_close(w);
    lies_part_drop(r, WEFT_SECTION_LINKS);
    w = loaded(r);
    assert_true(vault_owes_has(w, B, C));
    vault_close(w);
}

static void test_sparse_values_are_of_entities_of_the_part(void **state)
{
    static const uint64_t outside[] = {IA, IC, 77, UINT32_MAX};
    lies_part *r = (lies_part *)*state;
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        lies_part_word(r, WEFT_SECTION_SPARSE, 2, outside[i]);
        expect(r, WEFT_BAD_FILE, "a sparse component ");
    }
}

// ------------------------------------------------------------------------------------------------
// Sections of a world

static void test_sections_of_a_world_are_not_read(void **state)
{
    static const uint32_t kinds[] = {
        WEFT_SECTION_AWAY, WEFT_SECTION_SINGLETON, WEFT_SECTION_CLOCKS,  WEFT_SECTION_SWITCHES,
        WEFT_SECTION_SEED, WEFT_SECTION_EVENT,     WEFT_SECTION_REMOVED, WEFT_SECTION_CHANGE_BITS};
    const uint64_t body[] = {UINT64_MAX, 0, 1ull << 33};
    lies_part *r = (lies_part *)*state;
    vault_world *w = loaded(r);
    uint64_t hash = vault_hash(w);
    vault_close(w);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        lies_part_add(r, kinds[i], body, 3);
        w = loaded(r);
        assert_true(vault_hash(w) == hash);
        vault_close(w);
        lies_part_add(r, kinds[i], body, 3);
        expect(r, WEFT_OK, "");
    }
}

// ------------------------------------------------------------------------------------------------
// The list of entities that are away, in a save of the world

static void expect_away(lies_part *r, const uint64_t *body, uint32_t words, const char *why)
{
    lies_part_take_start(r);
    lies_part_drop(r, WEFT_SECTION_AWAY);
    lies_part_add(r, WEFT_SECTION_AWAY, body, words);
    lies_part_mend(r);
    vault_world *w = vault_open(NULL);
    uint64_t exact = vault_hash_exact(w);
    weft_status status = vault_load_memory(w, r->bytes, r->count);
    if (why) {
        assert_int_equal(status, WEFT_BAD_FILE);
        if (!strstr(vault_error(w), why)) fail_msg("'%s', not '%s'", vault_error(w), why);
        assert_true(vault_hash_exact(w) == exact);
    } else {
        assert_int_equal(status, WEFT_OK);
        assert_true(vault_away(w, B) && vault_away(w, C));
    }
    vault_close(w);
    lies_part_restore(r);
}

static void test_those_away_are_of_indices_without_a_row(void **state)
{
    static const char invalid[] = "the handle of an entity that is away is invalid";
    static const char malformed[] = "its list of entities that are away is malformed";
    static const uint64_t handles[] = {HC, HA, HD, IB, 77 | 1u << 20, UINT32_MAX};
    lies_part *r = (lies_part *)*state;
    expect_away(r, (const uint64_t[]){2, two(HB, HC)}, 2, NULL);
    expect_away(r, (const uint64_t[]){2, two(HC, HB)}, 2, NULL);
    for (size_t i = 0; i < sizeof handles / sizeof *handles; i++) {
        expect_away(r, (const uint64_t[]){2, two(handles[i], HC)}, 2, invalid);
    }
    expect_away(r, (const uint64_t[]){3, two(HB, HC), 5 | 1u << 20}, 3, invalid);
    expect_away(r, (const uint64_t[]){1, HB}, 2, ""); // a link or an index is missing then
    expect_away(r, (const uint64_t[]){0}, 1, "");
    expect_away(r, (const uint64_t[]){3, two(HB, HC)}, 2, malformed);
    expect_away(r, (const uint64_t[]){UINT32_MAX, two(HB, HC)}, 2, malformed);
    expect_away(r, (const uint64_t[]){UINT64_MAX, two(HB, HC)}, 2, malformed);
    expect_away(r, (const uint64_t[]){2, two(HB, HC), 0}, 3, malformed);
}

static void test_those_away_are_listed_once(void **state)
{
    lies_part *r = (lies_part *)*state;
    vault_world *w = vault_open(NULL);
    lies_part_take_start(r);
    lies_part_double(r, WEFT_SECTION_AWAY);
    lies_part_mend(r);
    assert_int_equal(vault_load_memory(w, r->bytes, r->count), WEFT_BAD_FILE);
    assert_non_null(strstr(vault_error(w), "it lists twice which entities are away"));
    vault_close(w);
    lies_part_restore(r);
}

int main(void)
{
#define RIG(test) cmocka_unit_test_setup_teardown(test, open_rig, close_rig)
    const struct CMUnitTest tests[] = {
        RIG(test_a_true_part_returns),
        RIG(test_a_part_has_one_description),
        RIG(test_a_description_has_as_many_nodes_as_it_states),
        RIG(test_a_node_between_others_is_left_out),
        RIG(test_handles_of_nodes_are_those_of_one_generation),
        RIG(test_a_node_that_occurs_twice_is_attached_once),
        RIG(test_rows_are_those_of_the_entities),
        RIG(test_a_row_has_a_handle_of_its_own),
        RIG(test_gaps_are_of_indices),
        RIG(test_entities_that_are_alive_do_not_return),
        RIG(test_entities_that_are_not_away_are_given_up),
        RIG(test_pairs_are_of_entities_of_the_part),
        RIG(test_links_are_between_entities_of_the_part),
        RIG(test_links_of_entities_that_return_are_those_of_the_world),
        RIG(test_sparse_values_are_of_entities_of_the_part),
        RIG(test_sections_of_a_world_are_not_read),
        RIG(test_those_away_are_of_indices_without_a_row),
        RIG(test_those_away_are_listed_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
