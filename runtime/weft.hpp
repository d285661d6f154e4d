// Weft for C++20: what <world>.hpp gives names to. All of it is inline, and the code that comes out is
// that of the C calls; a handle or a pointer means the same in both, so that they mix freely.
//
//     weft::world<drift_world> w;                     // opened here, closed at the end of its scope
//     drift_boat values = drift_boat_defaults();      // drift_boat{…} has zeros where it names none
//     values.velocity.y = 3;
//     const drift_entity boat = w.spawn(values);      // w.spawn<drift_boat>(): all defaults
//     w.edit<drift_position>(boat)->x += 1;           // NULL if it is dead or has none, as in C
//     for (auto &rows : w.each<drift_boats_iter>()) { // rows.count, rows.entities, rows.position
//         for (drift_position &p : std::span(rows.position, rows.count)) p.x += 1;
//     }
//     w.each<drift_boats_iter>([](drift_entity, drift_position *p) { p->x += 1; }); // row by row
//     auto sounds = w.turn<drift_sounds_iter>();      // of a listener: sounds.died, sounds.died_count
//     drift_anchored_set(w, boat);                    // every call of C takes it, too
//
// A world_ref is a pointer to a world with these calls: functions take it by value. That of a world
// which is const reads. What a call of C refuses is refused here in the same way, and what is no component,
// singleton, prefab or query of the world does not compile. Systems and hooks are the C functions of their
// prototypes, which C++ defines like any other. With other parameters it is another function to C++, and the
// linker misses the one: -Wmissing-declarations tells where.
#ifndef WEFT_HPP
#define WEFT_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

// Code in C has casts that C++ would write in another way. Compilers that know neither pragma, as
// MSVC, would warn of it.
#ifdef __clang__
#define WEFT_QUIET_BEGIN                                                                           \
    _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Weverything\"")
#define WEFT_QUIET_END _Pragma("clang diagnostic pop")
#elif defined(__GNUC__)
#define WEFT_QUIET_BEGIN                                                                           \
    _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wold-style-cast\"")
#define WEFT_QUIET_END _Pragma("GCC diagnostic pop")
#else
#define WEFT_QUIET_BEGIN
#define WEFT_QUIET_END
#endif

WEFT_QUIET_BEGIN
#include "weft.h"
WEFT_QUIET_END

namespace weft
{

// <world>.hpp says here what the calls of each type are; a type that is no part of a world has none.
// They and those below are inlined whatever they cost, so that a call of C is inlined where it would be.
#ifdef __GNUC__
#define WEFT_THROUGH [[gnu::always_inline]] inline
#else
#define WEFT_THROUGH inline
#endif

template <typename Type> struct calls {
};
template <typename World> struct world_calls;

template <typename Type>
concept component = requires
{
    &calls<Type>::remove;
};
template <typename Type>
concept singleton = requires
{
    &calls<Type>::edit;
}
&&!component<Type>;
template <typename Type>
concept prefab = requires
{
    &calls<Type>::spawn;
};
template <typename Type>
concept query = requires
{
    &calls<Type>::next;
};
template <typename Type>
concept listener = requires
{
    &calls<Type>::turn;
};

// The rows of a query for a range-for, each turn of which has the iterator of C at its next rows. The
// comparison with the end steps, once a turn, so that the loop is that of C: while (…_next(&it)).
template <query Iterator> class rows
{
  public:
    struct end_of_rows {
    };

    class step
    {
      public:
        WEFT_THROUGH explicit step(Iterator *at) : at_(at) {}
        WEFT_THROUGH Iterator &operator*() const
        {
            return *at_;
        }
        WEFT_THROUGH void operator++() {}
        WEFT_THROUGH bool operator!=(end_of_rows) const
        {
            return calls<Iterator>::next(at_);
        }

      private:
        Iterator *at_;
    };

    template <typename World>
    WEFT_THROUGH explicit rows(World *w) : first_(calls<Iterator>::begin(w))
    {
    }
    WEFT_THROUGH explicit rows(Iterator first) : first_(first) {}
    rows(const rows &) = delete;
    rows &operator=(const rows &) = delete;

    WEFT_THROUGH step begin()
    {
        return step(&first_);
    }
    WEFT_THROUGH end_of_rows end() const
    {
        return {};
    }

  private:
    Iterator first_;
};

// What the call of C is given for a function of C++, to which `user` points.
template <typename Function, typename Calls, typename Row = typename Calls::row> struct call_row;
template <typename Function, typename Calls, typename... Values>
struct call_row<Function, Calls, std::tuple<Values...>> {
    static void call(Values... values, void *user)
    {
        (*static_cast<Function *>(user))(values...);
    }
};

// The rows of an iterator that has begun: how a system goes over a query that it lists.
//     for (auto &boats : weft::each(drift_sail_boats_begin(ctx))) …
template <query Iterator> WEFT_THROUGH rows<Iterator> each(Iterator begun)
{
    return rows<Iterator>(begun);
}

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

