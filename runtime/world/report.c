// A refusal is remembered, and reported in words: what was asked, why not, and how to mend it where
// there is a way. Words are made when the game asks for them, or for the log hook.
#include "report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

const char *weft_status_text(weft_status status)
{
    static const char *const texts[] = {
        [WEFT_OK] = "ok",
        [WEFT_NO_MEMORY] = "no memory",
        [WEFT_FULL] = "no room for another entity",
        [WEFT_BUSY] = "a phase or a hook runs",
        [WEFT_DEAD] = "the entity is not alive",
        [WEFT_REFUSED] = "the rules of the schema forbid it",
        [WEFT_NOT_FOUND] = "not found",
        [WEFT_BAD_VALUE] = "not a value it can have",
        [WEFT_IO] = "a file cannot be read or written",
        [WEFT_BAD_FILE] = "no save, or a damaged one",
        [WEFT_MISMATCH] = "the schema cannot take that save",
    };
    size_t count = sizeof texts / sizeof texts[0];
    return (size_t)status < count ? texts[status] : "no status of Weft";
}

// ------------------------------------------------------------------------------------------------
// Words

// An entity as index:generation, with space for the largest numbers.
typedef struct entity_text {
    char text[24];
} entity_text;

static entity_text entity_words(const weft_world *world, uint64_t handle)
{
    weft_format f = world->plan->format;
    entity_text words;
    snprintf(words.text, sizeof words.text, "%" PRIu32 ":%" PRIu64, weft_handle_index(f, handle),
             handle >> f.index_bits);
    return words;
}

static const char *name_of(const weft_world *world, uint16_t component)
{
    return component == WEFT_NONE ? "" : world->plan->schema->components[component].name;
}

static void write_text(weft_world *world, const char *format, ...) WEFT_PRINTS(2, 3);

static void write_text(weft_world *world, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(world->error_text, sizeof world->error_text, format, arguments);
    va_end(arguments);
}

static void report_dead(weft_world *world, uint64_t handle)
{
    weft_format f = world->plan->format;
    entity_text entity = entity_words(world, handle);
    uint64_t generation = handle >> f.index_bits;
    if (handle == 0) {
        write_text(world, "no entity: the handle is none");
    } else if (generation == 0) {
        write_text(
            world,
            "entity %s is not alive: only later commands of the buffer that spawns it can name it",
            entity.text);
    } else if (generation > weft_generation_max(f) ||
               weft_handle_index(f, handle) >= world->entities.index_count) {
        write_text(world, "entity %s was never one of this world", entity.text);
    } else {
        write_text(world, "entity %s is not alive: it was despawned, or is of another world",
                   entity.text);
    }
}

static void report_full(weft_world *world)
{
    const weft_entities *entities = &world->entities;
    uint32_t live = weft_entities_live(entities);
    uint32_t used = entities->index_count - entities->free_count;
    if (live >= entities->live_limit) {
        write_text(world,
                   "no room: %" PRIu32
                   " entities are alive, as many as max_entities in the schema allows",
                   live);
    } else if (entities->free_count <= entities->wait &&
               entities->index_count == entities->index_limit) {
        write_text(world,
                   "no room: all %" PRIu32 " indices are taken (%" PRIu32 " alive, %" PRIu32
                   " wait for reuse, %" PRIu32
                   " retired); recycle retired ones, or raise index_bits",
                   entities->index_limit, live, entities->free_count, entities->retired);
    } else {
        write_text(world,
                   "no room for %" PRIu64 " more: %" PRIu32 " of at most %" PRIu32
                   " entities are alive, %" PRIu32 " of %" PRIu32 " indices are in use or retired",
                   world->wanted, live, entities->live_limit, used, entities->index_limit);
    }
}

// Returns the component that `other` keeps out: the one that was to be added, or the innermost of
// those it requires.
static uint16_t kept_out(const weft_world *world, const weft_refusal *refusal)
{
    const weft_plan *plan = world->plan;
    const weft_component_plan *components = plan->components;
    uint16_t found = refusal->component;
    for (uint16_t c = 0; c < plan->component_count; c++) {
        if (weft_set_has(components[found].closure, c) &&
            weft_set_has(components[c].conflicts, refusal->other)) {
            found = c;
        }
    }
    return found;
}

static void report_excluded(weft_world *world, const weft_refusal *refusal)
{
    entity_text entity = entity_words(world, refusal->handle);
    const char *component = name_of(world, refusal->component);
    const char *other = name_of(world, refusal->other);
    uint16_t kept = kept_out(world, refusal);
    if (kept == refusal->component) {
        write_text(
            world,
            "'%s' cannot be added to entity %s, which has '%s': never both; remove '%s' first",
            component, entity.text, other, other);
    } else {
        write_text(
            world,
            "'%s' cannot be added to entity %s: it requires '%s', which cannot be together with "
            "'%s'; remove '%s' first",
            component, entity.text, name_of(world, kept), other, other);
    }
}

static void report_refused(weft_world *world, const weft_refusal *refusal)
{
    entity_text entity = entity_words(world, refusal->handle);
    const char *component = name_of(world, refusal->component);
    const char *other = name_of(world, refusal->other);
    if (refusal->excluded) {
        report_excluded(world, refusal);
    } else if (weft_set_has(world->plan->components[refusal->component].closure, refusal->other)) {
        write_text(
            world,
            "'%s' cannot be put on entity %s, which lacks '%s': it requires it, and a put brings "
            "nothing along; record a command instead",
            component, entity.text, other);
    } else {
        write_text(world,
                   "'%s' cannot be removed from entity %s: '%s' requires it; remove '%s' first",
                   component, entity.text, other, other);
    }
}

