// The systems of fuzz.toml. Each checks every row that it gets against the model and writes some
// values to both; some record random commands.
//
// flags: played
#include "run.h"

#include "fail.h"

#define CALLED(system) turn_call(r, system, ctx->dt, ctx->tick)
#define RUN ((run *)ctx->user)

// Emits a rumor; now and then more than may remain unheard.
#define TELL(system, teller)                                                                       \
    do {                                                                                           \
        for (uint32_t left = any_chance(r, 64) ? RUMORS_MAX + 2 : 1; left > 0; left--) {           \
            fuzz_rumor rumor;                                                                      \
            uint64_t failures = r->memory.failures;                                                \
            any_value_of(r, &rumor_info, &rumor);                                                  \
            fuzz_rumor_emit(ctx->emit_rumor, rumor);                                               \
            rumors_tell(&r->model.rumors, teller, &rumor, failures != r->memory.failures);         \
        }                                                                                          \
    } while (0)

static void check_singletons(const run *r, const fuzz_weather *weather, const fuzz_tally *tally)
{
    const singleton_values *known = &r->model.singletons;
    if (weather && !values_equal(&singletons[WEATHER], &known->weather, weather)) {
        fail("singleton 'weather' differs");
    }
    if (tally && !values_equal(&singletons[TALLY], &known->tally, tally)) {
        fail("singleton 'tally' differs");
    }
}

// Checks an optional or looked up value against the model.
static void check_lookup(run *r, fuzz_entity e, component c, const void *value)
{
    const entity *known = model_find(&r->model, e.bits);
    if (known) {
        walk_optional(known, c, value);
    } else if (value) {
        fail("a lookup of '%s' finds a dead handle", components[c].name);
    }
}

#ifdef NDEBUG
static void change_directly(run *r, fuzz_entity e, component c, const any_value *value)
{
    if (fuzz_spawn(r->world).bits != 0 || fuzz_despawn(r->world, e) ||
        fuzz_walker_spawn(r->world, NULL).bits != 0 ||
        fuzz_walker_spawn_many(r->world, 2, NULL, NULL) != 0 ||
        fuzz_walker_set(r->world, e, NULL) || component_api[c].remove(r->world, e) ||
        component_api[c].set(r->world, e, value) || fuzz_flush(r->world) != WEFT_BUSY ||
        fuzz_tick(r->world, 1) != WEFT_BUSY || fuzz_run_idle(r->world, 1) != WEFT_BUSY ||
        fuzz_recycle(r->world) != 0 || fuzz_reserve(r->world, 1) != WEFT_BUSY ||
        fuzz_trim(r->world) != WEFT_BUSY || fuzz_reset(r->world) != WEFT_BUSY ||
        fuzz_everyone_despawn_all(r->world) != WEFT_BUSY ||
        fuzz_everyone_marked_set_all(r->world) != WEFT_BUSY ||
        fuzz_everyone_marked_remove_all(r->world) != WEFT_BUSY ||
        fuzz_part_of_attach(r->world, e, e) || fuzz_part_of_detach(r->world, e)) {
        fail("a system changed the world directly");
    }
    fuzz_marked_clear(r->world);
    for (int i = 0; i < 20; i++) run_event(r, WEFT_BUSY, 0);
}
#endif

// Changes to the set of an entity are refused while a phase runs. (Debug builds assert.)
static void check_busy(run *r)
{
    fuzz_entity e = any_living(r);
    component c = any_component(r);
    any_value value;
    any_value_of(r, &components[c], &value);
#ifdef NDEBUG
    change_directly(r, e, c, &value);
#else
    (void)e;
    (void)value;
#endif
}

// ---- early

void fuzz_ripple(const fuzz_ripple_ctx *ctx, uint32_t count, fuzz_heat_columns heat)
{
    run *r = RUN;
    CALLED(RIPPLE);
    for (uint32_t i = 0; i < count; i++) {
        entity *e = turn_meet(r, ctx->entities[i]);
        walk_heat(e, heat_const(heat), i);
        walk_change_heat(r, e, heat, i);
        if (r->options.plain) continue;
        if (any_chance(r, 4)) {
            bool on = any_chance(r, 2);
            fuzz_ripple_marked_put(ctx, i, on);
            turn_write(r, e, i, MARKED, on);
        }
        if (any_chance(r, 4)) {
            bool on = any_chance(r, 3);
            fuzz_ripple_hidden_put(ctx, i, !on);
            fuzz_ripple_hidden_put(ctx, i, on);
            turn_write(r, e, i, HIDDEN, on);
        }
    }
}

