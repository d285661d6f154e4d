#include "choice.h"

choice choice_first(void)
{
    return (choice){{0, 1, 2, 3, 4}};
}

bool choice_next(choice *c, uint16_t parts)
{
    for (uint32_t i = CHOICE_PARTS; i-- > 0;) {
        if (c->part[i] == parts - CHOICE_PARTS + i) continue;
        c->part[i]++;
        for (uint32_t j = i + 1; j < CHOICE_PARTS; j++) c->part[j] = (uint16_t)(c->part[j - 1] + 1);
        return true;
    }
    return false;
}

bool choice_record(const choice *c, weft_commands *cmd, uint16_t first_component, float x,
                   uint32_t rows)
{
    bool done = true;
    for (uint32_t row = 0; row < rows; row++) {
        uint64_t handle = weft_command_spawn(cmd, WEFT_NONE, NULL, 0);
        done &= handle != 0;
        for (uint32_t i = 0; i < CHOICE_PARTS; i++) {
            float value[3] = {(float)c->part[i], x, (float)row};
            uint16_t component = (uint16_t)(first_component + c->part[i]);
            done &=
                weft_command_record(cmd, WEFT_COMMAND_SET, component, handle, value, sizeof value);
        }
    }
    return done;
}
