#include "referrers.h"

#include "../value/visit.h"
#include "../world/links.h"
#include "../world/rows.h"
#include "list.h"
#include "referring.h"

#include <stdio.h>
#include <stdlib.h>

#define FINDING_PIECE_ROWS 4096u // read between two looks at the clock
#define FOUND_PATHS_MAX 16u      // listed for each owner
#define FINDING_SECONDS 10.0     // a pass that was not requested for this long is dropped

// ------------------------------------------------------------------------------------------------
// Passes

static void drop_finding(serve_finding *one)
{
    free(one->pass);
    *one = (serve_finding){.pass = NULL};
}

void serve_referrers_drop(serve_state *state)
{
    for (uint32_t i = 0; i < SERVE_FINDINGS_MAX; i++) drop_finding(&state->findings[i]);
}

// Continues a pass as far as this poll allows, but by at least `least` rows.
static void find_some(serve_state *state, serve_finding *one, uint32_t least)
{
    double now = serve_slice_begin(state);
    for (uint32_t done = 0; !one->ready;) {
        bool may = state->rows_left != 0 && now < state->slice_end;
        if (!may && done >= least) break;
        uint32_t piece = serve_referring_run(state->world, one->pass, FINDING_PIECE_ROWS);
        one->ready = piece == 0;
        done += piece;
        state->rows_left -= piece < state->rows_left ? piece : state->rows_left;
        now = serve_now();
    }
}

void serve_referrers_poll(serve_state *state, double now)
{
    for (serve_finding *one = state->findings; one != state->findings + SERVE_FINDINGS_MAX; one++) {
        if (!one->pass) continue;
        if (now - one->asked > FINDING_SECONDS)
            drop_finding(one);
        else if (state->rows_left != 0)
            find_some(state, one, 1);
    }
}

// Finds the pass for an entity, or begins one. Returns NULL if the call is refused, or if all
// places are in use; then `busy` is set.
static serve_finding *finding_of(serve_call *call, uint64_t target, bool *busy)
{
    serve_finding *end = call->state->findings + SERVE_FINDINGS_MAX, *found = NULL;
    for (serve_finding *one = call->state->findings; one != end; one++) {
        if (one->pass && one->pass->target == target) return one;
        if (!one->pass) found = one;
    }
    *busy = !found;
    if (!found) return NULL;
    found->pass = serve_referring_begin(call->world, target);
    if (!found->pass) serve_refuse(call, SERVE_TOO_LARGE, "no memory to find referrers");
    return found->pass ? found : NULL;
}

// ------------------------------------------------------------------------------------------------
// Answers

typedef struct path_listing {
    serve_text *out;
    const weft_schema *schema;
    const char *owner; // name of the component, singleton or link
    uint64_t target;
    uint64_t count; // of values that refer to the entity
} path_listing;

static bool list_path(void *context, const char *path, const weft_leaf_ref *leaf)
{
    path_listing *p = (path_listing *)context;
    char whole[SERVE_PATH_MAX];
    if (leaf->type != WEFT_TYPE_ENTITY || weft_handle_read(p->schema, leaf->value) != p->target) {
        return true;
    }
    if (p->count++ >= FOUND_PATHS_MAX) return true;
    snprintf(whole, sizeof whole, "%s.%s", p->owner, path);
    serve_add_comma(p->out);
    serve_add_string(p->out, whole);
    return true;
}

// Adds the paths of the values in one field that refer to the entity, and returns their number.
static uint64_t add_found_paths(serve_call *call, const char *owner, const weft_field *field,
                                const void *value, uint64_t target)
{
    const weft_schema *schema = call->world->plan->schema;
    path_listing p = {call->out, schema, owner, target, 0};
    serve_add(call->out, ",\"paths\":[");
    weft_leaves_visit(schema, field, 1, value, list_path, &p);
    serve_add(call->out, "]");
    return p.count;
}

static void begin_group(serve_call *call, const char *kind, const char *owner,
                        const weft_field *field)
{
    char path[SERVE_PATH_MAX];
    snprintf(path, sizeof path, "%s%s%s", owner, field ? "." : "", field ? field->name : "");
    serve_add_comma(call->out);
    serve_print(call->out, "{\"kind\":\"%s\",\"path\":", kind);
    serve_add_string(call->out, path);
    serve_add(call->out, ",\"some\":[");
}

static void end_group(serve_call *call, uint64_t count, uint64_t left_off)
{
    serve_print(call->out, "],\"count\":%llu,\"left_off\":%llu}", (unsigned long long)count,
                (unsigned long long)left_off);
}

static void begin_referrer(serve_call *call, const char *name, uint64_t handle)
{
    serve_add_comma(call->out);
    serve_print(call->out, "{\"%s\":", name);
    serve_add_handle(call, handle);
}

// Adds an entity whose component refers to the target. Its value may have changed meanwhile.
static void add_owner(serve_call *call, const serve_group *group, uint64_t handle, uint64_t target)
{
    const weft_plan *plan = call->world->plan;
    const weft_component_info *info = &plan->schema->components[group->of];
    weft_place at;
    begin_referrer(call, "id", handle);
    if (weft_find(&call->world->entities, plan->format, handle, &at) &&
        weft_row_has(plan, call->world->tables.items[at.table], at.row, group->of)) {
        const weft_table *table = call->world->tables.items[at.table];
        void *buffer = malloc(info->size);
        const void *value =
            buffer ? weft_row_value(call->world, table, at.row, group->of, buffer) : NULL;
        if (value) add_found_paths(call, info->name, &info->fields[group->field], value, target);
        free(buffer);
    }
    serve_add(call->out, "}");
}

