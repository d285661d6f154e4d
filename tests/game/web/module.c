// The colony as a module of WebAssembly, with the calls for its page. The page shows the picture
// that is painted here and knows nothing of components. Everything else that it reads or changes
// goes through the inspector.
//
// There is one colony, which the page opens once. Returned pointers are addresses in the memory of
// the module and are valid until the next call.
#include "beat.h"
#include "colony.h"
#include "colony_insight.h"
#include "hours.h"
#include "options.h"
#include "phases.h"
#include "story.h"
#include "viewer.h"
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
static viewer seen;
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
    viewer_open(&seen, PIXEL_BGR);
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

// Returns the name of the followed entity, or "it" if it is no person.
static const char *followed(void)
{
    const colony_person *person = colony_person_get(w, seen.selected);
    return person != NULL ? person->name : "it";
}

// Returns the state of the colony in one line, and the latest news in a second one.
EXPORTED(words) const char *web_words(void)
{
    static char words[512];
    const colony_calendar *calendar = colony_calendar_get(w);
    const colony_ledger *ledger = colony_ledger_get(w);
    int minutes = (int)(calendar->hour * 60);
    snprintf(words, sizeof words, "day %u, %s, %02d:%02d · %u people, %u bread, %u houses%s%s\n%s",
             calendar->day, colony_season_name(calendar->season), minutes / 60, minutes % 60,
             ledger->people, ledger->goods[COLONY_GOODS_BREAD], ledger->houses,
             seen.follows ? " · follows " : "", seen.follows ? followed() : "",
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

// Sets the size of the canvas. The first call shows a village. `has_panel` is whether the panel is
// shown next to the map or below it.
EXPORTED(screen) void web_screen(int width, int height, bool has_panel)
{
    viewer_resize(&seen, w, width, height, has_panel);
}

EXPORTED(pan) void web_pan(float x, float y)
{
    viewer_pan(&seen, w, x, y);
}

EXPORTED(zoom) void web_zoom(float factor, float x, float y)
{
    viewer_zoom(&seen, factor, (spot){x, y});
}

// Returns whether the minimap is at a pixel of the canvas.
EXPORTED(is_minimap) bool web_is_minimap(float x, float y)
{
    return minimap_covers(&seen.minimap, &seen.camera, (spot){x, y});
}

// Moves the camera to the spot that the minimap shows at a pixel, also outside of it.
EXPORTED(move_to) void web_move_to(float x, float y)
{
    viewer_move_to(&seen, (spot){x, y});
}

// Follows the selected entity, or ends that. Returns whether it follows now.
EXPORTED(follow) bool web_follow(void)
{
    return viewer_follow(&seen);
}

EXPORTED(follows) bool web_follows(void)
{
    return seen.follows;
}

// Returns where the map is on the screen: x and y of its corner, and the side of a tile in pixels.
EXPORTED(ground_place) const float *web_ground_place(void)
{
    static float place[3];
    spot corner = camera_pixel(&seen.camera, (spot){-0.5f, -0.5f});
    place[0] = corner.x;
    place[1] = corner.y;
    place[2] = seen.camera.tile;
    return place;
}

// Paints a picture of the size of the screen, and returns its pixels in the format of a canvas:
// bytes of red, green, blue and alpha. Takes the seconds since the last picture. Returns NULL if
// there is no memory.
EXPORTED(picture) const uint32_t *web_picture(float seconds)
{
    static uint32_t *pixels;
    static size_t space;
    const size_t count = (size_t)seen.camera.width * (size_t)seen.camera.height;
    if (space < count) {
        free(pixels);
        pixels = (uint32_t *)malloc(count * sizeof *pixels);
        space = pixels ? count : 0;
        if (pixels == NULL) return NULL;
    }
    const camera *c = &seen.camera;
    const canvas on = {pixels, (size_t)c->width, c->width, c->height};
    viewer_paint(&seen, w, seconds, &on);
    return pixels;
}

// Returns the work of the last picture: painted tiles, computed rows of pixels, and sprites.
EXPORTED(work) const uint32_t *web_work(void)
{
    static uint32_t work[3];
    work[0] = seen.painting.work.tiles;
    work[1] = seen.painting.work.rows;
    work[2] = (uint32_t)seen.painting.sprites.count;
    return work;
}

// Returns the handle of the selected entity as the inspector writes it, or "" if there is none. An
// entity that dies is no longer selected after the next picture.
EXPORTED(selected) const char *web_selected(void)
{
    static char handle[VIEWER_HANDLE_SPACE];
    viewer_handle(&seen, handle);
    return handle;
}

// Selects the entity that is drawn at a pixel, or none.
EXPORTED(select) void web_select(float x, float y)
{
    viewer_select(&seen, w, (spot){x, y});
}

// Selects no entity.
EXPORTED(unselect) void web_unselect(void)
{
    seen.selected = COLONY_NONE;
}

// Returns sentences about the selected entity: a title, and one sentence in each further line.
EXPORTED(story) const char *web_story(void)
{
    static char text[STORY_TITLE_SPACE + STORY_SPACE];
    story told;
    story_tell(&told, w, seen.selected);
    snprintf(text, sizeof text, "%s\n%s", told.title, told.text);
    return text;
}
