// The schedule as a picture: a band for each phase, and lines from a system to those that wait for it.
// Turns are counted while the view is open: what systems take is a list, and the chain of systems
// that takes longest stands out in the picture.
import { h, s, spark } from "./dom.mjs";
import { act, call } from "./link.mjs";

const STEP_MAX = 200; // from one column to the next
const STEP_MIN = 136; // names are still read then; what is wider is scrolled
const GAP_MAX = 50;
const HEIGHT = 30;
const GAP_Y = 12;
const LEFT = 12;
const EVERY_MS = 1000;
const HISTORY = 61; // a minute of them

/** Gives each system the length of the longest chain of systems that it waits for. */
function levels(systems) {
  const level = systems.map(() => 0);
  systems.forEach((system, i) => {
    for (const next of system.before ?? []) level[next] = Math.max(level[next], level[i] + 1);
  });
  return level;
}

/** Finds the chain of systems of each phase that takes longest, by the time of each. */
function critical(systems, takes) {
  const sum = systems.map((_, i) => takes[i]);
  const from = systems.map(() => -1);
  systems.forEach((system, i) => {
    for (const next of system.before ?? []) {
      if (from[next] !== -1 && sum[i] + takes[next] <= sum[next]) continue;
      sum[next] = sum[i] + takes[next];
      from[next] = i;
    }
  });
  const path = new Set();
  for (const phase of new Set(systems.map((system) => system.phase))) {
    let last = -1;
    systems.forEach((system, i) => { if (system.phase === phase && (last === -1 || sum[i] > sum[last])) last = i; });
    for (; last !== -1 && sum[last] > 0; last = from[last]) path.add(last);
  }
  return path;
}

