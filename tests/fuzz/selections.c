// flags: hot
#include "selections.h"

const system_info systems[SELECTIONS] = {
    [RIPPLE] = {EARLY, .hearer = NO_HEARER},
    [INTEGRATE] = {EARLY, .hearer = NO_HEARER},
    [SIFT] = {EARLY, .hearer = NO_HEARER},
    [CENSUS] = {EARLY, .once = true, .hearer = HEARER_CENSUS},
    [GOSSIP] = {MIDDLE, .hearer = NO_HEARER},
    [INFECT] = {MIDDLE, .hearer = NO_HEARER},
    [MARK] = {MIDDLE, .hearer = NO_HEARER},
    [FLICKER] = {MIDDLE, .every = 0.25, .hearer = HEARER_FLICKER},
    [ECHO] = {MIDDLE, .every = 0.375, .hearer = NO_HEARER, .ordered = true, .order = FOLLOWS},
    [LONE] = {LATE, .hearer = NO_HEARER},
    [SLOW] = {LATE, .once = true, .every = 1.0, .hearer = HEARER_SLOW},
    [TREAT] = {LATE, .hearer = NO_HEARER},
    [HAUNT] = {LATE, .every = 0.5, .hearer = HEARER_HAUNT},
    [NURSE] = {LATE, .hearer = NO_HEARER},
    [SHADE] = {LATE, .hearer = NO_HEARER},
    [TRAIL] = {LATE, .hearer = NO_HEARER, .ordered = true, .order = PART_OF},
};

static bool passes_query(const entity *e, selection s)
{
#define HAS(c) entity_has(e, c)
#define TIED(r) (e->ties[r].parent != 0)
#define PARENT(r) (e->children[r] != 0)
    switch (s) {
    case EVERYONE:
        return true;
    case PLACES:
        return HAS(PLACE);
    case MOVERS:
        return HAS(MOTION) && HAS(PLACE) && !HAS(MARKED);
    case NOTED:
        return HAS(MARKED) || HAS(HIDDEN);
    case STRANGERS:
        return !HAS(PLACE) && !HAS(SCALARS) && !HAS(GHOST) && !HAS(HEAT);
    case FEVERISH:
        return HAS(FEVER) && HAS(BRAND);
    case MIXED:
        return HAS(PLACE) && (((HAS(HOT) != HAS(FEVER)) && !(HAS(LABEL) && HAS(HIDDEN))) ||
                              (HAS(SPECK) != HAS(MARKED)));
    case SCATTERED:
        return HAS(PLACE) && HAS(SCALARS) && HAS(MARKED) != (HAS(COLD) || HAS(GHOST));
    case SPECKS:
        return HAS(SPECK);
    case GRIPPED:
        return HAS(GRIP) && (HAS(HEAT) == HAS(HOT) || (HAS(KEEN) && !HAS(SPECK)));
    case THREE:
        return HAS(HEAT) && (HAS(MOTION) + HAS(LABEL) + HAS(BULK)) % 2 == 1;
    case POUCHES:
        return HAS(MOTION) && HAS(POUCH) && (HAS(AWAKE) || HAS(HOT));
    case HAUNTED:
        return HAS(GHOST) && !(HAS(MARKED) && HAS(HIDDEN)) != HAS(FEVER);
    case KIN:
        return ((TIED(PART_OF) && !PARENT(PART_OF)) || (PARENT(FOLLOWS) && !TIED(FOLLOWS))) !=
               (TIED(PART_OF) && HAS(MARKED));
    default:
        return false;
    }
}

bool passes(const entity *e, selection s)
{
    switch (s) {
    case RIPPLE:
        return HAS(HEAT) && (!HAS(COLD) || HAS(FEVER));
    case INTEGRATE:
        return HAS(MOTION) && HAS(PLACE);
    case SIFT:
        return HAS(PLACE) && HAS(SCALARS) && HAS(MARKED) != (HAS(HOT) || HAS(GHOST));
    case GOSSIP:
        return HAS(SCALARS) && HAS(GRIP) && HAS(MARKED) != (HAS(AWAKE) || HAS(STUCK));
    case INFECT:
        return HAS(PLACE) && !HAS(HIDDEN);
    case MARK:
        return HAS(PLACE) || HAS(SPECK);
    case FLICKER:
        return HAS(SPECK) && (!HAS(MARKED) || HAS(HOT));
    case LONE:
        return HAS(MARKED) && HAS(GHOST);
    case TREAT:
        return HAS(FEVER) && HAS(BRAND) && HAS(GHOST);
    case HAUNT:
        return HAS(FEVER) && (HAS(PLACE) || HAS(HOT));
    case NURSE:
        return HAS(FEVER);
    case SHADE:
        return HAS(GHOST);
    case ECHO:
        return HAS(LABEL);
    case TRAIL:
        return HAS(PLACE) && !HAS(STUCK);
    case CENSUS:
    case SLOW:
        return false;
    default:
        return passes_query(e, s);
    }
}

uint32_t count_passing(const model *m, selection s)
{
    uint32_t passing = 0;
    for (uint32_t i = 0; i < m->living_count; i++) {
        const entity *e = &m->entities[m->living[i]];
        passing += e->state == ALIVE && passes(e, s);
    }
    return passing;
}
