// Saving and loading as a whole.
#include "save.h"

#include "../change/apply.h"
#include "../record/hook.h"
#include "../run/lifecycle.h"
#include "../run/system.h"
#include "file.h"
#include "read.h"
#include "write.h"

#include <inttypes.h>

// ------------------------------------------------------------------------------------------------
// Saving

// What stands before every save: nothing runs, and nothing waits to be applied. A command that
// comes to nothing is counted and said as ever, and is no reason for the world not to be saved.
static bool ready(weft_world *world)
{
    if (weft_busy(world, "save" WEFT_WAITS)) return false;
    (void)weft_commands_apply(world);
    return true;
}

static weft_status say_file(weft_world *world, const weft_file *file, const char *path)
{
    if (!file->failed) {
        return weft_report(world, WEFT_NO_MEMORY, "no memory for the save '%.*s'",
                           WEFT_SHOWN_PATH_BYTES, path);
    }
    return weft_report(world, WEFT_IO, "the save '%.*s' cannot %s: %s", WEFT_SHOWN_PATH_BYTES,
                       path ? path : "", file->failed, file->why);
}

weft_status weft_world_save(weft_world *world, const char *path)
{
    weft_saver saver;
    weft_file file = {.failed = NULL};
    weft_status status = WEFT_OK;
    if (!ready(world)) return WEFT_BUSY;
    weft_scratch scratch = {.heap = &world->heap};
    weft_sink sink = {.write = weft_file_write, .to = &file, .piece_bytes = WEFT_FILE_PIECE_BYTES};
    bool begun =
        weft_saver_open(&saver, world, &scratch) && weft_file_begin(&file, &world->heap, path);
    if (begun) weft_saver_put(&saver, &sink);
    if (!begun || !weft_file_end(&file, !sink.failed)) status = say_file(world, &file, path);
    weft_scratch_free(&scratch);
    return status;
}

static bool write_memory(void *to, const void *bytes, size_t count)
{
    unsigned char **at = (unsigned char **)to;
    memcpy(*at, bytes, count);
    *at += count;
    return true;
}

weft_status weft_world_save_memory(weft_world *world, void **bytes, size_t *count)
{
    weft_saver saver;
    *bytes = NULL;
    *count = 0;
    weft_status status = WEFT_OK;
    if (!ready(world)) return WEFT_BUSY;
    const weft_memory *hooks =
        &world->heap.hooks; // the caller's from here on, so it is not counted
    weft_scratch scratch = {.heap = &world->heap};
    bool opened = weft_saver_open(&saver, world, &scratch) && saver.bytes <= SIZE_MAX;
    void *memory = opened ? hooks->allocate(hooks->user, (size_t)saver.bytes) : NULL;
    if (memory) {
        unsigned char *at = (unsigned char *)memory;
        weft_sink sink = {.write = write_memory, .to = &at, .piece_bytes = WEFT_PIECE_BYTES};
        weft_saver_put(&saver, &sink);
        *bytes = memory;
        *count = (size_t)saver.bytes;
    } else {
        status = weft_report(world, WEFT_NO_MEMORY, "no memory to save the world");
    }
    weft_scratch_free(&scratch);
    return status;
}

// ------------------------------------------------------------------------------------------------
// Loading

#define SWAP(type, a, b)                                                                           \
    do {                                                                                           \
        type kept = (a);                                                                           \
        (a) = (b);                                                                                 \
        (b) = kept;                                                                                \
    } while (0)

