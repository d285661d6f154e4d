// The tables of the fixture, and the rules computed from them.
//
// flags: hot
#define _DEFAULT_SOURCE // mmap without a file
#include "fixture.h"

#include "../../support/asserts.h"
#include "../../support/hook_memory.h"
#include "edit/runs.h"
#include "store/columns.h"
#include "world/rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- fields

#define FIELD(owner, member, kind, form, capacity, ...)                                            \
    {                                                                                              \
        .name = #member, .doc = "", .unit = "", .was = "", .type = WEFT_TYPE_##kind,               \
        .shape = WEFT_SHAPE_##form, .save = true, .offset = (uint32_t)offsetof(owner, member),     \
        .size = (uint32_t)sizeof(((owner *)0)->member), .count = (capacity), __VA_ARGS__           \
    }
#define ONE(owner, member, kind)                                                                   \
    FIELD(owner, member, kind, ONE, 1, .element_size = (uint32_t)sizeof(((owner *)0)->member))
#define ARRAY(owner, member, kind, capacity, ...)                                                  \
    FIELD(owner, member, kind, ARRAY, capacity,                                                    \
          .element_size = (uint32_t)sizeof(((owner *)0)->member[0]), __VA_ARGS__)
#define STRUCT(owner, member, index)                                                               \
    FIELD(owner, member, STRUCT, ONE, 1, .element_size = (uint32_t)sizeof(((owner *)0)->member),   \
          .of = (index))

enum { BOND_STRUCT };

static const weft_field bond_fields[] = {ONE(bond, to, ENTITY), ONE(bond, weight, F32)};
static const weft_struct_info structs[] = {
    [BOND_STRUCT] = {"bond", "", sizeof(bond), _Alignof(bond), 2, bond_fields, NULL},
};

static const weft_field position_fields[] = {ONE(position, x, F32), ONE(position, y, F32)};
static const weft_field velocity_fields[] = {ONE(velocity, x, F32), ONE(velocity, y, F32)};
static const weft_field worker_fields[] = {
    ONE(worker, target, ENTITY),
    ONE(worker, job, U8),
    ARRAY(worker, skill, U8, 4, .of = 0),
};
static const weft_field building_fields[] = {ONE(building, kind, U16)};
static const weft_field leader_fields[] = {ONE(leader, rank, U8)};
static const weft_field group_fields[] = {
    FIELD(group, members, ENTITY, LIST, 4, .element_size = (uint32_t)sizeof(uint64_t),
          .items_offset = (uint32_t)(offsetof(group, members.items) - offsetof(group, members))),
    ARRAY(group, bonds, STRUCT, 2, .of = BOND_STRUCT),
    FIELD(group, name, CHAR, STRING, 8, .element_size = 1),
};
static const weft_field crew_fields[] = {
    ONE(crew, captain, ENTITY),
    STRUCT(crew, seat, BOND_STRUCT),
    ARRAY(crew, skills, U8, 3, .of = 0),
};
static const weft_field burning_fields[] = {ONE(burning, seconds_left, F32)};
static const weft_field cursed_fields[] = {ONE(cursed, by, ENTITY), ONE(cursed, weight, I32)};
static const weft_field cargo_fields[] = {ONE(cargo, tons, U32)};
static const weft_field calendar_fields[] = {
    ONE(calendar, day, U32),
    ONE(calendar, lord, ENTITY),
    STRUCT(calendar, heir, BOND_STRUCT),
};

// ---- components

static const position position_defaults = {1.0f, 2.0f};
static const velocity velocity_defaults = {0.5f, -0.5f};
static const worker worker_defaults = {.job = 3, .skill = {1, 2, 3, 4}};
static const building building_defaults = {7};
static const leader leader_defaults = {1};
static const group group_defaults = {.name = "band"};
static const crew crew_defaults = {.seat = {0, 1.0f}, .skills = {9, 8, 7}};
static const burning burning_defaults = {5.0f};
static const cursed cursed_defaults = {.weight = -1};
static const cargo cargo_defaults = {10};
static const calendar calendar_defaults = {.day = 1};

