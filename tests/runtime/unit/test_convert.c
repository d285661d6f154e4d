// Values of an older save become those of the present schema, or are refused: one table of fields
// as they were and as they are, with the bytes of both. The schemas are written by hand, as the
// generator and the reader of saves would.
//
// Each row of the table is tried with both sides as arrays of structs and as one array a field,
// among other rows, and in place where the bytes are what they were.
#include "plan/fields.h"
#include "plan/scalars.h"
#include "save/convert.h"
#include "save/match.h"
#include "save/saver.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { FIELDS = 4, VALUE_BYTES = 64, ROWS = 7, BAD_ROW = 4 };

// A component as one of the schemas has it.
typedef struct side {
    weft_field fields[FIELDS];
    uint8_t index_bits; // 0: 8, and as many of the generation
    uint8_t generation_bits;
    uint32_t size; // 0: up to the end of the last field
    const char *defaults;
} side;

// Bytes are written as pairs of digits, and are those of a save; what is left out is zeros.
typedef struct conversion_case {
    const char *name;
    side was;
    side is;
    const char *from;  // NULL: the fields are refused, before any value is looked at
    const char *to;    // NULL: the value is refused
    const char *words; // of the refusal, behind what it is about
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

// ---- what fields can be made of, in the save and in the world

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
#define UNPAIRED(was, is) .words = " was " was " in the save and is " is " now, which values cannot"
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
     REFUSED("02", " holds what a bool cannot be")},
    {"also where it becomes a number", NUMBER(BOOL, 1, U64, 8),
     REFUSED("80", " holds what a bool cannot be")},
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
     REFUSED("02", " is 'gone', which enum 'mood' does not have any more")},
    {"a value never was one", BOTH(ONE("x", ENUM, 1, 0), .of = MOOD),
     REFUSED("04", " holds what a mood cannot be")},
    {"an enum gets another type", .was = {.fields = {{ONE("x", ENUM, 1, 0), .of = CODE}}},
     .is = {.fields = {{ONE("x", ENUM, 4, 0), .of = CODE}}}, BECOMES("01", "01000000")},
    {"an enum becomes another", .was = {.fields = {{ONE("x", ENUM, 1, 0), .of = SAME_ENUM}}},
     .is = {.fields = {{ONE("x", ENUM, 4, 0), .of = CODE}}}, BECOMES("01", "01000000")},
    {"an enum stays, and is checked", BOTH(ONE("x", ENUM, 1, 0), .of = SAME_ENUM),
     BECOMES("01", "01")},
    {"and may have no other value", BOTH(ONE("x", ENUM, 1, 0), .of = SAME_ENUM),
     REFUSED("02", " holds what a same cannot be")},
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
     REFUSED("61626364", " holds what a char cannot be")},
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
     REFUSED("04000000aabbccdd", " holds what a u8 cannot be")},
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
     REFUSED("0200000001020000", " holds what a bool cannot be")},
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

// ---- one side of a case, with its component as it lies in memory

typedef struct schema_of {
    weft_component_info thing;
    weft_schema schema;
    unsigned char defaults[VALUE_BYTES];
} schema_of;

static void read_bytes(const char *digits, unsigned char bytes[VALUE_BYTES])
{
    memset(bytes, 0, VALUE_BYTES);
    for (uint32_t i = 0; digits && digits[2 * i] != '\0'; i++) {
        unsigned byte;
        assert_int_equal(sscanf(digits + (size_t)2 * i, "%2x", &byte), 1);
        bytes[i] = (unsigned char)byte;
    }
}

static void make_schema(schema_of *s, const side *from, bool world, bool soa)
{
    uint32_t count = 0;
    uint32_t size = from->size;
    for (; count < FIELDS && from->fields[count].name; count++) {
        uint32_t end = from->fields[count].offset + from->fields[count].size;
        if (end > size) size = end;
    }
    uint8_t index_bits = from->index_bits ? from->index_bits : 8;
    uint8_t generation_bits = from->index_bits ? from->generation_bits : 8;
    read_bytes(from->defaults, s->defaults);
    s->thing = (weft_component_info){.name = "thing",
                                     .size = size,
                                     .soa = soa,
                                     .save = true,
                                     .field_count = count,
                                     .fields = from->fields,
                                     .defaults = s->defaults};
    s->schema = (weft_schema){.index_bits = index_bits,
                              .generation_bits = generation_bits,
                              .handle_bytes = index_bits + generation_bits > 16 ? 4 : 2,
                              .enum_count = sizeof enums_is / sizeof *enums_is,
                              .struct_count = world ? 7 : 5,
                              .extern_count = 1,
                              .component_count = 1,
                              .enums = world ? enums_is : enums_was,
                              .structs = world ? structs_is : structs_was,
                              .externs = externs,
                              .components = &s->thing};
}

