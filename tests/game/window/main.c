// The colony in a window: the game of tests/game with a picture, a mouse and a clock of its own.
#include "beat.h"
#include "colony.h"
#include "colony_insight.h"
#include "hours.h"
#include "options.h"
#include "panel.h"
#include "phases.h"
#include "report.h"
#include "show.h"
#include "weft_serve.h"
#include "world_setup.h"

#include <stdio.h>

enum {
    WIDTH = 1280,
    HEIGHT = 720,
    TEXT_PIXELS = 14,
    TICKS_A_FRAME = 8,
    FRAMES_A_SECOND = 60,
    ADDRESS_SPACE = 256
};
enum { EXIT_FINE = 0, EXIT_FAILED = 1, EXIT_WRONG_USAGE = 2 };

static const double HOURS_A_SECOND = 1.0;
static const double FRAME_MAX = 0.1; // seconds, so that a window that was held does not catch up
static const char *const SAVE = "colony.save";
static const char *const SOURCES = "tests/game:schema"; // from the root of the repository

static weft_serve *server; // NULL until the player opens the inspector

void show_say(show *s, const char *what, bool fine)
{
    const char *why = fine ? "" : colony_error(s->w);
    snprintf(s->said, sizeof s->said, "%s%s%s", what, fine ? "" : ": ", why);
}

// Runs only the phase that reads orders, because no tick would run while time stands still.
void show_order(show *s, colony_order order)
{
    bool given = orders_give(&s->orders, s->w, order) && colony_run_orders(s->w, 0) == WEFT_OK;
    if (!given) show_say(s, "no order", false);
}

// ------------------------------------------------------------------------------------------------
// The inspector

// Lets time pass for a step that the inspector asks for. Returns whether it stood still.
static bool begin_step(show *s)
{
    bool stood = !show_is_playing(s);
    if (!stood) return false;
    show_order(s, (colony_order){.kind = COLONY_ORDER_KIND_PLAY});
    show_order(s, (colony_order){.kind = COLONY_ORDER_KIND_GO});
    return true;
}

static void end_step(show *s, bool stood)
{
    if (stood) show_order(s, (colony_order){.kind = COLONY_ORDER_KIND_PAUSE});
}

static weft_status tick(void *user)
{
    show *s = (show *)user;
    bool stood = begin_step(s);
    weft_status status = colony_tick(s->w, HOURS_A_TICK);
    end_step(s, stood);
    return status;
}

static weft_status phase(void *user, uint32_t number)
{
    show *s = (show *)user;
    bool stood = begin_step(s);
    weft_status status = phases_run(s->w, number);
    end_step(s, stood);
    return status;
}

void show_inspect(show *s)
{
    weft_serve_options wanted = {.writable = true,
                                 .tick = tick,
                                 .phase = phase,
                                 .user = s,
                                 .insight = colony_insight(),
                                 .source = SOURCES,
                                 .editor = getenv("EDITOR_URL")};
    if (!server) server = weft_serve_open(colony_world_base(s->w), &wanted);
    if (!server) {
        show_say(s, "no inspector", false);
        return;
    }
    char address[ADDRESS_SPACE], handle[VIEWER_HANDLE_SPACE];
    bool chosen = viewer_handle(&s->viewer, handle);
    snprintf(address, sizeof address, "%s%s%s", weft_serve_url(server), chosen ? "#/entity/" : "",
             handle);
    printf("%s\n", address);
    fflush(stdout);
    SDL_OpenURL(address);
    snprintf(s->said, sizeof s->said, "the inspector opens in the browser; see the terminal");
}

// Answers the inspector's pages, which may stop the time or change its speed, as keys do.
static void serve(show *s)
{
    if (!server) return;
    bool playing = show_is_playing(s);
    weft_serve_clock *clock = weft_serve_time(server);
    *clock = (weft_serve_clock){.paused = !playing, .speed = s->speed};
    weft_serve_poll(server, 0);
    s->speed = clock->speed;
    if (clock->paused != show_is_playing(s)) return;
    if (!clock->paused) show_order(s, (colony_order){.kind = COLONY_ORDER_KIND_PLAY});
    show_order(
        s, (colony_order){.kind = clock->paused ? COLONY_ORDER_KIND_PAUSE : COLONY_ORDER_KIND_GO});
}

