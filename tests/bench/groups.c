#include "groups.h"

#include "setup.h"

static group group_open(uint32_t n, bool with_health)
{
    return (group){
        .ids = bench_array(n * sizeof(uint32_t)),
        .position = bench_array(n * sizeof(arena_position)),
        .velocity = bench_array(n * sizeof(arena_velocity)),
        .rotation = bench_array(n * sizeof(arena_rotation)),
        .health = with_health ? bench_array(n * sizeof(arena_health)) : NULL,
    };
}

static void group_close(group *g, uint32_t n)
{
    if (g->health) bench_array_free(g->health, n * sizeof *g->health);
    bench_array_free(g->rotation, n * sizeof *g->rotation);
    bench_array_free(g->velocity, n * sizeof *g->velocity);
    bench_array_free(g->position, n * sizeof *g->position);
    bench_array_free(g->ids, n * sizeof *g->ids);
}

groups groups_open(uint32_t n)
{
    groups g = {
        .records = bench_array(n * sizeof *g.records),
        .group = {group_open(n, false), group_open(n, true)},
        .slots = bench_array(n * sizeof *g.slots),
        .owners = bench_array(n * sizeof *g.owners),
        .packed = bench_array(n * sizeof *g.packed),
        .bits = bench_array((n + 63) / 64 * sizeof *g.bits),
    };
    g.group[0].count = n;
    for (uint32_t i = 0; i < n; i++) {
        g.records[i] = (groups_record){i, 1, 0};
        g.group[0].ids[i] = i | 1u << SETUP_INDEX_BITS;
        g.group[0].position[i].x = (float)(i % 8);
    }
    return g;
}

void groups_close(groups *g, uint32_t n)
{
    bench_array_free(g->bits, (n + 63) / 64 * sizeof *g->bits);
    bench_array_free(g->packed, n * sizeof *g->packed);
    bench_array_free(g->owners, n * sizeof *g->owners);
    bench_array_free(g->slots, n * sizeof *g->slots);
    group_close(&g->group[1], n);
    group_close(&g->group[0], n);
    bench_array_free(g->records, n * sizeof *g->records);
}

static inline groups_record *find(groups *g, uint32_t id)
{
    groups_record *r = &g->records[id & SETUP_INDEX_MASK];
    return r->generation == id >> SETUP_INDEX_BITS ? r : NULL;
}

// Moves a row to the end of the other group and fills the gap with the last one.
static inline uint32_t move_row(groups *g, groups_record *r, group *from, group *to)
{
    uint32_t row = r->row;
    uint32_t end = to->count++;
    uint32_t last = --from->count;
    to->ids[end] = from->ids[row];
    to->position[end] = from->position[row];
    to->velocity[end] = from->velocity[row];
    to->rotation[end] = from->rotation[row];
    from->ids[row] = from->ids[last];
    from->position[row] = from->position[last];
    from->velocity[row] = from->velocity[last];
    from->rotation[row] = from->rotation[last];
    if (from->health) from->health[row] = from->health[last];
    g->records[from->ids[row] & SETUP_INDEX_MASK].row = row;
    r->row = end;
    r->group ^= 1;
    return end;
}

bool groups_add_health(groups *g, const uint32_t *ids, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        groups_record *r = find(g, ids[i]);
        if (!r || r->group != 0) return false;
        uint32_t row = move_row(g, r, &g->group[0], &g->group[1]);
        g->group[1].health[row] = (arena_health){(int32_t)i, 100};
    }
    return true;
}

bool groups_remove_health(groups *g, const uint32_t *ids, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        groups_record *r = find(g, ids[i]);
        if (!r || r->group != 1) return false;
        move_row(g, r, &g->group[1], &g->group[0]);
    }
    return true;
}

bool groups_add_packed(groups *g, const uint32_t *ids, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!find(g, ids[i])) return false;
        uint32_t slot = g->packed_count++;
        g->packed[slot] = (arena_health){(int32_t)i, 100};
        g->owners[slot] = ids[i] & SETUP_INDEX_MASK;
        g->slots[ids[i] & SETUP_INDEX_MASK] = slot;
    }
    return true;
}

bool groups_remove_packed(groups *g, const uint32_t *ids, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!find(g, ids[i])) return false;
        uint32_t slot = g->slots[ids[i] & SETUP_INDEX_MASK];
        uint32_t last = --g->packed_count;
        g->packed[slot] = g->packed[last];
        g->owners[slot] = g->owners[last];
        g->slots[g->owners[slot]] = slot;
    }
    return true;
}

bool groups_add_bit(groups *g, const uint32_t *ids, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const groups_record *r = find(g, ids[i]);
        if (!r) return false;
        g->bits[r->row / 64] |= (uint64_t)1 << (r->row % 64);
    }
    return true;
}

bool groups_remove_bit(groups *g, const uint32_t *ids, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const groups_record *r = find(g, ids[i]);
        if (!r) return false;
        g->bits[r->row / 64] &= ~((uint64_t)1 << (r->row % 64));
    }
    return true;
}