// Rows of the component, in one column or one for each field.
typedef struct rows {
    const weft_component_info *info;
    void *columns[FIELDS];
} rows;

// Each column ends where its memory does, so that nothing behind its last row can be read.
static void open_rows(rows *r, const weft_component_info *info)
{
    *r = (rows){.info = info};
    for (uint32_t i = 0; i < (info->soa ? info->field_count : 1); i++) {
        size_t bytes = (size_t)ROWS * (info->soa ? info->fields[i].size : info->size);
        r->columns[i] = malloc(bytes);
        assert_true(r->columns[i] || bytes == 0);
        if (bytes != 0) memset(r->columns[i], 0xEE, bytes);
    }
}

static void close_rows(rows *r)
{
    for (uint32_t i = 0; i < FIELDS; i++) free(r->columns[i]);
    *r = (rows){.info = NULL};
}

static void copy_row(rows *r, uint32_t row, unsigned char value[VALUE_BYTES], bool out)
{
    const weft_component_info *info = r->info;
    for (uint32_t i = 0; i < (info->soa ? info->field_count : 1); i++) {
        uint32_t size = info->soa ? info->fields[i].size : info->size;
        unsigned char *member = value + (info->soa ? info->fields[i].offset : 0);
        unsigned char *cell = (unsigned char *)r->columns[i] + (size_t)row * size;
        memcpy(out ? member : cell, out ? cell : member, size);
    }
}

static bool append(void *to, const void *bytes, size_t count)
{
    unsigned char **end = (unsigned char **)to;
    memcpy(*end, bytes, count);
    *end += count;
    return true;
}

// The bytes of a value as a save has them: other ones where numbers begin with their high bytes.
static void save_value(const schema_of *world, unsigned char value[VALUE_BYTES])
{
    unsigned char buffer[VALUE_BYTES * 8];
    unsigned char saved[VALUE_BYTES * 2];
    unsigned char *end = saved;
    const weft_plan plan = {.schema = &world->schema};
    const weft_world owner = {.plan = &plan};
    weft_saver saver = {.world = &owner, .buffer = buffer, .buffer_bytes = sizeof buffer};
    weft_sink sink = {.write = append, .to = &end, .piece_bytes = WEFT_PIECE_BYTES};
    weft_field fields[FIELDS]; // also of those that are not saved
    memcpy(fields, world->thing.fields, sizeof fields);
    for (uint32_t i = 0; i < FIELDS; i++) fields[i].save = true;
    weft_saved_values values = {
        .fields = fields,
        .field_count = world->thing.field_count,
        .size = world->thing.size,
        .count = 1,
        .rows = value,
    };
    weft_saver_values(&saver, &sink, &values);
    memcpy(value, saved, world->thing.size);
}

// ---- a case

typedef struct tried {
    const conversion_case *about;
    schema_of file;
    schema_of world;
    weft_heap heap;
    weft_scratch scratch;
    weft_matched matched;
    rows from;
    rows to;
} tried;

static void open_tried(tried *t, const conversion_case *about, bool was_soa, bool is_soa)
{
    *t = (tried){.about = about};
    make_schema(&t->file, &about->was, false, was_soa);
    make_schema(&t->world, &about->is, true, is_soa);
    assert_true(weft_heap_open(&t->heap, &(weft_memory){.user = NULL}));
    t->scratch = (weft_scratch){.heap = &t->heap};
    t->matched = (weft_matched){
        .schemas = {.file = &t->file.schema, .world = &t->world.schema, .scratch = &t->scratch}};
}

static void close_tried(tried *t)
{
    close_rows(&t->from);
    close_rows(&t->to);
    weft_scratch_free(&t->scratch);
    assert_int_equal(t->heap.bytes, 0);
}

