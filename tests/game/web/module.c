// The colony as a module of WebAssembly, with the calls for its page. The page shows the picture
// that is painted here and knows nothing of components. Everything else that it reads or changes
// goes through the inspector.
//
// There is one colony, which the page opens once. Returned pointers are addresses in the memory of
// the module and are valid until the next call.
#include "beat.h"
#include "camera.h"
#include "colony.h"
#include "colony_insight.h"
#include "hours.h"
#include "options.h"
#include "painting.h"
#include "phases.h"
#include "weft_inspector.h"
#include "world_setup.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define EXPORTED(name) __attribute__((export_name(#name))) // for the page
#define ARGUMENTS_MAX 16

static const double HOURS_A_SECOND = 1.0, SECONDS_MAX = 0.1;
static const uint64_t FRAME_NS = 1000000000 / 60;

static colony_world *w;
static weft_inspector *inspector;
static camera view_of;
static painting seen;
static colony_entity selected;
static void *save;

// Allocates memory for bytes that the page passes; `web_give_back` frees it. Returns NULL if there
// is no memory.
EXPORTED(space) void *web_space(size_t bytes)
{
    return malloc(bytes ? bytes : 1);
}

EXPORTED(give_back) void web_give_back(void *bytes)
{
    free(bytes);
}

// ------------------------------------------------------------------------------------------------
// The world

static void log_line(void *user, const char *line)
{
    (void)user;
    if (inspector) weft_inspector_log(inspector, line);
}

static weft_status tick(void *user)
{
    return colony_tick((colony_world *)user, HOURS_A_TICK);
}

// Splits the words at blanks and returns their number, with the name of the program as the first.
static int part(char *words, char **arguments)
{
    int count = 0;
    arguments[count++] = "colony";
    for (char *word = strtok(words, " "); word && count < ARGUMENTS_MAX; word = strtok(NULL, " ")) {
        arguments[count++] = word;
    }
    return count;
}

// Opens the colony with the options of its command line. Returns false after printing the reason.
EXPORTED(open) bool web_open(char *words)
{
    char *arguments[ARGUMENTS_MAX];
    options wanted;
    int count = part(words, arguments);
    options_result read = options_read(&wanted, count, arguments);
    if (read == OPTIONS_HELP) options_print_help();
    fflush(stdout);
    if (read != OPTIONS_RUN) return false;
    w = colony_open(&(weft_options){.seed = wanted.seed, .log = log_line});
    if (w == NULL || !world_setup(w, &wanted)) {
        fprintf(stderr, "%s\n", w ? colony_error(w) : "no memory for a world");
        return false;
    }
    painting_open(&seen, PIXEL_BGR);
    weft_serve_options asked = {.writable = true,
                                .tick = tick,
                                .phase = phases_run,
                                .user = w,
                                .insight = colony_insight()};
    inspector = weft_inspector_open(colony_world_base(w), &asked);
    return inspector != NULL;
}

