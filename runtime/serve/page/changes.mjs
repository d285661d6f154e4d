// The changes between two ticks, and the events as they are emitted.
import { h, keep_focus, link } from "./dom.mjs";
import { act, call } from "./link.mjs";
import { named_words } from "./names.mjs";
import { stop_address } from "./stops.mjs";
import { events_told } from "./fields.mjs";
import { cell } from "./values.mjs";

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
  return paths.map((path) => ({ path: path.replace(/^components\./, ""), was: before.get(path), is: after.get(path) }));
}

const words = (value) => (value === undefined ? "none" : named_words(cell(value)));

export function changes_view(app) {
  const said = h("p", { className: "soft", id: "between", role: "status" });
  const lists = h("div", { id: "changes" });
  let drawn = "";

  async function remember() {
    if (!(await act("remember"))) return;
    app.stats.remembered = true;
    await refresh();
  }

  function handles(title, ids, count) {
    if (count === 0) return [];
    const more = count > ids.length ? [` and ${count - ids.length} more`] : [];
    return [h("h3", {}, `${count} ${title}`), h("p", {}, ids.flatMap((id) => [link(id), " "]), more)];
  }

  function draw(now) {
    const singletons = app.schema.singleton;
    const entity = { fields: [{ name: "components", fields: app.schema.components }] };
    const rows = now.changed.flatMap(({ name, was, is }) => {
      const who = singletons.has(name) ? h("a", { href: `#/singletons/${name}` }, name) : link(name);
      const found = was === undefined ? [] : differences(app.schema, singletons.get(name) ?? entity, was, is);
      const why = was === undefined ? "too long to list" : "a difference that no value shows";
      const what = found.length === 0 ? [{ path: why, was: "", is: "" }] : found;
      return what.map((one, i) => h("tr", {}, h("td", {}, i === 0 ? who : ""), h("td", { className: "mono" }, one.path),
        h("td", { className: "mono" }, words(one.was)), h("td", { className: "mono" }, words(one.is))));
    });
    const more = now.changed_count - now.changed.length;
    lists.replaceChildren(
      ...handles("came", now.new, now.new_count), ...handles("went", now.gone, now.gone_count),
      ...(now.changed_count === 0 ? [] : [h("h3", {}, `${now.changed_count} changed${more > 0 ? `, the first ${now.changed.length}` : ""}`),
        h("div", { className: "scroll narrow" }, h("table", {}, h("tr", {}, ["what", "value", "was", "is"].map((one) => h("th", {}, one))), rows))]));
  }

  async function refresh() {
    if (!app.stats.remembered) {
      said.textContent = "No tick is remembered yet.";
      return;
    }
    const now = await call("changes").catch((error) => { said.textContent = error.message; return null; });
    if (!now) return;
    said.textContent = `From tick ${now.from.toLocaleString("en")} to tick ${now.to.toLocaleString("en")}.`;
    const text = JSON.stringify(now);
    if (text !== drawn) keep_focus(lists, () => draw(now));
    drawn = text;
  }
  refresh();
  return { nodes: [h("h2", {}, "Changes"), h("div", { className: "row" }, h("button", { className: "main", id: "remember", onclick: remember }, "remember this tick"),
    h("span", { className: "soft" }, "and compare it with the ticks behind it")), said, lists], refresh, every: 1000 };
}

export function events_view(app) {
  const list = h("ul", { className: "log", id: "events" });
  const pick = h("select", { "aria-label": "event", id: "event", onchange: () => { for (const line of list.children) show(line); } },
    h("option", { value: "" }, "all events"), events_told(app.schema).map((one) => h("option", { value: one.name, title: one.doc ?? "" }, one.name)));
  let since = 0;
  const show = (line) => { line.hidden = pick.value !== "" && line.dataset.event !== pick.value && "event" in line.dataset; };

  function value(of, values) {
    if (values === null) return ["too long to keep"];
    return [...leaves(app.schema, of, values, "", new Map())].flatMap(([path, one], i) => [i === 0 ? "" : ", ", `${path} `,
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
      show(line);
      list.prepend(line);
    }
    while (list.children.length > 1000) list.lastChild.remove();
  }
  refresh();
  return { nodes: [h("h2", {}, "Events"), h("p", { className: "soft" }, "What systems emit while this is open, the newest first; events that no system hears are not kept by the world. Of more than 256 between two looks, one a second, the rest is counted."), h("div", { className: "row" }, pick), list], refresh, every: 1000 };
}