void fuzz_integrate(const fuzz_integrate_ctx *ctx, uint32_t count, fuzz_motion_const_columns motion,
                    fuzz_place *WEFT_RESTRICT place)
{
    run *r = RUN;
    CALLED(INTEGRATE);
    for (uint32_t i = 0; i < count; i++) {
        entity *e = turn_meet(r, ctx->entities[i]);
        walk_motion(e, motion, i);
        walk_optional(e, PLACE, &place[i]);
        walk_change(r, e, PLACE, &place[i]);
    }
}

// A list is not empty, and its rows ascend.
static void check_list(uint32_t count, const uint32_t *rows)
{
    if (count == 0 || count > WEFT_LIST_ROWS) fail("a list of %u rows", (unsigned)count);
    for (uint32_t k = 1; k < count; k++) {
        if (rows[k] <= rows[k - 1]) fail("a list is out of order at %u", (unsigned)k);
    }
}

void fuzz_sift(const fuzz_sift_ctx *ctx, uint32_t count, const uint32_t *WEFT_RESTRICT rows,
               const fuzz_place *WEFT_RESTRICT place, fuzz_scalars *WEFT_RESTRICT scalars,
               const fuzz_brand *const *brand, fuzz_motion_const_columns motion)
{
    run *r = RUN;
    CALLED(SIFT);
    check_list(count, rows);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t i = rows[k];
        entity *e = turn_meet(r, ctx->entities[i]);
        walk_optional(e, PLACE, &place[i]);
        walk_optional(e, SCALARS, &scalars[i]);
        walk_optional(e, BRAND, brand[k]);
        walk_motion(e, motion, i);
        walk_tag(e, COLD, fuzz_sift_cold_has(ctx, i));
        walk_change(r, e, SCALARS, &scalars[i]);
    }
}

static void check_trees_inside(const fuzz_census_ctx *ctx, run *r, fuzz_entity e)
{
    model *m = &r->model;
    fuzz_part_of_walk walk = fuzz_part_of_walk_begin_in(ctx->part_of, e);
    uint64_t child = model_first_child(m, PART_OF, e.bits);
    bool met = fuzz_part_of_walk_next(&walk) && fuzz_part_of_walk_next(&walk);
    if (fuzz_part_of_parent_in(ctx->part_of, e).bits != model_parent(m, PART_OF, e.bits) ||
        fuzz_part_of_first_child_in(ctx->part_of, e).bits != child ||
        fuzz_part_of_next_sibling_in(ctx->part_of, e).bits !=
            model_next_sibling(m, PART_OF, e.bits) ||
        fuzz_part_of_depth_in(ctx->part_of, e) != model_depth(m, PART_OF, e.bits) ||
        (met ? walk.entity.bits : 0) != child) {
        fail("a system is told something else of handle %llx", (unsigned long long)e.bits);
    }
}

static void census_look_up(const fuzz_census_ctx *ctx, run *r, fuzz_entity e)
{
    entity *known = model_find(&r->model, e.bits);
    fuzz_motion motion;
    fuzz_pouch pouch;
    fuzz_motion_const_columns motions = fuzz_motion_get_in(ctx->motion, e);
    fuzz_pouch_columns pouches = fuzz_pouch_edit_in(ctx->pouch, e);
    fuzz_label *label = fuzz_label_edit_in(ctx->label, e);
    fuzz_brand *brand = fuzz_brand_edit_in(ctx->brand, e);
    if (motions.dz) motion_read(motions, 0, &motion);
    if (pouches.knot) pouch_read(pouch_const(pouches), 0, &pouch);
    check_trees_inside(ctx, r, e);
    check_lookup(r, e, SCALARS, fuzz_scalars_get_in(ctx->scalars, e));
    check_lookup(r, e, FEVER, fuzz_fever_get_in(ctx->fever, e));
    check_lookup(r, e, MOTION, motions.dz ? &motion : NULL);
    check_lookup(r, e, POUCH, pouches.knot ? &pouch : NULL);
    check_lookup(r, e, LABEL, label);
    check_lookup(r, e, BRAND, brand);
    if (pouches.knot) walk_change_pouch(r, known, pouches, 0);
    if (label) walk_change(r, known, LABEL, label);
    if (brand) walk_change(r, known, BRAND, brand);
}

#define CHECK_INSIDE(query)                                                                        \
    do {                                                                                           \
        fuzz_##query##_iter it = fuzz_##query##_begin_in(ctx->query);                              \
        check_##query(r, &it, fuzz_##query##_count_in(ctx->query));                                \
    } while (0)

