// One table of fields in an older save and in the current schema, with the bytes of both. See
// test_convert.c.
#ifndef CONVERSION_CASES_H
#define CONVERSION_CASES_H

#include "save/match.h"
#include "value/fields.h"

enum { FIELDS = 4, VALUE_BYTES = 64, ROWS = 7, BAD_ROW = 4 };

// A component as one of the schemas has it.
typedef struct side {
    weft_field fields[FIELDS];
    uint8_t index_bits; // 0: 8, and as many of the generation
    uint8_t generation_bits;
    uint32_t size; // 0: up to the end of the last field
    const char *defaults;
} side;

// Bytes are written as pairs of digits in the order of a save; missing ones are zeros.
typedef struct conversion_case {
    const char *name;
    side was;
    side is;
    const char *from;  // NULL: the fields are refused, before any value is looked at
    const char *to;    // NULL: the value is refused
    const char *words; // of the refusal, after the name of the value
    const char *field; // that it is about; NULL: x
} conversion_case;

#define UNSAVED(n, t, bytes, at)                                                                   \
    .name = (n), .type = WEFT_TYPE_##t, .offset = (at), .size = (bytes), .element_size = (bytes),  \
    .count = 1
#define ONE(n, t, bytes, at) .save = true, UNSAVED(n, t, bytes, at)
#define ARRAY(n, t, bytes, of_them, at)                                                            \
    .name = (n), .type = WEFT_TYPE_##t, .shape = WEFT_SHAPE_ARRAY, .save = true, .offset = (at),   \
    .size = (bytes) * (of_them), .element_size = (bytes), .count = (of_them)
#define LIST(n, t, bytes, most, items, all, at)                                                    \
    .name = (n), .type = WEFT_TYPE_##t, .shape = WEFT_SHAPE_LIST, .save = true, .offset = (at),    \
    .size = (all), .element_size = (bytes), .items_offset = (items), .count = (most)
#define TEXT(n, bytes, at)                                                                         \
    .name = (n), .type = WEFT_TYPE_CHAR, .shape = WEFT_SHAPE_STRING, .save = true, .offset = (at), \
    .size = (bytes), .element_size = 1, .count = (bytes)

// ---- the types of fields, in the save and in the world

enum { MOOD, CODE, SAME_ENUM };
enum { PAIR, HOLED, DEEP, HEAVY, SHRUNK, NARROW, UNLIKE };

static const char *const mood_was[] = {"calm", "glad", "gone", "old"};
static const char *const mood_is[] = {"glad", "calm", "new"};
static const char *const mood_names_before[] = {"", "", "old"};
static const char *const same_values[] = {"zero", "one"};

static const weft_enum_info enums_was[] = {
    {.name = "mood", .type = WEFT_TYPE_U8, .count = 4, .values = mood_was},
    {.name = "code", .type = WEFT_TYPE_U8, .count = 2, .values = same_values},
    {.name = "same", .type = WEFT_TYPE_U8, .count = 2, .values = same_values},
};
static const weft_enum_info enums_is[] = {
    {.name = "mood", .type = WEFT_TYPE_U8, .count = 3, .values = mood_is, .was = mood_names_before},
    {.name = "code", .type = WEFT_TYPE_U32, .count = 2, .values = same_values},
    {.name = "same", .type = WEFT_TYPE_U8, .count = 2, .values = same_values},
};

static const weft_field pair_was[] = {
    {ONE("a", U8, 1, 0)}, {ONE("gone", U8, 1, 1)}, {ONE("b", I16, 2, 2)}};
static const weft_field pair_is[] = {
    {ONE("b", I32, 4, 0)}, {ONE("a", U8, 1, 4)}, {ONE("new", U8, 1, 5)}};
static const weft_field holed[] = {{ONE("kind", U8, 1, 0)}, {ONE("at", U32, 4, 4)}};
static const weft_field deep[] = {{ONE("holed", STRUCT, 8, 0), .of = HOLED}, {TEXT("text", 4, 8)}};
static const weft_field heavy_was[] = {{ONE("to", ENTITY, 2, 0)}};
static const weft_field heavy_is[] = {{ONE("to", ENTITY, 2, 0)}, {ONE("n", U8, 1, 2), .was = "m"}};

