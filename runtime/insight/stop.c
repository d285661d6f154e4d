// Reads "stock.amount[bread] of 9:4 < 0", and calls the hook of the game behind the writer that
// made it hold.
#include "stop.h"

#include "../change/relation.h"
#include "../plan/fields.h"
#include "../world/report.h"
#include "../world/rows.h"
#include "leaf.h"
#include "place.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define VALUE_BYTES 8u // of what can be compared

typedef enum stop_sign {
    SIGN_LESS = 1,
    SIGN_EQUAL = 2,
    SIGN_MORE = 4, // and sums of these: <= is 3, >= is 6, != is 5
} stop_sign;

struct weft_stop {
    char text[WEFT_STOP_TEXT_MAX + 1];
    weft_place_span span;
    uint64_t handle; // 0: a singleton
    uint32_t signs;
    weft_number number;
    weft_stop_hook hook;
    void *user;
    bool held;
    bool there; // it had a value as it was last looked at,
    unsigned char last[VALUE_BYTES];
};

// ------------------------------------------------------------------------------------------------
// Reading

// A text while it is read.
typedef struct stop_reader {
    weft_world *world;
    const char *at;
    const char *text;
} stop_reader;

static bool refuse_stop(const stop_reader *r, weft_status status, const char *why)
{
    weft_report(r->world, status, "column %u of '%.64s': %s", (unsigned)(r->at - r->text + 1),
                r->text, why);
    return false;
}

static void skip_stop_blanks(stop_reader *r)
{
    r->at += strspn(r->at, " \t\n");
}

// Takes a word of these characters out of the text. False: there is none, or it is too long.
static bool take_word(stop_reader *r, const char *characters, char word[WEFT_STOP_TEXT_MAX + 1])
{
    skip_stop_blanks(r);
    size_t length = strspn(r->at, characters);
    if (length > WEFT_STOP_TEXT_MAX) return false;
    memcpy(word, r->at, length);
    word[length] = '\0';
    r->at += length;
    return length != 0;
}

#define STOP_LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_"
#define STOP_DIGITS "0123456789"

static bool handle_from_text(weft_format f, const char *word, uint64_t *handle)
{
    char *end;
    unsigned long long index = strtoull(word, &end, 10);
    if (end == word || *end != ':') return false;
    const char *second = end + 1;
    unsigned long long generation = strtoull(second, &end, 10);
    if (end == second || *end != '\0') return false;
    if (index > weft_index_mask(f) || generation == 0 || generation > weft_generation_max(f)) {
        return false;
    }
    *handle = weft_handle(f, (uint32_t)index, (uint32_t)generation);
    return true;
}

// Reads `of 9:4`, which a component needs and a singleton has not.
static bool read_stop_entity(stop_reader *r, struct weft_stop *stop)
{
    char word[WEFT_STOP_TEXT_MAX + 1];
    stop_reader after = *r;
    bool named = take_word(&after, STOP_LETTERS, word) && strcmp(word, "of") == 0;
    if (named == stop->span.owner.singleton) {
        return refuse_stop(r, WEFT_BAD_VALUE,
                           named ? "a singleton is of no entity"
                                 : "'of index:generation' should be here");
    }
    if (!named) return true;
    *r = after;
    return (take_word(r, STOP_DIGITS ":", word) &&
            handle_from_text(r->world->plan->format, word, &stop->handle)) ||
           refuse_stop(r, WEFT_BAD_VALUE, "index:generation should be here");
}

static bool read_stop_signs(stop_reader *r, struct weft_stop *stop)
{
    static const char *const words[] = {"<", "==", "<=", ">", "!=", ">="};
    char word[WEFT_STOP_TEXT_MAX + 1];
    bool number = weft_scalars[stop->span.leaf.type].kind != WEFT_NO_NUMBER;
    bool ordered =
        number && stop->span.leaf.type != WEFT_TYPE_BOOL && stop->span.leaf.type != WEFT_TYPE_ENUM;
    if (!take_word(r, "<=>!", word)) word[0] = '\0';
    for (uint32_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (strcmp(word, words[i]) == 0) stop->signs = i + 1;
    }
    if (stop->signs == 0)
        return refuse_stop(r, WEFT_BAD_VALUE, "== != < <= > or >= should be here");
    bool equality = stop->signs == SIGN_EQUAL || stop->signs == (SIGN_LESS | SIGN_MORE);
    return ordered || equality || refuse_stop(r, WEFT_BAD_VALUE, "it has no order: write == or !=");
}