void fuzz_census(const fuzz_census_ctx *ctx, uint32_t count)
{
    run *r = RUN;
    CALLED(CENSUS);
    if (count != 0) fail("a system without rows is given %u", (unsigned)count);
    turn_hear(r, ctx->rumor, ctx->rumor_count);
    check_singletons(r, ctx->weather, ctx->tally);
    any_value_of(r, &singletons[TALLY], ctx->tally);
    r->model.singletons.tally = *ctx->tally;
    CHECK_INSIDE(everyone);
    CHECK_INSIDE(mixed);
    CHECK_INSIDE(scattered);
    CHECK_INSIDE(movers);
    CHECK_INSIDE(haunted);
    for (int i = 0; i < 8; i++) census_look_up(ctx, r, any_handle(r));
    check_busy(r);
}

// ---- middle

void fuzz_gossip(const fuzz_gossip_ctx *ctx, uint32_t count, weft_rows rows, fuzz_scalars *scalars,
                 fuzz_grip *grip, const fuzz_label *WEFT_RESTRICT label,
                 const fuzz_fever *const *fever, fuzz_motion_const_columns motion)
{
    run *r = RUN;
    uint32_t i;
    (void)count;
    CALLED(GOSSIP);
    while (weft_next(&rows, &i)) {
        entity *e = turn_meet(r, ctx->entities[i]);
        walk_optional(e, SCALARS, &scalars[i]);
        walk_optional(e, GRIP, &grip[i]);
        walk_optional(e, LABEL, label ? &label[i] : NULL);
        walk_optional(e, FEVER, fever[i]);
        walk_motion(e, motion, i);
        walk_tag(e, MARKED, fuzz_gossip_marked_has(ctx, i));
        walk_change(r, e, SCALARS, &scalars[i]);
        walk_change(r, e, GRIP, &grip[i]);

        // These columns can be reached by another way.
        fuzz_entity other = any_chance(r, 4) ? ctx->entities[i] : any_handle(r);
        fuzz_grip *others = fuzz_grip_edit_in(ctx->grip, other);
        check_lookup(r, other, SCALARS, fuzz_scalars_get_in(ctx->scalars, other));
        check_lookup(r, other, GRIP, others);
        if (others) walk_change(r, model_find(&r->model, other.bits), GRIP, others);
        if (any_chance(r, 32)) CHECK_INSIDE(gripped);
        if (any_chance(r, 8)) record_any(r, ctx->cmd, BUFFER_GOSSIP);
    }
    check_busy(r);
}