static void add_link_value(serve_call *call, const serve_group *group, serve_referrer one,
                           uint64_t target)
{
    const weft_world *world = call->world;
    const weft_link_info *info = &world->plan->schema->links[group->of];
    const void *value =
        weft_link_get(world, world->plan->format, group->of, info->size, one.handle, one.to);
    begin_referrer(call, "from", one.handle);
    serve_add_name(call->out, "to");
    serve_add_handle(call, one.to);
    if (value) add_found_paths(call, info->name, &info->fields[group->field], value, target);
    serve_add(call->out, "}");
}

static void add_found_group(serve_call *call, const serve_group *group, uint64_t target)
{
    static const char *const kinds[] = {"component", "link value", "relation"};
    const weft_schema *schema = call->world->plan->schema;
    const bool relation = group->kind == SERVE_BY_RELATION;
    const uint64_t most = SERVE_REFERRERS_MAX;
    const uint32_t listed = (uint32_t)(group->owners < most ? group->owners : most);
    const char *name = relation                            ? schema->relations[group->of].name
                       : group->kind == SERVE_BY_COMPONENT ? schema->components[group->of].name
                                                           : schema->links[group->of].name;
    if (group->owners == 0) return;
    begin_group(call, kinds[group->kind], name, relation ? NULL : serve_group_field(schema, group));
    for (uint32_t i = 0; i < listed; i++) {
        if (group->kind == SERVE_BY_LINK_VALUE) {
            add_link_value(call, group, group->some[i], target);
        } else if (relation) {
            begin_referrer(call, "id", group->some[i].handle);
            serve_add(call->out, "}");
        } else {
            add_owner(call, group, group->some[i].handle, target);
        }
    }
    end_group(call, group->count, group->owners - listed);
}

static void add_fields_of_singletons(serve_call *call, uint64_t target)
{
    const weft_schema *schema = call->world->plan->schema;
    for (uint32_t i = 0; i < schema->singleton_count; i++) {
        const weft_singleton_info *info = &schema->singletons[i];
        const void *value = (const unsigned char *)call->world + info->offset;
        for (uint32_t k = 0; k < info->field_count; k++) {
            const weft_field *field = &info->fields[k];
            const uint32_t handles = WEFT_VISIT(WEFT_TYPE_ENTITY);
            if (!weft_fields_have(schema, field, 1, handles, false)) continue;
            const size_t before = call->out->used;
            begin_group(call, "singleton", info->name, field);
            serve_add(call->out, "{\"singleton\":");
            serve_add_string(call->out, info->name);
            const uint64_t count = add_found_paths(call, info->name, field, value, target);
            serve_add(call->out, "}");
            end_group(call, count, 0);
            if (count == 0) serve_cut(call->out, before);
        }
    }
}

// Adds the links to the entity, or all links of a symmetric kind.
static void add_linked(serve_call *call, uint64_t target)
{
    const weft_format f = call->world->plan->format;
    const weft_schema *schema = call->world->plan->schema;
    for (uint32_t i = 0; i < schema->link_count; i++) {
        const uint32_t count = weft_link_count_to(call->world, i, target);
        uint32_t listed = 0;
        if (count == 0) continue;
        begin_group(call, "link", schema->links[i].name, NULL);
        weft_link_walk walk = weft_link_walk_to(call->world, i, target);
        while (listed < SERVE_REFERRERS_MAX && weft_link_walk_next(&walk, f)) {
            begin_referrer(call, "id", walk.other);
            serve_add(call->out, "}");
            listed++;
        }
        end_group(call, count, count - listed);
    }
}

static void add_found(serve_call *call, const serve_referring *pass)
{
    serve_add(call->out, "\"making\":null,\"referrers\":[");
    for (uint32_t i = 0; i < pass->group_count; i++) {
        add_found_group(call, &pass->groups[i], pass->target);
    }
    add_fields_of_singletons(call, pass->target);
    add_linked(call, pass->target);
    serve_add(call->out, "]}");
}

void serve_referrers(serve_call *call)
{
    uint64_t target;
    bool busy = false;
    if (!serve_take_handle(call, "id", &target)) return;
    serve_finding *one = finding_of(call, target, &busy);
    if (call->refused) return;
    serve_print(call->out, "{\"tick\":%llu,", (unsigned long long)call->world->tick);
    if (busy) {
        serve_add(call->out, "\"making\":0,\"referrers\":[]}");
        return;
    }
    const bool begins = one->asked == 0;
    one->asked = serve_now();
    find_some(call->state, one, begins ? SERVE_SLICE_LEAST_ROWS : 0);
    if (one->ready) {
        add_found(call, one->pass);
        drop_finding(one); // the next call begins a new pass
        return;
    }
    const serve_referring *pass = one->pass;
    const double share = (double)pass->looked_at / (double)(pass->total + 1);
    serve_print(call->out, "\"making\":%.3f,\"referrers\":[]}", share < 1 ? share : 1);
}
