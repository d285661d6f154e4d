// The last writes of a value.
import { writers_of } from "./access.mjs";
import { chooser, h, keep_focus, link, listed } from "./dom.mjs";
import { call } from "./link.mjs";
import { handle_words, named_words } from "./names.mjs";
import { leaf_paths } from "./fields.mjs";
import { signed, sums_of, writer_words } from "./sums.mjs";
import { copy_tools } from "./table.mjs";
import { source_of } from "./sources.mjs";
import { watch_offer } from "./watch.mjs";

const PAGE = 20; // writes that are listed at once
const COPIED_PAGE = 100; // writes of an answer for a copy
const COPIED_MAX = 10000; // writes of a copy

function change(write) {
  if (write.kind === "added") return ["was added"];
  if (write.kind === "removed") return ["was removed"];
  const words = (text) => named_words(text || "none");
  return [h("span", { className: "mono" }, words(write.before)), " → ", h("strong", { className: "mono" }, words(write.after)), ...(write.change === null ? [] : [" ", h("span", { className: "soft" }, signed(write.change))])];
}

const DID = {
  value: (write) => (write.before || write.after ? `wrote ${named_words(write.after || "none")}, which was ${named_words(write.before || "none")}, in ${write.path}` : "made it so"),
  added: (write) => `added ${write.path}`,
  removed: (write) => `removed ${write.path}`,
  event: (write) => `emitted ${write.path}${write.after ? `: ${named_words(write.after)}` : ""}`,
  despawned: () => "despawned it",
};

/** Describes on behalf of which row a system wrote, as far as it is known. */
function row_words(write) {
  if (write.commands || write.rows === "unknown") return "";
  return write.rows === "one" ? `, in the row of ${handle_words(write.row)}` : ", in one of several rows";
}

