// Each call of a weft::world does the same as the call of C. Prints each difference.
#include "port.hpp"

#include <cstdio>
#include <cstring>
#include <map>
#include <set>
#include <unordered_set>
#include <vector>

using world = weft::world<port_world>;
using reference = weft::world_ref<port_world>;

static int failed;

static void expect(bool holds, const char *what, int line)
{
    if (!holds) std::printf("line %d: not so: %s\n", line, what);
    failed += !holds;
}
#define EXPECT(condition) expect(condition, #condition, __LINE__)

static int turns, removals;

void port_reader(const port_reader_ctx *, uint32_t)
{
    turns++;
}
void port_writer(const port_writer_ctx *, uint32_t)
{
    turns += 10;
}
void port_rows(const port_rows_ctx *, uint32_t, port_claim *WEFT_RESTRICT)
{
    turns += 100;
}
void port_claim_on_remove(const port_hook_ctx *, port_entity, const port_claim *)
{
    removals++;
}

static void handles(reference w)
{
    const port_entity none = {}, a = w.spawn(), b = w.spawn();
    EXPECT(!none && a && b && none == PORT_NONE && a != b);
    EXPECT((a <=> b) != 0 && (a <=> a) == 0 && (a < b) != (b < a) && none < a);
    const std::set<port_entity> ordered = {b, a, b};
    const std::unordered_set<port_entity> hashed = {b, a, b};
    EXPECT(ordered.size() == 2 && hashed.size() == 2 && hashed.contains(a));
    if (port_entity found = w.spawn()) EXPECT(w.alive(found));
    const port_entity gone = w.spawn();
    EXPECT(w.despawn(gone) && !w.alive(gone) && !w.despawn(gone));
    EXPECT(w.spawn_at(gone) == WEFT_DEAD && w.spawn_at(a) == WEFT_REFUSED);
    port_map map = {};
    EXPECT(w.attach<port_tows>(b, a) && !w.clone(gone) && w.alive(w.clone(b)));
    const port_entity copy = w.clone(a, {.tows = true, .map = &map});
    EXPECT(map.count == 3 && port_map_find(&map, a) == copy);
    EXPECT(w.parent<port_tows>(port_map_find(&map, b)) == copy);
    weft::world<port_world> other;
    EXPECT(other.alive(w.clone_into(other, a, {.tows = true})));
    const port_entity recorded = weft::clone(w.commands(), a);
    EXPECT(!w.alive(recorded) && w.flush() == WEFT_OK && w.alive(recorded));
    EXPECT(w.alive(weft::clone(w, a, {.tows = true})));
    port_map_close(&map);
    static_assert(!std::is_convertible_v<port_entity, bool> &&
                  std::is_trivially_copyable_v<port_entity>);
}

static void parts(reference w)
{
    const port_entity e = w.spawn();
    EXPECT(w.set(e, port_cargo{.amount = 3}) && w.has<port_cargo>(e) &&
           w.get<port_cargo>(e)->amount == 3);
    EXPECT(w.replace(e, port_cargo{.amount = 4}) && w.edit<port_cargo>(e)->amount == 4);
    EXPECT(!w.replace(e, port_claim{}) && w.set(e, port_claim{}));
    EXPECT(w.set(e, port_drift{1, 2}) && *w.get<port_drift>(e).y == 2);
    *w.edit<port_drift>(e).x = 5;
    EXPECT(*weft::get<port_drift>(w, e).x == 5);
    EXPECT(w.set<port_taken>(e) && w.has<port_taken>(e));
    EXPECT(w.remove<port_taken>(e) && !w.has<port_taken>(e) && !w.remove<port_taken>(e));
    EXPECT(w.set<port_busy>(e) && w.set<port_seen>(e));
    w.clear<port_seen>();
    EXPECT(!w.has<port_seen>(e) && w.clear<port_cargo>() && !w.has<port_cargo>(e));
    removals = 0;
    EXPECT(w.strip(e) && removals == 1 && !w.has<port_busy>(e) && w.alive(e));
    w.edit<port_weather>()->wind = 4;
    EXPECT(w.get<port_weather>()->wind == 4);
}