    // clang-format off
    WEFT_THROUGH bool alive(entity e) const { return c::alive(w_, e); }
    WEFT_THROUGH entity spawn() const requires writes { return c::spawn(w_); }
    WEFT_THROUGH bool despawn(entity e) const requires writes { return c::despawn(w_, e); }

    // Components of an entity. Their pointers are good until the next structural change.
    template <component Type>
    WEFT_THROUGH auto get(entity e) const { return calls<Type>::get(w_, e); }
    template <component Type> requires writes
    WEFT_THROUGH auto edit(entity e) const { return calls<Type>::edit(w_, e); }
    template <component Type> requires writes
    WEFT_THROUGH bool set(entity e, const Type &value) const { return calls<Type>::set(w_, e, value); }
    template <component Type>
    WEFT_THROUGH bool has(entity e) const { return calls<Type>::has(w_, e); }
    template <component Type> requires writes
    WEFT_THROUGH bool remove(entity e) const { return calls<Type>::remove(w_, e); }

    // Singletons. The pointers are good as long as the world is open.
    template <singleton Type>
    WEFT_THROUGH const Type *get() const { return calls<Type>::get(w_); }
    template <singleton Type> requires writes
    WEFT_THROUGH Type *edit() const { return calls<Type>::edit(w_); }

    // Prefabs, with a value, or with the defaults of the schema.
    template <prefab Type> requires writes
    WEFT_THROUGH entity spawn(const Type &value) const { return calls<Type>::spawn(w_, &value); }
    template <prefab Type> requires writes
    WEFT_THROUGH entity spawn() const { return calls<Type>::spawn(w_, nullptr); }
    template <prefab Type> requires writes
    WEFT_THROUGH bool set(entity e, const Type &value) const { return calls<Type>::set(w_, e, &value); }

    // The rows of a query, by the type of its iterator.
    template <query Iterator> requires std::invocable<decltype(calls<Iterator>::begin), World *>
    WEFT_THROUGH rows<Iterator> each() const { return rows<Iterator>(w_); }
    // Calls a function for each of them, with the entity and its values as <world>_<query>_each does.
    template <query Iterator, typename Function>
    requires std::invocable<decltype(calls<Iterator>::begin), World *>
    WEFT_THROUGH void each(Function function) const
    {
        calls<Iterator>::each(w_, &call_row<Function, calls<Iterator>>::call, &function);
    }

    // A turn of a listener, by the type of its iterator: its arrays, and its rows with weft::each.
    template <listener Iterator> requires writes
    WEFT_THROUGH Iterator turn() const { return calls<Iterator>::turn(w_); }

    weft_status tick(double seconds) const requires writes { return c::tick(w_, seconds); }
    weft_status advance(double seconds) const requires writes && requires { c::advance; } { return c::advance(w_, seconds); }
    double alpha() const requires requires { c::alpha; } { return c::alpha(w_); }
    weft_status flush() const requires writes { return c::flush(w_); }
    weft_status save(const char *path) const requires writes { return c::save(w_, path); }
    weft_status save_begin(const char *path) const requires writes
    {
        return c::save_begin(w_, path);
    }
    weft_status save_done() const requires writes { return c::save_done(w_); }
    weft_status save_wait() const requires writes { return c::save_wait(w_); }
    weft_status load(const char *path) const requires writes { return c::load(w_, path); }
    std::uint64_t hash() const { return c::hash(w_); }
    const char *error() const requires writes { return c::error(w_); }
    // clang-format on

  protected:
    World *w_; // NULL where opening failed
};

// A world that is closed with its scope. `if (w)` tells whether it could be opened.
template <typename World> class world : public world_ref<World>
{
    using c = world_calls<World>;

  public:
    world() : world_ref<World>(c::open(nullptr)) {}
    explicit world(const weft_options &options) : world_ref<World>(c::open(&options)) {}
    world(world &&other) noexcept : world_ref<World>(std::exchange(other.w_, nullptr)) {}
    world &operator=(world &&other) noexcept
    {
        std::swap(this->w_, other.w_);
        return *this;
    }
    ~world()
    {
        c::close(this->w_);
    }
};

} // namespace weft

#endif