static void report_no_memory(weft_world *world, const weft_refusal *refusal)
{
    entity_text entity = entity_words(world, refusal->handle);
    if (refusal->handle == 0 && refusal->component != WEFT_NONE) {
        write_text(world, "no memory to put '%s' on entities", name_of(world, refusal->component));
    } else if (refusal->handle == 0) {
        write_text(world, "no memory for more entities");
    } else if (refusal->component == WEFT_NONE) {
        write_text(world, "no memory to change entity %s", entity.text);
    } else {
        write_text(world, "no memory to change '%s' of entity %s",
                   name_of(world, refusal->component), entity.text);
    }
}

static void report_refusal(weft_world *world)
{
    const weft_refusal *refusal = &world->refusal;
    switch (refusal->status) {
    case WEFT_OK:
        write_text(world, "%s", "");
        break;
    case WEFT_NO_MEMORY:
        report_no_memory(world, refusal);
        break;
    case WEFT_FULL:
        report_full(world);
        break;
    case WEFT_DEAD:
        report_dead(world, refusal->handle);
        break;
    case WEFT_REFUSED:
        report_refused(world, refusal);
        break;
    case WEFT_NOT_FOUND:
        write_text(world, "entity %s has no '%s'", entity_words(world, refusal->handle).text,
                   name_of(world, refusal->component));
        break;
    case WEFT_BUSY: // these have the caller's own words, see weft_report
    case WEFT_BAD_VALUE:
    case WEFT_IO:
    case WEFT_BAD_FILE:
    case WEFT_MISMATCH:
        write_text(world, "%s", weft_status_text(refusal->status));
        break;
    }
}

const char *weft_world_error(weft_world *world)
{
    if (!world->reported) report_refusal(world);
    world->reported = true;
    return world->error_text;
}

// ------------------------------------------------------------------------------------------------
// Refusing

bool weft_refuse(weft_world *world, weft_refusal refusal)
{
    weft_world_lock(world);
    world->refusal = refusal;
    world->reported = false;
    if (world->log) world->log(world->user, weft_world_error(world));
    weft_world_unlock(world);
    return false;
}

bool weft_drop(weft_world *world, weft_refusal refusal)
{
    weft_world_lock(world);
    world->commands_dropped++;
    weft_refuse(world, refusal);
    weft_world_unlock(world);
    return false;
}

bool weft_refuse_space(weft_world *world, weft_refusal refusal)
{
    weft_world_changed(world);
    return weft_refuse(world, refusal);
}

weft_status weft_report(weft_world *world, weft_status status, const char *format, ...)
{
    va_list arguments;
    weft_world_lock(world);
    va_start(arguments, format);
    int about = world->about ? snprintf(world->error_text, sizeof world->error_text,
                                        "'%.*s': ", WEFT_SHOWN_PATH_BYTES, world->about)
                             : 0;
    vsnprintf(world->error_text + about, sizeof world->error_text - (size_t)about, format,
              arguments);
    va_end(arguments);
    world->refusal = weft_refusal_of(status, WEFT_NONE, 0);
    world->reported = true;
    if (world->log) world->log(world->user, world->error_text);
    weft_world_unlock(world);
    return status;
}

void weft_report_stale(const weft_world *world, const char *what)
{
    weft_report((weft_world *)(uintptr_t)world, WEFT_REFUSED,
                "%s was used after a structural change, and ended there: begin it anew, or "
                "change by commands what it goes over",
                what);
}

// These refusals are put into words at once, since they are too rare for a place in weft_refusal.
bool weft_refuse_link(weft_world *world, weft_status status, uint32_t relation, uint64_t child,
                      uint64_t parent)
{
    weft_place at;
    const char *name = world->plan->schema->relations[relation].name;
    entity_text one = entity_words(world, child);
    entity_text other = entity_words(world, parent);
    bool lives = weft_find(&world->entities, world->plan->format, child, &at);
    if (status == WEFT_REFUSED && child == parent) {
        weft_report(world, status, "entity %s cannot be attached to itself by '%s'", one.text,
                    name);
    } else if (status == WEFT_REFUSED) {
        weft_report(world, status,
                    "entity %s cannot be attached to %s by '%s': that is below it already; "
                    "detach that first",
                    one.text, other.text, name);
    } else if (status == WEFT_NOT_FOUND) {
        weft_report(world, status, "entity %s has no parent by '%s'", one.text, name);
    } else if (status == WEFT_NO_MEMORY) {
        weft_refuse_space(world, weft_refusal_of(status, WEFT_NONE, child));
    } else {
        weft_refuse(world, weft_refusal_of(status, WEFT_NONE, lives ? parent : child));
    }
    return false;
}

bool weft_busy_refused(weft_world *world, const char *call)
{
    if (world->running == WEFT_HOOK_RUNS) {
        weft_report(world, WEFT_BUSY, "a hook runs: %s", call);
    } else {
        weft_report(world, WEFT_BUSY, "phase '%s' runs: %s",
                    world->plan->schema->phases[world->running - 1], call);
    }
    WEFT_ASSERT(world->running, ==, 0, weft_world_error(world));
    return true;
}
