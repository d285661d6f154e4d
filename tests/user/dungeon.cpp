// A dungeon that plays itself: a hero looks for gold, goblins and snakes look for the hero.
//
//     dungeon TURNS [--load FILE] [--save FILE]
//
// Begins a game or continues one, plays TURNS turns, prints the map, and saves.
#include "dungeon.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace
{

using world = weft::world_ref<dungeon_world>;

constexpr int width = 40, height = 16, tiles = width * height;
constexpr std::array<int, 4> steps = {1, -1, width, -width};

int tile_of(dungeon_position at)
{
    return at.y * width + at.x;
}

dungeon_position position_of(int tile)
{
    return {tile % width, tile / width};
}

int distance(dungeon_position a, dungeon_position b)
{
    return std::abs(a.x - b.x) + std::abs(a.y - b.y);
}

// How many steps each tile is away from a goal by foot; -1: there is no way.
std::array<int, tiles> ways_to(const dungeon_cave &cave, int goal)
{
    std::array<int, tiles> ways;
    ways.fill(-1);
    std::vector<int> next = {goal};
    ways[static_cast<std::size_t>(goal)] = 0;
    for (std::size_t done = 0; done < next.size(); done++) {
        for (const int step : steps) {
            const auto from = static_cast<std::size_t>(next[done]);
            const auto to = static_cast<std::size_t>(next[done] + step);
            if (cave.wall[to] || ways[to] != -1) continue;
            ways[to] = ways[from] + 1;
            next.push_back(static_cast<int>(to));
        }
    }
    return ways;
}

// The way is gone down to hunt, and up to flee.
int next_tile(const dungeon_cave &cave, dungeon_position from, dungeon_position goal, bool flees)
{
    const std::array<int, tiles> ways = ways_to(cave, tile_of(goal));
    const auto length = [&](int tile) { return ways[static_cast<std::size_t>(tile)]; };
    int best = tile_of(from);
    for (const int step : steps) {
        const int tile = tile_of(from) + step;
        if (length(tile) == -1) continue;
        if (flees ? length(tile) > length(best) : length(tile) < length(best)) best = tile;
    }
    return best;
}

} // namespace

// ---- systems

void dungeon_look(const dungeon_look_ctx *ctx, uint32_t count, const dungeon_position *position,
                  const dungeon_health *health, dungeon_mind *WEFT_RESTRICT mind)
{
    for (const auto &heroes : weft::each(dungeon_heroes_begin_in(ctx->heroes))) {
        for (uint32_t i = 0; i < count; i++) {
            const bool near = distance(position[i], heroes.position[0]) <= mind[i].sight;
            const bool hurt = health[i].points * 3 <= health[i].most;
            if (near) mind[i].mood = hurt ? DUNGEON_MOOD_FLEEING : DUNGEON_MOOD_HUNTING;
            mind[i].goal = heroes.entities[0];
        }
    }
}

void dungeon_seek(const dungeon_seek_ctx *ctx, uint32_t count, const dungeon_position *position,
                  dungeon_mind *WEFT_RESTRICT mind)
{
    for (uint32_t i = 0; i < count; i++) {
        std::optional<int> nearest;
        const auto consider = [&](dungeon_entity e, dungeon_position at) {
            const int away = distance(position[i], at);
            if (nearest && *nearest <= away) return;
            nearest = away;
            mind[i].goal = e;
        };
        mind[i].mood = DUNGEON_MOOD_ASLEEP;
        for (const auto &piles : weft::each(dungeon_piles_begin_in(ctx->piles))) {
            for (uint32_t k = 0; k < piles.count; k++) {
                consider(piles.entities[k], piles.position[k]);
            }
        }
        if (!nearest) {
            for (const auto &bodies : weft::each(dungeon_bodies_begin_in(ctx->bodies))) {
                for (uint32_t k = 0; k < bodies.count; k++) {
                    if (bodies.entities[k] == ctx->entities[i]) continue;
                    consider(bodies.entities[k], bodies.position[k]);
                }
            }
        }
        if (nearest) mind[i].mood = DUNGEON_MOOD_HUNTING;
    }
}