// Turns a word into a value of the type.
static bool number_of_word(const weft_world *world, const weft_leaf_ref *leaf, const char *word,
                           weft_number *number)
{
    const weft_schema *schema = world->plan->schema;
    if (leaf->type == WEFT_TYPE_BOOL) {
        number->u64 = strcmp(word, "true") == 0;
        return number->u64 == 1 || strcmp(word, "false") == 0;
    }
    if (leaf->type == WEFT_TYPE_ENUM) {
        const weft_enum_info *info = &schema->enums[leaf->field->of];
        number->u64 = weft_name_find(info->values, sizeof *info->values, info->count, word);
        return number->u64 != WEFT_NO_NAME;
    }
    if (leaf->type == WEFT_TYPE_ENTITY) {
        number->u64 = 0;
        return strcmp(word, "none") == 0 ||
               handle_from_text(world->plan->format, word, &number->u64);
    }
    weft_number_kind kind = weft_kind_of(leaf->type);
    size_t digits = strspn(word + (*word == '-'), STOP_DIGITS);
    bool numeric = digits != 0 && strspn(word, STOP_DIGITS "+-.eE") == strlen(word);
    return kind != WEFT_NO_NUMBER && numeric &&
           weft_number_from_text(kind, leaf->bytes, word, number);
}

static bool read_stop_operand(stop_reader *r, struct weft_stop *stop)
{
    char word[WEFT_STOP_TEXT_MAX + 1];
    skip_stop_blanks(r);
    stop_reader before = *r;
    if (!take_word(r, STOP_LETTERS STOP_DIGITS "+-.:", word) ||
        !number_of_word(r->world, &stop->span.leaf, word, &stop->number)) {
        return refuse_stop(&before, WEFT_BAD_VALUE, "a value of its type should be here");
    }
    skip_stop_blanks(r);
    return *r->at == '\0' || refuse_stop(r, WEFT_BAD_VALUE, "the text should end here");
}

static bool read_stop(stop_reader *r, struct weft_stop *stop)
{
    char path[WEFT_STOP_TEXT_MAX + 1];
    if (strlen(r->text) > WEFT_STOP_TEXT_MAX) {
        return refuse_stop(r, WEFT_BAD_VALUE, "the text is too long");
    }
    strcpy(stop->text, r->text);
    if (!take_word(r, STOP_LETTERS STOP_DIGITS ".[]", path)) {
        return refuse_stop(r, WEFT_BAD_VALUE, "a path should be here");
    }
    if (!weft_place_find(r->world, path, &stop->span)) return false;
    const weft_leaf_ref *leaf = &stop->span.leaf;
    if (!leaf->field || leaf->bytes > VALUE_BYTES || leaf->type == WEFT_TYPE_CHAR) {
        return refuse_stop(r, WEFT_BAD_VALUE,
                           "only numbers, bools, enums and handles are compared");
    }
    return read_stop_entity(r, stop) && read_stop_signs(r, stop) && read_stop_operand(r, stop);
}

// ------------------------------------------------------------------------------------------------
// Looking

// Returns the plain value that a stop is about; NULL: there is none now.
static const void *owner_value(const weft_world *world, const struct weft_stop *stop)
{
    const weft_plan *plan = world->plan;
    weft_place at;
    const weft_owner owner = stop->span.owner;
    if (owner.singleton) {
        return (const unsigned char *)world + plan->schema->singletons[owner.of].offset;
    }
    if (!weft_find(&world->entities, plan->format, stop->handle, &at)) return NULL;
    if (owner.relation) {
        uint64_t *parent = &world->watching->parent;
        uint64_t handle = weft_parent(world, plan->format, owner.of, stop->handle);
        weft_handle_write(plan->schema, parent, handle);
        return parent;
    }
    const weft_table *table = world->tables.items[at.table];
    if (!weft_row_has(plan, table, at.row, owner.of)) return NULL;
    return weft_row_value(world, table, at.row, owner.of, world->watching->plain);
}

static bool holds(const struct weft_stop *stop, weft_number_kind kind, weft_number value)
{
    weft_number n = stop->number;
    bool less = kind == WEFT_SIGNED  ? value.i64 < n.i64
                : kind == WEFT_FLOAT ? value.f64 < n.f64
                                     : value.u64 < n.u64;
    bool more = kind == WEFT_SIGNED  ? value.i64 > n.i64
                : kind == WEFT_FLOAT ? value.f64 > n.f64
                                     : value.u64 > n.u64;
    bool unordered = kind == WEFT_FLOAT && value.f64 != value.f64;
    uint32_t sign = less ? SIGN_LESS : more ? SIGN_MORE : SIGN_EQUAL;
    if (unordered) return stop->signs == (SIGN_LESS | SIGN_MORE);
    return (stop->signs & sign) != 0;
}

