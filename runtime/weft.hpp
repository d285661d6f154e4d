// Weft for C++20: the manual of <world>.hpp. All of it is inline and compiles to the calls of C. A
// handle or a pointer means the same in both languages, so they mix freely.
//
// A world
//     weft::world<burrow_world> w;                   // opened here, closed at the end of its scope
//     weft::world<burrow_world> later{weft::closed}; // empty: `if (later)` is false
//     later = std::move(w);                         // w is empty now
//     w = weft::world<burrow_world>(options);        // and open again
//     w.tick(1.0 / 60);                  // advance, flush, reset, trim, reserve, recycle, stats, …
//     w.save("burrow.save");              // save_begin, save_done, save_wait, load, hash_exact, …
//     weft::saved kept = w.save_memory(); // `if (kept)`; it gives its memory back
//     w.load_memory(kept);               // or a std::span of bytes
//
// Structs begin with the defaults of the schema, also in designated initialisers:
//     const burrow_entity rabbit = w.spawn(burrow_rabbit{.velocity = {.y = 3}}); // else: the defaults
//     w.spawn<burrow_rabbit>();             // all defaults
//     w.spawn_many<burrow_rabbit>(1000);    // spawn_rows returns columns to fill in
//     if (rabbit) …                        // not none; handles also have ==, <=> and std::hash
//     burrow_warren_all all = w.spawn_all<burrow_warren>(); // the handles of its parts too
//     burrow_entity store = w.part_of<&burrow_warren::store>(all.self); // w.part_of<…>(e, i)
//
// Components, tags and singletons
//     w.edit<burrow_position>(rabbit)->x += 1; // NULL if it is dead or has none, as in C; get
//     w.set(rabbit, burrow_position{8, 8}); // replace, has<…>, remove<…>, clear<…>, strip
//     w.set<burrow_asleep>(rabbit);       // a tag: has, remove, clear
//     w.edit<burrow_weather>()->wind = 2; // a singleton; get
//     weft::push(w.edit<burrow_route>(rabbit)->stops, e); // a list of the schema; remove_at
//
// Queries: rows.count, rows.entities and rows.position
//     for (auto &rows : w.each<burrow_rabbits>())
//         for (burrow_position &p : std::span(rows.position, rows.count)) p.x += 1;
//     w.each<burrow_rabbits>([](burrow_entity, burrow_position *p) { p->x += 1; }); // row by row
//     w.run<burrow_rabbits>([](burrow_rabbits_iter &part) { // on all workers; it may not change the world
//         for (auto &rows : weft::each(part)) rows.position[0].x = 0;
//     });
//     w.count<burrow_rabbits>();            // only, passes, despawn_all
//     w.sort<burrow_rabbits>([](burrow_entity a, burrow_entity b) { return a < b ? 1 : -1; });
//     w.set_all<burrow_rabbits, burrow_asleep>(); // remove_all
//
// Indexes: each step of a loop is one entity
//     for (const auto &at : w.near<burrow_by_place>(x, y, radius)) … // a grid: box, nearest
//     for (const auto &at : w.each<burrow_by_name>("Islin")) …       // a hash: find, count
//     for (const auto &at : w.range<burrow_by_age>(18, 65)) …        // an order: first, last
// Each step has at.entity, and the component: at.position. A hash of two fields takes {"Islin", 3}.
// The keys of hashes and orders do not narrow: a constant must fit, and so must the type of a
// variable.
//
// Relations
//     w.attach<burrow_tows>(child, parent); // append, insert_before, detach, sort
//     w.parent<burrow_tows>(child);       // first_child, next_sibling, prev_sibling, child_count, depth
//     for (const auto &at : w.walk<burrow_tows>(root)) … // at.entity, at.depth
//
// Clones
//     burrow_map map = {};                // pairs of original and copy
//     burrow_entity copy = w.clone(e, {.tows = true, .map = &map}); // w.clone_into(other, e)
//
// Links
//     w.set(a, b, burrow_owes{3});        // get, edit, has, remove, clear; count_from, count_to
//     w.set<burrow_knows>(a, b);          // links without a value
//     for (const auto &at : w.links_from<burrow_owes>(a)) … // at.to, at.value; links_to, links
//
// States, inputs, listeners, resources, systems, phases
//     w.go(BURROW_GAME_PLAY);             // w.now<burrow_game>() is its value
//     w.put(burrow_order{rabbit, 3, 4});    // an input for the next tick
//     auto sounds = w.turn<burrow_sounds>(); // sounds.died, sounds.died_count; weft::each(sounds)
//     w.bind(&canvas);                   // by its type; w.bind<burrow_screen_resource>(&canvas)
//     w.enable<burrow_walk>(false);       // a system with a switch; is_on
//     w.run<burrow_walk>(dt);             // a system alone; w.run<burrow_run_move>(dt): a phase
//     for (burrow_kind kind : weft::values<burrow_kind>()) std::puts(weft::name(kind));
//
// Commands: the same words with ctx->cmd in a system or hook, with w.commands() outside
//     weft::spawn(ctx->cmd, burrow_rabbit{}); // weft::spawn<burrow_rabbit>(ctx->cmd), spawn_many
//     weft::set(ctx->cmd, e, burrow_position{1, 2}); // replace, remove<…>, clear<…>
//     weft::set<burrow_asleep>(ctx->cmd, e);
//     weft::attach<burrow_tows>(ctx->cmd, child, parent); // append, insert_before, detach
//     weft::set(ctx->cmd, a, b, burrow_owes{3}); // a link; set<burrow_knows>(ctx->cmd, a, b)
//     weft::despawn(ctx->cmd, e);         // weft::clone(ctx->cmd, e) returns the future copy
//
// Fragments
//     weft::world<burrow_world> level{weft::fragment}; // any thread may fill it
//     w.merge(level);                    // w.merge(level, kept) maps a span of handles
//
// Systems and hooks
//     weft::get<burrow_cargo>(ctx, e);    // lookup.read; has<…>
//     weft::edit<burrow_claim>(ctx, e)->count++; // lookup.write
//     weft::set<burrow_taken>(ctx, e);    // a tag in lookup.write: has, remove
//     weft::get<burrow_weather>(ctx);     // a singleton; edit
//     weft::emit(ctx, burrow_built{e});
//     weft::near<burrow_by_place>(ctx, x, y, r);      // and the other calls of indexes
//     weft::each<burrow_rabbits>(ctx, function);        // and the other calls of queries that ask
//     weft::parent<burrow_tows>(ctx, e);              // and the other calls of relations that ask
//     weft::get<burrow_owes>(ctx, a, b);  // links.read; has, count_from, links_from, …
//     weft::edit<burrow_owes>(ctx, a, b)->gold--; // links.write
//     weft::now<burrow_game>(ctx);        // weft::go(ctx, BURROW_GAME_MENU)
//     weft::put<burrow_busy>(ctx, i, true); // of row i; has, touch
//
// `ctx` is a context, by pointer or reference, or a grant itself (`ctx->cargo`), or a world. A call
// without its grant does not compile. So one template is a helper for all systems and hooks that
// have the grants that it needs:
//
//     bool is_laden(const weft::reads<burrow_cargo> auto &ctx, burrow_entity rabbit)
//     {
//         const burrow_cargo *cargo = weft::get<burrow_cargo>(ctx, rabbit);
//         return cargo != nullptr && cargo->amount > 0;
//     }
//
// The concepts are weft::reads<…>, weft::writes<…> and weft::emits<…>, each of any number of names.
//
// <world>.hpp includes a small header for each declaration, such as burrow_rabbit.hpp. Each can be
// included alone. A file that does so is recompiled only if that declaration changes, or one that
// it includes.
//
// A world_ref is a pointer to a world with these calls; functions take it by value. The calls of a
// world_ref<const burrow_world> only read. Systems and hooks are the C functions of their prototypes,
// and C++ defines them like any other function. A definition with other parameters is another
// function, so the linker does not find the expected one; -Wmissing-declarations warns of this.
// <windows.h> defines `near` as an empty macro: #undef it after including that header.
#ifndef WEFT_HPP
#define WEFT_HPP

