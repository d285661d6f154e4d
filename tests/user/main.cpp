// README's example as a game in C++, with its schema and its output.
#include "drift.h"

#include <cstdio>

void drift_sail(const drift_sail_ctx *ctx, uint32_t count, const drift_velocity *velocity,
                drift_position *WEFT_RESTRICT position)
{
    const float dt = static_cast<float>(ctx->dt);
    for (uint32_t i = 0; i < count; i++) {
        position[i].x += velocity[i].x * dt;
        position[i].y += velocity[i].y * dt;
    }
}

int main()
{
    drift_world *w = drift_open(nullptr);
    if (w == nullptr) return 1;
    const drift_entity sailing = drift_boat_spawn(w, nullptr);
    drift_boat other = drift_boat_defaults();
    other.position = {8, 8};
    other.velocity = {2, 0};
    drift_anchored_set(w, drift_boat_spawn(w, &other));

    for (int tick = 0; tick < 64; tick++) drift_tick(w, 1.0 / 16);

    drift_boats_iter it = drift_boats_begin(w);
    while (drift_boats_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            std::printf("a boat at %g, %g\n", static_cast<double>(it.position[i].x),
                        static_cast<double>(it.position[i].y));
        }
    }
    drift_despawn(w, sailing);
    const bool gone = drift_position_get(w, sailing) == nullptr;
    std::printf("sailing: %s\n", gone ? "gone" : "there");
    drift_close(w);
    return 0;
}
