// Emits, forwards and hears rumors; each hearer has its own list of values.
//
// flags: hot
#include "rumors.h"

void rumors_tell(rumors *all, teller t, const fuzz_rumor *rumor, bool no_memory)
{
    told_rumors *told = &all->told[t];
    if (!no_memory && told->kept.count < RUMORS_MAX) {
        told->kept.items[told->kept.count++] = *rumor;
    } else if (told->lost++ == 0) {
        told->trouble = no_memory ? WEFT_NO_MEMORY : WEFT_FULL;
    }
}

static uint32_t longest(const rumors *all)
{
    uint32_t most = 0;
    for (hearer h = 0; h < HEARERS; h++) {
        if (all->unheard[h].count > most) most = all->unheard[h].count;
    }
    return most;
}

handover rumors_expected(const rumors *all, teller t)
{
    const told_rumors *told = &all->told[t];
    const uint32_t space = RUMORS_MAX - longest(all);
    handover h = {.taken = told->kept.count < space ? told->kept.count : space};
    h.no_space = told->kept.count - h.taken;
    if (told->trouble == WEFT_NO_MEMORY) {
        h.no_memory = told->lost;
    } else {
        h.no_space += told->lost;
    }
    return h;
}

void rumors_take(rumors *all, teller t, handover handed)
{
    told_rumors *told = &all->told[t];
    for (hearer h = 0; h < HEARERS; h++) {
        rumor_list *list = &all->unheard[h];
        for (uint32_t i = 0; i < handed.taken; i++)
            list->items[list->count++] = told->kept.items[i];
        list->fresh += handed.taken;
    }
    all->lost += handed.no_memory + handed.no_space;
    if (handed.no_space != 0 && all->trouble == WEFT_OK) all->trouble = WEFT_FULL;
    if (handed.no_memory != 0) all->trouble = WEFT_NO_MEMORY;
    told->kept.count = 0;
    told->lost = 0;
    told->trouble = WEFT_OK;
}

void rumors_heard(rumors *all, hearer h)
{
    all->unheard[h].count = 0;
    all->unheard[h].fresh = 0;
}

void rumors_visit(rumors *all, visitor *v)
{
    for (hearer h = 0; h < HEARERS; h++) {
        rumor_list *list = &all->unheard[h];
        for (uint32_t i = 0; i < list->count; i++) rumor_info.visit(v, &list->items[i]);
    }
}

void rumors_load(rumors *all)
{
    for (hearer h = 0; h < HEARERS; h++) {
        rumor_list *list = &all->unheard[h];
        for (uint32_t i = 0; i < list->count; i++) value_load(&rumor_info, NULL, &list->items[i]);
    }
}

weft_status rumors_settle(rumors *all)
{
    weft_status status = all->trouble;
    all->trouble = WEFT_OK;
    for (hearer h = 0; h < HEARERS; h++) all->unheard[h].fresh = 0;
    return status;
}
