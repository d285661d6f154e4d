// Systems: the schedule, the selected system, and the time of each. While the view is open, the
// turns of some ticks are counted, and the chain of systems that takes longest is highlighted in
// the picture.
import { written_later } from "./access.mjs";
import { missing } from "./cards.mjs";
import { ago, spark } from "./spark.mjs";
import { h, keep_focus, listed } from "./dom.mjs";
import { act, call } from "./link.mjs";
import { count_matching, matching_link } from "./matching.mjs";
import { critical, schedule_picture } from "./schedule.mjs";
import { search_box } from "./search.mjs";
import { copy_tools } from "./table.mjs";
import { source_row } from "./sources.mjs";
import { make_timings } from "./timings.mjs";

const EVERY_MS = 1000;
const OLD_MS = 4000; // measurements are said to be old after this time
const TIMES = ["µs a tick", "turns a tick", "rows a turn", "commands a tick", "events a tick"];
const SWITCHES = {
  saved: "by its switch in the schema, which saves have",
  unsaved: "by its switch in the schema, which no save has",
  none: "until it is on again, or the inspector closes; no save has it",
};
const OVER_TIME = "µs a tick over time";
const us_words = (us) => `${us.toFixed(2)} µs`;

/** Makes a link to something that a system accesses: entities with a component, or a singleton. */
function reached(schema, name) {
  if (schema.component.has(name)) return h("a", { href: `#/entities?where=${name}`, title: `entities with ${name}` }, name);
  return schema.singleton.has(name) ? h("a", { href: `#/singletons/${name}` }, name) : name;
}

