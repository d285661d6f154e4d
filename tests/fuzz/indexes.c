// Random operations on a world with indexes, compared with a scan of all entities. Arguments: the
// number of operations (millions are possible), then the seed.
//
// program: worlds released threads byte_order
// libs: -lm
// flags: hot
// links: index_compare.c index_gauges.c
#define _POSIX_C_SOURCE 200809L // support/progress.h
#include "index_run.h"

#include "../support/progress.h"
#include "index/key.h"
#include "weft_json.h"
#include "weft_reflect.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SLOW_MACHINE
#endif
#endif

// Some bugs showed only after 150,000 operations, so optimised builds do more.
#if defined(WEFT_HARD) || defined(SLOW_MACHINE)
#define OPERATIONS 3000u
#elif defined(NDEBUG)
#define OPERATIONS 160000u
#else
#define OPERATIONS 40000u
#endif

static void change_values(run *r, land_entity e)
{
    switch (dice_below(&r->d, 7)) {
    case 6:
        land_gauge_set(r->w, e, any_gauge(&r->d));
        return;
    case 5:
        land_air_set(r->w, e, any_air(&r->d));
        return;
    case 0:
        land_place_set(r->w, e, any_place(&r->d));
        return;
    case 1:
        land_spot_set(r->w, e, any_spot(&r->d));
        return;
    case 2:
        land_person_set(r->w, e, any_person(r));
        return;
    case 3:
        land_wind_set(r->w, e, any_wind(&r->d));
        return;
    default:
        land_mark_set(r->w, e, any_mark(&r->d));
        return;
    }
}

static void edit_values(run *r, land_entity e)
{
    land_place *place = land_place_edit(r->w, e);
    land_mark *mark = land_mark_edit(r->w, e);
    land_wind_columns wind = land_wind_edit(r->w, e);
    land_air *air = land_air_edit(r->w, e);
    land_gauge *gauge = land_gauge_edit(r->w, e);
    if (place && dice_once_in(&r->d, 2)) *place = any_place(&r->d);
    if (air && dice_once_in(&r->d, 2)) *air = any_air(&r->d);
    if (gauge && dice_once_in(&r->d, 2)) *gauge = any_gauge(&r->d);
    if (mark && dice_once_in(&r->d, 2)) mark->heat = any_number(&r->d);
    if (wind.u && dice_once_in(&r->d, 2)) *wind.u = (float)any_number(&r->d);
}

static void take_away(run *r, land_entity e)
{
    switch (dice_below(&r->d, 10)) {
    case 9:
        land_gauge_remove(r->w, e);
        return;
    case 8:
        land_air_remove(r->w, e);
        return;
    case 0:
        land_place_remove(r->w, e);
        return;
    case 1:
        land_spot_remove(r->w, e);
        return;
    case 2:
        land_person_remove(r->w, e);
        return;
    case 3:
        land_mark_remove(r->w, e);
        return;
    case 4:
        land_frozen_remove(r->w, e);
        return;
    case 5:
        land_wind_remove(r->w, e);
        return;
    case 6:
        land_strip(r->w, e);
        return;
    default:
        land_despawn(r->w, e);
        return;
    }
}

static void change_tags(run *r, land_entity e)
{
    switch (dice_below(&r->d, 6)) {
    case 0:
        land_asleep_set(r->w, e);
        return;
    case 1:
        land_asleep_remove(r->w, e);
        return;
    case 2:
        land_ghost_set(r->w, e);
        return;
    case 3:
        land_ghost_remove(r->w, e);
        return;
    case 4:
        land_frozen_set(r->w, e, (land_frozen){2});
        return;
    default:
        if (dice_once_in(&r->d, 2)) {
            land_under_detach(r->w, e);
        } else {
            land_under_attach(r->w, e, r->all[dice_below(&r->d, r->all_count)]);
        }
        return;
    }
}

static void merge(run *r)
{
    land_world *part = land_fragment_open(NULL);
    if (!part) fail(r, "no memory");
    for (uint32_t turn = 0; turn < 2; turn++) {
        for (uint32_t i = dice_below(&r->d, 20); i != 0; i--) {
            land_entity e = land_walker_spawn(part, NULL);
            land_place_set(part, e, any_place(&r->d));
            if (dice_once_in(&r->d, 2)) land_mark_set(part, e, any_mark(&r->d));
        }
        land_by_tile_near_iter it = land_by_tile_near_begin(part, 0.0f, 0.0f, INFINITY);
        size_t count = 0;
        while (land_by_tile_near_next(&it)) count += land_alive(part, it.entity);
        (void)count;
        if (land_stats(r->w).entities > 700) break;
        if (land_fragment_merge(r->w, part, NULL, 0) != WEFT_OK) fail(r, "no merge");
        if (land_by_tile_nearest(part, 0.0f, 0.0f, 1, r->all) != 0) fail(r, "not empty");
    }
    land_close(part);
    list_all(r);
}