static void prefabs(reference w)
{
    port_entity made[3];
    EXPECT(w.spawn_many(3, port_boat{.cargo = {.amount = 8}}, made) == 3 && w.alive(made[2]));
    EXPECT(w.get<port_cargo>(made[1])->amount == 8 && w.spawn_many<port_boat>(2) == 2);
    const port_boat_rows rows = w.spawn_rows<port_boat>(2);
    EXPECT(rows.count == 2 && w.alive(rows.entities[1]));
    for (uint32_t i = 0; i < 2; i++) {
        rows.place[i] = {};
        rows.cargo[i] = {.amount = i};
        rows.claim[i] = {};
        rows.drift.x[i] = rows.drift.y[i] = 0;
    }
    EXPECT(w.reserve<port_boat>(10) == WEFT_OK && w.reserve(10) == WEFT_OK);
    EXPECT(w.alive(w.spawn<port_boat>()) && w.set(w.spawn(), port_boat{}));
    EXPECT(weft::spawn(w, port_boat{}) && weft::spawn<port_boat>(w) && weft::spawn<port_entity>(w));
    EXPECT(weft::spawn_many<port_boat>(w, 2) && weft::despawn(w, made[0]) && !w.alive(made[0]));
    EXPECT(weft::set(w, made[1], port_claim{1}) && weft::set<port_busy>(w, made[1]));
}

static void composites(reference w)
{
    const port_barge_all all = w.spawn_all<port_barge>();
    EXPECT(w.get<port_cargo>(all.self)->owner == all.tug &&
           w.parent<port_tows>(all.tug) == all.self);
    EXPECT(w.part_of<&port_barge::tug>(all.self) == all.tug);
    for (uint32_t i = 0; i < 3; i++)
        EXPECT(w.part_of<&port_barge::buoy>(all.self, i) == all.buoy[i] && w.alive(all.buoy[i]));
    EXPECT(!w.part_of<&port_barge::buoy>(all.self, 3) && !w.part_of<&port_barge::tug>(all.tug));
    const port_barge_all other =
        w.spawn_all(port_barge{.cargo = {.amount = 9}, .tug = {.claim = {.count = 6}}});
    EXPECT(w.get<port_cargo>(other.self)->amount == 9 && w.get<port_claim>(other.tug)->count == 6);
    EXPECT(w.get<port_claim>(all.tug)->count == 5); // the default, which the prefab overrides
    const port_large_barge_all large = w.spawn_all<port_large_barge>();
    const weft::world_ref<const port_world> seen = w; // may only read
    EXPECT(seen.part_of<&port_large_barge::fleet>(large.self) == large.fleet.self);
    EXPECT(seen.part_of<&port_barge::buoy>(large.self, 4) == large.buoy[4]);
    EXPECT(seen.part_of<&port_barge::tug>(large.fleet.self) == large.fleet.tug);
    EXPECT(w.despawn(all.tug) && !w.part_of<&port_barge::tug>(all.self));
    EXPECT(w.spawn_many<port_barge>(2) == 2 && w.spawn_rows<port_barge>(2).buoy[2].count == 2);
    EXPECT(w.spawn(port_barge{}) && weft::spawn<port_barge>(w));
    const port_entity recorded = weft::spawn<port_barge>(w.commands());
    EXPECT(w.flush() == WEFT_OK && w.alive(w.part_of<&port_barge::tug>(recorded)));
    static_assert(!weft::composite<port_boat> && weft::composite<port_barge>);
    static_assert(weft::part_member<&port_barge::tug> && !weft::part_member<&port_barge::cargo>);
}

static void queries(reference w)
{
    const port_entity one = w.spawn(port_boat{.cargo = {.amount = 1}});
    EXPECT(w.only<port_laden>() == one && w.count<port_laden>() == 1 && w.passes<port_laden>(one));
    const port_entity two = w.spawn(port_boat{.cargo = {.amount = 2}});
    EXPECT(!w.only<port_laden>());
    uint32_t sum = 0;
    for (const auto &rows : w.each<port_laden>()) sum += rows.count;
    w.each<port_laden>(
        [&](port_entity, const port_cargo *cargo, bool busy) { sum += cargo->amount + busy; });
    EXPECT(sum == 5);
    const auto drift = [](port_drifting_iter &it) {
        while (port_drifting_next(&it)) {
            for (uint32_t i = 0; i < it.count; i++) it.drift.x[i] = 7;
        }
    };
    EXPECT(w.run<port_drifting>(drift) == WEFT_OK && *w.get<port_drift>(two).x == 7);
    const auto amount = [&](port_entity e) {
        return static_cast<int>(w.get<port_cargo>(e)->amount);
    };
    EXPECT(w.sort<port_laden>(
               [&](port_entity a, port_entity b) { return amount(b) - amount(a); }) == WEFT_OK);
    for (const auto &rows : w.each<port_laden>()) EXPECT(rows.entities[0] == two);
    EXPECT((w.set_all<port_drifting, port_seen>() == WEFT_OK && w.has<port_seen>(one)));
    EXPECT((w.remove_all<port_drifting, port_seen>() == WEFT_OK && !w.has<port_seen>(one)));
    EXPECT(
        (w.set_all<port_drifting>(port_claim{6}) == WEFT_OK && w.get<port_claim>(one)->count == 6));
    EXPECT(w.despawn_all<port_laden>() == WEFT_OK && !w.alive(one) && !w.alive(two));
}