export function systems_view(app) {
  const { schema } = app;
  const picture = h("div", { className: "scroll card", id: "schedule" });
  const detail = h("div", { id: "detail" });
  const times = h("div", { className: "scroll", id: "times" });
  const said = h("p", { className: "soft", id: "measured" });
  const history = []; // what was counted, once a second
  let systems = [];
  let path = new Set();
  let shape = "";
  let selected = null;
  let drawn_width = 0; // of the picture

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
      ...[...access].map(([kind, names]) => [kind, names.join(", ")]),
      info.commands ? ["commands", "records them"] : null,
      ["before", (system.before ?? []).map((next) => systems[next].name).join(", ") || "nothing waits for it"],
    ].filter(Boolean);
    const toggle = "on" in system
      ? h("label", {}, h("input", { type: "checkbox", checked: system.on, disabled: !app.stats.writable, onchange: async (event) => { await act("switch", { system: system.name, on: event.target.checked }); refresh(); } }), " on")
      : h("span", { className: "hint" }, "no switch in the schema");
    detail.replaceChildren(h("section", { className: "card" }, h("header", {}, h("h3", {}, info.name), toggle),
      info.doc ? h("p", {}, info.doc) : null,
      h("table", {}, rows.map(([kind, words]) => h("tr", {}, h("th", {}, kind), h("td", {}, words))))));
    draw();
  }

  /** Lists how many columns each phase has, and finds how wide they may be to be seen at once. */
  function columns(level) {
    const lowest = schema.phases.map(() => Infinity);
    systems.forEach((system, i) => { lowest[system.phase] = Math.min(lowest[system.phase], level[i]); });
    const count = systems.reduce((most, system, i) => Math.max(most, level[i] - lowest[system.phase] + 1), 1);
    const step = Math.max(STEP_MIN, Math.min(STEP_MAX, (inside_width() - 2 * LEFT + GAP_MAX / 2) / count));
    return { step, gap: Math.min(GAP_MAX, step / 5) };
  }

  const inside_width = () => picture.clientWidth - parseFloat(getComputedStyle(picture).paddingLeft || 0) * 2;

  function draw() {
    drawn_width = picture.clientWidth;
    const level = levels(systems);
    const { step, gap } = columns(level);
    const box_width = step - gap;
    const place = [];
    const parts = [];
    let y = 8;
    let right = 0;
    schema.phases.forEach((phase, p) => {
      parts.push(s("text", { x: LEFT, y: y + 14, "font-weight": 600 }, phase));
      y += 24;
      const inside = systems.map((_, i) => i).filter((i) => systems[i].phase === p);
      const lowest = Math.min(...inside.map((i) => level[i]));
      const used = [];
      for (const i of inside) {
        const column = level[i] - lowest;
        const row = used[column] = (used[column] ?? -1) + 1;
        place[i] = { x: LEFT + column * step, y: y + row * (HEIGHT + GAP_Y) };
        right = Math.max(right, place[i].x + box_width);
      }
      y += Math.max(...used.map((row) => row + 1), 0) * (HEIGHT + GAP_Y) + 10;
    });
    systems.forEach((system, i) => {
      for (const next of system.before ?? []) {
        const from = place[i];
        const to = place[next];
        const x1 = from.x + box_width;
        const y1 = from.y + HEIGHT / 2;
        const y2 = to.y + HEIGHT / 2;
        const bend = Math.max(gap / 2, (to.x - x1) / 2);
        const lit = i === selected || next === selected;
        const hot = path.has(i) && path.has(next);
        parts.push(s("path", { class: `edge${hot ? " hot" : ""}${lit ? " lit" : ""}`, d: `M${x1},${y1} C${x1 + bend},${y1} ${to.x - bend},${y2} ${to.x},${y2}` }));
      }
    });
    systems.forEach((system, i) => {
      const { x, y: top } = place[i];
      const open = () => show(i);
      parts.push(s("g", {
        class: `node${system.on === false ? " off" : ""}${path.has(i) ? " hot" : ""}`, tabindex: 0, role: "button", "aria-pressed": String(i === selected), "aria-label": system.name,
        onclick: open, onkeydown: (event) => { if (event.key === "Enter") open(); },
      },
      s("title", {}, schema.systems[i].doc ?? system.name),
      s("rect", { class: "box", x, y: top, width: box_width, height: HEIGHT, rx: 6 }),
      s("text", { x: x + 10, y: top + 20 }, system.name)));
    });
    picture.replaceChildren(s("svg", { width: right + LEFT, height: y }, ...parts));
  }

  /** Returns what system i had between two looks, by tick; null where no tick has passed. */
  function between(one, other, i) {
    const ticks = other.tick - one.tick;
    if (ticks <= 0) return null;
    const had = (name) => other.systems[i][name] - one.systems[i][name];
    const turns = had("turns");
    return { us: had("ns") / 1000 / ticks, turns: turns / ticks, rows: turns ? had("rows") / turns : 0, commands: had("commands") / ticks, events: had("events") / ticks };
  }

  function draw_times(means) {
    const us = (value) => value.toFixed(2);
    const some = (value) => (value === 0 ? "0" : value.toFixed(value < 10 ? 2 : 0));
    const number = (words) => h("td", { className: "number" }, words);
    const head = ["µs a tick", "turns a tick", "rows a turn", "commands", "events"].map((words) => h("th", { className: "number" }, words));
    const steps = (i) => history.slice(1).map((look, k) => between(history[k], look, i)?.us ?? 0);
    const order = systems.map((_, i) => i).sort((a, b) => means[b].us - means[a].us);
    const focused = times.contains(document.activeElement) ? document.activeElement.dataset.system : null;
    times.replaceChildren(h("table", {}, h("tr", {}, h("th", {}, "system"), head, h("th", {}, "the last minute")),
      order.map((i) => h("tr", { className: path.has(i) ? "hot" : "" },
        h("td", {}, h("button", { className: "plain", "data-system": i, onclick: () => show(i) }, systems[i].name)),
        number(us(means[i].us)), number(some(means[i].turns)), number(some(means[i].rows)), number(some(means[i].commands)), number(some(means[i].events)),
        h("td", {}, spark(steps(i), 160, 22))))));
    if (focused !== null) times.querySelector(`[data-system="${focused}"]`)?.focus();
  }

  function measure(now, tick) {
    const last = history.at(-1);
    const anew = last && (now[0].turns === undefined || now.some((system, i) => system.turns < last.systems[i].turns) || tick < last.tick);
    if (anew) history.length = 0; // the counts began anew, or another world is there
    if (now[0]?.turns === undefined) return;
    history.push({ tick, systems: now });
    if (history.length > HISTORY) history.shift();
    const means = systems.map((_, i) => between(history[0], history.at(-1), i));
    if (!means[0]) {
      said.textContent = "No tick has passed since turns are counted.";
      times.replaceChildren();
      return;
    }
    const ticks = history.at(-1).tick - history[0].tick;
    const all = means.reduce((sum, mean) => sum + mean.us, 0);
    path = critical(systems, means.map((mean) => mean.us));
    said.textContent = `${all.toFixed(1)} µs a tick in systems, over ${ticks.toLocaleString("en")} ticks. The chains that take longest, one in each phase, stand out: no number of workers makes a phase shorter than its chain.`;
    draw_times(means);
  }

  async function refresh() {
    const [now, stats] = await Promise.all([call("systems", { count: true }), call("stats")]).catch(() => []);
    if (!now || now.length === 0) return;
    systems = now;
    const before = [...path].join();
    measure(now, stats.tick);
    const drawn = JSON.stringify(now.map(({ name, phase, before: waits, on }) => [name, phase, waits, on]));
    if (drawn === shape && before === [...path].join() && drawn_width === picture.clientWidth) return;
    if (selected === null || drawn === shape) draw();
    else show(selected);
    shape = drawn;
  }
  refresh();
  return { nodes: [h("h2", {}, "Schedule"), picture, detail, h("h2", {}, "Time"), said, times], refresh, every: EVERY_MS };
}
