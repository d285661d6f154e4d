// Calls with a context of a system or hook, a grant, a world or commands. weft.hpp is the manual.
#ifndef WEFT_HELPERS_HPP
#define WEFT_HELPERS_HPP

#include "weft_calls.hpp"

namespace weft
{

// Calls `call` with a world, and `call_in` with a grant.
#define WEFT_CALL(name, from, call, ...)                                                           \
    if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(from)>>)                          \
        return calls<name>::call(from __VA_OPT__(, ) __VA_ARGS__);                                 \
    else                                                                                           \
        return calls<name>::call##_in(from __VA_OPT__(, ) __VA_ARGS__)
// Calls `call` with a world, and `cmd_call` with commands.
#define WEFT_CHANGE(name, on, call, ...)                                                           \
    if constexpr (recorded<std::remove_cvref_t<decltype(on)>>)                                     \
        return calls<name>::cmd_##call(on __VA_OPT__(, ) __VA_ARGS__);                             \
    else                                                                                           \
        return calls<name>::call(on __VA_OPT__(, ) __VA_ARGS__)

// ---- calls with a context, a grant or a world

template <component Name, reads<Name> Source>
WEFT_THROUGH auto get(const Source &source, entity_of<Name> e)
{
    const auto from = reading<Name>(source);
    WEFT_CALL(Name, from, get, e);
}
template <component Name, writes<Name> Source>
WEFT_THROUGH auto edit(const Source &source, entity_of<Name> e)
{
    const auto to = writing<Name>(source);
    WEFT_CALL(Name, to, edit, e);
}
template <part Name, reads<Name> Source>
WEFT_THROUGH bool has(const Source &source, entity_of<Name> e)
{
    const auto from = reading<Name>(source);
    WEFT_CALL(Name, from, has, e);
}

template <singleton Name, reads<Name> Source> WEFT_THROUGH const Name *get(const Source &source)
{
    const auto from = reading<Name>(source);
    if constexpr (std::same_as<decltype(from), const Name *const>)
        return from;
    else
        return calls<Name>::get(from);
}
template <singleton Name, writes<Name> Source> WEFT_THROUGH Name *edit(const Source &source)
{
    const auto to = writing<Name>(source);
    if constexpr (std::same_as<decltype(to), Name *const>)
        return to;
    else
        return calls<Name>::edit(to);
}

template <event Name, emits<Name> Source>
WEFT_THROUGH void emit(const Source &source, const Name &value)
{
    calls<Name>::emit(writing<Name>(source), value);
}

template <state Name, reads<Name> Source> WEFT_THROUGH Name now(const Source &source)
{
    const auto from = reading<Name>(source);
    if constexpr (std::same_as<decltype(from), const Name>)
        return from;
    else
        return calls<Name>::now(from);
}
template <state Name, writes<Name> Source> WEFT_THROUGH bool go(const Source &source, Name value)
{
    const auto to = writing<Name>(source);
    WEFT_CALL(Name, to, go, value);
}

// The current rows of a system, or of an iterator.
template <tag Name, typename Rows>
requires requires
{
    &row_calls<Rows, Name>::has;
}
WEFT_THROUGH bool has(const Rows *at, std::uint32_t i)
{
    return row_calls<Rows, Name>::has(at, i);
}
template <tag Name, typename Rows>
requires requires
{
    &row_calls<Rows, Name>::has;
}
WEFT_THROUGH bool has(const Rows &at, std::uint32_t i)
{
    return row_calls<Rows, Name>::has(&at, i);
}
template <tag Name, typename Rows>
requires requires
{
    &row_calls<Rows, Name>::put;
}
WEFT_THROUGH void put(const Rows *at, std::uint32_t i, bool on)
{
    row_calls<Rows, Name>::put(at, i, on);
}
template <component Name, typename Rows>
requires requires
{
    &row_calls<Rows, Name>::touch;
}
WEFT_THROUGH void touch(const Rows *at, std::uint32_t i)
{
    row_calls<Rows, Name>::touch(at, i);
}

// ---- queries

// A query that writes or reads changes cannot be begun with a const world.
template <typename Source, typename Query>
concept begins = reads<Source, Query> &&
    (!std::is_pointer_v<decltype(reading<Query>(std::declval<const Source &>()))> ||
     std::invocable<decltype(calls<Query>::begin),
                    decltype(reading<Query>(std::declval<const Source &>()))>);