static void trees(reference w)
{
    const port_entity root = w.spawn(), a = w.spawn(), b = w.spawn(), c = w.spawn();
    EXPECT(w.attach<port_tows>(b, root) && w.append<port_tows>(c, root));
    EXPECT(w.insert_before<port_tows>(a, b) && w.first_child<port_tows>(root) == a);
    EXPECT(w.next_sibling<port_tows>(a) == b && w.prev_sibling<port_tows>(c) == b);
    EXPECT(w.child_count<port_tows>(root) == 3 && w.depth<port_tows>(c) == 1);
    EXPECT(w.parent<port_tows>(a) == root && !w.parent<port_tows>(root));
    std::vector<port_entity> all;
    uint32_t depths = 0;
    for (const auto &at : w.walk<port_tows>(root)) all.push_back(at.entity), depths += at.depth;
    EXPECT((all == std::vector{root, a, b, c}) && depths == 3);
    EXPECT(w.detach<port_tows>(a) && !w.detach<port_tows>(a) && w.sort<port_tows>() == WEFT_OK);
    EXPECT(weft::attach<port_tows>(w, a, root) && weft::detach<port_tows>(w, a));
}

static void links(reference w)
{
    const port_entity a = w.spawn(), b = w.spawn(), c = w.spawn();
    EXPECT(w.set(a, b, port_owes{2}) && w.set(c, b, port_owes{5}) && w.set<port_knows>(a, c));
    EXPECT(w.get<port_owes>(a, b)->gold == 2 && w.get<port_owes>(b, a) == nullptr);
    w.edit<port_owes>(a, b)->gold = 3;
    EXPECT(w.has<port_owes>(a, b) && w.has<port_knows>(c, a) && !w.has<port_knows>(c, b));
    EXPECT(w.count<port_owes>() == 2 && w.count_to<port_owes>(b) == 2);
    EXPECT(w.count_from<port_owes>(b) == 0 && w.count_from<port_knows>(c) == 1);
    uint32_t gold = 0;
    for (const auto &at : w.links_to<port_owes>(b))
        gold += at.value->gold * (at.from == a ? 1 : 10);
    for (const auto &at : w.links_from<port_knows>(c)) gold += at.to == a ? 100 : 0;
    for (const auto &at : w.links<port_owes>()) gold += at.to == b ? 1000 : 0;
    EXPECT(gold == 2153);
    EXPECT(w.remove<port_owes>(a, b) && !w.remove<port_owes>(a, b));
    EXPECT(weft::remove<port_knows>(w, c, a) && weft::set(w, b, c, port_owes{}));
    EXPECT(w.clear<port_owes>() && w.count<port_owes>() == 0);
}

static void time(reference w)
{
    turns = 0;
    EXPECT(w.tick(0.5) == WEFT_OK && turns == 11 && w.stats().ticks == 1);
    w.spawn(port_boat{});
    EXPECT(w.is_on<port_rows>() && w.enable<port_rows>(false) && !w.is_on<port_rows>());
    EXPECT(w.tick(0.5) == WEFT_OK && turns == 22 && w.enable<port_rows>(true));
    EXPECT(w.run<port_run_late>(0.5) == WEFT_OK && turns == 132 && w.stats().ticks == 2);
    EXPECT(w.run<port_reader>(0.5) == WEFT_OK && turns == 133);
    EXPECT(w.system_stats(0).turns == 0 && std::strcmp(w.schema()->systems[0].name, "reader") == 0);
    const port_entity later = weft::spawn(w.commands(), port_boat{});
    EXPECT(!w.alive(later) && w.flush() == WEFT_OK && w.alive(later));
    EXPECT(w.recycle() == 0 && w.trim() == WEFT_OK);
    w.take_over();
    EXPECT(w.go(PORT_TIDE_HIGH) && w.now<port_tide>() == PORT_TIDE_LOW);
    EXPECT(w.reset() == WEFT_OK && w.stats().entities == 0);
}

