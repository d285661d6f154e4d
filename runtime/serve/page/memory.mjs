// Memory: its parts, tables by their components, sparse stores, indexes, and growth over time.
import { small_chart } from "./spark.mjs";
import { bytes, h, keep_focus } from "./dom.mjs";
import { call } from "./link.mjs";
import { search_box } from "./search.mjs";
import { copy_tools } from "./table.mjs";

const BAR_WIDTH = 120;
const number = (count) => count.toLocaleString("en");
const kib = (count) => (count / 1024).toLocaleString("en", { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const sum = (list) => list.reduce((total, one) => total + one.bytes, 0);
const cells = (words, kind = "td") => words.map((one) => h(kind, { className: "number" }, one));

/** Lists the parts of the memory, which add up to all of it, with the rest as a part. */
function parts_of(now) {
  const parts = [["tables", sum(now.tables)], ["sparse components", sum(now.sparse)], ["indexes", sum(now.indexes)]].filter(([, size]) => size > 0);
  const rest = now.bytes - parts.reduce((total, [, size]) => total + size, 0);
  return [...parts, ["everything else: entities, singletons, relations, links, commands, events, schedule", rest]];
}

function parts_table(now) {
  const row = (name, size, kind) => h("tr", {}, h(kind, {}, name), cells([number(size), `${((size / (now.bytes || 1)) * 100).toFixed(1)}`], kind));
  return h("div", { className: "scroll" }, h("table", { id: "parts" }, h("tr", {}, h("th", {}, "part"), cells(["bytes", "%"], "th")),
    parts_of(now).map(([name, size]) => row(name, size, "td")), row("all of it", now.bytes, "th")));
}

/** Makes the heads of tables and sparse components. */
const store_head = (name) => h("tr", {}, h("th", {}, name), cells(["rows", "capacity", "KiB"], "th"), h("th", { className: "wide" }, ""));

function bar(share) {
  const node = h("div", { className: "bar" });
  node.style.width = `${Math.round(share * BAR_WIDTH)}px`;
  return node;
}

function indexes_table(indexes) {
  const head = h("tr", {}, h("th", {}, "index"), h("th", { className: "wide" }, "kind"), h("th", {}, "of"), cells(["entities", "KiB"], "th"));
  return h("div", { className: "scroll" }, h("table", { id: "indexes" }, head, indexes.map((one) => h("tr", {},
    h("td", {}, one.name), h("td", { className: "wide" }, one.kind), h("td", {}, one.fields.map((field) => `${one.of}.${field}`).join(", ")),
    h("td", { className: "number", title: one.made ? "" : "nothing has asked it yet, so that it is not made" }, one.made ? number(one.rows) : "–"), cells([kib(one.bytes)])))));
}

export function memory_view(app) {
  const { schema } = app;
  const box = h("div");
  const charts = h("div", { className: "row" });
  const search = search_box("search tables and indexes", () => [...box.querySelectorAll("#tables tr:not(:first-child), #sparse tr:not(:first-child), #indexes tr:not(:first-child)")]);
  const over_time = (name, words) => small_chart(name, app.history.map((one) => one[name]), app.history.map((one) => one.at), words);

  /** Returns the expression of the entities that are in a table: those with its components and no others. */
  function exactly(one) {
    const others = schema.components.filter((c) => c.storage === "table" && !one.components.includes(c.name));
    return [...one.components, ...others.map((c) => `!${c.name}`)].slice(0, 60).join(" & ");
  }

  function draw(now) {
    const largest = Math.max(...now.tables.map((one) => one.bytes), 1);
    const line = (names, one, where) => h("tr", {}, h("td", {}, h("a", { href: `#/entities?where=${encodeURIComponent(where)}` }, names)),
      cells([number(one.rows), number(one.capacity), kib(one.bytes)]), h("td", { className: "wide" }, bar(one.bytes / largest)));
    const sorted = [...now.tables].sort((a, b) => b.bytes - a.bytes);
    const none = (words) => h("p", { className: "soft" }, words);
    const has_sparse = schema.components.some((one) => one.storage === "sparse");
    box.replaceChildren(parts_table(now), h("h3", {}, "Tables"),
      sorted.length ? h("div", { className: "scroll" }, h("table", { id: "tables" }, store_head("components"), sorted.map((one) => line(one.components.join(" ") || "none", one, exactly(one)))))
        : none("There is no table, because no entity has been spawned yet."),
      h("h3", {}, "Sparse components"),
      now.sparse.length ? h("div", { className: "scroll" }, h("table", { id: "sparse" }, store_head("component"), now.sparse.map((one) => line(one.component, one, one.component))))
        : none(has_sparse ? "No entity has a sparse component." : "The schema stores no component as sparse."),
      h("h3", {}, "Indexes"), now.indexes.length ? indexes_table(now.indexes) : none("The schema has no indexes."));
  }

  /** Lists the parts of the memory, and all tables, sparse components and indexes, for a copy. */
  async function copied() {
    const now = await call("tables");
    const store = (kind, name) => (one) => [kind, name(one), one.rows, one.capacity ?? null, one.bytes];
    return { heads: ["kind", "name", "rows", "capacity", "bytes"], rows: [
      ...parts_of(now).map(([name, size]) => ["part", name, null, null, size]),
      ...now.tables.map(store("table", (one) => one.components.join(" "))), ...now.sparse.map(store("sparse component", (one) => one.component)),
      ...now.indexes.map(store("index", (one) => one.name))] };
  }

  async function refresh() {
    const now = await call("tables").catch(() => null);
    if (!now) return;
    charts.replaceChildren(h("span", {}, `${bytes(now.bytes)} in all`), over_time("bytes", bytes), h("span", {}, `${number(app.stats.entities)} entities`), over_time("entities", number));
    keep_focus(box, () => draw(now));
    search.apply();
  }
  refresh();
  return { nodes: [h("h2", {}, "Memory"), charts, h("div", { className: "row" }, search.node, copy_tools(app, "memory", copied)), box], refresh, every: 1000 };
}