static void expect_words(const tried *t)
{
    char words[WEFT_REFUSAL_BYTES];
    const char *field = t->about->field ? t->about->field : "x";
    const char *why = t->matched.schemas.why;
    snprintf(words, sizeof words, "field '%s' of component 'thing'%s", field, t->about->words);
    if (strncmp(why, words, strlen(words)) != 0) {
        fail_msg("%s: '%s' is not '%s'", t->about->name, why, words);
    }
}

static void expect_values(tried *t)
{
    unsigned char value[VALUE_BYTES] = {0};
    unsigned char expected[VALUE_BYTES];
    read_bytes(t->about->to, expected);
    copy_row(&t->to, BAD_ROW, value, true);
    if (WEFT_BIG_ENDIAN) save_value(&t->world, value);
    for (uint32_t i = 0; i < t->world.thing.size; i++) {
        if (value[i] == expected[i]) continue;
        fail_msg("%s: byte %u is 0x%02x, not 0x%02x", t->about->name, (unsigned)i, value[i],
                 expected[i]);
    }
}

// Converts the value as one of several rows, the others of which are zeros.
static void try_rows(tried *t, bool in_place)
{
    const weft_match *match = t->matched.components.values[0];
    unsigned char value[VALUE_BYTES];
    close_rows(&t->from);
    close_rows(&t->to);
    open_rows(&t->from, &t->file.thing);
    open_rows(&t->to, &t->world.thing);
    rows *start = in_place ? &t->to : &t->from;
    for (uint32_t row = 0; row < ROWS; row++) {
        read_bytes(row == BAD_ROW ? t->about->from : NULL, value);
        copy_row(start, row, value, false);
    }
    // From the second row on, so that where they begin is seen.
    weft_column_span from = {start->columns, 1};
    weft_column_span to = {t->to.columns, 1};
    weft_status status = weft_convert_rows(&t->matched.schemas, match, from, to, ROWS - 1);
    assert_int_equal(weft_convert_rows(&t->matched.schemas, match, from, to, 0), WEFT_OK);
    if (t->about->to) {
        if (status != WEFT_OK) fail_msg("%s: %s", t->about->name, t->matched.schemas.why);
        expect_values(t);
        return;
    }
    bool damaged = strstr(t->about->words, "holds what a ") != NULL;
    if (status != (damaged ? WEFT_BAD_FILE : WEFT_MISMATCH)) {
        fail_msg("%s: it is not refused so, but with status %d", t->about->name, status);
    }
    expect_words(t);
    assert_int_equal(t->matched.schemas.why_row, BAD_ROW - 1);
}

static void try_case(const conversion_case *about, bool was_soa, bool is_soa)
{
    static tried t;
    open_tried(&t, about, was_soa, is_soa);
    bool matched = weft_schemas_match(&t.matched);
    bool pairs = about->from != NULL;
    if (matched != pairs) fail_msg("%s: %s", about->name, t.matched.schemas.why);
    if (!pairs) expect_words(&t);
    if (pairs) try_rows(&t, false);
    if (pairs && t.matched.components.values[0]->fields.same) try_rows(&t, true);
    close_tried(&t);
}

static void test_values_come_to_what_the_table_says(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (int layouts = 0; layouts < 4; layouts++) {
            try_case(&cases[i], (layouts & 1) != 0, (layouts & 2) != 0);
        }
    }
}

// ---- declarations

static const weft_component_info components_was[] = {
    {.name = "stays", .size = 4, .save = true, .field_count = 1, .fields = pair_was},
    {.name = "gone", .size = 4, .save = true, .field_count = 1, .fields = pair_was},
    {.name = "old", .size = 4, .save = true, .field_count = 1, .fields = pair_was},
    {.name = "unsaved", .size = 4, .field_count = 1, .fields = pair_was},
    {.name = "tag", .storage = WEFT_STORAGE_TAG, .save = true},
};
static const weft_component_info components_is[] = {
    {.name = "new", .size = 4, .save = true, .field_count = 1, .fields = pair_was},
    {.name = "tag", .size = 4, .save = true, .field_count = 1, .fields = pair_was},
    {.name = "unsaved", .size = 4, .save = true, .field_count = 1, .fields = pair_was},
    {.name = "fresh", .was = "old", .size = 4, .save = true, .field_count = 1, .fields = pair_was},
    {.name = "stays", .was = "gone", .size = 4, .save = true, .field_count = 1, .fields = pair_was},
};
static const weft_singleton_info singletons_was[] = {
    {.name = "sky", .size = 4, .save = true, .field_count = 1, .fields = pair_was},
    {.name = "sea", .size = 4, .save = true, .field_count = 1, .fields = pair_was},
};
static const weft_singleton_info singletons_is[] = {
    {.name = "sea", .size = 4, .field_count = 1, .fields = pair_was},
    {.name = "air", .was = "sky", .size = 4, .save = true, .field_count = 1, .fields = pair_was},
};
static const weft_event_info events_was[] = {
    {.name = "cry", .size = 4, .field_count = 1, .fields = pair_was}};
