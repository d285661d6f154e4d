// The schedule as a picture: a band for each phase, and lines from a system to those that wait for it.
import { h, s } from "./dom.mjs";
import { act, call } from "./link.mjs";

const WIDTH = 150;
const HEIGHT = 30;
const GAP_X = 50;
const GAP_Y = 12;
const LEFT = 12;

/** Gives each system the length of the longest chain of systems that it waits for. */
function levels(systems) {
  const level = systems.map(() => 0);
  systems.forEach((system, i) => {
    for (const next of system.before ?? []) level[next] = Math.max(level[next], level[i] + 1);
  });
  return level;
}

export function systems_view(app) {
  const { schema } = app;
  const picture = h("div", { className: "scroll card", id: "schedule" });
  const detail = h("div", { id: "detail" });
  let systems = [];
  let selected = null;

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

  function draw() {
    const level = levels(systems);
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
        place[i] = { x: LEFT + column * (WIDTH + GAP_X), y: y + row * (HEIGHT + GAP_Y) };
        right = Math.max(right, place[i].x + WIDTH);
      }
      y += Math.max(...used.map((row) => row + 1), 0) * (HEIGHT + GAP_Y) + 10;
    });
    systems.forEach((system, i) => {
      for (const next of system.before ?? []) {
        const from = place[i];
        const to = place[next];
        const x1 = from.x + WIDTH;
        const y1 = from.y + HEIGHT / 2;
        const y2 = to.y + HEIGHT / 2;
        const bend = Math.max(GAP_X / 2, (to.x - x1) / 2);
        const lit = i === selected || next === selected;
        parts.push(s("path", { class: lit ? "edge lit" : "edge", d: `M${x1},${y1} C${x1 + bend},${y1} ${to.x - bend},${y2} ${to.x},${y2}` }));
      }
    });
    systems.forEach((system, i) => {
      const { x, y: top } = place[i];
      const open = () => show(i);
      parts.push(s("g", {
        class: system.on === false ? "node off" : "node", tabindex: 0, role: "button", "aria-pressed": String(i === selected), "aria-label": system.name,
        onclick: open, onkeydown: (event) => { if (event.key === "Enter") open(); },
      },
      s("title", {}, schema.systems[i].doc ?? system.name),
      s("rect", { class: "box", x, y: top, width: WIDTH, height: HEIGHT, rx: 6 }),
      s("text", { x: x + 10, y: top + 20 }, system.name)));
    });
    picture.replaceChildren(s("svg", { width: right + LEFT, height: y }, ...parts));
  }

  async function refresh() {
    const now = await call("systems").catch(() => null);
    if (!now || JSON.stringify(now) === JSON.stringify(systems)) return;
    systems = now;
    if (selected === null) draw();
    else show(selected);
  }
  refresh();
  return { nodes: [h("h2", {}, "Schedule"), picture, detail], refresh, every: 2000 };
}
