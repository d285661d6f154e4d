// Seeds the fields of extern type `rng`.
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

void weft_field_seed(const weft_world *world, const weft_field *fields, uint32_t field, void *value,
                     uint64_t handle, uint32_t component)
{
    const weft_field *f = &fields[field];
    if (f->type != WEFT_TYPE_EXTERN || f->of + 1u != world->plan->rng) return;
    unsigned char *at = (unsigned char *)value + f->offset;
    seed(world, (weft_rng *)(void *)at, handle, (uint64_t)component << 32 | field);
}

void weft_fields_seed(const weft_world *world, const weft_field *fields, uint32_t count,
                      void *value, uint64_t handle, uint32_t component)
{
    for (uint32_t i = 0; i < count; i++) {
        weft_field_seed(world, fields, i, value, handle, component);
    }
}

void weft_singletons_begin(weft_world *world)
{
    const weft_schema *schema = world->plan->schema;
    for (uint32_t i = 0; i < schema->singleton_count; i++) {
        const weft_singleton_info *info = &schema->singletons[i];
        unsigned char *value = (unsigned char *)world + info->offset;
        memcpy(value, info->defaults, info->size);
        if (world->plan->rng == 0) continue;
        weft_fields_seed(world, info->fields, info->field_count, value, 0, i);
    }
}
