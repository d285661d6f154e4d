// The copy of a world, and the thread that writes it.
#include "background.h"

#include "../world/report.h"
#include "../world/zone.h"
#include "file.h"
#include "save.h"

#include <stdio.h>

#define WHY_BYTES 128 // of the system's error text, with the NUL

struct weft_background {
    weft_file file;
    const void *copy;
    size_t bytes;
    bool written;
    char why[WHY_BYTES];
    char path[WEFT_PATH_BYTES_MAX];
};

// ------------------------------------------------------------------------------------------------
// On the thread

static bool write_pieces(weft_file *file, const unsigned char *at, size_t bytes)
{
    while (bytes != 0) {
        size_t piece = bytes < WEFT_FILE_PIECE_BYTES ? bytes : WEFT_FILE_PIECE_BYTES;
        if (!weft_file_write(file, at, piece)) return false;
        at += piece;
        bytes -= piece;
    }
    return true;
}

// Copies the error text, because the system's text may belong to the thread.
static void write_copy(void *argument)
{
    struct weft_background *b = (struct weft_background *)argument;
    b->written = weft_file_begin(&b->file) &&
                 weft_file_end(&b->file, write_pieces(&b->file, b->copy, b->bytes));
    if (b->written) return;
    snprintf(b->why, sizeof b->why, "%s", b->file.why);
    b->file.why = b->why;
}

// ------------------------------------------------------------------------------------------------
// The calls

// Uses the memory of an earlier copy if it is large enough, because touching fresh memory takes
// longer than copying to it.
static void *space_for_copy(weft_world *world, size_t bytes)
{
    weft_region *region = &world->saving.copy;
    if (bytes > region->bytes) weft_region_free(&world->heap, region);
    return weft_region_grow(&world->heap, region, bytes, bytes) ? region->base : NULL;
}

static void free_background(weft_world *world, struct weft_background *b)
{
    weft_file_close(&b->file);
    weft_free(&world->heap, b, sizeof *b);
}

static weft_status end_background(weft_world *world)
{
    struct weft_background *b = world->saving.background;
    weft_thread_close(&world->heap, world->saving.writer);
    world->saving.writer = NULL;
    world->saving.background = NULL;
    weft_status status = b->written ? WEFT_OK : weft_save_report(world, &b->file, b->path);
    free_background(world, b);
    return status;
}

static bool is_writing(const weft_world *world)
{
    return world->saving.writer && !weft_thread_ended(world->saving.writer);
}

static weft_status begin_background(weft_world *world, struct weft_background *b, const char *path)
{
    if (!weft_file_open(&b->file, &world->heap, path)) {
        return weft_save_report(world, &b->file, path);
    }
    void *copy;
    weft_status status = weft_save_copy(world, NULL, space_for_copy, &copy, &b->bytes);
    if (status == WEFT_NO_MEMORY) return weft_save_report(world, &b->file, path);
    if (status != WEFT_OK) return status;
    b->copy = copy;
    memcpy(b->path, path, strlen(path) + 1);
    world->saving.background = b;
    world->saving.end = end_background;
    world->saving.writer = weft_thread_open(&world->heap, write_copy, b);
    if (!world->saving.writer) write_copy(b);
    return WEFT_OK;
}

weft_status weft_world_save_begin(weft_world *world, const char *path)
{
    if (is_writing(world)) {
        return weft_report(world, WEFT_BUSY, "the save '%.*s' is still being written",
                           WEFT_SHOWN_PATH_BYTES, world->saving.background->path);
    }
    weft_status status = weft_save_prepare(world, "save_begin" WEFT_WAITS);
    if (status != WEFT_OK) return status;
    if (world->saving.background) (void)end_background(world);
    struct weft_background *b = weft_allocate_zeroed(&world->heap, sizeof *b);
    if (!b) return weft_save_report(world, &(weft_file){.failed = NULL}, path);
    weft_zone_begin(world, WEFT_ZONE_SAVE, 0, 0);
    status = begin_background(world, b, path);
    weft_zone_end(world, WEFT_ZONE_SAVE, 0, 0);
    if (!world->saving.background) free_background(world, b);
    return status;
}

weft_status weft_world_save_done(weft_world *world)
{
    if (weft_busy_to_look(world, "save_done" WEFT_WAITS)) return WEFT_BUSY;
    if (!world->saving.background) return WEFT_NOT_FOUND;
    return is_writing(world) ? WEFT_BUSY : end_background(world);
}

weft_status weft_world_save_wait(weft_world *world)
{
    if (weft_busy_to_look(world, "save_wait" WEFT_WAITS)) return WEFT_BUSY;
    return world->saving.background ? end_background(world) : WEFT_NOT_FOUND;
}
