// Values of every shape: after each random write exactly the values that differ are reported, each
// with its old and new value.
//
// program: worlds byte_order
#include "attic_insight.h"

#include "value/text.h"
#include "weft_reflect.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BOXES = 70, ROUNDS = 300, LEAVES = 3200, KEPT_BYTES = 24 };

void attic_dust(const attic_dust_ctx *ctx, uint32_t count, const attic_sign *sign)
{
    (void)ctx, (void)count, (void)sign;
}

// Writes to the chart at the end of its turn, if the test asks for it.
static bool sweeps;

void attic_sweep_begin(const attic_sweep_ctx *ctx)
{
    (void)ctx;
}

void attic_sweep(const attic_sweep_ctx *ctx, uint32_t count, attic_tag *tag)
{
    (void)ctx, (void)count, (void)tag;
}

void attic_sweep_end(const attic_sweep_ctx *ctx)
{
    if (sweeps) ctx->chart->cells[7]++;
}

// -------------------------------------------------------------------------------------------------
// Values as texts

typedef struct leaf_text {
    uint32_t sum; // of the path: it tells most others apart
    char path[40];
    char text[WEFT_LEAF_TEXT_BYTES];
} leaf_text;

typedef struct leaves {
    const weft_plan *plan;
    uint32_t count;
    leaf_text all[LEAVES];
} leaves;

static uint32_t sum_of(const char *path)
{
    uint32_t sum = 0;
    while (*path != '\0') sum = sum * 31 + (unsigned char)*path++;
    return sum;
}

static bool note_leaf(void *context, const char *path, const weft_leaf_ref *leaf)
{
    leaves *to = context;
    assert_true(to->count < LEAVES);
    leaf_text *text = &to->all[to->count++];
    snprintf(text->path, sizeof text->path, "%s", path);
    text->sum = sum_of(text->path);
    weft_leaf_text(to->plan, leaf, text->text);
    return true;
}

static void note_leaves(attic_world *world, attic_entity e, const char *owner, leaves *to)
{
    weft_world *base = attic_world_base(world);
    const weft_schema *schema = attic_schema();
    static unsigned char plain[4096];
    to->plan = base->plan;
    to->count = 0;
    if (strcmp(owner, "chart") == 0) {
        const weft_singleton_info *info = &schema->singletons[0];
        weft_leaves_visit(schema, info->fields, info->field_count, attic_chart_get(world),
                          note_leaf, to);
        return;
    }
    for (uint32_t i = 0; i < schema->component_count; i++) {
        const weft_component_info *info = &schema->components[i];
        if (strcmp(info->name, owner) != 0) continue;
        assert_int_equal(weft_component_get_by_name(base, e.bits, owner, plain, info->size),
                         WEFT_OK);
        weft_leaves_visit(schema, info->fields, info->field_count, plain, note_leaf, to);
    }
}

static bool is_of(const leaf_text *text, const leaf_text *of)
{
    return text->sum == of->sum && strcmp(text->path, of->path) == 0;
}

// Returns what was noted of the path of a leaf, which is likely to stand at a place. "": nothing.
static const char *text_at(const leaves *from, uint32_t place, const leaf_text *of)
{
    if (place < from->count && is_of(&from->all[place], of)) return from->all[place].text;
    for (uint32_t i = 0; i < from->count; i++) {
        if (is_of(&from->all[i], of)) return from->all[i].text;
    }
    return "";
}

// Asserts that a text was told, of which the ring keeps only the beginning where it is long.
static void assert_text(const char *told, const char *whole)
{
    char kept[WEFT_LEAF_TEXT_BYTES];
    snprintf(kept, sizeof kept, "%s", whole);
    if (whole[0] == '"' && strlen(whole) > KEPT_BYTES + 2) strcpy(kept + 1 + KEPT_BYTES, "\"");
    assert_string_equal(told, kept);
}

