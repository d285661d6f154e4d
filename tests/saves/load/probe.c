// Carries out a script on a world of any schema, line by line, and prints what the script asks for.
// Entities are named by their order of spawning, from 0. Tests never let an index be used again.
#include "probe.h"
#include "evolve.h"
#include "weft_json.h"
#include "weft_reflect.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_BYTES = 4096 };

static evolve_world *evolve;

static weft_world *world(void)
{
    return evolve_world_base(evolve);
}

// `5`, or `5:2` for another generation than the first.
static uint64_t handle_of(const char *name)
{
    char *end;
    if (strcmp(name, "-") == 0) return 0; // none: a singleton
    uint32_t index = (uint32_t)strtoul(name, &end, 10);
    uint32_t generation = *end == ':' ? (uint32_t)strtoul(end + 1, NULL, 10) : 1;
    return weft_handle(world()->plan->format, index, generation);
}

static void answer(weft_status status)
{
    if (status == WEFT_OK) return;
    printf("%s: %s\n", weft_status_text(status), evolve_error(evolve));
}

static void print_entity(uint64_t handle)
{
    if (handle == 0)
        printf("none\n");
    else
        printf("entity %" PRIu32 "\n", weft_handle_index(world()->plan->format, handle));
}

static void get(uint64_t handle, const char *path)
{
    double number;
    char text[LINE_BYTES];
    uint64_t other;
    if (weft_field_get(world(), handle, path, WEFT_TYPE_CHAR, text, sizeof text) == WEFT_OK) {
        printf("%s\n", text);
    } else if (weft_field_get(world(), handle, path, WEFT_TYPE_ENTITY, &other, sizeof other) ==
               WEFT_OK) {
        print_entity(other);
    } else {
        weft_status status = weft_field_get_number(world(), handle, path, &number);
        answer(status);
        if (status == WEFT_OK) printf("%.17g\n", number);
    }
}

// `i64 -5` or `u64 5`: in all its digits, which a double has not.
static weft_status set_whole(uint64_t handle, const char *path, const char *value)
{
    bool is_signed = value[0] == 'i';
    const char *digits = value + strlen("i64 ");
    uint64_t bits = is_signed ? (uint64_t)strtoll(digits, NULL, 10) : strtoull(digits, NULL, 10);
    return weft_field_set(world(), handle, path, is_signed ? WEFT_TYPE_I64 : WEFT_TYPE_U64, &bits,
                          sizeof bits);
}

// A relation by its name; without one the first.
static uint32_t relation_of(const char *name)
{
    const weft_schema *schema = world()->plan->schema;
    uint32_t i = 0;
    while (name[0] != '\0' && i < schema->relation_count &&
           strcmp(schema->relations[i].name, name) != 0)
        i++;
    return i;
}

// A kind of links by its name, which ends at a space.
static uint32_t link_of(const char *name)
{
    const weft_schema *schema = world()->plan->schema;
    size_t length = strcspn(name, " ");
    uint32_t i = 0;
    while (i < schema->link_count && (strlen(schema->links[i].name) != length ||
                                      strncmp(schema->links[i].name, name, length) != 0))
        i++;
    return i;
}

// Adds a link. The text is its kind, and the first byte of its value.
static void tie(uint64_t from, uint64_t to, const char *text)
{
    unsigned char value[256] = {(unsigned char)atoi(text + strcspn(text, " "))};
    if (!weft_link_set(world(), link_of(text), from, to, value)) answer(WEFT_REFUSED);
}

static void print_tied(uint64_t from, uint64_t to, const char *name)
{
    const weft_format format = world()->plan->format;
    uint32_t link = link_of(name), size = world()->plan->links[link].size;
    const unsigned char *value = size ? weft_link_get(world(), format, link, size, from, to) : NULL;
    if (value) {
        printf("%u\n", (unsigned)value[0]);
    } else {
        puts(weft_link_has(world(), format, link, from, to) ? "yes" : "none");
    }
}

static void spawn(int times)
{
    for (int i = 0; i < times; i++) {
        if (evolve_spawn(evolve).bits == 0) answer(WEFT_FULL);
    }
}

static void save_and_compare(const char *path)
{
    uint64_t exact = evolve_hash_exact(evolve);
    answer(evolve_save(evolve, path));
    if (evolve_hash_exact(evolve) != exact) printf("saving changed the world\n");
}

// Saves all entities as a part.
static void save_part_of_all(const char *path, bool away)
{
    static evolve_entity all[1024];
    const weft_world *w = world();
    size_t n = 0;
    for (uint32_t i = 0; i < w->entities.index_count && n < 1024; i++) {
        uint32_t generation = weft_record_at(&w->entities, w->plan->format, i).generation;
        if (generation == 0) continue;
        all[n++] = evolve_entity_of(weft_handle(w->plan->format, i, generation));
    }
    const evolve_part_options options = {.away = away};
    answer(evolve_part_save(evolve, all, n, &options, path));
}

// Loads a part as copies. They get the handles of the originals, if these were spawned in order.
static void load_part_and_compare(const char *path)
{
    uint64_t exact = evolve_hash_exact(evolve);
    weft_status status = evolve_part_load(evolve, path, NULL, NULL);
    if (status != WEFT_OK && evolve_hash_exact(evolve) != exact) printf("loading changed it\n");
    answer(status);
}

