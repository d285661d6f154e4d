// The changes between two ticks, and the events as they are emitted.
import { completed, expression_words } from "./complete.mjs";
import { h, keep_focus, link } from "./dom.mjs";
import { call } from "./link.mjs";
import { last_writers } from "./lastwriters.mjs";
import { name_of, named_words } from "./names.mjs";
import { act_at } from "./problem.mjs";
import { expression_for } from "./query.mjs";
import { search_box } from "./search.mjs";
import { stop_address } from "./stops.mjs";
import { events_told, leaf_paths } from "./fields.mjs";
import { copy_tools } from "./table.mjs";
import { cell } from "./text.mjs";

/** Lists the single values in a value by their paths. The place of an array element is in brackets. */
function leaves(schema, field, value, path, found) {
  if (value === null || typeof value !== "object") return found.set(path, value);
  const many = Array.isArray(value) || field?.by;
  const fields = field?.fields ?? schema.struct.get(field?.type)?.fields ?? [];
  for (const [name, inner] of Object.entries(value)) {
    const of = many ? { ...field, by: undefined } : fields.find((one) => one.name === name);
    leaves(schema, of, inner, many ? `${path}[${name}]` : path ? `${path}.${name}` : name, found);
  }
  return found;
}

function differences(schema, of, was, is) {
  const before = leaves(schema, of, was, "", new Map());
  const after = leaves(schema, of, is, "", new Map());
  const paths = [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path));
  return paths.map((path) => ({ path: path.replace(/^(components|parents)\./, ""), was: before.get(path), is: after.get(path) }));
}

const words = (value) => (value === undefined ? "none" : named_words(cell(value)));

/** Returns whether a path is another one, or inside of it. */
const is_inside = (path, of) => path === of || path.startsWith(`${of}.`) || path.startsWith(`${of}[`);

/** Lists the paths that can filter changes: components, singletons, relations, and their values. */
function filter_paths(schema) {
  const owners = [...schema.components, ...schema.singletons];
  return [...owners.flatMap((one) => [one.name, ...leaf_paths(schema, one.fields, one.name)]), ...schema.relations.map((one) => one.name)];
}

export function changes_view(app) {
  const { schema } = app;
  const said = h("p", { className: "soft", id: "between", role: "status" });
  const lists = h("div", { id: "changes" });
  const of = (id, label, placeholder, more) => h("input", { id, className: "grow mono", "aria-label": label, placeholder, autocomplete: "off", spellcheck: false, ...more });
  const where = of("remember-where", "which entities to remember, as an expression", "all entities, or an expression", { onkeydown: (event) => { if (event.key === "Enter") remember(); } });
  const path = of("change-path", "component or field", "any component or field", { list: "change-paths", oninput: () => refresh() });
  const text = of("change-text", "name or text", "any name or text", { oninput: () => refresh() });
  const filters = h("div", { className: "row", id: "change-filters" }, h("span", { className: "soft" }, "only"), path, text, copy_tools(app, "changes", copied),
    h("datalist", { id: "change-paths" }, filter_paths(schema).map((value) => h("option", { value }))));
  const writers = last_writers(app, () => refresh());
  let drawn = "";
  let last = null; // the last answer

  async function remember() {
    const chosen = where.value.trim() && (where.value = expression_for(schema, where.value));
    if (!(await act_at(where, "remember", chosen ? { where: chosen } : {}))) {
      where.focus(); // the way on, if these are too many
      return;
    }
    app.stats.remembered = true;
    await refresh();
  }

  function handles(title, ids, count) {
    if (count === 0) return [];
    const more = count > ids.length ? [` and ${count - ids.length} more`] : [];
    return [h("h3", {}, `${count} ${title}`), h("p", {}, ids.flatMap((id) => [link(id), " "]), more)];
  }

  /** Makes the cell of what has changed: a singleton, or an entity with its name. */
  const changed_cell = (name) => (schema.singleton.has(name) ? h("a", { href: `#/singletons/${name}` }, name) : link(name));

  /** Lists the values of an entity or singleton that have changed and pass the filter. */
  function shown_of({ name, was, is }) {
    const entity = { fields: [{ name: "components", fields: schema.components }] };
    const single = schema.singleton.get(name);
    const found = was === undefined ? [] : differences(schema, single ?? entity, was, is);
    const filter = path.value.trim();
    return found.filter((one) => !filter || is_inside(single ? `${name}.${one.path}` : one.path, filter));
  }

  /** Lists the changes for a copy. */
  async function copied() {
    const { changed = [], new: came = [], gone = [] } = last ?? {};
    const whole = (what) => (id) => [what, id, name_of(id)];
    return { heads: ["change", "of", "name", "value", "was", "is"], rows: [
      ...came.map(whole("came")), ...gone.map(whole("went")),
      ...changed.flatMap((one) => shown_of(one).map((value) => ["changed", one.name, name_of(one.name), value.path, value.was, value.is]))] };
  }

  function rows_of({ name, was, is }) {
    const single = schema.singleton.get(name);
    const shown = shown_of({ name, was, is });
    const why = was === undefined ? "too long to list" : "a difference that no value shows";
    const what = shown.length === 0 ? [{ path: why, was: "", is: "" }] : shown;
    return what.map((one, i) => h("tr", {}, h("td", {}, i === 0 ? changed_cell(name) : ""), h("td", { className: "mono" }, one.path),
      h("td", { className: "mono" }, words(one.was)), h("td", { className: "mono" }, words(one.is)),
      app.stats.watched ? writers.cell(single ? null : name, single ? `${name}.${one.path}` : one.path, shown.length > 0) : null));
  }

  function draw(now) {
    const more = now.changed_count - now.changed.length;
    const heads = ["what", "value", "was", "is", ...(app.stats.watched ? ["last writer"] : [])];
    lists.replaceChildren(
      ...handles("came", now.new, now.new_count), ...handles("went", now.gone, now.gone_count),
      ...(now.changed_count === 0 ? [] : [h("h3", {}, `${now.changed_count} changed${more > 0 ? `, the first ${now.changed.length}` : ""}`),
        h("div", { className: "scroll narrow" }, h("table", {}, h("tr", {}, heads.map((one) => h("th", {}, one))), now.changed.flatMap(rows_of)))]));
    const none = now.changed_count + now.new_count + now.gone_count === 0;
    const filtered = path.value.trim() || text.value.trim();
    if (none) lists.append(h("p", { className: "soft", id: "unchanged" }, filtered ? "Nothing that passes the filter has changed." : now.from === now.to ? "Nothing has changed: no tick has run since." : "Nothing has changed."));
  }

  async function refresh() {
    writers.refresh();
    filters.hidden = !app.stats.remembered;
    if (!app.stats.remembered) {
      said.textContent = "No tick is remembered yet.";
      return;
    }
    const asked = { ...(path.value.trim() ? { path: path.value.trim() } : {}), ...(text.value.trim() ? { text: text.value.trim() } : {}) };
    const now = await call("changes", asked).catch((error) => { said.textContent = error.message; return null; });
    if (!now || !lists.isConnected) return;
    last = now;
    const those = `${now.entities.toLocaleString("en")} ${now.entities === 1 ? "entity" : "entities"}${now.where ? ` of ${now.where}` : ""}`;
    said.textContent = `From tick ${now.from.toLocaleString("en")} to tick ${now.to.toLocaleString("en")}; ${those}.`;
    const drawing = JSON.stringify([now, app.stats.watched, asked]);
    if (drawing !== drawn) keep_focus(lists, () => draw(now));
    drawn = drawing;
    writers.read(now.to);
  }
  setTimeout(refresh);
  return { nodes: [h("h2", {}, "Changes"), h("div", { className: "row" }, completed(schema, where, expression_words(schema)), h("button", { className: "main", id: "remember", onclick: remember }, "remember this tick"),
    h("span", { className: "soft" }, "and compare it with the ticks after it")), said, filters, writers.node, lists], refresh, every: 1000 };
}

