// The hooks and the system of the den.
//
// flags: hot
#include "rig.h"

#include "fail.h"

#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------------------
// Values as numbers

static uint64_t number_of_body(const den_body *body)
{
    return body->size | (uint64_t)body->mate.bits << 32;
}

static uint64_t number_of_gait(uint8_t speed, double length)
{
    return speed | (uint64_t)length << 8;
}

rig_values rig_values_of(uint32_t v)
{
    return (rig_values){
        .body = {.size = v},
        .gait = {.speed = (uint8_t)(v % 251), .length = v},
        .scent = {.strength = (uint16_t)(v % 65521)},
        .pelt = {.thickness = v},
        .plain = {.n = v},
    };
}

static uint64_t number_in(uint16_t component, const rig_values *values)
{
    switch (component) {
    case DEN_COMPONENT_BODY:
        return number_of_body(&values->body);
    case DEN_COMPONENT_GAIT:
        return number_of_gait(values->gait.speed, values->gait.length);
    case DEN_COMPONENT_SCENT:
        return values->scent.strength;
    case DEN_COMPONENT_PELT:
        return values->pelt.thickness;
    case DEN_COMPONENT_PLAIN:
        return values->plain.n;
    default:
        return 0;
    }
}

uint64_t rig_number_of(uint16_t component, uint32_t v)
{
    rig_values values = rig_values_of(v);
    return number_in(component, &values);
}

uint64_t rig_number_default(uint16_t component)
{
    rig_values values = {
        .body = {.size = 5},
        .gait = {.speed = 1, .length = 2},
        .scent = {.strength = 7},
        .pelt = {.thickness = 9},
    };
    return number_in(component, &values);
}

static bool has(const den_world *w, den_entity e, uint16_t component)
{
    return weft_component_has(den_world_base(w), e.bits, component);
}

bool rig_number(const den_world *w, den_entity e, uint16_t component, uint64_t *number)
{
    rig_values values = {.body = {.size = 0}};
    *number = 0;
    if (!has(w, e, component)) return false;
    if (component == DEN_COMPONENT_BODY) values.body = *den_body_get(w, e);
    if (component == DEN_COMPONENT_GAIT) {
        den_gait_const_columns at = den_gait_get(w, e);
        values.gait = (den_gait){.speed = *at.speed, .length = *at.length};
    }
    if (component == DEN_COMPONENT_SCENT) values.scent = *den_scent_get(w, e);
    if (component == DEN_COMPONENT_PELT) values.pelt = *den_pelt_get(w, e);
    if (component == DEN_COMPONENT_PLAIN) values.plain = *den_plain_get(w, e);
    *number = number_in(component, &values);
    return true;
}

// ------------------------------------------------------------------------------------------------
// Calls of hooks

static bool both_hooks(uint16_t component)
{
    const weft_component_info *info = &den_schema()->components[component];
    return info->on_add && info->on_remove;
}

static void keep(rig *r, told t)
{
    if (r->count == r->capacity) {
        r->capacity = r->capacity * 2 + 64;
        r->told = (told *)realloc(r->told, r->capacity * sizeof *r->told);
        if (!r->told) fail("no memory to test with");
    }
    r->told[r->count++] = t;
}

static void hold(rig *r, const told *t)
{
    uint32_t *subject = &r->held[t->component][t->e.bits % INDICES];
    if (!both_hooks(t->component)) return;
    if (t->removed) {
        if (*subject != t->e.bits)
            fail("%u loses %u, which it did not get", t->e.bits, t->component);
        *subject = 0;
        r->held_count[t->component]--;
    } else {
        if (*subject != 0) fail("%u gets %u, which %u holds", t->e.bits, t->component, *subject);
        *subject = t->e.bits;
        r->held_count[t->component]++;
    }
}

static void tell(const den_hook_ctx *ctx, told t)
{
    rig *r = (rig *)ctx->user;
    uint64_t number;
    if (ctx->world != r->w) fail("a hook is given another world");
    if (!den_alive(r->w, t.e)) fail("a hook is told of %u, which is dead", t.e.bits);
    if (!rig_number(r->w, t.e, t.component, &number)) {
        fail("a hook is told of component %u of %u, which lacks it", t.component, t.e.bits);
    }
    if (number != t.value) fail("a hook is given another value than there is");
    hold(r, &t);
    keep(r, t);
    if (r->react) r->react(r, ctx, &t);
}

// The old value is there still.
static void tell_replaced(const den_hook_ctx *ctx, uint16_t component, den_entity e, uint64_t old,
                          uint64_t value)
{
    rig *r = (rig *)ctx->user;
    uint64_t number;
    told t = {false, true, component, e, value, old};
    if (!rig_number(ctx->world, e, component, &number) || number != old) {
        fail("a hook is told of a value of %u that is not there", e.bits);
    }
    if (both_hooks(component) && r->held[component][e.bits % INDICES] != e.bits) {
        fail("%u is given another %u, and did not get one", e.bits, component);
    }
    keep(r, t);
    if (r->replace) r->replace(r, ctx, &t);
}

