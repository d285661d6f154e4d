// A game of survivors without a window: a hero walks by a script, waves of enemies approach, and
// two rounds are played. It is played in several ways, which must all end in equal worlds: with no
// worker, one and four, and by a world that is loaded from a save in the middle.
#include "swarm.h"
#include "weft_math.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const float REACH_OF_BITE = 1.0f;
static const float REACH_OF_SHOT = 0.75f;
static const float REACH_OF_HAND = 2.5f;
static const float REACH_OF_AXE = 6.0f;
static const float REACH_OF_BOMB = 4.0f;
static const float APART = 0.8f;
static const float RING = 14.0f;

// ------------------------------------------------------------------------------------------------
// Systems

// A voice is opened with its foe, so that no system ever sees one without a channel.
void swarm_voice_on_add(const swarm_hook_ctx *ctx, swarm_entity e, swarm_voice *value)
{
    (void)e;
    game_drum *drum = (game_drum *)ctx->user;
    drum->open++;
    value->channel = ++drum->opened;
}

void swarm_voice_on_remove(const swarm_hook_ctx *ctx, swarm_entity e, const swarm_voice *value)
{
    (void)e;
    game_drum *drum = (game_drum *)ctx->user;
    if (value->channel != 0) drum->open--; // else one is left open, which the end of the game tells
}

// A bomb hits all foes in a box around the hero, who has one for each round.
static void bomb(const swarm_obey_ctx *ctx)
{
    swarm_heroes_iter it = swarm_heroes_begin_in(ctx->heroes);
    if (!swarm_heroes_next(&it) || ctx->round->bombs == 0) return;
    ctx->round->bombs--;
    const swarm_place at = it.place[0];
    swarm_foes_by_place_box_iter near = swarm_foes_by_place_box_begin_in(
        ctx->foes_by_place, at.x - REACH_OF_BOMB, at.y - REACH_OF_BOMB, at.x + REACH_OF_BOMB,
        at.y + REACH_OF_BOMB);
    while (swarm_foes_by_place_box_next(&near)) {
        swarm_hit_emit(ctx->emit_hit, (swarm_hit){near.entity, 6, true});
    }
}

void swarm_obey(const swarm_obey_ctx *ctx, uint32_t count)
{
    (void)count;
    for (uint32_t i = 0; i < ctx->command_count; i++) {
        const swarm_command *command = &ctx->command[i];
        if (command->order == SWARM_ORDER_START && ctx->game != SWARM_GAME_PLAY) {
            swarm_game_go_in(ctx->go_game, SWARM_GAME_PLAY);
        } else if (command->order == SWARM_ORDER_PAUSE) {
            swarm_pause_go_in(ctx->go_pause,
                              ctx->pause == SWARM_PAUSE_ON ? SWARM_PAUSE_OFF : SWARM_PAUSE_ON);
        } else if (command->order == SWARM_ORDER_BOMB) {
            bomb(ctx);
        } else if (command->order == SWARM_ORDER_WALK || command->order == SWARM_ORDER_REST) {
            swarm_motion *motion =
                swarm_motion_edit_in(ctx->motion, swarm_heroes_only_in(ctx->heroes));
            if (motion != NULL) *motion = (swarm_motion){command->x, command->y};
        }
    }
}

void swarm_begin(const swarm_begin_ctx *ctx, uint32_t count)
{
    (void)count;
    ctx->round->seconds = 0;
    ctx->round->bombs = 1;
    memset(ctx->round->kills, 0, sizeof ctx->round->kills);
    ctx->round->played++;
    swarm_cmd_champion_spawn(ctx->cmd, NULL);
    swarm_cmd_truck_spawn(ctx->cmd, NULL);
    swarm_cmd_tank_spawn(ctx->cmd, NULL);
    swarm_cmd_jeep_spawn(ctx->cmd, NULL);
}

static void foe_spawn(swarm_cmd *cmd, swarm_kind kind, swarm_place at)
{
    if (kind == SWARM_KIND_BAT) {
        swarm_bat bat = swarm_bat_defaults();
        bat.place = at;
        swarm_cmd_bat_spawn(cmd, &bat);
    } else if (kind == SWARM_KIND_GHOUL) {
        swarm_ghoul ghoul = swarm_ghoul_defaults();
        ghoul.place = at;
        swarm_cmd_ghoul_spawn(cmd, &ghoul);
    } else {
        swarm_ogre ogre = swarm_ogre_defaults();
        ogre.place = at;
        swarm_cmd_ogre_spawn(cmd, &ogre);
    }
}