// The rows of an iterator that has begun, or of a query.
template <stepped Iterator> WEFT_THROUGH rows<Iterator> each(Iterator begun)
{
    return rows<Iterator>(begun);
}

template <query Name, begins<Name> Source>
WEFT_THROUGH iterator_of<Name> begin(const Source &source)
{
    const auto from = reading<Name>(source);
    WEFT_CALL(Name, from, begin);
}
template <query Name, begins<Name> Source>
WEFT_THROUGH rows<iterator_of<Name>> each(const Source &source)
{
    return rows<iterator_of<Name>>(begin<Name>(source));
}
// Calls a function for each row, with the entity and its values as <world>_<query>_each does.
template <query Name, begins<Name> Source, typename Function>
WEFT_THROUGH void each(const Source &source, Function function)
{
    iterator_of<Name> it = begin<Name>(source);
    while (calls<Name>::next(&it))
        calls<Name>::each_range(&it, &call_row<Function, typename calls<Name>::row>::call,
                                &function);
}
template <query Name, reads<Name> Source> WEFT_THROUGH std::size_t count(const Source &source)
{
    const auto from = reading<Name>(source);
    WEFT_CALL(Name, from, count);
}
template <query Name, reads<Name> Source> WEFT_THROUGH entity_of<Name> only(const Source &source)
{
    const auto from = reading<Name>(source);
    WEFT_CALL(Name, from, only);
}
template <query Name, reads<Name> Source>
WEFT_THROUGH bool passes(const Source &source, entity_of<Name> e)
{
    const auto from = reading<Name>(source);
    WEFT_CALL(Name, from, passes, e);
}

// ---- indexes

// A call with a world updates the index, so the world must not be const.
template <typename Source, typename Index>
concept asks =
    reads<Source, Index> && !std::same_as<decltype(reading<Index>(std::declval<const Source &>())),
                                          const typename calls<Index>::world *>;

#define WEFT_BEGUN(call, ...)                                                                      \
    const auto from = reading<Name>(source);                                                       \
    if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(from)>>)                          \
        return rows<iterator_of<Name>>(std::in_place, calls<Name>::call, from, __VA_ARGS__);       \
    else                                                                                           \
        return rows<iterator_of<Name>>(std::in_place, calls<Name>::call##_in, from, __VA_ARGS__)

template <grid_index Name, asks<Name> Source>
requires(calls<Name>::axes == 2) WEFT_THROUGH rows<iterator_of<Name>> near(const Source &source,
                                                                           key<Name> x, key<Name> y,
                                                                           key<Name> radius)
{
    WEFT_BEGUN(near, x, y, radius);
}
template <grid_index Name, asks<Name> Source>
requires(calls<Name>::axes ==
         3) WEFT_THROUGH rows<iterator_of<Name>> near(const Source &source, key<Name> x,
                                                      key<Name> y, key<Name> z, key<Name> radius)
{
    WEFT_BEGUN(near, x, y, z, radius);
}
template <grid_index Name, asks<Name> Source>
requires(calls<Name>::axes ==
         2) WEFT_THROUGH rows<iterator_of<Name>> box(const Source &source, key<Name> x0,
                                                     key<Name> y0, key<Name> x1, key<Name> y1)
{
    WEFT_BEGUN(box, x0, y0, x1, y1);
}
template <grid_index Name, asks<Name> Source>
requires(calls<Name>::axes ==
         3) WEFT_THROUGH rows<iterator_of<Name>> box(const Source &source, key<Name> x0,
                                                     key<Name> y0, key<Name> z0, key<Name> x1,
                                                     key<Name> y1, key<Name> z1)
{
    WEFT_BEGUN(box, x0, y0, z0, x1, y1, z1);
}
template <grid_index Name, asks<Name> Source>
requires(calls<Name>::axes == 2) WEFT_THROUGH std::size_t
    nearest(const Source &source, key<Name> x, key<Name> y, std::size_t k, entity_of<Name> *out)
{
    const auto from = reading<Name>(source);
    WEFT_CALL(Name, from, nearest, x, y, k, out);
}
template <grid_index Name, asks<Name> Source>
requires(calls<Name>::axes == 3) WEFT_THROUGH std::size_t
    nearest(const Source &source, key<Name> x, key<Name> y, key<Name> z, std::size_t k,
            entity_of<Name> *out)
{
    const auto from = reading<Name>(source);
    WEFT_CALL(Name, from, nearest, x, y, z, k, out);
}

#define WEFT_ASKED(call)                                                                           \
    const auto from = reading<Name>(source);                                                       \
    if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(from)>>)                          \
        return asked(calls<Name>::call, from, wanted);                                             \
    else                                                                                           \
        return asked(calls<Name>::call##_in, from, wanted)

template <hash_index Name, asks<Name> Source>
WEFT_THROUGH rows<iterator_of<Name>> each(const Source &source, const key<Name> &wanted)
{
    const auto from = reading<Name>(source);
    if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(from)>>)
        return found<rows<iterator_of<Name>>>(calls<Name>::each, from, wanted);
    else
        return found<rows<iterator_of<Name>>>(calls<Name>::each_in, from, wanted);
}
template <hash_index Name, asks<Name> Source>
WEFT_THROUGH entity_of<Name> find(const Source &source, const key<Name> &wanted)
{
    WEFT_ASKED(find);
}
template <hash_index Name, asks<Name> Source>
WEFT_THROUGH std::size_t count(const Source &source, const key<Name> &wanted)
{
    WEFT_ASKED(count);
}

