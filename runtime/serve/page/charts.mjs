// Values over ticks: a list of charts that survives a reload, in the address and in the browser.
import { chart_of, jump_words } from "./chart.mjs";
import { card } from "./cards.mjs";
import { chooser, h } from "./dom.mjs";
import { field_of, leaf_paths } from "./fields.mjs";
import { call } from "./link.mjs";
import { name_of, named_words } from "./names.mjs";

const CHARTS_MAX = 16;
const POINTS_MAX = 4096;
const TABLE_ROWS = 100;
const KINDS = ["count of", "sum of", "mean of", "least of", "greatest of"];
const SPANS = [[200, "last 200 ticks"], [1000, "last 1,000 ticks"], [10000, "last 10,000 ticks"], [Infinity, "all that is kept"]];

/** Returns the path in the text of a series; "" if it counts entities. */
export function path_of(text) {
  const kind = KINDS.find((one) => text.startsWith(`${one} `));
  if (kind === "count of") return "";
  return (kind ? text.slice(kind.length + 1).split(" where ")[0] : text.split(" of ")[0]).trim();
}

/** The address that adds a chart to the list. */
export const chart_address = (text) => `#/charts?add=${encodeURIComponent(text)}`;

/** Returns a function that makes a link to a chart of a value of an entity, or of a singleton (null). */
export function chart_at(id) {
  return (field, path) => {
    const drawable = ["number", "bool", "enum"].includes(field.kind) && field.shape !== "string";
    return drawable ? h("a", { href: chart_address(`${path}${id ? ` of ${id}` : ""}`), className: "stop", title: `${path} over ticks`, "aria-label": `chart ${path}` }, "chart") : null;
  };
}

/** Returns a function that writes a value of a series: with its unit, or only the number for an axis. */
function format_of(schema, text) {
  const path = path_of(text);
  const field = path && !path.endsWith(".count") ? field_of(schema, path) : null;
  const is_one = !KINDS.some((one) => text.startsWith(`${one} `));
  const names = is_one && field?.kind === "enum" ? schema.enum.get(field.type)?.values : is_one && field?.kind === "bool" ? ["false", "true"] : null;
  const unit = field?.unit ? ` ${field.unit}` : "";
  const number = (value) => value.toLocaleString("en", { maximumSignificantDigits: Math.abs(value) >= 1e6 ? 12 : 6 });
  return (value, short = false) => names?.[value] ?? (names && short ? "" : `${number(value)}${short ? "" : unit}`);
}

// ---- the list

const key_of = (app) => `weft charts ${app.schema.name}`;

function stored(app) {
  try {
    const list = JSON.parse(localStorage.getItem(key_of(app)) ?? "[]");
    return Array.isArray(list) ? list.filter((one) => typeof one === "string") : [];
  } catch {
    return []; // the browser keeps nothing for this page
  }
}

/** Keeps the list in the browser, and in the address of this view. */
function keep(app, list) {
  try {
    localStorage.setItem(key_of(app), JSON.stringify(list));
  } catch {
    // then only the address has it
  }
  try {
    history.replaceState(null, "", `#/charts${list.length > 0 ? `?${list.map((one) => `of=${encodeURIComponent(one)}`).join("&")}` : ""}`);
  } catch {
    // a frame without an address of its own cannot change it without a new view
  }
}

/** Returns the list of an address: its own, or that of the browser, with what the address adds. */
function list_of(app, query) {
  const own = query.getAll("of");
  return [...new Set([...(own.length > 0 ? own : stored(app)), ...query.getAll("add")])].slice(-CHARTS_MAX);
}

// ---- one chart

/** Adds the points of an answer. If the game has begun a new series, a gap stands between them. */
function add_points(had, answer) {
  const begins = answer.next - answer.points.length;
  const { points } = answer;
  if (had.next === begins) had.points.push(...points);
  else if (points.length > 0 && had.points.length > 0 && points[0][0] > had.points.at(-1)[0]) had.points.push([had.points.at(-1)[0] + 0.5, null], ...points);
  else had.points = points;
  had.points = had.points.slice(-POINTS_MAX);
  if (had.points === points) had.jumps = [];
  had.jumps = [...had.jumps.filter((one) => !answer.jumps.some((jump) => jump.to === one.to)), ...answer.jumps].filter((one) => one.to >= (had.points[0]?.[0] ?? 0));
  had.next = answer.next;
}

/** Makes the table of the last changes, for those who cannot see the chart. */
function table_of(had, format) {
  const jumps = new Map(had.jumps.map((jump) => [jump.to, jump]));
  const rows = had.points.filter(([, value], i) => i === 0 || value !== had.points[i - 1][1]).slice(-TABLE_ROWS).reverse();
  return h("table", {}, h("tr", {}, ["tick", "value", "jump"].map((one) => h("th", {}, one))), rows.map(([tick, value]) => h("tr", {},
    h("td", { className: "number" }, Math.floor(tick).toLocaleString("en")), h("td", {}, value === null ? "none" : format(value)), h("td", {}, jumps.has(tick) ? jump_words(jumps.get(tick)) : ""))));
}

