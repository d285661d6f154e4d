// Seeding goes by the fields of the schema, among which the type rng is an extern.
#include "seeds.h"

#include <string.h>

static void seed(const weft_world *world, weft_rng *rng, uint64_t handle, uint64_t place)
{
    static const weft_rng unseeded;
    if (memcmp(rng, &unseeded, sizeof unseeded) != 0) return;
    weft_rng stream = weft_rng_of(world->seed, handle);
    uint64_t high = weft_rng_u32(&stream);
    *rng = weft_rng_of(high << 32 | weft_rng_u32(&stream), place);
}

void weft_fields_seed(const weft_world *world, const weft_field *fields, uint32_t count,
                      void *value, uint64_t handle, uint32_t component)
{
    for (uint32_t i = 0; i < count; i++) {
        const weft_field *field = &fields[i];
        if (field->type != WEFT_TYPE_EXTERN || field->of + 1u != world->plan->rng) continue;
        unsigned char *at = (unsigned char *)value + field->offset;
        seed(world, (weft_rng *)(void *)at, handle, (uint64_t)component << 32 | i);
    }
}

void weft_singletons_seed(weft_world *world)
{
    const weft_schema *schema = world->plan->schema;
    for (uint32_t i = 0; world->plan->rng != 0 && i < schema->singleton_count; i++) {
        const weft_singleton_info *info = &schema->singletons[i];
        unsigned char *value = (unsigned char *)world + info->offset;
        weft_fields_seed(world, info->fields, info->field_count, value, 0, i);
    }
}