static const weft_event_info events_is[] = {
    {.name = "shout", .size = 4, .field_count = 1, .fields = pair_was},
    {.name = "call", .was = "cry", .size = 4, .field_count = 1, .fields = pair_was}};
static const weft_relation_info relations_was[] = {{.name = "holds"}, {.name = "follows"}};
static const weft_relation_info relations_is[] = {{.name = "carries", .was = "holds"}};

static const weft_schema declared_was = {.component_count = 5,
                                         .components = components_was,
                                         .singleton_count = 2,
                                         .singletons = singletons_was,
                                         .event_count = 1,
                                         .events = events_was,
                                         .relation_count = 2,
                                         .relations = relations_was};
static const weft_schema declared_is = {.component_count = 5,
                                        .components = components_is,
                                        .singleton_count = 2,
                                        .singletons = singletons_is,
                                        .event_count = 2,
                                        .events = events_is,
                                        .relation_count = 1,
                                        .relations = relations_is};

static void expect_kind(const weft_matched_kind *kind, const uint32_t *was, const char *valued)
{
    for (uint32_t i = 0; valued[i] != '\0'; i++) {
        assert_int_equal(kind->was[i], was[i]);
        if (was[i] != WEFT_NEVER) assert_int_equal(kind->now[was[i]], i);
        assert_int_equal(kind->values[i] != NULL, valued[i] == 'v');
    }
}

// Each is found by its name, or by the one it had before; some have no values to convert.
static void test_declarations_are_matched_by_their_names(void **state)
{
    (void)state;
    weft_heap heap;
    assert_true(weft_heap_open(&heap, &(weft_memory){.user = NULL}));
    weft_scratch scratch = {.heap = &heap};
    weft_matched m = {.schemas = {&declared_was, &declared_is, &scratch, .why_row = 0}};
    assert_true(weft_schemas_match(&m));
    expect_kind(&m.components, (const uint32_t[]){WEFT_NEVER, 4, 3, 2, 0}, "---vv");
    assert_int_equal(m.components.now[1], WEFT_NEVER);
    expect_kind(&m.singletons, (const uint32_t[]){1, 0}, "-v");
    expect_kind(&m.events, (const uint32_t[]){WEFT_NEVER, 0}, "-v");
    expect_kind(&m.relations, (const uint32_t[]){0}, "-");
    assert_int_equal(m.relations.now[1], WEFT_NEVER);
    weft_scratch_free(&scratch);
    assert_int_equal(heap.bytes, 0);
}

// ---- no memory

typedef struct failing {
    weft_memory hooks;
    uint32_t left; // allocations until they fail
} failing;

static void *allocate_some(void *user, size_t bytes)
{
    failing *f = (failing *)user;
    if (f->left == 0) return NULL;
    f->left--;
    return f->hooks.allocate(f->hooks.user, bytes);
}

static void free_some(void *user, void *memory, size_t bytes)
{
    const failing *f = (const failing *)user;
    f->hooks.free_(f->hooks.user, memory, bytes);
}

// In hard mode each array of the scratch is an allocation of its own.
static void test_without_memory_nothing_is_matched(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i += 3) {
        bool matched = false;
        for (uint32_t left = 0; !matched; left++) {
            static tried t;
            failing f = {.left = left};
            open_tried(&t, &cases[i], false, false);
            f.hooks = t.heap.hooks;
            t.heap.hooks.allocate = allocate_some;
            t.heap.hooks.free_ = free_some;
            t.heap.hooks.user = &f;
            matched = weft_schemas_match(&t.matched) || !t.scratch.out_of_memory;
            assert_true(left != 0 || !matched);
            close_tried(&t);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_come_to_what_the_table_says),
        cmocka_unit_test(test_declarations_are_matched_by_their_names),
        cmocka_unit_test(test_without_memory_nothing_is_matched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
