// Each typed call of <world>.hpp does the same as the call of C. Prints each difference.
#include "typed.hpp"

#include <cstdio>
#include <cstring>
#include <vector>

using world = weft::world<typed_world>;

static int failed;

static void expect(bool holds, const char *what, int line)
{
    if (!holds) std::printf("line %d: not so: %s\n", line, what);
    failed += !holds;
}
#define EXPECT(condition) expect(condition, #condition, __LINE__)

// Adds what it hears to all stocks, and rings once for each who is near.
void typed_fill(const typed_fill_ctx *ctx, uint32_t count, const typed_spot *spot,
                typed_stock *WEFT_RESTRICT stock)
{
    for (uint32_t i = 0; i < count; i++) {
        for (const typed_order &order : std::span(ctx->order, ctx->order_count)) {
            stock[i].amount[order.goods] += order.amount;
        }
        for (const auto &at : weft::each(typed_by_place_near_begin_in(ctx->by_place, 0, 0, 1))) {
            if (at.entity != ctx->entities[i]) continue;
            typed_rang_emit(ctx->emit_rang, {.times = static_cast<uint32_t>(spot[i].x)});
        }
    }
    ctx->shown->drawn++;
    typed_game_go_in(ctx->go_game, TYPED_GAME_MENU);
}

static typed_person person(const char *name, uint8_t age, typed_goods carries)
{
    typed_person made = typed_person_defaults();
    std::strncpy(made.name, name, sizeof made.name - 1);
    made.age = age;
    made.carries = carries;
    return made;
}

static std::vector<typed_entity> settle(world &w)
{
    std::vector<typed_entity> all;
    for (uint8_t i = 0; i < 9; i++) {
        const float at = i;
        const typed_entity e = w.spawn();
        w.set(e, typed_spot{at, at / 2});
        w.set(e, typed_star{i / 2.0, 1, -1.0});
        w.set(e, person(i % 2 == 0 ? "Ada" : "Islin", static_cast<uint8_t>(20 + i / 3),
                        static_cast<typed_goods>(i % TYPED_GOODS_COUNT)));
        if (i > 0) w.edit<typed_person>(e)->mate = all[0];
        all.push_back(e);
    }
    w.set(all[0], typed_stock_defaults());
    return all;
}

// The entities of a range-for, and of a loop in C.
template <typename Rows> static std::vector<typed_entity> of(Rows &&rows)
{
    std::vector<typed_entity> found;
    for (const auto &at : rows) found.push_back(at.entity);
    return found;
}

template <typename Iterator>
static std::vector<typed_entity> in_c(Iterator it, bool (*next)(Iterator *))
{
    std::vector<typed_entity> found;
    while (next(&it)) found.push_back(it.entity);
    return found;
}

static void grids(world &w)
{
    const auto near = of(w.near<typed_by_place>(3, 1, 2));
    EXPECT(near.size() == 3);
    EXPECT(near == in_c(typed_by_place_near_begin(w, 3, 1, 2), typed_by_place_near_next));
    const auto box = of(w.box<typed_by_place>(1, 0, 5, 2));
    EXPECT(box.size() == 4);
    EXPECT(box == in_c(typed_by_place_box_begin(w, 1, 0, 5, 2), typed_by_place_box_next));
    for (const auto &at : w.near<typed_by_place>(8, 4, 0)) EXPECT(at.spot->x > 7);
    typed_entity nearest[2], same[2];
    EXPECT(w.nearest<typed_by_place>(0, 0, 2, nearest) == 2);
    EXPECT(typed_by_place_nearest(w, 0, 0, 2, same) == 2);
    EXPECT(nearest[0] == same[0] && nearest[1] == same[1]);

    const auto ball = of(w.near<typed_by_space>(0, 1, -1, 1));
    EXPECT(ball.size() == 3);
    EXPECT(ball == in_c(typed_by_space_near_begin(w, 0, 1, -1, 1), typed_by_space_near_next));
    const auto cube = of(w.box<typed_by_space>(1, 0, -2, 2, 1, 0));
    EXPECT(cube.size() == 3);
    EXPECT(cube == in_c(typed_by_space_box_begin(w, 1, 0, -2, 2, 1, 0), typed_by_space_box_next));
    EXPECT(w.nearest<typed_by_space>(9, 1, -1, 1, nearest) == 1);
    EXPECT(typed_by_space_nearest(w, 9, 1, -1, 1, same) == 1 && nearest[0] == same[0]);
}

