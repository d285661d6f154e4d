#include "sources.h"

#include "definitions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_NUMBER UINT32_MAX
#define SOURCE_KIND_MAX 16u // bytes, with the NUL; others are no kinds of declarations
#define SOURCE_NAME_MAX 64u

typedef struct source_file {
    char *path;      // whole
    char *name;      // below a folder of the option `source`, with that folder
    uint32_t number; // in the answer
} source_file;

// A definition of a system, or a declaration of a schema.
typedef struct source_place {
    uint32_t file;
    uint32_t line;
    uint32_t system;            // NO_NUMBER for a declaration
    char kind[SOURCE_KIND_MAX]; // of a declaration
    char name[SOURCE_NAME_MAX];
} source_place;

struct serve_sources {
    source_file *files;
    uint32_t file_count;
    uint32_t next; // the file that is read next
    size_t bytes;  // that were read
    uint32_t read; // files
    uint32_t left_off;
    source_place *places;
    uint32_t place_count;
    uint32_t problem_count;
    char problems[SERVE_SOURCE_FOLDERS_MAX + 1][SERVE_SOURCE_PATH_MAX];
};

// Where the files of a folder are added.
typedef struct source_listing {
    struct serve_sources *all;
    const char *folder;
} source_listing;

// The file in which definitions are looked for.
typedef struct source_reading {
    serve_state *state;
    uint32_t file;
} source_reading;

static void add_problem(struct serve_sources *all, const char *about, const char *words)
{
    if (all->problem_count > SERVE_SOURCE_FOLDERS_MAX) return;
    snprintf(all->problems[all->problem_count++], SERVE_SOURCE_PATH_MAX, "%.800s: %.200s", about,
             words);
}

// ------------------------------------------------------------------------------------------------
// Files

static bool is_schema_file(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && strcmp(dot, ".toml") == 0;
}

static bool is_source_file(const char *path)
{
    static const char *const ends[] = {".c", ".h", ".cc", ".cpp", ".cxx", ".hh", ".hpp", ".inl"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof ends / sizeof *ends; i++) {
        if (strcmp(dot, ends[i]) == 0) return true;
    }
    return is_schema_file(path);
}

static char *copied_text(const char *text)
{
    const size_t bytes = strlen(text) + 1;
    char *copy = (char *)malloc(bytes);
    if (copy) memcpy(copy, text, bytes);
    return copy;
}

static void add_file(void *user, const char *path, const char *below)
{
    const source_listing *listing = (const source_listing *)user;
    struct serve_sources *all = listing->all;
    char name[SERVE_SOURCE_PATH_MAX];
    if (!is_source_file(path)) return;
    const int bytes = snprintf(name, sizeof name, "%s/%s", listing->folder, below);
    const bool fits = bytes > 0 && (size_t)bytes < sizeof name;
    source_file file = {NULL, NULL, NO_NUMBER};
    if (fits && all->file_count < SERVE_SOURCE_FILES_MAX) {
        file.path = copied_text(path);
        file.name = copied_text(name);
    }
    if (file.path && file.name) {
        all->files[all->file_count++] = file;
        return;
    }
    free(file.path);
    free(file.name);
    all->left_off++;
}

static int by_path(const void *a, const void *b)
{
    return strcmp(((const source_file *)a)->path, ((const source_file *)b)->path);
}

// Removes files that were found twice, because one folder contains another.
static void drop_doubles(struct serve_sources *all)
{
    uint32_t kept = 0;
    if (all->file_count != 0) qsort(all->files, all->file_count, sizeof *all->files, by_path);
    for (uint32_t i = 0; i < all->file_count; i++) {
        if (kept != 0 && by_path(&all->files[kept - 1], &all->files[i]) == 0) {
            free(all->files[i].path);
            free(all->files[i].name);
        } else {
            all->files[kept++] = all->files[i];
        }
    }
    all->file_count = kept;
}

// Lists the files of all folders, which colons separate.
static void list_files(const serve_state *state, struct serve_sources *all)
{
    const char *at = state->options.source;
    for (uint32_t i = 0; i < SERVE_SOURCE_FOLDERS_MAX && *at != '\0'; i++) {
        char folder[SERVE_SOURCE_PATH_MAX];
        const size_t bytes = strcspn(at, ":");
        snprintf(folder, sizeof folder, "%.*s", (int)(bytes < 1000 ? bytes : 1000), at);
        source_listing listing = {all, folder};
        const char *problem = folder[0] ? state->files->list(folder, add_file, &listing) : NULL;
        if (problem) add_problem(all, folder, problem);
        at += bytes + (at[bytes] == ':');
    }
    drop_doubles(all);
}