void swarm_wave(const swarm_wave_ctx *ctx, uint32_t count)
{
    (void)count;
    swarm_heroes_iter it = swarm_heroes_begin_in(ctx->heroes);
    if (!swarm_heroes_next(&it)) return;
    weft_rng *dice = &ctx->round->dice;
    ctx->round->seconds += (float)ctx->dt;
    const uint32_t foes = 2 + (uint32_t)(ctx->round->seconds / 4);
    for (uint32_t i = 0; i < foes; i++) {
        const float along = (weft_rng_f32(dice) * 2 - 1) * RING;
        const float side = weft_rng_chance(dice, 0.5f) ? RING : -RING;
        swarm_place at = it.place[0];
        const bool across = weft_rng_chance(dice, 0.5f);
        at.x += across ? along : side;
        at.y += across ? side : along;
        const uint32_t roll = weft_rng_below(dice, 10);
        foe_spawn(ctx->cmd,
                  roll < 5   ? SWARM_KIND_BAT
                  : roll < 9 ? SWARM_KIND_GHOUL
                             : SWARM_KIND_OGRE,
                  at);
    }
}

void swarm_chase(const swarm_chase_ctx *ctx, uint32_t count, const swarm_place *place,
                 swarm_foe *restrict foe, swarm_motion *restrict motion)
{
    swarm_heroes_iter it = swarm_heroes_begin_in(ctx->heroes);
    if (!swarm_heroes_next(&it)) return;
    const swarm_place goal = it.place[0];
    for (uint32_t i = 0; i < count; i++) {
        float x = goal.x - place[i].x;
        float y = goal.y - place[i].y;
        const float far = weft_hypotf(x, y) + 0.01f;
        x = x / far + (weft_rng_f32(&foe[i].luck) - 0.5f) * 0.5f;
        y = y / far + (weft_rng_f32(&foe[i].luck) - 0.5f) * 0.5f;
        swarm_foes_by_place_near_iter near =
            swarm_foes_by_place_near_begin_in(ctx->foes_by_place, place[i].x, place[i].y, APART);
        while (swarm_foes_by_place_near_next(&near)) {
            x += place[i].x - near.place->x;
            y += place[i].y - near.place->y;
        }
        motion[i] = (swarm_motion){x * foe[i].speed, y * foe[i].speed};
    }
}

void swarm_walk(const swarm_walk_ctx *ctx, uint32_t count, const swarm_motion *restrict motion,
                swarm_place *restrict place)
{
    const float dt = (float)ctx->dt;
    for (uint32_t i = 0; i < count; i++) {
        place[i].x += motion[i].x * dt;
        place[i].y += motion[i].y * dt;
    }
}

static void shoot_at(const swarm_shoot_ctx *ctx, swarm_place from, swarm_entity target, bool hot)
{
    const swarm_place *there = swarm_place_get_in(ctx->place, target);
    if (there == NULL) return;
    const float x = there->x - from.x;
    const float y = there->y - from.y;
    const float far = weft_hypotf(x, y) + 0.01f;
    swarm_bolt bolt = swarm_bolt_defaults();
    bolt.place = from;
    bolt.motion = (swarm_motion){x / far * 12, y / far * 12};
    bolt.shot.hot = hot;
    swarm_cmd_bolt_spawn(ctx->cmd, &bolt);
}

void swarm_shoot(const swarm_shoot_ctx *ctx, uint32_t count, const swarm_place *place,
                 swarm_hero *restrict hero)
{
    for (uint32_t i = 0; i < count; i++) {
        hero[i].reload -= (float)ctx->dt;
        if (hero[i].reload > 0) continue;
        hero[i].reload = 0.5f;
        swarm_entity near[4];
        const size_t found =
            swarm_foes_by_place_nearest_in(ctx->foes_by_place, place[i].x, place[i].y, 4, near);
        for (uint32_t k = 0; k < hero[i].weapons.count; k++) {
            const swarm_weapon weapon = hero[i].weapons.items[k];
            if (weapon == SWARM_WEAPON_AXE) {
                const swarm_entity weak = swarm_weakest_first_in(ctx->weakest);
                const swarm_place *there = swarm_place_get_in(ctx->place, weak);
                if (there == NULL) continue;
                const float far = weft_hypotf(there->x - place[i].x, there->y - place[i].y);
                if (far <= REACH_OF_AXE) shoot_at(ctx, place[i], weak, false);
            } else if (k < found) {
                shoot_at(ctx, place[i], near[k], weapon == SWARM_WEAPON_TORCH);
            }
        }
    }
}

