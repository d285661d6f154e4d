// How C++ finds the call of C that a name in <…> stands for. weft.hpp is the manual.
//
// Each generated <world>_<name>.hpp specialises `calls` for its declaration: a table of the C
// calls. A name in <…> is the type that C has for it (a component, singleton, prefab, event, input
// or state), or an empty struct of that name (a tag, query, listener, index, relation, resource or link without fields).
// `reading`, `writing` and `changing` find the world, the grant or the command buffer that a call
// is made with.
#ifndef WEFT_CALLS_HPP
#define WEFT_CALLS_HPP

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include "weft_gen.h"

// Calls of C++ are inlined whatever they cost, so that a call of C is inlined as it is in C.
#ifdef __GNUC__
#define WEFT_THROUGH [[gnu::always_inline]] inline
#else
#define WEFT_THROUGH inline
#endif

namespace weft
{

enum class kind {
    component,
    tag,
    singleton,
    prefab,
    query,
    listener,
    state,
    event,
    input,
    resource,
    grid,
    hash,
    order,
    relation,
    link,
    handle
};

// The table of a name; a type that is no part of a world has an empty one.
template <typename Name> struct calls {
};
template <typename World> struct world_calls; // of a world
template <typename Enum> struct enum_calls {
}; // of the values of an enum
template <typename Rows, typename Name> struct row_calls {
}; // of the current rows of an iterator or system
template <typename Query, typename Name> struct all_calls {
}; // of a query over all its rows
template <auto System> struct system_calls {
}; // of a system that can be switched or run
template <auto Member> struct part_calls {
}; // of a part, which is a member of the struct of its prefab

template <typename World> class world_ref;

// The base of tables. `reader` and `writer` are the types of grants, void if there is no such
// grant.
template <kind Kind, typename World, typename Entity, typename Reader = void,
          typename Writer = void>
struct named {
    static constexpr kind is = Kind;
    using world = World;
    using entity = Entity;
    using reader = Reader;
    using writer = Writer;
};

template <typename Name, kind... Kinds>
concept is_a = requires
{
    calls<Name>::is;
}
&&((calls<Name>::is == Kinds) || ...);
template <typename Name>
concept component = is_a<Name, kind::component>;
template <typename Name>
concept tag = is_a<Name, kind::tag>;
template <typename Name>
concept part = component<Name> || tag<Name>; // of an entity
template <typename Name>
concept singleton = is_a<Name, kind::singleton>;
template <typename Name>
concept prefab = is_a<Name, kind::prefab>;
template <typename Name>
concept composite = prefab<Name> && requires
{
    &calls<Name>::spawn_all;
};
template <auto Member>
concept part_member = requires
{
    &part_calls<Member>::find;
};
template <typename Name>
concept query = is_a<Name, kind::query>;
template <typename Name>
concept listener = is_a<Name, kind::listener>;
template <typename Name>
concept state = is_a<Name, kind::state>;
template <typename Name>
concept event = is_a<Name, kind::event>;
template <typename Name>
concept input = is_a<Name, kind::input>;
template <typename Name>
concept resource = is_a<Name, kind::resource>;
template <typename Name>
concept grid_index = is_a<Name, kind::grid>;
template <typename Name>
concept hash_index = is_a<Name, kind::hash>;
template <typename Name>
concept ordered_index = is_a<Name, kind::order>;
template <typename Name>
concept relation = is_a<Name, kind::relation>;
template <typename Name>
concept link = is_a<Name, kind::link>;
template <typename Name>
concept valued_link = link<Name> && requires
{
    &calls<Name>::get;
};
template <typename Name>
concept bare_link = link<Name> && !valued_link<Name>;
template <typename Name>
concept handle = is_a<Name, kind::handle>;
template <typename Name>
concept enumeration = requires
{
    &enum_calls<Name>::name;
};
template <typename Iterator>
concept stepped = requires
{
    &calls<Iterator>::next;
};

template <typename Name> using entity_of = typename calls<Name>::entity;
template <typename Name> using iterator_of = typename calls<Name>::iter;

// ---- what a call is made with

struct ungranted {
};

template <typename Name, typename Source>
concept world_of = std::convertible_to<const Source &, const typename calls<Name>::world *>;
template <typename Name, typename Source>
concept writable_world_of = std::convertible_to<const Source &, typename calls<Name>::world *>;

// The part of a grant that reads, or writes; the grant of a singleton is a pointer.
template <typename Name, typename Grant> WEFT_THROUGH constexpr auto readable(const Grant &grant)
{
    using c = calls<Name>;
    if constexpr (std::same_as<Grant, typename c::reader>)
        return grant;
    else if constexpr (!std::same_as<Grant, typename c::writer> ||
                       std::is_void_v<typename c::reader>)
        return ungranted();
    else if constexpr (std::is_pointer_v<Grant>)
        return typename c::reader(grant);
    else
        return grant.reader;
}

template <typename Name, typename Grant> WEFT_THROUGH constexpr auto grantable(const Grant &grant)
{
    if constexpr (std::same_as<Grant, typename calls<Name>::writer>)
        return grant;
    else
        return ungranted();
}

// The world of the context of a hook, of which other members may have the name of a declaration
// (`reason`), or what the context of a system has by that name.
template <typename Name, typename Context>
WEFT_THROUGH constexpr auto member(const Context &context)
{
    if constexpr (requires { static_cast<const typename calls<Name>::world *>(context.world); })
        return context.world;
    else if constexpr (requires { calls<Name>::member(context); })
        return calls<Name>::member(context);
    else
        return ungranted();
}

template <typename Name, typename Source> WEFT_THROUGH constexpr auto held(const Source &source)
{
    if constexpr (std::is_pointer_v<Source> && std::is_class_v<std::remove_pointer_t<Source>>)
        return member<Name>(*source);
    else if constexpr (std::is_class_v<Source>)
        return member<Name>(source);
    else
        return ungranted();
}

// The world or grant that a source uses to read a name: the source itself, or a member of it.
template <typename Name, typename Source> WEFT_THROUGH constexpr auto reading(const Source &source)
{
    using c = calls<Name>;
    if constexpr (world_of<Name, Source>) {
        if constexpr (writable_world_of<Name, Source>)
            return static_cast<typename c::world *>(source);
        else
            return static_cast<const typename c::world *>(source);
    } else if constexpr (!std::same_as<decltype(readable<Name>(source)), ungranted>) {
        return readable<Name>(source);
    } else if constexpr (world_of<Name, decltype(held<Name>(source))>) {
        return static_cast<const typename c::world *>(held<Name>(source));
    } else {
        return readable<Name>(held<Name>(source));
    }
}

// What a context has to write a name with, which differs from what it has to read a state with.
template <typename Name, typename Context>
WEFT_THROUGH constexpr auto written(const Context &context)
{
    if constexpr (requires { calls<Name>::written(context); })
        return calls<Name>::written(context);
    else if constexpr (requires { calls<Name>::member(context); } && !state<Name>)
        return calls<Name>::member(context);
    else
        return ungranted();
}
template <typename Name, typename Source>
WEFT_THROUGH constexpr auto held_to_write(const Source &source)
{
    if constexpr (std::is_pointer_v<Source> && std::is_class_v<std::remove_pointer_t<Source>>)
        return written<Name>(*source);
    else if constexpr (std::is_class_v<Source>)
        return written<Name>(source);
    else
        return ungranted();
}

template <typename Name, typename Source> WEFT_THROUGH constexpr auto writing(const Source &source)
{
    if constexpr (writable_world_of<Name, Source>)
        return static_cast<typename calls<Name>::world *>(source);
    else if constexpr (!std::same_as<decltype(grantable<Name>(source)), ungranted>)
        return grantable<Name>(source);
    else
        return grantable<Name>(held_to_write<Name>(source));
}

// The commands or the world that a source uses to change entities.
template <typename Name, typename Source> WEFT_THROUGH constexpr auto changing(const Source &source)
{
    if constexpr (std::convertible_to<const Source &, weft_commands *>)
        return static_cast<weft_commands *>(source);
    else if constexpr (writable_world_of<Name, Source>)
        return static_cast<typename calls<Name>::world *>(source);
    else
        return ungranted();
}

template <typename Found>
concept granted = !std::same_as<Found, ungranted>;
template <typename Found>
concept recorded = std::same_as<Found, weft_commands *>;

template <typename Source, typename Name>
concept reads_one = requires
{
    typename calls<Name>::reader;
}
&&granted<decltype(reading<Name>(std::declval<const Source &>()))>;
template <typename Source, typename Name>
concept writes_one = requires
{
    typename calls<Name>::writer;
}
&&granted<decltype(writing<Name>(std::declval<const Source &>()))>;

// A context, a grant or a world through which all of these can be read: components, tags,
// singletons, states, queries, indexes, relations and links.
template <typename Source, typename... Names>
concept reads = (reads_one<Source, Names> && ...);
// And through which they can be written: components, tags, singletons and values of links; states
// that it lets change.
template <typename Source, typename... Names>
concept writes = (writes_one<Source, Names> && ...);
// A context or a grant through which all of these events can be emitted.
template <typename Source, typename... Names>
concept emits = (... && (event<Names> && writes_one<Source, Names>));
// Commands, or a world that may be written.
template <typename Source, typename... Names>
concept changes = (... && granted<decltype(changing<Names>(std::declval<const Source &>()))>);

// ---- rows of queries and indexes

// The rows of an iterator for a range-for, each turn of which has the iterator of C at its next
// rows. The comparison with the end steps, once a turn, so that the loop is that of C: while
// (…_next(&it)).
template <stepped Iterator> class rows
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

// What a call of C is given for a function of C++, to which `user` points.
template <typename Function, typename Row> struct call_row;
template <typename Function, typename... Values> struct call_row<Function, std::tuple<Values...>> {
    static void call(Values... values, void *user)
    {
        (*static_cast<Function *>(user))(values...);
    }
    static void part(Values... it, void *user)
    {
        (*static_cast<Function *>(user))(*it...);
    }
};

// ---- keys of indexes

void a_key_does_not_fit_into_its_field(); // is not defined: no constant expression may call it

// A value that no conversion narrows: a constant is checked when it is compiled, and a variable
// must have a type of which each value fits.
template <typename Field> struct exact {
    template <typename Value> static constexpr bool fits = requires(const Value &value)
    {
        Field{value};
    };

    template <typename Value>
    requires fits<Value> WEFT_THROUGH constexpr exact(const Value &given) : value{given} {}

    template <typename Value>
    requires(!fits<Value> && std::is_arithmetic_v<Value> && std::is_arithmetic_v<Field> &&
             !std::same_as<Field, bool>) consteval exact(Value given)
        : value(static_cast<Field>(given))
    {
        const bool same_sign = (given < Value{}) == (value < Field{});
        const bool rounds = std::is_floating_point_v<Value> && std::is_floating_point_v<Field>;
        const auto back = static_cast<Value>(value);
        if (!same_sign || !(rounds || (back >= given && back <= given)))
            a_key_does_not_fit_into_its_field();
    }

    Field value;
};

// The fields of a hash that has several.
template <typename... Fields> struct hash_key {
    WEFT_THROUGH constexpr hash_key(exact<Fields>... fields) : values(fields.value...) {}
    std::tuple<Fields...> values;
};

// What an index is asked for: a coordinate of a grid, the fields of a hash, a value in an order.
template <typename Index> using key = typename calls<Index>::key;

// Calls a function with something and the fields of a key.
template <typename Call, typename On, typename Field>
WEFT_THROUGH auto asked(Call call, On on, const exact<Field> &wanted)
{
    return call(on, wanted.value);
}
template <typename Call, typename On, typename Values, std::size_t... Field>
WEFT_THROUGH auto asked_each(Call call, On on, const Values &values, std::index_sequence<Field...>)
{
    return call(on, std::get<Field>(values)...);
}
template <typename Call, typename On, typename... Fields>
WEFT_THROUGH auto asked(Call call, On on, const hash_key<Fields...> &wanted)
{
    return asked_each(call, on, wanted.values, std::index_sequence_for<Fields...>());
}

template <typename Rows, typename Call, typename On, typename Field>
WEFT_THROUGH Rows found(Call call, On on, const exact<Field> &wanted)
{
    return Rows(std::in_place, call, on, wanted.value);
}
template <typename Rows, typename Call, typename On, typename Values, std::size_t... Field>
WEFT_THROUGH Rows found_each(Call call, On on, const Values &values, std::index_sequence<Field...>)
{
    return Rows(std::in_place, call, on, std::get<Field>(values)...);
}
template <typename Rows, typename Call, typename On, typename... Fields>
WEFT_THROUGH Rows found(Call call, On on, const hash_key<Fields...> &wanted)
{
    return found_each<Rows>(call, on, wanted.values, std::index_sequence_for<Fields...>());
}

// ---- resources by their types

template <typename Name> struct resource_name {
    using type = Name;
};
struct any_resource {
    template <typename Name> operator resource_name<Name>() const;
};
// A resource that no other resource of the world has the type of.
template <typename World, typename Type>
concept bound = requires(World *w, Type *pointer)
{
    resource_of(w, pointer, any_resource());
};

} // namespace weft

#endif