// Writes tags of any entities at once, and has each of them compared.
#define WRITE_NOW(name, NAME)                                                                      \
    do {                                                                                           \
        fuzz_entity other = any_handle(r);                                                         \
        bool on = any_chance(r, 2);                                                                \
        bool done = on ? fuzz_##name##_set_in(ctx->name, other)                                    \
                       : fuzz_##name##_remove_in(ctx->name, other);                                \
        turn_write_now(r, other, NAME, on, done);                                                  \
        const entity *known = model_find(&r->model, other.bits);                                   \
        bool has = fuzz_##name##_has_in(ctx->name.reader, other);                                  \
        if (has != (known && entity_has(known, NAME))) fail("'%s' differs", #name);                \
    } while (0)

void fuzz_infect(const fuzz_infect_ctx *ctx, uint32_t count, const fuzz_place *WEFT_RESTRICT place,
                 const fuzz_fever *const *fever, const fuzz_brand *const *brand,
                 fuzz_pouch_const_columns pouch)
{
    run *r = RUN;
    CALLED(INFECT);
    for (uint32_t i = 0; i < count; i++) {
        const entity *e = turn_meet(r, ctx->entities[i]);
        walk_optional(e, PLACE, &place[i]);
        walk_optional(e, FEVER, fever[i]);
        walk_optional(e, BRAND, brand[i]);
        walk_pouch(e, pouch, i);
        walk_tag(e, AWAKE, fuzz_infect_awake_has(ctx, i));
        if (any_chance(r, 16)) record_any(r, ctx->cmd, BUFFER_INFECT);
        if (any_chance(r, 16)) TELL(infect, TELLER_INFECT);
        if (r->options.plain || !any_chance(r, 8)) continue;
        WRITE_NOW(angry, ANGRY);
        WRITE_NOW(keen, KEEN);
        WRITE_NOW(tamed, TAMED);
    }
}

void fuzz_mark(const fuzz_mark_ctx *ctx, uint32_t count)
{
    static const struct {
        component tag;
        void (*tag_write)(const fuzz_mark_ctx *ctx, uint32_t i, bool on);
    } tags[] = {
        {ANGRY, fuzz_mark_angry_put}, {COLD, fuzz_mark_cold_put},   {HOT, fuzz_mark_hot_put},
        {KEEN, fuzz_mark_keen_put},   {AWAKE, fuzz_mark_awake_put},
    };
    run *r = RUN;
    CALLED(MARK);
    for (uint32_t i = 0; i < count; i++) {
        entity *e = turn_meet(r, ctx->entities[i]);
        if (r->options.plain || !any_chance(r, 4)) continue;
        for (uint32_t k = 1 + any_below(r, 3); k > 0; k--) {
            uint32_t which = any_below(r, 5);
            bool on = any_chance(r, 2);
            tags[which].tag_write(ctx, i, on);
            turn_write(r, e, i, tags[which].tag, on);
        }
    }
}

void fuzz_flicker(const fuzz_flicker_ctx *ctx, uint32_t count, weft_rows rows,
                  const fuzz_speck *WEFT_RESTRICT speck)
{
    run *r = RUN;
    uint32_t i;
    (void)count;
    CALLED(FLICKER);
    turn_hear(r, ctx->rumor, ctx->rumor_count);
    while (weft_next(&rows, &i)) {
        entity *e = turn_meet(r, ctx->entities[i]);
        walk_optional(e, SPECK, &speck[i]);
        if (!r->options.plain) {
            bool on = any_chance(r, 2);
            fuzz_flicker_marked_put(ctx, i, on);
            turn_write(r, e, i, MARKED, on);
        }
        if (any_chance(r, 32)) record_any(r, ctx->cmd, BUFFER_FLICKER);
    }
}

// Checks the data of a row's parent.
static void check_parent(run *r, const entity *e, relation along, component c, const void *value)
{
    const entity *parent = model_find(&r->model, e->ties[along].parent);
    if (parent) {
        walk_optional(parent, c, value);
    } else if (value) {
        fail("'%s' of the parent of handle %llx, which has none", components[c].name,
             (unsigned long long)e->bits);
    }
}

void fuzz_echo(const fuzz_echo_ctx *ctx, uint32_t count, fuzz_label *label,
               const fuzz_label *const *label_parent, const fuzz_brand *const *brand_parent)
{
    run *r = RUN;
    uint32_t depth = UINT32_MAX;
    CALLED(ECHO);
    for (uint32_t i = 0; i < count; i++) {
        entity *e = turn_meet(r, ctx->entities[i]);
        turn_follow(r, e, &depth);
        walk_optional(e, LABEL, &label[i]);
        check_parent(r, e, FOLLOWS, LABEL, label_parent[i]);
        check_parent(r, e, FOLLOWS, BRAND, brand_parent[i]);
        walk_change(r, e, LABEL, &label[i]);
        if (r->options.plain || !any_chance(r, 4)) continue;
        bool on = any_chance(r, 2);
        fuzz_echo_marked_put(ctx, i, on);
        turn_write(r, e, i, MARKED, on);
    }
}

// ---- late

void fuzz_lone(const fuzz_lone_ctx *ctx, uint32_t count)
{
    run *r = RUN;
    CALLED(LONE);
    for (uint32_t i = 0; i < count; i++) {
        turn_meet(r, ctx->entities[i]);
        if (any_chance(r, 16)) record_any(r, ctx->cmd, BUFFER_LONE);
        if (any_chance(r, 4)) TELL(lone, TELLER_LONE);
    }
}

void fuzz_slow(const fuzz_slow_ctx *ctx, uint32_t count)
{
    run *r = RUN;
    CALLED(SLOW);
    if (count != 0) fail("a system without rows is given %u", (unsigned)count);
    turn_hear(r, ctx->rumor, ctx->rumor_count);
    check_singletons(r, ctx->weather, ctx->tally);
    any_value_of(r, &singletons[WEATHER], ctx->weather);
    r->model.singletons.weather = *ctx->weather;
    record_any(r, ctx->cmd, BUFFER_SLOW);
    for (uint32_t i = r->options.plain ? 0 : any_below(r, 40); i > 0; i--) {
        WRITE_NOW(marked, MARKED);
        WRITE_NOW(hidden, HIDDEN);
        WRITE_NOW(hot, HOT);
    }
    check_busy(r);
}

void fuzz_treat(const fuzz_treat_ctx *ctx, uint32_t count, const fuzz_fever *const *fever,
                fuzz_brand *const *brand, fuzz_ghost *const *ghost, fuzz_heat_const_columns heat)
{
    run *r = RUN;
    CALLED(TREAT);
    check_singletons(r, NULL, ctx->tally);
    for (uint32_t i = 0; i < count; i++) {
        entity *e = turn_meet(r, ctx->entities[i]);
        walk_optional(e, FEVER, fever[i]);
        walk_optional(e, BRAND, brand[i]);
        walk_optional(e, GHOST, ghost[i]);
        walk_heat(e, heat, i);
        walk_tag(e, HIDDEN, fuzz_treat_hidden_has(ctx, i));
        walk_change(r, e, BRAND, brand[i]);
        walk_change(r, e, GHOST, ghost[i]);
    }
}

void fuzz_haunt(const fuzz_haunt_ctx *ctx, uint32_t count, weft_rows rows, fuzz_fever *const *fever,
                const fuzz_ghost *const *ghost, const fuzz_place *WEFT_RESTRICT place)
{
    run *r = RUN;
    uint32_t i;
    (void)count;
    CALLED(HAUNT);
    turn_hear(r, ctx->rumor, ctx->rumor_count);
    while (weft_next(&rows, &i)) {
        entity *e = turn_meet(r, ctx->entities[i]);
        walk_optional(e, FEVER, fever[i]);
        walk_optional(e, GHOST, ghost[i]);
        walk_optional(e, PLACE, place ? &place[i] : NULL);
        walk_change(r, e, FEVER, fever[i]);
        if (any_chance(r, 16)) record_any(r, ctx->cmd, BUFFER_HAUNT);
        if (any_chance(r, 8)) TELL(haunt, TELLER_HAUNT);
    }
}

void fuzz_nurse(const fuzz_nurse_ctx *ctx, uint32_t count, const uint32_t *WEFT_RESTRICT rows,
                fuzz_fever *const *fever, const fuzz_ghost *const *ghost,
                const fuzz_place *WEFT_RESTRICT place, fuzz_pouch_const_columns pouch)
{
    run *r = RUN;
    CALLED(NURSE);
    check_list(count, rows);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t i = rows[k];
        entity *e = turn_meet(r, ctx->entities[i]);
        walk_optional(e, FEVER, fever[k]);
        walk_optional(e, GHOST, ghost[k]);
        walk_optional(e, PLACE, place ? &place[i] : NULL);
        walk_pouch(e, pouch, i);
        walk_tag(e, MARKED, fuzz_nurse_marked_has(ctx, i));
        walk_change(r, e, FEVER, fever[k]);
    }
}

