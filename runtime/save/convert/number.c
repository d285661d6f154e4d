// Numbers of any type to any type, by one that is wide enough for all of them.
#include "number.h"

#include "../../plan/fields.h"
#include "../bytes.h"

// A number of any type: negative ones are kept apart from large ones.
typedef struct wide_number {
    bool is_float;
    bool negative;
    uint64_t bits; // two's complement if negative
    double real;
} wide_number;

static wide_number read_number(weft_type type, uint32_t bytes, const void *at)
{
    uint64_t bits = weft_little_read(at, bytes);
    wide_number n = {.bits = bits};
    uint32_t low = (uint32_t)bits;
    float narrow;
    if (type == WEFT_TYPE_F32) {
        memcpy(&narrow, &low, sizeof narrow);
        n.real = (double)narrow;
        n.is_float = true;
    } else if (type == WEFT_TYPE_F64) {
        memcpy(&n.real, &bits, sizeof n.real);
        n.is_float = true;
    } else if (type >= WEFT_TYPE_I8 && bits >> (bytes * 8 - 1) != 0) {
        n.negative = true;
        if (bytes < 8) n.bits |= ~(uint64_t)0 << bytes * 8;
    }
    return n;
}

static bool fits_integer(weft_type type, uint32_t bytes, const wide_number *n)
{
    if (type == WEFT_TYPE_BOOL) return !n->negative && n->bits <= 1;
    if (type < WEFT_TYPE_I8) {
        return !n->negative && (bytes == 8 || n->bits >> bytes * 8 == 0);
    }
    uint64_t half = (uint64_t)1 << (bytes * 8 - 1);
    return n->negative ? n->bits >= 0 - half : n->bits < half;
}

// A float as a whole number; false: it is none of 64 bits.
static bool whole(wide_number *n)
{
    const double limit = 18446744073709551616.0; // 2^64
    if (!(n->real >= -limit / 2 && n->real < limit)) return false;
    n->negative = n->real < 0;
    uint64_t size = (uint64_t)(n->negative ? -n->real : n->real);
    n->bits = n->negative ? 0 - size : size;
    n->negative = n->negative && size != 0;
    return (double)size == (n->real < 0 ? -n->real : n->real);
}

// Whole numbers become floats only if none of it is lost.
static bool exact_float(weft_type type, wide_number *n)
{
    uint64_t size = n->negative ? 0 - n->bits : n->bits;
    int digits = type == WEFT_TYPE_F32 ? 24 : 53;
    n->real = n->negative ? -(double)size : (double)size;
    while (size != 0 && (size & 1) == 0) size >>= 1;
    return size >> digits == 0;
}

static bool write_float(weft_type type, const wide_number *n, void *to)
{
    if (type == WEFT_TYPE_F64) {
        memcpy(to, &n->real, sizeof n->real);
        return true;
    }
    const double most = 3.4028235677973366e38; // from here on it rounds to infinity
    bool finite = n->real - n->real == 0;
    if (finite && (n->real >= most || n->real <= -most)) return false;
    float narrow = (float)n->real;
    memcpy(to, &narrow, sizeof narrow);
    return true;
}

bool weft_number_carry(weft_type was, uint32_t was_bytes, const void *from, weft_type is,
                       uint32_t is_bytes, void *to)
{
    wide_number n = read_number(was, was_bytes, from);
    if (was == is) { // byte order alone
        weft_bits_write(to, is_bytes, n.bits);
        return was != WEFT_TYPE_BOOL || n.bits <= 1;
    }
    if (was == WEFT_TYPE_BOOL && n.bits > 1) return false;
    if (is == WEFT_TYPE_F32 || is == WEFT_TYPE_F64) {
        return (n.is_float || exact_float(is, &n)) && write_float(is, &n, to);
    }
    if ((n.is_float && !whole(&n)) || !fits_integer(is, is_bytes, &n)) return false;
    weft_bits_write(to, is_bytes, n.bits);
    return true;
}
