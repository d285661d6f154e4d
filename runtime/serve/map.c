#include "map.h"

#include "../select/rows.h"
#include "../select/tables.h"
#include "../value/text.h"
#include "list.h"
#include "valued.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define PACKED_BYTES 20u // of a dot
#define PACKED_TOGETHER                                                                            \
    48u // dots that are written at once; a multiple of 3, so that no padding is inside

// A number of each dot. It keeps the last rows that were tested, because neighbours in a list are
// often neighbours in a table.
typedef struct map_number {
    serve_valued of;         // without a program if there is no path
    const weft_table *table; // that the program is bound to; NULL if none yet
    uint32_t first;          // of the tested rows
    uint64_t has;            // a bit for each of them that has the value
} map_number;

typedef struct map_window {
    serve_list_key list;
    double offset;
    double limit;
    map_number x, y, value;
    bool packed;
    uint32_t waiting; // packed dots that are not written yet
    unsigned char bytes[PACKED_BYTES * PACKED_TOGETHER];
} map_window;

// Reads the path of a number. Only the `value` can be a component: 1 if an entity has it, else 0.
static bool take_dot_number(serve_call *call, const char *param, bool can_be_whole,
                            map_number *number)
{
    char path[SERVE_PATH_MAX];
    if (weft_scan_kind(weft_scan_member(call->params, param)) == '\0') return true;
    if (!serve_take_string(call, param, path, sizeof path) ||
        !serve_valued_open(call, param, path, &number->of)) {
        return false;
    }
    const bool is_number = number->of.whole
                               ? can_be_whole
                               : weft_kind_of(number->of.value.leaf.type) != WEFT_NO_NUMBER;
    return is_number ||
           serve_refuse(call, SERVE_INVALID_PARAMS, "'%s': '%.64s' is not a number", param, path);
}

// Returns whether a row has the value of a path.
static bool has_dot_number(const weft_world *world, map_number *number, weft_place at)
{
    const weft_table *table = world->tables.items[at.table];
    const uint32_t first = at.row / WEFT_SELECT_ROWS * WEFT_SELECT_ROWS;
    if (number->table != table || number->first != first) {
        const uint32_t left = table->count - first;
        const weft_select_rows rows = {.world = world,
                                       .table = table,
                                       .first = first,
                                       .count = left < WEFT_SELECT_ROWS ? left : WEFT_SELECT_ROWS};
        if (number->table != table) weft_select_bind(world, number->of.program, table);
        number->table = table;
        number->first = first;
        number->has = weft_select_run(&rows, number->of.program);
    }
    return number->has >> (at.row - first) & 1;
}

// Returns the number of an entity; NAN if it lacks the value.
static double dot_number(const weft_world *world, map_number *number, uint64_t handle,
                         weft_place at)
{
    if (!number->of.program) return NAN;
    const bool has = has_dot_number(world, number, at);
    if (number->of.whole) return has ? 1 : 0;
    return has ? serve_valued_number(&number->of, serve_valued_find(world, &number->of, handle, at))
               : NAN;
}

// Adds a number with a comma before it. A float has the digits of a float, which are fewer.
static void add_dot_number(serve_text *out, const map_number *number, double value)
{
    char digits[WEFT_NUMBER_BYTES] = "null";
    const bool single = !number->of.whole && number->of.value.leaf.type == WEFT_TYPE_F32;
    if (isfinite(value)) weft_float_text(value, single, digits);
    serve_add(out, ",");
    serve_add(out, digits);
}

static void put_u32(unsigned char *bytes, uint32_t number)
{
    for (uint32_t i = 0; i < 4; i++) bytes[i] = (unsigned char)(number >> (8 * i));
}

// Writes a number as a float. One beyond the range of floats becomes the largest float.
static void put_f32(unsigned char *bytes, double number)
{
    uint32_t bits;
    const double largest = (double)FLT_MAX;
    const float single = isnan(number)       ? NAN
                         : number > largest  ? FLT_MAX
                         : number < -largest ? -FLT_MAX
                                             : (float)number;
    memcpy(&bits, &single, sizeof bits);
    put_u32(bytes, bits);
}