template <ordered_index Name, asks<Name> Source>
WEFT_THROUGH rows<iterator_of<Name>> range(const Source &source, key<Name> least,
                                           key<Name> greatest)
{
    WEFT_BEGUN(range, least.value, greatest.value);
}
template <ordered_index Name, asks<Name> Source>
WEFT_THROUGH entity_of<Name> first(const Source &source)
{
    const auto from = reading<Name>(source);
    WEFT_CALL(Name, from, first);
}
template <ordered_index Name, asks<Name> Source>
WEFT_THROUGH entity_of<Name> last(const Source &source)
{
    const auto from = reading<Name>(source);
    WEFT_CALL(Name, from, last);
}

// ---- relations

#define WEFT_RELATED(result, call)                                                                 \
    template <relation Name, reads<Name> Source>                                                   \
    WEFT_THROUGH result call(const Source &source, entity_of<Name> e)                              \
    {                                                                                              \
        const auto from = reading<Name>(source);                                                   \
        WEFT_CALL(Name, from, call, e);                                                            \
    }
WEFT_RELATED(entity_of<Name>, parent)
WEFT_RELATED(entity_of<Name>, first_child)
WEFT_RELATED(entity_of<Name>, next_sibling)
WEFT_RELATED(entity_of<Name>, prev_sibling)
WEFT_RELATED(std::uint32_t, child_count)
WEFT_RELATED(std::uint32_t, depth)
template <relation Name, reads<Name> Source>
WEFT_THROUGH rows<iterator_of<Name>> walk(const Source &source, entity_of<Name> root)
{
    WEFT_BEGUN(walk_begin, root);
}

// ---- links

template <valued_link Name, reads<Name> Source>
WEFT_THROUGH const Name *get(const Source &source, entity_of<Name> from, entity_of<Name> to)
{
    const auto by = reading<Name>(source);
    WEFT_CALL(Name, by, get, from, to);
}
template <valued_link Name, writes<Name> Source>
WEFT_THROUGH Name *edit(const Source &source, entity_of<Name> from, entity_of<Name> to)
{
    const auto by = writing<Name>(source);
    WEFT_CALL(Name, by, edit, from, to);
}
template <link Name, reads<Name> Source>
WEFT_THROUGH bool has(const Source &source, entity_of<Name> from, entity_of<Name> to)
{
    const auto by = reading<Name>(source);
    WEFT_CALL(Name, by, has, from, to);
}
template <link Name, reads<Name> Source> WEFT_THROUGH std::uint64_t count(const Source &source)
{
    const auto by = reading<Name>(source);
    WEFT_CALL(Name, by, count);
}
#define WEFT_COUNTED(call)                                                                         \
    template <link Name, reads<Name> Source>                                                       \
    WEFT_THROUGH std::uint32_t call(const Source &source, entity_of<Name> e)                       \
    {                                                                                              \
        const auto by = reading<Name>(source);                                                     \
        WEFT_CALL(Name, by, call, e);                                                              \
    }