#define VALUE(type, store, columns)                                                                \
    {                                                                                              \
        .name = #type, .doc = "", .size = sizeof(type), .align = _Alignof(type),                   \
        .storage = WEFT_STORAGE_##store, .soa = (columns), .save = true,                           \
        .field_count = sizeof type##_fields / sizeof type##_fields[0], .fields = type##_fields,    \
        .defaults = &type##_defaults                                                               \
    }
#define TAG(word)                                                                                  \
    {                                                                                              \
        .name = (word), .doc = "", .align = 1, .storage = WEFT_STORAGE_TAG, .save = true           \
    }

static const weft_component_info named_components[COMPONENTS] = {
    [POSITION] = VALUE(position, TABLE, false),
    [VELOCITY] = VALUE(velocity, TABLE, true),
    [WORKER] = VALUE(worker, TABLE, false),
    [BUILDING] = VALUE(building, TABLE, false),
    [LEADER] = VALUE(leader, TABLE, false),
    [GROUP] = VALUE(group, TABLE, false),
    [CREW] = VALUE(crew, TABLE, true),
    [BURNING] = VALUE(burning, SPARSE, false),
    [CURSED] = VALUE(cursed, SPARSE, false),
    [SELECTED] = TAG("selected"),
    [HIDDEN] = TAG("hidden"),
    [NAMED] = TAG("named"),
    [FAMOUS] = TAG("famous"),
    [ASLEEP] = TAG("asleep"),
    [ROYAL] = TAG("royal"),
    [CARGO] = VALUE(cargo, TABLE, false),
    [HEAVY] = TAG("heavy"),
};

static const weft_component_info spare = TAG("spare");

static const weft_singleton_info singletons[] = {
    {
        .name = "calendar",
        .doc = "",
        .size = sizeof(calendar),
        .offset = offsetof(fixture_world, calendar),
        .save = true,
        .field_count = 3,
        .fields = calendar_fields,
        .defaults = &calendar_defaults,
    },
};

// ---- rules

typedef struct pair {
    uint16_t a, b;
} pair;

static const pair requires[] = {
    {WORKER, POSITION}, {BUILDING, POSITION}, {LEADER, WORKER}, {LEADER, NAMED},
    {FAMOUS, NAMED},    {ASLEEP, WORKER},     {ROYAL, FAMOUS},  {HEAVY, CARGO},
};
static const pair excludes[] = {{WORKER, BUILDING}, {SELECTED, HIDDEN}, {CARGO, VELOCITY}};

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static void close_over(fixture *f)
{
    for (uint32_t c = 0; c < COMPONENTS; c++) weft_set_add(f->closures[c], c);
    for (uint32_t round = 0; round < LENGTH(requires); round++) {
        for (uint32_t c = 0; c < COMPONENTS; c++) {
            for (size_t i = 0; i < LENGTH(requires); i++) {
                if (weft_set_has(f->closures[c], requires[i].a))
                    weft_set_add(f->closures[c], requires[i].b);
            }
        }
    }
}

static void work_out_rules(fixture *f)
{
    close_over(f);
    for (uint32_t c = 0; c < COMPONENTS; c++) {
        for (uint32_t other = 0; other < COMPONENTS; other++) {
            if (other != c && weft_set_has(f->closures[other], c))
                weft_set_add(f->required_by[c], other);
        }
        for (size_t i = 0; i < LENGTH(excludes); i++) {
            if (weft_set_has(f->closures[c], excludes[i].a))
                weft_set_add(f->conflicts[c], excludes[i].b);
            if (weft_set_has(f->closures[c], excludes[i].b))
                weft_set_add(f->conflicts[c], excludes[i].a);
        }
    }
}

static bool ruled(const fixture *f, uint32_t c)
{
    for (uint32_t other = 0; other < COMPONENTS; other++) {
        if (weft_set_has(f->conflicts[c], other) || weft_set_has(f->required_by[c], other) ||
            (other != c && weft_set_has(f->closures[c], other)))
            return true;
    }
    return false;
}

// ---- runs of commands, as generated code would have them; of the format of the world, which
// differs

