// Reads, gives and records orders.
#include "orders.h"

#include "colony.h"
#include "ground.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_SPACE = 128, WORDS_MAX = 6 };

// A line of the file, for messages.
typedef struct place {
    const char *file;
    unsigned line;
} place;

// ---- reading -----------------------------------------------------------------------------------

static const int ARGUMENTS[] = {
    [COLONY_ORDER_KIND_BUILD] = 2,
    [COLONY_ORDER_KIND_SEND] = 3,
    [COLONY_ORDER_KIND_COUNT] = 0,
};

static bool complain(place at, const char *word, const char *what)
{
    fprintf(stderr, "colony: %s:%u: '%s' %s\n", at.file, at.line, word, what);
    return false;
}

// Splits a line, up to a comment, into words. Returns their number, which may exceed WORDS_MAX.
static int split(char *line, char *words[WORDS_MAX])
{
    int count = 0;
    line[strcspn(line, "#\r\n")] = '\0';
    for (char *at = strtok(line, " \t"); at != NULL; at = strtok(NULL, " \t")) {
        if (count < WORDS_MAX) words[count] = at;
        count++;
    }
    return count;
}

static bool read_number(const char *word, uint64_t most, uint64_t *number)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(word, &end, 10);
    *number = value;
    return word[0] >= '0' && word[0] <= '9' && *end == '\0' && errno == 0 && value <= most;
}

static bool read_kind(const char *word, colony_order_kind *kind)
{
    for (colony_order_kind k = 0; k < COLONY_ORDER_KIND_COUNT; k++) {
        if (strcmp(word, colony_order_kind_name(k)) != 0) continue;
        *kind = k;
        return true;
    }
    return false;
}

// Reads the coordinates of a tile from two words.
static bool read_tile(place at, char *const *words, colony_order *order)
{
    uint64_t x, y;
    for (int i = 0; i < 2; i++) {
        uint64_t *to = i == 0 ? &x : &y;
        if (!read_number(words[i], GROUND_SIDE_MAX - 1, to))
            return complain(at, words[i], "is no tile: write a whole number from 0 to 1023");
    }
    order->x = (float)x;
    order->y = (float)y;
    return true;
}

static bool read_order(place at, int count, char *const *words, timed_order *read)
{
    colony_order *order = &read->order;
    *read = (timed_order){0};
    if (!read_number(words[0], UINT64_MAX, &read->tick))
        return complain(at, words[0], "is no tick: begin the line with a whole number");
    if (count < 2) return complain(at, words[0], "is a tick without an order: write one behind it");
    if (!read_kind(words[1], &order->kind))
        return complain(at, words[1],
                        "is no order: write play, menu, pause, go, build X Y or "
                        "send NAME X Y");
    if (count != 2 + ARGUMENTS[order->kind])
        return complain(at, words[1],
                        order->kind == COLONY_ORDER_KIND_BUILD ? "takes a tile: build X Y"
                        : order->kind == COLONY_ORDER_KIND_SEND
                            ? "takes a name and a tile: send NAME X Y"
                            : "takes nothing more: end the line there");
    if (order->kind == COLONY_ORDER_KIND_SEND) {
        if (strlen(words[2]) >= sizeof order->name)
            return complain(at, words[2], "is too long for a name: names have up to 15 letters");
        memcpy(order->name, words[2], strlen(words[2]));
    }
    return ARGUMENTS[order->kind] == 0 || read_tile(at, words + count - 2, order);
}

// Checks the last order: ticks must not decrease, and a tick may have at most ORDERS_A_TICK orders,
// because the input holds no more.
static bool is_in_order(place at, const orders *o, const char *tick)
{
    const timed_order *last = o->all + o->count - 1;
    if (o->count == 0) return true;
    if (o->count > 1 && last->tick < last[-1].tick)
        return complain(at, tick,
                        "is an earlier tick than that of the line before: sort the lines");
    if (o->count > ORDERS_A_TICK && last->tick == last[-ORDERS_A_TICK].tick)
        return complain(at, tick, "has more than 64 orders: give some of them to another tick");
    return true;
}

static bool add(orders *o, timed_order order)
{
    if ((o->count & (o->count - 1)) == 0) { // doubles the space at each power of two
        size_t space = o->count == 0 ? 1 : 2 * o->count;
        timed_order *more = (timed_order *)realloc(o->all, space * sizeof *more);
        if (more == NULL) {
            fputs("colony: no memory for the orders\n", stderr);
            return false;
        }
        o->all = more;
    }
    o->all[o->count++] = order;
    return true;
}

static bool read_line(orders *o, place at, char *line)
{
    char *words[WORDS_MAX];
    timed_order read;
    if (strchr(line, '\n') == NULL && strlen(line) == LINE_SPACE - 1)
        return complain(at, "the line", "is too long: write at most 126 characters");
    int count = split(line, words);
    if (count == 0) return true;
    return read_order(at, count, words, &read) && add(o, read) && is_in_order(at, o, words[0]);
}

static bool read_file(orders *o, const char *name)
{
    FILE *file = fopen(name, "r");
    if (file == NULL) {
        fprintf(stderr, "colony: the orders '%s' cannot be read: %s\n", name, strerror(errno));
        return false;
    }
    char line[LINE_SPACE];
    bool fine = true;
    for (place at = {name, 1}; fine && fgets(line, sizeof line, file) != NULL; at.line++) {
        fine = read_line(o, at, line);
    }
    fclose(file);
    return fine;
}

// ---- giving ------------------------------------------------------------------------------------

static void write_down(FILE *record, uint64_t tick, const colony_order *order)
{
    fprintf(record, "%" PRIu64 " %s", tick, colony_order_kind_name(order->kind));
    if (order->kind == COLONY_ORDER_KIND_SEND) fprintf(record, " %s", order->name);
    if (ARGUMENTS[order->kind] != 0) fprintf(record, " %d %d", (int)order->x, (int)order->y);
    fputc('\n', record);
}

bool orders_give(orders *o, colony_world *world, colony_order order)
{
    if (!colony_order_put(world, order)) return false;
    if (o->record != NULL) write_down(o->record, colony_stats(world).ticks, &order);
    return true;
}

bool orders_give_due(orders *o, colony_world *world)
{
    uint64_t done = colony_stats(world).ticks;
    size_t first = o->next;
    while (o->next < o->count && o->all[o->next].tick <= done) {
        orders_give(o, world, o->all[o->next++].order);
    }
    return o->next > first;
}

void orders_skip(orders *o, const colony_world *world)
{
    while (o->next < o->count && o->all[o->next].tick <= colony_stats(world).ticks) o->next++;
}

bool orders_open(orders *o, const options *wanted)
{
    *o = (orders){0};
    if (wanted->orders != NULL && !read_file(o, wanted->orders)) return false;
    if (wanted->record != NULL) o->record = fopen(wanted->record, "w");
    if (wanted->record != NULL && o->record == NULL) {
        fprintf(stderr, "colony: the record '%s' cannot be written: %s\n", wanted->record,
                strerror(errno));
        return false;
    }
    return true;
}

bool orders_close(orders *o)
{
    bool written = o->record == NULL || fclose(o->record) == 0;
    free(o->all);
    *o = (orders){0};
    return written;
}
