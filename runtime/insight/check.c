// Finds values that break a rule, and reports the writer.
#include "check.h"

#include "../value/check.h"
#include "../value/text.h"
#include "../world/report.h"
#include "../world/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A value that is checked.
typedef struct looked {
    const weft_check *check;
    weft_checking *checking;
    const char *owner; // name of the component or singleton
    const weft_field *fields;
    uint32_t field_count;
    uint64_t handle; // 0 for a singleton
    const void *value;
} looked;

// ------------------------------------------------------------------------------------------------
// Messages

// A text to which parts are added. What does not fit is left out.
typedef struct message {
    char text[384];
    size_t length;
} message;

static void message_add(message *w, const char *text)
{
    size_t space = sizeof w->text - w->length;
    size_t bytes = strlen(text);
    if (bytes >= space) bytes = space - 1;
    memcpy(w->text + w->length, text, bytes);
    w->text[w->length + bytes] = '\0';
    w->length += bytes;
}

static void add_value(message *w, const weft_plan *plan, const char *path,
                      const weft_leaf_ref *leaf)
{
    char text[WEFT_LEAF_TEXT_BYTES];
    weft_leaf_text(plan, leaf, text);
    message_add(w, path);
    message_add(w, " = ");
    message_add(w, text);
}

typedef struct leaf_search {
    const weft_plan *plan;
    const char *path; // to look for; NULL to find the first value outside its limits
    message *into;
} leaf_search;

// Ends the walk at the value that is looked for, after adding its path and value to the message.
static bool is_other(void *context, const char *path, const weft_leaf_ref *leaf)
{
    leaf_search *s = (leaf_search *)context;
    char why[WEFT_WHY_BYTES];
    bool other = s->path ? strcmp(path, s->path) != 0
                         : weft_leaf_check(s->plan->schema, leaf, WEFT_ALL_LIMITS, why);
    if (!other) add_value(s->into, s->plan, path, leaf);
    return other;
}

// Adds the values that a rule uses.
static void add_values(message *w, const weft_plan *plan, const looked *l, const weft_rule *rule)
{
    leaf_search s = {plan, NULL, w};
    if (!rule->text) {
        const weft_field *field = &l->fields[rule->field];
        weft_leaves_visit(plan->schema, field, 1, l->value, is_other, &s);
        return;
    }
    for (uint32_t i = 0; i < rule->path_count; i++) {
        s.path = rule->paths[i];
        if (i != 0) message_add(w, ", ");
        weft_leaves_visit(plan->schema, l->fields, l->field_count, l->value, is_other, &s);
    }
}

static void report_broken(weft_world *world, const looked *l, const weft_rule *rule)
{
    const weft_watching *watching = world->observers.watching;
    const weft_plan *plan = world->plan;
    message w = {.length = 0};
    const char *writer = watching->writer ? watching->writer : WEFT_GAME_WRITES;
    message_add(&w, watching->commands ? "commands of " : "");
    message_add(&w, writer);
    message_add(&w, " broke ");
    message_add(&w, l->owner);
    message_add(&w, ": ");
    add_values(&w, plan, l, rule);
    if (l->handle != 0) {
        message_add(&w, " of ");
        message_add(&w, weft_handle_as_text(plan->format, l->handle).text);
    }
    if (rule->text && rule->path_count > 1) {
        message_add(&w, " (");
        message_add(&w, rule->text);
        message_add(&w, ")");
    }
    world->report.broken++;
    weft_report(world, WEFT_REFUSED, "%s", w.text);
    if (!watching->stops) return;
    fprintf(stderr, "%s\n", w.text);
    abort();
}

// ------------------------------------------------------------------------------------------------
// Values

// Returns whether a set bit means that this rule is broken. Rules from 63 on share the last bit.
// These are limits, because the rules of `holds` come first and there are at most 32. So each of
// them can be checked again.
static bool is_meant(const weft_schema *schema, const looked *l, uint32_t number)
{
    weft_flaw flaw;
    const weft_rule *rule = &l->check->rules[number];
    return number < 63 ||
           !weft_value_check(schema, &l->fields[rule->field], 1, l->value, WEFT_ALL_LIMITS, &flaw);
}

// Reports the rules that are broken now and were not before, and remembers them. Without memory to
// remember them, they are reported again next time.
static void note_broken(weft_world *world, const looked *l, uint32_t index, uint64_t rules)
{
    weft_checking *c = l->checking;
    const size_t most = ((size_t)world->entities.index_limit + 1) * sizeof(weft_broken);
    const size_t end = ((size_t)index + 1) * sizeof(weft_broken);
    if (rules == 0 && c->broken.bytes < end) return;
    bool kept = c->broken.bytes >= end || weft_region_grow(&world->heap, &c->broken, end, most);
    weft_broken *before = kept ? (weft_broken *)(void *)c->broken.base + index : NULL;
    uint64_t known = before && before->handle == l->handle ? before->rules : 0;
    if (before) *before = (weft_broken){l->handle, rules};
    c->any = true;
    for (uint32_t i = 0; i < l->check->rule_count; i++) {
        uint64_t bit = (uint64_t)1 << (i < 63 ? i : 63);
        if ((rules & ~known & bit) == 0 || !is_meant(world->plan->schema, l, i)) continue;
        report_broken(world, l, &l->check->rules[i]);
    }
}