static void save_and_load(run *r)
{
    void *bytes;
    size_t count;
    if (land_save_memory(r->w, &bytes, &count) != WEFT_OK) fail(r, "no save");
    uint64_t hash = land_hash_exact(r->w);
    if (dice_once_in(&r->d, 2)) land_place_clear(r->w);
    if (land_load_memory(r->w, bytes, count) != WEFT_OK) fail(r, land_error(r->w));
    if (hash != land_hash_exact(r->w)) fail(r, "another hash after a load");
    free(bytes);
}

typedef struct text {
    char *bytes;
    size_t count;
} text;

static weft_status append(void *user, const char *piece, size_t bytes)
{
    text *t = (text *)user;
    char *longer = (char *)realloc(t->bytes, t->count + bytes);
    if (!longer) return WEFT_NO_MEMORY;
    memcpy(longer + t->count, piece, bytes);
    t->bytes = longer;
    t->count += bytes;
    return WEFT_OK;
}

// Reads the world back from its text, by which entities get other handles.
static void write_and_read(run *r)
{
    text t = {NULL, 0};
    weft_world *base = land_world_base(r->w);
    if (weft_json_world_write(base, append, &t) != WEFT_OK) fail(r, "no text");
    land_reset(r->w);
    if (weft_json_world_read(base, t.bytes, t.count) != WEFT_OK) fail(r, land_error(r->w));
    free(t.bytes);
    list_all(r);
}

static void change_much(run *r)
{
    land_person all;
    switch (dice_below(&r->d, 14)) {
    case 0:
        land_place_clear(r->w);
        return;
    case 13:
        write_and_read(r);
        return;
    case 10:
        land_folk_asleep_set_all(r->w);
        return;
    case 11:
        land_folk_asleep_remove_all(r->w);
        return;
    case 12:
        all = any_person(r);
        land_folk_person_set_all(r->w, all);
        return;
    case 1:
        land_mark_clear(r->w);
        return;
    case 2:
        land_asleep_clear(r->w);
        return;
    case 3:
        land_frozen_clear(r->w);
        return;
    case 4:
        land_recycle(r->w);
        return;
    case 5:
        land_trim(r->w);
        return;
    case 6:
        merge(r);
        return;
    case 7:
        if (dice_once_in(&r->d, 4)) land_reset(r->w);
        return;
    default:
        save_and_load(r);
        return;
    }
}

static void spawn(run *r)
{
    if (r->all_count > r->population || land_stats(r->w).entities > 900) return;
    land_entity e = dice_once_in(&r->d, 2) ? land_spawn(r->w) : land_walker_spawn(r->w, NULL);
    if (land_is_none(e)) return;
    for (uint32_t i = dice_below(&r->d, 5); i != 0; i--) change_values(r, e);
}

static void operate(run *r)
{
    uint32_t what = dice_below(&r->d, 64);
    list_all(r);
    if (r->all_count == 0 || what < 20) {
        spawn(r);
        return;
    }
    land_entity e = r->all[dice_below(&r->d, r->all_count)];
    if (what < 32) change_values(r, e);
    if (what >= 32 && what < 44) edit_values(r, e);
    if (what >= 44 && what < 54) take_away(r, e);
    if (what >= 54 && what < 62) change_tags(r, e);
    if (what == 62 && land_tick(r->w, 0.1) != WEFT_OK) fail(r, "a tick failed");
    if (what == 61 && dice_once_in(&r->d, 4)) (void)land_fresh_begin(r->w);
    if (what == 63 && dice_once_in(&r->d, 8)) change_much(r);
}

static void *allocate(void *user, size_t bytes)
{
    run *r = (run *)user;
    if (r->short_of_memory && r->allocations_left == 0) return NULL;
    r->allocations_left -= r->short_of_memory;
    r->bytes += bytes;
    return malloc(bytes);
}

static void give_back(void *user, void *memory, size_t bytes)
{
    run *r = (run *)user;
    r->bytes -= memory ? bytes : 0;
    free(memory);
}

static void *reserve(void *user, size_t bytes)
{
    (void)user, (void)bytes;
    return NULL;
}

static bool commit(void *user, void *memory, size_t bytes)
{
    (void)user, (void)memory, (void)bytes;
    return false;
}

static weft_options counted(run *r)
{
    weft_options options = {.user = r};
    options.memory = (weft_memory){allocate, give_back, reserve, commit, give_back, r};
    return options;
}