static weft_command *run_group(weft_world *world, weft_command *c, const weft_command *end)
{
    return weft_run_shared(world, world->plan->format, c, end, WEFT_DIRECT_TABLE, sizeof(group));
}

static weft_command *run_cursed(weft_world *world, weft_command *c, const weft_command *end)
{
    return weft_run_shared(world, world->plan->format, c, end, WEFT_DIRECT_SPARSE, sizeof(cursed));
}

// ---- columns and components of the plan

static void make_components(fixture *f)
{
    uint32_t column = 0;
    f->columns[column++] = (weft_column_plan){f->schema.handle_bytes, 0, WEFT_NONE};
    for (uint16_t c = 0; c < COMPONENTS; c++) {
        const weft_component_info *info = &f->infos[c];
        f->components[c] = (weft_component_plan){
            .size = info->size,
            .first_column = WEFT_NONE,
            .bitset = WEFT_NONE,
            .sparse = WEFT_NONE,
            .defaults = info->defaults,
            .closure = f->closures[c],
            .conflicts = f->conflicts[c],
            .required_by = f->required_by[c],
            .ruled = ruled(f, c),
            .has_entities = c == WORKER || c == GROUP || c == CREW || c == CURSED,
        };
        if (info->storage != WEFT_STORAGE_TABLE) continue;
        f->components[c].first_column = (uint16_t)column;
        f->components[c].column_count = info->soa ? (uint16_t)info->field_count : 1;
        for (uint32_t i = 0; i < f->components[c].column_count; i++) {
            f->columns[column++] =
                info->soa ? (weft_column_plan){info->fields[i].size, info->fields[i].offset, c}
                          : (weft_column_plan){info->size, 0, c};
        }
    }
    for (uint16_t c = 0; c < COMPONENTS; c++) {
        if (f->infos[c].storage == WEFT_STORAGE_TABLE) continue;
        f->components[c].bitset = (uint16_t)(column - FIRST_BITSET);
        f->columns[column++] = (weft_column_plan){0, 0, c};
    }
    f->components[GROUP].run = run_group;
    f->components[CURSED].run = run_cursed;
    f->components[BURNING].sparse = BURNING_STORE;
    f->components[CURSED].sparse = CURSED_STORE;
}

static const uint16_t sparse_components[] = {[BURNING_STORE] = BURNING, [CURSED_STORE] = CURSED};

// ---- prefabs

static const uint32_t villager_offsets[] = {
    offsetof(villager, position),
    offsetof(villager, velocity),
    offsetof(villager, worker),
};
static const uint32_t boss_offsets[] = {offsetof(boss, cursed), offsetof(boss, leader)};
static const boss boss_defaults = {.cursed = {.weight = 4}, .leader = {6}};

// As generated code would: of the other prefabs rows are copied column by column.
WEFT_ALWAYS_INLINE void copy_columns(weft_format f, const weft_table *from, uint32_t from_row,
                                     const weft_table *to, uint32_t to_row)
{
    weft_cell_copy(f, from, from_row, to, to_row, POSITION_COLUMN, sizeof(position));
    weft_cell_copy(f, from, from_row, to, to_row, VELOCITY_COLUMN, sizeof(float));
    weft_cell_copy(f, from, from_row, to, to_row, VELOCITY_COLUMN + 1, sizeof(float));
    weft_cell_copy(f, from, from_row, to, to_row, WORKER_COLUMN, sizeof(worker));
}

static void copy_villager(const weft_table *from, uint32_t from_row, const weft_table *to,
                          uint32_t to_row)
{
    copy_columns((weft_format){0}, from, from_row, to, to_row);
}

static void copy_grouped(const weft_table *from, uint32_t from_row, const weft_table *to,
                         uint32_t to_row)
{
    copy_columns((weft_format){.grouped = true}, from, from_row, to, to_row);
}

static uint32_t shift_villager(weft_world *world, uint64_t handle, uint32_t row, weft_table *from,
                               weft_table *to)
{
    copy_villager(from, row, to, to->count);
    if (row != from->count - 1) copy_villager(from, from->count - 1, from, row);
    return weft_row_pass(world, world->plan->format, handle, row, from, to);
}