// Writes the packed dots that wait.
static void flush_dots(serve_text *out, map_window *wanted)
{
    serve_add_base64(out, wanted->bytes, (size_t)wanted->waiting * PACKED_BYTES);
    wanted->waiting = 0;
}

static void add_packed_dot(serve_call *call, map_window *wanted, uint64_t handle,
                           const double numbers[3])
{
    const weft_format f = call->world->plan->format;
    unsigned char *bytes = &wanted->bytes[(size_t)wanted->waiting * PACKED_BYTES];
    put_u32(bytes, (uint32_t)weft_handle_index(f, handle));
    put_u32(bytes + 4, (uint32_t)(handle >> f.index_bits));
    for (uint32_t i = 0; i < 3; i++) put_f32(bytes + 8 + 4 * i, numbers[i]);
    if (++wanted->waiting == PACKED_TOGETHER) flush_dots(call->out, wanted);
}

// Adds a dot, unless it has no place.
static void add_dot(serve_call *call, map_window *wanted, uint64_t handle)
{
    const weft_world *world = call->world;
    const weft_format f = world->plan->format;
    weft_place at;
    if (!weft_find(&world->entities, f, handle, &at)) return;
    const double x = dot_number(world, &wanted->x, handle, at);
    const double y = dot_number(world, &wanted->y, handle, at);
    if (!isfinite(x) || !isfinite(y)) return;
    const double value = dot_number(world, &wanted->value, handle, at);
    if (wanted->packed) {
        add_packed_dot(call, wanted, handle, (const double[]){x, y, value});
        return;
    }
    serve_add_comma(call->out);
    serve_print(call->out, "%llu,%llu", (unsigned long long)weft_handle_index(f, handle),
                (unsigned long long)(handle >> f.index_bits));
    add_dot_number(call->out, &wanted->x, x);
    add_dot_number(call->out, &wanted->y, y);
    add_dot_number(call->out, &wanted->value, value);
}

static void add_dots(serve_call *call, map_window *wanted)
{
    const serve_list *list = serve_list_of(call, &wanted->list);
    if (!list) return;
    serve_print(call->out,
                "{\"tick\":%llu,\"total\":%u,\"making\":", (unsigned long long)list->tick,
                list->count);
    if (list->making || !list->rows)
        serve_print(call->out, "%.3f", serve_list_share(list));
    else
        serve_add(call->out, "null");
    serve_add(call->out, wanted->packed ? ",\"dots\":\"" : ",\"dots\":[");
    const uint64_t first = (uint64_t)wanted->offset;
    for (uint64_t i = first; i < list->count && i - first < (uint64_t)wanted->limit; i++) {
        add_dot(call, wanted, serve_list_handle(list, i));
    }
    flush_dots(call->out, wanted);
    serve_add(call->out, wanted->packed ? "\"}" : "]}");
}

// Reads the params. The list contains the entities that have the component of `x`.
static bool take_window(serve_call *call, map_window *wanted)
{
    if (!serve_may_take_bool(call, "packed", &wanted->packed)) return false;
    const double most = wanted->packed ? SERVE_PACKED_DOTS_MAX : SERVE_DOTS_MAX;
    if (!serve_may_take_string(call, "where", wanted->list.where, sizeof wanted->list.where) ||
        !serve_take_string(call, "x", wanted->list.by, sizeof wanted->list.by) ||
        !serve_may_take_number(call, "offset", 0, 4294967295.0, &wanted->offset) ||
        !serve_may_take_number(call, "limit", 0, most, &wanted->limit)) {
        return false;
    }
    wanted->list.by[strcspn(wanted->list.by, ".[")] = '\0';
    return take_dot_number(call, "x", false, &wanted->x) &&
           take_dot_number(call, "y", false, &wanted->y) &&
           take_dot_number(call, "value", true, &wanted->value);
}

void serve_map(serve_call *call)
{
    static WEFT_THREAD_LOCAL map_window wanted; // too large for a stack
    wanted = (map_window){.limit = SERVE_DOTS_MAX};
    if (take_window(call, &wanted)) add_dots(call, &wanted);
    serve_valued_close(call->world, &wanted.x.of);
    serve_valued_close(call->world, &wanted.y.of);
    serve_valued_close(call->world, &wanted.value.of);
}