void swarm_strike(const swarm_strike_ctx *ctx, uint32_t count, const swarm_place *place,
                  swarm_shot *restrict shot)
{
    for (uint32_t i = 0; i < count; i++) {
        shot[i].seconds -= (float)ctx->dt;
        swarm_foes_by_place_near_iter near = swarm_foes_by_place_near_begin_in(
            ctx->foes_by_place, place[i].x, place[i].y, REACH_OF_SHOT);
        const bool hit = swarm_foes_by_place_near_next(&near);
        if (hit)
            swarm_hit_emit(ctx->emit_hit, (swarm_hit){near.entity, shot[i].damage, shot[i].hot});
        if (hit || shot[i].seconds <= 0) swarm_cmd_despawn(ctx->cmd, ctx->entities[i]);
    }
}

void swarm_bite(const swarm_bite_ctx *ctx, uint32_t count, const swarm_place *place,
                swarm_foe *restrict foe)
{
    swarm_heroes_iter it = swarm_heroes_begin_in(ctx->heroes);
    if (!swarm_heroes_next(&it)) return;
    for (uint32_t i = 0; i < count; i++) {
        foe[i].rest -= (float)ctx->dt;
        if (foe[i].rest > 0) continue;
        const float far = weft_hypotf(place[i].x - it.place[0].x, place[i].y - it.place[0].y);
        if (far > REACH_OF_BITE) continue;
        foe[i].rest = 1;
        swarm_hit_emit(ctx->emit_hit, (swarm_hit){it.entities[0], foe[i].damage, false});
    }
}

void swarm_burn(const swarm_burn_ctx *ctx, uint32_t count, const uint32_t *restrict rows,
                swarm_burning *const *burning)
{
    for (uint32_t k = 0; k < count; k++) {
        swarm_burning *fire = burning[k];
        const swarm_entity e = ctx->entities[rows[k]];
        fire->seconds -= (float)ctx->dt;
        fire->tick += (float)ctx->dt;
        if (fire->tick >= 0.5f) {
            fire->tick -= 0.5f;
            swarm_hit_emit(ctx->emit_hit, (swarm_hit){e, 1, false});
        }
        if (fire->seconds <= 0) swarm_cmd_burning_remove(ctx->cmd, e);
    }
}

void swarm_guard(const swarm_guard_ctx *ctx, uint32_t count, const swarm_gun *gun,
                 const swarm_place *const *truck)
{
    for (uint32_t i = 0; i < count; i++) {
        swarm_foes_by_place_near_iter near = swarm_foes_by_place_near_begin_in(
            ctx->foes_by_place, truck[i]->x, truck[i]->y, gun[i].reach);
        if (swarm_foes_by_place_near_next(&near))
            swarm_hit_emit(ctx->emit_hit, (swarm_hit){near.entity, gun[i].damage, false});
    }
}

void swarm_suffer(const swarm_suffer_ctx *ctx, uint32_t count)
{
    (void)count;
    for (uint32_t i = 0; i < ctx->hit_count; i++) {
        const swarm_hit *hit = &ctx->hit[i];
        swarm_health *health = swarm_health_edit_in(ctx->health, hit->victim);
        if (health == NULL || health->points <= 0) continue; // an earlier hit was enough
        health->points -= hit->damage;
        const swarm_foe *foe = swarm_foe_get_in(ctx->foe, hit->victim);
        if (health->points > 0) {
            if (hit->hot) swarm_cmd_burning_set(ctx->cmd, hit->victim, swarm_burning_defaults());
        } else if (foe == NULL) {
            swarm_game_go_in(ctx->go_game, SWARM_GAME_OVER); // it was the hero
        } else {
            const swarm_place *place = swarm_place_get_in(ctx->place, hit->victim);
            swarm_died_emit(ctx->emit_died, (swarm_died){foe->kind, place->x, place->y});
            swarm_cmd_despawn(ctx->cmd, hit->victim);
        }
    }
}

