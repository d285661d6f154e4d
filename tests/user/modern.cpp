// README's example as a game in C++20 with the header for it: the schema and the output are README's.
#include "drift.hpp"

#include <cstdio>
#include <unordered_set>

void drift_sail(const drift_sail_ctx *ctx, uint32_t count, const drift_velocity *velocity,
                drift_position *WEFT_RESTRICT position)
{
    const float dt = static_cast<float>(ctx->dt);
    for (drift_position &p : std::span(position, count)) {
        p.x += velocity->x * dt;
        p.y += velocity->y * dt;
        velocity++;
    }
}

static void print(weft::world_ref<const drift_world> w)
{
    for (const auto &rows : w.each<drift_boats>()) {
        for (const drift_position &p : std::span(rows.position, rows.count)) {
            std::printf("a boat at %g, %g\n", static_cast<double>(p.x), static_cast<double>(p.y));
        }
    }
}

int main()
{
    weft::world<drift_world> w;
    if (!w) return 1;
    const drift_entity sailing = w.spawn<drift_boat>();
    const drift_entity moored =
        w.spawn(drift_boat{.position = {8, 8}, .velocity = {.x = 1, .y = 0.5f}});
    w.set<drift_anchored>(moored);

    for (int tick = 0; tick < 64; tick++) w.tick(1.0 / 16);
    if (w.save("drift.save") != WEFT_OK) std::printf("%s\n", w.error());

    print(w);
    std::unordered_set<drift_entity> met;
    w.each<drift_boats>([&](drift_entity e, const drift_position *p) {
        if (p == w.get<drift_position>(e)) met.insert(e);
    });
    const std::unordered_set<drift_entity> boats = {sailing, moored, sailing};
    if (boats.size() != 2 || sailing == moored || met != boats) return 1;
    w.despawn(sailing);
    std::printf("sailing: %s\n", w.get<drift_position>(sailing) == nullptr ? "gone" : "there");
    return 0;
}