static void assert_told(attic_world *world, attic_entity e, const char *owner, const leaf_text *of,
                        const char *before, const char *after)
{
    char path[80];
    weft_write write;
    snprintf(path, sizeof path, "%s.%s", owner, of->path);
    assert_int_not_equal(attic_trace(world, e, path, &write, 1), 0);
    assert_string_equal(write.path, of->path);
    assert_int_equal(write.kind, WEFT_WRITE_VALUE);
    assert_int_equal(write.tick, attic_stats(world).ticks - 1);
    assert_text(write.before, before);
    assert_text(write.after, after);
}

// Asserts that what differs is told of the last tick. Returns in how many places that is.
static uint32_t assert_differences(attic_world *world, attic_entity e, const char *owner,
                                   const leaves *before, const leaves *after)
{
    static weft_write writes[2 * LEAVES];
    uint32_t differing = 0;
    uint32_t told = 0;
    for (uint32_t i = 0; i < after->count; i++) {
        const char *was = text_at(before, i, &after->all[i]);
        if (strcmp(was, after->all[i].text) == 0) continue;
        assert_told(world, e, owner, &after->all[i], was, after->all[i].text);
        differing++;
    }
    for (uint32_t i = 0; i < before->count; i++) {
        if (*text_at(after, i, &before->all[i]) != '\0') continue;
        assert_told(world, e, owner, &before->all[i], before->all[i].text, "");
        differing++;
    }
    uint32_t count = (uint32_t)attic_trace(world, e, owner, writes, 2 * LEAVES);
    for (uint32_t i = 0; i < count; i++) {
        const weft_write *write = &writes[i];
        bool now = write->kind == WEFT_WRITE_VALUE && write->tick == attic_stats(world).ticks - 1;
        told += now && strcmp(write->before, write->after) != 0;
    }
    assert_int_equal(told, differing);
    return differing;
}

// -------------------------------------------------------------------------------------------------
// Random writes

static uint32_t below(weft_rng *rng, uint32_t bound)
{
    return weft_rng_below(rng, bound);
}

// Fills a text of so many bytes, or a part of it, or only what lies behind its end.
static void write_text(weft_rng *rng, char *text, uint32_t bytes)
{
    const uint32_t length = below(rng, bytes + 1);
    if (below(rng, 4) == 0) {
        char *end = memchr(text, '\0', bytes);
        if (end) memset(end + 1, '?', (size_t)(text + bytes - end - 1));
        return;
    }
    memset(text, 0, bytes);
    for (uint32_t i = 0; i < length; i++) text[i] = (char)('a' + below(rng, 3));
}

static void write_label(weft_rng *rng, attic_label *label)
{
    if (below(rng, 2) == 0) write_text(rng, label->text, sizeof label->text);
    label->at[below(rng, 2)].y = (float)below(rng, 5);
    if (below(rng, 2) == 0) label->marks.count = below(rng, 4);
    label->marks.items[below(rng, 3)] = (uint8_t)below(rng, 3);
}

static void write_shelf(weft_rng *rng, attic_shelf *shelf)
{
    if (below(rng, 2) == 0) shelf->things.count = below(rng, 5);
    for (uint32_t i = 0; i < shelf->things.count; i++) {
        if (below(rng, 2) == 0) write_label(rng, &shelf->things.items[i]);
    }
    if (below(rng, 2) == 0) shelf->sizes.count = below(rng, 71);
    if (shelf->sizes.count == 0) return;
    shelf->sizes.items[below(rng, shelf->sizes.count)] = (uint8_t)below(rng, 200);
}

// Notes of a list that are behind its end stay as they were, and are told where it grows again.
static void write_chart(weft_rng *rng, attic_chart *chart)
{
    const uint32_t what = below(rng, 5);
    if (what == 0) write_text(rng, chart->title, sizeof chart->title);
    if (what == 1) chart->notes.count = below(rng, 51);
    if (what == 1) chart->notes.items[below(rng, 50)] = (uint16_t)below(rng, 9);
    if (what != 2) chart->cells[below(rng, 3000)] += 1;
    if (what == 3) chart->cells[2999 - below(rng, 9)] += 1;
    if (what == 4) chart->end.y += 1.0f;
}

