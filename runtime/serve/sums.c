// Sums of writes: what each writer has added to a value in the last ticks.
#include "sums.h"

#include "writers.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define SUMS_MAX 128u // listed for one path

static void add_sum(serve_call *call, const char *owner, const weft_write_sum *sum)
{
    char path[WEFT_WRITE_TEXT_BYTES * 2];
    serve_text *out = call->out;
    const char *dot = sum->path[0] == '\0' || sum->path[0] == '[' ? "" : ".";
    snprintf(path, sizeof path, "%.63s%s%s", owner, dot, sum->path);
    serve_add_comma(out);
    serve_add(out, "{\"writer\":");
    serve_add_string(out, sum->writer);
    serve_print(out, ",\"commands\":%s,\"path\":", sum->commands ? "true" : "false");
    serve_add_string(out, path);
    serve_print(out, ",\"writes\":%llu,\"added\":%llu,\"removed\":%llu,\"last\":%llu",
                (unsigned long long)sum->writes, (unsigned long long)sum->added,
                (unsigned long long)sum->removed, (unsigned long long)sum->last);
    serve_add_change(out, sum->is_number ? sum->change : NAN);
    serve_add(out, "}");
}

void serve_sums(serve_call *call)
{
    static WEFT_THREAD_LOCAL weft_write_sum sums[SUMS_MAX]; // too large for a stack
    char path[SERVE_PATH_MAX];
    uint64_t handle, kept;
    double ticks = 200;
    serve_text *out = call->out;
    if (!serve_take_written(call, path, &handle) ||
        !serve_may_take_number(call, "ticks", 1, 4294967295.0, &ticks)) {
        return;
    }
    const uint64_t tick = call->world->tick;
    uint64_t from = tick > (uint64_t)ticks ? tick - (uint64_t)ticks : 0;
    const uint32_t found =
        weft_sum_writes(call->world, handle, path, from, UINT64_MAX, sums, SUMS_MAX);
    const uint32_t listed = found < SUMS_MAX ? found : SUMS_MAX;
    const bool all = weft_writes_kept(call->world, &kept);
    const bool whole = kept < from || (all && kept == from);
    if (!whole && kept > from) from = kept;
    serve_print(out, "{\"from\":%llu,\"to\":%llu,\"whole\":%s,\"left_off\":%u,\"sums\":[",
                (unsigned long long)from, (unsigned long long)tick, whole ? "true" : "false",
                (unsigned)(found - listed));
    path[strcspn(path, ".[")] = '\0';
    for (uint32_t i = 0; i < listed; i++) add_sum(call, path, &sums[i]);
    serve_add(out, "]}");
}