export function events_view(app) {
  const list = h("ul", { className: "log", id: "events" });
  const pick = h("select", { "aria-label": "event", id: "event", onchange: () => { for (const line of list.children) show(line); empty(); } },
    h("option", { value: "" }, "all events"), events_told(app.schema).map((one) => h("option", { value: one.name, title: one.doc ?? "" }, one.name)));
  const search = search_box("search the events", () => [...list.children]);
  const none = h("p", { className: "soft", id: "none", role: "status" }, "");
  const values = new WeakMap(); // the cells of a copy, by line
  const copied = async () => ({ heads: ["tick", "event", "value", "system"], rows: [...list.children].filter((line) => values.has(line) && !line.hidden && !line.matches(".unfound")).map((line) => values.get(line)) });
  let since = 0;
  function empty() {
    const shown = [...list.children].some((one) => !one.hidden);
    none.textContent = shown ? "" : pick.value ? `No ${pick.value} has been emitted since this view was opened.` : "No event has been emitted since this view was opened.";
  }
  const show = (line) => { line.hidden = pick.value !== "" && line.dataset.event !== pick.value && "event" in line.dataset; };

  function value(of, fields) {
    if (fields === null) return ["too long to keep"];
    return [...leaves(app.schema, of, fields, "", new Map())].flatMap(([path, one], i) => [i === 0 ? "" : ", ", `${path} `,
      typeof one === "string" && /^\d+:\d+$/.test(one) ? link(one) : h("span", { className: "mono" }, cell(one))]);
  }

  async function refresh() {
    const events = await call("events", { since }).catch(() => []);
    for (const one of events) {
      if (one.number <= since) continue;
      const missed = one.number - since - 1; // more events than are kept between two requests
      if (since > 0 && missed > 0) list.prepend(h("li", { className: "soft" }, `${missed.toLocaleString("en")} more`));
      since = one.number;
      const line = h("li", { "data-event": one.event }, h("span", { className: "soft mono" }, `tick ${one.tick.toLocaleString("en")}  `), h("strong", {}, one.event), " ", value(app.schema.events.find((event) => event.name === one.event), one.value),
        h("span", { className: "soft" }, ` by ${app.schema.systems[one.system].name} `),
        app.stats.writable ? h("a", { href: stop_address(`event ${one.event}`), className: "stop", "aria-label": `stop at the event ${one.event}` }, "stop") : null);
      values.set(line, [one.tick, one.event, value(app.schema.events.find((event) => event.name === one.event), one.value).map((part) => part.textContent ?? part).join(""), app.schema.systems[one.system].name]);
      show(line);
      list.prepend(line);
    }
    while (list.children.length > 1000) list.lastChild.remove();
    search.apply();
    empty();
  }
  refresh();
  return { nodes: [h("h2", {}, "Events"), h("p", { className: "soft" }, "What systems emit while this is open, the newest first; events that no system hears are not kept by the world. Of more than 256 between two looks, one a second, the rest is counted."), h("div", { className: "row" }, pick, search.node, copy_tools(app, "events", copied)), none, list], refresh, every: 1000 };
}