static void expect_stats(const run *r, const char *name, bool made, size_t count)
{
    weft_index_stats stats = weft_index_stats_by_name(land_world_base(r->w), name);
    if (stats.made != made || stats.entities != count) fail(r, "other numbers of an index");
    if (made ? stats.bytes < count * sizeof(uint32_t) : stats.bytes != 0) fail(r, "other bytes");
}

// Indexes by name return the right names.
static void compare_names(run *r)
{
    const weft_schema *schema = land_schema();
    int number = weft_index_number(schema, "by_wind");
    const weft_index_info *wind = &schema->indexes[number];
    if (number != 2 || wind->kind != WEFT_INDEX_GRID || wind->cell != 4.0) fail(r, "no by_wind");
    if (strcmp(wind->where, "frozen | mark") || wind->field_count != 2) fail(r, "another by_wind");
    if (wind->fields[0] != 1 || wind->fields[1] != 0) fail(r, "other fields of by_wind");
    if (weft_index_number(schema, "by_tiles") != -1) fail(r, "an index that there is not");
    expect_stats(r, "by_tiles", false, 0);
    size_t near = 0;
    size_t hot = 0;
    land_by_tile_near_iter it = land_by_tile_near_begin(r->w, 0.0f, 0.0f, INFINITY);
    while (land_by_tile_near_next(&it)) near++;
    land_by_heat_range_iter heat = land_by_heat_range_begin(r->w, -INFINITY, (double)NAN);
    while (land_by_heat_range_next(&heat)) hot++;
    expect_stats(r, "by_tile", true, near);
    expect_stats(r, "by_heat", true, hot);
    (void)land_by_code_find(r->w, 0); // which brings it up to date
    expect_stats(r, "by_code", true, hot);
}

// Two names with one hash are rare, so this checks the comparison of names directly.
static void compare_words(const run *r)
{
    uint64_t words[2];
    char name[12] = "short\0else"; // behind its end
    if (!weft_key_text(words, "short", sizeof name)) fail(r, "the words of a name");
    if (!weft_key_is(words, name, sizeof name)) fail(r, "a name is not itself");
    name[4] = 'e';
    if (weft_key_is(words, name, sizeof name)) fail(r, "a name is another one");
    memset(name, 0, sizeof name);
    if (weft_key_is(words, name, sizeof name)) fail(r, "a name is none");
}

// Few entities that lie far apart make no grid of all the cells between them.
static void spread_out(void)
{
    static run r;
    weft_options options = counted(&r);
    r.w = land_open(&options);
    if (!r.w) fail(&r, "no memory");
    size_t bytes = r.bytes;
    for (int i = 0; i < 2; i++) {
        land_entity e = land_walker_spawn(r.w, NULL);
        land_place_set(r.w, e, (land_place){4000.0f * (float)i, 4000.0f * (float)i});
        land_spot_set(r.w, e,
                      (land_spot){.x = 88 * i, .y = 88.0f * (float)i, .z = (int16_t)(448 * i)});
    }
    if (land_by_tile_nearest(r.w, 0, 0, 3, r.all) != 2 ||
        land_by_depth_nearest(r.w, 0, 0, 0, 3, r.all) != 2) {
        fail(&r, "another count");
    }
    if (r.bytes - bytes > (size_t)1 << 20) fail(&r, "cells for all that is between");
    land_close(r.w);
}

// Returns the bytes that a world with a crowd at a place takes once its grid is made.
static size_t bytes_of_crowd(float at)
{
    static run r;
    r = (run){.d = {1}};
    weft_options options = counted(&r);
    r.w = land_open(&options);
    if (!r.w) fail(&r, "no memory");
    for (int i = 0; i < 400; i++) {
        land_entity e = land_walker_spawn(r.w, NULL);
        land_place_set(r.w, e, (land_place){at + (float)(i % 20), at + (float)(i / 20)});
    }
    size_t bytes = r.bytes;
    if (land_by_tile_nearest(r.w, at, at, 500, r.all) != 400) fail(&r, "another count");
    bytes = r.bytes - bytes;
    land_close(r.w);
    return bytes;
}

// A grid has cells where its items are, and none between there and zero.
static void crowd_together(void)
{
    static run r;
    size_t bytes = bytes_of_crowd(100.0f);
    if (bytes_of_crowd(-120.0f) != bytes) fail(&r, "a grid below zero takes other memory");
    if (bytes_of_crowd(1e6f) != bytes) fail(&r, "a grid far above zero takes other memory");
    if (bytes_of_crowd(-1e6f) != bytes) fail(&r, "a grid far below zero takes other memory");
}