// ------------------------------------------------------------------------------------------------
// Frames

static void draw(show *s, double seconds)
{
    double begun = pace_now();
    SDL_RenderClear(s->renderer);
    scene_draw(&s->scene, &s->viewer, s->w, (float)seconds);
    if (show_has_panel(s)) {
        const int left = s->viewer.camera.width;
        const SDL_Rect box = {left, 0, s->width - left, s->height};
        panel_draw(&s->text, s->renderer, s->w, s->viewer.selected, box, s->values);
    }
    show_words(s);
    SDL_RenderFlush(s->renderer);
    if (s->photographs) show_keep_picture(s);
    double drawn = pace_now();
    SDL_RenderPresent(s->renderer);
    pace_add(&s->pace, PACE_DRAW, drawn - begun);
    pace_add(&s->pace, PACE_SHOW, pace_now() - drawn);
}

// Waits until the next frame is due if the renderer uses no graphics card, which would wait itself.
static void wait_for_frame(show *s)
{
    SDL_RendererInfo renderer;
    if (SDL_GetRendererInfo(s->renderer, &renderer) != 0) return;
    if (!(renderer.flags & SDL_RENDERER_SOFTWARE)) return;
    uint64_t second = SDL_GetPerformanceFrequency();
    uint64_t wait = beat_next(&s->due, SDL_GetPerformanceCounter(), second / FRAMES_A_SECOND);
    SDL_Delay((uint32_t)(1000 * wait / second));
}

// Returns the seconds since the last call, at most FRAME_MAX.
static double seconds_passed(uint64_t *before)
{
    uint64_t now = SDL_GetPerformanceCounter();
    double seconds = (double)(now - *before) / (double)SDL_GetPerformanceFrequency();
    *before = now;
    return SDL_min(seconds, FRAME_MAX);
}

// Advances the time by at most one tick. If the inspector's page stops the time during it, the
// colony is paused too.
static bool advance_tick(show *s, double hours)
{
    if (server) weft_serve_time(server)->paused = false;
    if (colony_advance(s->w, hours) != WEFT_OK) return false;
    if (!server || !weft_serve_time(server)->paused) return true;
    show_order(s, (colony_order){.kind = COLONY_ORDER_KIND_PAUSE});
    return true;
}

// Advances tick by tick, so that each order is given at its tick, while this frame has time left.
static bool advance(show *s, double hours)
{
    const uint64_t frame = SDL_GetPerformanceFrequency() / FRAMES_A_SECOND;
    const uint64_t first = SDL_GetPerformanceCounter();
    uint64_t now = first, before = first;
    hours = SDL_min(hours, TICKS_A_FRAME * HOURS_A_TICK);
    for (; hours > 0; hours -= HOURS_A_TICK) {
        orders_give_due(&s->orders, s->w);
        if (!show_is_playing(s)) continue;
        uint64_t ticks = colony_stats(s->w).ticks;
        double begun = pace_now();
        if (!advance_tick(s, SDL_min(hours, HOURS_A_TICK))) return false;
        if (colony_stats(s->w).ticks > ticks) pace_add(&s->pace, PACE_TICK, pace_now() - begun);
        before = now;
        now = SDL_GetPerformanceCounter();
        if (!beat_has_time(first, now, now - before, frame)) break;
    }
    return true;
}

// Gives the map the part of the window that the panel leaves.
static void follow_window(show *s)
{
    if (SDL_GetRendererOutputSize(s->renderer, &s->width, &s->height) != 0) return;
    const int panel = show_has_panel(s) ? panel_width(s->width) : 0;
    viewer_resize(&s->viewer, s->w, s->width - panel, s->height, panel != 0);
}