static inline void check_value(weft_world *world, looked *l, uint32_t index, const void *value)
{
    uint64_t rules = l->check->broken(value, 1);
    if (WEFT_LIKELY(rules == 0) && !l->checking->any) return;
    l->value = value;
    l->handle = weft_handle_of(&world->entities, world->plan->format, index);
    note_broken(world, l, index, rules);
}

// Returns whether no value needs to be checked by itself: none breaks a rule, and none ever did.
static inline bool all_hold(const looked *l, const void *values, uint32_t count)
{
    return !l->checking->any && l->check->broken(values, count) == 0;
}

static void check_store(weft_world *world, looked *l)
{
    const weft_sparse *store = &world->sparse[world->plan->components[l->check->of].sparse];
    const uint32_t *owners = (const uint32_t *)(void *)store->owners.base;
    uint32_t count = weft_sparse_count(store);
    if (all_hold(l, store->values.base, count)) return;
    for (uint32_t slot = 0; slot < count; slot++) {
        check_value(world, l, owners[slot], weft_sparse_value(store, slot, store->size));
    }
}

// Copies the values of a component with several columns into plain structs.
static void gather(const weft_world *world, const looked *l, const weft_table *table,
                   uint32_t first, uint32_t count)
{
    const weft_component_plan *c = &world->plan->components[l->check->of];
    unsigned char *plain = (unsigned char *)world->observers.watching->plain;
    for (uint32_t i = 0; i < c->column_count; i++) {
        const weft_column_plan *p = &world->plan->columns[c->first_column + i];
        const unsigned char *cells =
            (const unsigned char *)weft_cell(table, (uint32_t)c->first_column + i, first, p->size);
        for (uint32_t k = 0; k < count; k++) {
            weft_copy(plain + (size_t)k * c->size + p->offset, cells + (size_t)k * p->size,
                      p->size);
        }
    }
}

// Checks a few rows of a table. Their values are in one column, or are gathered from several.
static void check_rows(weft_world *world, looked *l, const weft_table *table, uint32_t first,
                       uint32_t count)
{
    const weft_component_plan *c = &world->plan->components[l->check->of];
    weft_format f = world->plan->format;
    const void *handles = weft_column(table, 0);
    const unsigned char *values = (const unsigned char *)world->observers.watching->plain;
    if (c->column_count > 1) {
        gather(world, l, table, first, count);
    } else {
        values = (const unsigned char *)weft_cell(table, c->first_column, first, c->size);
    }
    if (all_hold(l, values, count)) return;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t index = weft_handle_index(f, weft_handle_load(f, handles, first + k));
        check_value(world, l, index, values + (size_t)k * c->size);
    }
}

static void check_span(weft_world *world, looked *l, const weft_table *table, uint32_t first,
                       uint32_t end)
{
    const weft_component_plan *c = &world->plan->components[l->check->of];
    if (c->column_count == 1) {
        if (all_hold(l, weft_cell(table, c->first_column, first, c->size), end - first)) return;
    }
    for (; first < end; first += WEFT_CHECKED_ROWS) {
        uint32_t left = end - first;
        check_rows(world, l, table, first, left < WEFT_CHECKED_ROWS ? left : WEFT_CHECKED_ROWS);
    }
}

static void check_tables(weft_world *world, looked *l)
{
    for (uint32_t i = 0; i < world->lists.every_table.count; i++) {
        const weft_table *table = world->lists.every_table.tables[i];
        if (table->count == 0) continue;
        if (weft_set_has(table->set, l->check->of)) check_span(world, l, table, 0, table->count);
    }
}

static void check_singleton(weft_world *world, looked *l)
{
    const weft_singleton_info *info = &world->plan->schema->singletons[l->check->of];
    l->owner = info->name;
    l->fields = info->fields;
    l->field_count = info->field_count;
    l->value = (const unsigned char *)world + info->offset;
    uint64_t rules = l->check->broken(l->value, 1);
    if (rules != 0 || l->checking->any) note_broken(world, l, 0, rules);
}

// Prepares a check of the values of one component or singleton.
static looked look_at(const weft_world *world, uint32_t number)
{
    const weft_check *check = &world->observers.insight->checks[number];
    looked l = {.check = check, .checking = &world->observers.watching->checking[number]};
    if (check->singleton) return l;
    const weft_component_info *info = &world->plan->schema->components[check->of];
    l.owner = info->name;
    l.fields = info->fields;
    l.field_count = info->field_count;
    return l;
}

static void check_component(weft_world *world, looked *l)
{
    const weft_component_info *info = &world->plan->schema->components[l->check->of];
    if (info->storage == WEFT_STORAGE_SPARSE) {
        check_store(world, l);
    } else {
        check_tables(world, l);
    }
}

void weft_checks_forget(weft_world *world)
{
    for (uint32_t i = 0; i < world->observers.insight->check_count; i++) {
        const weft_region *broken = &world->observers.watching->checking[i].broken;
        if (broken->bytes != 0) memset(broken->base, 0, broken->bytes);
    }
}

void weft_checks_look(weft_world *world, const uint64_t *set)
{
    const weft_insight *insight = world->observers.insight;
    for (uint32_t i = 0; i < insight->check_count; i++) {
        const weft_check *check = &insight->checks[i];
        uint32_t place = check->of;
        if (check->singleton) place += world->plan->schema->component_count;
        if (!weft_set_has(set, place)) continue;
        looked l = look_at(world, i);
        if (check->singleton) {
            check_singleton(world, &l);
        } else {
            check_component(world, &l);
        }
    }
}