// ------------------------------------------------------------------------------------------------
// Places

static void copy_word(char *copy, size_t capacity, serve_word word)
{
    snprintf(copy, capacity, "%.*s", (int)(word.bytes < capacity ? word.bytes : capacity - 1),
             word.text);
}

static source_place *add_place(const source_reading *reading, uint32_t line)
{
    struct serve_sources *all = reading->state->sources;
    if (all->place_count >= SERVE_SOURCE_PLACES_MAX) return NULL;
    source_place *place = &all->places[all->place_count++];
    *place = (source_place){.file = reading->file, .line = line, .system = NO_NUMBER};
    return place;
}

// Keeps the definition of a system: a function `<world>_<system>`.
static void take_function(void *user, serve_word name, uint32_t line)
{
    const source_reading *reading = (const source_reading *)user;
    const weft_schema *schema = reading->state->world->plan->schema;
    const size_t before = strlen(schema->name);
    if (name.bytes <= before + 1 || memcmp(name.text, schema->name, before) != 0 ||
        name.text[before] != '_') {
        return;
    }
    const serve_word system = {name.text + before + 1, name.bytes - before - 1};
    for (uint32_t i = 0; i < schema->system_count; i++) {
        const char *one = schema->systems[i].name;
        if (strlen(one) != system.bytes || memcmp(one, system.text, system.bytes) != 0) continue;
        source_place *place = add_place(reading, line);
        if (place) place->system = i;
    }
}

static void take_declaration(void *user, serve_word kind, serve_word name, uint32_t line)
{
    source_place place;
    if (kind.bytes >= sizeof place.kind || name.bytes >= sizeof place.name) return;
    source_place *kept = add_place((const source_reading *)user, line);
    if (!kept) return;
    copy_word(kept->kind, sizeof kept->kind, kind);
    copy_word(kept->name, sizeof kept->name, name);
}

// Returns whether a schema belongs to this world: it declares it, or it may be imported.
static bool is_of_world(const serve_state *state, const char *text, size_t bytes)
{
    serve_word world;
    const char *name = state->world->plan->schema->name;
    if (!serve_find_world(text, bytes, &world)) return true;
    return world.bytes == strlen(name) && memcmp(world.text, name, world.bytes) == 0;
}

static void read_file_of(serve_state *state, uint32_t file)
{
    struct serve_sources *all = state->sources;
    source_reading reading = {state, file};
    size_t bytes = 0;
    const char *path = all->files[file].path;
    char *text = all->bytes < SERVE_SOURCE_BYTES_MAX
                     ? state->files->read(path, SERVE_SOURCE_FILE_MAX, &bytes)
                     : NULL;
    if (!text) {
        all->left_off++;
        return;
    }
    all->bytes += bytes;
    all->read++;
    if (!is_schema_file(path))
        serve_find_functions(text, bytes, take_function, &reading);
    else if (is_of_world(state, text, bytes))
        serve_find_declarations(text, bytes, take_declaration, &reading);
    free(text);
}

// Reads files for as long as a request may take. At least one is read.
static void read_some(serve_state *state)
{
    struct serve_sources *all = state->sources;
    const double end = serve_now() + SERVE_SOURCE_SECONDS;
    while (all->next < all->file_count) {
        read_file_of(state, all->next++);
        if (serve_now() >= end) return;
    }
}

static void free_sources(struct serve_sources *all)
{
    for (uint32_t i = 0; i < all->file_count; i++) {
        free(all->files[i].path);
        free(all->files[i].name);
    }
    free(all->files);
    free(all->places);
    free(all);
}

void serve_sources_close(serve_state *state)
{
    if (state->sources) free_sources(state->sources);
    state->sources = NULL;
}

static bool begin_sources(serve_state *state)
{
    struct serve_sources *all = (struct serve_sources *)calloc(1, sizeof *all);
    if (!all) return false;
    all->files = (source_file *)calloc(SERVE_SOURCE_FILES_MAX, sizeof *all->files);
    all->places = (source_place *)calloc(SERVE_SOURCE_PLACES_MAX, sizeof *all->places);
    if (!all->files || !all->places) {
        free_sources(all);
        return false;
    }
    state->sources = all;
    list_files(state, all);
    return true;
}