static bool end_villager(weft_world *world, uint64_t handle, uint32_t row, weft_table *table)
{
    if (row != table->count - 1) copy_villager(table, table->count - 1, table, row);
    return weft_row_end(world, world->plan->format, handle, row, table);
}

static const weft_prefab_plan prefabs[PREFABS] = {
    [VILLAGER] = {.offsets = villager_offsets,
                  .member_count = 3,
                  .size = sizeof(villager),
                  .copy = copy_villager,
                  .shift = shift_villager,
                  .end = end_villager},
    [BOSS] = {.offsets = boss_offsets,
              .member_count = 2,
              .size = sizeof(boss),
              .defaults = &boss_defaults},
    [MARKER] = {.size = 0},
};
static const uint16_t villager_listed[] = {POSITION, VELOCITY, WORKER, SELECTED};
static const uint16_t boss_listed[] = {CURSED, LEADER, ASLEEP};
static const uint16_t marker_listed[] = {FAMOUS, SELECTED};
static const weft_prefab_info prefab_infos[PREFABS] = {
    [VILLAGER] = {.name = "villager",
                  .doc = "",
                  .component_count = 4,
                  .components = villager_listed},
    [BOSS] = {.name = "boss", .doc = "", .component_count = 3, .components = boss_listed},
    [MARKER] = {.name = "marker", .doc = "", .component_count = 2, .components = marker_listed},
};

static void add_component(fixture *f, uint32_t prefab, uint16_t component)
{
    uint16_t *components = f->prefab_components[prefab];
    if (weft_set_has(f->prefab_sets[prefab], component)) return;
    weft_set_add(f->prefab_sets[prefab], component);
    components[f->prefabs[prefab].component_count++] = component;
}

// Adds the components that a prefab lists, then those that they require.
static void make_prefab(fixture *f, uint32_t prefab)
{
    const weft_prefab_info *info = &prefab_infos[prefab];
    f->prefabs[prefab] = prefabs[prefab];
    f->prefabs[prefab].set = f->prefab_sets[prefab];
    f->prefabs[prefab].components = f->prefab_components[prefab];
    for (uint32_t i = 0; i < info->component_count; i++) {
        add_component(f, prefab, info->components[i]);
    }
    for (uint32_t i = 0; i < info->component_count; i++) {
        for (uint16_t c = 0; c < COMPONENTS; c++) {
            if (weft_set_has(f->closures[info->components[i]], c)) add_component(f, prefab, c);
        }
    }
}

static void make_prefabs(fixture *f)
{
    for (uint32_t p = 0; p < PREFABS; p++) make_prefab(f, p);
}

// ---- queries

static bool matches_all(const weft_table *table)
{
    (void)table;
    return true;
}

static bool matches_movers(const weft_table *table)
{
    return weft_column(table, POSITION_COLUMN) && weft_column(table, VELOCITY_COLUMN);
}

static bool matches_workers(const weft_table *table)
{
    return weft_column(table, WORKER_COLUMN) != NULL;
}

static bool matches_no_position(const weft_table *table)
{
    return !weft_column(table, POSITION_COLUMN);
}

static const weft_query_plan queries[QUERIES] = {
    [QUERY_ALL] = {WEFT_NONE, matches_all},
    [QUERY_MOVERS] = {VELOCITY, matches_movers},
    [QUERY_WORKERS] = {WORKER, matches_workers},
    [QUERY_NO_POSITION] = {WEFT_NONE, matches_no_position},
};

// ---- all of it

static const char *const phases[] = {"simulate"};

static const weft_recorder_plan recorders[FIXTURE_BUFFERS] = {
    {WEFT_NONE, false}, {0, false}, {0, false}};