/** Shows the schedule. `named` is a system that is opened at once. The address names the open system. */
export function systems_view(app, named) {
  const { schema } = app;
  const picture = h("div", { className: "scroll card", id: "schedule" });
  const detail = h("div", { id: "detail", onkeydown: (event) => { if (event.key === "Escape") hide(); } });
  const times = h("div", { className: "scroll", id: "times" });
  const said = h("p", { className: "soft", id: "measured" });
  const timings = (app.timings ??= make_timings());
  let systems = [];
  let path = new Set();
  let selected = null;
  let opens = schema.systems.findIndex((one) => one.name === named); // the system to open when the data arrives; -1 if none
  let shown = null; // the picture
  let drawn = ""; // the data that it was drawn from
  let time_rows = []; // by system
  let ordered = ""; // the order in which they are shown

  function show(i) {
    selected = i;
    const info = schema.systems[i];
    const system = systems[i];
    const access = new Map();
    for (const [kind, name] of info.access) access.set(kind, [...(access.get(kind) ?? []), name]);
    const matching = matching_link(schema, info);
    const later = written_later(schema, info);
    const rows = [
      matching ? ["matches", matching] : null,
      ["phase", schema.phases[info.phase]],
      info.where ? ["where", info.where] : null,
      info.every ? ["every", `${info.every} s`] : null,
      ...[...access].map(([kind, names]) => [kind, listed(names.map((name) => reached(schema, name)))]),
      info.turn ? ["turn", "the game begins and ends it"] : null,
      info.partial ? ["merges", info.partial.join(", ")] : null,
      info.commands ? ["commands", "records them"] : null,
      ["waits for", systems.filter((one) => one.before?.includes(i)).map((one) => one.name).join(", ") || "nothing"],
      system.flush ? ["flush", "what was recorded before it in its phase is applied first"] : null,
      ["before", (system.before ?? []).map((next) => systems[next].name).join(", ") || "nothing waits for it"],
      later.length > 0 ? ["written later", later.flatMap(([name, some], k) => [k > 0 ? "; " : "", name, " by ", ...listed(some.map((one) => h("a", { href: `#/systems/${one.name}` }, one.name)))])] : null,
    ].filter(Boolean);
    const toggle = h("span", { title: SWITCHES[system.switch] }, h("label", {}, h("input", { type: "checkbox", "aria-label": `${system.name} is on`, checked: system.on, disabled: !app.stats.writable, onchange: async (event) => { await act("switch", { system: system.name, on: event.target.checked }); refresh(); } }), " on"));
    const close = h("button", { "aria-label": `close ${info.name}`, onclick: hide }, "close");
    keep_focus(detail, () => detail.replaceChildren(h("section", { className: "card" },
      h("header", {}, h("h3", {}, info.name), h("span", { className: "buttons" }, toggle, close)),
      info.doc ? h("p", {}, info.doc) : null,
      system.on ? null : h("div", { className: "bad" }, `It is switched off, and has no turn: ${SWITCHES[system.switch]}.`),
      h("table", {}, source_row(info.name), rows.map(([kind, words]) => h("tr", {}, h("th", {}, kind), h("td", {}, words)))))));
    count_matching(matching);
    draw();
  }

  /** Opens a system, which was chosen in the picture or in the table, and names it in the address. */
  function open(i) {
    const in_table = times.contains(document.activeElement) ? document.activeElement : null;
    show(i);
    uncover(in_table ?? in_picture(i));
    location.hash = `#/systems/${schema.systems[i].name}`;
  }

  const in_picture = (i) => picture.querySelector(`[aria-label="${schema.systems[i].name}"]`);

  /** Scrolls until a system in the picture is above the details, or its row in the table below them. */
  function uncover(node) {
    const [at, over] = [node.getBoundingClientRect(), detail.getBoundingClientRect()];
    const is_above = detail.compareDocumentPosition(node) & Node.DOCUMENT_POSITION_PRECEDING;
    const covered = is_above ? Math.max(0, at.bottom + 8 - over.top) : Math.min(0, at.top - 8 - over.bottom);
    detail.parentElement?.scrollBy(0, covered);
  }

  /** Shows the system of an address in this view. */
  function go_to(name) {
    const wanted = schema.systems.findIndex((one) => one.name === name);
    if (systems.length === 0) opens = wanted;
    else if (wanted < 0) close();
    else if (wanted !== selected) {
      show(wanted);
      uncover(in_picture(wanted));
    }
  }

  const inside_width = () => picture.clientWidth - parseFloat(getComputedStyle(picture).paddingLeft || 0) * 2;

  /** Redraws the picture if its width or the systems have changed. */
  function draw() {
    const now = JSON.stringify([picture.clientWidth, systems.map(({ name, phase, flush, before, on }) => [name, phase, flush, before, on])]);
    if (now !== drawn) {
      drawn = now;
      shown = schedule_picture({ schema, systems, width: inside_width(), open });
      keep_focus(picture, () => picture.replaceChildren(shown.node));
    }
    const words = timings.ticks() > 0 ? systems.map((_, i) => us_words(timings.mean(i).us)) : [];
    shown.mark(selected, path, words);
  }

  function close() {
    if (selected === null) return;
    selected = null;
    detail.replaceChildren();
    draw();
  }

  function hide() {
    const node = in_picture(selected);
    location.hash = "#/systems";
    close();
    node.focus();
  }

  /** Makes the row of a system, which is kept, and the function that fills it. */
  function time_row(i) {
    const cells = TIMES.map((words) => h("td", { className: "number", "data-of": words }));
    const line = h("td", { "data-of": OVER_TIME });
    const { name } = systems[i];
    const node = h("tr", {}, h("td", {}, h("button", { className: "plain", "data-system": i, "aria-label": name, onclick: () => open(i) }, name)), cells, line);
    const some = (value) => value.toFixed(2);
    return {
      node,
      fill({ us, turns, rows, commands, events }, steps) {
        node.className = path.has(i) ? "hot" : "";
        [us.toFixed(2), ...[turns, rows, commands, events].map(some)].forEach((words, k) => { cells[k].textContent = words; });
        line.replaceChildren(spark(name, steps, timings.times(), us_words));
      },
    };
  }

  function draw_times(means) {
    const order = systems.map((_, i) => i).sort((a, b) => means[b].us - means[a].us);
    if (time_rows.length !== systems.length || times.childElementCount === 0) {
      time_rows = systems.map((_, i) => time_row(i));
      const head = [...TIMES.map((words) => h("th", { className: "number" }, words)), h("th", {}, h("span", { id: "span" }))];
      times.replaceChildren(h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "system"), head)), h("tbody", {})));
      ordered = "";
    }
    time_rows.forEach((row, i) => row.fill(means[i], timings.steps(i)));
    const all = timings.times();
    times.querySelector("#span").textContent = all.length < 2 ? OVER_TIME : `${OVER_TIME}: −${ago(all.at(-1) - all[0])} to now`;
    if (order.join() !== ordered) keep_focus(times, () => times.querySelector("tbody").replaceChildren(...order.map((i) => time_rows[i].node)));
    ordered = order.join();
    search.apply();
  }

  function show_times() {
    const one_in = timings.one_in();
    const sampled = one_in === 1 ? "" : `sampled: 1 tick in ${one_in}, and each that is stepped alone`;
    const ticks = timings.ticks();
    if (ticks === 0) {
      said.textContent = `No tick has been measured since this view was opened${sampled ? ` (${sampled})` : ""}.`;
      times.replaceChildren();
      return;
    }
    const means = systems.map((_, i) => timings.mean(i));
    const all = means.reduce((sum, mean) => sum + mean.us, 0);
    path = critical(systems, means.map((mean) => mean.us));
    const age = timings.age();
    const old = age > OLD_MS ? ` The last of them was measured ${ago(age)} ago.` : "";
    said.textContent = `${all.toFixed(1)} µs a tick in systems, over ${ticks.toLocaleString("en")} ${ticks === 1 ? "tick" : "ticks"}${sampled ? ` (${sampled})` : ""}.${old} The chains that take longest, one in each phase, two where a flush cuts it, stand out: no number of workers makes a phase shorter than its chain.`;
    draw_times(means);
  }

  async function refresh() {
    const [now, stats] = await Promise.all([call("systems", { count: true }), call("stats")]).catch(() => []);
    if (!now || now.length === 0 || !picture.isConnected) return; // another view may be open by now
    systems = now;
    timings.look(now, stats.tick);
    show_times();
    const before = drawn;
    draw();
    if (opens >= 0) go_to(schema.systems[opens].name);
    else if (selected !== null && drawn !== before) {
      show(selected);
      uncover(in_picture(selected));
    }
    opens = -1;
  }
  const search = search_box("search the systems", () => [...picture.querySelectorAll(".node"), ...times.querySelectorAll("tbody tr")],
    (node) => node.getAttribute("aria-label") ?? node.querySelector("button").textContent);
  refresh();
  const stay = (view, name) => view === "systems" && (go_to(name), true);
  const unknown = missing("system", named, new Set(schema.systems.map((one) => one.name)));
  return { stay, nodes: [h("h2", {}, "Schedule"), h("div", { className: "row" }, search.node, copy_tools(app, "times of systems", async () => timings.table(schema, TIMES))), ...unknown, picture, detail, h("h2", {}, "Time"), said, times], refresh, every: EVERY_MS };
}