void swarm_bury(const swarm_bury_ctx *ctx, uint32_t count)
{
    (void)count;
    for (uint32_t i = 0; i < ctx->died_count; i++) {
        const swarm_died *died = &ctx->died[i];
        ctx->round->kills[died->kind]++;
        if (ctx->game != SWARM_GAME_PLAY) continue; // nothing would end the gem
        swarm_jewel jewel = swarm_jewel_defaults();
        jewel.place = (swarm_place){died->x, died->y};
        jewel.gem.worth += died->kind;
        swarm_cmd_jewel_spawn(ctx->cmd, &jewel);
    }
}

void swarm_sound(const swarm_sound_ctx *ctx, uint32_t count)
{
    (void)count;
    ctx->drum->beats += ctx->died_count;
    if (ctx->died_count > 1) ctx->drum->rolls++;
}

void swarm_tell(const swarm_tell_ctx *ctx, uint32_t count)
{
    (void)count;
    ctx->story->seconds += ctx->round->seconds;
    if (ctx->round->seconds > ctx->story->longest) ctx->story->longest = ctx->round->seconds;
}

void swarm_note(const swarm_note_ctx *ctx, uint32_t count)
{
    (void)count;
    swarm_entry entry = swarm_entry_defaults();
    for (swarm_kind kind = 0; kind < SWARM_KIND_COUNT; kind++) {
        entry.record.points += ctx->round->kills[kind] * (kind + 1u);
    }
    snprintf(entry.record.name, sizeof entry.record.name, "round %u", ctx->round->played);
    swarm_cmd_entry_spawn(ctx->cmd, &entry);
}

void swarm_collect(const swarm_collect_ctx *ctx, uint32_t count, const swarm_place *place,
                   swarm_hero *restrict hero)
{
    for (uint32_t i = 0; i < count; i++) {
        swarm_gems_by_place_near_iter near = swarm_gems_by_place_near_begin_in(
            ctx->gems_by_place, place[i].x, place[i].y, REACH_OF_HAND);
        while (swarm_gems_by_place_near_next(&near)) {
            hero[i].experience += swarm_gem_get_in(ctx->gem, near.entity)->worth;
            swarm_cmd_holds_set(ctx->cmd, ctx->entities[i], near.entity);
            swarm_cmd_place_remove(ctx->cmd, near.entity); // it no longer lies on the ground
        }
        while (hero[i].experience >= hero[i].level * 5) {
            hero[i].experience -= hero[i].level * 5;
            hero[i].level++;
            const uint32_t next = hero[i].level % (SWARM_WEAPON_COUNT - 1);
            if (hero[i].weapons.count == SWARM_HERO_WEAPONS_CAPACITY) {
                swarm_hero_weapons_remove_at(&hero[i].weapons, 0);
            }
            swarm_hero_weapons_push(&hero[i].weapons, (swarm_weapon)(next + 1));
        }
    }
}

void swarm_scan(const swarm_scan_ctx *ctx, uint32_t count)
{
    (void)count;
    ctx->radar->foes += (uint32_t)swarm_new_foes_count_in(ctx->new_foes);
    ctx->radar->foes -= ctx->removed_foe_count;
    if (ctx->radar->foes > ctx->radar->most) ctx->radar->most = ctx->radar->foes;
}

// ------------------------------------------------------------------------------------------------
// The game around them

typedef struct moment {
    uint64_t tick;
    swarm_command command;
} moment;

