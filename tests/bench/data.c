// Random numbers, values and checksums, which do not depend on the machine.
#include "bench.h"

uint32_t bench_random(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15u;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return (uint32_t)((z ^ z >> 31) >> 32);
}

float bench_value(uint64_t *state)
{
    return (float)(bench_random(state) % 8);
}

void bench_values(float *values, size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n; i++) values[i] = bench_value(&seed);
}

void bench_shuffle(uint32_t *order, uint32_t n, uint64_t seed)
{
    for (uint32_t i = 0; i < n; i++) order[i] = i;
    for (uint32_t i = n; i > 1; i--) {
        uint32_t j = (uint32_t)((uint64_t)bench_random(&seed) * i >> 32);
        uint32_t kept = order[i - 1];
        order[i - 1] = order[j];
        order[j] = kept;
    }
}

uint64_t bench_sum(const float *values, uint32_t n, uint32_t floats)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t j = 0; j < floats; j++) {
            sum += bench_part(i, bench_bits(values[(size_t)i * floats + j]));
        }
    }
    return sum;
}
