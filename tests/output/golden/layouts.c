// Prints the layouts in all golden worlds as reflection reports them, and the bytes of default
// values. test_layouts.py writes "worlds.h": EACH_WORLD(X) is X(tiny) X(mid) …
#include "weft.h"
#include "worlds.h"

#include <inttypes.h>
#include <stdio.h>

static void show_fields(const char *owner, const weft_field *fields, uint32_t count,
                        const unsigned char *defaults)
{
    for (uint32_t i = 0; i < count; i++) {
        const weft_field *f = &fields[i];
        printf("field %s.%s %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 " ", owner,
               f->name, f->offset, f->size, f->element_size, f->items_offset, f->count);
        for (uint32_t byte = 0; defaults && byte < f->size; byte++) {
            printf("%02x", (unsigned)defaults[f->offset + byte]);
        }
        printf("\n");
    }
}

static void show_structs(const weft_struct_info *structs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const weft_struct_info *s = &structs[i];
        printf("struct %s %" PRIu32 " %" PRIu32 "\n", s->name, s->size, s->align);
        show_fields(s->name, s->fields, s->field_count, NULL);
    }
}

static void show_world(const weft_schema *schema)
{
    printf("world %s %u\n", schema->name, schema->handle_bytes);
    show_structs(schema->structs, schema->struct_count);
    show_structs(schema->externs, schema->extern_count);
    for (uint32_t i = 0; i < schema->component_count; i++) {
        const weft_component_info *c = &schema->components[i];
        printf("struct %s %" PRIu32 " %" PRIu32 "\n", c->name, c->size, c->align);
        show_fields(c->name, c->fields, c->field_count, c->defaults);
    }
    for (uint32_t i = 0; i < schema->singleton_count; i++) {
        const weft_singleton_info *s = &schema->singletons[i];
        printf("struct %s %" PRIu32 " 0\n", s->name, s->size);
        show_fields(s->name, s->fields, s->field_count, s->defaults);
    }
    for (uint32_t i = 0; i < schema->event_count; i++) {
        const weft_event_info *e = &schema->events[i];
        printf("struct %s %" PRIu32 " %" PRIu32 "\n", e->name, e->size, e->align);
        show_fields(e->name, e->fields, e->field_count, e->defaults);
    }
}

#define DECLARE(world) const weft_schema *world##_schema(void);
#define SHOW(world) show_world(world##_schema());

EACH_WORLD(DECLARE)

int main(void)
{
    EACH_WORLD(SHOW)
    return 0;
}
