// The schema as JSON: everything that a page needs to show values with units, ranges and docs.
#include "schema.h"

#include "parts.h"

#include "../json/write.h"
#include "../value/numbers.h"

#include <string.h>

#define DEFAULT_BYTES_MAX 4096u // of a component whose defaults are listed

static void add_text(serve_text *out, const char *name, const char *text)
{
    if (!text || text[0] == '\0') return;
    serve_add_name(out, name);
    serve_add_string(out, text);
}

static void add_named(serve_text *out, const char *name, const char *doc)
{
    serve_add_comma(out);
    serve_add(out, "{\"name\":");
    serve_add_string(out, name);
    add_text(out, "doc", doc);
}

static void add_limit(serve_text *out, const weft_field *field, const char *name, bool has,
                      weft_number limit)
{
    char text[WEFT_NUMBER_BYTES];
    weft_number_kind kind = weft_kind_of(field->type);
    if (!has || kind == WEFT_NO_NUMBER) return;
    if (kind == WEFT_FLOAT)
        weft_float_text(limit.f64, field->type == WEFT_TYPE_F32, text);
    else
        weft_number_text(kind, limit, text, sizeof text);
    serve_add_name(out, name);
    serve_add(out, text);
}

static const char *type_name(const weft_schema *schema, const weft_field *field)
{
    if (field->type == WEFT_TYPE_ENUM) return schema->enums[field->of].name;
    if (field->type == WEFT_TYPE_STRUCT) return schema->structs[field->of].name;
    if (field->type == WEFT_TYPE_EXTERN) return schema->externs[field->of].name;
    return weft_type_name(field->type);
}

static const char *kind_name(weft_type type)
{
    if (type == WEFT_TYPE_ENUM) return "enum";
    if (type == WEFT_TYPE_STRUCT || type == WEFT_TYPE_EXTERN) return "struct";
    if (type == WEFT_TYPE_ENTITY) return "entity";
    if (type == WEFT_TYPE_BOOL) return "bool";
    return type == WEFT_TYPE_CHAR ? "string" : "number";
}

static void add_fields(serve_text *out, const weft_schema *schema, const weft_field *fields,
                       uint32_t count)
{
    static const char *const shapes[] = {"one", "array", "list", "string"};
    WEFT_NAMES_ALL(shapes, WEFT_SHAPE_STRING);
    serve_add_name(out, "fields");
    serve_add(out, "[");
    for (uint32_t i = 0; i < count; i++) {
        const weft_field *field = &fields[i];
        add_named(out, field->name, field->doc);
        add_text(out, "unit", field->unit);
        add_text(out, "type", type_name(schema, field));
        add_text(out, "kind", kind_name(field->type));
        add_text(out, "shape", shapes[field->shape]);
        if (field->by != 0) add_text(out, "by", schema->enums[field->by - 1].name);
        if (field->shape != WEFT_SHAPE_ONE) serve_print(out, ",\"count\":%u", field->count);
        add_limit(out, field, "min", field->has_min, field->min);
        add_limit(out, field, "max", field->has_max, field->max);
        serve_add(out, "}");
    }
    serve_add(out, "]");
}

static void add_structs(serve_text *out, const weft_schema *schema, const weft_struct_info *structs,
                        uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const weft_struct_info *one = &structs[i];
        add_named(out, one->name, one->doc);
        add_fields(out, schema, one->fields, one->field_count);
        serve_add(out, "}");
    }
}

// Adds a value of a component as a member, unless it is large.
static void add_value(serve_call *call, const char *name, uint32_t component, const void *value)
{
    if (!value || call->world->plan->schema->components[component].size > DEFAULT_BYTES_MAX) return;
    serve_add_name(call->out, name);
    weft_json_component_value(call->world, component, value, serve_add_piece, call->out);
}

static void add_components(serve_call *call)
{
    serve_text *out = call->out;
    const weft_schema *schema = call->world->plan->schema;
    static const char *const storages[] = {"table", "sparse", "tag"};
    WEFT_NAMES_ALL(storages, WEFT_STORAGE_TAG);
    for (uint32_t i = 0; i < schema->component_count; i++) {
        const weft_component_info *one = &schema->components[i];
        add_named(out, one->name, one->doc);
        add_text(out, "storage", storages[one->storage]);
        serve_print(out, ",\"size\":%u,\"soa\":%s,\"save\":%s", one->size,
                    one->soa ? "true" : "false", one->save ? "true" : "false");
        add_fields(out, schema, one->fields, one->field_count);
        add_value(call, "defaults", i, one->defaults);
        serve_add(out, "}");
    }
}

