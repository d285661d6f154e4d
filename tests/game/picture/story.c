// Reads components through the generated calls. A dead entity in a field is treated as none.
#include "story.h"

#include "colony.h"
#include "places.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const float HUNGRY = 0.33f, STARVING = 0.8f, TIRED = 0.6f;
static const float DAYS_MAX = 9999; // the inspector can set any age
enum { NAMED_MAX = 4 };             // people in a list of names

// ------------------------------------------------------------------------------------------------
// Words

static void add(char *to, size_t space, const char *format, va_list arguments)
{
    size_t length = strlen(to);
    vsnprintf(to + length, space - length, format, arguments);
}

// Adds words to the current sentence.
static void say(story *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    add(s->text, sizeof s->text, format, arguments);
    va_end(arguments);
}

static void title(story *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    s->title[0] = '\0';
    add(s->title, sizeof s->title, format, arguments);
    va_end(arguments);
    if (s->title[0] >= 'a' && s->title[0] <= 'z') s->title[0] = (char)(s->title[0] - 'a' + 'A');
}

// Returns the words between item i and the one before in a list of `count` items.
static const char *joint(uint32_t i, uint32_t count)
{
    if (i == 0) return "";
    return i + 1 == count ? " and " : ", ";
}

static const char *name_of(const colony_world *w, colony_entity e)
{
    const colony_person *person = colony_alive(w, e) ? colony_person_get(w, e) : NULL;
    return person == NULL ? NULL : person->name;
}

// Says the names of people, or how many more there are.
static void say_names(story *s, const char *const *names, uint32_t count)
{
    const uint32_t shown = count <= NAMED_MAX ? count : NAMED_MAX - 1;
    const uint32_t items = shown == count ? count : shown + 1;
    for (uint32_t i = 0; i < shown; i++) say(s, "%s%s", joint(i, items), names[i]);
    if (shown < count) say(s, " and %u more", count - shown);
}

// Returns the word after an amount of goods: "1 plank", "2 planks", "2 wood".
static const char *unit_of(colony_goods goods, uint32_t amount)
{
    return goods == COLONY_GOODS_PLANKS && amount == 1 ? "plank" : colony_goods_name(goods);
}

static float clamp(float value, float least, float most)
{
    if (!(value > least)) return least; // also if it is not a number
    return value < most ? value : most;
}

// Says all goods of a stock: "12 wood, 3 grain and 40 planks".
static void say_goods(story *s, const colony_stock *stock)
{
    uint32_t kinds = 0, said = 0;
    for (int g = 0; g < COLONY_GOODS_COUNT; g++) kinds += stock->amount[g] > 0;
    if (kinds == 0) say(s, "nothing");
    for (int g = 0; g < COLONY_GOODS_COUNT; g++) {
        if (stock->amount[g] == 0) continue;
        say(s, "%s%u %s", joint(said++, kinds), stock->amount[g],
            unit_of((colony_goods)g, stock->amount[g]));
    }
}

// Says in which village something is if there are several.
static void say_village(story *s, colony_world *w, colony_position at)
{
    char village[PLACES_NAME_SPACE];
    if (colony_depots_count(w) > 1 && places_village(village, sizeof village, w, at)) {
        say(s, " in %s", village);
    }
}

// ------------------------------------------------------------------------------------------------
// People

static void tell_carrying(story *s, colony_world *w, colony_entity e, const colony_worker *worker)
{
    char place[PLACES_NAME_SPACE];
    places_name(place, sizeof place, w, worker->destination);
    colony_entity bundle = colony_carried_by_first_child(w, e);
    const colony_cargo *cargo = colony_is_none(bundle) ? NULL : colony_cargo_get(w, bundle);
    if (cargo == NULL) {
        say(s, "Brings something to %s.\n", place);
    } else {
        say(s, "Carries %u %s to %s.\n", cargo->amount, unit_of(cargo->goods, cargo->amount),
            place);
    }
}

static void tell_gathering(story *s, const colony_worker *worker, bool arrived)
{
    if (worker->goods == COLONY_GOODS_GRAIN) {
        say(s, arrived ? "Harvests grain.\n" : "Goes to the fields to harvest grain.\n");
    } else {
        say(s, arrived ? "Cuts down a tree.\n" : "Goes to cut down a tree.\n");
    }
}

static void tell_resting(story *s, colony_world *w, colony_entity e)
{
    const colony_home *home = colony_home_get(w, e);
    bool housed = home != NULL && colony_alive(w, home->house);
    if (colony_asleep_has(w, e)) {
        say(s, housed ? "Sleeps at home.\n" : "Sleeps outdoors.\n");
    } else {
        say(s, housed ? "Goes home to bed.\n" : "Lies down outdoors.\n");
    }
}

