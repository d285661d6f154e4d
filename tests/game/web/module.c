// The colony as a module of WebAssembly: the calls of its page, which draws what it is told and
// knows nothing of components. All that a page asks or changes beside the picture goes through the
// inspector.
//
// There is one colony, which the page opens once. Pointers that are returned are places in the
// memory of the module, valid until the next call.
#include "beat.h"
#include "camera.h"
#include "colony.h"
#include "colony_insight.h"
#include "ground.h"
#include "ground_picture.h"
#include "hours.h"
#include "options.h"
#include "phases.h"
#include "sprite_pixels.h"
#include "sprites.h"
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

// A sprite as the page draws it, in pixels of the screen.
typedef struct stamp {
    float x, y, side;
    uint32_t sprite, coat; // where it is on the sheet
} stamp;

static colony_world *w;
static weft_inspector *inspector;
static camera view_of;
static bool fitted;
static sprites seen;
static colony_entity selected;
static stamp *stamps;
static size_t stamps_space;
static void *save;

// Gives memory for bytes that the page is about to pass; freed by `web_give_back`. 0: no memory.
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

// Parts the words, which stand one behind the other with a blank between them.
static int part(char *words, char **arguments)
{
    int count = 0;
    arguments[count++] = "colony";
    for (char *word = strtok(words, " "); word && count < ARGUMENTS_MAX; word = strtok(NULL, " ")) {
        arguments[count++] = word;
    }
    return count;
}

// Opens the colony with the options of its command line. False: what was printed says why.
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
    weft_serve_options asked = {.writable = true,
                                .tick = tick,
                                .phase = phases_run,
                                .user = w,
                                .insight = colony_insight()};
    inspector = weft_inspector_open(colony_world_base(w), &asked);
    return inspector != NULL;
}