void fuzz_shade(const fuzz_shade_ctx *ctx, uint32_t count, const uint32_t *WEFT_RESTRICT rows,
                fuzz_ghost *const *ghost, const fuzz_label *WEFT_RESTRICT label)
{
    run *r = RUN;
    CALLED(SHADE);
    check_list(count, rows);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t i = rows[k];
        entity *e = turn_meet(r, ctx->entities[i]);
        walk_optional(e, GHOST, ghost[k]);
        walk_optional(e, LABEL, label ? &label[i] : NULL);
        walk_change(r, e, GHOST, ghost[k]);
        if (r->options.plain || !any_chance(r, 4)) continue;
        bool on = any_chance(r, 2);
        fuzz_shade_hidden_put(ctx, i, on);
        turn_write(r, e, i, HIDDEN, on);
    }
}

void fuzz_trail(const fuzz_trail_ctx *ctx, uint32_t count, fuzz_place *place,
                fuzz_motion_const_columns motion, const fuzz_place *const *place_parent,
                const fuzz_heat_const_columns *heat_parent, const fuzz_fever *const *fever_parent)
{
    run *r = RUN;
    uint32_t depth = UINT32_MAX;
    CALLED(TRAIL);
    for (uint32_t i = 0; i < count; i++) {
        entity *e = turn_meet(r, ctx->entities[i]);
        turn_follow(r, e, &depth);
        walk_optional(e, PLACE, &place[i]);
        walk_motion(e, motion, i);
        walk_tag(e, HIDDEN, fuzz_trail_hidden_has(ctx, i));
        check_parent(r, e, PART_OF, PLACE, place_parent[i]);
        check_parent(r, e, PART_OF, HEAT, heat_parent[i].degrees);
        check_parent(r, e, PART_OF, FEVER, fever_parent[i]);
        walk_change(r, e, PLACE, &place[i]);
    }
}
