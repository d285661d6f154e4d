// flags: hot
#include "values.h"

#include <stddef.h>
#include <string.h>

WEFT_STATIC_ASSERT(sizeof(fuzz_puppet) <= VALUE_BYTES_MAX, "a prefab has more bytes than room");
WEFT_STATIC_ASSERT(sizeof(fuzz_boulder) <= VALUE_BYTES_MAX, "a prefab has more bytes than room");
WEFT_STATIC_ASSERT(sizeof(fuzz_bulk) <= VALUE_BYTES_MAX, "a component has more bytes than room");

// ---- leaves

static void see(visitor *v, leaf_kind kind, void *at, size_t bytes, uint32_t limit)
{
    v->see(v, (leaf){kind, at, (uint32_t)bytes, limit});
}

#define NUMBER(field) see(v, LEAF_NUMBER, &(field), sizeof(field), 0)
#define BOOL(field) see(v, LEAF_BOOL, &(field), sizeof(field), 0)
#define ENUM(field, values) see(v, LEAF_ENUM, &(field), sizeof(field), values)
#define ENTITY(field) see(v, LEAF_ENTITY, &(field), sizeof(field), 0)
#define COUNT(field, most) see(v, LEAF_COUNT, &(field), sizeof(field), most)
#define TEXT(field) see(v, LEAF_TEXT, field, sizeof(field), sizeof(field))

#define UNSAVED_NUMBER(field, usual)                                                               \
    do {                                                                                           \
        if (v->loads) (field) = (usual);                                                           \
        if (!v->only_saved) NUMBER(field);                                                         \
    } while (0)

// Returns the first byte of a number of 1, 2, 4 or 8 bytes, which is at its address only on
// little-endian machines.
static unsigned char *first_byte(uint64_t *number, uint32_t bytes)
{
    const uint16_t one = 1;
    bool little = *(const unsigned char *)&one == 1;
    return (unsigned char *)number + (little ? 0 : sizeof *number - bytes);
}

uint64_t leaf_bits(leaf l)
{
    uint64_t bits = 0;
    memcpy(first_byte(&bits, l.bytes), l.at, l.bytes);
    return bits;
}

void leaf_write(leaf l, uint64_t bits)
{
    memcpy(l.at, first_byte(&bits, l.bytes), l.bytes);
}

// ---- structs

static void visit_point(visitor *v, fuzz_point *p)
{
    NUMBER(p->x);
    NUMBER(p->y);
}

static void visit_bond(visitor *v, fuzz_bond *b)
{
    ENTITY(b->to);
    NUMBER(b->weight);
    UNSAVED_NUMBER(b->since, 0);
}

static void visit_knot(visitor *v, fuzz_knot *k)
{
    visit_point(v, &k->at);
    for (int i = 0; i < 2; i++) visit_bond(v, &k->bonds[i]);
}

static void visit_seal(visitor *v, seal *s)
{
    NUMBER(s->number);
    for (int i = 0; i < 3; i++) NUMBER(s->letters[i]);
}

// ---- components

static void visit_place(visitor *v, void *value)
{
    fuzz_place *c = (fuzz_place *)value;
    NUMBER(c->x);
    NUMBER(c->y);
}

static void visit_scalars(visitor *v, void *value)
{
    fuzz_scalars *c = (fuzz_scalars *)value;
    BOOL(c->flag);
    NUMBER(c->small);
    NUMBER(c->signed_small);
    NUMBER(c->medium);
    NUMBER(c->signed_medium);
    NUMBER(c->large);
    NUMBER(c->signed_large);
    NUMBER(c->huge);
    NUMBER(c->signed_huge);
    NUMBER(c->ratio);
    NUMBER(c->precise);
    ENUM(c->mood, 5);
    ENUM(c->code, 3);
    UNSAVED_NUMBER(c->secret, 5);
}

