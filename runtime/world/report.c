// A refusal is stored, and reported in words: the request, the reason, and a remedy if there is
// one. The text is made only when the game asks for it, or for the log hook.
#include "report.h"

#include "../base/utf8.h"
#include "writer.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

WEFT_THREAD_LOCAL weft_running weft_here;

const char *weft_status_text(weft_status status)
{
    static const char *const texts[] = {
        [WEFT_OK] = "ok",
        [WEFT_NO_MEMORY] = "no memory",
        [WEFT_FULL] = "no room for another entity or event",
        [WEFT_BUSY] = "a phase or a hook runs, or a save is written",
        [WEFT_DEAD] = "the entity is not alive",
        [WEFT_REFUSED] = "the rules forbid it",
        [WEFT_NOT_FOUND] = "not found",
        [WEFT_BAD_VALUE] = "not a value it can have",
        [WEFT_IO] = "a file cannot be read or written",
        [WEFT_BAD_FILE] = "no save, or a damaged one",
        [WEFT_MISMATCH] = "the schema cannot take that save",
    };
    WEFT_NAMES_ALL(texts, WEFT_MISMATCH);
    size_t count = sizeof texts / sizeof texts[0];
    return (size_t)status < count ? texts[status] : "no status of Weft";
}

// ------------------------------------------------------------------------------------------------
// Words

static const char *name_of(const weft_world *world, uint16_t component)
{
    return component == WEFT_NONE ? "" : world->plan->schema->components[component].name;
}

// Returns the component that `other` excludes: the component to be added, or the innermost excluded
// one of those that it requires.
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

// Fills in a message: @e is the entity of the last refusal, @c its component, @o the other
// component, and @k the excluded one.
static void fill_in(weft_world *world, const char *words)
{
    const weft_refusal *refusal = &world->report.refusal;
    const weft_handle_text entity = weft_handle_as_text(world->plan->format, refusal->handle);
    size_t used = 0;
    while (*words != '\0' && used < sizeof world->report.text) {
        const char *text = words;
        size_t length = strcspn(words, "@");
        words += length;
        if (length == 0) {
            text = words[1] == 'e'   ? entity.text
                   : words[1] == 'c' ? name_of(world, refusal->component)
                   : words[1] == 'o' ? name_of(world, refusal->other)
                                     : name_of(world, kept_out(world, refusal));
            length = strlen(text);
            words += 2;
        }
        snprintf(world->report.text + used, sizeof world->report.text - used, "%.*s", (int)length,
                 text);
        used += length;
    }
}

static const char *dead_words(const weft_world *world, uint64_t handle)
{
    weft_format f = world->plan->format;
    uint64_t generation = handle >> f.index_bits;
    if (handle == 0) return "no entity: the handle is none";
    if (generation == 0) {
        return "entity @e is not alive: only later commands of the buffer that spawns it can name "
               "it";
    }
    if (generation > weft_generation_max(f) ||
        weft_handle_index(f, handle) >= world->entities.index_count) {
        return "entity @e was never one of this world";
    }
    if (weft_is_away(&world->entities, f, handle)) {
        return "entity @e is away: load the part file that it was saved to";
    }
    return "entity @e is not alive: it was despawned, or is of another world";
}

static const char *refused_words(const weft_world *world, const weft_refusal *refusal)
{
    const uint64_t *closure = world->plan->components[refusal->component].closure;
    if (refusal->excluded && kept_out(world, refusal) == refusal->component) {
        return "'@c' cannot be added to entity @e, which has '@o': never both; remove '@o' first";
    }
    if (refusal->excluded) {
        return "'@c' cannot be added to entity @e: it requires '@k', which cannot be together with "
               "'@o'; remove '@o' first";
    }
    if (weft_set_has(closure, refusal->other)) {
        return "'@c' cannot be set on entity @e, which lacks '@o': it requires it, and a tag "
               "write brings nothing along; record a command instead";
    }
    return "'@c' cannot be removed from entity @e: '@o' requires it; remove '@o' first";
}

static const char *no_memory_words(const weft_refusal *refusal)
{
    bool named = refusal->component != WEFT_NONE;
    if (refusal->handle == 0) {
        return named ? "no memory to change '@c' of entities" : "no memory for more entities";
    }
    return named ? "no memory to change '@c' of entity @e" : "no memory to change entity @e";
}

