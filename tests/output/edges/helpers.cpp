// One template serves as a helper for systems, a hook and the game. Prints each difference.
#include "port.hpp"

#include <cstdio>
#include <unordered_map>
#include <vector>

using world = weft::world<port_world>;

static int failed;

static void expect(bool holds, const char *what, int line)
{
    if (!holds) std::printf("line %d: not so: %s\n", line, what);
    failed += !holds;
}
#define EXPECT(condition) expect(condition, #condition, __LINE__)

static port_entity boat, barge; // the boat is towed by the barge
static int removals, read_turns, written_turns;

// ---- helpers: of a context, of a grant, of a world

static bool is_laden(const weft::reads<port_cargo> auto &of, port_entity e)
{
    const port_cargo *cargo = weft::get<port_cargo>(of, e);
    return weft::has<port_cargo>(of, e) && cargo != nullptr && cargo->amount > 0;
}

// This one is called with a context by reference.
template <typename Context>
requires weft::reads<Context, port_cargo, port_weather>
static float danger(const Context &ctx, port_entity e)
{
    const float wind = weft::get<port_weather>(ctx)->wind;
    return is_laden(ctx, e) ? 2 * wind : wind;
}

template <typename Context> static void claim(Context &&ctx, port_entity e)
{
    static_assert(weft::writes<Context, port_claim, port_taken>);
    weft::edit<port_claim>(ctx, e)->count++;
    weft::set<port_taken>(ctx, e);
}

static std::vector<port_entity> near(weft::reads<port_by_place> auto of, float x, float y)
{
    std::vector<port_entity> found;
    for (const auto &at : weft::near<port_by_place>(of, x, y, 3)) found.push_back(at.entity);
    return found;
}

static void indexes(auto of)
{
    EXPECT(near(of, 0, 0) == std::vector{boat});
    int boxed = 0;
    for (const auto &at : weft::box<port_by_place>(of, 0, 0, 9, 9)) boxed += at.place->x >= 0;
    EXPECT(boxed == 2);
    port_entity nearest[1];
    EXPECT(weft::nearest<port_by_place>(of, 8, 8, 1, nearest) == 1 && nearest[0] == barge);
    EXPECT(weft::find<port_by_region>(of, 7) == boat);
    EXPECT(weft::count<port_by_region>(of, 7) == 1);
    int owners = 0;
    for (const auto &at : weft::each<port_by_region>(of, 7)) owners += at.cargo->owner == barge;
    EXPECT(owners == 1);
    int amounts = 0;
    for (const auto &at : weft::range<port_by_amount>(of, 1, 9)) amounts += at.entity == boat;
    EXPECT(amounts == 1);
    EXPECT(weft::first<port_by_amount>(of) == barge && weft::last<port_by_amount>(of) == boat);
}

static void relations(auto of)
{
    EXPECT(weft::parent<port_tows>(of, boat) == barge);
    EXPECT(weft::first_child<port_tows>(of, barge) == boat);
    EXPECT(!weft::next_sibling<port_tows>(of, boat) && !weft::prev_sibling<port_tows>(of, boat));
    EXPECT(weft::child_count<port_tows>(of, barge) == 1 && weft::depth<port_tows>(of, boat) == 1);
    std::vector<port_entity> all;
    for (const auto &at : weft::walk<port_tows>(of, barge)) all.push_back(at.entity);
    EXPECT((all == std::vector{barge, boat}));
}

static void links(auto of)
{
    EXPECT(weft::get<port_owes>(of, boat, barge)->gold == 3);
    EXPECT(weft::has<port_owes>(of, boat, barge) && !weft::has<port_owes>(of, barge, boat));
    EXPECT(weft::count<port_owes>(of) == 1 && weft::count_from<port_owes>(of, boat) == 1);
    EXPECT(weft::count_to<port_owes>(of, boat) == 0);
    uint32_t gold = 0;
    for (const auto &at : weft::links<port_owes>(of)) gold += at.value->gold + (at.from == boat);
    for (const auto &at : weft::links_from<port_owes>(of, boat)) gold += at.to == barge;
    for (const auto &at : weft::links_to<port_owes>(of, barge)) gold += at.from == boat;
    EXPECT(gold == 6);
}