// Adds the values of a prefab that differ from the defaults of its components.
static void add_prefab_values(serve_call *call, const weft_prefab_plan *prefab)
{
    const weft_schema *schema = call->world->plan->schema;
    serve_add_name(call->out, "values");
    serve_add(call->out, "{");
    for (uint32_t i = 0; i < prefab->member_count; i++) {
        const weft_component_info *one = &schema->components[prefab->components[i]];
        const unsigned char *value = (const unsigned char *)prefab->defaults + prefab->offsets[i];
        if (one->defaults && memcmp(value, one->defaults, one->size) == 0) continue;
        add_value(call, one->name, prefab->components[i], value);
    }
    serve_add(call->out, "}");
}

static void add_prefabs(serve_call *call)
{
    serve_text *out = call->out;
    const weft_plan *plan = call->world->plan;
    const weft_schema *schema = plan->schema;
    for (uint32_t i = 0; i < schema->prefab_count; i++) {
        const weft_prefab_info *one = &schema->prefabs[i];
        add_named(out, one->name, one->doc);
        serve_add(out, ",\"components\":[");
        for (uint32_t c = 0; c < one->component_count; c++) {
            serve_add_comma(out);
            serve_add_string(out, schema->components[one->components[c]].name);
        }
        serve_add(out, "]");
        add_prefab_values(call, &plan->prefabs[i]);
        serve_add_parts(out, plan, i);
        serve_add(out, "}");
    }
}

static const char *access_name(const weft_schema *schema, weft_access access)
{
    switch (access.kind) {
    case WEFT_ACCESS_SINGLETON_READ:
    case WEFT_ACCESS_SINGLETON_WRITE:
        return schema->singletons[access.of].name;
    case WEFT_ACCESS_QUERY:
        return schema->queries[access.of].name;
    case WEFT_ACCESS_EMITS:
    case WEFT_ACCESS_HEARS:
        return schema->events[access.of].name;
    case WEFT_ACCESS_ORDER:
    case WEFT_ACCESS_LOOKUP_RELATION:
    case WEFT_ACCESS_REMOVED_RELATION:
        return schema->relations[access.of].name;
    case WEFT_ACCESS_LINK_READ:
    case WEFT_ACCESS_LINK_WRITE:
        return schema->links[access.of].name;
    default:
        return schema->components[access.of].name;
    }
}

// Adds what a query or system accesses, each as [kind, name].
static void add_access(serve_text *out, const weft_schema *schema, const weft_access *access,
                       uint32_t count)
{
    static const char *const kinds[] = {
        "read",           "write",           "optional", "lookup read",     "lookup write",
        "singleton read", "singleton write", "query",    "emits",           "hears",
        "removed",        "order",           "parent",   "lookup relation", "removed relation",
        "link read",      "link write",
    };
    WEFT_NAMES_ALL(kinds, WEFT_ACCESS_LINK_WRITE);
    const uint32_t known = sizeof kinds / sizeof *kinds;
    serve_add_name(out, "access");
    serve_add(out, "[");
    for (uint32_t i = 0; i < count; i++) {
        if ((uint32_t)access[i].kind >= known) continue;
        serve_add_comma(out);
        serve_print(out, "[\"%s\",\"%s\"]", kinds[access[i].kind], access_name(schema, access[i]));
    }
    serve_add(out, "]");
}

static void add_queries(serve_text *out, const weft_schema *schema)
{
    for (uint32_t i = 0; i < schema->query_count; i++) {
        const weft_query_info *one = &schema->queries[i];
        add_named(out, one->name, one->doc);
        add_text(out, "where", one->where);
        add_access(out, schema, one->access, one->access_count);
        serve_add(out, "}");
    }
}

static void add_listeners(serve_text *out, const weft_schema *schema)
{
    for (uint32_t i = 0; i < schema->listener_count; i++) {
        const weft_listener_info *one = &schema->listeners[i];
        add_named(out, one->name, one->doc);
        add_text(out, "where", one->where);
        add_access(out, schema, one->access, one->access_count);
        serve_add(out, "}");
    }
}

// Adds the names of the fields that the parts of a turn fill.
static void add_partial(serve_text *out, const weft_system_info *system)
{
    serve_add(out, ",\"partial\":[");
    for (uint32_t i = 0; i < system->partial_field_count; i++) {
        serve_add_comma(out);
        serve_add_string(out, system->partial_fields[i].name);
    }
    serve_add(out, "]");
}

static void add_systems(serve_text *out, const weft_schema *schema)
{
    for (uint32_t i = 0; i < schema->system_count; i++) {
        const weft_system_info *one = &schema->systems[i];
        add_named(out, one->name, one->doc);
        add_text(out, "where", one->where);
        serve_print(out, ",\"phase\":%u,\"commands\":%s", one->phase,
                    one->commands ? "true" : "false");
        if (one->every_seconds > 0) {
            serve_add_name(out, "every");
            serve_add_number(out, one->every_seconds);
        }
        if (one->turn) serve_add(out, ",\"turn\":true");
        if (one->partial_field_count != 0) add_partial(out, one);
        add_access(out, schema, one->access, one->access_count);
        serve_add(out, "}");
    }
}