static void tell_stop(weft_world *world, const struct weft_stop *stop, bool was_there,
                      const unsigned char *before)
{
    const weft_schema *schema = world->plan->schema;
    weft_watching *w = world->watching;
    weft_leaf_ref leaf = stop->span.leaf;
    weft_write write = {.tick = world->tick,
                        .writer = w->writer ? w->writer : "the game",
                        .commands = w->commands,
                        .kind = WEFT_WRITE_VALUE,
                        .handle = stop->handle,
                        .owner = weft_owner_name(schema, stop->span.owner)};
    weft_place_leaf(schema, weft_place_owner(schema, stop->span.owner), stop->span.first,
                    write.path);
    leaf.value = before;
    if (was_there) weft_leaf_text(world->plan, &leaf, write.before);
    leaf.value = stop->last;
    weft_leaf_text(world->plan, &leaf, write.after);
    w->telling = true;
    stop->hook(stop->user, &write);
    w->telling = false;
}

static void look_at_stop(weft_world *world, struct weft_stop *stop, bool tells)
{
    const weft_schema *schema = world->plan->schema;
    const weft_leaf_ref *leaf = &stop->span.leaf;
    const unsigned char *plain = (const unsigned char *)owner_value(world, stop);
    unsigned char before[VALUE_BYTES];
    bool was_there = stop->there;
    bool held = stop->held;
    weft_place_fields of = weft_place_owner(schema, stop->span.owner);
    memcpy(before, stop->last, sizeof before);
    stop->there = plain && weft_place_is_there(schema, of, plain, stop->span.first);
    stop->held = false;
    if (!stop->there) return;
    memcpy(stop->last, plain + stop->span.first, leaf->bytes);
    weft_number_kind kind = weft_scalars[leaf->type].kind;
    if (leaf->type == WEFT_TYPE_ENTITY || leaf->type == WEFT_TYPE_ENUM) kind = WEFT_UNSIGNED;
    stop->held = holds(stop, kind, weft_number_load(kind, stop->last, leaf->bytes));
    if (tells && stop->held && !held) tell_stop(world, stop, was_there, before);
}

void weft_stops_look(weft_world *world, const uint64_t *set)
{
    const weft_watching *w = world->watching;
    for (uint32_t i = 0; i < w->stop_count; i++) {
        const weft_owner owner = w->stops_at[i].span.owner;
        uint32_t place = owner.of;
        if (owner.singleton) place += world->plan->schema->component_count;
        if (owner.relation || weft_set_has(set, place)) look_at_stop(world, &w->stops_at[i], true);
    }
}

// ------------------------------------------------------------------------------------------------
// Stops of a world

static struct weft_stop *stop_of_text(const weft_watching *w, const char *text)
{
    for (uint32_t i = 0; i < w->stop_count; i++) {
        if (strcmp(w->stops_at[i].text, text) == 0) return &w->stops_at[i];
    }
    return NULL;
}

weft_status weft_stop_at(weft_world *world, const char *text, weft_stop_hook hook, void *user)
{
    weft_watching *w = world->watching;
    struct weft_stop stop = {.hook = hook, .user = user};
    stop_reader r = {world, text, text};
    if (!w) {
        return weft_report(world, WEFT_REFUSED, "values are looked at with weft_options.watch");
    }
    struct weft_stop *known = stop_of_text(w, text);
    if (!hook && !known) {
        return weft_report(world, WEFT_NOT_FOUND, "nothing waits for '%.64s'", text);
    }
    if (!hook) {
        *known = w->stops_at[--w->stop_count];
        return WEFT_OK;
    }
    if (!read_stop(&r, &stop)) return world->refusal.status;
    if (!known && w->stop_count == WEFT_STOPS_MAX) {
        return weft_report(world, WEFT_FULL, "more than %u values to stop at", WEFT_STOPS_MAX);
    }
    if (!known && !weft_array_grow(&world->heap, &w->stops_at, &w->stop_capacity, w->stop_count + 1,
                                   sizeof stop)) {
        return weft_report(world, WEFT_NO_MEMORY, "no memory for another value to stop at");
    }
    if (!known) known = &w->stops_at[w->stop_count++];
    look_at_stop(world, &stop, false);
    *known = stop;
    return WEFT_OK;
}

void weft_stops_close(weft_world *world)
{
    weft_watching *w = world->watching;
    weft_free(&world->heap, w->stops_at, w->stop_capacity * sizeof *w->stops_at);
}
