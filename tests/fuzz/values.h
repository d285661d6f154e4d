// Repeats in C the fields, defaults and rules of the components, singletons and prefabs of
// fuzz.toml. It is written by hand from the schema so that a bug of the generator shows.
#ifndef VALUES_H
#define VALUES_H

#include "fuzz.h"

typedef enum component {
    PLACE,
    SCALARS,
    GRIP,
    LABEL,
    SPECK,
    BULK,
    ROOTED,
    MOTION,
    POUCH,
    HEAT,
    PILOT,
    FEVER,
    BRAND,
    GHOST,
    MARKED,
    HIDDEN,
    AWAKE,
    KEEN,
    STUCK,
    ANGRY,
    HOT,
    COLD,
    TAMED,
    COMPONENTS,
    TAGS = MARKED // the first without a value
} component;

typedef enum singleton { WEATHER, TALLY, SINGLETONS } singleton;

typedef enum prefab {
    ROCK,
    WALKER,
    ACE,
    PATIENT,
    PUPPET,
    WRAITH,
    BOULDER,
    PREFABS,
    NO_PREFAB = PREFABS // an entity without components
} prefab;

// A set of components, a bit each.
typedef uint32_t set;

static inline set only(component c)
{
    return (set)1 << c;
}

// A value of every component that has one.
typedef struct values {
    fuzz_place place;
    fuzz_scalars scalars;
    fuzz_grip grip;
    fuzz_label label;
    fuzz_speck speck;
    fuzz_bulk bulk;
    fuzz_rooted rooted;
    fuzz_motion motion;
    fuzz_pouch pouch;
    fuzz_heat heat;
    fuzz_pilot pilot;
    fuzz_fever fever;
    fuzz_brand brand;
    fuzz_ghost ghost;
} values;

typedef struct singleton_values {
    fuzz_weather weather;
    fuzz_tally tally;
} singleton_values;

#define VALUE_BYTES_MAX 512u // of a component, a singleton or a prefab

// Space for any of those.
typedef union any_value {
    unsigned char bytes[VALUE_BYTES_MAX];
    uint64_t align;
    values *pointer;
} any_value;

// One element that is no struct: a number, a handle, the count of a list, a text.
typedef enum leaf_kind {
    LEAF_NUMBER,
    LEAF_BOOL,
    LEAF_ENUM, // limit: how many values
    LEAF_ENTITY,
    LEAF_COUNT, // limit: the most
    LEAF_TEXT,  // limit: the bytes of its capacity
} leaf_kind;

typedef struct leaf {
    leaf_kind kind;
    void *at;
    uint32_t bytes;
    uint32_t limit;
} leaf;

typedef struct visitor {
    void (*see)(struct visitor *v, leaf l);
    bool only_saved; // pass over fields with save = false
    bool loads;      // put those at their defaults
} visitor;

typedef struct value_info {
    const char *name;
    size_t offset; // in `values`, or in `singleton_values`
    size_t bytes;  // 0: a tag
    bool save;
    void (*visit)(visitor *v, void *value); // its leaves, in schema order
    set requires;
    set excludes;
} value_info;

extern const value_info components[COMPONENTS];
extern const value_info singletons[SINGLETONS];
extern const value_info rumor_info;
extern const values component_defaults;
extern const singleton_values singleton_defaults;

static inline void *value_of(values *all, component c)
{
    return (unsigned char *)all + components[c].offset;
}

static inline const void *const_value_of(const values *all, component c)
{
    return (const unsigned char *)all + components[c].offset;
}

// Returns the initial value of a component that another one requires, directly or through others.
const void *required_value(component by, component c);

typedef struct prefab_member {
    component component;
    size_t offset; // in the prefab's struct
} prefab_member;

typedef struct prefab_info {
    const char *name;
    size_t bytes;
    uint32_t member_count;
    prefab_member members[4];
    set tags; // listed
} prefab_info;

extern const prefab_info prefabs[PREFABS];

// The prefab's struct at the defaults that the schema gives.
void prefab_defaults(prefab p, any_value *value);

// Visits all members.
void prefab_visit(prefab p, visitor *v, void *value);

// ---- leaves

uint64_t leaf_bits(leaf l); // of any but a text
void leaf_write(leaf l, uint64_t bits);

#define WORDS_MAX 64u // of any value

// Writes a value as a sequence of words, as save/hash.h defines it; equal values have equal words.
// It leaves out padding, bytes after a NUL and items beyond a count. Returns the number of words.
uint32_t value_words(const value_info *info, const void *value, bool only_saved, uint64_t *words);

// Changes a value as saving and loading it does.
void value_load(const value_info *info, const void *defaults, void *value);

bool values_equal(const value_info *info, const void *a, const void *b);

#endif
