// Edits lists by path, like a tool: items are pushed, popped, shown, hidden and set one by one.
// Also writes entities as JSON and reads them back into themselves, which must leave their lists
// unchanged.
//
// flags: hot
#include "fail.h"
#include "run.h"

#include "weft_json.h"
#include "weft_reflect.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define IN_SINGLETON COMPONENTS

typedef struct list {
    component owner; // IN_SINGLETON: weather
    const char *path;
    size_t at; // in the owner's value: the count, then at `items` the items
    size_t items;
    weft_type type; // of an item
    uint32_t item_bytes;
    uint32_t capacity;
} list;

#define LIST(owner, value, field, type, item, capacity)                                            \
    {                                                                                              \
        owner, #value "." #field, offsetof(fuzz_##value, field),                                   \
            offsetof(fuzz_##value, field.items), type, sizeof(item), capacity                      \
    }

static const list lists[] = {
    LIST(GRIP, grip, pack, WEFT_TYPE_ENTITY, fuzz_entity, 4),
    LIST(GRIP, grip, bonds, WEFT_TYPE_STRUCT, fuzz_bond, 3),
    LIST(LABEL, label, moods, WEFT_TYPE_U8, fuzz_mood, 5),
    LIST(BULK, bulk, stamps, WEFT_TYPE_STRUCT, seal, 2),
    LIST(POUCH, pouch, items, WEFT_TYPE_U16, uint16_t, 6),
    LIST(POUCH, pouch, friends, WEFT_TYPE_ENTITY, fuzz_entity, 2),
    LIST(BRAND, brand, owners, WEFT_TYPE_ENTITY, fuzz_entity, 2),
    LIST(IN_SINGLETON, weather, log, WEFT_TYPE_STRUCT, fuzz_bond, 3),
};

#define LISTS (sizeof lists / sizeof lists[0])

static const value_info *owner_info(const list *l)
{
    return l->owner == IN_SINGLETON ? &singletons[WEATHER] : &components[l->owner];
}

static uint32_t count_of(const list *l, const any_value *value)
{
    uint32_t count;
    memcpy(&count, value->bytes + l->at, sizeof count);
    return count;
}

static unsigned char *item_of(const list *l, any_value *value, uint32_t i)
{
    return value->bytes + l->items + (size_t)i * l->item_bytes;
}

// ---- the current list, in the model

typedef struct edited {
    const list *list;
    fuzz_entity subject; // none for a singleton
    entity *known;       // NULL for a singleton, or if no entity has the list
    weft_status status;  // of all that asks for the list: WEFT_OK, WEFT_DEAD or WEFT_NOT_FOUND
    any_value value;     // the model's value with the edits so far
} edited;

static edited any_list(run *r)
{
    edited e = {.list = &lists[any_below(r, LISTS)]};
    component owner = e.list->owner;
    if (owner == IN_SINGLETON) {
        memcpy(e.value.bytes, &r->model.singletons.weather, sizeof(fuzz_weather));
        return e;
    }
    e.subject = any_handle(r);
    e.known = model_find(&r->model, e.subject.bits);
    e.status = !e.known ? WEFT_DEAD : entity_has(e.known, owner) ? WEFT_OK : WEFT_NOT_FOUND;
    if (e.status == WEFT_OK) {
        memcpy(e.value.bytes, const_value_of(&e.known->values, owner), components[owner].bytes);
    }
    return e;
}

// Writes the edits into the model.
static void keep_edited(run *r, const edited *e)
{
    if (e->status != WEFT_OK) return;
    if (e->known) {
        entity_write(e->known, e->list->owner, &e->value);
    } else {
        memcpy(&r->model.singletons.weather, e->value.bytes, sizeof(fuzz_weather));
    }
}

static void check_told(run *r, const edited *e, weft_status got, weft_status expected)
{
    if (got != expected) {
        fail("'%s' of handle %" PRIx64 ": the status is '%s', not '%s'", e->list->path,
             (uint64_t)e->subject.bits, weft_status_text(got), weft_status_text(expected));
    }
    if (got != WEFT_OK) run_event(r, got, e->status == WEFT_OK ? 0 : e->subject.bits);
    run_no_events(r, "a list by path");
}

// ---- by path

static void check_count(run *r, const edited *e)
{
    char path[32];
    double count;
    snprintf(path, sizeof path, "%s.count", e->list->path);
    weft_status got =
        weft_field_get_number(fuzz_world_base(r->world), e->subject.bits, path, &count);
    check_told(r, e, got, e->status);
    if (got == WEFT_OK && (uint32_t)count != count_of(e->list, &e->value)) {
        fail("'%s' is %" PRIu32 ", not %" PRIu32, path, (uint32_t)count,
             count_of(e->list, &e->value));
    }
}

// New items of a list are all zeros.
static void set_count(run *r, edited *e, uint32_t count)
{
    char path[32];
    snprintf(path, sizeof path, "%s.count", e->list->path);
    bool fits = count <= e->list->capacity;
    weft_status expected = e->status == WEFT_OK && !fits ? WEFT_BAD_VALUE : e->status;
    weft_status got =
        weft_field_set_number(fuzz_world_base(r->world), e->subject.bits, path, count);
    check_told(r, e, got, expected);
    if (got != WEFT_OK) return;
    uint32_t before = count_of(e->list, &e->value);
    if (count > before) {
        memset(item_of(e->list, &e->value, before), 0,
               (size_t)(count - before) * e->list->item_bytes);
    }
    memcpy(e->value.bytes + e->list->at, &count, sizeof count);
}

// Draws a whole value of the owner until its list has an item, which is the one.
static void any_item(run *r, const list *l, any_value *drawn)
{
    do {
        any_value_of(r, owner_info(l), drawn);
    } while (count_of(l, drawn) == 0);
}

static bool same_item(const edited *e, const void *got, const void *expected)
{
    if (e->list->type != WEFT_TYPE_STRUCT) return memcmp(got, expected, e->list->item_bytes) == 0;
    any_value one = e->value; // a struct may have padding, so its fields are compared elsewhere
    any_value other = e->value;
    uint32_t count = 1;
    memcpy(one.bytes + e->list->at, &count, sizeof count);
    memcpy(other.bytes + e->list->at, &count, sizeof count);
    memcpy(item_of(e->list, &one, 0), got, e->list->item_bytes);
    memcpy(item_of(e->list, &other, 0), expected, e->list->item_bytes);
    return values_equal(owner_info(e->list), one.bytes, other.bytes);
}

// Returns the handle that an item is or begins with; the items of a seal have none.
static uint64_t handle_in(const list *l, any_value *drawn)
{
    fuzz_entity handle = {0};
    bool is_number = l->type == WEFT_TYPE_U8 || l->type == WEFT_TYPE_U16;
    if (!is_number && l->owner != BULK) memcpy(&handle, item_of(l, drawn, 0), sizeof handle);
    return handle.bits;
}

// C can store a handle with bits beyond those of the world's, but not by path.
static bool is_too_wide(run *r, uint64_t handle)
{
    const weft_format f = fuzz_world_base(r->world)->plan->format;
    uint32_t bits = (uint32_t)f.index_bits + f.generation_bits;
    return bits < 64 && handle >> bits != 0;
}

static void set_item(run *r, edited *e, uint32_t i)
{
    const list *l = e->list;
    weft_world *base = fuzz_world_base(r->world);
    bool is_handle = l->type == WEFT_TYPE_ENTITY;
    size_t bytes = is_handle ? sizeof(uint64_t) : l->item_bytes;
    char path[32];
    any_value drawn;
    any_value back;
    bool there = e->status == WEFT_OK && i < count_of(l, &e->value);
    any_item(r, l, &drawn);
    uint64_t bits = handle_in(l, &drawn);
    weft_status expected = e->status != WEFT_OK   ? e->status
                           : !there               ? WEFT_NOT_FOUND
                           : is_too_wide(r, bits) ? WEFT_BAD_VALUE
                                                  : WEFT_OK;
    const void *given = is_handle ? (const void *)&bits : item_of(l, &drawn, 0);
    snprintf(path, sizeof path, "%s[%" PRIu32 "]", l->path, i);
    weft_status got = weft_field_set(base, e->subject.bits, path, l->type, given, bytes);
    check_told(r, e, got, expected);
    if (got != WEFT_OK) return;
    memcpy(item_of(l, &e->value, i), item_of(l, &drawn, 0), l->item_bytes);
    if (weft_field_get(base, e->subject.bits, path, l->type, back.bytes, bytes) != WEFT_OK ||
        (is_handle ? memcmp(back.bytes, &bits, bytes) != 0 : !same_item(e, back.bytes, given))) {
        fail("'%s' is not what it was set to", path);
    }
}

void edit_list(run *r)
{
    edited e = any_list(r);
    uint32_t count = e.status == WEFT_OK ? count_of(e.list, &e.value) : 0;
    check_count(r, &e);
    switch (any_below(r, 4)) {
    case 0: // a push
        set_count(r, &e, count + 1);
        set_item(r, &e, count);
        break;
    case 1: // a pop
        if (count > 0) set_count(r, &e, count - 1);
        break;
    case 2:
        set_count(r, &e, any_below(r, e.list->capacity + 2));
        break;
    default:
        set_item(r, &e, any_below(r, e.list->capacity + 1));
    }
    check_count(r, &e);
    keep_edited(r, &e);
    if (e.list->owner == IN_SINGLETON) {
        if (!values_equal(owner_info(e.list), e.value.bytes, fuzz_weather_get(r->world))) {
            fail("'%s' differs", e.list->path);
        }
    } else {
        compare_handle(r, e.subject.bits);
    }
}

// ---- as JSON

#define TEXT_MAX 16384u

typedef struct text {
    char bytes[TEXT_MAX];
    size_t count;
} text;

static weft_status append(void *user, const char *piece, size_t bytes)
{
    text *t = (text *)user;
    if (bytes > sizeof t->bytes - t->count) return WEFT_IO;
    memcpy(t->bytes + t->count, piece, bytes);
    t->count += bytes;
    return WEFT_OK;
}

static void write_text(run *r, fuzz_entity e, text *t)
{
    t->count = 0;
    weft_status status = weft_json_entity_write(fuzz_world_base(r->world), e.bits, append, t);
    if (status != WEFT_OK) fail("JSON: the status is '%s'", weft_status_text(status));
}

// All lists of an entity lose their items, whose capacity is full of rubbish then.
static void spoil_lists(run *r, const entity *known)
{
    for (size_t i = 0; i < LISTS; i++) {
        const list *l = &lists[i];
        uint32_t count = 0;
        any_value value;
        if (l->owner == IN_SINGLETON || !entity_has(known, l->owner)) continue;
        component_api[l->owner].get(r->world, fuzz_entity_of(known->bits), value.bytes);
        memset(item_of(l, &value, 0), 0xA5, (size_t)l->capacity * l->item_bytes);
        memcpy(value.bytes + l->at, &count, sizeof count);
        component_api[l->owner].edit(r->world, fuzz_entity_of(known->bits), &value);
    }
}

// Code in C may go beyond min and max, but a text may not.
static void stay_in_bounds(run *r, const entity *known)
{
    if (!entity_has(known, SCALARS)) return;
    fuzz_scalars value = known->values.scalars;
    if (value.small > 250) value.small = 250;
    if (value.signed_small < -100) value.signed_small = -100;
    component_api[SCALARS].edit(r->world, fuzz_entity_of(known->bits), &value);
}

// Reading back changes the sign and payload of NaNs, drops impossible handles, and clamps to
// bounds. Every value is therefore written again from the model afterwards.
void read_json(run *r)
{
    static text before;
    static text after;
    fuzz_entity e = any_living(r);
    entity *known = model_find(&r->model, e.bits);
    if (!known) return;
    stay_in_bounds(r, known);
    write_text(r, e, &before);
    spoil_lists(r, known);
    weft_status status =
        weft_json_entity_read(fuzz_world_base(r->world), e.bits, before.bytes, before.count);
    if (status != WEFT_OK) fail("JSON: %s", fuzz_error(r->world));
    write_text(r, e, &after);
    if (after.count != before.count || memcmp(after.bytes, before.bytes, after.count) != 0) {
        fail("JSON of handle %" PRIx64 " is not what was read:\n%.*s\n%.*s", (uint64_t)e.bits,
             (int)before.count, before.bytes, (int)after.count, after.bytes);
    }
    for (component c = 0; c < TAGS; c++) {
        if (!entity_has(known, c)) continue;
        if (!component_api[c].edit(r->world, e, value_of(&known->values, c))) fail("edit");
    }
    run_no_events(r, "JSON");
    compare_handle(r, e.bits);
}