// Returns the time. If the user sets the clock back, only the ticks of one frame end early.
static uint64_t now_ns(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// Advances the time by `seconds`, tick by tick, until the inspector pauses it or the frame has no
// time left. Returns false with the reason in the world's error.
EXPORTED(advance) bool web_advance(double seconds)
{
    const uint64_t first = now_ns();
    uint64_t now = first, before = first;
    if (seconds > SECONDS_MAX) seconds = SECONDS_MAX;
    double hours = weft_inspector_seconds(inspector, seconds * HOURS_A_SECOND);
    for (; hours > 0 && !weft_inspector_time(inspector)->paused; hours -= HOURS_A_TICK) {
        if (colony_advance(w, hours < HOURS_A_TICK ? hours : HOURS_A_TICK) != WEFT_OK) return false;
        before = now;
        now = now_ns();
        if (!beat_has_time(first, now, now - before, FRAME_NS)) break;
    }
    return true;
}

EXPORTED(hash) const char *web_hash(void)
{
    static char text[17];
    snprintf(text, sizeof text, "%016llx", (unsigned long long)colony_hash(w));
    return text;
}

EXPORTED(error) const char *web_error(void)
{
    return colony_error(w);
}

EXPORTED(words) const char *web_words(void)
{
    static char words[512];
    const colony_calendar *calendar = colony_calendar_get(w);
    const colony_ledger *ledger = colony_ledger_get(w);
    int minutes = (int)(calendar->hour * 60);
    snprintf(words, sizeof words, "day %u, %s, %02d:%02d · %u people, %u bread, %u houses\n%s",
             calendar->day, colony_season_name(calendar->season), minutes / 60, minutes % 60,
             ledger->people, ledger->goods[COLONY_GOODS_BREAD], ledger->houses,
             colony_chronicle_get(w)->news);
    return words;
}

// ------------------------------------------------------------------------------------------------
// Saves and questions

static size_t answered; // bytes of the last save or answer

EXPORTED(answered) size_t web_answered(void)
{
    return answered;
}

// Returns a save of `answered` bytes, or 0 with the reason in `error`.
EXPORTED(save) const void *web_save(void)
{
    free(save);
    save = NULL;
    return colony_save_memory(w, &save, &answered) == WEFT_OK ? save : NULL;
}

EXPORTED(load) bool web_load(const void *bytes, size_t count)
{
    return colony_load_memory(w, bytes, count) == WEFT_OK && world_mend(w);
}

// Returns the answer to a request of JSON-RPC, `answered` bytes long, or NULL without memory.
EXPORTED(ask) const char *web_ask(const char *request, size_t bytes)
{
    return weft_inspector_answer(inspector, request, bytes, &answered);
}

// ------------------------------------------------------------------------------------------------
// The picture

EXPORTED(map_width) int web_map_width(void)
{
    return colony_ground_get(w)->width;
}

EXPORTED(map_height) int web_map_height(void)
{
    return colony_ground_get(w)->height;
}

// Sets the size of the page. The first call shows the whole map.
EXPORTED(screen) void web_screen(int width, int height)
{
    if (view_of.width != 0) {
        camera_resize(&view_of, width, height, web_map_width(), web_map_height());
        return;
    }
    view_of = (camera){.width = width, .height = height};
    camera_fit(&view_of, web_map_width(), web_map_height());
}

EXPORTED(pan) void web_pan(float x, float y)
{
    camera_pan(&view_of, x, y, web_map_width(), web_map_height());
}

EXPORTED(zoom) void web_zoom(float factor, float x, float y)
{
    camera_zoom(&view_of, factor, (spot){x, y});
}

// Returns where the map is on the screen: x and y of its corner, and the side of a tile in pixels.
EXPORTED(ground_place) const float *web_ground_place(void)
{
    static float place[3];
    spot corner = camera_pixel(&view_of, (spot){-0.5f, -0.5f});
    place[0] = corner.x;
    place[1] = corner.y;
    place[2] = view_of.tile;
    return place;
}

// Paints a picture of the size of the screen, and returns its pixels in the format of a canvas:
// bytes of red, green, blue and alpha. Returns NULL if there is no memory.
EXPORTED(picture) const uint32_t *web_picture(void)
{
    static uint32_t *pixels;
    static size_t space;
    const size_t count = (size_t)view_of.width * (size_t)view_of.height;
    if (space < count) {
        free(pixels);
        pixels = (uint32_t *)malloc(count * sizeof *pixels);
        space = pixels ? count : 0;
        if (pixels == NULL) return NULL;
    }
    const canvas on = {pixels, (size_t)view_of.width, view_of.width, view_of.height};
    painting_paint(&seen, w, &view_of, selected, &on);
    return pixels;
}

// Returns the work of the last picture: painted tiles, computed rows of pixels, and sprites.
EXPORTED(work) const uint32_t *web_work(void)
{
    static uint32_t work[3];
    work[0] = seen.work.tiles;
    work[1] = seen.work.rows;
    work[2] = (uint32_t)seen.sprites.count;
    return work;
}

// Selects the entity that is drawn at a pixel. Returns its handle as the inspector writes it, or ""
// if there is none.
EXPORTED(select) const char *web_select(float x, float y)
{
    static char text[24];
    const weft_format f = colony_entity_format;
    selected = sprites_at(&seen.sprites, w, &view_of, (spot){x, y});
    text[0] = '\0';
    if (!colony_is_none(selected)) {
        snprintf(text, sizeof text, "%u:%u", selected.bits & ((1u << f.index_bits) - 1),
                 selected.bits >> f.index_bits);
    }
    return text;
}