// A clock that is set back ends the ticks of one frame, and no more.
static uint64_t now_ns(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

// Lets so many seconds pass, unless the inspector has stopped the time, or stops it meanwhile: tick
// by tick, for this, and as long as a frame has time for them. False: the world says why.
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

// Returns a save of `answered` bytes; 0: `error` says why.
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

// Answers a request of JSON-RPC, in `answered` bytes; 0: no memory.
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

// The page is so large now; the first time the whole map is shown.
EXPORTED(screen) void web_screen(int width, int height)
{
    view_of.width = width;
    view_of.height = height;
    if (!fitted) camera_fit(&view_of, web_map_width(), web_map_height());
    fitted = true;
}

EXPORTED(pan) void web_pan(float x, float y)
{
    camera_pan(&view_of, x, y, web_map_width(), web_map_height());
}

EXPORTED(zoom) void web_zoom(float factor, float x, float y)
{
    camera_zoom(&view_of, factor, (spot){x, y});
}

// Bytes of red, green, blue and alpha, as a canvas has them.
static const uint8_t *as_bytes(uint32_t *pixels, size_t count)
{
    uint8_t *bytes = (uint8_t *)pixels;
    for (size_t i = 0; i < count; i++) {
        uint32_t one = pixels[i];
        for (int k = 0; k < 4; k++) bytes[4 * i + (size_t)k] = (uint8_t)(one >> (24 - 8 * k));
    }
    return bytes;
}

// The sheet of all sprites, SHEET_WIDTH by SHEET_HEIGHT, each of SPRITE_SIDE.
EXPORTED(sheet) const uint8_t *web_sheet(void)
{
    static uint32_t pixels[SHEET_WIDTH * SHEET_HEIGHT];
    sprite_pixels(pixels);
    return as_bytes(pixels, SHEET_WIDTH * SHEET_HEIGHT);
}

EXPORTED(sheet_width) int web_sheet_width(void)
{
    return SHEET_WIDTH;
}

EXPORTED(sheet_height) int web_sheet_height(void)
{
    return SHEET_HEIGHT;
}

// The part of the map that is seen, in tiles: left, top, width and height.
EXPORTED(ground_part) const int32_t *web_ground_part(void)
{
    static int32_t part_of_map[4];
    view v = camera_view(&view_of, web_map_width(), web_map_height());
    part_of_map[0] = v.left;
    part_of_map[1] = v.top;
    part_of_map[2] = v.right - v.left + 1;
    part_of_map[3] = v.bottom - v.top + 1;
    return part_of_map;
}

// The ground of that part, a pixel a tile.
EXPORTED(ground) const uint8_t *web_ground(void)
{
    static uint32_t pixels[GROUND_SIDE_MAX * GROUND_SIDE_MAX];
    const view v = camera_view(&view_of, web_map_width(), web_map_height());
    const size_t width = (size_t)(v.right - v.left + 1), height = (size_t)(v.bottom - v.top + 1);
    ground_picture(w, &v, pixels, width);
    return as_bytes(pixels, width * height);
}

// Where the map is on the screen: x and y of its corner, and the pixels a side of a tile.
EXPORTED(ground_place) const float *web_ground_place(void)
{
    static float place[3];
    spot corner = camera_pixel(&view_of, (spot){-0.5f, -0.5f});
    place[0] = corner.x;
    place[1] = corner.y;
    place[2] = view_of.tile;
    return place;
}

EXPORTED(ticks) double web_ticks(void)
{
    return (double)colony_stats(w).ticks;
}

EXPORTED(darkness) float web_darkness(void)
{
    return sprites_darkness(w);
}

static void add_stamp(size_t at, square place, uint32_t sprite, uint32_t coat)
{
    stamps[at] = (stamp){place.x, place.y, place.side, sprite, coat % SHEET_COATS};
}

static size_t lights; // that were collected, behind the sprites

// Collects what is to be drawn, from back to front, and returns how many sprites there are.
EXPORTED(collect) size_t web_collect(void)
{
    sprites_collect(&seen, w, &view_of);
    lights = 0;
    if (stamps_space < 2 * seen.count) {
        free(stamps);
        stamps_space = 4 * seen.count;
        stamps = (stamp *)malloc(stamps_space * sizeof *stamps);
        if (stamps == NULL) return stamps_space = 0;
    }
    for (size_t i = 0; i < seen.count; i++) {
        const sprite *one = &seen.all[i];
        add_stamp(i, sprite_place(one, &view_of), one->look, one->entity.bits);
        if (sprites_are_dots(&view_of) || !sprite_has_windows(one)) continue;
        add_stamp(seen.count + lights++, sprite_glow(one, &view_of), SHEET_GLOW, 0);
    }
    return seen.count;
}

// Fills the square of a stamp, as far as it is on the screen.
static void fill_dot(uint32_t *pixels, const stamp *one, uint32_t colour)
{
    int left = (int)one->x, top = (int)one->y, side = one->side < 1 ? 1 : (int)(one->side + 0.5f);
    for (int y = top < 0 ? 0 : top; y < top + side && y < view_of.height; y++) {
        for (int x = left < 0 ? 0 : left; x < left + side && x < view_of.width; x++) {
            pixels[(size_t)y * (size_t)view_of.width + (size_t)x] = colour;
        }
    }
}

// All sprites as dots on a screen that is clear but for them, where tiles are too small for
// pictures, those looks that come last in their list over others; 0: pictures are to be drawn.
EXPORTED(dots) const uint8_t *web_dots(void)
{
    static uint32_t *pixels;
    static size_t space;
    static uint32_t sheet[SHEET_WIDTH * SHEET_HEIGHT];
    const size_t count = (size_t)view_of.width * (size_t)view_of.height;
    if (!sprites_are_dots(&view_of)) return NULL;
    if (space < count) {
        free(pixels);
        pixels = (uint32_t *)malloc(count * sizeof *pixels);
        space = pixels ? count : 0;
        if (pixels == NULL) return NULL;
    }
    sprite_pixels(sheet);
    memset(pixels, 0, count * sizeof *pixels);
    for (uint32_t look = 0; look < COLONY_LOOK_COUNT; look++) {
        uint32_t colour = sprite_colour(sheet, (int)look);
        for (size_t i = 0; i < seen.count; i++) {
            if (stamps[i].sprite == look) fill_dot(pixels, &stamps[i], colour);
        }
    }
    return as_bytes(pixels, count);
}

EXPORTED(lights) size_t web_lights(void)
{
    return lights;
}

EXPORTED(stamps) const stamp *web_stamps(void)
{
    return stamps;
}

// Selects what is drawn at a pixel, and returns its handle as the inspector writes it; "" where
// there is but grass.
EXPORTED(select) const char *web_select(float x, float y)
{
    static char text[24];
    const weft_format f = colony_entity_format;
    selected = sprites_at(&seen, w, &view_of, (spot){x, y});
    text[0] = '\0';
    if (!colony_is_none(selected)) {
        snprintf(text, sizeof text, "%u:%u", selected.bits & ((1u << f.index_bits) - 1),
                 selected.bits >> f.index_bits);
    }
    return text;
}

// Where the selected one is on the screen, as it was last collected: x, y and its side; 0: nowhere.
EXPORTED(frame) const stamp *web_frame(void)
{
    if (stamps == NULL || colony_is_none(selected)) return NULL;
    for (size_t i = 0; i < seen.count; i++) {
        if (seen.all[i].entity.bits == selected.bits) return &stamps[i];
    }
    return NULL;
}