static void report_full(weft_world *world)
{
    const weft_entities *entities = &world->entities;
    const size_t bytes = sizeof world->report.text;
    uint32_t live = weft_entities_taken(entities);
    uint32_t used = entities->index_count - entities->free_count;
    if (live >= entities->live_limit) {
        snprintf(world->report.text, bytes,
                 "no room: %" PRIu32
                 " entities are alive%s, as many as max_entities in the schema allows",
                 live, entities->promised == 0 ? "" : " or about to be");
    } else if (entities->free_count <= entities->wait &&
               entities->index_count == entities->index_limit) {
        snprintf(world->report.text, bytes,
                 "no room: all %" PRIu32 " indices are taken (%" PRIu32 " alive, %" PRIu32
                 " wait for reuse, %" PRIu32 " retired); recycle retired ones, or raise index_bits",
                 entities->index_limit, live, entities->free_count, entities->retired);
    } else {
        snprintf(world->report.text, bytes,
                 "no room for %" PRIu64 " more: %" PRIu32 " of at most %" PRIu32
                 " entities are alive, %" PRIu32 " of %" PRIu32 " indices are in use or retired",
                 world->report.wanted, live, entities->live_limit, used, entities->index_limit);
    }
}

// A status that the caller reports in its own words (weft_report) does not occur here.
static void report_refusal(weft_world *world)
{
    const weft_refusal *refusal = &world->report.refusal;
    weft_status status = refusal->status;
    const char *words = status == WEFT_OK          ? ""
                        : status == WEFT_NO_MEMORY ? no_memory_words(refusal)
                        : status == WEFT_DEAD      ? dead_words(world, refusal->handle)
                        : status == WEFT_REFUSED   ? refused_words(world, refusal)
                        : status == WEFT_NOT_FOUND ? "entity @e has no '@c'"
                                                   : weft_status_text(status);
    world->report.text[0] = '\0';
    fill_in(world, words);
    if (status == WEFT_FULL) report_full(world);
}

const char *weft_world_error(weft_world *world)
{
    if (!world->report.reported) report_refusal(world);
    world->report.reported = true;
    return world->report.text;
}

// ------------------------------------------------------------------------------------------------
// Refusing

// Debug builds print refusals if there is no log hook.
#ifdef NDEBUG
#define PRINTS false
#else
#define PRINTS true
#endif

// Returns the FNV-1a hash of a text without its digits, so that messages with different numbers are
// equal.
static uint32_t words_hash(const char *text)
{
    uint32_t hash = 2166136261u;
    for (; *text != '\0'; text++) {
        if (*text < '0' || *text > '9') hash = (hash ^ (unsigned char)*text) * 16777619u;
    }
    return hash;
}

// Writes a line to stderr in debug builds, so that the programmer sees refusals without a log hook.
static void print_line(const weft_world *world, const char *line)
{
    if (PRINTS) fprintf(stderr, "world '%s': %s\n", world->plan->schema->name, line);
}

// Reports the last refusal to the log hook, or prints it if there is no hook. A game repeats its
// mistakes in every tick, so for messages with the same words only the first, second, fourth,
// eighth … is reported.
static void tell_log(weft_world *world)
{
    if (!world->report.log && !PRINTS) return;
    const char *text = weft_world_error(world);
    uint32_t words = words_hash(text);
    weft_repeat *repeat = &world->report.repeats[words % WEFT_REPEATS];
    if (repeat->words != words) *repeat = (weft_repeat){words, 0};
    uint64_t count = ++repeat->count;
    if ((count & (count - 1)) != 0) return;
    char line[sizeof world->report.text + 64];
    snprintf(line, sizeof line, "%s (%" PRIu64 " of this kind so far)", text, count);
    const char *told = count == 1 ? text : line;
    if (world->report.log) {
        world->report.log(world->user, told);
    } else {
        print_line(world, told);
    }
}

bool weft_refuse(weft_world *world, weft_refusal refusal)
{
    weft_world_lock(world);
    world->report.refusal = refusal;
    world->report.reported = false;
    tell_log(world);
    weft_world_unlock(world);
    return false;
}

bool weft_drop(weft_world *world, weft_refusal refusal)
{
    weft_world_lock(world);
    world->commands.dropped++;
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
    char words[sizeof world->report.text];
    weft_world_lock(world);
    va_start(arguments, format);
    int about =
        world->report.about
            ? snprintf(words, sizeof words, "'%.*s': ", WEFT_SHOWN_PATH_BYTES, world->report.about)
            : 0;
    vsnprintf(words + about, sizeof words - (size_t)about, format, arguments);
    va_end(arguments);
    weft_utf8_show(words, world->report.text, sizeof world->report.text);
    world->report.refusal = weft_refusal_of(status, WEFT_NONE, 0);
    world->report.reported = true;
    tell_log(world);
    weft_world_unlock(world);
    return status;
}

bool weft_given(weft_world *world, const void *pointer, const char *call, const char *name)
{
    if (WEFT_LIKELY(pointer != NULL)) return true;
    if (world) weft_report(world, WEFT_BAD_VALUE, "%s: '%s' is NULL", call, name);
    WEFT_ASSERT((uintptr_t)pointer, !=, (uintptr_t)0, world ? weft_world_error(world) : call);
    return false;
}