static void hashes(world &w, typed_entity first)
{
    const auto carry = of(w.each<typed_by_goods>(TYPED_GOODS_WOOD));
    EXPECT(carry.size() == 3);
    EXPECT(carry == in_c(typed_by_goods_each_begin(w, TYPED_GOODS_WOOD), typed_by_goods_each_next));
    EXPECT(w.count<typed_by_goods>(TYPED_GOODS_STONE) == 3);
    EXPECT(w.find<typed_by_goods>(TYPED_GOODS_WOOD) == carry[0]);
    const auto named = of(w.each<typed_by_name>({"Ada", 20}));
    EXPECT(named.size() == 2);
    EXPECT(named == in_c(typed_by_name_each_begin(w, "Ada", 20), typed_by_name_each_next));
    EXPECT(w.count<typed_by_name>({"Islin", 22}) == typed_by_name_count(w, "Islin", 22));
    EXPECT(w.find<typed_by_name>({"Ada", 21}) == typed_by_name_find(w, "Ada", 21));
    EXPECT(w.find<typed_by_name>({"nobody", 21}) == TYPED_NONE);
    EXPECT(w.count<typed_by_mate>(first) == 8);
}

static void orders(world &w)
{
    const auto range = of(w.range<typed_by_age>(20, 21));
    EXPECT(range.size() == 6);
    EXPECT(range == in_c(typed_by_age_range_begin(w, 20, 21), typed_by_age_range_next));
    EXPECT(w.first<typed_by_age>() == typed_by_age_first(w));
    EXPECT(w.last<typed_by_age>() == typed_by_age_last(w));
    EXPECT(w.get<typed_person>(w.last<typed_by_age>())->age == 22);
}

static void a_tick(world &w, typed_entity first)
{
    canvas shown = {};
    EXPECT(w.bind(&shown));
    EXPECT(w.now<typed_game>() == TYPED_GAME_MENU);
    EXPECT(w.go(TYPED_GAME_PLAY));
    EXPECT(w.put(typed_order{TYPED_GOODS_WOOD, 3}) && w.put(typed_order{TYPED_GOODS_BREAD, 4}));
    EXPECT(!w.put(typed_order{TYPED_GOODS_STONE, 5}));
    (void)w.turn<typed_bells>();
    EXPECT(w.advance(0.375) == WEFT_OK && w.alpha() == 0.5);
    EXPECT(shown.drawn == 1);
    EXPECT(w.now<typed_game>() == typed_game_now(w) && w.now<typed_game>() == TYPED_GAME_MENU);

    uint32_t sum = 0;
    for (const typed_goods goods : weft::values<typed_goods>()) {
        sum = sum * 10 + w.get<typed_stock>(first)->amount[goods];
    }
    EXPECT(sum == 430);
    typed_bells_iter bells = w.turn<typed_bells>();
    EXPECT(bells.rang_count == 1 && bells.rang[0].times == 0);
    for (const auto &rows : weft::each(bells)) EXPECT(rows.count == 1 && rows.entities[0] == first);
    EXPECT(w.bind<canvas>(nullptr));
}

static_assert(sizeof(typed_goods) == 1 && sizeof(typed_wide) == 4);
static_assert(std::is_enum_v<typed_goods> &&
              std::is_same_v<weft::key<typed_by_age>, weft::exact<uint8_t>>);

int main()
{
    world w;
    if (!w) return 2;
    const std::vector<typed_entity> all = settle(w);
    grids(w);
    hashes(w, all[0]);
    orders(w);
    a_tick(w, all[0]);
    EXPECT(std::strcmp(weft::name(TYPED_GOODS_STONE), "stone") == 0);
    EXPECT(std::strcmp(weft::name(static_cast<typed_game>(7)), "?") == 0);
    return failed != 0;
}