enum { SIGN, SHELF, TAG, CRATE, BEAM, MIXED, MANY, LEDGER, MOTH, CHART, OWNERS };

static const char *const owners[OWNERS] = {"sign",  "shelf", "tag",    "crate", "beam",
                                           "mixed", "many",  "ledger", "moth",  "chart"};

// Writes to a component of an entity, or to the singleton.
static void write_some(weft_rng *rng, attic_world *w, attic_entity e, uint32_t owner)
{
    attic_mixed *mixed;
    attic_moth *moth;
    switch (owner) {
    case SIGN:
        write_text(rng, attic_sign_edit(w, e)->text, sizeof(attic_sign){0}.text);
        break;
    case SHELF:
        write_shelf(rng, attic_shelf_edit(w, e));
        break;
    case TAG:
        write_label(rng, &attic_tag_edit(w, e)->label);
        break;
    case CRATE:
        attic_crate_edit(w, e)->corners[below(rng, 8)].x = (float)below(rng, 5);
        break;
    case BEAM:
        attic_beam_edit(w, e)->lengths[below(rng, 16)] = below(rng, 5);
        break;
    case MIXED:
        mixed = attic_mixed_edit(w, e);
        mixed->b += below(rng, 2);
        mixed->owner = below(rng, 2) == 0 ? e : ATTIC_NONE;
        mixed->d[below(rng, 3)] = (int8_t)below(rng, 100);
        break;
    case MANY:
        attic_many_edit(w, e)->second[below(rng, 10)] = (uint8_t)below(rng, 9);
        break;
    case LEDGER:
        attic_ledger_edit(w, e)->pages[below(rng, 200)] += 1;
        break;
    case MOTH:
        moth = attic_moth_edit(w, e);
        moth->holes[below(rng, 40)] += 1;
        write_text(rng, moth->text, sizeof moth->text);
        break;
    default:
        write_chart(rng, attic_chart_edit(w));
        break;
    }
}

static void run_attic(uint64_t seed)
{
    static attic_entity boxes[BOXES];
    static leaves before;
    static leaves after;
    weft_rng rng = weft_rng_of(seed, 0);
    attic_world *w = attic_open(&(weft_options){.insight = attic_insight(), .watch = 1 << 16});
    uint32_t differing = 0;
    for (uint32_t i = 0; i < BOXES; i++) {
        boxes[i] = attic_box_spawn(w, NULL);
        attic_moth_set(w, boxes[i], (attic_moth){.text = "new"});
    }
    assert_int_equal(attic_tick(w, 1.0), WEFT_OK);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        const uint32_t owner = below(&rng, OWNERS);
        const attic_entity e = owner == CHART ? ATTIC_NONE : boxes[below(&rng, BOXES)];
        note_leaves(w, e, owners[owner], &before);
        write_some(&rng, w, e, owner);
        attic_tick(w, 1.0);
        note_leaves(w, e, owners[owner], &after);
        differing += assert_differences(w, e, owners[owner], &before, &after);
    }
    assert_true(differing > ROUNDS / 2);
    attic_close(w);
}

static void what_differs_is_told(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) run_attic(seed);
}

// -------------------------------------------------------------------------------------------------
// Items among many

static void assert_one_less(attic_world *w, attic_entity e, const char *of, uint32_t item)
{
    char path[40];
    weft_write writes[4];
    snprintf(path, sizeof path, "%s[%u]", of, (unsigned)item);
    const size_t added = attic_is_none(e) ? 0 : 1; // with all its values
    assert_int_equal(attic_trace(w, e, path, writes, 4), added + 2);
    assert_string_equal(writes[0].before, "5");
    assert_string_equal(writes[0].after, "4");
    assert_string_equal(writes[1].before, "0");
    assert_string_equal(writes[1].after, "5");
}

