// README's example as a game in C++, with its schema and its output.
#include "burrow.h"

#include <cstdio>

void burrow_walk(const burrow_walk_ctx *ctx, uint32_t count, const burrow_velocity *velocity,
                 burrow_position *WEFT_RESTRICT position)
{
    const float dt = static_cast<float>(ctx->dt);
    for (uint32_t i = 0; i < count; i++) {
        position[i].x += velocity[i].x * dt;
        position[i].y += velocity[i].y * dt;
    }
}

int main()
{
    burrow_world *w = burrow_open(nullptr);
    if (w == nullptr) return 1;
    const burrow_entity walker = burrow_rabbit_spawn(w, nullptr);
    burrow_rabbit other = burrow_rabbit_defaults();
    other.position = {8, 8};
    other.velocity = {2, 0};
    burrow_asleep_set(w, burrow_rabbit_spawn(w, &other));

    for (int tick = 0; tick < 64; tick++) burrow_tick(w, 1.0 / 16);

    burrow_rabbits_iter it = burrow_rabbits_begin(w);
    while (burrow_rabbits_next(&it)) {
        for (uint32_t i = 0; i < it.count; i++) {
            std::printf("a rabbit at %g, %g\n", static_cast<double>(it.position[i].x),
                        static_cast<double>(it.position[i].y));
        }
    }
    burrow_despawn(w, walker);
    const bool gone = burrow_position_get(w, walker) == nullptr;
    std::printf("walker: %s\n", gone ? "gone" : "there");
    burrow_close(w);
    return 0;
}
