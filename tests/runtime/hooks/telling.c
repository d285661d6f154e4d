#include "telling.h"

#include <stdio.h>

int open_rig(void **state)
{
    *state = rig_open();
    return 0;
}

int close_rig(void **state)
{
    rig *r = (rig *)*state;
    r->react = NULL;
    rig_check(r);
    rig_close(r);
    return 0;
}

// ---- calls of hooks as text: "+body:3 =body:3:4 -seen"

static const char *words(const rig *r)
{
    static char text[1024];
    size_t length = 0;
    text[0] = '\0';
    for (size_t i = 0; i < r->count; i++) {
        const told *t = &r->told[i];
        const weft_component_info *info = &den_schema()->components[t->component];
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%c%s", i ? " " : "",
                                   t->replaced  ? '='
                                   : t->removed ? '-'
                                                : '+',
                                   info->name);
        if (info->storage == WEFT_STORAGE_TAG) continue;
        if (t->replaced) {
            length += (size_t)snprintf(text + length, sizeof text - length, ":%u",
                                       (unsigned)(t->old & 0xFF));
        }
        length += (size_t)snprintf(text + length, sizeof text - length, ":%u",
                                   (unsigned)(t->value & 0xFF));
    }
    return text;
}

void told_only(rig *r, const char *expected)
{
    assert_string_equal(words(r), expected);
    rig_forget(r);
}

den_entity fox_with(rig *r, uint32_t v)
{
    den_fox fox = rig_fox(v);
    den_entity e = den_fox_spawn(r->w, &fox);
    assert_true(den_alive(r->w, e));
    rig_forget(r);
    return e;
}

void populate(rig *r)
{
    for (uint32_t i = 0; i < 3; i++) {
        den_entity e = den_spawn(r->w);
        assert_true(den_seen_set(r->w, e));
        if (i == 0) assert_true(den_plain_set(r->w, e, (den_plain){1}));
        fox_with(r, i);
        fox_with(r, 10 + i);
    }
    rig_forget(r);
}

void go_in_circles(rig *r, const den_hook_ctx *ctx, const told *t)
{
    (void)r;
    if (t->component != DEN_COMPONENT_BARE) return;
    if (t->removed) rig_cmd_set(ctx->cmd, t->e, DEN_COMPONENT_BARE, 0);
    if (!t->removed) rig_cmd_remove(ctx->cmd, t->e, DEN_COMPONENT_BARE);
}
