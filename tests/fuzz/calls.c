// flags: played
#include "calls.h"

#include <string.h>

// ---- soa components

void motion_read(fuzz_motion_const_columns at, uint32_t row, fuzz_motion *value)
{
    *value = (fuzz_motion){at.dx[row], at.dy[row], at.dz[row]};
}

void motion_write(fuzz_motion_columns at, uint32_t row, const fuzz_motion *value)
{
    at.dx[row] = value->dx;
    at.dy[row] = value->dy;
    at.dz[row] = value->dz;
}

void pouch_read(fuzz_pouch_const_columns at, uint32_t row, fuzz_pouch *value)
{
    memset(value, 0, sizeof *value);
    value->items = at.items[row];
    memcpy(value->note, at.note[row], sizeof value->note);
    value->owner = at.owner[row];
    memcpy(value->spots, at.spots[row], sizeof value->spots);
    value->weight = at.weight[row];
    memcpy(value->flags, at.flags[row], sizeof value->flags);
    value->friends = at.friends[row];
    value->knot = at.knot[row];
    value->stamp = at.stamp[row];
}

void pouch_write(fuzz_pouch_columns at, uint32_t row, const fuzz_pouch *value)
{
    at.items[row] = value->items;
    memcpy(at.note[row], value->note, sizeof value->note);
    at.owner[row] = value->owner;
    memcpy(at.spots[row], value->spots, sizeof value->spots);
    at.weight[row] = value->weight;
    memcpy(at.flags[row], value->flags, sizeof value->flags);
    at.friends[row] = value->friends;
    at.knot[row] = value->knot;
    at.stamp[row] = value->stamp;
}

void heat_read(fuzz_heat_const_columns at, uint32_t row, fuzz_heat *value)
{
    value->degrees = at.degrees[row];
}

void heat_write(fuzz_heat_columns at, uint32_t row, const fuzz_heat *value)
{
    at.degrees[row] = value->degrees;
}

fuzz_motion_const_columns motion_const(fuzz_motion_columns at)
{
    return (fuzz_motion_const_columns){at.dx, at.dy, at.dz};
}

fuzz_heat_const_columns heat_const(fuzz_heat_columns at)
{
    return (fuzz_heat_const_columns){at.degrees};
}

// C has no conversion from a pointer to an array to one to an array of const.
fuzz_pouch_const_columns pouch_const(fuzz_pouch_columns at)
{
    fuzz_pouch_const_columns c;
    WEFT_STATIC_ASSERT(sizeof c == sizeof at, "the same pointers");
    memcpy(&c, &at, sizeof c);
    return c;
}

// ---- components

#define CHANGES(name)                                                                              \
    static bool name##_set(fuzz_world *w, fuzz_entity e, const void *value)                        \
    {                                                                                              \
        return fuzz_##name##_set(w, e, *(const fuzz_##name *)value);                               \
    }                                                                                              \
    static bool name##_replace(fuzz_world *w, fuzz_entity e, const void *value)                    \
    {                                                                                              \
        return fuzz_##name##_replace(w, e, *(const fuzz_##name *)value);                           \
    }                                                                                              \
    static bool name##_cmd_set(fuzz_cmd *cmd, fuzz_entity e, const void *value)                    \
    {                                                                                              \
        return fuzz_cmd_##name##_set(cmd, e, *(const fuzz_##name *)value);                         \
    }                                                                                              \
    static bool name##_cmd_replace(fuzz_cmd *cmd, fuzz_entity e, const void *value)                \
    {                                                                                              \
        return fuzz_cmd_##name##_replace(cmd, e, *(const fuzz_##name *)value);                     \
    }