// A load that failed must not have changed anything.
static void load_and_compare(const char *path)
{
    uint64_t exact = evolve_hash_exact(evolve);
    weft_status status = evolve_load(evolve, path);
    answer(status);
    if (status != WEFT_OK && evolve_hash_exact(evolve) != exact) printf("loading changed it\n");
}

static weft_status write_text(void *to, const char *text, size_t bytes)
{
    return fwrite(text, 1, bytes, (FILE *)to) == bytes ? WEFT_OK : WEFT_IO;
}

static void write_json(const char *path)
{
    FILE *file = fopen(path, "w");
    answer(file ? weft_json_world_write(world(), write_text, file) : WEFT_IO);
    if (file) fclose(file);
}

static void read_json(const char *path)
{
    static char text[1 << 16];
    FILE *file = fopen(path, "r");
    size_t bytes = file ? fread(text, 1, sizeof text, file) : 0;
    answer(weft_json_world_read(world(), text, bytes));
    if (file) fclose(file);
}

static void obey(const char *verb, const char *who, const char *path, const char *value)
{
    uint64_t handle = handle_of(who);
    if (strcmp(verb, "spawn") == 0) {
        spawn(atoi(who));
    } else if (strcmp(verb, "despawn") == 0) {
        evolve_despawn(evolve, (evolve_entity){(evolve_bits)handle});
    } else if (strcmp(verb, "spawn_at") == 0) {
        answer(evolve_spawn_at(evolve, (evolve_entity){(evolve_bits)handle}));
    } else if (strcmp(verb, "add") == 0) {
        answer(weft_component_add_by_name(world(), handle, path));
    } else if (strcmp(verb, "remove") == 0) {
        answer(weft_component_remove_by_name(world(), handle, path));
    } else if (strcmp(verb, "has") == 0) {
        printf("%s\n", weft_component_has_by_name(world(), handle, path) ? "yes" : "no");
    } else if (strcmp(verb, "get") == 0) {
        get(handle, path);
    } else if (strcmp(verb, "set") == 0) {
        answer(weft_field_set_number(world(), handle, path, strtod(value, NULL)));
    } else if (strcmp(verb, "whole") == 0) {
        answer(set_whole(handle, path, value));
    } else if (strcmp(verb, "text") == 0) {
        answer(weft_field_set(world(), handle, path, WEFT_TYPE_CHAR, value, strlen(value) + 1));
    } else if (strcmp(verb, "link") == 0) {
        uint64_t other = handle_of(value);
        answer(weft_field_set(world(), handle, path, WEFT_TYPE_ENTITY, &other, sizeof other));
    } else if (strcmp(verb, "attach") == 0) {
        weft_attach(world(), relation_of(value), handle, handle_of(path));
    } else if (strcmp(verb, "parent") == 0) {
        print_entity(weft_parent(world(), world()->plan->format, relation_of(path), handle));
    } else if (strcmp(verb, "tie") == 0) {
        tie(handle, handle_of(path), value);
    } else if (strcmp(verb, "tied") == 0) {
        print_tied(handle, handle_of(path), value);
    } else if (strcmp(verb, "stats") == 0) {
        weft_stats stats = evolve_stats(evolve);
        printf("%" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", stats.entities, stats.indices,
               stats.indices_free, stats.indices_retired);
    } else if (strcmp(verb, "hash") == 0) {
        printf("%016" PRIx64 " %016" PRIx64 "\n", evolve_hash(evolve), evolve_hash_exact(evolve));
    } else if (strcmp(verb, "ask") == 0) {
        probe_ask(evolve, who);
    } else if (strcmp(verb, "tick") == 0) {
        answer(evolve_tick(evolve, 1));
    } else if (strcmp(verb, "save") == 0) {
        save_and_compare(who);
    } else if (strcmp(verb, "part_save") == 0) {
        save_part_of_all(who, false);
    } else if (strcmp(verb, "part_away") == 0) {
        save_part_of_all(who, true);
    } else if (strcmp(verb, "part_load") == 0) {
        load_part_and_compare(who);
    } else if (strcmp(verb, "json") == 0) {
        write_json(who);
    } else if (strcmp(verb, "read") == 0) {
        read_json(who);
    } else if (strcmp(verb, "load") == 0) {
        load_and_compare(who);
    } else {
        printf("no verb '%s'\n", verb);
    }
}

int main(void)
{
    char line[LINE_BYTES], verb[64], who[LINE_BYTES], path[LINE_BYTES], value[LINE_BYTES];
    evolve = evolve_open(NULL);
    if (!evolve) return EXIT_FAILURE;
    while (fgets(line, sizeof line, stdin)) {
        verb[0] = who[0] = path[0] = value[0] = '\0';
        sscanf(line, "%63s %4095s %4095s %4095[^\n]", verb, who, path, value);
        if (verb[0] != '\0') obey(verb, who, path, value);
    }
    evolve_close(evolve);
    return EXIT_SUCCESS;
}