static bool run(show *s)
{
    uint64_t before = SDL_GetPerformanceCounter();
    while (!s->over) {
        double begun = pace_now();
        uint64_t ticks = colony_stats(s->w).ticks;
        SDL_Event event;
        while (SDL_PollEvent(&event)) show_handle(s, &event);
        follow_window(s);
        serve(s);
        double seconds = seconds_passed(&before);
        if (!advance(s, seconds * HOURS_A_SECOND * s->speed)) return false;
        sounds_listen(&s->sounds, s->w);
        draw(s, seconds);
        pace_add(&s->pace, PACE_FRAME, pace_now() - begun);
        if (colony_stats(s->w).ticks > ticks) {
            pace_add(&s->pace, PACE_FRAME_TICK, pace_now() - begun);
        }
        wait_for_frame(s);
    }
    return true;
}

static bool open_window(show *s)
{
    if (SDL_Init(SDL_INIT_VIDEO) != 0) return false;
    SDL_SetHint(SDL_HINT_RENDER_SCALE_QUALITY, "nearest");
    SDL_SetHint(SDL_HINT_RENDER_BATCHING, "1");
    // A picture drawn by the processor goes to the screen as it is, not through OpenGL.
    SDL_SetHint(SDL_HINT_FRAMEBUFFER_ACCELERATION, "0");
    s->window = SDL_CreateWindow("The colony", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED,
                                 WIDTH, HEIGHT, SDL_WINDOW_RESIZABLE);
    if (s->window == NULL) return false;
    s->renderer = SDL_CreateRenderer(s->window, -1, SDL_RENDERER_PRESENTVSYNC);
    if (s->renderer == NULL) return false;
    scene_open(&s->scene, s->renderer);
    return text_open(&s->text, s->renderer, SHOW_FONT, TEXT_PIXELS);
}

static void close_window(show *s)
{
    viewer_close(&s->viewer);
    scene_close(&s->scene);
    text_close(&s->text);
    SDL_DestroyRenderer(s->renderer);
    SDL_DestroyWindow(s->window);
    SDL_Quit();
}

static void log_line(void *user, const char *line)
{
    (void)user;
    if (server) weft_serve_log(server, line);
}

static bool play_in_window(show *s)
{
    show_order(s, (colony_order){.kind = COLONY_ORDER_KIND_MENU});
    bool played = run(s);
    if (!played) fprintf(stderr, "show: %s\n", colony_error(s->w));
    report_summary(s->w, colony_stats(s->w).ticks);
    sounds_report(&s->sounds);
    pace_report(&s->pace);
    pace_close(&s->pace);
    return played;
}

static int play(colony_world *w, const options *wanted)
{
    show s = {.w = w, .speed = 1, .save = wanted->save ? wanted->save : SAVE};
    viewer_open(&s.viewer, PIXEL_RGB);
    if (!orders_open(&s.orders, wanted)) return EXIT_WRONG_USAGE;
    bool opened = open_window(&s);
    if (!opened) fprintf(stderr, "show: no window: %s\n", SDL_GetError());
    if (wanted->load) orders_skip(&s.orders, w);
    bool played = opened && play_in_window(&s);
    weft_serve_close(server);
    server = NULL;
    close_window(&s);
    if (orders_close(&s.orders)) return played ? EXIT_FINE : EXIT_FAILED;
    fputs("show: the record cannot be written\n", stderr);
    return EXIT_FAILED;
}

int main(int count, char **arguments)
{
    options wanted;
    switch (options_read(&wanted, count, arguments)) {
    case OPTIONS_HELP:
        options_print_help();
        return EXIT_FINE;
    case OPTIONS_WRONG:
        return EXIT_WRONG_USAGE;
    case OPTIONS_RUN:
        break;
    }
    colony_world *w = colony_open(
        &(weft_options){.workers = (uint32_t)wanted.workers, .seed = wanted.seed, .log = log_line});
    bool begun = w != NULL && (wanted.load ? world_load(w, wanted.load) : world_setup(w, &wanted));
    if (!begun) fprintf(stderr, "show: %s\n", w ? colony_error(w) : "no memory for a world");
    int code = begun ? play(w, &wanted) : EXIT_FAILED;
    colony_close(w);
    return code;
}
