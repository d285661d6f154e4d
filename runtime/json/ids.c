// Who is in the text: found in any order, then sorted by their ids, which is the order in which
// they get new handles.
#include "../change/calls.h"
#include "../change/component.h"
#include "../change/relation.h"
#include "reader.h"

#include <inttypes.h>

typedef struct person {
    uint64_t id;     // in the text
    uint64_t handle; // here; while judging: where in the text it is
} person;

static person *people_of(const weft_json_reader *in)
{
    return (person *)(void *)in->people.base;
}

bool weft_json_add_person(weft_json_reader *in, uint64_t id)
{
    const weft_plan *plan = in->world->plan;
    const size_t most = SIZE_MAX / 2 / sizeof(person);
    size_t limit = (plan->max_entities < most ? plan->max_entities : most) * sizeof(person);
    size_t bytes = ((size_t)in->people_count + 1) * sizeof(person);
    if (in->people_count == plan->max_entities) {
        return weft_json_refuse(&in->text, WEFT_FULL, "more than the %" PRIu32 " of max_entities",
                                plan->max_entities);
    }
    if (!weft_region_grow(&in->world->heap, &in->people, bytes, limit)) {
        return weft_json_no_memory(in);
    }
    people_of(in)[in->people_count++] = (person){id, in->text.value};
    return true;
}

// ------------------------------------------------------------------------------------------------
// In order

// By index, then generation.
static bool comes_before(weft_format f, uint64_t a, uint64_t b)
{
    uint32_t one = weft_handle_index(f, a);
    uint32_t other = weft_handle_index(f, b);
    return one != other ? one < other : a < b;
}

static void sift(weft_format f, person *people, uint32_t at, uint32_t count)
{
    for (;;) {
        uint64_t child = (uint64_t)at * 2 + 1;
        if (child >= count) return;
        if (child + 1 < count && comes_before(f, people[child].id, people[child + 1].id)) child++;
        if (!comes_before(f, people[at].id, people[child].id)) return;
        person p = people[at];
        people[at] = people[child];
        people[child] = p;
        at = (uint32_t)child;
    }
}

// In place, without recursion, in O(n log n) whatever the text (heap sort).
static void sort_people(weft_format f, person *people, uint32_t count)
{
    for (uint32_t i = count / 2; i > 0; i--) sift(f, people, i - 1, count);
    for (uint32_t end = count; end > 1; end--) {
        person last = people[end - 1];
        people[end - 1] = people[0];
        people[0] = last;
        sift(f, people, 0, end - 1);
    }
}

// Goes once more to the line of a value.
static void go_back_to(weft_json_reader *in, size_t value)
{
    in->text = weft_json_begin(in->world, in->text.text, in->text.bytes);
    while (in->text.value < value) {
        weft_json_peek(&in->text);
        if (in->text.value < value) in->text.at++;
    }
}

bool weft_json_judge_people(weft_json_reader *in)
{
    weft_format f = in->world->plan->format;
    person *people = people_of(in);
    sort_people(f, people, in->people_count);
    for (uint32_t i = 1; i < in->people_count; i++) {
        const person *a = &people[i - 1];
        const person *b = &people[i];
        if (a->id != b->id) continue;
        go_back_to(in, (size_t)(a->handle > b->handle ? a->handle : b->handle));
        return weft_json_refuse(&in->text, WEFT_BAD_VALUE,
                                "entity \"%" PRIu32 ":%" PRIu64 "\" is there twice",
                                weft_handle_index(f, a->id), a->id >> f.index_bits);
    }
    return true;
}

uint32_t weft_json_person(const weft_json_reader *in, uint64_t id)
{
    const person *people = people_of(in);
    weft_format f = in->world->plan->format;
    uint32_t low = 0;
    for (uint32_t high = in->people_count; low < high;) {
        uint32_t middle = low + (high - low) / 2;
        if (comes_before(f, people[middle].id, id))
            low = middle + 1;
        else
            high = middle;
    }
    return low < in->people_count && people[low].id == id ? low : in->people_count;
}

// ------------------------------------------------------------------------------------------------
// Here

uint64_t weft_json_handle_here(void *reader, uint64_t id)
{
    const weft_json_reader *in = (const weft_json_reader *)reader;
    uint32_t i = weft_json_person(in, id);
    return i < in->people_count ? people_of(in)[i].handle : 0;
}

void weft_json_despawn_people(weft_json_reader *in)
{
    for (uint32_t i = 0; i < in->people_count; i++) {
        weft_place at; // some go with their parents
        uint64_t handle = people_of(in)[i].handle;
        if (weft_find(&in->world->entities, in->world->plan->format, handle, &at)) {
            weft_despawn(in->world, handle);
        }
    }
}

bool weft_json_spawn_people(weft_json_reader *in)
{
    person *people = people_of(in);
    weft_status status = weft_world_reserve(in->world, in->people_count);
    for (uint32_t i = 0; status == WEFT_OK && i < in->people_count; i++) {
        people[i].handle = weft_spawn_empty(in->world);
        if (people[i].handle == 0) status = in->world->refusal.status;
        if (status == WEFT_OK) continue;
        in->people_count = i;
        weft_json_despawn_people(in);
    }
    in->text.status = status;
    return status == WEFT_OK;
}