static void visit_grip(visitor *v, void *value)
{
    fuzz_grip *c = (fuzz_grip *)value;
    ENTITY(c->holder);
    for (int i = 0; i < 3; i++) ENTITY(c->chain[i]);
    visit_bond(v, &c->bond);
    for (int i = 0; i < 2; i++) visit_knot(v, &c->knots[i]);
    COUNT(c->pack.count, 4);
    for (uint32_t i = 0; i < c->pack.count; i++) ENTITY(c->pack.items[i]);
    COUNT(c->bonds.count, 3);
    for (uint32_t i = 0; i < c->bonds.count; i++) visit_bond(v, &c->bonds.items[i]);
}

static void visit_label(visitor *v, void *value)
{
    fuzz_label *c = (fuzz_label *)value;
    TEXT(c->text);
    COUNT(c->moods.count, 5);
    for (uint32_t i = 0; i < c->moods.count; i++) ENUM(c->moods.items[i], 5);
    for (int i = 0; i < 2; i++) ENUM(c->codes[i], 3);
    for (int i = 0; i < FUZZ_MOOD_COUNT; i++) NUMBER(c->by_mood[i]);
}

static void visit_speck(visitor *v, void *value)
{
    NUMBER(((fuzz_speck *)value)->v);
}

static void visit_bulk(visitor *v, void *value)
{
    fuzz_bulk *c = (fuzz_bulk *)value;
    for (int i = 0; i < 24; i++) NUMBER(c->words[i]);
    visit_seal(v, &c->stamp);
    COUNT(c->stamps.count, 2);
    for (uint32_t i = 0; i < c->stamps.count; i++) visit_seal(v, &c->stamps.items[i]);
}

static void visit_rooted(visitor *v, void *value)
{
    NUMBER(((fuzz_rooted *)value)->depth);
}

static void visit_motion(visitor *v, void *value)
{
    fuzz_motion *c = (fuzz_motion *)value;
    NUMBER(c->dx);
    NUMBER(c->dy);
    NUMBER(c->dz);
}

static void visit_pouch(visitor *v, void *value)
{
    fuzz_pouch *c = (fuzz_pouch *)value;
    COUNT(c->items.count, 6);
    for (uint32_t i = 0; i < c->items.count; i++) NUMBER(c->items.items[i]);
    TEXT(c->note);
    ENTITY(c->owner);
    for (int i = 0; i < 2; i++) visit_point(v, &c->spots[i]);
    UNSAVED_NUMBER(c->weight, 0);
    for (int i = 0; i < 3; i++) BOOL(c->flags[i]);
    COUNT(c->friends.count, 2);
    for (uint32_t i = 0; i < c->friends.count; i++) ENTITY(c->friends.items[i]);
    visit_knot(v, &c->knot);
    visit_seal(v, &c->stamp);
}

static void visit_heat(visitor *v, void *value)
{
    NUMBER(((fuzz_heat *)value)->degrees);
}

static void visit_pilot(visitor *v, void *value)
{
    NUMBER(((fuzz_pilot *)value)->rank);
}

static void visit_fever(visitor *v, void *value)
{
    fuzz_fever *c = (fuzz_fever *)value;
    NUMBER(c->left);
    ENTITY(c->from);
}

static void visit_brand(visitor *v, void *value)
{
    fuzz_brand *c = (fuzz_brand *)value;
    visit_bond(v, &c->bond);
    TEXT(c->letters);
    COUNT(c->owners.count, 2);
    for (uint32_t i = 0; i < c->owners.count; i++) ENTITY(c->owners.items[i]);
}

static void visit_ghost(visitor *v, void *value)
{
    NUMBER(((fuzz_ghost *)value)->v);
}

#define WITH_VALUE(name) #name, offsetof(values, name), sizeof(fuzz_##name), true, visit_##name
#define UNSAVED(name) #name, offsetof(values, name), sizeof(fuzz_##name), false, visit_##name
#define TAG(name) #name, 0, 0, true, NULL
#define UNSAVED_TAG(name) #name, 0, 0, false, NULL
#define BIT(c) ((set)1 << (c))