static void queries(auto of)
{
    EXPECT(weft::count<port_laden>(of) == 2 && !weft::only<port_laden>(of));
    EXPECT(weft::passes<port_laden>(of, boat));
    uint32_t by_rows = 0, by_row = 0;
    for (const auto &rows : weft::each<port_laden>(of)) {
        for (uint32_t i = 0; i < rows.count; i++) by_rows += rows.cargo[i].amount;
        EXPECT(!weft::has<port_busy>(rows, 0));
    }
    weft::each<port_laden>(
        of, [&](port_entity, const port_cargo *cargo, bool) { by_row += cargo->amount; });
    EXPECT(by_rows == 5 && by_row == 5);
}

// ---- systems and the hook

void port_reader(const port_reader_ctx *ctx, uint32_t)
{
    read_turns++;
    EXPECT(is_laden(ctx, boat) && is_laden(ctx->cargo, boat) && !is_laden(*ctx, barge));
    EXPECT(danger(*ctx, boat) == 6 && danger(ctx, barge) == 3);
    EXPECT(*weft::get<port_drift>(ctx, boat).y == 2);
    EXPECT(weft::now<port_tide>(ctx) == PORT_TIDE_LOW);
    indexes(ctx);
    relations(ctx);
    relations(ctx->tows);
    links(ctx);
    links(ctx->owes);
    EXPECT(weft::has<port_knows>(ctx, barge, boat) && weft::count<port_knows>(ctx->knows) == 1);
    queries(*ctx);
    EXPECT(weft::count<port_fresh>(ctx) == 2);
    weft::each<port_fresh>(
        ctx, [](port_entity e, const port_cargo *) { EXPECT(e == boat || e == barge); });
    weft::emit(ctx, port_built{boat});
    weft::emit(ctx->emit_built, port_built{.who = barge});
}

void port_writer(const port_writer_ctx *ctx, uint32_t)
{
    written_turns++;
    EXPECT(is_laden(*ctx, boat) && danger(ctx, boat) == 6);
    claim(ctx, boat);
    claim(*ctx, boat);
    EXPECT(weft::get<port_claim>(ctx, boat)->count == 2 && weft::has<port_taken>(ctx, boat));
    EXPECT(weft::remove<port_taken>(ctx->taken, boat) && !weft::has<port_taken>(ctx->taken, boat));
    *weft::edit<port_drift>(ctx, boat).x = 4;
    weft::each<port_drifting>(ctx, [](port_entity, port_drift_columns drift) { *drift.y += 1; });
    weft::edit<port_weather>(ctx)->storms++;
    weft::edit<port_owes>(ctx, boat, barge)->gold++;
    EXPECT(weft::edit<port_owes>(ctx->owes, barge, boat) == nullptr);
    EXPECT(weft::get<port_owes>(ctx, boat, barge)->gold == 4);
    EXPECT(weft::set(ctx->cmd, barge, boat, port_owes{8}));
    EXPECT(weft::remove<port_owes>(ctx->cmd, boat, barge));
    EXPECT(weft::remove<port_knows>(ctx->cmd, boat, barge));
    EXPECT(weft::set<port_knows>(ctx->cmd, boat, boat));
    EXPECT(weft::go(ctx, PORT_TIDE_HIGH) && weft::go(ctx->go_tide, PORT_TIDE_HIGH));

    const port_entity made = weft::spawn(ctx->cmd, port_boat{.cargo = {.amount = 50}});
    EXPECT(made && weft::spawn<port_boat>(ctx->cmd) && weft::spawn<port_entity>(ctx->cmd));
    EXPECT(weft::spawn_many<port_boat>(ctx->cmd, 2) && weft::spawn_many(ctx->cmd, 1, port_boat{}));
    EXPECT(weft::set<port_seen>(ctx->cmd, made) && weft::set(ctx->cmd, made, port_claim{9}));
    EXPECT(weft::replace(ctx->cmd, made, port_cargo{.amount = 60}));
    EXPECT(weft::attach<port_tows>(ctx->cmd, made, barge) &&
           weft::detach<port_tows>(ctx->cmd, boat));
    EXPECT(weft::append<port_tows>(ctx->cmd, boat, barge));
    EXPECT(weft::insert_before<port_tows>(ctx->cmd, boat, made));
    EXPECT(weft::remove<port_claim>(ctx->cmd, boat) && weft::clear<port_busy>(ctx->cmd));
    EXPECT(weft::set(ctx->cmd, weft::spawn<port_entity>(ctx->cmd), port_boat{}));
    EXPECT(weft::despawn(ctx->cmd, weft::spawn<port_boat>(ctx->cmd)));
}