#include <compare>
#include <functional>
#include <span>
#include <utility>

#include "weft_helpers.hpp"
#include "weft_saved.hpp"

namespace weft
{

template <typename World> class world_ref
{
    using c = world_calls<std::remove_const_t<World>>;
    static constexpr bool writes = !std::is_const_v<World>;

  public:
    using entity = typename c::entity;

    // From a pointer, and back to one: NULL stays NULL.
    WEFT_THROUGH world_ref(World *w) : w_(w) {}
    WEFT_THROUGH operator World *() const
    {
        return w_;
    }

    // A world that may be written may be read.
    template <typename Other>
    requires(!writes && std::same_as<Other, std::remove_const_t<World>>) WEFT_THROUGH
        world_ref(world_ref<Other> w)
        : w_(w)
    {
    }

    // Entities
    WEFT_THROUGH bool alive(entity e) const
    {
        return c::alive(w_, e);
    }
    WEFT_THROUGH entity spawn() const requires writes
    {
        return c::spawn(w_);
    }
    WEFT_THROUGH weft_status spawn_at(entity e) const requires writes
    {
        return c::spawn_at(w_, e);
    }
    WEFT_THROUGH bool despawn(entity e) const requires writes
    {
        return c::despawn(w_, e);
    }
    WEFT_THROUGH bool strip(entity e) const requires writes
    {
        return c::strip(w_, e);
    }
    // Copy an entity here, or into another world. Return none if refused.
    WEFT_THROUGH entity clone(entity e,
                              const typename c::clone_options &options = {}) const requires writes
    {
        return c::clone(w_, e, &options);
    }
    WEFT_THROUGH entity clone_into(
        world_ref to, entity e, const typename c::clone_options &options = {}) const requires writes
    {
        return c::clone_into(to.w_, w_, e, &options);
    }

    // Components and tags of an entity. Pointers are valid until the next structural change.
    template <component Name> WEFT_THROUGH auto get(entity e) const
    {
        return calls<Name>::get(w_, e);
    }
    template <component Name>
    requires writes WEFT_THROUGH auto edit(entity e) const
    {
        return calls<Name>::edit(w_, e);
    }
    template <component Name>
    requires writes WEFT_THROUGH bool set(entity e, const Name &value) const
    {
        return calls<Name>::set(w_, e, value);
    }
    template <component Name>
    requires writes WEFT_THROUGH bool replace(entity e, const Name &value) const
    {
        return calls<Name>::replace(w_, e, value);
    }
    template <tag Name>
    requires writes WEFT_THROUGH bool set(entity e) const
    {
        return calls<Name>::set(w_, e);
    }
    template <part Name> WEFT_THROUGH bool has(entity e) const
    {
        return calls<Name>::has(w_, e);
    }
    template <part Name>
    requires writes WEFT_THROUGH bool remove(entity e) const
    {
        return calls<Name>::remove(w_, e);
    }
    template <part Name>
    requires writes WEFT_THROUGH auto clear() const
    {
        return calls<Name>::clear(w_);
    }

    // Singletons. The pointers are valid until the world is closed.
    template <singleton Name> WEFT_THROUGH const Name *get() const
    {
        return calls<Name>::get(w_);
    }
    template <singleton Name>
    requires writes WEFT_THROUGH Name *edit() const
    {
        return calls<Name>::edit(w_);
    }

    // Prefabs, with a value, or with the defaults of the schema.
    template <prefab Name>
    requires writes WEFT_THROUGH entity spawn(const Name &value)
    const
    {
        return calls<Name>::spawn(w_, &value);
    }
    template <prefab Name>
    requires writes WEFT_THROUGH entity spawn()
    const
    {
        return calls<Name>::spawn(w_, nullptr);
    }
    template <prefab Name>
    requires writes WEFT_THROUGH std::size_t spawn_many(std::size_t n, const Name &one,
                                                        entity *out = nullptr)
    const
    {
        return calls<Name>::spawn_many(w_, n, &one, out);
    }
    template <prefab Name>
    requires writes WEFT_THROUGH std::size_t spawn_many(std::size_t n, entity *out = nullptr)
    const
    {
        return calls<Name>::spawn_many(w_, n, nullptr, out);
    }
    template <prefab Name>
    requires writes WEFT_THROUGH auto spawn_rows(std::size_t n) const
    {
        return calls<Name>::spawn_rows(w_, n);
    }
    template <prefab Name>
    requires writes WEFT_THROUGH weft_status reserve(std::size_t n)
    const
    {
        return calls<Name>::reserve(w_, n);
    }
    template <prefab Name>
    requires writes WEFT_THROUGH bool set(entity e, const Name &value) const
    {
        return calls<Name>::set(w_, e, &value);
    }

    // Prefabs with parts: all handles of a spawn, and a part of an entity, named by the member of the
    // prefab's struct. Item i of a part if the part has a `count`: `&Name::wheel, i`.
    template <composite Name>
    requires writes WEFT_THROUGH auto spawn_all(const Name &value) const
    {
        return calls<Name>::spawn_all(w_, &value);
    }
    template <composite Name>
    requires writes WEFT_THROUGH auto spawn_all() const
    {
        return calls<Name>::spawn_all(w_, nullptr);
    }
    template <auto Member>
    requires part_member<Member> WEFT_THROUGH entity part_of(entity e)
    const
    {
        return part_calls<Member>::find(w_, e);
    }
    template <auto Member>
    requires part_member<Member> WEFT_THROUGH entity part_of(entity e, std::uint32_t i)
    const
    {
        return part_calls<Member>::find(w_, e, i);
    }

    // Queries: rows for a range-for, or a function for each row.
    template <query Name>
    requires std::invocable<decltype(calls<Name>::begin), World *>
        WEFT_THROUGH rows<iterator_of<Name>> each()
    const
    {
        return rows<iterator_of<Name>>(std::in_place, calls<Name>::begin, w_);
    }
    template <query Name, typename Function>
    requires std::invocable<decltype(calls<Name>::begin), World *> WEFT_THROUGH void
    each(Function function) const
    {
        calls<Name>::each(w_, &call_row<Function, typename calls<Name>::row>::call, &function);
    }
    // Calls a function with an iterator for each part of the rows, on all workers.
    template <query Name, typename Function>
    requires writes weft_status run(Function function)
    const
    {
        return calls<Name>::run(w_, &call_row<Function, std::tuple<iterator_of<Name> *>>::part,
                                &function);
    }
    template <query Name> WEFT_THROUGH std::size_t count() const
    {
        return calls<Name>::count(w_);
    }
    template <query Name> WEFT_THROUGH entity only() const
    {
        return calls<Name>::only(w_);
    }
    template <query Name> WEFT_THROUGH bool passes(entity e) const
    {
        return calls<Name>::passes(w_, e);
    }
    // Sorts by a function of two entities that returns a negative number if the first comes first.
    template <query Name, typename Function>
    requires writes weft_status sort(Function function)
    const
    {
        return calls<Name>::sort(w_, &compared<Function>, &function);
    }
    template <query Name>
    requires writes weft_status despawn_all()
    const
    {
        return calls<Name>::despawn_all(w_);
    }
    template <query Name, component Part>
    requires writes weft_status set_all(const Part &value)
    const
    {
        return all_calls<Name, Part>::set_all(w_, value);
    }
    template <query Name, tag Part>
    requires writes weft_status set_all()
    const
    {
        return all_calls<Name, Part>::set_all(w_);
    }
    template <query Name, part Part>
    requires writes weft_status remove_all()
    const
    {
        return all_calls<Name, Part>::remove_all(w_);
    }

    // A turn of a listener: its arrays, and its rows with weft::each.
    template <listener Name>
    requires writes WEFT_THROUGH iterator_of<Name> turn()
    const
    {
        return calls<Name>::turn(w_);
    }

    // States, inputs and resources. NULL removes a resource.
    template <state Name> WEFT_THROUGH Name now() const
    {
        return calls<Name>::now(w_);
    }
    template <state Name>
    requires writes WEFT_THROUGH bool go(Name value) const
    {
        return calls<Name>::go(w_, value);
    }
    template <input Name>
    requires writes WEFT_THROUGH bool put(const Name &value) const
    {
        return calls<Name>::put(w_, value);
    }
    template <resource Name>
    requires writes WEFT_THROUGH bool bind(typename calls<Name>::type *pointer) const
    {
        return calls<Name>::bind(w_, pointer);
    }
    template <typename Type>
    requires(writes && !resource<Type> && bound<World, Type>) WEFT_THROUGH
        bool bind(Type *pointer) const
    {
        return calls<typename decltype(resource_of(w_, pointer, any_resource()))::type>::bind(
            w_, pointer);
    }

    // Indexes: grids of two axes or three, hashes with one value or one for each field, and orders.
    template <grid_index Name>
    requires writes &&
        (calls<Name>::axes == 2) WEFT_THROUGH rows<iterator_of<Name>> near(key<Name> x, key<Name> y,
                                                                           key<Name> radius) const
    {
        return weft::near<Name>(w_, x, y, radius);
    }
    template <grid_index Name>
    requires writes &&
        (calls<Name>::axes == 3) WEFT_THROUGH rows<iterator_of<Name>> near(key<Name> x, key<Name> y,
                                                                           key<Name> z,
                                                                           key<Name> radius) const
    {
        return weft::near<Name>(w_, x, y, z, radius);
    }
    template <grid_index Name>
    requires writes &&(calls<Name>::axes ==
                       2) WEFT_THROUGH rows<iterator_of<Name>> box(key<Name> x0, key<Name> y0,
                                                                   key<Name> x1, key<Name> y1) const
    {
        return weft::box<Name>(w_, x0, y0, x1, y1);
    }
    template <grid_index Name>
    requires writes &&(calls<Name>::axes == 3) WEFT_THROUGH rows<iterator_of<Name>> box(
        key<Name> x0, key<Name> y0, key<Name> z0, key<Name> x1, key<Name> y1, key<Name> z1) const
    {
        return weft::box<Name>(w_, x0, y0, z0, x1, y1, z1);
    }
    template <grid_index Name>
    requires writes &&(calls<Name>::axes == 2) WEFT_THROUGH std::size_t
        nearest(key<Name> x, key<Name> y, std::size_t k, entity *out) const
    {
        return calls<Name>::nearest(w_, x, y, k, out);
    }
    template <grid_index Name>
    requires writes &&(calls<Name>::axes == 3) WEFT_THROUGH std::size_t
        nearest(key<Name> x, key<Name> y, key<Name> z, std::size_t k, entity *out) const
    {
        return calls<Name>::nearest(w_, x, y, z, k, out);
    }
    template <hash_index Name>
    requires writes WEFT_THROUGH rows<iterator_of<Name>> each(const key<Name> &wanted)
    const
    {
        return weft::each<Name>(w_, wanted);
    }
    template <hash_index Name>
    requires writes WEFT_THROUGH entity find(const key<Name> &wanted)
    const
    {
        return weft::find<Name>(w_, wanted);
    }
    template <hash_index Name>
    requires writes WEFT_THROUGH std::size_t count(const key<Name> &wanted)
    const
    {
        return weft::count<Name>(w_, wanted);
    }
    template <ordered_index Name>
    requires writes WEFT_THROUGH rows<iterator_of<Name>> range(key<Name> from, key<Name> to)
    const
    {
        return weft::range<Name>(w_, from, to);
    }
    template <ordered_index Name>
    requires writes WEFT_THROUGH entity first()
    const
    {
        return calls<Name>::first(w_);
    }
    template <ordered_index Name>
    requires writes WEFT_THROUGH entity last()
    const
    {
        return calls<Name>::last(w_);
    }

    // Relations
    template <relation Name>
    requires writes WEFT_THROUGH bool attach(entity child, entity parent) const
    {
        return calls<Name>::attach(w_, child, parent);
    }
    template <relation Name>
    requires writes WEFT_THROUGH bool append(entity child, entity parent) const
    {
        return calls<Name>::append(w_, child, parent);
    }
    template <relation Name>
    requires writes WEFT_THROUGH bool insert_before(entity child, entity sibling) const
    {
        return calls<Name>::insert_before(w_, child, sibling);
    }
    template <relation Name>
    requires writes WEFT_THROUGH bool detach(entity child) const
    {
        return calls<Name>::detach(w_, child);
    }
    template <relation Name>
    requires writes weft_status sort()
    const
    {
        return calls<Name>::sort(w_);
    }
    template <relation Name> WEFT_THROUGH entity parent(entity e) const
    {
        return calls<Name>::parent(w_, e);
    }
    template <relation Name> WEFT_THROUGH entity first_child(entity e) const
    {
        return calls<Name>::first_child(w_, e);
    }
    template <relation Name> WEFT_THROUGH entity next_sibling(entity e) const
    {
        return calls<Name>::next_sibling(w_, e);
    }
    template <relation Name> WEFT_THROUGH entity prev_sibling(entity e) const
    {
        return calls<Name>::prev_sibling(w_, e);
    }
    template <relation Name> WEFT_THROUGH std::uint32_t child_count(entity e) const
    {
        return calls<Name>::child_count(w_, e);
    }
    template <relation Name> WEFT_THROUGH std::uint32_t depth(entity e) const
    {
        return calls<Name>::depth(w_, e);
    }
    template <relation Name> WEFT_THROUGH rows<iterator_of<Name>> walk(entity root) const
    {
        return weft::walk<Name>(w_, root);
    }

    // Links: their values, and rows for a range-for. Pointers are valid until the next structural
    // change.
    template <valued_link Name> WEFT_THROUGH const Name *get(entity from, entity to) const
    {
        return calls<Name>::get(w_, from, to);
    }
    template <valued_link Name>
    requires writes WEFT_THROUGH Name *edit(entity from, entity to) const
    {
        return calls<Name>::edit(w_, from, to);
    }
    template <valued_link Name>
    requires writes WEFT_THROUGH bool set(entity from, entity to, const Name &value) const
    {
        return calls<Name>::set(w_, from, to, value);
    }
    template <bare_link Name>
    requires writes WEFT_THROUGH bool set(entity from, entity to) const
    {
        return calls<Name>::set(w_, from, to);
    }
    template <link Name> WEFT_THROUGH bool has(entity from, entity to) const
    {
        return calls<Name>::has(w_, from, to);
    }
    template <link Name>
    requires writes WEFT_THROUGH bool remove(entity from, entity to) const
    {
        return calls<Name>::remove(w_, from, to);
    }
    template <link Name>
    requires writes WEFT_THROUGH bool clear() const
    {
        return calls<Name>::clear(w_);
    }
    template <link Name> WEFT_THROUGH std::uint64_t count() const
    {
        return calls<Name>::count(w_);
    }
    template <link Name> WEFT_THROUGH std::uint32_t count_from(entity e) const
    {
        return calls<Name>::count_from(w_, e);
    }
    template <link Name> WEFT_THROUGH std::uint32_t count_to(entity e) const
    {
        return calls<Name>::count_to(w_, e);
    }
    template <link Name> WEFT_THROUGH rows<iterator_of<Name>> links() const
    {
        return weft::links<Name>(w_);
    }
    template <link Name> WEFT_THROUGH auto links_from(entity e) const
    {
        return weft::links_from<Name>(w_, e);
    }
    template <link Name> WEFT_THROUGH auto links_to(entity e) const
    {
        return weft::links_to<Name>(w_, e);
    }

    // Systems that have a switch, systems that run alone, and phases, by their C functions
    template <auto System>
    requires writes bool enable(bool on) const
    {
        return system_calls<System>::enable(w_, on);
    }
    template <auto System> bool is_on() const
    {
        return system_calls<System>::is_on(w_);
    }
    template <auto System>
    requires(writes &&requires { system_calls<System>::run; }) weft_status run(double dt)
    const
    {
        return system_calls<System>::run(w_, dt);
    }
    template <weft_status (*Phase)(World *, double)>
    requires writes weft_status run(double dt)
    const
    {
        return Phase(w_, dt);
    }

    // Time, commands and memory
    weft_status tick(double seconds) const requires writes
    {
        return c::tick(w_, seconds);
    }
    weft_status advance(double seconds) const requires(writes &&requires { c::advance; })
    {
        return c::advance(w_, seconds);
    }
    double alpha() const requires requires
    {
        c::alpha;
    }
    {
        return c::alpha(w_);
    }
    weft_commands *commands() const requires writes
    {
        return c::commands(w_);
    }
    weft_status flush() const requires writes
    {
        return c::flush(w_);
    }
    weft_status reserve(std::size_t n) const requires writes
    {
        return c::reserve(w_, n);
    }
    std::size_t recycle() const requires writes
    {
        return c::recycle(w_);
    }
    weft_status reset() const requires writes
    {
        return c::reset(w_);
    }
    weft_status trim() const requires writes
    {
        return c::trim(w_);
    }
    void take_over() const requires writes
    {
        c::take_over(w_);
    }
    // Moves all entities of a fragment here. Handles at `kept` become those of this world.
    weft_status merge(world_ref fragment, std::span<entity> kept = {}) const
        requires(writes &&requires { c::fragment_merge; })
    {
        return c::fragment_merge(w_, fragment, kept.data(), kept.size());
    }

    // Saves
    weft_status save(const char *path) const requires writes
    {
        return c::save(w_, path);
    }
    weft_status save_begin(const char *path) const requires writes
    {
        return c::save_begin(w_, path);
    }
    weft_status save_done() const requires writes
    {
        return c::save_done(w_);
    }
    weft_status save_wait() const requires writes
    {
        return c::save_wait(w_);
    }
    weft_status load(const char *path) const requires writes
    {
        return c::load(w_, path);
    }
    saved save_memory() const requires writes
    {
        void *bytes;
        std::size_t size;
        const weft_status status = c::save_memory(w_, &bytes, &size);
        return saved(base()->heap.hooks, status, bytes, size);
    }
    weft_status load_memory(std::span<const std::byte> bytes) const requires writes
    {
        return c::load_memory(w_, bytes.data(), bytes.size());
    }
    weft_status load_memory(const saved &save) const requires writes
    {
        return load_memory(save.bytes());
    }

    // Parts: sets of entities as files or in memory, which are copied or return
    weft_status part_save(std::span<const entity> set, const typename c::part_options &options,
                          const char *path) const requires writes
    {
        return c::part_save(w_, set.data(), set.size(), &options, path);
    }
    template <query Name>
    requires writes weft_status part_save(const typename c::part_options &options, const char *path)
    const
    {
        return calls<Name>::part_save(w_, &options, path);
    }
    saved part_save_memory(std::span<const entity> set,
                           const typename c::part_options &options = {}) const requires writes
    {
        void *bytes;
        std::size_t size;
        const weft_status status =
            c::part_save_memory(w_, set.data(), set.size(), &options, &bytes, &size);
        return saved(base()->heap.hooks, status, bytes, size);
    }
    weft_status part_load(const char *path, typename c::map *map = nullptr) const requires writes
    {
        return c::part_load(w_, path, nullptr, map);
    }
    weft_status part_load_memory(std::span<const std::byte> bytes,
                                 typename c::map *map = nullptr) const requires writes
    {
        return c::part_load_memory(w_, bytes.data(), bytes.size(), nullptr, map);
    }
    weft_status part_load_memory(const saved &part,
                                 typename c::map *map = nullptr) const requires writes
    {
        return part_load_memory(part.bytes(), map);
    }
    bool away(entity e) const
    {
        return c::away(w_, e);
    }

    // Facts
    std::uint64_t hash() const
    {
        return c::hash(w_);
    }
    std::uint64_t hash_exact() const
    {
        return c::hash_exact(w_);
    }
    weft_stats stats() const
    {
        return c::stats(w_);
    }
    weft_system_stats system_stats(std::uint32_t system) const
    {
        return c::system_stats(w_, system);
    }
    const char *error() const requires writes
    {
        return c::error(w_);
    }
    static const weft_schema *schema()
    {
        return c::schema();
    }
    weft_world *base() const
    {
        return c::base(w_);
    } // for calls of C that begin with weft_

  protected:
    World *w_; // NULL if opening failed, or the world is closed

  private:
    template <typename Function>
    static int compared(const std::remove_const_t<World> *, entity a, entity b, void *user)
    {
        return (*static_cast<Function *>(user))(a, b);
    }
};

// Braces cannot make one of these, so that braces as an argument are options.
struct closed_world {
    explicit closed_world() = default;
};
struct fragment_world {
    explicit fragment_world() = default;
};
inline constexpr closed_world closed{};     // opens nothing
inline constexpr fragment_world fragment{}; // opens a fragment

// A world that is closed at the end of its scope. `if (w)` asks whether it is open.
template <typename World> class world : public world_ref<World>
{
    using c = world_calls<World>;

  public:
    world() : world_ref<World>(c::open(nullptr)) {}
    explicit world(const weft_options &options) : world_ref<World>(c::open(&options)) {}
    explicit world(closed_world) noexcept : world_ref<World>(nullptr) {}
    // clang-format off
    template <typename Calls = c> requires requires { Calls::fragment_open; }
    explicit world(fragment_world) : world_ref<World>(Calls::fragment_open(nullptr)) {}
    template <typename Calls = c> requires requires { Calls::fragment_open; }
    world(fragment_world, const weft_options &options) : world_ref<World>(Calls::fragment_open(&options)) {}
    // clang-format on
    world(world &&other) noexcept : world_ref<World>(std::exchange(other.w_, nullptr)) {}
    // Closes this world, and moves the other one here.
    world &operator=(world &&other) noexcept
    {
        World *const moved = std::exchange(other.w_, nullptr);
        c::close(std::exchange(this->w_, moved));
        return *this;
    }
    world(const world &) = delete;
    world &operator=(const world &) = delete;
    ~world()
    {
        c::close(this->w_);
    }

    void close()
    {
        c::close(std::exchange(this->w_, nullptr));
    }
    World *release()
    {
        return std::exchange(this->w_, nullptr);
    } // the caller must close it
};

} // namespace weft

#endif