void fixture_make(fixture *f, fixture_options o)
{
    memset(f, 0, sizeof *f);
    memcpy(f->infos, named_components, sizeof named_components);
    for (uint32_t c = SPARE; c < SPARE_END; c++) f->infos[c] = spare;
    f->schema = (weft_schema){
        .name = "fixture",
        .index_bits = o.index_bits ? o.index_bits : 32,
        .generation_bits = o.generation_bits ? o.generation_bits : 32,
        .handle_bytes = o.handle_bytes ? o.handle_bytes : 8,
        .max_entities = o.max_entities ? o.max_entities : 1000000,
        .recycle_after = o.recycle_after,
        .phase_count = 1,
        .struct_count = LENGTH(structs),
        .component_count = COMPONENTS,
        .singleton_count = LENGTH(singletons),
        .prefab_count = PREFABS,
        .phases = phases,
        .structs = structs,
        .components = f->infos,
        .singletons = singletons,
        .prefabs = prefab_infos,
    };
    work_out_rules(f);
    make_components(f);
    make_prefabs(f);
    f->plan = (weft_plan){
        .schema = &f->schema,
        .format = {f->schema.index_bits, f->schema.generation_bits, f->schema.handle_bytes,
                   f->schema.index_bits + f->schema.generation_bits > 32,
                   f->schema.recycle_after != 0, false},
        .max_entities = f->schema.max_entities,
        .recycle_after = f->schema.recycle_after,
        .component_count = COMPONENTS,
        .set_words = FIXTURE_WORDS,
        .column_count = COLUMNS,
        .first_bitset = FIRST_BITSET,
        .sparse_count = STORES,
        .prefab_count = PREFABS,
        .query_count = QUERIES,
        .recorder_count = FIXTURE_BUFFERS,
        .buffer_count = FIXTURE_BUFFERS,
        .recorders = recorders,
        .columns = f->columns,
        .components = f->components,
        .sparse_components = sparse_components,
        .prefabs = f->prefabs,
        .queries = queries,
    };
    f->kit = (weft_table_kit){{f->prefabs_first, f->prefabs_of}, f->zeros, false};
    weft_sort_prefabs(&f->kit, &f->plan);
}

void fixture_group(fixture *f)
{
    f->plan.format.grouped = true;
    f->prefabs[VILLAGER].copy = copy_grouped; // there are no moves of its own then
    f->prefabs[VILLAGER].shift = NULL;
    f->prefabs[VILLAGER].end = NULL;
}

// ---- memory

static bool fails(fixture_memory *memory)
{
    memory->calls++;
    return memory->fail_at != 0 && (memory->calls == memory->fail_at ||
                                    (memory->fail_on && memory->calls > memory->fail_at));
}

static void *hook_allocate(void *user, size_t bytes)
{
    fixture_memory *memory = user;
    if (fails(memory)) return NULL;
    void *block = block_allocate(bytes);
    if (!block) return NULL;
    memset(block, 0xA5, bytes);
    memory->held += bytes;
    return block;
}

static void hook_free(void *user, void *block, size_t bytes)
{
    fixture_memory *memory = user;
    memory->held -= bytes;
    block_free(block);
}

static void *hook_reserve(void *user, size_t bytes)
{
    fixture_memory *memory = user;
    if (fails(memory) || memory->no_reserve) return NULL;
    void *block = space_reserve(bytes);
    if (!block) return NULL;
    memory->held += bytes;
    return block;
}

static bool hook_commit(void *user, void *block, size_t bytes)
{
    return !fails(user) && space_commit(block, bytes);
}

void fixture_decommit(void *user, void *block, size_t bytes)
{
    (void)user;
    space_decommit(block, bytes);
}

static void hook_release(void *user, void *block, size_t bytes)
{
    fixture_memory *memory = user;
    memory->held -= bytes;
    space_release(block, bytes);
}

const bool fixture_has_space = HAS_ADDRESS_SPACE;

weft_memory fixture_hooks(fixture_memory *memory)
{
    return (weft_memory){hook_allocate, hook_free, hook_reserve, hook_commit, hook_release, memory};
}

// ---- chance, and asserts

uint32_t fixture_below(fixture_random *random, uint32_t bound)
{
    uint64_t x = random->state += 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return (uint32_t)((x ^ x >> 31) % bound);
}

bool fixture_asserts(void (*call)(void *context), void *context, const char *words)
{
    return asserts_saying(call, context, words);
}
