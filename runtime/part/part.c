// The calls of part files.
#include "part.h"

#include "../edit/leave.h"
#include "../record/hook.h"
#include "../save/file.h"
#include "../save/loader.h"
#include "../save/save.h"
#include "../world/report.h"
#include "../world/writer.h"
#include "../world/zone.h"
#include "arrive.h"

// ------------------------------------------------------------------------------------------------
// Saving

// Where a part is written to.
typedef struct part_target {
    const char *path; // NULL: to memory
    void **bytes;
    size_t *count;
} part_target;

static weft_status no_memory_for_part(weft_world *world)
{
    return weft_report(world, WEFT_NO_MEMORY, "no memory to save a part of the world");
}

static void take_out(weft_world *world, const weft_saved_part *part)
{
    weft_hooks_because(world, WEFT_BY_PART);
    weft_entities_leave(world, part->members, part->indices);
    weft_hooks_because(world, WEFT_BY_CALL);
}

// Refuses to write a file for nobody who leaves: the file may be the only place of those who left
// earlier.
static weft_status would_empty_file(weft_world *world, const char *path)
{
    return weft_report(world, WEFT_REFUSED,
                       "no entity leaves, because the set is empty: '%s' is not written, as it may "
                       "contain entities that are away",
                       path ? path : "");
}

static weft_status write_part(weft_world *world, weft_saved_part *part, const part_target *to)
{
    if (part->away && part->count == 0 && !to->bytes) return would_empty_file(world, to->path);
    if (part->away && !weft_away_ready(&world->entities, &world->heap))
        return no_memory_for_part(world);
    weft_status status = to->bytes ? weft_save_for_caller(world, part, to->bytes, to->count)
                                   : weft_save_file(world, part, to->path);
    if (status == WEFT_OK && part->away) take_out(world, part);
    return status;
}

// Saves a part after weft_save_prepare.
static weft_status save_part(weft_world *world, const weft_part_choice *choice,
                             const part_target *to)
{
    weft_saved_part part;
    weft_scratch scratch = {.heap = &world->heap};
    weft_status status = weft_saved_part_open(&part, world, &scratch, choice);
    if (status == WEFT_NO_MEMORY) no_memory_for_part(world);
    if (status == WEFT_OK) status = write_part(world, &part, to);
    weft_saved_part_close(&part, &world->heap);
    weft_scratch_free(&scratch);
    return status;
}

static bool has_set(weft_world *world, const weft_part_choice *choice)
{
    return choice->count == 0 || weft_given(world, choice->set, "part_save", "set");
}

weft_status weft_part_save(weft_world *world, const weft_part_choice *choice, const char *path)
{
    const part_target to = {.path = path};
    if (!has_set(world, choice)) return WEFT_BAD_VALUE;
    weft_status status = weft_save_prepare(world, "part_save" WEFT_WAITS);
    return status == WEFT_OK ? save_part(world, choice, &to) : status;
}

weft_status weft_part_save_memory(weft_world *world, const weft_part_choice *choice, void **bytes,
                                  size_t *count)
{
    const part_target to = {.bytes = bytes, .count = count};
    *bytes = NULL;
    *count = 0;
    if (!has_set(world, choice)) return WEFT_BAD_VALUE;
    weft_status status = weft_save_prepare(world, "part_save" WEFT_WAITS);
    return status == WEFT_OK ? save_part(world, choice, &to) : status;
}

static void list_query_rows(const weft_world *world, const weft_query *query,
                            weft_match_table match, weft_filter filter, unsigned char *handles)
{
    size_t bytes = world->plan->format.handle_bytes;
    weft_cursor c;
    weft_cursor_begin(&c, world, query);
    while (weft_next_run_apart(&c, match, filter, UINT32_MAX)) {
        const unsigned char *from = (const unsigned char *)weft_column(c.table, 0);
        memcpy(handles, from + c.first * bytes, c.count * bytes);
        handles += c.count * bytes;
    }
}

weft_status weft_query_part_save(weft_world *world, const weft_query *query, weft_match_table match,
                                 weft_filter filter, const weft_part_choice *choice,
                                 const char *path)
{
    const part_target to = {.path = path};
    weft_part_choice chosen = *choice;
    weft_status status = weft_save_prepare(world, "part_save" WEFT_WAITS);
    if (status != WEFT_OK) return status;
    chosen.count = weft_query_count(world, query, match, filter);
    size_t bytes = chosen.count * world->plan->format.handle_bytes;
    void *handles = weft_allocate(&world->heap, bytes);
    if (!handles && bytes != 0) return no_memory_for_part(world);
    if (bytes != 0) list_query_rows(world, query, match, filter, (unsigned char *)handles);
    chosen.set = handles;
    status = save_part(world, &chosen, &to);
    weft_free(&world->heap, handles, bytes);
    return status;
}

// ------------------------------------------------------------------------------------------------
// Loading

// `path` is the file that the bytes were read from, or NULL.
static weft_status load_part(weft_world *world, const void *bytes, size_t count, const char *path,
                             weft_map *map)
{
    weft_loader loader;
    world->report.about = path;
    weft_status status = weft_load_begin(world, &loader, bytes, count, true, true);
    weft_writer(world, WEFT_LOAD_WRITES, false);
    if (status == WEFT_OK) status = weft_part_arrive(world, &loader, map);
    weft_writer(world, NULL, false);
    world->report.about = NULL;
    weft_load_end(&loader);
    if (loader.into) weft_load_discard(world, loader.into, true);
    return status;
}

weft_status weft_part_load_memory(weft_world *world, const void *bytes, size_t count, weft_map *map)
{
    if (weft_busy(world, "part_load" WEFT_WAITS)) return WEFT_BUSY;
    weft_zone_begin(world, WEFT_ZONE_LOAD, 0, 0);
    weft_status status = load_part(world, bytes, count, NULL, map);
    weft_zone_end(world, WEFT_ZONE_LOAD, 0, 0);
    return status;
}

weft_status weft_part_load(weft_world *world, const char *path, weft_map *map)
{
    weft_file file;
    size_t count;
    if (weft_busy(world, "part_load" WEFT_WAITS)) return WEFT_BUSY;
    weft_zone_begin(world, WEFT_ZONE_LOAD, 0, 0);
    weft_save_wait_for_writer(world);
    void *bytes = weft_file_read(&file, &world->heap, path, &count);
    weft_status status =
        bytes ? load_part(world, bytes, count, path, map) : weft_save_report(world, &file, path);
    if (bytes) weft_free(&world->heap, bytes, count + 1);
    weft_zone_end(world, WEFT_ZONE_LOAD, 0, 0);
    return status;
}