const value_info components[COMPONENTS] = {
    [PLACE] = {WITH_VALUE(place), 0, 0},
    [SCALARS] = {WITH_VALUE(scalars), 0, 0},
    [GRIP] = {WITH_VALUE(grip), BIT(PLACE), 0},
    [LABEL] = {WITH_VALUE(label), 0, 0},
    [SPECK] = {WITH_VALUE(speck), 0, BIT(ANGRY)},
    [BULK] = {UNSAVED(bulk), 0, 0},
    [ROOTED] = {WITH_VALUE(rooted), 0, BIT(MOTION)},
    [MOTION] = {WITH_VALUE(motion), BIT(PLACE), 0},
    [POUCH] = {WITH_VALUE(pouch), BIT(MOTION), 0},
    [HEAT] = {WITH_VALUE(heat), 0, 0},
    [PILOT] = {WITH_VALUE(pilot), BIT(KEEN) | BIT(POUCH), 0},
    [FEVER] = {WITH_VALUE(fever), 0, 0},
    [BRAND] = {WITH_VALUE(brand), 0, 0},
    [GHOST] = {UNSAVED(ghost), 0, 0},
    [MARKED] = {TAG(marked), 0, 0},
    [HIDDEN] = {UNSAVED_TAG(hidden), 0, 0},
    [AWAKE] = {TAG(awake), BIT(SCALARS), 0},
    [KEEN] = {TAG(keen), BIT(AWAKE), BIT(STUCK)},
    [STUCK] = {TAG(stuck), 0, BIT(MOTION)},
    [ANGRY] = {TAG(angry), 0, 0},
    [HOT] = {TAG(hot), 0, BIT(COLD)},
    [COLD] = {TAG(cold), 0, 0},
    [TAMED] = {TAG(tamed), BIT(GRIP), 0},
};

#define USUAL_BOND                                                                                 \
    {                                                                                              \
        .weight = 3                                                                                \
    }
#define USUAL_KNOT                                                                                 \
    {                                                                                              \
        .bonds = { USUAL_BOND, USUAL_BOND }                                                        \
    }

const values component_defaults = {
    .place = {.x = 1.5f},
    .scalars = {true, 200, -7, 65535, INT16_MIN, 4000000000u, INT32_MIN, UINT64_MAX, INT64_MIN,
                -0.0f, 1e300, FUZZ_MOOD_ANGRY, FUZZ_CODE_TWO, 5},
    .grip = {.bond = USUAL_BOND, .knots = {USUAL_KNOT, USUAL_KNOT}},
    .label = {.text = "new",
              .moods = {2, {FUZZ_MOOD_GLAD, FUZZ_MOOD_ASLEEP}},
              .codes = {FUZZ_CODE_ONE},
              .by_mood = {[FUZZ_MOOD_ANGRY] = -4}},
    .motion = {.dz = 0.25f},
    .pouch = {.items = {2, {7, 8}}, .note = "bag", .spots = {{2.0f, 0.0f}}, .knot = USUAL_KNOT},
    .heat = {20.0f},
    .pilot = {1},
    .fever = {.left = 2.0f},
    .brand = {.bond = USUAL_BOND, .letters = "x"},
    .ghost = {7},
};

static const fuzz_place motions_place = {.x = -3.0f};
static const fuzz_place pilots_place = {.x = 1.5f, .y = 7.0f};
static const fuzz_motion pouches_motion = {.dx = 2.0f, .dz = 5.0f};
static const fuzz_scalars awakes_scalars = {
    true,       5,         -7,   65535, INT16_MIN,      4000000000u,   INT32_MIN,
    UINT64_MAX, INT64_MIN, 2.0f, 1e300, FUZZ_MOOD_CALM, FUZZ_CODE_TWO, 5};

