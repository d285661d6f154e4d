// Minimal worlds: `hollow` has neither components nor systems, `bare` no components, `idle` no
// systems.
#include "hollow.h"
#include "bare.h"
#include "idle.h"

#include <assert.h>

void bare_count(const bare_count_ctx *ctx, uint32_t count)
{
    assert(count == 0 && ctx->dt == 0.5);
    ++*(uint32_t *)ctx->user;
}

int main(void)
{
    uint32_t calls = 0;
    hollow_world *hollow = hollow_open(NULL);
    bare_world *bare = bare_open(&(weft_options){.user = &calls});
    idle_world *idle = idle_open(NULL);
    assert(hollow && bare && idle);

    hollow_entity h = hollow_spawn(hollow);
    assert(hollow_tick(hollow, 0.5) == WEFT_OK && hollow_alive(hollow, h));
    assert(hollow_schema()->component_count == 0 && hollow_schema()->system_count == 0);
    uint64_t hash = hollow_hash(hollow);
    assert(hollow_despawn(hollow, h) && !hollow_alive(hollow, h) && hollow_hash(hollow) != hash);

    bare_entity b = bare_spawn(bare);
    for (uint32_t tick = 1; tick <= 3; tick++) {
        assert(bare_tick(bare, 0.5) == WEFT_OK && calls == tick);
    }
    assert(bare_all_count(bare) == 1 && bare_alive(bare, b));

    idle_entity i = idle_spawn(idle);
    assert(idle_place_set(idle, i, (idle_place){3}));
    assert(idle_cmd_despawn(idle_commands(idle), i) && idle_alive(idle, i));
    assert(idle_tick(idle, 0.5) == WEFT_OK && !idle_alive(idle, i));

    hollow_close(hollow);
    bare_close(bare);
    idle_close(idle);
    return 0;
}
