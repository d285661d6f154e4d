// Prints numbers as JSON writes them. `digits SEED COUNT` prints a line for each: its bits, the
// bits of its f32, and both texts. test_digits.py judges them by independent tools.
//
// program:
// flags: hot
#include "../../fuzz/dice.h"
#include "value/text.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void print(double value, float single)
{
    char text[WEFT_NUMBER_BYTES];
    uint64_t bits;
    uint32_t short_bits;
    memcpy(&bits, &value, sizeof bits);
    memcpy(&short_bits, &single, sizeof short_bits);
    weft_float_text(value, false, text);
    printf("%016" PRIx64 " %s ", bits, text);
    weft_float_text((double)single, true, text);
    weft_float_text(isnormal(value) ? value : 1, true, text); // which is no float, but ends as well
    weft_float_text((double)single, true, text);
    printf("%08" PRIx32 " %s\n", short_bits, text);
}

static double double_of(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// Prints each power of two with its neighbours, which the number line is not even about.
static void print_borders(void)
{
    for (int i = 0; i < 2 * DBL_MAX_EXP; i++) {
        const uint64_t power = (uint64_t)i << (DBL_MANT_DIG - 1);
        const uint32_t single = (uint32_t)(i % (2 * FLT_MAX_EXP)) << (FLT_MANT_DIG - 1);
        for (uint32_t step = 0; step < 4; step++) {
            print(double_of(power + step), float_of(single + step));
            if (power != 0) print(double_of(power - step), float_of(single - step));
        }
    }
    for (int i = 0; i < DBL_MANT_DIG; i++) {
        const uint64_t bit = (uint64_t)1 << i;
        const uint32_t short_bit = (uint32_t)1 << i % FLT_MANT_DIG;
        print(double_of(bit), float_of(short_bit));
        print(double_of(bit - 1), float_of(short_bit - 1));
        print(double_of(bit + 1), float_of(short_bit + 1));
    }
}

// Prints numbers of all sizes, of few digits, and whole ones.
static void print_random(dice *d)
{
    const uint64_t bits = dice_bits(d);
    const double few = (double)dice_below(d, 100000) / 1000;
    const double whole = (double)(dice_bits(d) >> dice_below(d, 64));
    print(double_of(bits), float_of((uint32_t)bits));
    print(double_of(bits >> 12 >> dice_below(d, 52)), float_of((uint32_t)bits >> 9));
    print(few, (float)few);
    print(-few * 1e-7, (float)few * 1e-7f);
    print(whole, (float)whole);
}

int main(int count, char **arguments)
{
    if (count != 3) return 2;
    dice d = {strtoull(arguments[1], NULL, 10)};
    print_borders();
    for (unsigned long i = strtoul(arguments[2], NULL, 10); i != 0; i--) print_random(&d);
    return fflush(stdout) == 0 ? 0 : 2;
}