/** Returns the address of the page that shows who writes the value; null for an aggregate. */
function writers_of(schema, text) {
  if (KINDS.some((one) => text.startsWith(`${one} `))) return null;
  const owner = path_of(text).split(/[.[]/)[0];
  return schema.singleton.has(owner) ? `#/singletons/${owner}?writers=${owner}` : `#/entity/${text.split(" of ")[1]}?writers=${owner}`;
}

function chart_card(app, text, remove) {
  const format = format_of(app.schema, text);
  const had = { points: [], jumps: [], next: 0 };
  const chart = chart_of(text, format);
  const problem = h("div", { className: "bad", role: "alert" });
  const rows = h("div", { className: "scroll" });
  const table = h("details", { ontoggle: () => fill() }, h("summary", {}, "table"), rows);
  const hint = h("div", { className: "hint" });
  const writers = writers_of(app.schema, text);
  const node = card(text, null, [writers ? h("a", { href: writers, className: "stop" }, "writers") : null, h("button", { className: "danger", "aria-label": `remove the chart of ${text}`, onclick: remove }, "remove")],
    [problem, chart.node, hint, table]);
  node.classList.add("charted");
  const title = node.querySelector("h3");
  const id = / of (\d+:\d+)$/.exec(text)?.[1];
  if (id && !name_of(id)) call("entity", { id }).then(show_title, () => {}); // its answer has the name
  show_title();

  function show_title() {
    title.textContent = named_words(text);
  }

  function fill() {
    if (table.open) rows.replaceChildren(table_of(had, format));
  }

  async function refresh(span) {
    try {
      add_points(had, await call("series", { of: text, since: had.next }));
      problem.textContent = "";
    } catch (error) {
      problem.textContent = error.message;
      return;
    }
    if (!node.isConnected) return;
    const from = (had.points.at(-1)?.[0] ?? 0) - span;
    chart.draw(had.points.filter(([tick]) => tick >= from), had.jumps.filter((jump) => jump.to >= from));
    const unknown = had.jumps.some((jump) => !jump.writer) && writers;
    hint.textContent = unknown && !app.stats.watched ? "Jumps get the name of their system while the game watches who writes what (see writers)." : "";
    fill();
  }
  return { node, refresh };
}

// ---- the view

/** Makes the boxes that write the text of a series. */
function builder(schema, of) {
  const paths = (list) => list.flatMap((one) => leaf_paths(schema, one.fields ?? [], one.name));
  const options = (list) => list.map((one) => h("option", { value: one }, one));
  const kind = h("select", { id: "chart-kind", "aria-label": "what to chart", onchange: () => { offer(); write(); } },
    h("option", { value: "" }, "a singleton's value"), options(KINDS));
  const what = h("select", { id: "chart-what", "aria-label": "of what", onchange: write });
  function offer() {
    const list = kind.value === "" ? paths(schema.singletons) : kind.value === "count of" ? schema.components.map((one) => one.name) : paths(schema.components);
    what.replaceChildren(h("option", { value: "" }, kind.value === "count of" ? "a component…" : "a value…"), ...options(list));
  }
  function write() {
    if (what.value) of.value = kind.value ? `${kind.value} ${what.value}` : what.value;
  }
  offer();
  return h("div", { className: "row" }, kind, what);
}

export function charts_view(app, query) {
  let list = list_of(app, query);
  let span = SPANS[1][0];
  let cards = [];
  const grid = h("div", { id: "charts" });
  const of = h("input", { id: "chart-of", className: "mono grow", "aria-label": "what to chart, as a text", autocomplete: "off", spellcheck: false, placeholder: "mean of needs.hunger where worker" });
  const form = h("form", { className: "row", onsubmit: (event) => { event.preventDefault(); add(of.value.trim()); } }, of, h("button", { className: "main", id: "chart-add" }, "add chart"));
  const problem = h("div", { className: "bad", role: "alert", id: "problem" });
  const spans = chooser({ "aria-label": "ticks that are shown" }, (value) => { span = Number(value); refresh(); },
    SPANS.map(([ticks, words]) => h("option", { value: ticks, selected: ticks === span }, words)));

  async function add(text) {
    problem.textContent = "";
    try {
      if (list.length >= CHARTS_MAX) throw new Error(`there are already ${CHARTS_MAX} charts: remove one first`);
      await call("series", { of: text });
    } catch (error) {
      problem.textContent = error.message;
      return;
    }
    if (!list.includes(text)) list = [...list, text];
    of.value = "";
    show();
  }

  function remove(text) {
    list = list.filter((one) => one !== text);
    show();
    of.focus();
  }

  /** Makes the cards of charts that are new, and removes others. */
  function show() {
    keep(app, list);
    const known = new Map(cards.map((one) => [one.text, one]));
    cards = list.map((text) => known.get(text) ?? { text, ...chart_card(app, text, () => remove(text)) });
    grid.replaceChildren(...(cards.length > 0 ? cards.map((one) => one.node) : [h("p", { className: "soft" }, "No chart yet. Add one above, or with the link ", h("em", {}, "chart"), " beside a value of an entity or singleton.")]));
    refresh();
  }

  const refresh = () => Promise.all(cards.map((one) => one.refresh(span)));
  const words = h("p", { className: "soft" }, "A value after each tick while this page is open: ", h("code", {}, "PATH of 9:4"), ", a value of a singleton, or ",
    h("code", {}, "count of EXPRESSION"), ", ", h("code", {}, "sum of PATH where EXPRESSION"), ", and likewise mean, least and greatest.");
  show();
  return { nodes: [h("h2", {}, "Charts"), words, builder(app.schema, of), form, problem, h("div", { className: "row" }, spans), grid], refresh, every: 500 };
}