// Arrays are compared many items at a time. What becomes one less differs as what becomes more.
static void an_item_that_becomes_one_less(void **state)
{
    (void)state;
    enum { CELLS = 3000, PAGES = 200, HOLES = 40, STEP = 67 };
    attic_world *w = attic_open(&(weft_options){.insight = attic_insight(), .watch = 1 << 12});
    attic_entity e = attic_spawn(w);
    assert_true(attic_ledger_set(w, e, (attic_ledger){.pages = {0}}));
    assert_true(attic_moth_set(w, e, (attic_moth){.text = "new"}));
    assert_int_equal(attic_tick(w, 1.0), WEFT_OK);
    for (uint32_t value = 5; value > 3; value--) {
        for (uint32_t i = 0; i < CELLS; i += STEP) attic_chart_edit(w)->cells[i] = value;
        for (uint32_t i = 0; i < PAGES; i += STEP) attic_ledger_edit(w, e)->pages[i] = value;
        for (uint32_t i = 0; i < HOLES; i += STEP) attic_moth_edit(w, e)->holes[i] = value;
        assert_int_equal(attic_tick(w, 1.0), WEFT_OK);
    }
    for (uint32_t i = 0; i < CELLS; i += STEP) assert_one_less(w, ATTIC_NONE, "chart.cells", i);
    for (uint32_t i = 0; i < PAGES; i += STEP) assert_one_less(w, e, "ledger.pages", i);
    for (uint32_t i = 0; i < HOLES; i += STEP) assert_one_less(w, e, "moth.holes", i);
    attic_close(w);
}

// -------------------------------------------------------------------------------------------------
// Stops

static void note_stop(void *user, const weft_write *write)
{
    (void)write;
    ++*(uint32_t *)user;
}

// A stop keeps the first bytes of a text, and notices a change of the others.
static void a_long_text_changes_at_its_end(void **state)
{
    (void)state;
    uint32_t stopped = 0;
    attic_world *w = attic_open(&(weft_options){.insight = attic_insight(), .watch = 1 << 12});
    attic_entity e = attic_box_spawn(w, NULL);
    char *text = attic_sign_edit(w, e)->text;
    strcpy(text, "a sign with a long text");
    assert_int_equal(attic_stop_at(w, "sign.text of 0:1 changes", note_stop, &stopped), WEFT_OK);
    for (uint32_t bytes = 24; bytes < sizeof(attic_sign){0}.text - 1; bytes++) {
        strcat(attic_sign_edit(w, e)->text, "x");
        attic_tick(w, 1.0);
        attic_tick(w, 1.0);
        assert_int_equal(stopped, bytes - 23);
        attic_sign_edit(w, e)->text[bytes - 1] = 'y';
        attic_tick(w, 1.0);
        assert_int_equal(stopped, bytes - 23 + 1);
        stopped--;
    }
    attic_close(w);
}

// The end of a turn is about no row, even if the system has only one.
static void the_end_of_a_turn_is_about_no_row(void **state)
{
    (void)state;
    weft_write write;
    attic_world *w = attic_open(&(weft_options){.insight = attic_insight(), .watch = 1 << 12});
    attic_box_spawn(w, NULL);
    attic_tick(w, 1.0);
    sweeps = true;
    attic_tick(w, 1.0);
    sweeps = false;
    assert_int_equal(attic_trace(w, ATTIC_NONE, "chart.cells[7]", &write, 1), 1);
    assert_string_equal(write.writer, "sweep");
    assert_true(write.given != WEFT_ROWS_ONE && write.row == 0);
    attic_close(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_differs_is_told),
        cmocka_unit_test(an_item_that_becomes_one_less),
        cmocka_unit_test(a_long_text_changes_at_its_end),
        cmocka_unit_test(the_end_of_a_turn_is_about_no_row),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