static void tell_leisure(story *s, colony_world *w, colony_entity e)
{
    if (colony_sick_has(w, e)) {
        say(s, "Stays out of work.\n");
    } else if (colony_child_has(w, e)) {
        say(s, colony_arrived_has(w, e) ? "Plays.\n" : "Runs about.\n");
    } else {
        say(s, colony_arrived_has(w, e) ? "Has nothing to do.\n" : "Takes a walk.\n");
    }
}

static void tell_job(story *s, colony_world *w, colony_entity e)
{
    const colony_worker *worker = colony_worker_get(w, e);
    const bool arrived = colony_arrived_has(w, e);
    char place[PLACES_NAME_SPACE];
    if (worker == NULL) return;
    switch (worker->job) {
    case COLONY_JOB_GATHER:
        tell_gathering(s, worker, arrived);
        break;
    case COLONY_JOB_FETCH:
        places_name(place, sizeof place, w, worker->source);
        say(s, "Fetches %s from %s.\n", colony_goods_name(worker->goods), place);
        break;
    case COLONY_JOB_DELIVER:
        tell_carrying(s, w, e, worker);
        break;
    case COLONY_JOB_EAT:
        places_name(place, sizeof place, w, worker->destination);
        say(s, arrived ? "Eats at %s.\n" : "Goes to %s to eat.\n", place);
        break;
    case COLONY_JOB_REST:
        tell_resting(s, w, e);
        break;
    case COLONY_JOB_WALK:
        say(s, "Goes where you asked.\n");
        break;
    default:
        tell_leisure(s, w, e);
        break;
    }
}

static void tell_condition(story *s, colony_world *w, colony_entity e)
{
    colony_needs_const_columns needs = colony_needs_get(w, e);
    const colony_sick *sick = colony_sick_get(w, e);
    const char *words[3];
    uint32_t count = 0;
    if (needs.hunger != NULL && *needs.hunger >= HUNGRY) {
        words[count++] = *needs.hunger >= STARVING ? "starving" : "hungry";
    }
    if (needs.fatigue != NULL && *needs.fatigue >= TIRED) words[count++] = "tired";
    if (sick != NULL) words[count++] = "ill";
    say(s, "Is ");
    if (count == 0) say(s, "well");
    for (uint32_t i = 0; i < count; i++) say(s, "%s%s", joint(i, count), words[i]);
    say(s, ".\n");
}

static void tell_home(story *s, colony_world *w, colony_entity e)
{
    const colony_home *home = colony_home_get(w, e);
    char place[PLACES_NAME_SPACE];
    if (home == NULL) return;
    if (!places_name(place, sizeof place, w, home->house)) {
        say(s, "Has no home.\n");
        return;
    }
    say(s, "Lives in %s", place);
    say_village(s, w, *colony_position_get(w, home->house));
    const colony_dwelling *dwelling = colony_dwelling_get(w, home->house);
    const char *names[sizeof dwelling->residents.items / sizeof(colony_entity)];
    uint32_t count = 0;
    for (uint32_t i = 0; dwelling != NULL && i < dwelling->residents.count; i++) {
        const char *name = name_of(w, dwelling->residents.items[i]);
        if (name != NULL && !colony_same(dwelling->residents.items[i], e)) names[count++] = name;
    }
    if (count > 0) say(s, " with ");
    say_names(s, names, count);
    say(s, ".\n");
}

// Says at most NAMED_MAX friends, in the order in which they are linked.
static void tell_friends(story *s, colony_world *w, colony_entity e)
{
    const char *names[NAMED_MAX];
    uint32_t count = 0;
    colony_friends_from_iter it = colony_friends_from_begin(w, e);
    while (colony_friends_from_next(&it)) {
        const char *name = name_of(w, it.to);
        if (name == NULL) continue;
        if (count < NAMED_MAX) names[count] = name;
        count++;
    }
    say(s, count == 0 ? "Has no friends yet" : count == 1 ? "Friend: " : "Friends: ");
    say_names(s, names, count);
    say(s, ".\n");
}

static void tell_mother(story *s, const colony_world *w, const colony_person *person)
{
    const char *mother = name_of(w, person->mother);
    if (mother != NULL) say(s, "Is a child of %s.\n", mother);
}

static void tell_person(story *s, colony_world *w, colony_entity e, const colony_person *person)
{
    const int days = (int)clamp(person->age, 0, DAYS_MAX);
    if (days == 0) {
        title(s, "%s, born today", person->name);
    } else {
        title(s, "%s, %d day%s old", person->name, days, days == 1 ? "" : "s");
    }
    tell_job(s, w, e);
    tell_condition(s, w, e);
    tell_home(s, w, e);
    tell_mother(s, w, person);
    tell_friends(s, w, e);
}

// ------------------------------------------------------------------------------------------------
// Things

