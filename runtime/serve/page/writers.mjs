// The last writes of a value.
import { chooser, h, listed } from "./dom.mjs";
import { call } from "./link.mjs";
import { handle_words, named_words } from "./names.mjs";
import { leaf_paths } from "./fields.mjs";
import { watch_offer } from "./watch.mjs";

const who = (write) => `${write.commands ? "commands of " : ""}${write.writer}`;

function change(write) {
  if (write.kind === "added") return ["was added"];
  if (write.kind === "removed") return ["was removed"];
  return [h("span", { className: "mono" }, named_words(write.before || "none")), " → ", h("strong", { className: "mono" }, named_words(write.after || "none"))];
}

const DID = {
  value: (write) => (write.before || write.after ? `wrote ${named_words(write.after || "none")}, which was ${named_words(write.before || "none")}, in ${write.path}` : "made it so"),
  added: (write) => `added ${write.path}`,
  removed: (write) => `removed ${write.path}`,
  event: (write) => `emitted ${write.path}${write.after ? `: ${named_words(write.after)}` : ""}`,
  despawned: () => "despawned it",
};

/** Describes a write in a sentence. */
export function write_words(write) {
  return `${who(write)} ${DID[write.kind](write)}${write.id && write.kind !== "event" ? `, of ${handle_words(write.id)}` : ""}`;
}

/** The address of the page that shows the last writers of a written value. */
export function where_written(write) {
  if (write.kind === "event" || write.kind === "despawned") return write.id ? `#/entity/${write.id}` : "#/events";
  const [owner] = write.path.split(/[.[]/);
  return `#/${write.id ? `entity/${write.id}` : `singletons/${owner}`}?writers=${owner}`;
}

/** Describes since when writes are known, or why they are not. */
export async function known_since() {
  const kept = await call("kept").catch(() => null);
  if (!kept) return "";
  const tick = kept.since.toLocaleString("en");
  return kept.all ? `since tick ${tick}, in which the game began to watch` : `since tick ${tick}; what was written before is no longer kept`;
}

const WRITES = ["write", "lookup write", "singleton write"];

/** Lists the systems that may write a component or singleton by the schema, whether or not they did. */
function may_write(schema, name) {
  const has = (one) => one?.access.some(([kind, of]) => of === name && WRITES.includes(kind));
  const asks = (one) => one.access.some(([kind, of]) => kind === "query" && has(schema.queries.find((query) => query.name === of)));
  const found = schema.systems.filter((one) => has(one) || asks(one));
  if (found.length === 0) return null;
  return h("p", { className: "hint may" }, "By the schema it is written by ", listed(found.map((one) => h("a", { href: `#/systems/${one.name}`, title: one.doc ?? "" }, one.name))), ".");
}

/** Makes a button that shows the last writes of a component or singleton, and the box for them. */
export function writes_of(app, path, id) {
  const offer = watch_offer(app, () => refresh());
  const found = h("div");
  const since = h("span");
  const { schema } = app;
  const values = leaf_paths(schema, (schema.component.get(path) ?? schema.singleton.get(path))?.fields ?? [], path);
  let asked = path; // the path of all values, or of one
  const pick = chooser({ "aria-label": `writers of which value of ${path}` }, (value) => { asked = value; refresh(); },
    h("option", { value: path }, "all values"), values.map((value) => h("option", { value }, value.slice(path.length).replace(/^\./, ""))));
  const box = h("div", { className: "writes", hidden: true }, offer.node, values.length > 1 ? pick : null, may_write(schema, path), h("div", { className: "found" }, found));
  const button = h("button", { "aria-expanded": "false", "aria-label": `who wrote ${path}`, title: "who wrote it last", onclick: toggle }, "writers");
  let drawn = "";

  async function refresh() {
    if (box.hidden) return;
    offer.refresh();
    pick.hidden = !app.stats.watched;
    if (!app.stats.watched) return;
    const writes = await call("writes", id ? { id, path: asked } : { path: asked }).catch(() => []);
    if (writes.length === 0) since.textContent = await known_since();
    const text = JSON.stringify(writes);
    if (text === drawn) return;
    drawn = text;
    const rows = writes.map((write) => h("tr", {}, h("td", { className: "number" }, write.tick.toLocaleString("en")), h("td", {}, who(write)),
      h("td", { className: "mono" }, write.path.slice(path.length).replace(/^\./, "")), h("td", { className: "change" }, change(write))));
    found.replaceChildren(rows.length
      ? h("div", { className: "scroll" }, h("table", {}, h("tr", {}, ["tick", "by", "value", "was → is"].map((one) => h("th", {}, one))), rows))
      : h("p", { className: "hint" }, "Nothing has written it ", since, "."));
    const last = writes.find((write) => write.kind === "value" && write.after !== "");
    if (last) found.append(h("a", { href: `#/stops?when=${encodeURIComponent(`${last.path}${id ? ` of ${id}` : ""} == ${last.after}`)}` }, "stop when…"));
  }

  function toggle() {
    box.hidden = !box.hidden;
    button.setAttribute("aria-expanded", String(!box.hidden));
    refresh();
  }
  return { button, box, refresh, toggle, is_open: () => !box.hidden };
}
