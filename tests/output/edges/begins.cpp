// Structs of C++ begin with the defaults of the schema. Prints each difference.
#include "begins.hpp"

#include <cstdio>
#include <cstring>

static int failed;

static void expect(bool holds, const char *what, int line)
{
    if (!holds) std::printf("line %d: not so: %s\n", line, what);
    failed += !holds;
}
#define EXPECT(condition) expect(condition, #condition, __LINE__)

using world = weft::world<begins_world>;

static begins_order heard;

void begins_hear(const begins_hear_ctx *ctx, uint32_t)
{
    for (const begins_order &order : std::span(ctx->order, ctx->order_count)) heard = order;
}

// Returns the hash of a world with one entity, which something is done to.
template <typename Function> static uint64_t hash_of(Function function)
{
    world w({.seed = 1}); // what is left out is zero, without a warning
    function(w, w.spawn());
    return w.hash_exact();
}

// The hash of a world that has a value, and of one that has the bytes that the plan of C has.
template <typename Type> static void same(uint32_t component)
{
    const auto with = [](world &w, begins_entity e) { w.set(e, Type{}); };
    const auto planned = [&](world &w, begins_entity e) {
        Type value;
        std::memcpy(static_cast<void *>(&value), w.schema()->components[component].defaults,
                    sizeof value);
        w.set(e, value);
    };
    EXPECT(hash_of(with) == hash_of(planned));
    const Type whole{};
    EXPECT(hash_of([&](world &w, begins_entity e) { w.set(e, whole); }) == hash_of(planned));
    static_assert(std::is_trivially_copyable_v<Type> && std::is_standard_layout_v<Type> &&
                  std::is_aggregate_v<Type>);
}

template <typename Prefab> static void same_prefab()
{
    EXPECT(hash_of([](world &w, begins_entity) { w.spawn(Prefab{}); }) ==
           hash_of([](world &w, begins_entity) { w.spawn<Prefab>(); }));
    EXPECT(hash_of([](world &w, begins_entity e) { w.set(e, Prefab{}); }) ==
           hash_of([](world &w, begins_entity e) { weft::calls<Prefab>::set(w, e, nullptr); }));
}

static void lists()
{
    begins_shapes shapes; // list = [8, 9], of at most 4
    EXPECT(weft::push(shapes.list, 3) && weft::push(shapes.list, 4) && !weft::push(shapes.list, 5));
    EXPECT(weft::remove_at(shapes.list, 1) && !weft::remove_at(shapes.list, 3));
    EXPECT(shapes.list.count == 3 && shapes.list.items[0] == 8 && shapes.list.items[1] == 3 &&
           shapes.list.items[2] == 4 && shapes.list.items[3] == 0);
    EXPECT(weft::push(shapes.structs, {.b = 5}) && shapes.structs.items[0].a == 7);
}

int main()
{
    lists();
    same<begins_numbers>(BEGINS_COMPONENT_NUMBERS);
    same<begins_shapes>(BEGINS_COMPONENT_SHAPES);
    same<begins_nested>(BEGINS_COMPONENT_NESTED);
    same<begins_apart>(BEGINS_COMPONENT_APART);
    same<begins_rare>(BEGINS_COMPONENT_RARE);
    same_prefab<begins_plain>();
    same_prefab<begins_other>();
    EXPECT(hash_of([](world &w, begins_entity) { *w.edit<begins_rules>() = {}; }) ==
           hash_of([](world &, begins_entity) {}));

    const begins_plain plain{.numbers = {.u8 = 1}, .apart = {.y = 2}};
    EXPECT(plain.numbers.u8 == 1 && plain.numbers.yes && plain.numbers.kind == BEGINS_KIND_ALL);
    EXPECT(plain.apart.x > 1 && plain.apart.y > 1 &&
           std::strcmp(plain.shapes.text, "d\"e\\f") == 0);
    const begins_other other{.numbers = {}};
    EXPECT(other.numbers.yes && other.rare.left == 0 && other.shapes.list.count == 0);
    EXPECT(begins_other().numbers.yes == false && begins_other_defaults().numbers.u8 == 0);
    EXPECT(begins_nested{}.other.drawn == 6 && begins_nested{}.outer.one.c < 0);
    const begins_inner positional = {1};
    EXPECT(positional.a == 1 && positional.c < 0);

    world w;
    EXPECT(w.put(begins_order{.inner = {.b = 2}}) && w.tick(1) == WEFT_OK);
    EXPECT(heard.count == 6 && heard.inner.a == 7 && heard.inner.b == 2);
    return failed != 0;
}