static void tell_residents(story *s, const colony_world *w, const colony_dwelling *dwelling)
{
    const char *names[sizeof dwelling->residents.items / sizeof(colony_entity)];
    uint32_t count = 0;
    for (uint32_t i = 0; i < dwelling->residents.count; i++) {
        const char *name = name_of(w, dwelling->residents.items[i]);
        if (name != NULL) names[count++] = name;
    }
    if (count == 0) say(s, "Nobody");
    say_names(s, names, count);
    say(s, " live%s here.\n", count <= 1 ? "s" : "");
    if (count < dwelling->beds) {
        uint32_t beds = dwelling->beds - count;
        say(s, "%u bed%s free.\n", beds, beds == 1 ? " is" : "s are");
    }
}

static void tell_workshop(story *s, const colony_world *w, colony_entity e,
                          const colony_workshop *workshop)
{
    const colony_recipe *recipe = &workshop->recipe;
    say(s, "Makes %s from %s.\n", colony_goods_name(recipe->output),
        colony_goods_name(recipe->input));
    say(s, colony_busy_has(w, e) ? "Is at work.\n" : "Waits for %s.\n",
        colony_goods_name(recipe->input));
}

static void tell_site(story *s, const colony_site *site, const colony_stock *stock)
{
    uint32_t have = stock == NULL ? 0 : stock->amount[COLONY_GOODS_PLANKS];
    say(s, "%u of %u planks are here.\n", have, site->planks);
}

// Says who works at a place. A claim counts only if the worker names the place too.
static void tell_claim(story *s, const colony_world *w, colony_entity e)
{
    const colony_claim *claim = colony_claim_get(w, e);
    if (claim == NULL || !colony_alive(w, claim->by)) return;
    const colony_worker *worker = colony_worker_get(w, claim->by);
    const char *name = name_of(w, claim->by);
    if (name == NULL || worker == NULL || !colony_same(worker->claimed, e)) return;
    say(s, "%s %s.\n", name, colony_plant_has(w, e) ? "comes to gather" : "works for this place");
}

static void tell_building(story *s, colony_world *w, colony_entity e)
{
    char place[PLACES_NAME_SPACE], village[PLACES_NAME_SPACE] = "";
    const colony_position *at = colony_position_get(w, e);
    const colony_dwelling *dwelling = colony_dwelling_get(w, e);
    const colony_workshop *workshop = colony_workshop_get(w, e);
    const colony_site *site = colony_site_get(w, e);
    const colony_stock *stock = colony_stock_get(w, e);
    if (!places_name(place, sizeof place, w, e)) return;
    bool named = at != NULL && places_village(village, sizeof village, w, *at);
    title(s, named && colony_depot_has(w, e) ? "%s of %s" : "%s", place, village);
    if (dwelling != NULL) tell_residents(s, w, dwelling);
    if (workshop != NULL) tell_workshop(s, w, e, workshop);
    if (site != NULL) {
        tell_site(s, site, stock);
    } else if (stock != NULL) {
        say(s, "Stores ");
        say_goods(s, stock);
        say(s, ".\n");
    }
    if (named && !colony_depot_has(w, e)) say(s, "Belongs to %s.\n", village);
    tell_claim(s, w, e);
}

static void tell_plant(story *s, const colony_world *w, colony_entity e, const colony_plant *plant)
{
    title(s, plant->goods == COLONY_GOODS_GRAIN ? "A field of grain" : "A tree");
    float grown = 100 * plant->hours_grown / plant->hours_to_ripen;
    if (colony_ripe_has(w, e)) {
        say(s, plant->goods == COLONY_GOODS_GRAIN ? "Is ripe.\n" : "Is tall enough to cut.\n");
    } else {
        say(s, "Has grown %d%%.\n", (int)clamp(grown, 0, 99));
    }
    say(s, "Gives %u %s.\n", plant->yield, unit_of(plant->goods, plant->yield));
    tell_claim(s, w, e);
}

static void tell_cargo(story *s, const colony_world *w, colony_entity e, const colony_cargo *cargo)
{
    title(s, "%u %s", cargo->amount, unit_of(cargo->goods, cargo->amount));
    const char *name = name_of(w, colony_carried_by_parent(w, e));
    if (name != NULL) say(s, "Carried by %s.\n", name);
}

void story_tell(story *s, colony_world *w, colony_entity e)
{
    *s = (story){0};
    if (!colony_alive(w, e)) return;
    const colony_person *person = colony_person_get(w, e);
    const colony_plant *plant = colony_plant_get(w, e);
    const colony_cargo *cargo = colony_cargo_get(w, e);
    if (person != NULL) {
        tell_person(s, w, e, person);
    } else if (plant != NULL) {
        tell_plant(s, w, e, plant);
    } else if (cargo != NULL) {
        tell_cargo(s, w, e, cargo);
    } else if (colony_building_has(w, e)) {
        tell_building(s, w, e);
    }
}
