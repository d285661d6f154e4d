// README's example as a game in C++20 with the header for it. Schema and output are README's.
#include "burrow.hpp"

#include <cstdio>
#include <unordered_set>

void burrow_walk(const burrow_walk_ctx *ctx, uint32_t count, const burrow_velocity *velocity,
                 burrow_position *WEFT_RESTRICT position)
{
    const float dt = static_cast<float>(ctx->dt);
    for (burrow_position &p : std::span(position, count)) {
        p.x += velocity->x * dt;
        p.y += velocity->y * dt;
        velocity++;
    }
}

static void print(weft::world_ref<const burrow_world> w)
{
    for (const auto &rows : w.each<burrow_rabbits>()) {
        for (const burrow_position &p : std::span(rows.position, rows.count)) {
            std::printf("a rabbit at %g, %g\n", static_cast<double>(p.x), static_cast<double>(p.y));
        }
    }
}

int main()
{
    weft::world<burrow_world> w;
    if (!w) return 1;
    const burrow_entity walker = w.spawn<burrow_rabbit>();
    const burrow_entity sleeper =
        w.spawn(burrow_rabbit{.position = {8, 8}, .velocity = {.x = 1, .y = 0.5f}});
    w.set<burrow_asleep>(sleeper);

    for (int tick = 0; tick < 64; tick++) w.tick(1.0 / 16);
    if (w.save("burrow.save") != WEFT_OK) std::printf("%s\n", w.error());

    print(w);
    std::unordered_set<burrow_entity> met;
    w.each<burrow_rabbits>([&](burrow_entity e, const burrow_position *p) {
        if (p == w.get<burrow_position>(e)) met.insert(e);
    });
    const std::unordered_set<burrow_entity> rabbits = {walker, sleeper, walker};
    if (rabbits.size() != 2 || walker == sleeper || met != rabbits) return 1;
    w.despawn(walker);
    std::printf("walker: %s\n", w.get<burrow_position>(walker) == nullptr ? "gone" : "there");
    return 0;
}
