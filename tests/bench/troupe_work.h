// The work of the systems of a troupe on row i. The including file defines F(component, field), the
// field of that row, and `float dt`. Systems that branch have two versions.
#ifndef TROUPE_WORK_H
#define TROUPE_WORK_H

#define MOVE_FLAT                                                                                  \
    F(position, x) += F(velocity, x) * dt;                                                         \
    F(position, y) += F(velocity, y) * dt
#define MOVE_PICK MOVE_FLAT

#define THINK_FLAT                                                                                 \
    F(mind, beats)++;                                                                              \
    F(mind, drift) += 0.125 * (double)dt;                                                          \
    F(mind, awake) = !F(mind, awake)
#define THINK_PICK THINK_FLAT

#define NEXT_LUCK (F(player, luck) * 1664525u + 1013904223u)
#define WANDER_FLAT                                                                                \
    bool turns = F(mind, beats) % 16u == 0;                                                        \
    bool right = F(position, x) > F(position, y);                                                  \
    uint32_t luck = NEXT_LUCK;                                                                     \
    float a = (float)(int32_t)(luck >> 29) - 3.0f;                                                 \
    float b = (float)(int32_t)(luck >> 26 & 7u) - 4.0f;                                            \
    float x = right ? a : b;                                                                       \
    float y = right ? b : a;                                                                       \
    F(player, luck) = turns ? luck : F(player, luck);                                              \
    F(velocity, x) = turns ? x : F(velocity, x);                                                   \
    F(velocity, y) = turns ? y : F(velocity, y)
#define WANDER_PICK                                                                                \
    if (F(mind, beats) % 16u == 0) {                                                               \
        uint32_t luck = NEXT_LUCK;                                                                 \
        float a = (float)(int32_t)(luck >> 29) - 3.0f;                                             \
        float b = (float)(int32_t)(luck >> 26 & 7u) - 4.0f;                                        \
        bool right = F(position, x) > F(position, y);                                              \
        F(player, luck) = luck;                                                                    \
        F(velocity, x) = right ? a : b;                                                            \
        F(velocity, y) = right ? b : a;                                                            \
    }

#define HURT_FLAT                                                                                  \
    int32_t lost = F(damage, attack) - F(damage, defence);                                         \
    int32_t left = F(health, now) - lost;                                                          \
    left = left > 0 ? left : 0;                                                                    \
    F(health, now) = lost > 0 ? left : F(health, now)
#define HURT_PICK                                                                                  \
    int32_t lost = F(damage, attack) - F(damage, defence);                                         \
    if (F(health, now) > 0 && lost > 0) {                                                          \
        int32_t left = F(health, now) - lost;                                                      \
        F(health, now) = left > 0 ? left : 0;                                                      \
    }

// 0: has come back, 1: is dead, 2: is alive
#define HEAL_FLAT                                                                                  \
    int32_t now = F(health, now);                                                                  \
    int32_t most = F(health, most);                                                                \
    bool dies = (now <= 0) & (F(health, state) != 1);                                              \
    bool comes_back = (now == 0) & (F(health, state) == 1);                                        \
    F(health, now) = dies ? 0 : comes_back ? most : now;                                           \
    F(health, state) = dies ? 1u : comes_back ? 0u : 2u
#define HEAL_PICK                                                                                  \
    if (F(health, now) <= 0 && F(health, state) != 1) {                                            \
        F(health, now) = 0;                                                                        \
        F(health, state) = 1;                                                                      \
    } else if (F(health, now) == 0 && F(health, state) == 1) {                                     \
        F(health, now) = F(health, most);                                                          \
        F(health, state) = 0;                                                                      \
    } else {                                                                                       \
        F(health, state) = 2;                                                                      \
    }

#define DRESS_FLAT                                                                                 \
    uint32_t alive = F(player, kind) == 2 ? '@' : F(player, kind) == 1 ? 'k' : 'h';                \
    F(sprite, character) = F(health, state) == 2 ? alive : F(health, state) == 1 ? '|' : '_'
#define DRESS_PICK                                                                                 \
    switch (F(health, state)) {                                                                    \
    case 1:                                                                                        \
        F(sprite, character) = '|';                                                                \
        break;                                                                                     \
    case 2:                                                                                        \
        if (F(player, kind) == 2) {                                                                \
            F(sprite, character) = '@';                                                            \
        } else {                                                                                   \
            F(sprite, character) = F(player, kind) == 1 ? 'k' : 'h';                               \
        }                                                                                          \
        break;                                                                                     \
    default:                                                                                       \
        F(sprite, character) = '_';                                                                \
        break;                                                                                     \
    }

#define DRAW_FLAT                                                                                  \
    F(cell, column) = (int32_t)F(position, x);                                                     \
    F(cell, row) = (int32_t)F(position, y);                                                        \
    F(cell, character) = F(sprite, character)
#define DRAW_PICK DRAW_FLAT

#endif