// Whoever comes first takes the tile.
void dungeon_walk(const dungeon_walk_ctx *ctx, uint32_t count, const dungeon_mind *mind,
                  const dungeon_fangs *fangs, dungeon_position *position)
{
    std::unordered_map<int, dungeon_entity> taken;
    for (const auto &bodies : weft::each(dungeon_bodies_begin_in(ctx->bodies))) {
        for (uint32_t i = 0; i < bodies.count; i++) {
            taken[tile_of(bodies.position[i])] = bodies.entities[i];
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        const dungeon_position *goal = dungeon_position_get_in(ctx->position, mind[i].goal);
        if (mind[i].mood == DUNGEON_MOOD_ASLEEP || goal == nullptr) continue;
        const bool flees = mind[i].mood == DUNGEON_MOOD_FLEEING;
        const int tile = next_tile(*ctx->cave, position[i], *goal, flees);
        const auto found = taken.find(tile);
        if (found == taken.end()) {
            taken.erase(tile_of(position[i]));
            taken[tile] = ctx->entities[i];
            position[i] = position_of(tile);
        } else if (dungeon_walk_hero_has(ctx, i) || found->second == mind[i].goal) {
            dungeon_blow_emit(
                ctx->emit_blow,
                {.attacker = ctx->entities[i], .victim = found->second, .damage = fangs[i].damage});
        }
    }
}

void dungeon_wound(const dungeon_wound_ctx *ctx, uint32_t)
{
    for (const dungeon_blow &blow : std::span(ctx->blow, ctx->blow_count)) {
        if (blow.attacker == blow.victim) continue;
        dungeon_health *health = dungeon_health_edit_in(ctx->health, blow.victim);
        const dungeon_fangs *fangs = dungeon_fangs_get_in(ctx->fangs, blow.attacker);
        if (health == nullptr) continue;
        health->points -= blow.damage;
        if (fangs != nullptr && fangs->venom > 0) {
            weft::set(ctx->cmd, blow.victim, dungeon_poison{.turns = fangs->venom});
        }
    }
}

void dungeon_sicken(const dungeon_sicken_ctx *ctx, uint32_t count, dungeon_poison *const *poison,
                    dungeon_health *health)
{
    for (uint32_t i = 0; i < count; i++) {
        health[i].points--;
        if (--poison[i]->turns == 0) weft::remove<dungeon_poison>(ctx->cmd, ctx->entities[i]);
    }
}

void dungeon_collect(const dungeon_collect_ctx *ctx, uint32_t count,
                     const dungeon_position *position, dungeon_purse *purse)
{
    for (const auto &piles : weft::each(dungeon_piles_begin_in(ctx->piles))) {
        for (uint32_t k = 0; k < piles.count; k++) {
            for (uint32_t i = 0; i < count; i++) {
                if (distance(position[i], piles.position[k]) != 0) continue;
                purse[i].gold += piles.purse[k].gold;
                ctx->fate->found += piles.purse[k].gold;
                weft::despawn(ctx->cmd, piles.entities[k]);
                break;
            }
        }
    }
}

void dungeon_bury(const dungeon_bury_ctx *ctx, uint32_t count, const dungeon_position *position,
                  const dungeon_health *health, const dungeon_purse *purse)
{
    for (uint32_t i = 0; i < count; i++) {
        if (health[i].points > 0) continue;
        ctx->fate->slain++;
        weft::despawn(ctx->cmd, ctx->entities[i]);
        if (purse == nullptr || purse[i].gold == 0) continue;
        dungeon_pile pile;
        pile.position = position[i];
        pile.purse = purse[i];
        weft::spawn(ctx->cmd, pile);
    }
}

// ---- a new game, and what it shows

namespace
{

// There are two rows of halls, each with a corridor to the next.
void dig(dungeon_cave &cave)
{
    std::fill_n(cave.wall, tiles, true);
    for (int hall = 0; hall < 8; hall++) {
        const int left = 2 + hall % 4 * 9 + hall / 4, top = 2 + hall / 4 * 7;
        for (int y = top; y < top + 5; y++) std::fill_n(cave.wall + y * width + left, 7, false);
    }
    for (const int y : {4, 11}) std::fill_n(cave.wall + y * width + 4, 30, false);
    for (int y = 4; y < 12; y++) cave.wall[y * width + 20] = false;
}

dungeon_position somewhere(const dungeon_cave &cave, uint32_t &dice)
{
    for (;;) {
        dice ^= dice << 13, dice ^= dice >> 17, dice ^= dice << 5;
        const auto tile = static_cast<int>(dice % tiles);
        if (!cave.wall[tile]) return position_of(tile);
    }
}

template <typename Prefab> void scatter(world w, Prefab one, int count)
{
    for (int i = 0; i < count; i++) {
        one.position = somewhere(*w.get<dungeon_cave>(), w.edit<dungeon_fate>()->dice);
        w.spawn(one);
    }
}

void begin(world w)
{
    dig(*w.edit<dungeon_cave>());
    scatter(w, dungeon_adventurer{}, 1);
    scatter(w, dungeon_goblin{}, 6);
    scatter(w, dungeon_snake{}, 4);
    scatter(w, dungeon_pile{}, 9);
}

void print(world w)
{
    const dungeon_cave &cave = *w.get<dungeon_cave>();
    std::string map(tiles, ' ');
    for (std::size_t tile = 0; tile < tiles; tile++) map[tile] = cave.wall[tile] ? '#' : '.';
    for (const auto &rows : w.each<dungeon_seen>()) {
        for (uint32_t i = 0; i < rows.count; i++) {
            const auto tile = static_cast<std::size_t>(tile_of(rows.position[i]));
            map[tile] = static_cast<char>(rows.glyph[i].sign);
        }
    }
    for (std::size_t y = 0; y < height; y++) {
        std::printf("%.*s\n", width, map.data() + y * width);
    }
    for (const auto &heroes : w.each<dungeon_heroes>()) {
        for (uint32_t i = 0; i < heroes.count; i++) {
            const bool ill = w.has<dungeon_poison>(heroes.entities[i]);
            std::printf("health %d of %d%s, gold %u\n", heroes.health[i].points,
                        heroes.health[i].most, ill ? ", poisoned" : "", heroes.purse[i].gold);
        }
    }
    const dungeon_fate &fate = *w.get<dungeon_fate>();
    std::printf("slain %u, found %u\n", fate.slain, fate.found);
}

// The argument behind an option; "": it is not there.
const char *option(std::span<char *> arguments, std::string_view name)
{
    const auto found = std::find(arguments.begin(), arguments.end(), name);
    return arguments.end() - found < 2 ? "" : *(found + 1);
}

bool fine(weft_status status, world w)
{
    if (status != WEFT_OK) std::fprintf(stderr, "%s\n", w.error());
    return status == WEFT_OK;
}

} // namespace

int main(int argc, char **argv)
{
    const std::span arguments(argv, static_cast<std::size_t>(argc));
    const char *load = option(arguments, "--load"), *save = option(arguments, "--save");
    weft::world<dungeon_world> w;
    if (!w || argc < 2) return 2;
    if (*load == '\0')
        begin(w);
    else if (!fine(w.load(load), w))
        return 1;
    for (int turn = std::atoi(argv[1]); turn > 0; turn--) w.tick(1);
    print(w);
    return *save == '\0' || fine(w.save(save), w) ? 0 : 1;
}
