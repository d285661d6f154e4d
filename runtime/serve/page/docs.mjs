// The schema as a document, and the messages of the world.
import { h } from "./dom.mjs";
import { call } from "./link.mjs";
import { named_words } from "./names.mjs";
import { range } from "./fields.mjs";

function fields_table(fields) {
  if (!fields || fields.length === 0) return null;
  const type = (field) => field.type + (field.shape === "array" || field.shape === "string" ? `[${field.by ?? field.count}]` : field.shape === "list" ? ` list of at most ${field.count}` : "");
  return h("div", { className: "scroll" }, h("table", {}, fields.map((field) => h("tr", {},
    h("th", {}, field.name), h("td", { className: "mono" }, type(field)),
    h("td", {}, range(field)),
    h("td", {}, field.doc ?? "")))));
}

/** Lists the values of an enum, if at least one has a doc. */
function values_table(one) {
  if (!one.docs) return null;
  return h("div", { className: "scroll" }, h("table", {}, one.values.map((name, i) => h("tr", {},
    h("th", {}, name), h("td", {}, one.docs[i])))));
}

function words_of(kind, one) {
  if (kind === "enums") return one.docs ? "" : one.values.join(", ");
  if (kind === "prefabs") return one.components.join(", ");
  if (kind === "links") return [one.symmetric ? "symmetric" : "", one.fields.length === 0 ? "bare" : `${one.size} ${one.size === 1 ? "byte" : "bytes"}`,
    ...["from", "to"].filter((end) => one.on_despawn[end] === "despawn").map((end) => `despawning \`${end}\` despawns \`${end === "from" ? "to" : "from"}\``)].filter(Boolean).join("; ");
  const access = (one.access ?? []).map(([how, name]) => `${how} ${name}`).join(", ");
  return [access, one.where ? `where ${one.where}` : "", one.storage && one.storage !== "table" ? one.storage : "", one.size ? `${one.size} ${one.size === 1 ? "byte" : "bytes"}` : ""].filter(Boolean).join("; ");
}

export function schema_view(app) {
  const kinds = ["components", "singletons", "structs", "enums", "events", "relations", "links", "prefabs", "queries", "listeners", "systems"];
  const box = h("div");
  const search = h("input", { type: "search", className: "grow", placeholder: "a word of a name or a doc", "aria-label": "search the schema", oninput: () => draw() });
  function draw() {
    const word = search.value.toLowerCase();
    const parts = kinds.flatMap((kind) => {
      const found = app.schema[kind].filter((one) => JSON.stringify(one).toLowerCase().includes(word));
      if (found.length === 0) return [];
      return [h("h2", {}, kind), h("div", { className: "cards" }, found.map((one) => h("section", { className: "card" },
        h("header", {}, h("h3", {}, one.name), kind === "components" ? h("a", { href: `#/entities?where=${one.name}` }, "entities") : null),
        one.doc ? h("p", {}, one.doc) : null, words_of(kind, one) ? h("div", { className: "hint" }, words_of(kind, one)) : null, fields_table(one.fields), values_table(one))))];
    });
    box.replaceChildren(...(parts.length > 0 ? parts : [h("p", { className: "soft" }, `Nothing in the schema has "${search.value}" in it.`)]));
  }
  draw();
  return { nodes: [h("div", { className: "row" }, search), box] };
}

export function messages_view() {
  const list = h("ul", { className: "log", id: "messages" });
  let since = 0;
  async function refresh() {
    const lines = await call("messages", { since }).catch(() => []);
    for (const line of lines) {
      if (line.number <= since) continue;
      since = line.number;
      list.prepend(h("li", {}, h("span", { className: "soft mono" }, `tick ${line.tick.toLocaleString("en")}  `), named_words(line.text)));
    }
  }
  refresh();
  return { nodes: [h("h2", {}, "Messages and refusals"), h("p", { className: "soft" }, "What the world's log was told, and what pages were refused; the newest first."), list], refresh, every: 1000 };
}
