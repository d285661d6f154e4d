#include "beat.h"

uint64_t beat_next(uint64_t *due, uint64_t now, uint64_t frame)
{
    *due += frame;
    if (*due + BEAT_FRAMES_LATE * frame < now) *due = now;
    return *due > now ? *due - now : 0;
}

bool beat_has_time(uint64_t begun, uint64_t now, uint64_t tick, uint64_t frame)
{
    return now - begun + tick <= frame;
}
