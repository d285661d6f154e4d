// flags: played
#include "leaves.h"

static const seen absent = {false, 0, 0, 0, NULL};

static seen of_u(uint64_t u)
{
    return (seen){.there = true, .u = u};
}

static seen of_i(int64_t i)
{
    return (seen){.there = true, .i = i};
}

static seen of_f(double f)
{
    return (seen){.there = true, .f = f};
}

static seen of_text(const char *text)
{
    return (seen){.there = true, .text = text};
}

#define GETTER(name, component, condition, made)                                                   \
    static seen name(const fuzz_world *w, fuzz_entity e)                                           \
    {                                                                                              \
        const fuzz_##component *v = fuzz_##component##_get(w, e);                                  \
        return v && (condition) ? made : absent;                                                   \
    }

// The getter of a component with an array for each field, of which `first` is one.
#define SOA_GETTER(name, component, first, condition, made)                                        \
    static seen name(const fuzz_world *w, fuzz_entity e)                                           \
    {                                                                                              \
        const fuzz_##component##_const_columns v = fuzz_##component##_get(w, e);                   \
        return v.first && (condition) ? made : absent;                                             \
    }

GETTER(place_x, place, true, of_f((double)v->x))
GETTER(flag, scalars, true, of_u(v->flag))
GETTER(small_number, scalars, true, of_u(v->small))
GETTER(signed_small, scalars, true, of_i(v->signed_small))
GETTER(medium, scalars, true, of_u(v->medium))
GETTER(signed_medium, scalars, true, of_i(v->signed_medium))
GETTER(large, scalars, true, of_u(v->large))
GETTER(signed_large, scalars, true, of_i(v->signed_large))
GETTER(huge, scalars, true, of_u(v->huge))
GETTER(signed_huge, scalars, true, of_i(v->signed_huge))
GETTER(ratio, scalars, true, of_f((double)v->ratio))
GETTER(precise, scalars, true, of_f(v->precise))
GETTER(mood, scalars, true, of_u(v->mood))
GETTER(code, scalars, true, of_u(v->code))
GETTER(holder, grip, true, of_u(v->holder.bits))
GETTER(chain_1, grip, true, of_u(v->chain[1].bits))
GETTER(bond_to, grip, true, of_u(v->bond.to.bits))
GETTER(bond_weight, grip, true, of_i(v->bond.weight))
GETTER(knot_x, grip, true, of_f((double)v->knots[1].at.x))
GETTER(knot_bond_to, grip, true, of_u(v->knots[0].bonds[1].to.bits))
GETTER(pack_count, grip, true, of_u(v->pack.count))
GETTER(pack_2, grip, v->pack.count > 2, of_u(v->pack.items[2].bits))
GETTER(bonds_1, grip, v->bonds.count > 1, of_i(v->bonds.items[1].weight))
GETTER(text, label, true, of_text(v->text))
GETTER(moods_count, label, true, of_u(v->moods.count))
GETTER(moods_1, label, v->moods.count > 1, of_u(v->moods.items[1]))
GETTER(codes_1, label, true, of_u(v->codes[1]))
GETTER(mood_3, label, true, of_i(v->by_mood[FUZZ_MOOD_AFRAID]))
GETTER(speck, speck, true, of_u(v->v))
GETTER(word_23, bulk, true, of_u(v->words[23]))
GETTER(stamp_letter, bulk, true, of_u(v->stamp.letters[2]))
GETTER(stamps_1, bulk, v->stamps.count > 1, of_u(v->stamps.items[1].number))
SOA_GETTER(motion_dx, motion, dx, true, of_f((double)*v.dx))
SOA_GETTER(motion_dz, motion, dx, true, of_f((double)*v.dz))
SOA_GETTER(items_3, pouch, items, v.items->count > 3, of_u(v.items->items[3]))
SOA_GETTER(note, pouch, items, true, of_text(*v.note))
SOA_GETTER(owner, pouch, items, true, of_u(v.owner->bits))
SOA_GETTER(spot_y, pouch, items, true, of_f((double)(*v.spots)[1].y))
SOA_GETTER(weight, pouch, items, true, of_f(*v.weight))
SOA_GETTER(flags_2, pouch, items, true, of_u((*v.flags)[2]))
SOA_GETTER(friends_1, pouch, items, v.friends->count > 1, of_u(v.friends->items[1].bits))
SOA_GETTER(pouch_bond, pouch, items, true, of_i(v.knot->bonds[1].weight))
SOA_GETTER(pouch_stamp, pouch, items, true, of_u(v.stamp->number))
SOA_GETTER(degrees, heat, degrees, true, of_f((double)*v.degrees))
GETTER(fever_left, fever, true, of_f((double)v->left))
GETTER(fever_from, fever, true, of_u(v->from.bits))
GETTER(brand_weight, brand, true, of_i(v->bond.weight))
GETTER(letters, brand, true, of_text(v->letters))
GETTER(owners_0, brand, v->owners.count > 0, of_u(v->owners.items[0].bits))
GETTER(ghost, ghost, true, of_u(v->v))