// Queries indexes while memory is short. Each finds nothing or everything, and everything once
// there is memory again.
static void starve(uint32_t operations)
{
    static run r;
    r = (run){.d = {5}, .population = 700, .starves = true};
    weft_options options = counted(&r);
    r.w = land_open(&options);
    if (!r.w) fail(&r, "no memory");
    for (uint32_t i = 0; i < operations; i++) {
        operate(&r);
        compare(&r);
    }
    land_close(r.w);
}

// Runs the systems with `workers` workers. Returns a hash of the world and of the systems' results.
static uint64_t share(uint32_t workers)
{
    static run r;
    r = (run){.d = {3}, .shared = true};
    weft_options options = {.user = &r, .workers = workers};
    r.w = land_open(&options);
    for (uint32_t i = 0; r.w && i < 900; i++) {
        land_entity e = land_walker_spawn(r.w, NULL);
        land_place_set(r.w, e, (land_place){(float)(i % 30) - 15.0f, (float)(i / 30)});
        if (i % 3 == 0) land_mark_set(r.w, e, any_mark(&r.d));
    }
    for (uint32_t i = 0; r.w && i < 12; i++) {
        if (land_tick(r.w, 0.1) != WEFT_OK) fail(&r, "a tick with workers failed");
    }
    uint64_t hash = r.w ? land_hash_exact(r.w) ^ atomic_load(&r.sum) : 0;
    land_close(r.w);
    return hash;
}

static int compare_hashes(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a;
    uint64_t right = *(const uint64_t *)b;
    return left < right ? -1 : left > right;
}

// Similar keys of several words have different hashes, also in either half: texts that differ in
// two bits, that count up, and that have their words in another order. The hash of two words is one
// number on every machine.
static bool hashes_differ(void)
{
    enum { TEXTS = 20000 };
    static uint64_t hashes[3][TEXTS];
    const uint64_t known[] = {0x3534333231656d61u, 0x36u};
    uint32_t count = 0;
    uint32_t equal[3] = {0, 0, 0};
    for (uint32_t i = 0; i < TEXTS; i++) {
        char name[17] = "aaaaaaaaaaaaaaaa";
        uint64_t words[2];
        uint64_t other[2];
        if (i < 128 * 64) {
            if (i % 128 <= i / 128) continue;
            name[i % 128 / 8] = (char)(name[i % 128 / 8] ^ 1 << i % 8);
            name[i / 1024] = (char)(name[i / 1024] ^ 1 << i / 128 % 8);
        } else {
            snprintf(name, sizeof name, i % 2 ? "%u %u" : "%08u%08u", i / 128, i % 128);
        }
        weft_key_string(words, name, 16);
        if (!weft_key_text(other, name, 16) || memcmp(words, other, 16) != 0) return false;
        hashes[0][count] = weft_key_hash(words, 2);
        hashes[1][count] = hashes[0][count] >> 32;
        hashes[2][count] = hashes[0][count] & UINT32_MAX;
        count++;
    }
    for (uint32_t half = 0; half < 3; half++) {
        qsort(hashes[half], count, sizeof *hashes[half], compare_hashes);
        for (uint32_t i = 1; i < count; i++) {
            equal[half] += hashes[half][i] == hashes[half][i - 1];
        }
    }
    return equal[0] == 0 && equal[1] < 4 && equal[2] < 4 &&
           weft_key_hash(known, 2) == 0x97bf768078edc99au;
}

int main(int argc, char **argv)
{
    uint64_t operations = argc > 1 ? strtoull(argv[1], NULL, 10) : OPERATIONS;
    static run r;
    r.d = (dice){argc > 2 ? strtoull(argv[2], NULL, 10) : 1};
    weft_options options = {.user = &r};
    r.w = land_open(&options);
    if (!r.w) fail(&r, "no memory");
    if (!hashes_differ()) fail(&r, "hashes of keys are equal");
    for (uint64_t i = 0; i < operations; i++) {
        if (i % 4096 == 0) r.population = dice_once_in(&r.d, 2) ? 40 : 700;
        operate(&r);
        if (dice_once_in(&r.d, 3)) compare(&r);
        if (i % 512 == 0) compare_names(&r);
        progress_step("operations", i + 1, operations);
    }
    compare_words(&r);
    spread_out();
    crowd_together();
    starve(OPERATIONS / 10);
    if (share(0) != share(3)) fail(&r, "workers find something else");
    printf("%" PRIu64 " comparisons found %" PRIu64 " entities\n1 passed, 0 failed\n", r.compared,
           r.found);
    land_close(r.w);
    return 0;
}