static const moment SCRIPT[] = {
    {3, {SWARM_ORDER_WALK, 1, 0}}, // in the menu: it does nothing
    {5, {SWARM_ORDER_START, 0, 0}},
    {30, {SWARM_ORDER_WALK, 2, 0}},
    {120, {SWARM_ORDER_WALK, 0, 2}},
    {200, {SWARM_ORDER_PAUSE, 0, 0}},
    {230, {SWARM_ORDER_PAUSE, 0, 0}},
    {231, {SWARM_ORDER_WALK, -2, 1}},
    {330, {SWARM_ORDER_WALK, 0, -2}},
    {450, {SWARM_ORDER_WALK, 2, 1}},
    {600, {SWARM_ORDER_REST, 0, 0}},
    {1400, {SWARM_ORDER_START, 0, 0}},
    {1650, {SWARM_ORDER_BOMB, 0, 0}},
    {1660, {SWARM_ORDER_BOMB, 0, 0}}, // the second is one too many
};
enum { MOMENTS = sizeof SCRIPT / sizeof SCRIPT[0], STUN = 300, WAKE = 330, SWEEP = 1500 };
enum { SAVED = 400, LAST = 2400, LEAVE = 350, RETURN = 450 }; // trucks leave and return

static void must(bool good, swarm_world *w, const char *what)
{
    if (good) return;
    fprintf(stderr, "%s: %s\n", what, swarm_error(w));
    exit(1);
}

static swarm_world *opened(uint32_t workers, game_drum *drum)
{
    const weft_options options = {.workers = workers, .seed = 2026, .user = drum};
    swarm_world *w = swarm_open(&options);
    if (w == NULL) exit(1);
    swarm_drum_bind(w, drum);
    return w;
}

// A tick is told of where one of these has changed.
typedef struct shown {
    swarm_game game;
    swarm_pause pause;
    uint32_t level;
} shown;

static void show(swarm_world *w, shown *before)
{
    const unsigned tick = (unsigned)swarm_stats(w).ticks;
    const shown now = {swarm_game_now(w), swarm_pause_now(w), 0};
    const swarm_hero *hero = swarm_hero_get(w, swarm_heroes_only(w));
    const uint32_t level = hero != NULL ? hero->level : 0;
    if (now.game != before->game) printf("%4u: %s\n", tick, swarm_game_name(now.game));
    if (now.pause != before->pause) printf("%4u: pause %s\n", tick, swarm_pause_name(now.pause));
    if (level > before->level && hero != NULL) {
        const uint32_t last = hero->weapons.count - 1;
        printf("%4u: level %u, %u weapons, the last a %s; %u foes:", tick, level,
               hero->weapons.count, swarm_weapon_name(hero->weapons.items[last]),
               (unsigned)swarm_foes_count(w));
        for (swarm_kind kind = 0; kind < SWARM_KIND_COUNT; kind++) {
            printf(" %u %s", (unsigned)swarm_by_kind_count(w, kind), swarm_kind_name(kind));
        }
        printf("; %u gems, %u trucks\n", swarm_holds_count_from(w, swarm_heroes_only(w)),
               (unsigned)swarm_trucks_count(w));
    }
    *before = now;
    before->level = level;
}

// The player has heard so much.
typedef struct noise {
    unsigned fires, cries, gone[SWARM_KIND_COUNT];
    float north; // the northernmost fire
} noise;

static void listen(swarm_world *w, noise *heard)
{
    swarm_noise_iter it = swarm_noise_begin(w);
    heard->cries += it.died_count;
    for (uint32_t i = 0; i < it.removed_foe_count; i++) {
        heard->gone[it.removed_foe_value[i].kind]++;
    }
    while (swarm_noise_next(&it)) {
        heard->fires += it.count;
        for (uint32_t i = 0; i < it.count; i++) {
            if (it.place[i].y < heard->north) heard->north = it.place[i].y;
        }
    }
}

// Plays until so many ticks are done, two frames a tick. `heard` may be NULL: none listens.
static void play(swarm_world *w, uint64_t until, bool aloud, noise *heard)
{
    shown before = {swarm_game_now(w), swarm_pause_now(w), 0};
    uint32_t next = 0;
    uint64_t done = swarm_stats(w).ticks;
    while (next < MOMENTS && SCRIPT[next].tick < done) next++;
    while (done < until) {
        for (; next < MOMENTS && SCRIPT[next].tick == done; next++) {
            must(swarm_command_put(w, SCRIPT[next].command), w, "put");
        }
        if (done == STUN) must(swarm_foes_stunned_set_all(w) == WEFT_OK, w, "stun");
        if (done == WAKE) must(swarm_foes_stunned_remove_all(w) == WEFT_OK, w, "wake");
        const swarm_part_options away = {.away = true, .mounted = true}; // turrets leave, too
        if (done == LEAVE)
            must(swarm_trucks_part_save(w, &away, "trucks.part") == WEFT_OK, w, "leave");
        if (done == RETURN)
            must(swarm_part_load(w, "trucks.part", NULL, NULL) == WEFT_OK, w, "return");
        if (done == SWEEP) must(swarm_gems_despawn_all(w) == WEFT_OK, w, "sweep");
        for (int frame = 0; frame < 2; frame++) {
            must(swarm_advance(w, 1.0 / 60) == WEFT_OK, w, "advance");
            must(swarm_alpha(w) == (frame == 0 ? 0.5 : 0.0), w, "half a step");
        }
        if (heard != NULL) listen(w, heard);
        done = swarm_stats(w).ticks;
        if (aloud) show(w, &before);
    }
}