const void *required_value(component by, component c)
{
    static const struct {
        component by;
        component given;
        const void *value;
    } given[] = {{MOTION, PLACE, &motions_place},  {POUCH, PLACE, &motions_place},
                 {PILOT, PLACE, &pilots_place},    {POUCH, MOTION, &pouches_motion},
                 {PILOT, MOTION, &pouches_motion}, {AWAKE, SCALARS, &awakes_scalars},
                 {KEEN, SCALARS, &awakes_scalars}, {PILOT, SCALARS, &awakes_scalars}};
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        if (given[i].by == by && given[i].given == c) return given[i].value;
    }
    return const_value_of(&component_defaults, c);
}

// ---- singletons

static void visit_weather(visitor *v, void *value)
{
    fuzz_weather *s = (fuzz_weather *)value;
    visit_point(v, &s->wind);
    ENTITY(s->seen);
    COUNT(s->log.count, 3);
    for (uint32_t i = 0; i < s->log.count; i++) visit_bond(v, &s->log.items[i]);
    TEXT(s->name);
    NUMBER(s->level);
    UNSAVED_NUMBER(s->noise, 0);
}

static void visit_tally(visitor *v, void *value)
{
    fuzz_tally *s = (fuzz_tally *)value;
    NUMBER(s->sum);
    ENTITY(s->last);
}

const value_info singletons[SINGLETONS] = {
    [WEATHER] = {"weather", offsetof(singleton_values, weather), sizeof(fuzz_weather), true,
                 visit_weather, 0, 0},
    [TALLY] = {"tally", offsetof(singleton_values, tally), sizeof(fuzz_tally), false, visit_tally,
               0, 0},
};

const singleton_values singleton_defaults = {
    .weather = {.wind = {0.0f, -1.0f}, .name = "mild", .level = -4},
};

// ---- prefabs