void port_rows(const port_rows_ctx *ctx, uint32_t count, port_claim *WEFT_RESTRICT claims)
{
    for (uint32_t i = 0; i < count; i++) {
        weft::put<port_busy>(ctx, i, weft::has<port_seen>(ctx, i));
        claims[i].count += 100;
        weft::touch<port_claim>(ctx, i);
    }
}

void port_claim_on_remove(const port_hook_ctx *ctx, port_entity e, const port_claim *value)
{
    removals++;
    if (e != boat || value->count != 2) return;
    EXPECT(is_laden(ctx, e) && is_laden(*ctx, e) && danger(*ctx, e) == 6);
    EXPECT(weft::parent<port_tows>(ctx, e) == barge && weft::depth<port_tows>(ctx, e) == 1);
    EXPECT(weft::has<port_owes>(ctx, boat, barge) != weft::has<port_owes>(*ctx, barge, boat));
    EXPECT(weft::passes<port_laden>(ctx, e) && weft::now<port_tide>(ctx) == PORT_TIDE_LOW);
    EXPECT(weft::set<port_seen>(ctx->cmd, barge));
}

// ---- the game

int main()
{
    world w;
    if (!w) return 2;
    barge = w.spawn(port_boat{.place = {8, 8}});
    boat = w.spawn(port_boat{.cargo = {5, 7, barge}, .drift = {.y = 2}});
    w.attach<port_tows>(boat, barge);
    w.edit<port_weather>()->wind = 3;
    EXPECT(w.set(boat, barge, port_owes{3}) && weft::set<port_knows>(w, boat, barge));
    links(weft::world_ref<const port_world>(w));
    EXPECT(is_laden(w, boat) && danger(w, boat) == 6);
    indexes(static_cast<port_world *>(w));
    relations(weft::world_ref<const port_world>(w));
    queries(weft::world_ref<port_world>(w));

    EXPECT(w.run<port_run_work>(1) == WEFT_OK && read_turns == 1);
    const port_news_iter news = w.turn<port_news>();
    EXPECT(news.built_count == 2 && news.built[0].who == boat && news.built[1].who == barge);
    EXPECT(!weft::has<port_seen>(w, barge));
    EXPECT(w.run<port_writer>(1) == WEFT_OK && written_turns == 1);
    EXPECT(removals == 1 && w.flush() == WEFT_OK && w.has<port_seen>(barge));
    EXPECT(*w.get<port_drift>(boat).x == 4 && *w.get<port_drift>(boat).y == 3);
    EXPECT(w.get<port_weather>()->storms == 1 && w.now<port_tide>() == PORT_TIDE_HIGH);
    EXPECT(w.stats().entities == 9);
    EXPECT(w.get<port_owes>(barge, boat)->gold == 8 && w.count<port_owes>() == 1);
    EXPECT(w.has<port_knows>(boat, boat) && w.count<port_knows>() == 1);
    EXPECT(w.child_count<port_tows>(barge) == 2 && w.first_child<port_tows>(barge) == boat);
    EXPECT(w.get<port_cargo>(w.next_sibling<port_tows>(boat))->amount == 60);
    EXPECT(w.run<port_rows>(1) == WEFT_OK && w.has<port_busy>(barge));
    EXPECT(w.get<port_claim>(barge)->count == 100);
    return failed != 0;
}