// ------------------------------------------------------------------------------------------------
// The answer

// Returns why an editor's address cannot be used, or NULL.
static const char *distrust_editor(const char *editor)
{
    static const char *const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    static const char *const runs[] = {"javascript:", "data:", "vbscript:"};
    const size_t scheme = strspn(editor, letters);
    if (scheme == 0 || editor[strcspn(editor, ":/?#")] != ':') return "has no scheme";
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        size_t k = 0;
        while (runs[i][k] != '\0' && (editor[k] | 32) == (runs[i][k] | 32)) k++;
        if (runs[i][k] == '\0') return "would run a script";
    }
    return strstr(editor, "{path}") ? NULL : "lacks {path}";
}

static void add_problems(serve_call *call, const struct serve_sources *all, const char *editor)
{
    const char *problem = editor ? distrust_editor(editor) : NULL;
    serve_add_name(call->out, "editor");
    if (editor && !problem)
        serve_add_string(call->out, editor);
    else
        serve_add(call->out, "null");
    serve_add_name(call->out, "problems");
    serve_add(call->out, "[");
    for (uint32_t i = 0; i < all->problem_count; i++) {
        serve_add_comma(call->out);
        serve_add_string(call->out, all->problems[i]);
    }
    if (problem) {
        char words[SERVE_SOURCE_PATH_MAX];
        snprintf(words, sizeof words, "the editor's address '%.200s' %s", editor, problem);
        serve_add_comma(call->out);
        serve_add_string(call->out, words);
    }
    serve_add(call->out, "]");
}

// Adds the files that contain places, and gives each its number.
static void add_files(serve_text *out, struct serve_sources *all)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < all->file_count; i++) all->files[i].number = NO_NUMBER;
    serve_add_name(out, "files");
    serve_add(out, "[");
    for (uint32_t i = 0; i < all->place_count; i++) {
        source_file *file = &all->files[all->places[i].file];
        if (file->number != NO_NUMBER) continue;
        file->number = count++;
        serve_add_comma(out);
        serve_add(out, "{\"name\":");
        serve_add_string(out, file->name);
        serve_add_name(out, "path");
        serve_add_string(out, file->path);
        serve_add(out, "}");
    }
    serve_add(out, "]");
}

static void add_places_of(serve_text *out, const struct serve_sources *all, uint32_t system)
{
    serve_add_comma(out);
    serve_add(out, "[");
    for (uint32_t i = 0; i < all->place_count; i++) {
        const source_place *place = &all->places[i];
        if (place->system != system) continue;
        serve_add_comma(out);
        serve_print(out, "[%u,%u]", (unsigned)all->files[place->file].number,
                    (unsigned)place->line);
    }
    serve_add(out, "]");
}

static void add_systems_of(serve_text *out, const struct serve_sources *all, uint32_t count)
{
    serve_add_name(out, "systems");
    serve_add(out, "[");
    for (uint32_t i = 0; i < count; i++) add_places_of(out, all, i);
    serve_add(out, "]");
}

static void add_declared(serve_text *out, const struct serve_sources *all)
{
    serve_add_name(out, "declared");
    serve_add(out, "[");
    for (uint32_t i = 0; i < all->place_count; i++) {
        const source_place *place = &all->places[i];
        if (place->system != NO_NUMBER) continue;
        serve_add_comma(out);
        serve_print(out, "[\"%s\",\"%s\",%u,%u]", place->kind, place->name,
                    (unsigned)all->files[place->file].number, (unsigned)place->line);
    }
    serve_add(out, "]");
}

void serve_sources(serve_call *call)
{
    serve_state *state = call->state;
    serve_text *out = call->out;
    const char *source = state->options.source;
    if (!source || !state->files) {
        serve_add(out, "null");
        return;
    }
    if (!state->sources && !begin_sources(state)) {
        serve_refuse(call, SERVE_REFUSED, "there is no memory for the sources");
        return;
    }
    read_some(state);
    struct serve_sources *all = state->sources;
    if (all->next < all->file_count) {
        serve_print(out, "{\"making\":%.3f}", (double)all->next / all->file_count);
        return;
    }
    serve_print(out, "{\"making\":null,\"read\":%u,\"left_off\":%u", (unsigned)all->read,
                (unsigned)all->left_off);
    add_problems(call, all, state->options.editor);
    add_files(out, all);
    add_systems_of(out, all, call->world->plan->schema->system_count);
    add_declared(out, all);
    serve_add(out, "}");
}
