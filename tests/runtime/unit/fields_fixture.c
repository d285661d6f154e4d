// The tables that the generator would write for the world of fields_fixture.h.
//
// flags: hot
#include "fields_fixture.h"

#include "run/lifecycle.h"

#include <stdio.h>
#include <stdlib.h>

#define FIELD(owner, member, of_type, saved)                                                       \
    .name = #member, .doc = "", .unit = "", .was = "", .type = of_type, .save = saved,             \
    .offset = (uint32_t)offsetof(owner, member), .size = (uint32_t)sizeof(((owner *)0)->member)
#define ONE(element) .element_size = (uint32_t)sizeof(element), .count = 1
#define ARRAY(element, capacity)                                                                   \
    .shape = WEFT_SHAPE_ARRAY, .element_size = (uint32_t)sizeof(element), .count = (capacity)
#define LIST(list, element, capacity)                                                              \
    .shape = WEFT_SHAPE_LIST, .element_size = (uint32_t)sizeof(element), .count = (capacity),      \
    .items_offset = (uint32_t)offsetof(list, items)
#define STRING(capacity) .shape = WEFT_SHAPE_STRING, .element_size = 1, .count = (capacity)
#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof *(array)))

static const char *const job_values[] = {"idle", "gather", "haul"};

static const weft_enum_info enums[] = {
    {.name = "job", .doc = "", .type = WEFT_TYPE_U8, .count = 3, .values = job_values},
};

enum { STRUCT_VEC2, STRUCT_STOP };

static const weft_field vec2_fields[] = {
    {FIELD(zoo_vec2, x, WEFT_TYPE_F32, true), ONE(float)},
    {FIELD(zoo_vec2, y, WEFT_TYPE_F32, true), ONE(float)},
};

static const weft_field stop_fields[] = {
    {FIELD(zoo_stop, at, WEFT_TYPE_STRUCT, true), ONE(zoo_vec2), .of = STRUCT_VEC2},
    {FIELD(zoo_stop, wait, WEFT_TYPE_U16, true), ONE(uint16_t), .has_min = true, .has_max = true,
     .min.u64 = 1, .max.u64 = 60},
    {FIELD(zoo_stop, guide, WEFT_TYPE_ENTITY, true), ONE(zoo_entity)},
    {FIELD(zoo_stop, label, WEFT_TYPE_CHAR, true), STRING(4)},
    {FIELD(zoo_stop, scenic, WEFT_TYPE_BOOL, true), ONE(bool)},
    {FIELD(zoo_stop, cache, WEFT_TYPE_U32, false), ONE(uint32_t)},
};

static const weft_field mat2_fields[] = {
    {FIELD(zoo_mat2, m, WEFT_TYPE_F32, true), ARRAY(float, 4)},
};

#define STRUCT(of_name, type, of_fields)                                                           \
    {                                                                                              \
        .name = of_name, .doc = "", .size = (uint32_t)sizeof(type),                                \
        .align = (uint32_t) _Alignof(type), .field_count = COUNT(of_fields), .fields = of_fields   \
    }

static const weft_struct_info structs[] = {
    STRUCT("vec2", zoo_vec2, vec2_fields),
    STRUCT("stop", zoo_stop, stop_fields),
};

static const weft_struct_info externs[] = {
    STRUCT("mat2", zoo_mat2, mat2_fields),
};

static const weft_field position_fields[] = {
    {FIELD(zoo_position, x, WEFT_TYPE_F32, true), ONE(float), .has_min = true, .has_max = true,
     .min.f64 = 0.0, .max.f64 = 1024.0},
    {FIELD(zoo_position, y, WEFT_TYPE_F32, true), ONE(float), .has_max = true, .max.f64 = 0.1},
};

static const weft_field velocity_fields[] = {
    {FIELD(zoo_velocity, x, WEFT_TYPE_F32, true), ONE(float)},
    {FIELD(zoo_velocity, y, WEFT_TYPE_F32, true), ONE(float)},
    {FIELD(zoo_velocity, gear, WEFT_TYPE_U8, true), ONE(uint8_t)},
    {FIELD(zoo_velocity, trail, WEFT_TYPE_U16, true), LIST(zoo_trail, uint16_t, 3)},
    {FIELD(zoo_velocity, heat, WEFT_TYPE_U32, false), ONE(uint32_t)},
};

