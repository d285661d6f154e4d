#include "random_world.h"

#include "edit/calls.h"
#include "edit/links.h"
#include "value/fields.h"
#include "weft_json.h"
#include "world/relation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define VALUE_BYTES 65536 // of the largest component here
#define HANDLES_MAX 4096

typedef struct maker {
    weft_world *world;
    dice *d;
    bool holes;
    uint32_t count;
    uint64_t handles[HANDLES_MAX];
} maker;

// ------------------------------------------------------------------------------------------------
// Values

static double random_float(maker *m, const weft_field *field)
{
    static const double rare[] = {0.0, -0.0,   1.0,    -1.5,
                                  0.1, 1e-310, 5e-324, 1.7976931348623157e308};
    uint64_t bits = dice_bits(m->d);
    uint32_t single = (uint32_t)bits;
    double d = rare[dice_below(m->d, 8)];
    float f = (float)(d > 1e300 ? 3.4028234663852886e38 : d);
    if (field->has_min || field->has_max) return field->has_min ? field->min.f64 : field->max.f64;
    if (dice_once_in(m->d, 12)) return dice_once_in(m->d, 2) ? (double)NAN : -(double)INFINITY;
    if (dice_once_in(m->d, 4)) return field->type == WEFT_TYPE_F32 ? (double)f : d;
    memcpy(&d, &bits, sizeof d);
    memcpy(&f, &single, sizeof f);
    if (field->type == WEFT_TYPE_F32) return isnan(f) ? (double)NAN : (double)f;
    return isnan(d) ? (double)NAN : d;
}

static bool is_signed(weft_type type)
{
    return type >= WEFT_TYPE_I8 && type <= WEFT_TYPE_I64;
}

static bool in_bounds(const weft_field *field, uint64_t bits)
{
    uint32_t unused = 64 - field->element_size * 8;
    int64_t value = (int64_t)(bits << unused) >> unused;
    if (is_signed(field->type)) {
        return !(field->has_min && value < field->min.i64) &&
               !(field->has_max && value > field->max.i64);
    }
    return !(field->has_min && bits < field->min.u64) && !(field->has_max && bits > field->max.u64);
}

static uint64_t random_integer(maker *m, const weft_field *field)
{
    uint32_t unused = 64 - field->element_size * 8;
    uint64_t bits;
    do {
        bits = dice_bits(m->d) << unused >> unused;
        if (dice_once_in(m->d, 4)) bits = dice_below(m->d, 3);
    } while (!in_bounds(field, bits));
    return bits;
}

static uint64_t random_handle(const maker *m)
{
    uint32_t i = dice_below(m->d, m->count + 1);
    return i == m->count ? 0 : m->handles[i];
}

static void write_leaf(maker *m, const weft_field *field, void *leaf)
{
    const weft_schema *schema = m->world->plan->schema;
    double d;
    float f;
    switch (field->type) {
    case WEFT_TYPE_F32:
        f = (float)random_float(m, field);
        memcpy(leaf, &f, sizeof f);
        break;
    case WEFT_TYPE_F64:
        d = random_float(m, field);
        memcpy(leaf, &d, sizeof d);
        break;
    case WEFT_TYPE_BOOL:
        weft_bits_write(leaf, 1, dice_below(m->d, 2));
        break;
    case WEFT_TYPE_ENUM:
        weft_bits_write(leaf, field->element_size,
                        dice_below(m->d, schema->enums[field->of].count));
        break;
    case WEFT_TYPE_ENTITY:
        weft_handle_write(schema, leaf, random_handle(m));
        break;
    default:
        weft_bits_write(leaf, field->element_size, random_integer(m, field));
    }
}

static void write_string(maker *m, const weft_field *field, char *text)
{
    static const char *const pieces[] = {"a",
                                         "\"",
                                         "\\",
                                         "\n",
                                         "\x1f",
                                         "\x7f",
                                         "\xC3\xA9",
                                         "\xE2\x82\xAC",
                                         "\xF0\x9F\x98\x80",
                                         "\x80",
                                         "\xED\xA0\x80",
                                         "\xC3",
                                         "\xFF",
                                         "/",
                                         "}"};
    size_t length = 0;
    memset(text, 0, field->count);
    for (uint32_t n = dice_below(m->d, 8); n > 0; n--) {
        const char *piece = pieces[dice_below(m->d, 15)];
        if (length + strlen(piece) >= field->count) break;
        memcpy(text + length, piece, strlen(piece));
        length += strlen(piece);
    }
}

