// Systems: the schedule, the selected system, and the time of each. While the view is open, the
// turns of some ticks are counted, and the chain of systems that takes longest is highlighted in
// the picture.
import { h, keep_focus, listed, spark } from "./dom.mjs";
import { act, call } from "./link.mjs";
import { critical, schedule_picture } from "./schedule.mjs";

const EVERY_MS = 1000;
const HISTORY_MS = 60000;
const TIMES = ["µs a tick", "turns a tick", "rows a turn", "commands a tick", "events a tick"];
const SWITCHES = {
  saved: "by its switch in the schema, which saves have",
  unsaved: "by its switch in the schema, which no save has",
  none: "until it is on again, or the inspector closes; no save has it",
};
const MINUTE = "the last minute";

/** Makes a link to something that a system accesses: entities with a component, or a singleton. */
function reached(schema, name) {
  if (schema.component.has(name)) return h("a", { href: `#/entities?where=${name}`, title: `entities with ${name}` }, name);
  return schema.singleton.has(name) ? h("a", { href: `#/singletons/${name}` }, name) : name;
}

/** Shows the schedule. `named` is a system that is opened at once. */
export function systems_view(app, named) {
  const { schema } = app;
  const picture = h("div", { className: "scroll card", id: "schedule" });
  const detail = h("div", { id: "detail", onkeydown: (event) => { if (event.key === "Escape") hide(); } });
  const times = h("div", { className: "scroll", id: "times" });
  const said = h("p", { className: "soft", id: "measured" });
  const history = []; // the counts, each time that they changed
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
    const rows = [
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
    ].filter(Boolean);
    const toggle = h("span", { title: SWITCHES[system.switch] }, h("label", {}, h("input", { type: "checkbox", "aria-label": `${system.name} is on`, checked: system.on, disabled: !app.stats.writable, onchange: async (event) => { await act("switch", { system: system.name, on: event.target.checked }); refresh(); } }), " on"));
    const close = h("button", { "aria-label": `close ${info.name}`, onclick: hide }, "close");
    keep_focus(detail, () => detail.replaceChildren(h("section", { className: "card" },
      h("header", {}, h("h3", {}, info.name), h("span", { className: "buttons" }, toggle, close)),
      info.doc ? h("p", {}, info.doc) : null,
      system.on ? null : h("div", { className: "bad" }, `It is switched off, and has no turn: ${SWITCHES[system.switch]}.`),
      h("table", {}, rows.map(([kind, words]) => h("tr", {}, h("th", {}, kind), h("td", {}, words)))))));
    draw();
    uncover(picture.querySelector(`[aria-label="${info.name}"]`));
  }

  /** Scrolls until a system in the picture is not covered by its details. */
  function uncover(node) {
    const covered = node.getBoundingClientRect().bottom + 8 - detail.getBoundingClientRect().top;
    if (covered > 0) detail.parentElement?.scrollBy(0, covered);
  }

  const inside_width = () => picture.clientWidth - parseFloat(getComputedStyle(picture).paddingLeft || 0) * 2;

  /** Redraws the picture if its width or the systems have changed. */
  function draw() {
    const now = JSON.stringify([picture.clientWidth, systems.map(({ name, phase, flush, before, on }) => [name, phase, flush, before, on])]);
    if (now !== drawn) {
      drawn = now;
      shown = schedule_picture({ schema, systems, width: inside_width(), open: show });
      keep_focus(picture, () => picture.replaceChildren(shown.node));
    }
    shown.mark(selected, path);
  }

  function hide() {
    const { name } = systems[selected];
    selected = null;
    detail.replaceChildren();
    draw();
    picture.querySelector(`[aria-label="${name}"]`).focus();
  }

  /** Returns the counts of system i between two looks, per measured tick; null if no tick was measured. */
  function between(one, other, i) {
    const ticks = other.systems[i].ticks - one.systems[i].ticks;
    if (ticks <= 0) return null;
    const had = (name) => other.systems[i][name] - one.systems[i][name];
    const turns = had("turns");
    return { us: had("ns") / 1000 / ticks, turns: turns / ticks, rows: turns ? had("rows") / turns : 0, commands: had("commands") / ticks, events: had("events") / ticks };
  }

  /** Makes the row of a system, which is kept, and the function that fills it. */
  function time_row(i) {
    const cells = TIMES.map((words) => h("td", { className: "number", "data-of": words }));
    const line = h("td", { "data-of": MINUTE });
    const { name } = systems[i];
    const node = h("tr", {}, h("td", {}, h("button", { className: "plain", "data-system": i, "aria-label": name, onclick: () => show(i) }, name)), cells, line);
    const some = (value) => (value === 0 ? "0" : value.toFixed(value < 10 ? 2 : 0));
    return {
      node,
      fill({ us, turns, rows, commands, events }, steps) {
        node.className = path.has(i) ? "hot" : "";
        [us.toFixed(2), ...[turns, rows, commands, events].map(some)].forEach((words, k) => { cells[k].textContent = words; });
        line.replaceChildren(spark(steps, 160, 22, history.slice(1).map((look) => look.at)));
      },
    };
  }

  function draw_times(means) {
    const steps = (i) => history.slice(1).map((look, k) => between(history[k], look, i)?.us ?? 0);
    const order = systems.map((_, i) => i).sort((a, b) => means[b].us - means[a].us);
    if (time_rows.length !== systems.length || times.childElementCount === 0) {
      time_rows = systems.map((_, i) => time_row(i));
      const head = [...TIMES.map((words) => h("th", { className: "number" }, words)), h("th", {}, MINUTE)];
      times.replaceChildren(h("table", {}, h("thead", {}, h("tr", {}, h("th", {}, "system"), head)), h("tbody", {})));
      ordered = "";
    }
    time_rows.forEach((row, i) => row.fill(means[i], steps(i)));
    if (order.join() === ordered) return;
    ordered = order.join();
    keep_focus(times, () => times.querySelector("tbody").replaceChildren(...order.map((i) => time_rows[i].node)));
  }

  function measure(now, tick) {
    const last = history.at(-1);
    if (now[0]?.turns === undefined) return;
    const anew = last && (now.some((system, i) => system.turns < last.systems[i].turns) || tick < last.tick);
    if (anew) history.length = 0; // the counts were reset, or this is another world
    const at = performance.now();
    if (anew || !last || now[0].ticks !== last.systems[0].ticks) history.push({ tick, at, systems: now });
    while (history.length > 2 && history[1].at < at - HISTORY_MS) history.shift();
    const { one_in } = now[0];
    const sampled = one_in === 1 ? "" : `sampled: 1 tick in ${one_in}, and each that is stepped alone`;
    const means = systems.map((_, i) => between(history[0], history.at(-1), i));
    if (!means[0]) {
      said.textContent = `No tick has been measured since this view was opened${sampled ? ` (${sampled})` : ""}.`;
      times.replaceChildren();
      return;
    }
    const ticks = history.at(-1).systems[0].ticks - history[0].systems[0].ticks;
    const all = means.reduce((sum, mean) => sum + mean.us, 0);
    path = critical(systems, means.map((mean) => mean.us));
    said.textContent = `${all.toFixed(1)} µs a tick in systems, over ${ticks.toLocaleString("en")} ${ticks === 1 ? "tick" : "ticks"}${sampled ? ` (${sampled})` : ""}. The chains that take longest, one in each phase, two where a flush cuts it, stand out: no number of workers makes a phase shorter than its chain.`;
    draw_times(means);
  }

  async function refresh() {
    const [now, stats] = await Promise.all([call("systems", { count: true }), call("stats")]).catch(() => []);
    if (!now || now.length === 0 || !picture.isConnected) return; // another view may be open by now
    systems = now;
    measure(now, stats.tick);
    const before = drawn;
    draw();
    if (opens >= 0) show(opens);
    else if (selected !== null && drawn !== before) show(selected);
    opens = -1;
  }
  refresh();
  return { nodes: [h("h2", {}, "Schedule"), picture, detail, h("h2", {}, "Time"), said, times], refresh, every: EVERY_MS };
}