static const weft_field shrunk[] = {{ONE("n", U16, 2, 0)}};
static const weft_field narrow[] = {{ONE("b", I8, 1, 0)}};
static const weft_field unlike[] = {{ARRAY("kind", U8, 1, 4, 0)}};

static const unsigned char pair_defaults[8] = {0, 0, 0, 0, 0, 9};
static const unsigned char no_defaults[VALUE_BYTES];

static const weft_struct_info structs_was[] = {
    {.name = "pair", .size = 4, .field_count = 3, .fields = pair_was},
    {.name = "holed", .size = 8, .field_count = 2, .fields = holed},
    {.name = "deep", .size = 12, .field_count = 2, .fields = deep},
    {.name = "heavy", .size = 2, .field_count = 1, .fields = heavy_was},
    {.name = "shrunk", .size = 4, .field_count = 1, .fields = shrunk},
};
static const weft_struct_info structs_is[] = {
    {.name = "pair", .size = 8, .field_count = 3, .fields = pair_is, .defaults = pair_defaults},
    {.name = "holed", .size = 8, .field_count = 2, .fields = holed, .defaults = no_defaults},
    {.name = "deep", .size = 12, .field_count = 2, .fields = deep, .defaults = no_defaults},
    {.name = "heavy", .size = 4, .field_count = 2, .fields = heavy_is, .defaults = no_defaults},
    {.name = "shrunk", .size = 2, .field_count = 1, .fields = shrunk, .defaults = no_defaults},
    {.name = "narrow", .size = 1, .field_count = 1, .fields = narrow, .defaults = no_defaults},
    {.name = "unlike", .size = 4, .field_count = 1, .fields = unlike, .defaults = no_defaults},
};

// A type of the game's own: its fields are in no order, and leave out bytes.
static const weft_field slab[] = {
    {ONE("width", U16, 2, 8)}, {ONE("kind", U8, 1, 2)}, {ONE("height", U16, 2, 0)}};
static const weft_struct_info externs[] = {
    {.name = "slab", .size = 12, .field_count = 3, .fields = slab, .defaults = no_defaults},
};

// ---- the table

#define BITS(index, generation) .index_bits = (index), .generation_bits = (generation)
#define BECOMES(bytes, bytes_now) .from = (bytes), .to = (bytes_now)
#define REFUSED(bytes, ...) .from = (bytes), .words = __VA_ARGS__
#define CANNOT(was, is) " holds a number of type " was " that " is " cannot hold"
#define UNPAIRED(was, is) .words = " was " was " in the save and is " is " now, and values cannot"
#define NUMBER(was_type, was_bytes, is_type, is_bytes)                                             \
    .was = {.fields = {{ONE("x", was_type, was_bytes, 0)}}},                                       \
    .is = {.fields = {{ONE("x", is_type, is_bytes, 0)}}}
#define BOTH(...) .was = {.fields = {{__VA_ARGS__}}}, .is = {.fields = {{__VA_ARGS__}}}
#define FROM_TO(was_field, is_field)                                                               \
    .was = {.fields = {{was_field}}}, .is = {.fields = {{is_field}}}

#define BY_MOOD(was_type, was_bytes, is_type, is_bytes)                                            \
    .was = {.fields = {{ARRAY("x", was_type, was_bytes, 4, 0), .by = 1 + MOOD}}},                  \
    .is = {.fields = {{ARRAY("x", is_type, is_bytes, 3, 0), .by = 1 + MOOD}}}