WEFT_COUNTED(count_from)
WEFT_COUNTED(count_to)

// For a range-for: all links, or those from or to an entity.
template <link Name, reads<Name> Source>
WEFT_THROUGH rows<iterator_of<Name>> links(const Source &source)
{
    const auto by = reading<Name>(source);
    if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(by)>>)
        return rows<iterator_of<Name>>(std::in_place, calls<Name>::begin, by);
    else
        return rows<iterator_of<Name>>(std::in_place, calls<Name>::begin_in, by);
}
#define WEFT_LINKS_AT(end)                                                                         \
    template <link Name, reads<Name> Source>                                                       \
    WEFT_THROUGH rows<typename calls<Name>::end##_iter> links_##end(const Source &source,          \
                                                                    entity_of<Name> e)             \
    {                                                                                              \
        using all = rows<typename calls<Name>::end##_iter>;                                        \
        const auto by = reading<Name>(source);                                                     \
        if constexpr (std::is_pointer_v<std::remove_cvref_t<decltype(by)>>)                        \
            return all(std::in_place, calls<Name>::end##_begin, by, e);                            \
        else                                                                                       \
            return all(std::in_place, calls<Name>::end##_begin_in, by, e);                         \
    }
WEFT_LINKS_AT(from)
WEFT_LINKS_AT(to)

// ---- changes, with commands or a world; tags also with a grant to write

template <prefab Name, changes<Name> On>
WEFT_THROUGH entity_of<Name> spawn(const On &on, const Name &value)
{
    const auto to = changing<Name>(on);
    WEFT_CHANGE(Name, to, spawn, &value);
}
// Spawns a prefab with its defaults; with the type of a handle, an entity without components.
template <prefab Name, changes<Name> On> WEFT_THROUGH entity_of<Name> spawn(const On &on)
{
    const auto to = changing<Name>(on);
    WEFT_CHANGE(Name, to, spawn, nullptr);
}
template <handle Name, changes<Name> On> WEFT_THROUGH Name spawn(const On &on)
{
    const auto to = changing<Name>(on);
    WEFT_CHANGE(Name, to, spawn);
}
template <handle Name, changes<Name> On> WEFT_THROUGH bool despawn(const On &on, Name e)
{
    const auto to = changing<Name>(on);
    WEFT_CHANGE(Name, to, despawn, e);
}
// Copies an entity with what the options select. With commands, returns the handle of the future
// copy.
template <handle Name, changes<Name> On>
WEFT_THROUGH Name clone(const On &on, Name e, const typename calls<Name>::clone_options &options)
{
    const auto to = changing<Name>(on);
    WEFT_CHANGE(Name, to, clone, e, &options);
}
template <handle Name, changes<Name> On> WEFT_THROUGH Name clone(const On &on, Name e)
{
    const auto to = changing<Name>(on);
    WEFT_CHANGE(Name, to, clone, e, nullptr);
}
// With commands, returns whether they were recorded; with a world, whether all were spawned.
template <prefab Name, changes<Name> On>
WEFT_THROUGH bool spawn_many(const On &on, std::size_t n, const Name &one)
{
    const auto to = changing<Name>(on);
    if constexpr (recorded<std::remove_cvref_t<decltype(to)>>)
        return calls<Name>::cmd_spawn_many(to, n, &one);
    else
        return calls<Name>::spawn_many(to, n, &one, nullptr) == n;
}
template <prefab Name, changes<Name> On> WEFT_THROUGH bool spawn_many(const On &on, std::size_t n)
{
    const auto to = changing<Name>(on);
    if constexpr (recorded<std::remove_cvref_t<decltype(to)>>)
        return calls<Name>::cmd_spawn_many(to, n, nullptr);
    else
        return calls<Name>::spawn_many(to, n, nullptr, nullptr) == n;
}
template <prefab Name, changes<Name> On>
WEFT_THROUGH bool set(const On &on, entity_of<Name> e, const Name &value)
{
    const auto to = changing<Name>(on);
    WEFT_CHANGE(Name, to, set, e, &value);
}

template <component Name, changes<Name> On>
WEFT_THROUGH bool set(const On &on, entity_of<Name> e, const Name &value)
{
    const auto to = changing<Name>(on);
    WEFT_CHANGE(Name, to, set, e, value);
}
template <component Name, changes<Name> On>
WEFT_THROUGH bool replace(const On &on, entity_of<Name> e, const Name &value)
{
    const auto to = changing<Name>(on);
    WEFT_CHANGE(Name, to, replace, e, value);
}
template <part Name, changes<Name> On> WEFT_THROUGH bool remove(const On &on, entity_of<Name> e)
{
    const auto to = changing<Name>(on);
    WEFT_CHANGE(Name, to, remove, e);
}
template <part Name, changes<Name> On> WEFT_THROUGH auto clear(const On &on)
{
    const auto to = changing<Name>(on);
    WEFT_CHANGE(Name, to, clear);
}
template <tag Name, changes<Name> On> WEFT_THROUGH bool set(const On &on, entity_of<Name> e)
{
    const auto to = changing<Name>(on);
    WEFT_CHANGE(Name, to, set, e);
}
template <tag Name, writes<Name> Source>
requires(!changes<Source, Name>) WEFT_THROUGH bool set(const Source &source, entity_of<Name> e)
{
    return calls<Name>::set_in(writing<Name>(source), e);
}
template <tag Name, writes<Name> Source>
requires(!changes<Source, Name>) WEFT_THROUGH bool remove(const Source &source, entity_of<Name> e)
{
    return calls<Name>::remove_in(writing<Name>(source), e);
}

#define WEFT_LINKED(call, other)                                                                   \
    template <relation Name, changes<Name> On>                                                     \
    WEFT_THROUGH bool call(const On &on, entity_of<Name> child, entity_of<Name> other)             \
    {                                                                                              \
        const auto to = changing<Name>(on);                                                        \
        WEFT_CHANGE(Name, to, call, child, other);                                                 \
    }
WEFT_LINKED(attach, parent_entity)
WEFT_LINKED(append, parent_entity)
WEFT_LINKED(insert_before, sibling)
template <relation Name, changes<Name> On>
WEFT_THROUGH bool detach(const On &on, entity_of<Name> child)
{
    const auto to = changing<Name>(on);
    WEFT_CHANGE(Name, to, detach, child);
}

template <valued_link Name, changes<Name> On>
WEFT_THROUGH bool set(const On &on, entity_of<Name> from, entity_of<Name> to, const Name &value)
{
    const auto by = changing<Name>(on);
    WEFT_CHANGE(Name, by, set, from, to, value);
}
template <bare_link Name, changes<Name> On>
WEFT_THROUGH bool set(const On &on, entity_of<Name> from, entity_of<Name> to)
{
    const auto by = changing<Name>(on);
    WEFT_CHANGE(Name, by, set, from, to);
}
template <link Name, changes<Name> On>
WEFT_THROUGH bool remove(const On &on, entity_of<Name> from, entity_of<Name> to)
{
    const auto by = changing<Name>(on);
    WEFT_CHANGE(Name, by, remove, from, to);
}

// ---- lists of the schema, such as `u8[..4]`

template <typename List>
concept list =
    std::is_array_v<decltype(List::items)> && std::same_as<decltype(List::count), std::uint32_t>;

// Appends an item. Returns false if the list is full.
template <list List>
WEFT_THROUGH bool push(List &to, const std::remove_extent_t<decltype(List::items)> &item)
{
    if (to.count >= std::extent_v<decltype(List::items)>) return false;
    to.items[to.count++] = item;
    return true;
}
// Removes the item at i; the items after it move up in their order. Returns false if there is none.
template <list List> WEFT_THROUGH bool remove_at(List &from, std::uint32_t i)
{
    return weft_items_remove(&from.count, from.items, sizeof from.items[0], i,
                             std::extent_v<decltype(List::items)>);
}

// ---- enums

// Returns the name of a value in the schema, or "?" if the number is not a value.
template <enumeration Enum> WEFT_THROUGH const char *name(Enum value)
{
    return enum_calls<Enum>::name(value);
}

// All values of an enum or state, for a range-for. An array indexed by an enum has one element for
// each value.
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

#undef WEFT_CALL
#undef WEFT_CHANGE
#undef WEFT_BEGUN
#undef WEFT_ASKED
#undef WEFT_RELATED
#undef WEFT_LINKED

} // namespace weft

#endif