static void add_strings(serve_text *out, const char *const *strings, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        serve_add_comma(out);
        serve_add_string(out, strings[i]);
    }
}

static void add_enums(serve_text *out, const weft_schema *schema)
{
    for (uint32_t i = 0; i < schema->enum_count; i++) {
        add_named(out, schema->enums[i].name, schema->enums[i].doc);
        serve_add(out, ",\"values\":[");
        add_strings(out, schema->enums[i].values, schema->enums[i].count);
        if (schema->enums[i].docs != NULL) {
            serve_add(out, "],\"docs\":[");
            add_strings(out, schema->enums[i].docs, schema->enums[i].count);
        }
        serve_add(out, "]}");
    }
}

static void add_singletons(serve_text *out, const weft_schema *schema)
{
    for (uint32_t i = 0; i < schema->singleton_count; i++) {
        const weft_singleton_info *one = &schema->singletons[i];
        add_named(out, one->name, one->doc);
        serve_print(out, ",\"size\":%u,\"state\":%s", one->size, one->state ? "true" : "false");
        add_fields(out, schema, one->fields, one->field_count);
        serve_add(out, "}");
    }
}

static void add_events(serve_text *out, const weft_schema *schema)
{
    for (uint32_t i = 0; i < schema->event_count; i++) {
        const weft_event_info *one = &schema->events[i];
        add_named(out, one->name, one->doc);
        serve_print(out, ",\"max\":%u", one->max);
        add_fields(out, schema, one->fields, one->field_count);
        serve_add(out, "}");
    }
}

static void add_relations(serve_text *out, const weft_schema *schema)
{
    for (uint32_t i = 0; i < schema->relation_count; i++) {
        const weft_relation_info *one = &schema->relations[i];
        add_named(out, one->name, one->doc);
        add_text(out, "on_parent_despawn",
                 one->on_parent_despawn == WEFT_DESPAWN ? "despawn" : "detach");
        serve_add(out, "}");
    }
}

static void add_links(serve_text *out, const weft_schema *schema)
{
    for (uint32_t i = 0; i < schema->link_count; i++) {
        const weft_link_info *one = &schema->links[i];
        add_named(out, one->name, one->doc);
        serve_print(out, ",\"size\":%u,\"symmetric\":%s", one->size,
                    one->symmetric ? "true" : "false");
        serve_print(out, ",\"on_despawn\":{\"from\":\"%s\",\"to\":\"%s\"}",
                    one->from_despawns ? "despawn" : "remove",
                    one->to_despawns ? "despawn" : "remove");
        add_fields(out, schema, one->fields, one->field_count);
        serve_add(out, "}");
    }
}

static void add_called(serve_call *call, const char *name, void (*add)(serve_call *call))
{
    serve_add_name(call->out, name);
    serve_add(call->out, "[");
    add(call);
    serve_add(call->out, "]");
}

static void add_section(serve_text *out, const char *name, const weft_schema *schema,
                        void (*add)(serve_text *out, const weft_schema *schema))
{
    serve_add_name(out, name);
    serve_add(out, "[");
    add(out, schema);
    serve_add(out, "]");
}

static void add_phases(serve_text *out, const weft_schema *schema)
{
    add_strings(out, schema->phases, schema->phase_count);
}

static void add_all_structs(serve_text *out, const weft_schema *schema)
{
    add_structs(out, schema, schema->structs, schema->struct_count);
    add_structs(out, schema, schema->externs, schema->extern_count);
}

void serve_schema(serve_call *call)
{
    const weft_schema *schema = call->world->plan->schema;
    serve_text *out = call->out;
    serve_add(out, "{");
    add_text(out, "name", schema->name);
    serve_print(out, ",\"max_entities\":%u", schema->max_entities);
    add_section(out, "phases", schema, add_phases);
    add_section(out, "enums", schema, add_enums);
    add_section(out, "structs", schema, add_all_structs);
    add_called(call, "components", add_components);
    add_section(out, "singletons", schema, add_singletons);
    add_section(out, "events", schema, add_events);
    add_called(call, "prefabs", add_prefabs);
    add_section(out, "relations", schema, add_relations);
    add_section(out, "links", schema, add_links);
    add_section(out, "queries", schema, add_queries);
    add_section(out, "listeners", schema, add_listeners);
    add_section(out, "systems", schema, add_systems);
    serve_add(out, "}");
}