// A row of the table is few lines.
// clang-format off
static const conversion_case cases[] = {
    // numbers
    {"a number stays", NUMBER(U32, 4, U32, 4), BECOMES("01020304", "01020304")},
    {"a whole number widens", NUMBER(U8, 1, U32, 4), BECOMES("ff", "ff000000")},
    {"a negative one does", NUMBER(I8, 1, I64, 8), BECOMES("fe", "feffffffffffffff")},
    {"it narrows where it fits", NUMBER(U32, 4, U8, 1), BECOMES("ff000000", "ff")},
    {"and not where it does not", NUMBER(U32, 4, U8, 1), REFUSED("00010000", CANNOT("u32", "u8"))},
    {"a negative one is no unsigned", NUMBER(I16, 2, U32, 4),
     REFUSED("ffff", CANNOT("i16", "u32"))},
    {"a large unsigned is no signed", NUMBER(U64, 8, I64, 8),
     REFUSED("0000000000000080", CANNOT("u64", "i64"))},
    {"the least of a type fits", NUMBER(I32, 4, I8, 1), BECOMES("80ffffff", "80")},
    {"one below does not", NUMBER(I32, 4, I8, 1), REFUSED("7fffffff", CANNOT("i32", "i8"))},
    {"a bool is a number", NUMBER(BOOL, 1, I16, 2), BECOMES("01", "0100")},
    {"1 is a bool", NUMBER(U16, 2, BOOL, 1), BECOMES("0100", "01")},
    {"2 is none", NUMBER(U16, 2, BOOL, 1), REFUSED("0200", CANNOT("u16", "bool"))},
    {"a bool is checked", NUMBER(BOOL, 1, BOOL, 1), BECOMES("01", "01")},
    {"and may be no other", NUMBER(BOOL, 1, BOOL, 1),
     REFUSED("02", " contains an invalid bool")},
    {"also where it becomes a number", NUMBER(BOOL, 1, U64, 8),
     REFUSED("80", " contains an invalid bool")},
    // floats
    {"a whole number becomes a float", NUMBER(I32, 4, F32, 4), BECOMES("feffffff", "000000c0")},
    {"if nothing of it is lost", NUMBER(U32, 4, F32, 4), REFUSED("01000001", CANNOT("u32", "f32"))},
    {"a long one becomes a double", NUMBER(U64, 8, F64, 8),
     BECOMES("0000000000000080", "000000000000e043")},
    {"if it has few digits", NUMBER(U64, 8, F64, 8),
     REFUSED("ffffffffffffffff", CANNOT("u64", "f64"))},
    {"so does a signed one", NUMBER(I64, 8, F64, 8),
     REFUSED("ffffffffffffff7f", CANNOT("i64", "f64"))},
    {"a float becomes a double", NUMBER(F32, 4, F64, 8), BECOMES("0000c03f", "000000000000f83f")},
    {"a double is rounded", NUMBER(F64, 8, F32, 4), BECOMES("9a9999999999b93f", "cdcccc3d")},
    {"but not to infinity", NUMBER(F64, 8, F32, 4),
     REFUSED("000000f0ffffef47", CANNOT("f64", "f32"))},
    {"nor to the other one", NUMBER(F64, 8, F32, 4),
     REFUSED("000000f0ffffefc7", CANNOT("f64", "f32"))},
    {"infinity stays", NUMBER(F64, 8, F32, 4), BECOMES("000000000000f0ff", "000080ff")},
    {"what is no number stays none", NUMBER(F64, 8, F32, 4),
     BECOMES("000000000000f87f", "0000c07f")},
    {"a whole float becomes an integer", NUMBER(F32, 4, U8, 1), BECOMES("00007f43", "ff")},
    {"a fraction does not", NUMBER(F32, 4, U8, 1), REFUSED("0000003f", CANNOT("f32", "u8"))},
    {"nor one that is too large", NUMBER(F32, 4, U8, 1), REFUSED("00008043", CANNOT("f32", "u8"))},
    {"a float becomes a bool", NUMBER(F64, 8, BOOL, 1), BECOMES("000000000000f03f", "01")},
    {"if it is one", NUMBER(F64, 8, BOOL, 1), REFUSED("0000000000000040", CANNOT("f64", "bool"))},
    // enums: by the names of their values
    {"a value moves", BOTH(ONE("x", ENUM, 1, 0), .of = MOOD), BECOMES("01", "00")},
    {"a value has another name", BOTH(ONE("x", ENUM, 1, 0), .of = MOOD), BECOMES("03", "02")},
    {"a value is gone", BOTH(ONE("x", ENUM, 1, 0), .of = MOOD),
     REFUSED("02", " is 'gone', which enum 'mood' no longer contains")},
    {"a value never was one", BOTH(ONE("x", ENUM, 1, 0), .of = MOOD),
     REFUSED("04", " contains an invalid mood")},
    {"an enum gets another type", .was = {.fields = {{ONE("x", ENUM, 1, 0), .of = CODE}}},
     .is = {.fields = {{ONE("x", ENUM, 4, 0), .of = CODE}}}, BECOMES("01", "01000000")},
    {"an enum becomes another", .was = {.fields = {{ONE("x", ENUM, 1, 0), .of = SAME_ENUM}}},
     .is = {.fields = {{ONE("x", ENUM, 4, 0), .of = CODE}}}, BECOMES("01", "01000000")},
    {"an enum stays, and is checked", BOTH(ONE("x", ENUM, 1, 0), .of = SAME_ENUM),
     BECOMES("01", "01")},
    {"and may have no other value", BOTH(ONE("x", ENUM, 1, 0), .of = SAME_ENUM),
     REFUSED("02", " contains an invalid same")},
    // handles
    {"a handle stays", BOTH(ONE("x", ENTITY, 2, 0)), BECOMES("0503", "0503")},
    {"it widens", .was = {.fields = {{ONE("x", ENTITY, 2, 0)}}},
     .is = {.fields = {{ONE("x", ENTITY, 4, 0)}}, BITS(16, 16)}, BECOMES("0503", "05000300")},
    {"it narrows", .was = {.fields = {{ONE("x", ENTITY, 4, 0)}}, BITS(16, 16)},
     .is = {.fields = {{ONE("x", ENTITY, 2, 0)}}}, BECOMES("05000300", "0503")},
    {"a dead one may have no space for its index",
     .was = {.fields = {{ONE("x", ENTITY, 4, 0)}}, BITS(16, 16)},
     .is = {.fields = {{ONE("x", ENTITY, 2, 0)}}}, BECOMES("00010300", "0000")},
    {"nor for its generation", .was = {.fields = {{ONE("x", ENTITY, 4, 0)}}, BITS(16, 16)},
     .is = {.fields = {{ONE("x", ENTITY, 2, 0)}}}, BECOMES("05000001", "0000")},
    {"bits that no handle has make none", .was = {.fields = {{ONE("x", ENTITY, 2, 0)}}, BITS(8, 4)},
     .is = {.fields = {{ONE("x", ENTITY, 4, 0)}}, BITS(16, 16)}, BECOMES("0513", "00000000")},
    {"bits move between both parts", .was = {.fields = {{ONE("x", ENTITY, 2, 0)}}, BITS(4, 12)},
     .is = {.fields = {{ONE("x", ENTITY, 2, 0)}}, BITS(8, 8)}, BECOMES("3500", "0503")},
    {"its generation alone widens", .was = {.fields = {{ONE("x", ENTITY, 2, 0)}}, BITS(8, 4)},
     .is = {.fields = {{ONE("x", ENTITY, 2, 0)}}}, BECOMES("0503", "0503")},
    // arrays
    {"an array stays", BOTH(ARRAY("x", U16, 2, 3, 0)), BECOMES("010002000300", "010002000300")},
    {"it shrinks", FROM_TO(ARRAY("x", U8, 1, 4, 0), ARRAY("x", U8, 1, 2, 0)),
     BECOMES("01020304", "0102")},
    {"it grows, by what the default has", .was = {.fields = {{ARRAY("x", U8, 1, 2, 0)}}},
     .is = {.fields = {{ARRAY("x", U8, 1, 4, 0)}}, .defaults = "0a0b0c0d"},
     BECOMES("0102", "01020c0d")},
    {"its elements widen", .was = {.fields = {{ARRAY("x", I8, 1, 2, 0)}}},
     .is = {.fields = {{ARRAY("x", I16, 2, 3, 0)}}, .defaults = "000000000909"},
     BECOMES("ff02", "ffff02000909")},
    {"each is looked at", FROM_TO(ARRAY("x", U16, 2, 2, 0), ARRAY("x", U8, 1, 2, 0)),
     REFUSED("01000001", CANNOT("u16", "u8"))},
    {"but those that are dropped", FROM_TO(ARRAY("x", U16, 2, 2, 0), ARRAY("x", U8, 1, 1, 0)),
     BECOMES("01000001", "01")},
    // arrays by an enum: by the names of its values
    {"elements go where their values are", BY_MOOD(U8, 1, U8, 1), BECOMES("01020304", "020104")},
    {"they widen", BY_MOOD(I8, 1, I16, 2), BECOMES("ff020304", "0200ffff0400")},
    {"each is looked at", BY_MOOD(U16, 2, U8, 1),
     REFUSED("0100020003000001", CANNOT("u16", "u8"))},
    {"but that of a value that is gone", BY_MOOD(U16, 2, U8, 1),
     BECOMES("0100020000010400", "020104")},
    {"a value that was none has the default",
     .was = {.fields = {{ARRAY("x", U8, 1, 2, 0), .by = 1 + SAME_ENUM}}},
     .is = {.fields = {{ARRAY("x", U8, 1, 3, 0), .by = 1 + MOOD}}, .defaults = "0a0b0c"},
     BECOMES("0102", "0a0b0c")},
    {"equal values leave all where they are", BOTH(ARRAY("x", U8, 1, 2, 0), .by = 1 + SAME_ENUM),
     BECOMES("0102", "0102")},
    {"without an enum they go by place",
     .was = {.fields = {{ARRAY("x", U8, 1, 4, 0), .by = 1 + MOOD}}},
     .is = {.fields = {{ARRAY("x", U8, 1, 3, 0)}}}, BECOMES("01020304", "010203")},
    // strings
    {"a string stays, and ends with zeros", BOTH(TEXT("x", 8, 0)),
     BECOMES("616200ffffffffff", "6162000000000000")},
    {"it fills its space", BOTH(TEXT("x", 4, 0)), BECOMES("61626300", "61626300")},
    {"it never has all of it", BOTH(TEXT("x", 4, 0)),
     REFUSED("61626364", " contains an invalid char")},
    {"it gets more space", .was = {.fields = {{TEXT("x", 4, 0)}}},
     .is = {.fields = {{TEXT("x", 8, 0)}}, .defaults = "7a7a7a7a7a7a7a00"},
     BECOMES("616200ff", "6162000000000000")},
    {"it gets less", FROM_TO(TEXT("x", 8, 0), TEXT("x", 4, 0)), BECOMES("61626300ff", "616263")},
    {"and is never cut", FROM_TO(TEXT("x", 8, 0), TEXT("x", 4, 0)),
     REFUSED("61626364", " has 4 bytes, and there is room for 3 now")},
    // lists
    {"a list stays, and zeros are behind it", BOTH(LIST("x", U8, 1, 3, 4, 8, 0)),
     BECOMES("01000000aabbccdd", "01000000aa")},
    {"it is full", BOTH(LIST("x", U8, 1, 3, 4, 8, 0)),
     BECOMES("03000000aabbccdd", "03000000aabbcc")},
    {"it never has more", BOTH(LIST("x", U8, 1, 3, 4, 8, 0)),
     REFUSED("04000000aabbccdd", " contains an invalid u8")},
    {"there may be bytes before its items", BOTH(LIST("x", U16, 2, 2, 8, 12, 0)),
     BECOMES("01000000eeeeeeeeaabbccdd", "0100000000000000aabb")},
    {"it grows, and nothing of the default is left",
     .was = {.fields = {{LIST("x", U8, 1, 2, 4, 8, 0)}}},
     .is = {.fields = {{LIST("x", U8, 1, 4, 4, 8, 0)}}, .defaults = "0400000007070707"},
     BECOMES("01000000aabb", "01000000aa")},
    {"it shrinks", FROM_TO(LIST("x", U8, 1, 4, 4, 8, 0), LIST("x", U8, 1, 2, 4, 8, 0)),
     BECOMES("02000000aabbcc", "02000000aabb")},
    {"and is never cut", FROM_TO(LIST("x", U8, 1, 4, 4, 8, 0), LIST("x", U8, 1, 2, 4, 8, 0)),
     REFUSED("03000000aabbcc", " has 3 items, and there is room for 2 now")},
    {"its items widen", FROM_TO(LIST("x", U8, 1, 2, 4, 8, 0), LIST("x", U16, 2, 2, 4, 8, 0)),
     BECOMES("01000000aabb", "01000000aa")},
    {"each is looked at", FROM_TO(LIST("x", U16, 2, 2, 4, 8, 0), LIST("x", U8, 1, 2, 4, 8, 0)),
     REFUSED("0200000001000001", CANNOT("u16", "u8"))},
    {"but those behind its count",
     FROM_TO(LIST("x", U16, 2, 2, 4, 8, 0), LIST("x", U8, 1, 2, 4, 8, 0)),
     BECOMES("0100000001000001", "0100000001")},
    {"its items stay, and are checked", BOTH(LIST("x", BOOL, 1, 4, 4, 8, 0)),
     BECOMES("0200000001010909", "020000000101")},
    {"and may be nothing else", BOTH(LIST("x", BOOL, 1, 4, 4, 8, 0)),
     REFUSED("0200000001020000", " contains an invalid bool")},
    {"they come closer to its count",
     FROM_TO(LIST("x", U8, 1, 4, 8, 12, 0), LIST("x", U8, 1, 4, 4, 8, 0)),
     BECOMES("02000000eeeeeeee0102ffff", "020000000102")},
    // structs: by the names of their fields
    {"a struct is converted", .was = {.fields = {{ONE("x", STRUCT, 4, 0), .of = PAIR}}},
     .is = {.fields = {{ONE("x", STRUCT, 8, 0), .of = PAIR}}, .defaults = "000000000008"},
     BECOMES("0107feff", "feffffff01080000")},
    {"and what is in it looked at", .was = {.fields = {{ONE("x", STRUCT, 4, 0), .of = PAIR}}},
     .is = {.fields = {{ONE("x", STRUCT, 1, 0), .of = NARROW}}},
     REFUSED("01070001", CANNOT("i16", "i8"), .field = "b")},
    {"so are structs of an array", .was = {.fields = {{ARRAY("x", STRUCT, 4, 2, 0), .of = PAIR}}},
     .is = {.fields = {{ARRAY("x", STRUCT, 8, 2, 0), .of = PAIR}}},
     BECOMES("0107feff020a0300", "feffffff010000000300000002000000")},
    {"and of a list, which begin as the struct does",
     .was = {.fields = {{LIST("x", STRUCT, 4, 2, 4, 12, 0), .of = PAIR}}},
     .is = {.fields = {{LIST("x", STRUCT, 8, 2, 4, 20, 0), .of = PAIR}},
            .defaults = "02000000ffff"},
     BECOMES("010000000107feff", "01000000feffffff01090000")},
    {"a struct with a hole stays, and the hole is zeros", BOTH(ONE("x", STRUCT, 8, 0), .of = HOLED),
     BECOMES("01ffffff02030405", "0100000002030405")},
    {"so do those of an array", BOTH(ARRAY("x", STRUCT, 8, 2, 0), .of = HOLED),
     BECOMES("01ffffff0203040506ffffff0708090a", "0100000002030405060000000708090a")},
    {"and of a list", BOTH(LIST("x", STRUCT, 8, 2, 4, 20, 0), .of = HOLED),
     BECOMES("0100000001ffffff02030405ffffffffffffffff", "010000000100000002030405")},
    {"and those in structs", BOTH(ONE("x", STRUCT, 12, 0), .of = DEEP),
     BECOMES("01ffffff02030405610062ff", "010000000203040561000000")},
    {"a struct loses the bytes behind its fields",
     .was = {.fields = {{ARRAY("x", STRUCT, 4, 2, 0), .of = SHRUNK}}},
     .is = {.fields = {{ARRAY("x", STRUCT, 2, 2, 0), .of = SHRUNK}}},
     BECOMES("0100eeee0200eeee", "01000200")},
    {"a struct gets a hole", .was = {.fields = {{ONE("x", STRUCT, 2, 0), .of = HEAVY}}},
     .is = {.fields = {{ONE("x", STRUCT, 4, 0), .of = HEAVY}}}, BECOMES("0503", "05030000")},
    {"an extern stays, and what is in no field is zeros", BOTH(ONE("x", EXTERN, 12, 0), .of = 0),
     BECOMES("0102030405060708090aeeee", "0102030000000000090a0000")},
    {"a struct becomes an extern", .was = {.fields = {{ONE("x", STRUCT, 8, 0), .of = HOLED}}},
     .is = {.fields = {{ONE("x", EXTERN, 12, 0), .of = 0}}}, BECOMES("01ffffff02030405", "000001")},
    // several fields, by their names
    {"fields change places", .was = {.fields = {{ONE("x", U8, 1, 0)}, {ONE("y", U8, 1, 1)}}},
     .is = {.fields = {{ONE("y", U8, 1, 0)}, {ONE("x", U8, 1, 1)}}}, BECOMES("0102", "0201")},
    {"one has another name", .was = {.fields = {{ONE("old", U8, 1, 0)}}},
     .is = {.fields = {{ONE("x", U8, 1, 0), .was = "old"}}}, BECOMES("01", "01")},
    {"one that has the name goes before",
     .was = {.fields = {{ONE("old", U8, 1, 0)}, {ONE("x", U8, 1, 1)}}},
     .is = {.fields = {{ONE("x", U8, 1, 0), .was = "old"}}}, BECOMES("0102", "02")},
    {"one is gone", .was = {.fields = {{ONE("x", U8, 1, 0)}, {ONE("gone", U32, 4, 4)}}},
     .is = {.fields = {{ONE("x", U8, 1, 0)}}}, BECOMES("01ffffff02030405", "01")},
    {"one is new", .was = {.fields = {{ONE("x", U8, 1, 0)}}},
     .is = {.fields = {{ONE("new", U32, 4, 0)}, {ONE("x", U8, 1, 4)}},
            .size = 8,
            .defaults = "09090909"},
     BECOMES("01", "0909090901000000")},
    {"one was not saved", .was = {.fields = {{ONE("x", U8, 1, 0)}, {UNSAVED("y", U8, 1, 1)}}},
     .is = {.fields = {{ONE("x", U8, 1, 0)}, {ONE("y", U8, 1, 1)}}, .defaults = "0809"},
     BECOMES("01ff", "0109")},
    {"one is not saved any more", .was = {.fields = {{ONE("x", U8, 1, 0)}, {ONE("y", U8, 1, 1)}}},
     .is = {.fields = {{ONE("x", U8, 1, 0)}, {UNSAVED("y", U8, 1, 1)}}, .defaults = "0809"},
     BECOMES("0102", "0109")},
    {"all stay, and holes are zeros",
     .was = {.fields = {{ONE("x", U8, 1, 1)}, {ONE("y", U32, 4, 4)}, {ONE("z", U16, 2, 8)}},
             .size = 12},
     .is = {.fields = {{ONE("x", U8, 1, 1)}, {ONE("y", U32, 4, 4)}, {ONE("z", U16, 2, 8)}},
            .size = 12},
     BECOMES("ee01eeee020304050607eeee", "000100000203040506070000")},
    {"the one that is wrong is named",
     .was = {.fields = {{ONE("y", U8, 1, 0)}, {ONE("x", U16, 2, 2)}}},
     .is = {.fields = {{ONE("y", U8, 1, 0)}, {ONE("x", U8, 1, 1)}}},
     REFUSED("01000102", CANNOT("u16", "u8"))},
    // what cannot be converted, whatever the values are
    {"an enum is no number", .was = {.fields = {{ONE("x", ENUM, 1, 0), .of = MOOD}}},
     .is = {.fields = {{ONE("x", U8, 1, 0)}}}, UNPAIRED("mood", "u8")},
    {"a handle is none", NUMBER(ENTITY, 2, U16, 2), UNPAIRED("entity", "u16")},
    {"a number is no struct", .was = {.fields = {{ONE("x", U32, 4, 0)}}},
     .is = {.fields = {{ONE("x", STRUCT, 8, 0), .of = PAIR}}}, UNPAIRED("u32", "pair")},
    {"nor is a struct a number", .was = {.fields = {{ONE("x", STRUCT, 4, 0), .of = PAIR}}},
     .is = {.fields = {{ONE("x", U32, 4, 0)}}}, UNPAIRED("pair", "u32")},
    {"an array is no list", FROM_TO(ARRAY("x", U8, 1, 4, 0), LIST("x", U8, 1, 3, 4, 8, 0)),
     UNPAIRED("u8[4]", "u8[..3]")},
    {"one is no array", FROM_TO(ONE("x", U8, 1, 0), ARRAY("x", U8, 1, 2, 0)),
     UNPAIRED("u8", "u8[2]")},
    {"a string is no array", FROM_TO(TEXT("x", 4, 0), ARRAY("x", U8, 1, 4, 0)),
     UNPAIRED("char[4]", "u8[4]")},
    {"a struct is not one with such a field",
     .was = {.fields = {{ONE("x", STRUCT, 8, 0), .of = HOLED}}},
     .is = {.fields = {{ONE("x", STRUCT, 4, 0), .of = UNLIKE}}}, UNPAIRED("u8", "u8[4]"),
     .field = "kind"},
};
// clang-format on

#endif
