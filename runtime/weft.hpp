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
//
//     w.go(DRIFT_GAME_PLAY);                          // a state; w.now<drift_game>() is its value
//     w.put(drift_order{boat, 3, 4});                 // an input for the next tick
//     w.bind(&canvas);                                // a resource; w.bind<game_canvas>(nullptr)
//     for (drift_kind kind : weft::values<drift_kind>()) std::puts(weft::name(kind));
//     drift_anchored_set(w, boat);                    // every call of C takes it, too
//
// An index goes by the type of its iterator as well, each step of which is one entity:
//
//     using place = drift_by_place_near_iter;         // a grid; with x, y and z if it has three axes
//     for (const auto &at : w.near<place>(x, y, radius)) sum += at.position->x; // and at.entity
//     w.box<place>(x0, y0, x1, y1);                   // likewise
//     w.nearest<place>(x, y, k, out);                 // how many there are
//     using name = drift_by_name_each_iter;           // a hash; {"Islin", 3} if it has two fields
//     w.find<name>("Islin");
//     w.count<name>("Islin");
//     for (const auto &at : w.each<name>("Islin")) sum += at.person->age;
//     using age = drift_by_age_range_iter;            // an order
//     for (const auto &at : w.range<age>(18, 65)) sum += at.person->age;
//     w.first<age>();                                 // and w.last<age>()
//
// A system goes over an index that it lists with weft::each(drift_by_place_near_begin_in(ctx->by_place, …)).
// <windows.h> makes `near` a macro of nothing: #undef it behind that.
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
template <typename Enum> struct enum_calls {
};

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
template <typename Type>
concept state = requires
{
    &calls<Type>::go;
};
template <typename Type>
concept input = requires
{
    &calls<Type>::put;
};
template <typename Type>
concept grid_index = requires
{
    &calls<Type>::near;
};
template <typename Type>
concept hash_index = requires
{
    &calls<Type>::find;
};
template <typename Type>
concept ordered_index = requires
{
    &calls<Type>::range;
};
template <typename Type>
concept enumeration = requires
{
    &enum_calls<Type>::name;
};

// What an index is asked for: a coordinate of a grid, the fields of a hash, a value in an order.
template <typename Iterator> using key = typename calls<Iterator>::key;

// The name that the schema gives to a value, and "?" for a number that is none.
template <enumeration Enum> WEFT_THROUGH const char *name(Enum value)
{
    return enum_calls<Enum>::name(value);
}

// All values of an enum or state, for a range-for. Arrays by an enum have one element for each.
template <enumeration Enum> class values
{
  public:
    class step
    {
      public:
        WEFT_THROUGH explicit step(int at) : at_(at) {}
        WEFT_THROUGH Enum operator*() const
        {
            return static_cast<Enum>(at_);
        }
        WEFT_THROUGH void operator++()
        {
            at_++;
        }
        WEFT_THROUGH bool operator!=(step other) const
        {
            return at_ != other.at_;
        }

      private:
        int at_;
    };

    WEFT_THROUGH step begin() const
    {
        return step(0);
    }
    WEFT_THROUGH step end() const
    {
        return step(enum_calls<Enum>::count);
    }
};

// How many functions of some are of one type.
template <typename Function, typename... Functions>
constexpr int times(const std::tuple<Functions...> &)
{
    return (0 + ... + std::same_as<Function, Functions>);
}