// Everything that the future depends on changes places; hooks, buffers and counters stay.
static void change_places(weft_world *world, weft_world *loaded)
{
    SWAP(weft_entities, world->entities, loaded->entities);
    SWAP(weft_tables, world->tables, loaded->tables);
    SWAP(weft_query, world->every_table, loaded->every_table);
    SWAP(weft_table **, world->prefab_tables, loaded->prefab_tables);
    SWAP(weft_query *, world->queries, loaded->queries);
    SWAP(weft_sparse *, world->sparse, loaded->sparse);
    SWAP(struct weft_relation *, world->relations, loaded->relations);
    SWAP(struct weft_depth_order *, world->depth_orders, loaded->depth_orders);
    SWAP(struct weft_event_log *, world->events, loaded->events);
    SWAP(uint32_t *, world->heard, loaded->heard);
    SWAP(struct weft_removed *, world->removed, loaded->removed);
    SWAP(bool *, world->listening, loaded->listening);
    world->attached = loaded->attached;
    world->tick = loaded->tick;
    world->provisional.first = loaded->provisional.first;
}

// Singletons and clocks lie in the generated struct.
static void copy_beside(weft_world *world, const weft_world *loaded)
{
    const weft_plan *plan = world->plan;
    for (uint32_t i = 0; i < plan->schema->singleton_count; i++) {
        const weft_singleton_info *info = &plan->schema->singletons[i];
        memcpy((unsigned char *)world + info->offset, (const unsigned char *)loaded + info->offset,
               info->size);
    }
    if (plan->clock_count == 0) return;
    memcpy(weft_world_clocks(world), weft_world_clocks(loaded),
           plan->clock_count * sizeof(weft_clock));
}

// Gives back what is left of a world; `world` counts the memory of both until then.
static void discard(weft_world *world, weft_world *loaded)
{
    loaded->heap.bytes += world->heap.bytes;
    loaded->every_table.count = 0; // nobody is told of its end
    weft_world_close(loaded);
    weft_heap heap = loaded->heap;
    weft_free(&heap, loaded, world->plan->world_bytes);
    world->heap.bytes = heap.bytes;
}

// on_add of all there is, tables in canonical order.
static void tell_born(weft_world *world)
{
    for (uint32_t i = 0; i < world->every_table.count; i++) {
        const weft_table *table = world->every_table.tables[i];
        weft_hooks_added(world, table, 0, table->count);
    }
}

// Reads a save into a world beside the one that says what is wrong. *loaded is NULL: no memory for
// it.
static weft_status read_beside(weft_world *world, weft_world **loaded, const void *bytes,
                               size_t count)
{
    weft_options options = {.memory = world->heap.hooks, .user = world->user};
    *loaded = weft_world_create(world->plan, world->plan->world_bytes, &options);
    if (!*loaded) return weft_report(world, WEFT_NO_MEMORY, "no memory to load the save");
    weft_scratch scratch = {.heap = &(*loaded)->heap};
    weft_loader loader = {.said = world, .into = *loaded, .scratch = scratch, .of_table = scratch};
    weft_status status = weft_loader_read(&loader, bytes, count);
    weft_scratch_free(&loader.scratch);
    return status;
}

// `path`: that of the file the bytes are from; NULL: from memory.
static weft_status load(weft_world *world, const void *bytes, size_t count, const char *path)
{
    weft_world *loaded;
    world->about = path;
    weft_status status = read_beside(world, &loaded, bytes, count);
    world->about = NULL;
    if (status == WEFT_OK) {
        weft_hooks_call_closing(world);
        weft_commands_drop(world);
        change_places(world, loaded);
        copy_beside(world, loaded);
    }
    if (loaded) discard(world, loaded);
    if (status != WEFT_OK) return status;
    weft_world_changed(world);
    tell_born(world);
    return WEFT_OK;
}

weft_status weft_world_load_memory(weft_world *world, const void *bytes, size_t count)
{
    return weft_busy(world, "load" WEFT_WAITS) ? WEFT_BUSY : load(world, bytes, count, NULL);
}

weft_status weft_world_load(weft_world *world, const char *path)
{
    weft_file file;
    size_t count;
    if (weft_busy(world, "load" WEFT_WAITS)) return WEFT_BUSY;
    void *bytes = weft_file_read(&file, &world->heap, path, &count);
    if (!bytes) return say_file(world, &file, path);
    weft_status status = load(world, bytes, count, path);
    weft_free(&world->heap, bytes, count + 1);
    return status;
}