#define PLAIN(name)                                                                                \
    static bool name##_get(const fuzz_world *w, fuzz_entity e, void *value)                        \
    {                                                                                              \
        const fuzz_##name *found = fuzz_##name##_get(w, e);                                        \
        if (found) memcpy(value, found, sizeof *found);                                            \
        return found != NULL;                                                                      \
    }                                                                                              \
    static bool name##_edit(fuzz_world *w, fuzz_entity e, const void *value)                       \
    {                                                                                              \
        fuzz_##name *found = fuzz_##name##_edit(w, e);                                             \
        if (found) *found = *(const fuzz_##name *)value;                                           \
        return found != NULL;                                                                      \
    }                                                                                              \
    CHANGES(name)

#define SOA(name, field)                                                                           \
    static bool name##_get(const fuzz_world *w, fuzz_entity e, void *value)                        \
    {                                                                                              \
        fuzz_##name##_const_columns found = fuzz_##name##_get(w, e);                               \
        if (found.field) name##_read(found, 0, (fuzz_##name *)value);                              \
        return found.field != NULL;                                                                \
    }                                                                                              \
    static bool name##_edit(fuzz_world *w, fuzz_entity e, const void *value)                       \
    {                                                                                              \
        fuzz_##name##_columns found = fuzz_##name##_edit(w, e);                                    \
        if (found.field) name##_write(found, 0, (const fuzz_##name *)value);                       \
        return found.field != NULL;                                                                \
    }                                                                                              \
    CHANGES(name)

#define TAG(name)                                                                                  \
    static bool name##_clear(fuzz_world *w)                                                        \
    {                                                                                              \
        fuzz_##name##_clear(w);                                                                    \
        return true;                                                                               \
    }                                                                                              \
    static bool name##_set(fuzz_world *w, fuzz_entity e, const void *value)                        \
    {                                                                                              \
        (void)value;                                                                               \
        return fuzz_##name##_set(w, e);                                                            \
    }                                                                                              \
    static bool name##_cmd_set(fuzz_cmd *cmd, fuzz_entity e, const void *value)                    \
    {                                                                                              \
        (void)value;                                                                               \
        return fuzz_cmd_##name##_set(cmd, e);                                                      \
    }

#define REMOVE_ALL(name)                                                                           \
    static weft_status name##_remove_all(fuzz_world *w, bool everyone)                             \
    {                                                                                              \
        return everyone ? fuzz_everyone_##name##_remove_all(w)                                     \
                        : fuzz_mixed_##name##_remove_all(w);                                       \
    }

#define VALUE_ALL(name)                                                                            \
    static weft_status name##_set_all(fuzz_world *w, bool everyone, const void *value)             \
    {                                                                                              \
        const fuzz_##name *v = (const fuzz_##name *)value;                                         \
        return everyone ? fuzz_everyone_##name##_set_all(w, *v)                                    \
                        : fuzz_mixed_##name##_set_all(w, *v);                                      \
    }                                                                                              \
    REMOVE_ALL(name)

#define TAG_ALL(name)                                                                              \
    static weft_status name##_set_all(fuzz_world *w, bool everyone, const void *value)             \
    {                                                                                              \
        (void)value;                                                                               \
        return everyone ? fuzz_everyone_##name##_set_all(w) : fuzz_mixed_##name##_set_all(w);      \
    }                                                                                              \
    REMOVE_ALL(name)

VALUE_ALL(place)
VALUE_ALL(scalars)
VALUE_ALL(grip)
VALUE_ALL(label)
VALUE_ALL(speck)
VALUE_ALL(bulk)
VALUE_ALL(rooted)
VALUE_ALL(motion)
VALUE_ALL(pouch)
VALUE_ALL(heat)
VALUE_ALL(pilot)
TAG_ALL(marked)
TAG_ALL(hidden)
TAG_ALL(awake)
TAG_ALL(keen)
TAG_ALL(stuck)
TAG_ALL(angry)
TAG_ALL(hot)
TAG_ALL(cold)
TAG_ALL(tamed)

PLAIN(place)
PLAIN(scalars)
PLAIN(grip)
PLAIN(label)
PLAIN(speck)
PLAIN(bulk)
PLAIN(rooted)
SOA(motion, dx)
SOA(pouch, stamp)
SOA(heat, degrees)
PLAIN(pilot)
PLAIN(fever)
PLAIN(brand)
PLAIN(ghost)
TAG(marked)
TAG(hidden)
TAG(awake)
TAG(keen)
TAG(stuck)
TAG(angry)
TAG(hot)
TAG(cold)
TAG(tamed)

#define WITH_ALL(name) name##_set_all, name##_remove_all
#define WITHOUT_ALL(name) NULL, NULL

#define VALUE_CALLS(name, ALL)                                                                     \
    {                                                                                              \
        name##_get, name##_edit, name##_set, name##_replace, fuzz_##name##_has,                    \
            fuzz_##name##_remove, fuzz_##name##_clear, ALL(name), name##_cmd_set,                  \
            name##_cmd_replace, fuzz_cmd_##name##_remove, fuzz_cmd_##name##_clear                  \
    }
#define TABLE_CALLS(name) VALUE_CALLS(name, WITH_ALL)
#define SPARSE_CALLS(name) VALUE_CALLS(name, WITHOUT_ALL)

#define TAG_CALLS(name)                                                                            \
    {                                                                                              \
        NULL, NULL, name##_set, NULL, fuzz_##name##_has, fuzz_##name##_remove, name##_clear,       \
            WITH_ALL(name), name##_cmd_set, NULL, fuzz_cmd_##name##_remove,                        \
            fuzz_cmd_##name##_clear                                                                \
    }

const component_calls component_api[COMPONENTS] = {
    [PLACE] = TABLE_CALLS(place),   [SCALARS] = TABLE_CALLS(scalars), [GRIP] = TABLE_CALLS(grip),
    [LABEL] = TABLE_CALLS(label),   [SPECK] = TABLE_CALLS(speck),     [BULK] = TABLE_CALLS(bulk),
    [ROOTED] = TABLE_CALLS(rooted), [MOTION] = TABLE_CALLS(motion),   [POUCH] = TABLE_CALLS(pouch),
    [HEAT] = TABLE_CALLS(heat),     [PILOT] = TABLE_CALLS(pilot),     [FEVER] = SPARSE_CALLS(fever),
    [BRAND] = SPARSE_CALLS(brand),  [GHOST] = SPARSE_CALLS(ghost),    [MARKED] = TAG_CALLS(marked),
    [HIDDEN] = TAG_CALLS(hidden),   [AWAKE] = TAG_CALLS(awake),       [KEEN] = TAG_CALLS(keen),
    [STUCK] = TAG_CALLS(stuck),     [ANGRY] = TAG_CALLS(angry),       [HOT] = TAG_CALLS(hot),
    [COLD] = TAG_CALLS(cold),       [TAMED] = TAG_CALLS(tamed),
};

// ---- prefabs

// Writes the columns of the i-th new row; sparse members have their defaults.
static void rock_fill(fuzz_rock_rows rows, uint32_t i, const fuzz_rock *v)
{
    rows.place[i] = v->place;
    rows.speck[i] = v->speck;
}

static void walker_fill(fuzz_walker_rows rows, uint32_t i, const fuzz_walker *v)
{
    motion_write(rows.motion, i, &v->motion);
    rows.place[i] = v->place;
    rows.scalars[i] = v->scalars;
}

static void ace_fill(fuzz_ace_rows rows, uint32_t i, const fuzz_ace *v)
{
    rows.pilot[i] = v->pilot;
}

static void patient_fill(fuzz_patient_rows rows, uint32_t i, const fuzz_patient *v)
{
    rows.place[i] = v->place;
    rows.label[i] = v->label;
}

static void puppet_fill(fuzz_puppet_rows rows, uint32_t i, const fuzz_puppet *v)
{
    rows.grip[i] = v->grip;
    heat_write(rows.heat, i, &v->heat);
}

static void wraith_fill(fuzz_wraith_rows rows, uint32_t i, const fuzz_wraith *v)
{
    (void)rows;
    (void)i;
    (void)v;
}

static void boulder_fill(fuzz_boulder_rows rows, uint32_t i, const fuzz_boulder *v)
{
    rows.bulk[i] = v->bulk;
    rows.rooted[i] = v->rooted;
}

#define PREFAB(name)                                                                               \
    static void name##_defaults(void *value)                                                       \
    {                                                                                              \
        *(fuzz_##name *)value = fuzz_##name##_defaults();                                          \
    }                                                                                              \
    static fuzz_entity name##_spawn(fuzz_world *w, const void *value)                              \
    {                                                                                              \
        return fuzz_##name##_spawn(w, (const fuzz_##name *)value);                                 \
    }                                                                                              \
    static size_t name##_spawn_many(fuzz_world *w, size_t n, const void *one, fuzz_entity *out)    \
    {                                                                                              \
        return fuzz_##name##_spawn_many(w, n, (const fuzz_##name *)one, out);                      \
    }                                                                                              \
    static size_t name##_spawn_rows(fuzz_world *w, size_t n, const any_value *each,                \
                                    fuzz_entity *out)                                              \
    {                                                                                              \
        fuzz_##name##_rows rows = fuzz_##name##_spawn_rows(w, n);                                  \
        for (uint32_t i = 0; i < rows.count; i++) {                                                \
            out[i] = rows.entities[i];                                                             \
            name##_fill(rows, i, (const fuzz_##name *)(const void *)each[i].bytes);                \
        }                                                                                          \
        return rows.count;                                                                         \
    }                                                                                              \
    static bool name##_set_all(fuzz_world *w, fuzz_entity e, const void *value)                    \
    {                                                                                              \
        return fuzz_##name##_set(w, e, (const fuzz_##name *)value);                                \
    }                                                                                              \
    static fuzz_entity name##_cmd_spawn(fuzz_cmd *cmd, const void *value)                          \
    {                                                                                              \
        return fuzz_cmd_##name##_spawn(cmd, (const fuzz_##name *)value);                           \
    }                                                                                              \
    static bool name##_cmd_spawn_many(fuzz_cmd *cmd, size_t n, const void *one)                    \
    {                                                                                              \
        return fuzz_cmd_##name##_spawn_many(cmd, n, (const fuzz_##name *)one);                     \
    }                                                                                              \
    static bool name##_cmd_set_all(fuzz_cmd *cmd, fuzz_entity e, const void *value)                \
    {                                                                                              \
        return fuzz_cmd_##name##_set(cmd, e, (const fuzz_##name *)value);                          \
    }

PREFAB(rock)
PREFAB(walker)
PREFAB(ace)
PREFAB(patient)
PREFAB(puppet)
PREFAB(wraith)
PREFAB(boulder)

#define PREFAB_CALLS(name)                                                                         \
    {                                                                                              \
        name##_defaults, name##_spawn, name##_spawn_many, name##_spawn_rows, name##_set_all,       \
            fuzz_##name##_reserve, name##_cmd_spawn, name##_cmd_spawn_many, name##_cmd_set_all     \
    }

const prefab_calls prefab_api[PREFABS] = {
    [ROCK] = PREFAB_CALLS(rock),       [WALKER] = PREFAB_CALLS(walker),
    [ACE] = PREFAB_CALLS(ace),         [PATIENT] = PREFAB_CALLS(patient),
    [PUPPET] = PREFAB_CALLS(puppet),   [WRAITH] = PREFAB_CALLS(wraith),
    [BOULDER] = PREFAB_CALLS(boulder),
};

// ---- relations

#define RELATION(name)                                                                             \
    static void name##_walk(const fuzz_world *w, fuzz_entity root,                                 \
                            bool (*see)(void *user, fuzz_entity e, uint32_t depth), void *user)    \
    {                                                                                              \
        fuzz_##name##_walk it = fuzz_##name##_walk_begin(w, root);                                 \
        while (fuzz_##name##_walk_next(&it) && see(user, it.entity, it.depth)) continue;           \
    }

RELATION(part_of)
RELATION(follows)
RELATION(owned_by)

#define RELATION_CALLS(name)                                                                       \
    {                                                                                              \
        {fuzz_##name##_attach, fuzz_##name##_append, fuzz_##name##_insert_before},                 \
            fuzz_##name##_detach, fuzz_##name##_parent, fuzz_##name##_first_child,                 \
            fuzz_##name##_next_sibling, fuzz_##name##_prev_sibling, fuzz_##name##_child_count,     \
            fuzz_##name##_depth, fuzz_##name##_sort, name##_walk,                                  \
            {fuzz_cmd_##name##_attach, fuzz_cmd_##name##_append, fuzz_cmd_##name##_insert_before}, \
            fuzz_cmd_##name##_detach                                                               \
    }

const relation_calls relation_api[RELATIONS] = {
    [PART_OF] = RELATION_CALLS(part_of),
    [FOLLOWS] = RELATION_CALLS(follows),
    [OWNED_BY] = RELATION_CALLS(owned_by),
};
