// A world with every type, shape and attribute that a field can have, written by hand as the
// generator would write it. For tests of code that looks inside values: the walk over fields,
// hashes, reflection.
#ifndef FIELDS_FIXTURE_H
#define FIELDS_FIXTURE_H

#include "world/world.h"

typedef struct zoo_entity {
    uint64_t bits;
} zoo_entity;

typedef enum zoo_job_value { ZOO_JOB_IDLE, ZOO_JOB_GATHER, ZOO_JOB_HAUL } zoo_job_value;
typedef uint8_t zoo_job;

typedef struct zoo_vec2 {
    float x;
    float y;
} zoo_vec2;

typedef struct zoo_stop {
    zoo_vec2 at;
    uint16_t wait; // 1 to 60
    zoo_entity guide;
    char label[4];
    bool scenic;
    uint32_t cache; // save = false
} zoo_stop;

// An extern: a type of the game's own.
typedef struct zoo_mat2 {
    float m[4];
} zoo_mat2;

typedef struct zoo_position {
    float x; // 0 to 1024
    float y; // at most 0.1
} zoo_position;

typedef struct zoo_trail {
    uint32_t count;
    uint16_t items[3];
} zoo_trail;

typedef struct zoo_velocity { // soa
    float x;
    float y;
    uint8_t gear;
    zoo_trail trail;
    uint32_t heat; // save = false
} zoo_velocity;

typedef struct zoo_stops {
    uint32_t count;
    zoo_stop items[3];
} zoo_stops;

typedef struct zoo_friends {
    uint32_t count;
    zoo_entity items[2];
} zoo_friends;

typedef struct zoo_plans {
    uint32_t count;
    zoo_job items[2];
} zoo_plans;

typedef struct zoo_worker {
    zoo_job job;
    zoo_entity target;
    uint8_t skill[4]; // at most 100
    char name[8];
    zoo_stops route;
    zoo_friends friends;
    zoo_plans plans;
    bool lucky;
    uint64_t money;
    int64_t debt;
    int8_t level; // -5 to 5
    double weight;
    zoo_mat2 frame;
    uint32_t secret; // save = false
} zoo_worker;

typedef struct zoo_sprite { // save = false
    uint32_t texture;
} zoo_sprite;

typedef struct zoo_burning { // sparse
    uint8_t kind;
    float seconds_left;
    zoo_entity by;
} zoo_burning;

typedef struct zoo_scorched { // sparse, save = false
    uint8_t depth;
} zoo_scorched;

typedef struct zoo_building { // requires position, excludes worker
    uint16_t kind;
} zoo_building;

typedef struct zoo_calendar {
    uint32_t day; // at least 1
    float hour;
    uint32_t cache; // save = false
    char mood[16];
} zoo_calendar;

typedef struct zoo_camera { // save = false
    double zoom;
} zoo_camera;

typedef struct zoo_world {
    weft_world base;
    zoo_calendar calendar;
    zoo_camera camera;
} zoo_world;

typedef enum zoo_component {
    ZOO_POSITION,
    ZOO_VELOCITY,
    ZOO_WORKER,
    ZOO_SPRITE,
    ZOO_BURNING,
    ZOO_SCORCHED,
    ZOO_SELECTED, // a tag
    ZOO_HIDDEN,   // a tag, save = false
    ZOO_BUILDING,
    ZOO_COMPONENT_COUNT,
} zoo_component;

extern const weft_schema zoo_schema;
extern const weft_plan zoo_plan;

// A zoo with handles of 4 + 3 bits in two bytes, to wear generations out. It is only for entities
// without fields that are handles: those keep their size.
extern const weft_plan zoo_tiny_plan;

extern const zoo_worker zoo_worker_defaults;

// A world with its singletons at their defaults; fails the test without memory.
zoo_world *zoo_open(const weft_plan *plan);
void zoo_close(zoo_world *world);

#endif