#define MEMBER(prefab, c, name)                                                                    \
    {                                                                                              \
        c, offsetof(fuzz_##prefab, name)                                                           \
    }

const prefab_info prefabs[PREFABS] = {
    [ROCK] =
        {"rock", sizeof(fuzz_rock), 2, {MEMBER(rock, PLACE, place), MEMBER(rock, SPECK, speck)}, 0},
    [WALKER] = {"walker",
                sizeof(fuzz_walker),
                3,
                {MEMBER(walker, MOTION, motion), MEMBER(walker, PLACE, place),
                 MEMBER(walker, SCALARS, scalars)},
                BIT(AWAKE) | BIT(MARKED)},
    [ACE] = {"ace", sizeof(fuzz_ace), 1, {MEMBER(ace, PILOT, pilot)}, 0},
    [PATIENT] = {"patient",
                 sizeof(fuzz_patient),
                 4,
                 {MEMBER(patient, FEVER, fever), MEMBER(patient, PLACE, place),
                  MEMBER(patient, LABEL, label), MEMBER(patient, GHOST, ghost)},
                 BIT(HIDDEN)},
    [PUPPET] = {"puppet",
                sizeof(fuzz_puppet),
                3,
                {MEMBER(puppet, GRIP, grip), MEMBER(puppet, BRAND, brand),
                 MEMBER(puppet, HEAT, heat)},
                BIT(TAMED)},
    [WRAITH] = {"wraith", sizeof(fuzz_wraith), 1, {MEMBER(wraith, GHOST, ghost)}, 0},
    [BOULDER] = {"boulder",
                 sizeof(fuzz_boulder),
                 2,
                 {MEMBER(boulder, BULK, bulk), MEMBER(boulder, ROOTED, rooted)},
                 0},
};

static void prefab_given(prefab p, values *given)
{
    switch (p) {
    case ROCK:
        given->place.x = -2.0f;
        given->speck.v = 9;
        break;
    case WALKER:
        given->motion.dx = 1.0f;
        given->scalars.small = 7;
        given->scalars.mood = FUZZ_MOOD_CALM;
        break;
    case ACE:
        given->pilot.rank = -3;
        break;
    case PATIENT:
        given->fever.left = 9.5f;
        memcpy(given->label.text, "sick", 5);
        given->label.moods.count = 0;
        break;
    case PUPPET:
        given->grip.bond.weight = -5;
        memcpy(given->brand.letters, "ab", 3);
        break;
    case WRAITH:
        given->ghost.v = 1;
        break;
    case BOULDER:
        given->rooted.depth = 300;
        break;
    case PREFABS:
        break;
    }
}

void prefab_defaults(prefab p, any_value *value)
{
    values given = component_defaults;
    prefab_given(p, &given);
    for (uint32_t i = 0; i < prefabs[p].member_count; i++) {
        const prefab_member *m = &prefabs[p].members[i];
        memcpy(value->bytes + m->offset, value_of(&given, m->component),
               components[m->component].bytes);
    }
}

void prefab_visit(prefab p, visitor *v, void *value)
{
    for (uint32_t i = 0; i < prefabs[p].member_count; i++) {
        const prefab_member *m = &prefabs[p].members[i];
        components[m->component].visit(v, (unsigned char *)value + m->offset);
    }
}

// ---- words

typedef struct flattener {
    visitor base;
    uint64_t *words;
    uint32_t count;
} flattener;

static void flatten_text(flattener *f, const char *text, uint32_t capacity)
{
    uint32_t length = 0;
    while (length < capacity && text[length] != '\0') length++;
    f->words[f->count++] = length;
    for (uint32_t i = 0; i < length; i += 8) {
        uint64_t word = 0;
        for (uint32_t k = i; k < length && k < i + 8; k++) {
            word |= (uint64_t)(unsigned char)text[k] << 8 * (k - i);
        }
        f->words[f->count++] = word;
    }
}

static void flatten(visitor *v, leaf l)
{
    flattener *f = (flattener *)(void *)v;
    if (l.kind == LEAF_TEXT) {
        flatten_text(f, (const char *)l.at, l.limit);
    } else {
        f->words[f->count++] = leaf_bits(l);
    }
}

uint32_t value_words(const value_info *info, const void *value, bool only_saved, uint64_t *words)
{
    any_value copy;
    flattener f = {{.see = flatten, .only_saved = only_saved}, words, 0};
    memcpy(copy.bytes, value, info->bytes);
    info->visit(&f.base, copy.bytes);
    return f.count;
}

static void see_nothing(visitor *v, leaf l)
{
    (void)v;
    (void)l;
}

void value_load(const value_info *info, const void *defaults, void *value)
{
    visitor v = {.see = see_nothing, .loads = true};
    if (!info->save) memcpy(value, defaults, info->bytes);
    if (info->save) info->visit(&v, value);
}

bool values_equal(const value_info *info, const void *a, const void *b)
{
    uint64_t words_a[WORDS_MAX];
    uint64_t words_b[WORDS_MAX];
    if (memcmp(a, b, info->bytes) == 0) return true;
    uint32_t count = value_words(info, a, false, words_a);
    return value_words(info, b, false, words_b) == count &&
           memcmp(words_a, words_b, count * sizeof *words_a) == 0;
}

// ---- the event

static void visit_rumor(visitor *v, void *value)
{
    fuzz_rumor *s = (fuzz_rumor *)value;
    NUMBER(s->number);
    ENTITY(s->about);
    UNSAVED_NUMBER(s->secret, 0);
    COUNT(s->bonds.count, 2);
    for (uint32_t i = 0; i < s->bonds.count; i++) visit_bond(v, &s->bonds.items[i]);
}

const value_info rumor_info = {"rumor", 0, sizeof(fuzz_rumor), true, visit_rumor, 0, 0};
