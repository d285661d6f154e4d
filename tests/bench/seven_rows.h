// The work of the seven systems on one row, for all worlds that have these systems. The including
// file defines the names of its components: hero_position, hero_velocity, hero_thinking,
// hero_health, hero_damage, hero_sprite and hero_score.
#ifndef SEVEN_ROWS_H
#define SEVEN_ROWS_H

#include <stdint.h>

static inline void walk_row(float dt, const hero_velocity *v, hero_position *p)
{
    p->x += v->x * dt;
    p->y += v->y * dt;
}

static inline void think_row(hero_thinking *t)
{
    t->beat++;
    t->thought = t->thought * 1664525u + 1013904223u;
    t->mood ^= t->thought >> 28;
}

static inline void change_mind_row(const hero_thinking *t, hero_velocity *v)
{
    if (t->beat % 64 != 0) return;
    float x = v->x;
    v->x = -v->y;
    v->y = x;
}

static inline void hurt_row(const hero_damage *d, hero_health *h)
{
    int32_t lost = d->attack - d->defence;
    if (lost > 0) h->now -= lost;
}

static inline void judge_row(hero_health *h)
{
    h->state = h->now <= 0 ? 0 : h->now < h->max / 2 ? 1 : 2;
    if (h->now <= 0) h->now = h->max;
}

static inline void dress_row(const hero_health *h, const hero_position *p, hero_sprite *s)
{
    s->character = h->state == 0 ? '_' : h->state == 1 ? '/' : '|';
    s->column = (int32_t)p->x;
    s->row = (int32_t)p->y;
}

static inline void count_points_row(const hero_sprite *s, const hero_thinking *t, hero_score *c)
{
    c->points += s->character + (t->mood & 1u);
}

#endif
