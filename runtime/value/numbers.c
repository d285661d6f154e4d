// The table of scalar types, and conversions between numbers and doubles.
#include "numbers.h"

#include "../base/assert.h"
#include "fields.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

const weft_scalar weft_scalars[] = {
    [WEFT_TYPE_BOOL] = {"bool", WEFT_UNSIGNED, 1, 1},
    [WEFT_TYPE_U8] = {"u8", WEFT_UNSIGNED, 1, 8},
    [WEFT_TYPE_U16] = {"u16", WEFT_UNSIGNED, 2, 16},
    [WEFT_TYPE_U32] = {"u32", WEFT_UNSIGNED, 4, 32},
    [WEFT_TYPE_U64] = {"u64", WEFT_UNSIGNED, 8, 64},
    [WEFT_TYPE_I8] = {"i8", WEFT_SIGNED, 1, 7},
    [WEFT_TYPE_I16] = {"i16", WEFT_SIGNED, 2, 15},
    [WEFT_TYPE_I32] = {"i32", WEFT_SIGNED, 4, 31},
    [WEFT_TYPE_I64] = {"i64", WEFT_SIGNED, 8, 63},
    [WEFT_TYPE_F32] = {"f32", WEFT_FLOAT, 4, FLT_MANT_DIG},
    [WEFT_TYPE_F64] = {"f64", WEFT_FLOAT, 8, DBL_MANT_DIG},
    [WEFT_TYPE_ENTITY] = {"entity", WEFT_NO_NUMBER, 0, 0},
    [WEFT_TYPE_CHAR] = {"char", WEFT_NO_NUMBER, 1, 0},
    [WEFT_TYPE_ENUM] = {"enum", WEFT_UNSIGNED, 0, 0},
    [WEFT_TYPE_STRUCT] = {"struct", WEFT_NO_NUMBER, 0, 0},
    [WEFT_TYPE_EXTERN] = {"extern", WEFT_NO_NUMBER, 0, 0},
};
WEFT_NAMES_ALL(weft_scalars, WEFT_TYPE_EXTERN);
const uint32_t weft_type_count = sizeof weft_scalars / sizeof *weft_scalars;

bool weft_type_is_number(weft_type type)
{
    return weft_kind_of(type) != WEFT_NO_NUMBER && type != WEFT_TYPE_BOOL && type != WEFT_TYPE_ENUM;
}

bool weft_scalar_has(weft_type type, weft_number_kind kind, weft_number number)
{
    uint32_t digits = weft_scalars[type].digits;
    bool negative = kind == WEFT_SIGNED && number.i64 < 0;
    if (negative && weft_kind_of(type) != WEFT_SIGNED) return false;
    return digits == 64 || (negative ? ~number.u64 : number.u64) >> digits == 0;
}

const char *weft_type_name(weft_type type)
{
    return (size_t)type < weft_type_count ? weft_scalars[type].name : "no type";
}

weft_number weft_number_load(weft_number_kind kind, const void *value, uint32_t bytes)
{
    weft_number number;
    float f32;
    number.u64 = weft_bits_read(value, bytes);
    if (kind == WEFT_SIGNED) {
        uint64_t sign = (uint64_t)1 << (bytes * 8 - 1);
        number.u64 = (number.u64 ^ sign) - sign;
    } else if (kind == WEFT_FLOAT && bytes == sizeof f32) {
        memcpy(&f32, value, sizeof f32);
        number.f64 = f32;
    }
    return number;
}

void weft_number_store(weft_number_kind kind, void *value, uint32_t bytes, weft_number number)
{
    if (kind == WEFT_FLOAT && bytes == sizeof(float)) {
        float f32 = (float)number.f64;
        memcpy(value, &f32, sizeof f32);
    } else {
        weft_bits_write(value, bytes, number.u64);
    }
}

bool weft_number_from_double(weft_number_kind kind, uint32_t bytes, double value,
                             weft_number *number)
{
    if (kind == WEFT_NO_NUMBER) return false;
    double half = (double)((uint64_t)1 << (bytes * 8 - 1)); // half of the integer type's values
    if (kind == WEFT_UNSIGNED) {
        if (!(value >= 0.0 && value < 2.0 * half)) return false;
        number->u64 = (uint64_t)value;
        return (double)number->u64 == value;
    }
    if (kind == WEFT_SIGNED) {
        if (!(value >= -half && value < half)) return false;
        number->i64 = (int64_t)value;
        return (double)number->i64 == value;
    }
    bool narrow = bytes == sizeof(float);
    if (narrow && fabs(value) <= DBL_MAX && fabs(value) > FLT_MAX) return false;
    number->f64 = narrow ? (float)value : value;
    return true;
}

bool weft_double_from_number(weft_number_kind kind, weft_number number, double *value)
{
    if (kind == WEFT_UNSIGNED) {
        *value = (double)number.u64;
        return *value < 0x1p64 && (uint64_t)*value == number.u64;
    }
    if (kind == WEFT_SIGNED) {
        *value = (double)number.i64;
        return *value < 0x1p63 && (int64_t)*value == number.i64;
    }
    *value = number.f64;
    return kind == WEFT_FLOAT;
}

const char *weft_number_text(weft_number_kind kind, weft_number number, char *text, size_t bytes)
{
    if (kind == WEFT_UNSIGNED) snprintf(text, bytes, "%" PRIu64, number.u64);
    if (kind == WEFT_SIGNED) snprintf(text, bytes, "%" PRId64, number.i64);
    if (kind == WEFT_FLOAT) snprintf(text, bytes, "%.9g", number.f64);
    return text;
}