/** Describes a write in a sentence. */
export function write_words(write) {
  return `${writer_words(write)} ${DID[write.kind](write)}${write.id && write.kind !== "event" ? `, of ${handle_words(write.id)}` : ""}${row_words(write)}`;
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

/**
 * Lists the systems that may write a component or singleton by the schema. Returns the element, and
 * `show(writers)`, which sets those apart that have not written it in the ticks that are summed up.
 */
function may_write(schema, name) {
  const found = writers_of(schema, name);
  const node = h("p", { className: "hint may", hidden: found.length === 0 });
  const links = (some) => listed(some.map((one) => h("a", { href: `#/systems/${one.name}`, title: one.doc ?? "" }, one.name)));
  let drawn = null;
  function show(writers) {
    if (writers.join() === drawn) return;
    drawn = writers.join();
    const did = writers.length === 0 ? found : found.filter((one) => writers.includes(one.name));
    const did_not = found.filter((one) => !did.includes(one));
    const also = did_not.length > 0 ? [did.length > 0 ? ", and also by " : "", ...links(did_not), ", which did not in these ticks"] : [];
    keep_focus(node, () => node.replaceChildren("By the schema it is written by ", ...links(did), ...also, "."));
  }
  show([]);
  return { node, show };
}

/** Makes the boxes that filter, sort and page a list of writes. `read` is called when one was used. */
function list_boxes(app, path, copied, read) {
  const asked = { writer: "", by_size: false, offset: 0, until: 0 };
  const restart = () => { asked.offset = asked.until = 0; read(); };
  const writer = chooser({ "aria-label": `which writer of ${path}` }, (value) => { asked.writer = value; restart(); }, h("option", { value: "" }, "all writers"));
  const order = chooser({ "aria-label": `order of the writes to ${path}` }, (value) => { asked.by_size = value === "size"; restart(); },
    h("option", { value: "tick" }, "newest first"), h("option", { value: "size" }, "largest change first"));
  const page = (step) => { asked.offset = Math.max(asked.offset + step * PAGE, 0); if (asked.offset === 0) asked.until = 0; read(); };
  const copies = copy_tools(app, `writes to ${path}`, copied);
  const newer = h("button", { "aria-label": `writes before these to ${path}`, onclick: () => page(-1) }, "back");
  const older = h("button", { "aria-label": `more writes to ${path}`, onclick: () => { if (asked.offset === 0) asked.until = newest + 1; page(1); } }, "more");
  const place = h("span", { className: "hint", role: "status" });
  let newest = 0; // number of the newest write on the first page
  return {
    head: h("div", { className: "row" }, writer, order),
    foot: h("div", { className: "row" }, newer, older, place, copies),
    params: () => ({ limit: PAGE + 1, ...(asked.writer ? { writer: asked.writer } : {}), ...(asked.by_size ? { by_size: true } : {}), ...(asked.offset ? { offset: asked.offset, until: asked.until } : {}) }),
    /** The params of the writes that pass the filter, from one on. */
    all_params: (offset, until) => ({ limit: COPIED_PAGE, offset, ...(asked.writer ? { writer: asked.writer } : {}), ...(asked.by_size ? { by_size: true } : {}), ...(until ? { until } : {}) }),
    choose(name) {
      offer([name]);
      asked.writer = writer.value = name;
      restart();
    },
    offer,
    show(writes) {
      if (asked.offset === 0) newest = Math.max(0, ...writes.map((write) => write.number));
      newer.disabled = asked.offset === 0;
      older.disabled = writes.length <= PAGE;
      place.textContent = asked.offset === 0 ? "" : `${asked.offset + 1} to ${asked.offset + Math.min(writes.length, PAGE)}; newer writes are on the first page`;
    },
  };

  function offer(names) {
    const known = new Set([...writer.options].map((one) => one.value));
    writer.append(...[...new Set(names)].filter((name) => !known.has(name)).map((name) => h("option", { value: name }, name)));
  }
}

/** Makes a button that shows the last writes of a component or singleton, and the box for them. */
export function writes_of(app, path, id) {
  const offer = watch_offer(app, () => refresh());
  const found = h("div");
  const since = h("span");
  const { schema } = app;
  const values = leaf_paths(schema, (schema.component.get(path) ?? schema.singleton.get(path))?.fields ?? [], path);
  let asked = path; // the path of all values, or of one
  const boxes = list_boxes(app, path, copied, () => refresh());
  const sums = sums_of(app, path, id, (writer, value) => {
    asked = value;
    if (values.includes(value)) pick.value = value;
    boxes.choose(writer);
  });
  const may = may_write(schema, path);
  const pick = chooser({ "aria-label": `writers of which value of ${path}` }, (value) => { asked = value; refresh(); },
    h("option", { value: path }, "all values"), values.map((value) => h("option", { value }, value.slice(path.length).replace(/^\./, ""))));
  const box = h("div", { className: "writes", hidden: true }, offer.node, values.length > 1 ? pick : null, sums.node, may.node, boxes.head, h("div", { className: "found" }, found), boxes.foot);
  const button = h("button", { "aria-expanded": "false", "aria-label": `who wrote ${path}`, title: "who wrote it last", onclick: toggle }, "writers");
  let drawn = "";

  /** Reads the writes that pass the filter for a copy, as they were when it began. */
  async function copied(told) {
    const rows = [];
    let until = 0;
    for (let some = null; (!some || some.length === COPIED_PAGE) && rows.length < COPIED_MAX;) {
      some = await call("writes", { path: asked, ...(id ? { id } : {}), ...boxes.all_params(rows.length, until) });
      until ||= 1 + Math.max(0, ...some.map((write) => write.number));
      rows.push(...some.map((write) => [write.tick, writer_words(write), write.kind, write.path, write.before, write.after, write.change, write.row]));
      if (!told(rows.length / COPIED_MAX)) return null;
    }
    return { heads: ["tick", "by", "kind", "value", "was", "is", "change", "row"], rows };
  }

  async function refresh() {
    if (box.hidden) return;
    offer.refresh();
    pick.hidden = boxes.head.hidden = boxes.foot.hidden = !app.stats.watched;
    if (!app.stats.watched) return;
    const of = { path: asked, ...(id ? { id } : {}) };
    const [writes, writers] = await Promise.all([call("writes", { ...of, ...boxes.params() }).catch(() => []), sums.refresh(asked)]);
    if (writes.length === 0) since.textContent = await known_since();
    may.show(writers);
    boxes.offer([...writers, ...writes.map((write) => write.writer)]);
    boxes.show(writes);
    const text = JSON.stringify(writes);
    if (text === drawn) return;
    drawn = text;
    const rows = writes.slice(0, PAGE).map((write) => h("tr", {}, h("td", { className: "number" }, write.tick.toLocaleString("en")), h("td", {}, writer_words(write), source_of(write.writer), write.row && write.row !== id ? [" for ", link(write.row)] : null),
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