static const weft_field worker_fields[] = {
    {FIELD(zoo_worker, job, WEFT_TYPE_ENUM, true), ONE(zoo_job)},
    {FIELD(zoo_worker, target, WEFT_TYPE_ENTITY, true), ONE(zoo_entity)},
    {FIELD(zoo_worker, skill, WEFT_TYPE_U8, true), ARRAY(uint8_t, 4), .has_max = true,
     .max.u64 = 100},
    {FIELD(zoo_worker, name, WEFT_TYPE_CHAR, true), STRING(8)},
    {FIELD(zoo_worker, route, WEFT_TYPE_STRUCT, true), LIST(zoo_stops, zoo_stop, 3),
     .of = STRUCT_STOP},
    {FIELD(zoo_worker, friends, WEFT_TYPE_ENTITY, true), LIST(zoo_friends, zoo_entity, 2)},
    {FIELD(zoo_worker, plans, WEFT_TYPE_ENUM, true), LIST(zoo_plans, zoo_job, 2)},
    {FIELD(zoo_worker, lucky, WEFT_TYPE_BOOL, true), ONE(bool)},
    {FIELD(zoo_worker, money, WEFT_TYPE_U64, true), ONE(uint64_t)},
    {FIELD(zoo_worker, debt, WEFT_TYPE_I64, true), ONE(int64_t)},
    {FIELD(zoo_worker, level, WEFT_TYPE_I8, true), ONE(int8_t), .has_min = true, .has_max = true,
     .min.i64 = -5, .max.i64 = 5},
    {FIELD(zoo_worker, weight, WEFT_TYPE_F64, true), ONE(double)},
    {FIELD(zoo_worker, frame, WEFT_TYPE_EXTERN, true), ONE(zoo_mat2)},
    {FIELD(zoo_worker, secret, WEFT_TYPE_U32, false), ONE(uint32_t)},
};

static const weft_field sprite_fields[] = {
    {FIELD(zoo_sprite, texture, WEFT_TYPE_U32, true), ONE(uint32_t)},
};

static const weft_field burning_fields[] = {
    {FIELD(zoo_burning, kind, WEFT_TYPE_U8, true), ONE(uint8_t)},
    {FIELD(zoo_burning, seconds_left, WEFT_TYPE_F32, true), ONE(float)},
    {FIELD(zoo_burning, by, WEFT_TYPE_ENTITY, true), ONE(zoo_entity)},
};

static const weft_field scorched_fields[] = {
    {FIELD(zoo_scorched, depth, WEFT_TYPE_U8, true), ONE(uint8_t)},
};

static const weft_field building_fields[] = {
    {FIELD(zoo_building, kind, WEFT_TYPE_U16, true), ONE(uint16_t)},
};

static const weft_field calendar_fields[] = {
    {FIELD(zoo_calendar, day, WEFT_TYPE_U32, true), ONE(uint32_t), .has_min = true, .min.u64 = 1},
    {FIELD(zoo_calendar, hour, WEFT_TYPE_F32, true), ONE(float)},
    {FIELD(zoo_calendar, cache, WEFT_TYPE_U32, false), ONE(uint32_t)},
    {FIELD(zoo_calendar, mood, WEFT_TYPE_CHAR, true), STRING(16)},
};

static const weft_field camera_fields[] = {
    {FIELD(zoo_camera, zoom, WEFT_TYPE_F64, true), ONE(double)},
};

static const zoo_position position_defaults = {.x = 1.0f};
static const zoo_velocity velocity_defaults = {.gear = 1};
const zoo_worker zoo_worker_defaults = {.name = "nobody", .skill = {1, 2, 3, 4}, .weight = 70.5};
static const zoo_sprite sprite_defaults = {.texture = 7};
static const zoo_burning burning_defaults = {.seconds_left = 5.0f};
static const zoo_scorched scorched_defaults = {.depth = 1};
static const zoo_building building_defaults = {.kind = 3};
static const zoo_calendar calendar_defaults = {.day = 1, .mood = "calm"};
static const zoo_camera camera_defaults = {.zoom = 1.0};

#define VALUE(of_name, type, of_storage, saved, of_fields, value)                                  \
    .name = of_name, .doc = "", .size = (uint32_t)sizeof(type),                                    \
    .align = (uint32_t) _Alignof(type), .storage = of_storage, .save = saved,                      \
    .field_count = COUNT(of_fields), .fields = of_fields, .defaults = &value