void den_body_on_replace(const den_hook_ctx *ctx, den_entity e, const den_body *old_value,
                         const den_body *new_value)
{
    tell_replaced(ctx, DEN_COMPONENT_BODY, e, number_of_body(old_value), number_of_body(new_value));
}

void den_gait_on_replace(const den_hook_ctx *ctx, den_entity e, const den_gait *old_value,
                         const den_gait *new_value)
{
    tell_replaced(ctx, DEN_COMPONENT_GAIT, e, number_of_gait(old_value->speed, old_value->length),
                  number_of_gait(new_value->speed, new_value->length));
}

void den_scent_on_replace(const den_hook_ctx *ctx, den_entity e, const den_scent *old_value,
                          const den_scent *new_value)
{
    tell_replaced(ctx, DEN_COMPONENT_SCENT, e, old_value->strength, new_value->strength);
}

void den_body_on_add(const den_hook_ctx *ctx, den_entity e, den_body *value)
{
    tell(ctx, (told){false, false, DEN_COMPONENT_BODY, e, number_of_body(value), 0});
}

void den_body_on_remove(const den_hook_ctx *ctx, den_entity e, const den_body *value)
{
    tell(ctx, (told){true, false, DEN_COMPONENT_BODY, e, number_of_body(value), 0});
}

void den_gait_on_add(const den_hook_ctx *ctx, den_entity e, den_gait *value)
{
    tell(ctx, (told){false, false, DEN_COMPONENT_GAIT, e,
                     number_of_gait(value->speed, value->length), 0});
}

void den_gait_on_remove(const den_hook_ctx *ctx, den_entity e, const den_gait *value)
{
    tell(ctx, (told){true, false, DEN_COMPONENT_GAIT, e,
                     number_of_gait(value->speed, value->length), 0});
}

void den_scent_on_add(const den_hook_ctx *ctx, den_entity e, den_scent *value)
{
    tell(ctx, (told){false, false, DEN_COMPONENT_SCENT, e, value->strength, 0});
}

void den_scent_on_remove(const den_hook_ctx *ctx, den_entity e, const den_scent *value)
{
    tell(ctx, (told){true, false, DEN_COMPONENT_SCENT, e, value->strength, 0});
}

void den_seen_on_add(const den_hook_ctx *ctx, den_entity e)
{
    tell(ctx, (told){false, false, DEN_COMPONENT_SEEN, e, 0, 0});
}

void den_seen_on_remove(const den_hook_ctx *ctx, den_entity e)
{
    tell(ctx, (told){true, false, DEN_COMPONENT_SEEN, e, 0, 0});
}

void den_marked_on_remove(const den_hook_ctx *ctx, den_entity e)
{
    tell(ctx, (told){true, false, DEN_COMPONENT_MARKED, e, 0, 0});
}

void den_pelt_on_add(const den_hook_ctx *ctx, den_entity e, den_pelt *value)
{
    tell(ctx, (told){false, false, DEN_COMPONENT_PELT, e, value->thickness, 0});
}

void den_bare_on_add(const den_hook_ctx *ctx, den_entity e)
{
    tell(ctx, (told){false, false, DEN_COMPONENT_BARE, e, 0, 0});
}

void den_bare_on_remove(const den_hook_ctx *ctx, den_entity e)
{
    tell(ctx, (told){true, false, DEN_COMPONENT_BARE, e, 0, 0});
}

void den_roam(const den_roam_ctx *ctx, uint32_t count, const den_plain *WEFT_RESTRICT plain)
{
    rig *r = (rig *)ctx->user;
    (void)plain;
    for (uint32_t i = 0; r->roam && i < count; i++) r->roam(r, ctx, i);
}

// ------------------------------------------------------------------------------------------------
// The rig

static void keep_line(void *user, const char *line)
{
    rig *r = (rig *)user;
    strncpy(r->said, line, sizeof r->said - 1);
}

rig *rig_open(void)
{
    rig *r = (rig *)calloc(1, sizeof *r);
    if (!r) fail("no memory to test with");
    weft_options options = {.memory = memory_hooks(&r->memory), .log = keep_line, .user = r};
    r->w = den_open(&options);
    if (!r->w) fail("the den does not open");
    return r;
}

void rig_close(rig *r)
{
    memory_disarm(&r->memory);
    den_close(r->w);
    for (uint16_t c = 0; c < KINDS; c++) {
        if (r->held_count[c] != 0) fail("%zu still hold %u", r->held_count[c], c);
    }
    memory_check_empty(&r->memory);
    free(r->told);
    free(r);
}

void rig_forget(rig *r)
{
    r->count = 0;
}