// A resource that no other resource of the world is like.
template <typename World, typename Type>
concept bound = (times<bool (*)(World *, Type *)>(world_calls<World>::binds) == 1);

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
    template <typename Call, typename... Given>
    WEFT_THROUGH rows(std::in_place_t, Call call, const Given &...given) : first_(call(given...))
    {
    }
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
//     for (auto &boats : weft::each(drift_boats_begin_in(ctx->boats))) …
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

    // Singletons. The pointers are valid as long as the world is open.
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

    // States and inputs, by the types of their values.
    template <state Type>
    WEFT_THROUGH Type now() const { return calls<Type>::now(w_); }
    template <state Type> requires writes
    WEFT_THROUGH bool go(Type value) const { return calls<Type>::go(w_, value); }
    template <input Type> requires writes
    WEFT_THROUGH bool put(const Type &value) const { return calls<Type>::put(w_, value); }

    // A resource, by its type where no other has that; else with the call of C. NULL takes it away.
    template <typename Type> requires writes && bound<World, Type>
    WEFT_THROUGH bool bind(Type *pointer) const
    {
        return std::get<bool (*)(World *, Type *)>(c::binds)(w_, pointer);
    }

    // Indexes, by the types of their iterators: grids of two axes or of three,
    template <grid_index I> requires writes && (calls<I>::axes == 2)
    WEFT_THROUGH rows<I> near(key<I> x, key<I> y, key<I> radius) const
    {
        return rows<I>(std::in_place, calls<I>::near, w_, x, y, radius);
    }
    template <grid_index I> requires writes && (calls<I>::axes == 3)
    WEFT_THROUGH rows<I> near(key<I> x, key<I> y, key<I> z, key<I> radius) const
    {
        return rows<I>(std::in_place, calls<I>::near, w_, x, y, z, radius);
    }
    template <grid_index I> requires writes && (calls<I>::axes == 2)
    WEFT_THROUGH rows<I> box(key<I> x0, key<I> y0, key<I> x1, key<I> y1) const
    {
        return rows<I>(std::in_place, calls<I>::box, w_, x0, y0, x1, y1);
    }
    template <grid_index I> requires writes && (calls<I>::axes == 3)
    WEFT_THROUGH rows<I> box(key<I> x0, key<I> y0, key<I> z0, key<I> x1, key<I> y1, key<I> z1) const
    {
        return rows<I>(std::in_place, calls<I>::box, w_, x0, y0, z0, x1, y1, z1);
    }
    template <grid_index I> requires writes && (calls<I>::axes == 2)
    WEFT_THROUGH std::size_t nearest(key<I> x, key<I> y, std::size_t k, entity *out) const
    {
        return calls<I>::nearest(w_, x, y, k, out);
    }
    template <grid_index I> requires writes && (calls<I>::axes == 3)
    WEFT_THROUGH std::size_t nearest(key<I> x, key<I> y, key<I> z, std::size_t k, entity *out) const
    {
        return calls<I>::nearest(w_, x, y, z, k, out);
    }

    // hashes, with one value, or in braces with one for each field,
    template <hash_index I> requires writes
    WEFT_THROUGH rows<I> each(const key<I> &wanted) const
    {
        return each_of<I>(wanted, fields_of<I>);
    }
    template <hash_index I> requires writes
    WEFT_THROUGH entity find(const key<I> &wanted) const
    {
        return asked(calls<I>::find, wanted, fields_of<I>);
    }
    template <hash_index I> requires writes
    WEFT_THROUGH std::size_t count(const key<I> &wanted) const
    {
        return asked(calls<I>::count, wanted, fields_of<I>);
    }

    // and orders.
    template <ordered_index I> requires writes
    WEFT_THROUGH rows<I> range(key<I> from, key<I> to) const
    {
        return rows<I>(std::in_place, calls<I>::range, w_, from, to);
    }
    template <ordered_index I> requires writes
    WEFT_THROUGH entity first() const { return calls<I>::first(w_); }
    template <ordered_index I> requires writes
    WEFT_THROUGH entity last() const { return calls<I>::last(w_); }

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

  private:
    template <hash_index I>
    static constexpr auto fields_of = std::make_index_sequence<std::tuple_size_v<key<I>>>();

    template <hash_index I, std::size_t... Field>
    WEFT_THROUGH rows<I> each_of(const key<I> &wanted, std::index_sequence<Field...>) const
    {
        return rows<I>(std::in_place, calls<I>::each, w_, std::get<Field>(wanted)...);
    }
    template <typename Call, typename Wanted, std::size_t... Field>
    WEFT_THROUGH auto asked(Call call, const Wanted &wanted, std::index_sequence<Field...>) const
    {
        return call(w_, std::get<Field>(wanted)...);
    }
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