#define TAG(of_name, saved) .name = of_name, .doc = "", .storage = WEFT_STORAGE_TAG, .save = saved

static const weft_component_info components[] = {
    {VALUE("position", zoo_position, WEFT_STORAGE_TABLE, true, position_fields, position_defaults)},
    {VALUE("velocity", zoo_velocity, WEFT_STORAGE_TABLE, true, velocity_fields, velocity_defaults),
     .soa = true},
    {VALUE("worker", zoo_worker, WEFT_STORAGE_TABLE, true, worker_fields, zoo_worker_defaults)},
    {VALUE("sprite", zoo_sprite, WEFT_STORAGE_TABLE, false, sprite_fields, sprite_defaults)},
    {VALUE("burning", zoo_burning, WEFT_STORAGE_SPARSE, true, burning_fields, burning_defaults)},
    {VALUE("scorched", zoo_scorched, WEFT_STORAGE_SPARSE, false, scorched_fields,
           scorched_defaults)},
    {TAG("selected", true)},
    {TAG("hidden", false)},
    {VALUE("building", zoo_building, WEFT_STORAGE_TABLE, true, building_fields, building_defaults)},
};

#define SINGLETON(of_name, type, member, saved, of_fields, value)                                  \
    {                                                                                              \
        .name = of_name, .doc = "", .size = (uint32_t)sizeof(type),                                \
        .offset = (uint32_t)offsetof(zoo_world, member), .save = saved,                            \
        .field_count = COUNT(of_fields), .fields = of_fields, .defaults = &value                   \
    }

static const weft_singleton_info singletons[] = {
    SINGLETON("calendar", zoo_calendar, calendar, true, calendar_fields, calendar_defaults),
    SINGLETON("camera", zoo_camera, camera, false, camera_fields, camera_defaults),
};

static const char *const phases[] = {"simulate"};

#define SCHEMA(of_index_bits, of_generation_bits, of_handle_bytes)                                 \
    {                                                                                              \
        .name = "zoo", .index_bits = of_index_bits, .generation_bits = of_generation_bits,         \
        .handle_bytes = of_handle_bytes, .max_entities = MAX_ENTITIES, .phase_count = 1,           \
        .phases = phases, .enum_count = COUNT(enums), .struct_count = COUNT(structs),              \
        .extern_count = COUNT(externs), .component_count = COUNT(components),                      \
        .singleton_count = COUNT(singletons), .enums = enums, .structs = structs,                  \
        .externs = externs, .components = components, .singletons = singletons                     \
    }

#define MAX_ENTITIES 4096

const weft_schema zoo_schema = SCHEMA(32, 32, 8);
static const weft_schema tiny_schema = SCHEMA(4, 3, 2);

// ------------------------------------------------------------------------------------------------
// The plan

enum { FIRST_BITSET = 10 };

#define COLUMN(of_component, type)                                                                 \
    {                                                                                              \
        .size = (uint32_t)sizeof(type), .component = of_component                                  \
    }
#define SOA_COLUMN(member, type)                                                                   \
    {                                                                                              \
        .size = (uint32_t)sizeof(type), .offset = (uint32_t)offsetof(zoo_velocity, member),        \
        .component = ZOO_VELOCITY                                                                  \
    }
#define COLUMNS(handle)                                                                            \
    {                                                                                              \
        COLUMN(WEFT_NONE, handle), COLUMN(ZOO_POSITION, zoo_position), SOA_COLUMN(x, float),       \
            SOA_COLUMN(y, float), SOA_COLUMN(gear, uint8_t), SOA_COLUMN(trail, zoo_trail),         \
            SOA_COLUMN(heat, uint32_t), COLUMN(ZOO_WORKER, zoo_worker),                            \
            COLUMN(ZOO_SPRITE, zoo_sprite), COLUMN(ZOO_BUILDING, zoo_building),                    \
            {.component = ZOO_BURNING}, {.component = ZOO_SCORCHED}, {.component = ZOO_SELECTED},  \
        {                                                                                          \
            .component = ZOO_HIDDEN                                                                \
        }                                                                                          \
    }

static const weft_column_plan columns[] = COLUMNS(uint64_t);
static const weft_column_plan tiny_columns[] = COLUMNS(uint16_t);

#define ONLY(component)                                                                            \
    {                                                                                              \
        (uint64_t)1 << (component)                                                                 \
    }

