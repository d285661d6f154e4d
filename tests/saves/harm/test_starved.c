// Loads that lack memory for one block of their data about the save (save/scratch.h). Arrays share
// a block, so a failing block fails only the array that comes first in it. A schema that is longer
// by a few bytes each time moves the blocks, until each array has been the first of one.
//
// program: worlds
#include "before.h"
#include "crypt.h"
#include "filled.h"
#include "lived.h"
#include "parts.h"
#include "vault.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

// In hard mode each array is a block of its own, and the schema stays as it is.
#ifdef WEFT_HARD
enum { BLOCK_BYTES = 0, MORE_MOST = 1 };
#else
enum { BLOCK_BYTES = 4096, MORE_MOST = 512 }; // pointers to as many take the bytes of a block
#endif
enum { SAVE_BYTES = 128 * 1024, KINDS_MOST = 64 };

// What the schema of the save has more: values of an enum, at its beginning, tags, and relations,
// at its end.
typedef struct longer {
    uint32_t values;
    uint32_t tags;
    uint32_t relations;
} longer;

// Memory that is not to be had once: for the `fail_at`th request of at least `least` bytes.
typedef struct hunger {
    size_t least;
    size_t fail_at; // counted from 1; 0: never
    size_t calls;
    size_t held;
} hunger;

static void *allocate(void *user, size_t bytes)
{
    hunger *h = (hunger *)user;
    if (bytes >= h->least && ++h->calls == h->fail_at) return NULL;
    h->held += bytes;
    return malloc(bytes);
}

static void give_back(void *user, void *block, size_t bytes)
{
    ((hunger *)user)->held -= block ? bytes : 0;
    free(block);
}

static void *no_reserve(void *user, size_t bytes)
{
    (void)user;
    (void)bytes;
    return NULL;
}

static bool no_commit(void *user, void *block, size_t bytes)
{
    (void)user;
    (void)block;
    (void)bytes;
    return false;
}

static void no_release(void *user, void *block, size_t bytes)
{
    (void)user;
    (void)block;
    (void)bytes;
}

typedef struct rig {
    hunger hunger;
    vault_world *w;
    unsigned char *bytes; // of a save
    size_t count;
    weft_schema schema; // that it was written by
    unsigned char longer[SAVE_BYTES];
    size_t longer_count;
} rig;

static rig *new_rig(uint32_t workers)
{
    static rig r;
    dice d = {9};
    r = (rig){.hunger = {.least = BLOCK_BYTES}};
    weft_memory hooks = {allocate, give_back, no_reserve, no_commit, no_release, &r.hunger};
    r.w = vault_open(&(weft_options){.memory = hooks, .workers = workers});
    assert_non_null(r.w);
    filled_spawn(vault_world_base(r.w), &d, 5);
    assert_int_equal(vault_flush(r.w), WEFT_OK);
    return &r;
}

static int open_rig(void **state)
{
    dice d = {1};
    void *bytes;
    rig *r = new_rig(0);
    vault_world *w = vault_open(NULL);
    assert_non_null(w);
    filled_spawn(vault_world_base(w), &d, 14);
    lived(w, &d);
    r->schema = *vault_world_base(w)->plan->schema;
    assert_int_equal(vault_save_memory(w, &bytes, &r->count), WEFT_OK);
    r->bytes = (unsigned char *)bytes;
    vault_close(w);
    *state = r;
    return 0;
}

// With a save from before the schema has changed, and workers.
static int open_rig_before(void **state)
{
    dice d = {4};
    rig *r = new_rig(2);
    crypt_world *w = crypt_open(NULL);
    assert_non_null(w);
    r->schema = *crypt_world_base(w)->plan->schema;
    crypt_close(w);
    r->bytes = before_save(&d, 14, &r->count);
    *state = r;
    return 0;
}

static int close_rig(void **state)
{
    rig *r = (rig *)*state;
    vault_close(r->w);
    free(r->bytes);
    return r->hunger.held != 0;
}

// ------------------------------------------------------------------------------------------------
// A longer schema

static bool append(void *to, const void *bytes, size_t count)
{
    rig *r = (rig *)to;
    assert_true(r->longer_count + count <= SAVE_BYTES);
    memcpy(r->longer + r->longer_count, bytes, count);
    r->longer_count += count;
    return true;
}

