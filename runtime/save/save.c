// Saving and loading as a whole.
#include "save.h"

#include "../change/apply.h"
#include "../record/hook.h"
#include "../run/lifecycle.h"
#include "../run/system.h"
#include "file.h"
#include "whole.h"

// Makes sure that no system runs and no command waits. Commands that fail are counted and reported
// as ever; they are no reason not to save.
static bool prepare_save(weft_world *world)
{
    if (weft_busy(world, "save" WEFT_WAITS)) return false;
    (void)weft_commands_apply(world);
    return true;
}

static weft_status report_file(weft_world *world, const weft_file *file, const char *path)
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
    if (!prepare_save(world)) return WEFT_BUSY;
    weft_scratch scratch = {.heap = &world->heap};
    weft_sink sink = {.write = weft_file_write, .to = &file, .piece_bytes = WEFT_FILE_PIECE_BYTES};
    bool begun =
        weft_saver_open(&saver, world, &scratch) && weft_file_begin(&file, &world->heap, path);
    if (begun) weft_saver_write(&saver, weft_saver_count(&saver), &sink);
    if (!begun || !weft_file_end(&file, !sink.failed)) status = report_file(world, &file, path);
    weft_scratch_free(&scratch);
    return status;
}

static bool append_memory(void *to, const void *bytes, size_t count)
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
    if (!prepare_save(world)) return WEFT_BUSY;
    const weft_memory *hooks = &world->heap.hooks; // not the heap: the memory is the caller's
    weft_scratch scratch = {.heap = &world->heap};
    uint64_t size = weft_saver_open(&saver, world, &scratch) ? weft_saver_count(&saver) : 0;
    bool fits = size != 0 && size <= SIZE_MAX;
    unsigned char *at = fits ? (unsigned char *)hooks->allocate(hooks->user, (size_t)size) : NULL;
    if (at) {
        *bytes = at;
        *count = (size_t)size;
        weft_sink sink = {.write = append_memory, .to = &at, .piece_bytes = WEFT_PIECE_BYTES};
        weft_saver_write(&saver, size, &sink);
    }
    weft_scratch_free(&scratch);
    return *bytes ? WEFT_OK : weft_report(world, WEFT_NO_MEMORY, "no memory to save the world");
}

#define SWAP_MEMBER(type, a, b)                                                                    \
    do {                                                                                           \
        type kept = (a);                                                                           \
        (a) = (b);                                                                                 \
        (b) = kept;                                                                                \
    } while (0)

// Exchanges everything that the future depends on; hooks, buffers and counters stay. Singletons and
// clocks are copied: they are all that follows in the struct of the generated world.
static void exchange_states(weft_world *world, weft_world *loaded)
{
    SWAP_MEMBER(weft_entities, world->entities, loaded->entities);
    SWAP_MEMBER(weft_tables, world->tables, loaded->tables);
    SWAP_MEMBER(weft_query, world->every_table, loaded->every_table);
    SWAP_MEMBER(weft_table **, world->prefab_tables, loaded->prefab_tables);
    SWAP_MEMBER(weft_query *, world->queries, loaded->queries);
    SWAP_MEMBER(weft_sparse *, world->sparse, loaded->sparse);
    SWAP_MEMBER(struct weft_relation *, world->relations, loaded->relations);
    SWAP_MEMBER(struct weft_depth_order *, world->depth_orders, loaded->depth_orders);
    SWAP_MEMBER(struct weft_event_log *, world->events, loaded->events);
    SWAP_MEMBER(uint32_t *, world->heard, loaded->heard);
    SWAP_MEMBER(struct weft_removed *, world->removed, loaded->removed);
    SWAP_MEMBER(bool *, world->listening, loaded->listening);
    world->attached = loaded->attached;
    world->tick = loaded->tick;
    world->provisional.first = loaded->provisional.first;
    memcpy(world + 1, loaded + 1, world->plan->world_bytes - sizeof *world);
}

// Frees the world that is not needed. Memory may have changed hands, so one heap counts for both.
static void discard_world(weft_world *world, weft_world *loaded)
{
    loaded->heap.bytes += world->heap.bytes;
    loaded->every_table.count = 0; // so that no hook is called for its entities
    weft_world_close(loaded);
    weft_heap heap = loaded->heap;
    weft_free(&heap, loaded, world->plan->world_bytes);
    world->heap.bytes = heap.bytes;
}

// Calls on_add for everything there is, tables in canonical order.
static void tell_loaded(weft_world *world)
{
    for (uint32_t i = 0; i < world->every_table.count; i++) {
        const weft_table *table = world->every_table.tables[i];
        weft_hooks_added(world, table, 0, table->count);
    }
}

// Reads a save into a new world; the one at hand reports what is wrong. *loaded is NULL if there
// was no memory for it.
static weft_status read_new_world(weft_world *world, weft_world **loaded, const void *bytes,
                                  size_t count)
{
    weft_options options = {.memory = world->heap.hooks, .user = world->user};
    *loaded = weft_world_create(world->plan, world->plan->world_bytes, &options);
    if (!*loaded) return weft_report(world, WEFT_NO_MEMORY, "no memory to load the save");
    weft_scratch scratch = {.heap = &(*loaded)->heap};
    weft_loader loader = {
        .reporter = world, .into = *loaded, .scratch = scratch, .of_table = scratch};
    (void)weft_loader_read(&loader, bytes, count);
    weft_scratch_free(&loader.scratch);
    return loader.status;
}

// `path` is that of the file which the bytes are from; NULL: they are from memory.
static weft_status load_bytes(weft_world *world, const void *bytes, size_t count, const char *path)
{
    weft_world *loaded;
    world->about = path;
    weft_status status = read_new_world(world, &loaded, bytes, count);
    world->about = NULL;
    if (status == WEFT_OK) {
        weft_hooks_call_closing(world);
        weft_commands_drop(world);
        exchange_states(world, loaded);
    }
    if (loaded) discard_world(world, loaded);
    if (status != WEFT_OK) return status;
    weft_world_changed(world);
    tell_loaded(world);
    return WEFT_OK;
}

weft_status weft_world_load_memory(weft_world *world, const void *bytes, size_t count)
{
    return weft_busy(world, "load" WEFT_WAITS) ? WEFT_BUSY : load_bytes(world, bytes, count, NULL);
}

weft_status weft_world_load(weft_world *world, const char *path)
{
    weft_file file;
    size_t count;
    if (weft_busy(world, "load" WEFT_WAITS)) return WEFT_BUSY;
    void *bytes = weft_file_read(&file, &world->heap, path, &count);
    if (!bytes) return report_file(world, &file, path);
    weft_status status = load_bytes(world, bytes, count, path);
    weft_free(&world->heap, bytes, count + 1);
    return status;
}