static void saves(reference w)
{
    const port_entity kept = w.spawn(port_boat{.cargo = {.amount = 9}});
    const weft::saved save = w.save_memory();
    EXPECT(save && save.status() == WEFT_OK && save.size() == save.bytes().size() &&
           save.data() != nullptr);
    const uint64_t exact = w.hash_exact(), plain = w.hash();
    w.despawn(kept);
    EXPECT(w.hash_exact() != exact && w.hash() != plain);
    EXPECT(w.load_memory(save) == WEFT_OK && w.hash_exact() == exact && w.alive(kept));
    EXPECT(w.load_memory(save.bytes().first(9)) == WEFT_BAD_FILE && *w.error() != '\0' &&
           w.alive(kept));
    const port_entity set[] = {kept};
    const weft::saved part = w.part_save_memory(set, {.away = true});
    EXPECT(part && !w.alive(kept) && w.away(kept));
    EXPECT(w.part_load_memory(part) == WEFT_OK && w.alive(kept) && !w.away(kept));
    EXPECT(w.part_load_memory(part.bytes()) == WEFT_REFUSED);
    EXPECT(w.part_save(set, {}, "") == WEFT_IO && w.part_load("no/such.save") == WEFT_IO);
    w.despawn(kept);
    weft::saved first = w.save_memory(), second = std::move(first);
    EXPECT(!first && first.status() == WEFT_NOT_FOUND && first.size() == 0 && second);
    first = std::move(second);
    EXPECT(first && !second && !weft::saved());
    EXPECT(w.save("no/such/folder/port.save") == WEFT_IO && w.load("no/such.save") == WEFT_IO);
    EXPECT(w.save_begin("") == WEFT_IO && w.save_done() == WEFT_NOT_FOUND &&
           w.save_wait() == WEFT_NOT_FOUND);
}

// Memory hooks that count what is not given back.
static int blocks;
static void *take(void *, size_t bytes)
{
    blocks++;
    return std::aligned_alloc(64, (bytes + 63) / 64 * 64);
}
static void give(void *, void *memory, size_t)
{
    blocks--;
    std::free(memory);
}

static void memory()
{
    weft_options options = {};
    options.memory.allocate = take;
    options.memory.free_ = give;
    options.memory.reserve = [](void *, size_t) -> void * { return nullptr; };
    options.memory.commit = [](void *, void *, size_t) { return false; };
    options.memory.release = [](void *, void *, size_t) {};
    weft::saved outlives;
    {
        world w(options);
        EXPECT(w);
        w.spawn(port_boat{});
        outlives = w.save_memory();
        EXPECT(outlives && blocks > 1);
    }
    EXPECT(blocks == 1 && outlives.size() > 0);
    outlives = weft::saved();
    EXPECT(blocks == 0);
}

static void ends()
{
    world w, other{weft::closed};
    EXPECT(w && !other);
    port_world *const raw = w;
    other = std::move(w);
    EXPECT(!w && other == raw);
    world &self = other;
    other = std::move(self);
    EXPECT(other == raw);
    w = world();
    EXPECT(w && w != raw);
    w = std::move(other); // closes the one that was here
    EXPECT(w == raw && !other);
    world moved(std::move(w));
    EXPECT(!w && moved == raw);
    moved.close();
    EXPECT(!moved);
    moved.close();
    world released;
    port_close(released.release());
    EXPECT(!released);
    static_assert(!std::is_copy_constructible_v<world> && std::is_nothrow_move_assignable_v<world>);
    static_assert(!std::is_convertible_v<weft::closed_world, world>);
}

static void fragments(reference w)
{
    world level{weft::fragment};
    EXPECT(level);
    port_entity kept[2] = {level.spawn(port_boat{.cargo = {.amount = 31}}), level.spawn()};
    const port_entity before = kept[0];
    EXPECT(w.merge(level, kept) == WEFT_OK && w.get<port_cargo>(kept[0])->amount == 31);
    EXPECT(!level.alive(before) && w.merge(level) == WEFT_OK);
    weft_options options = {};
    EXPECT(world(weft::fragment, options));
}

int main()
{
    for (void (*test)(reference) :
         {handles, parts, prefabs, composites, queries, trees, links, time, saves, fragments}) {
        world w;
        if (!w) return 2;
        test(w);
    }
    memory();
    ends();
    return failed != 0;
}