static const uint64_t none[] = {0};
static const uint64_t position_closure[] = ONLY(ZOO_POSITION);
static const uint64_t velocity_closure[] = ONLY(ZOO_VELOCITY);
static const uint64_t worker_only[] = ONLY(ZOO_WORKER);
static const uint64_t sprite_closure[] = ONLY(ZOO_SPRITE);
static const uint64_t burning_closure[] = ONLY(ZOO_BURNING);
static const uint64_t scorched_closure[] = ONLY(ZOO_SCORCHED);
static const uint64_t selected_closure[] = ONLY(ZOO_SELECTED);
static const uint64_t hidden_closure[] = ONLY(ZOO_HIDDEN);
static const uint64_t building_closure[] = {(uint64_t)1 << ZOO_BUILDING | (uint64_t)1
                                                                              << ZOO_POSITION};
static const uint64_t building_only[] = ONLY(ZOO_BUILDING);

#define RULES(of_closure, of_conflicts, of_required_by)                                            \
    .closure = of_closure, .conflicts = of_conflicts, .required_by = of_required_by
#define IN_TABLE(type, column, columns_of_it, value)                                               \
    .size = (uint32_t)sizeof(type), .first_column = (column), .column_count = (columns_of_it),     \
    .bitset = WEFT_NONE, .sparse = WEFT_NONE, .defaults = &value
#define IN_STORE(type, of_bitset, store, value)                                                    \
    .size = (uint32_t)sizeof(type), .first_column = WEFT_NONE, .bitset = (of_bitset),              \
    .sparse = (store), .defaults = &value
#define IN_BITSET(of_bitset) .first_column = WEFT_NONE, .bitset = (of_bitset), .sparse = WEFT_NONE

static const weft_component_plan component_plans[] = {
    {IN_TABLE(zoo_position, 1, 1, position_defaults), RULES(position_closure, none, building_only),
     .ruled = true},
    {IN_TABLE(zoo_velocity, 2, 5, velocity_defaults), RULES(velocity_closure, none, none)},
    {IN_TABLE(zoo_worker, 7, 1, zoo_worker_defaults), RULES(worker_only, building_only, none),
     .ruled = true, .has_entities = true},
    {IN_TABLE(zoo_sprite, 8, 1, sprite_defaults), RULES(sprite_closure, none, none)},
    {IN_STORE(zoo_burning, 0, 0, burning_defaults), RULES(burning_closure, none, none),
     .has_entities = true},
    {IN_STORE(zoo_scorched, 1, 1, scorched_defaults), RULES(scorched_closure, none, none)},
    {IN_BITSET(2), RULES(selected_closure, none, none)},
    {IN_BITSET(3), RULES(hidden_closure, none, none)},
    {IN_TABLE(zoo_building, 9, 1, building_defaults), RULES(building_closure, worker_only, none),
     .ruled = true},
};

static const uint16_t sparse_components[] = {ZOO_BURNING, ZOO_SCORCHED};

static const weft_recorder_plan recorders[] = {{WEFT_NONE, false}};

#define PLAN(of_schema, of_columns, ...)                                                           \
    {                                                                                              \
        .schema = &of_schema, .format = __VA_ARGS__, .max_entities = MAX_ENTITIES,                 \
        .component_count = ZOO_COMPONENT_COUNT, .set_words = 1, .column_count = COUNT(columns),    \
        .first_bitset = FIRST_BITSET, .sparse_count = COUNT(sparse_components),                    \
        .recorder_count = 1, .buffer_count = 1, .recorders = recorders, .columns = of_columns,     \
        .components = component_plans, .sparse_components = sparse_components                      \
    }

const weft_plan zoo_plan =
    PLAN(zoo_schema, columns,
         {.index_bits = 32, .generation_bits = 32, .handle_bytes = 8, .wide = true});
const weft_plan zoo_tiny_plan =
    PLAN(tiny_schema, tiny_columns, {.index_bits = 4, .generation_bits = 3, .handle_bytes = 2});

zoo_world *zoo_open(const weft_plan *plan)
{
    weft_world *world = weft_world_create(plan, sizeof(zoo_world), NULL);
    if (!world) {
        fprintf(stderr, "no memory for a world\n");
        exit(1);
    }
    return (zoo_world *)(void *)world;
}

void zoo_close(zoo_world *world)
{
    weft_world_destroy(&world->base, sizeof *world);
}
