// Memory: tables by their components, sparse stores, indexes, and growth over the last minute.
import { chart } from "./chart.mjs";
import { bytes, h, keep_focus } from "./dom.mjs";
import { call } from "./link.mjs";

const number = (count) => count.toLocaleString("en");

export function memory_view(app) {
  const box = h("div");
  const over_time = (name, words) => chart(name, app.history.map((one) => one[name]), app.history.map((one) => one.at), words);
  async function refresh() {
    const now = await call("tables").catch(() => null);
    if (!now) return;
    const largest = Math.max(...now.tables.map((one) => one.bytes), 1);
    const line = (names, one, where) => h("tr", {},
      h("td", {}, h("a", { href: `#/entities?where=${encodeURIComponent(where)}` }, names)),
      h("td", { className: "number" }, number(one.rows)), h("td", { className: "number" }, number(one.capacity)),
      h("td", { className: "number" }, bytes(one.bytes)),
      h("td", { className: "wide" }, (() => { const bar = h("div", { className: "bar" }); bar.style.width = `${Math.round((one.bytes / largest) * 120)}px`; return bar; })()));
    const head = h("tr", {}, h("th", {}, "components"), h("th", { className: "number" }, "rows"), h("th", { className: "number" }, "capacity"), h("th", { className: "number" }, "bytes"), h("th", { className: "wide" }, ""));
    const sorted = [...now.tables].sort((a, b) => b.bytes - a.bytes);
    const without = (one) => app.schema.components.filter((c) => c.storage === "table" && !one.components.includes(c.name)).map((c) => c.name);
    const exactly = (one) => [...one.components, ...without(one).map((name) => `!${name}`)].slice(0, 60).join(" & ");
    keep_focus(box, () => box.replaceChildren(
      h("div", { className: "row" }, h("span", {}, `${bytes(now.bytes)} in all`), over_time("bytes", bytes),
        h("span", {}, `${number(app.stats.entities)} entities`), over_time("entities", number)),
      h("h3", {}, "Tables"),
      h("div", { className: "scroll" }, h("table", { id: "tables" }, head, sorted.map((one) => line(one.components.join(" ") || "none", one, exactly(one))))),
      now.sparse.length ? h("h3", {}, "Sparse components") : null,
      now.sparse.length ? h("div", { className: "scroll" }, h("table", {}, head.cloneNode(true), now.sparse.map((one) => line(one.component, one, one.component)))) : null,
      now.indexes.length ? h("h3", {}, "Indexes") : null,
      now.indexes.length ? h("div", { className: "scroll" }, h("table", { id: "indexes" },
        h("tr", {}, h("th", {}, "index"), h("th", { className: "wide" }, "kind"), h("th", {}, "of"), h("th", { className: "number" }, "entities"), h("th", { className: "number" }, "bytes")),
        now.indexes.map((one) => h("tr", {}, h("td", {}, one.name), h("td", { className: "wide" }, one.kind), h("td", {}, one.fields.map((field) => `${one.of}.${field}`).join(", ")),
          h("td", { className: "number", title: one.made ? "" : "nothing has asked it yet, so that it is not made" }, one.made ? number(one.rows) : "–"), h("td", { className: "number" }, bytes(one.bytes)))))) : null));
  }
  refresh();
  return { nodes: [h("h2", {}, "Memory"), box], refresh, every: 1000 };
}