static void write_fields(maker *m, const weft_field *fields, uint32_t count, unsigned char *value)
{
    for (uint32_t i = 0; i < count; i++) {
        const weft_field *field = &fields[i];
        const weft_struct_info *inner = weft_field_struct(m->world->plan->schema, field);
        unsigned char *member = value + field->offset;
        if (field->shape == WEFT_SHAPE_STRING) {
            write_string(m, field, (char *)member);
            continue;
        }
        if (field->shape == WEFT_SHAPE_LIST) {
            weft_bits_write(member, 4, dice_below(m->d, field->count + 1));
            memset(member + field->items_offset, 0, (size_t)field->count * field->element_size);
        }
        for (uint32_t k = 0; k < weft_member_count(field, member); k++) {
            unsigned char *item = member + field->items_offset + (size_t)k * field->element_size;
            if (inner)
                write_fields(m, inner->fields, inner->field_count, item);
            else
                write_leaf(m, field, item);
        }
    }
}

// ------------------------------------------------------------------------------------------------
// Worlds

// Components that the rules refuse are left out.
static void write_components(maker *m, uint64_t handle)
{
    static unsigned char value[VALUE_BYTES];
    const weft_plan *plan = m->world->plan;
    for (uint32_t n = dice_below(m->d, 12); n > 0; n--) {
        uint32_t component = dice_below(m->d, plan->schema->component_count);
        const weft_component_info *info = &plan->schema->components[component];
        if (info->storage == WEFT_STORAGE_TAG) {
            weft_component_set(m->world, handle, component, NULL);
            continue;
        }
        if (info->size > VALUE_BYTES) abort();
        memcpy(value, info->defaults, info->size);
        write_fields(m, info->fields, info->field_count, value);
        weft_component_set(m->world, handle, component, value);
    }
}

// In every relation; what is refused, to the dead or in circles, is left out.
static void attach_some(maker *m)
{
    for (uint32_t i = 0; i < m->world->plan->schema->relation_count; i++) {
        for (uint32_t n = m->count; n > 0; n--) {
            weft_attach(m->world, i, random_handle(m), random_handle(m));
        }
    }
}

// Of every kind; what is refused, to the dead, is left out.
static void link_some(maker *m)
{
    static unsigned char value[VALUE_BYTES];
    const weft_schema *schema = m->world->plan->schema;
    for (uint32_t i = 0; i < schema->link_count; i++) {
        const weft_link_info *info = &schema->links[i];
        if (info->size > VALUE_BYTES) abort();
        for (uint32_t n = m->count; n > 0; n--) {
            if (info->size != 0) memcpy(value, info->defaults, info->size);
            write_fields(m, info->fields, info->field_count, value);
            weft_link_set(m->world, i, random_handle(m), random_handle(m), value);
        }
    }
}

void random_world(weft_world *world, dice *d, uint32_t n, bool holes)
{
    static maker m;
    const weft_schema *schema = world->plan->schema;
    m.world = world;
    m.d = d;
    m.count = 0;
    while (m.count < n && m.count < HANDLES_MAX) m.handles[m.count++] = weft_spawn_empty(world);
    for (uint32_t i = 0; holes && i < m.count; i++) {
        if (!dice_once_in(d, 4)) continue;
        weft_despawn(world, m.handles[i]);
        if (dice_once_in(d, 2)) weft_spawn_empty(world);
    }
    for (uint32_t i = 0; i < m.count; i++) write_components(&m, m.handles[i]);
    attach_some(&m);
    link_some(&m);
    for (uint32_t i = 0; i < schema->singleton_count; i++) {
        const weft_singleton_info *info = &schema->singletons[i];
        write_fields(&m, info->fields, info->field_count,
                     (unsigned char *)(void *)world + info->offset);
    }
}

// ------------------------------------------------------------------------------------------------
// Texts

static weft_status append(void *user, const char *text, size_t bytes)
{
    json *j = (json *)user;
    if (j->bytes + bytes + 1 > j->capacity) {
        j->capacity = (j->bytes + bytes + 1) * 2;
        j->text = (char *)realloc(j->text, j->capacity);
        if (!j->text) abort();
    }
    memcpy(j->text + j->bytes, text, bytes);
    j->bytes += bytes;
    j->text[j->bytes] = '\0';
    return WEFT_OK;
}

json json_of_world(weft_world *world)
{
    json j = {NULL, 0, 0};
    if (weft_json_world_write(world, append, &j) != WEFT_OK) abort();
    return j;
}

json json_of_entity(weft_world *world, uint64_t handle)
{
    json j = {NULL, 0, 0};
    if (weft_json_entity_write(world, handle, append, &j) != WEFT_OK) abort();
    return j;
}

void json_free(json *j)
{
    free(j->text);
    *j = (json){NULL, 0, 0};
}