// Makes the save again by a schema with more, to which nothing refers, and as if another Weft wrote
// it.
static void lengthen(rig *r, longer more)
{
    static const char *names[MORE_MOST];
    static weft_enum_info enums[KINDS_MOST];
    static weft_component_info components[KINDS_MOST + MORE_MOST];
    static weft_relation_info relations[KINDS_MOST + MORE_MOST];
    weft_schema schema = r->schema;
    parts p;
    assert_true(schema.enum_count < KINDS_MOST && schema.component_count < KINDS_MOST);
    for (uint32_t i = 0; i < more.values; i++) names[i] = "of no use";
    memcpy(enums, schema.enums, schema.enum_count * sizeof *enums);
    memcpy(components, schema.components, schema.component_count * sizeof *components);
    memcpy(relations, schema.relations, schema.relation_count * sizeof *relations);
    enums[schema.enum_count++] = (weft_enum_info){
        .name = "padding", .type = WEFT_TYPE_U32, .count = more.values, .values = names};
    for (uint32_t i = 0; i < more.tags; i++) {
        components[schema.component_count++] =
            (weft_component_info){.name = "of no use", .storage = WEFT_STORAGE_TAG};
    }
    for (uint32_t i = 0; i < more.relations; i++) {
        relations[schema.relation_count++] = (weft_relation_info){.name = "of no use"};
    }
    schema.components = components;
    schema.relations = relations;
    schema.name = "vault";
    schema.enums = enums;
    assert_true(parts_find(&p, r->bytes, r->count) && p.items[0].kind == WEFT_SECTION_SCHEMA);
    size_t behind = p.items[0].at + p.items[0].count + WEFT_WORD_BYTES;
    weft_sink sink = {.write = append, .to = r, .piece_bytes = WEFT_PIECE_BYTES};
    r->longer_count = 0;
    append(r, r->bytes, WEFT_SAVE_HEAD_BYTES);
    weft_write_section(&sink, WEFT_SECTION_SCHEMA, 0, part_of_schema, &schema);
    append(r, r->bytes + behind, r->count - behind);
    assert_true(parts_find(&p, r->longer, r->longer_count));
    for (uint32_t i = 0; i < p.count; i++) {
        if (p.items[i].kind != WEFT_SECTION_VERSION) continue;
        weft_little_write(r->longer + p.items[i].at, 8, 71203);
    }
    parts_mend(&p, r->longer, r->longer_count);
}

// Loads with each block missing in turn; returns how many there are.
static size_t load_starved(rig *r)
{
    size_t turn = 1;
    for (;; turn++) {
        uint64_t exact = vault_hash_exact(r->w);
        size_t held = r->hunger.held;
        r->hunger.calls = 0;
        r->hunger.fail_at = turn;
        weft_status status = vault_load_memory(r->w, r->longer, r->longer_count);
        bool reached = r->hunger.calls >= turn;
        r->hunger.fail_at = 0;
        if (status == WEFT_OK && !reached) return turn - 1;
        if (status == WEFT_OK) continue; // it did without, as where address space is not to be had
        assert_int_equal(status, WEFT_NO_MEMORY);
        assert_string_equal(vault_error(r->w), "no memory to load the save"); // by whatever version
        assert_true(vault_hash_exact(r->w) == exact);
        assert_int_equal(r->hunger.held, held);
    }
}

static void test_each_array_without_memory_leaves_the_world(void **state)
{
    rig *r = (rig *)*state;
    for (uint32_t i = 0; i < MORE_MOST; i += 2) {
        lengthen(r, (longer){.values = i});
        assert_true(load_starved(r) > 2);
    }
    for (uint32_t i = 0; i < MORE_MOST; i++) {
        lengthen(r, (longer){.values = i % 3 * 2, .relations = i / 3});
        load_starved(r);
    }
    for (uint32_t i = 0; i < MORE_MOST; i++) {
        lengthen(r, (longer){.values = i % 8 * 2, .tags = i / 8});
        load_starved(r);
    }
}

// Each allocation, of whatever size.
static void test_each_allocation_that_fails_leaves_the_world(void **state)
{
    rig *r = (rig *)*state;
    r->hunger.least = 0;
    lengthen(r, (longer){0});
    assert_true(load_starved(r) > 60);
}

int main(void)
{
#define RIG(test) cmocka_unit_test_setup_teardown(test, open_rig, close_rig)
#define BEFORE(test) cmocka_unit_test_setup_teardown(test, open_rig_before, close_rig)
    const struct CMUnitTest tests[] = {
        RIG(test_each_array_without_memory_leaves_the_world),
        BEFORE(test_each_array_without_memory_leaves_the_world),
        RIG(test_each_allocation_that_fails_leaves_the_world),
        BEFORE(test_each_allocation_that_fails_leaves_the_world),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