static void print_end(swarm_world *w)
{
    const swarm_story *story = swarm_story_get(w);
    printf("%.1f seconds of play, the longest round %.1f\n", (double)story->seconds,
           (double)story->longest);
    const swarm_radar *radar = swarm_radar_get(w);
    printf("at most %u foes at once, %u now\n", radar->most, radar->foes);
    swarm_by_points_range_iter it = swarm_by_points_range_begin(w, 1, UINT32_MAX);
    while (swarm_by_points_range_next(&it)) printf("%s: %u\n", it.record->name, it.record->points);
    const swarm_entity first = swarm_by_name_find(w, "round 1");
    printf("the best one is%s the first\n",
           swarm_same(swarm_by_points_last(w), first) ? "" : " not");
}

// After a reset the radar, which is summed up from changes, has to begin anew as well.
static bool reset_in_the_middle(game_drum *drum)
{
    swarm_world *w = opened(0, drum);
    play(w, 300, false, NULL);
    const uint32_t before = swarm_radar_get(w)->foes;
    must(swarm_reset(w) == WEFT_OK, w, "reset");
    must(swarm_advance(w, 1.0 / 30) == WEFT_OK, w, "advance");
    const uint32_t after = swarm_radar_get(w)->foes;
    printf("a reset in play: %s, %u entities; on the radar %u before, %u after\n",
           swarm_game_name(swarm_game_now(w)), swarm_stats(w).entities, before, after);
    swarm_close(w);
    return after == 0;
}

int main(void)
{
    game_drum drum = {0};
    swarm_world *w = opened(0, &drum);
    noise heard = {0};
    play(w, LAST, true, &heard);
    print_end(w);
    printf("heard: %u fires, %u cries; gone are", heard.fires, heard.cries);
    for (swarm_kind kind = 0; kind < SWARM_KIND_COUNT; kind++) {
        printf(" %u %s", heard.gone[kind], swarm_kind_name(kind));
    }
    printf("\n");
    printf("%u beats, %u of them in rolls\n", drum.beats, drum.rolls);
    const uint64_t hash = swarm_hash(w);

    for (uint32_t workers = 1; workers <= 4; workers += 3) {
        swarm_world *other = opened(workers, &drum);
        play(other, LAST, false, NULL);
        printf("with %u workers: %s\n", workers, swarm_hash(other) == hash ? "equal" : "NOT EQUAL");
        swarm_close(other);
    }

    noise half = {0}; // heard before the save and after the load
    swarm_world *early = opened(0, &drum);
    void *bytes = NULL;
    size_t size = 0;
    play(early, SAVED, false, &half);
    must(swarm_save_memory(early, &bytes, &size) == WEFT_OK, early, "save");
    swarm_close(early);
    swarm_world *late = opened(4, &drum);
    must(swarm_load_memory(late, bytes, size) == WEFT_OK, late, "load");
    free(bytes);
    play(late, LAST, false, &half);
    printf("from a save: %s\n", swarm_hash(late) == hash ? "equal" : "NOT EQUAL");
    printf("what was heard: %s\n", memcmp(&half, &heard, sizeof half) == 0 ? "equal" : "NOT EQUAL");
    swarm_close(late);
    swarm_close(w);
    const bool good = reset_in_the_middle(&drum);
    printf("%s\n", drum.open == 0 ? "all voices are given back" : "A VOICE IS LEFT OPEN");
    return good ? 0 : 1;
}