const leaf leaves_there[] = {
    {"place.x", LEAF_SINGLE, place_x},
    {"scalars.flag", LEAF_BOOL, flag},
    {"scalars.small", LEAF_UNSIGNED, small_number},
    {"scalars.signed_small", LEAF_SIGNED, signed_small},
    {"scalars.medium", LEAF_UNSIGNED, medium},
    {"scalars.signed_medium", LEAF_SIGNED, signed_medium},
    {"scalars.large", LEAF_UNSIGNED, large},
    {"scalars.signed_large", LEAF_SIGNED, signed_large},
    {"scalars.huge", LEAF_UNSIGNED, huge},
    {"scalars.signed_huge", LEAF_SIGNED, signed_huge},
    {"scalars.ratio", LEAF_SINGLE, ratio},
    {"scalars.precise", LEAF_DOUBLE, precise},
    {"scalars.mood", LEAF_MOOD, mood},
    {"scalars.code", LEAF_CODE, code},
    {"grip.holder", LEAF_HANDLE, holder},
    {"grip.chain[1]", LEAF_HANDLE, chain_1},
    {"grip.bond.to", LEAF_HANDLE, bond_to},
    {"grip.bond.weight", LEAF_SIGNED, bond_weight},
    {"grip.knots[1].at.x", LEAF_SINGLE, knot_x},
    {"grip.knots[0].bonds[1].to", LEAF_HANDLE, knot_bond_to},
    {"grip.pack.count", LEAF_UNSIGNED, pack_count},
    {"grip.pack[2]", LEAF_HANDLE, pack_2},
    {"grip.bonds[1].weight", LEAF_SIGNED, bonds_1},
    {"label.text", LEAF_TEXT, text},
    {"label.moods.count", LEAF_UNSIGNED, moods_count},
    {"label.moods[1]", LEAF_MOOD, moods_1},
    {"label.codes[1]", LEAF_CODE, codes_1},
    {"label.by_mood[afraid]", LEAF_SIGNED, mood_3},
    {"label.by_mood[3]", LEAF_SIGNED, mood_3},
    {"speck.v", LEAF_UNSIGNED, speck},
    {"bulk.words[23]", LEAF_UNSIGNED, word_23},
    {"bulk.stamp.letters[2]", LEAF_UNSIGNED, stamp_letter},
    {"bulk.stamps[1].number", LEAF_UNSIGNED, stamps_1},
    {"motion.dx", LEAF_SINGLE, motion_dx},
    {"motion.dz", LEAF_SINGLE, motion_dz},
    {"pouch.items[3]", LEAF_UNSIGNED, items_3},
    {"pouch.note", LEAF_TEXT, note},
    {"pouch.owner", LEAF_HANDLE, owner},
    {"pouch.spots[1].y", LEAF_SINGLE, spot_y},
    {"pouch.weight", LEAF_DOUBLE, weight},
    {"pouch.flags[2]", LEAF_BOOL, flags_2},
    {"pouch.friends[1]", LEAF_HANDLE, friends_1},
    {"pouch.knot.bonds[1].weight", LEAF_SIGNED, pouch_bond},
    {"pouch.stamp.number", LEAF_UNSIGNED, pouch_stamp},
    {"heat.degrees", LEAF_SINGLE, degrees},
    {"fever.left", LEAF_SINGLE, fever_left},
    {"fever.from", LEAF_HANDLE, fever_from},
    {"brand.bond.weight", LEAF_SIGNED, brand_weight},
    {"brand.letters", LEAF_TEXT, letters},
    {"brand.owners[0]", LEAF_HANDLE, owners_0},
    {"ghost.v", LEAF_UNSIGNED, ghost},
};
const uint32_t leaf_count = sizeof leaves_there / sizeof *leaves_there;

const member members_there[] = {
    {"place", fuzz_place_has},   {"motion", fuzz_motion_has}, {"pouch", fuzz_pouch_has},
    {"label", fuzz_label_has},   {"speck", fuzz_speck_has},   {"fever", fuzz_fever_has},
    {"ghost", fuzz_ghost_has},   {"marked", fuzz_marked_has}, {"hidden", fuzz_hidden_has},
    {"awake", fuzz_awake_has},   {"hot", fuzz_hot_has},       {"cold", fuzz_cold_has},
    {"rooted", fuzz_rooted_has}, {"grip", fuzz_grip_has},     {"brand", fuzz_brand_has},
};
const uint32_t member_count = sizeof members_there / sizeof *members_there;

const tree trees_there[] = {
    {"part_of", fuzz_part_of_parent, fuzz_part_of_first_child},
    {"follows", fuzz_follows_parent, fuzz_follows_first_child},
    {"owned_by", fuzz_owned_by_parent, fuzz_owned_by_first_child},
};
const uint32_t tree_count = sizeof trees_there / sizeof *trees_there;

const char *const mood_names[5] = {"calm", "glad", "angry", "afraid", "asleep"};
const char *const code_names[3] = {"zero", "one", "two"};