static void check_count(const rig *r, uint16_t component, size_t have)
{
    if (r->held_count[component] != have) {
        fail("%zu have %u, but %zu hold it", have, component, r->held_count[component]);
    }
    for (uint32_t i = 0; i < INDICES; i++) {
        den_entity e = {r->held[component][i]};
        if (e.bits != 0 && !has(r->w, e, component)) {
            fail("%u holds %u and does not have it", e.bits, component);
        }
    }
}

void rig_check(const rig *r)
{
    check_count(r, DEN_COMPONENT_BODY, den_bodies_count(r->w));
    check_count(r, DEN_COMPONENT_GAIT, den_gaits_count(r->w));
    check_count(r, DEN_COMPONENT_SCENT, den_scents_count(r->w));
    check_count(r, DEN_COMPONENT_SEEN, den_watched_count(r->w));
    check_count(r, DEN_COMPONENT_BARE, den_naked_count(r->w));
}

// ------------------------------------------------------------------------------------------------
// Calls by number

bool rig_set(den_world *w, den_entity e, uint16_t component, uint32_t v)
{
    rig_values values = rig_values_of(v);
    switch (component) {
    case DEN_COMPONENT_BODY:
        return den_body_set(w, e, values.body);
    case DEN_COMPONENT_GAIT:
        return den_gait_set(w, e, values.gait);
    case DEN_COMPONENT_SCENT:
        return den_scent_set(w, e, values.scent);
    case DEN_COMPONENT_SEEN:
        return den_seen_set(w, e);
    case DEN_COMPONENT_MARKED:
        return den_marked_set(w, e);
    case DEN_COMPONENT_PELT:
        return den_pelt_set(w, e, values.pelt);
    case DEN_COMPONENT_BARE:
        return den_bare_set(w, e);
    default:
        return den_plain_set(w, e, values.plain);
    }
}

bool rig_remove(den_world *w, den_entity e, uint16_t component)
{
    switch (component) {
    case DEN_COMPONENT_BODY:
        return den_body_remove(w, e);
    case DEN_COMPONENT_GAIT:
        return den_gait_remove(w, e);
    case DEN_COMPONENT_SCENT:
        return den_scent_remove(w, e);
    case DEN_COMPONENT_SEEN:
        return den_seen_remove(w, e);
    case DEN_COMPONENT_MARKED:
        return den_marked_remove(w, e);
    case DEN_COMPONENT_PELT:
        return den_pelt_remove(w, e);
    case DEN_COMPONENT_BARE:
        return den_bare_remove(w, e);
    default:
        return den_plain_remove(w, e);
    }
}

bool rig_cmd_set(den_cmd *cmd, den_entity e, uint16_t component, uint32_t v)
{
    rig_values values = rig_values_of(v);
    switch (component) {
    case DEN_COMPONENT_BODY:
        return den_cmd_body_set(cmd, e, values.body);
    case DEN_COMPONENT_GAIT:
        return den_cmd_gait_set(cmd, e, values.gait);
    case DEN_COMPONENT_SCENT:
        return den_cmd_scent_set(cmd, e, values.scent);
    case DEN_COMPONENT_SEEN:
        return den_cmd_seen_set(cmd, e);
    case DEN_COMPONENT_MARKED:
        return den_cmd_marked_set(cmd, e);
    case DEN_COMPONENT_PELT:
        return den_cmd_pelt_set(cmd, e, values.pelt);
    case DEN_COMPONENT_BARE:
        return den_cmd_bare_set(cmd, e);
    default:
        return den_cmd_plain_set(cmd, e, values.plain);
    }
}

bool rig_cmd_remove(den_cmd *cmd, den_entity e, uint16_t component)
{
    switch (component) {
    case DEN_COMPONENT_BODY:
        return den_cmd_body_remove(cmd, e);
    case DEN_COMPONENT_GAIT:
        return den_cmd_gait_remove(cmd, e);
    case DEN_COMPONENT_SCENT:
        return den_cmd_scent_remove(cmd, e);
    case DEN_COMPONENT_SEEN:
        return den_cmd_seen_remove(cmd, e);
    case DEN_COMPONENT_MARKED:
        return den_cmd_marked_remove(cmd, e);
    case DEN_COMPONENT_PELT:
        return den_cmd_pelt_remove(cmd, e);
    case DEN_COMPONENT_BARE:
        return den_cmd_bare_remove(cmd, e);
    default:
        return den_cmd_plain_remove(cmd, e);
    }
}

den_fox rig_fox(uint32_t v)
{
    rig_values values = rig_values_of(v);
    return (den_fox){.scent = values.scent, .body = values.body, .gait = values.gait};
}

den_cub rig_cub(uint32_t v)
{
    rig_values values = rig_values_of(v);
    return (den_cub){.pelt = values.pelt, .plain = values.plain};
}