bool weft_state_has(weft_world *world, const char *state, uint32_t value, uint32_t count)
{
    if (value < count) return true;
    weft_report(world, WEFT_BAD_VALUE, "state '%s' has no value %" PRIu32, state, value);
    WEFT_ASSERT(value, <, count, weft_world_error(world));
    return false;
}

// Reports what runs, followed by `words`.
static void report_running(weft_world *world, const char *words)
{
    if (world->now.running == WEFT_HOOK_RUNS) {
        weft_report(world, WEFT_BUSY, "a hook runs: %s", words);
    } else if (world->now.running == WEFT_QUERY_RUNS) {
        weft_report(world, WEFT_BUSY, "a query runs in parts: %s", words);
    } else if (world->now.running == WEFT_SORT_RUNS) {
        weft_report(world, WEFT_BUSY, "rows are compared to sort them: %s", words);
    } else {
        const char *phase = world->plan->schema->phases[world->now.running - 1];
        const char *system = weft_here.world == world ? weft_here.system : "";
        weft_report(world, WEFT_BUSY, "phase '%s' runs%s%s%s: %s", phase,
                    *system == '\0' ? "" : ", system '", system, *system == '\0' ? "" : "'", words);
    }
}

void weft_moment_passed(const weft_world *world, uint64_t begun, const char *what)
{
    weft_world *reported = (weft_world *)(uintptr_t)world;
    struct {
        uint32_t version;
        uint32_t during;
    } then;
    memcpy(&then, &begun, sizeof then);
    if (begun == WEFT_NO_MOMENT) return;
    if (then.during == world->now.during) {
        weft_report(reported, WEFT_REFUSED,
                    "%s was used after a structural change, and ended there: begin it anew, or "
                    "change by commands what it goes over",
                    what);
    } else if (weft_world_is_running(world)) {
        char words[160];
        (void)snprintf(words, sizeof words,
                       "%s that was begun before that was used, and ended there: begin one through "
                       "the ctx of a system that lists the query",
                       what);
        report_running(reported, words);
    } else {
        weft_report(reported, WEFT_REFUSED,
                    "%s was used after the turn or the hook in which it was begun, and ended there",
                    what);
    }
    WEFT_ASSERT(begun, ==, weft_moment(world), weft_world_error(reported));
}

// These refusals are converted to text at once, because they are too rare for members in
// weft_refusal.
bool weft_refuse_link(weft_world *world, weft_status status, uint32_t relation, uint64_t child,
                      const char *how, uint64_t other)
{
    weft_place at;
    const char *name = world->plan->schema->relations[relation].name;
    weft_handle_text one = weft_handle_as_text(world->plan->format, child);
    weft_handle_text to = weft_handle_as_text(world->plan->format, other);
    bool itself = child == other;
    if (status == WEFT_REFUSED) {
        weft_report(world, status, "entity %s cannot be %s %s by '%s'%s", one.text, how,
                    itself ? "itself" : to.text, name,
                    itself ? "" : ": that is below it already; detach that first");
    } else if (status == WEFT_NOT_FOUND) {
        weft_report(world, status, "entity %s has no parent by '%s'", to.text, name);
    } else if (status == WEFT_NO_MEMORY) {
        weft_refuse_space(world, weft_refusal_of(status, WEFT_NONE, child));
    } else {
        bool lives = weft_find(&world->entities, world->plan->format, child, &at);
        weft_refuse(world, weft_refusal_of(status, WEFT_NONE, lives ? other : child));
    }
    return false;
}

bool weft_refuse_ends(weft_world *world, weft_status status, uint32_t link, uint64_t from,
                      uint64_t to)
{
    weft_place at;
    weft_handle_text one = weft_handle_as_text(world->plan->format, from);
    weft_handle_text other = weft_handle_as_text(world->plan->format, to);
    if (status == WEFT_NOT_FOUND) {
        weft_report(world, status, "there is no link '%s' from entity %s to entity %s",
                    world->plan->schema->links[link].name, one.text, other.text);
    } else if (status == WEFT_NO_MEMORY) {
        weft_refuse_space(world, weft_refusal_of(status, WEFT_NONE, from));
    } else {
        bool lives = weft_find(&world->entities, world->plan->format, from, &at);
        weft_refuse(world, weft_refusal_of(status, WEFT_NONE, lives ? to : from));
    }
    return false;
}

bool weft_busy_refused(weft_world *world, const char *call)
{
    if (!weft_world_is_running(world)) {
        world->observers.insight->calls(world, call);
        return false;
    }
    report_running(world, call);
    WEFT_ASSERT(weft_world_is_running(world), ==, false, weft_world_error(world));
    return true;
}

weft_place weft_place_edited(weft_world *world, uint64_t handle, const char *call)
{
    weft_place at = {UINT32_MAX, 0};
    if (!weft_busy(world, call)) weft_find(&world->entities, world->plan->format, handle, &at);
    return at;
}
