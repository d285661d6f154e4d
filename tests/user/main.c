// The game of an author who has only Weft's README: a turret shoots a belt of rocks to dust.
//
// Nothing here depends on how a world is stored. The systems are plain functions over arrays,
// declared by the generated header. `main` opens a world, fills it, and ticks until no rock is
// left.
#include "asteroids.h"

#include <stdio.h>
#include <string.h>

static const double TICK_SECONDS = 1.0 / 32;
static const uint32_t TICKS_MAX = 20000;
static const uint32_t BOULDERS = 12;

// Distance enough for a game: the longer side of the box between two points. Needs no square root.
static float box_distance(asteroids_vec2 a, asteroids_vec2 b)
{
    const float x = a.x > b.x ? a.x - b.x : b.x - a.x;
    const float y = a.y > b.y ? a.y - b.y : b.y - a.y;
    return x > y ? x : y;
}

void asteroids_aim(const asteroids_aim_ctx *ctx, uint32_t count)
{
    (void)count;
    const asteroids_vec2 turret = {0};
    asteroids_entity nearest = {0};
    float nearest_distance = 0;

    asteroids_targets_iter it = asteroids_targets_begin_in(ctx->targets);
    while (asteroids_targets_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            const float distance = box_distance(it.place[i].at, turret) - it.rock[i].radius;
            if (asteroids_is_none(nearest) || distance < nearest_distance) {
                nearest = it.entities[i];
                nearest_distance = distance;
            }
        }
    }
    if (asteroids_is_none(nearest)) return;

    asteroids_shot shot = asteroids_shot_defaults();
    shot.shell.target = nearest;
    asteroids_cmd_shot_spawn(ctx->cmd, &shot);
    asteroids_cmd_aimed_at_set(ctx->cmd, nearest);
    ctx->score->shots++;
}

void asteroids_home(const asteroids_home_ctx *ctx, uint32_t count, const asteroids_shell *shell,
                    const asteroids_place *place, asteroids_velocity_columns velocity)
{
    for (uint32_t i = 0; i < count; i++) {
        const asteroids_place *target = asteroids_place_get_in(ctx->place, shell[i].target);
        if (target == NULL) continue; // it was shot by another: fly on until the fuse has burnt
        const float distance = box_distance(target->at, place[i].at);
        if (distance <= 0) continue;
        velocity.x[i] = (target->at.x - place[i].at.x) / distance * ctx->turret->speed;
        velocity.y[i] = (target->at.y - place[i].at.y) / distance * ctx->turret->speed;
    }
}

void asteroids_drift(const asteroids_drift_ctx *ctx, uint32_t count,
                     asteroids_velocity_const_columns velocity, asteroids_place *restrict place)
{
    const float dt = (float)ctx->dt;
    for (uint32_t i = 0; i < count; i++) {
        place[i].at.x += velocity.x[i] * dt;
        place[i].at.y += velocity.y[i] * dt;
    }
}

void asteroids_burn_fuse(const asteroids_burn_fuse_ctx *ctx, uint32_t count,
                         asteroids_shell *restrict shell)
{
    for (uint32_t i = 0; i < count; i++) {
        shell[i].fuse -= (float)ctx->dt;
        if (shell[i].fuse > 0) continue;
        asteroids_cmd_aimed_at_remove(ctx->cmd, shell[i].target);
        asteroids_cmd_despawn(ctx->cmd, ctx->entities[i]);
    }
}

void asteroids_collide(const asteroids_collide_ctx *ctx, uint32_t count,
                       const asteroids_place *place, const asteroids_shell *shell)
{
    for (uint32_t i = 0; i < count; i++) {
        const asteroids_entity target = shell[i].target;
        const asteroids_place *there = asteroids_place_get_in(ctx->place, target);
        const asteroids_rock *rock = asteroids_rock_get_in(ctx->rock, target);
        if (there == NULL || rock == NULL) continue;
        if (box_distance(place[i].at, there->at) > rock->radius) continue;
        asteroids_cmd_struck_set(ctx->cmd, target);
        asteroids_cmd_glow_set(ctx->cmd, target, (asteroids_glow){.heat = 8});
        asteroids_cmd_despawn(ctx->cmd, ctx->entities[i]);
        ctx->score->hits++;
        ctx->turret->last = target;
    }
}

void asteroids_cool(const asteroids_cool_ctx *ctx, uint32_t count, weft_rows rows,
                    asteroids_glow *const *glow)
{
    (void)count;
    uint32_t i;
    while (weft_next(&rows, &i)) {
        glow[i]->heat--;
        if (glow[i]->heat == 0) asteroids_cmd_glow_remove(ctx->cmd, ctx->entities[i]);
    }
}

void asteroids_split(const asteroids_split_ctx *ctx, uint32_t count, const asteroids_place *place,
                     const asteroids_rock *rock, asteroids_velocity_const_columns velocity)
{
    for (uint32_t i = 0; i < count; i++) {
        ctx->score->points += 10u * (rock[i].size + 1u);
        asteroids_split_aimed_at_put(ctx, i, false);
        asteroids_cmd_despawn(ctx->cmd, ctx->entities[i]);
        if (rock[i].size == ASTEROIDS_SIZE_SMALL) continue;
        for (int side = -1; side <= 1; side += 2) {
            asteroids_boulder piece = asteroids_boulder_defaults();
            piece.place = place[i];
            piece.velocity.x = velocity.x != NULL ? velocity.x[i] : 0;
            piece.velocity.y = (float)side;
            piece.rock.size = (asteroids_size)(rock[i].size - 1);
            piece.rock.radius = rock[i].radius / 2;
            asteroids_cmd_boulder_spawn(ctx->cmd, &piece);
        }
    }
}

static bool fill_belt(asteroids_world *w)
{
    for (uint32_t i = 0; i < BOULDERS; i++) {
        asteroids_boulder boulder = asteroids_boulder_defaults();
        boulder.place.at =
            (asteroids_vec2){(float)i * 8.0f - 44.0f, (float)(i % 3) * 10.0f + 20.0f};
        if (asteroids_is_none(asteroids_boulder_spawn(w, &boulder))) return false;
    }
    return true;
}

static void print_schema(void)
{
    const weft_schema *schema = asteroids_schema();
    printf("%s: handles of %u bits\n", schema->name, schema->handle_bytes * 8u);
    for (uint32_t i = 0; i < schema->component_count; i++) {
        const weft_component_info *component = &schema->components[i];
        printf("  %-8s %2u bytes, %u fields\n", component->name, component->size,
               component->field_count);
    }
}

static void print_end(asteroids_world *w, uint32_t ticks)
{
    const asteroids_score *score = asteroids_score_get(w);
    printf("%s: %u points, %u shots, %u hits after %u ticks\n", score->name, score->points,
           score->shots, score->hits, ticks);
    printf("%zu rocks left; the last one hit is %s\n", (size_t)asteroids_rocks_count(w),
           asteroids_alive(w, asteroids_turret_get(w)->last) ? "alive" : "dust");
}

int main(void)
{
    const weft_options options = {0};
    asteroids_world *w = asteroids_open(&options);
    if (w == NULL || !fill_belt(w)) return 1;
    strcpy(asteroids_score_edit(w)->name, "ace");
    print_schema();

    uint32_t ticks = 0;
    while (asteroids_rocks_count(w) > 0 && ticks < TICKS_MAX) {
        if (asteroids_tick(w, TICK_SECONDS) != WEFT_OK) {
            fprintf(stderr, "%s\n", asteroids_error(w));
            return 1;
        }
        ticks++;
    }
    print_end(w, ticks);
    asteroids_close(w);
    return 0;
}
