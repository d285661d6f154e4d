// The invariants, one function each.
//
// flags: hot
#include "world_check.h"

#include "edit/calls.h"
#include "query/sparse_rows.h"
#include "record/command.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static uint64_t handle_at(const weft_world *world, const weft_table *table, uint32_t row)
{
    return weft_handle_load(world->plan->format, weft_column(table, 0), row);
}

// The record of every entity names the row that holds its handle, and there are no other rows.
static void check_places(const weft_world *world)
{
    uint32_t rows = 0;
    for (uint32_t i = 0; i < world->tables.count; i++) {
        const weft_table *table = world->tables.items[i];
        assert_int_equal(table->id, i);
        assert_true(table->count <= table->capacity);
        for (uint32_t row = 0; row < table->count; row++) {
            weft_place at = {0, 0};
            uint64_t handle = handle_at(world, table, row);
            assert_true(weft_find(&world->entities, world->plan->format, handle, &at));
            assert_int_equal(at.table, i);
            assert_int_equal(at.row, row);
        }
        rows += table->count;
    }
    assert_int_equal(rows, weft_entities_live(&world->entities));
}

// Checks the data that direct calls rely on, and that no index above those handed out is alive.
static void check_indices(const weft_world *world)
{
    const weft_entities *e = &world->entities;
    uint32_t end = world->now.running ? 0 : e->index_capacity;
    assert_int_equal(e->find_end, end);
    assert_int_equal(e->take_end, end < e->live_limit ? end : e->live_limit);
    for (size_t i = (size_t)e->index_count * e->record_bytes;
         i < (size_t)e->index_capacity * e->record_bytes; i++) {
        assert_int_equal(((const unsigned char *)e->records.base)[i], 0);
    }
}

static void check_columns(const weft_world *world)
{
    for (uint32_t i = 0; i < world->tables.count; i++) {
        const weft_table *table = world->tables.items[i];
        assert_ptr_equal(weft_tables_find(&world->tables, world->plan, table->set), table);
        for (uint32_t column = 1; column < world->plan->first_bitset; column++) {
            uint16_t component = world->plan->columns[column].component;
            assert_int_equal(weft_column(table, column) != NULL,
                             weft_set_has(table->set, component));
        }
        for (uint32_t word = 0; word < world->plan->set_words; word++) {
            assert_int_equal(table->set[word] & ~world->shared.table_set[word], 0);
        }
    }
}

// Checks that a list contains exactly the tables that say so, in canonical order, and has space for
// all tables that ever existed. If `matches` is NULL, it is the list of all tables.
static void check_list(const weft_world *world, const weft_query *query, weft_matches matches)
{
    uint32_t listed = 0;
    uint32_t placed = 0;
    for (uint32_t i = 0; i < world->tables.count; i++) {
        const weft_table *table = world->tables.items[i];
        if (matches && !matches(table)) continue;
        listed += table->listed;
        placed += table->placed;
    }
    assert_int_equal(query->count, listed);
    assert_int_equal(query->places, placed);
    assert_true(query->places <= query->capacity);
    for (uint32_t i = 0; i < query->count; i++) {
        assert_true(query->tables[i]->listed);
        assert_true(!matches || matches(query->tables[i]));
        if (i == 0) continue;
        assert_true(weft_table_compare(world->plan, query->tables[i - 1], query->tables[i]) < 0);
    }
}

// Every table with rows is listed, and one that is not has no capacity that a row could be given.
static void check_queries(const weft_world *world)
{
    for (uint32_t i = 0; i < world->tables.count; i++) {
        const weft_table *table = world->tables.items[i];
        assert_true(table->listed || (table->count == 0 && table->capacity == 0));
        assert_true(!table->listed || (table->placed && table->capacity_kept == 0));
    }
    for (uint32_t q = 0; q < world->plan->query_count; q++) {
        check_list(world, &world->queries[q], world->plan->queries[q].matches);
    }
    check_list(world, &world->lists.every_table, NULL);
}

static uint32_t members_of(const weft_world *world, const weft_table *table, uint32_t column)
{
    const weft_plan *plan = world->plan;
    uint16_t store = plan->components[plan->columns[column].component].sparse;
    return store == WEFT_NONE ? table->bitset_counts[column - plan->first_bitset]
                              : weft_sparse_rows_count(world, table, store, column);
}

// Checks that bitsets have the right number of bits, and none after the last row.
static void check_bitsets(const weft_world *world)
{
    const weft_plan *plan = world->plan;
    for (uint32_t i = 0; i < world->tables.count; i++) {
        const weft_table *table = world->tables.items[i];
        for (uint32_t column = plan->first_bitset; column < plan->column_count; column++) {
            const uint64_t *words = weft_column(table, column);
            uint32_t bits = 0;
            for (uint32_t row = 0; words && row < (table->capacity + 63) / 64 * 64; row++) {
                bool set = words[row / 64] >> (row % 64) & 1u;
                assert_false(set && row >= table->count);
                bits += set;
            }
            assert_int_equal(members_of(world, table, column), bits);
        }
    }
}

// A row has the bit of a sparse component exactly if its index has a value, and there are no other
// values.
static void check_sparse(const weft_world *world)
{
    const weft_plan *plan = world->plan;
    for (uint32_t s = 0; s < plan->sparse_count; s++) {
        const weft_component_plan *c = &plan->components[plan->sparse_components[s]];
        uint32_t values = 0;
        for (uint32_t i = 0; i < world->tables.count; i++) {
            const weft_table *table = world->tables.items[i];
            for (uint32_t row = 0; row < table->count; row++) {
                uint32_t index = weft_handle_index(plan->format, handle_at(world, table, row));
                bool bit = weft_bitset_bit(table, (uint32_t)plan->first_bitset + c->bitset, row);
                assert_int_equal(weft_sparse_find(&world->sparse[s], index) != NULL, bit);
                values += bit;
            }
        }
        assert_int_equal(values, weft_sparse_count(&world->sparse[s]));
    }
}

static void check_rules_of(const fixture *f, const bool *has)
{
    for (uint32_t c = 0; c < COMPONENTS; c++) {
        for (uint32_t other = 0; has[c] && other < COMPONENTS; other++) {
            assert_false(weft_set_has(f->closures[c], other) && !has[other]);
            assert_false(weft_set_has(f->conflicts[c], other) && has[other]);
        }
    }
}

static void check_rules(const fixture *f, const weft_world *world)
{
    for (uint32_t i = 0; i < world->tables.count; i++) {
        const weft_table *table = world->tables.items[i];
        for (uint32_t row = 0; row < table->count; row++) {
            bool has[COMPONENTS];
            for (uint32_t c = 0; c < COMPONENTS; c++) {
                has[c] = weft_component_has(world, handle_at(world, table, row), c);
            }
            check_rules_of(f, has);
        }
    }
}

// Scratch memory of commands is as applying left it: no stamps but old ones.
static void check_scratch(const weft_world *world)
{
    const weft_chains *chains = &world->scratch.chains;
    const uint32_t *last = (const uint32_t *)(const void *)chains->last.base;
    for (size_t i = 0; i < chains->last.bytes / sizeof *last; i++) {
        assert_true(last[i] <= chains->stamps);
    }
}

void world_check_storage(const weft_world *world)
{
    check_places(world);
    check_indices(world);
    check_columns(world);
    check_queries(world);
    check_bitsets(world);
    check_sparse(world);
}

void world_check(const fixture *f, weft_world *world)
{
    world_check_storage(world);
    check_rules(f, world);
    check_scratch(world);
}
