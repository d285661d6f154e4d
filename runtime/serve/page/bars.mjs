// A picture of zones over time: a row for each thread, and a bar for each zone. It can be zoomed and
// moved by wheel, buttons, drag and keys.
import { h, s } from "./dom.mjs";
import { marks } from "./chart.mjs";

const LANE = 22;
const ROW_GAP = 10;
const LEFT = 74;
const AXIS = 26;
const LETTER = 7; // width of a letter of a name, roughly
const SPAN_MIN = 200; // ns
const STEP = 1.6; // of a zoom by a button or key
const DRAG_PX = 4; // a shorter move is a click
const HUES = [210, 145, 35, 275, 5, 180, 320, 95, 55, 245];

/** Writes a time with a readable unit. */
export function time_words(ns) {
  if (Math.abs(ns) < 1000) return `${Math.round(ns)} ns`;
  return Math.abs(ns) < 1e6 ? `${(ns / 1000).toFixed(2)} µs` : `${(ns / 1e6).toFixed(3)} ms`;
}

/** Describes a zone in one line. */
export function zone_words(zone, origin) {
  const what = zone.kind === "part" ? `${zone.name}, part ${zone.part}` : zone.kind === "apply" ? "flush: commands are applied" : `${zone.kind} ${zone.name}`;
  const rows = zone.kind === "system" ? `, ${zone.rows.toLocaleString("en")} rows` : "";
  return `${what}: ${time_words(zone.end - zone.start)}, ${time_words(zone.start - origin)} after the begin${rows}, thread ${zone.thread}, tick ${zone.tick.toLocaleString("en")}${zone.phase && zone.kind !== "phase" ? `, in phase ${zone.phase}` : ""}`;
}

/** Makes the picture of the rows of zones.mjs. `open(name)` is called for a click on a system. */
export function bars_of(phases, open) {
  const svg = s("svg", { class: "bars", tabindex: 0, role: "img" });
  const node = h("div", { className: "plot card" }, svg);
  let rows = [];
  let [first, last] = [0, 1]; // of all zones
  let [from, to] = [0, 1]; // shown
  let drag = null;
  let moved = false;

  const inner = () => Math.max(svg.clientWidth - LEFT - 8, 50);
  const x = (ns) => LEFT + (ns - from) / (to - from) * inner();

  /** Shows a range of time, as far as it is in that of all zones. */
  function look(start, span) {
    const wide = Math.min(Math.max(span, SPAN_MIN), last - first);
    from = Math.min(Math.max(start, first), last - wide);
    to = from + wide;
    draw();
  }

  /** Changes the scale, and keeps the time at a place, which is a share of the width. */
  function zoom(by, at = 0.5) {
    const span = Math.min(Math.max((to - from) / by, SPAN_MIN), last - first);
    look(from + (to - from - span) * at, span);
  }

  const move = (share) => look(from + (to - from) * share, to - from);
  const all = () => look(first, last - first);

  function bar(zone, top) {
    const left = Math.max(x(zone.start), LEFT);
    const width = Math.max(Math.min(x(zone.end), LEFT + inner()) - left, 1);
    const name = zone.kind === "apply" ? "flush" : zone.name;
    const label = zone.kind === "part" ? `${name} ${zone.part}` : name;
    const letters = Math.floor((width - 6) / LETTER);
    const made = s("g", { class: `zone ${zone.kind}`, "data-name": name },
      s("title", {}, zone_words(zone, first)), s("rect", { x: left.toFixed(1), y: top, width: width.toFixed(1), height: LANE - 2, rx: width > 6 ? 3 : 0 }),
      ...(letters > 2 ? [s("text", { x: (left + 4).toFixed(1), y: top + 14 }, label.length > letters ? `${label.slice(0, letters - 1)}…` : label)] : []));
    const phase = phases.indexOf(zone.phase);
    if (phase >= 0) made.style.setProperty("--hue", HUES[phase % HUES.length]);
    if (zone.kind === "system" || zone.kind === "part") made.addEventListener("click", () => { if (!moved) open(zone.name); });
    return made;
  }

  /** Draws the bars of a row. Of several bars in one pixel, only the first is drawn, and all phases. */
  function row_of(row, top) {
    const ends = []; // the pixel at which the last bar of each lane ends
    const inside = [];
    for (const zone of row.bars) {
      if (zone.end < from || zone.start > to) continue;
      const right = Math.max(x(zone.end), x(zone.start) + 1);
      if (zone.kind !== "phase" && right < (ends[zone.lane] ?? 0) + 0.7) continue;
      ends[zone.lane] = right;
      inside.push(bar(zone, top + zone.lane * LANE));
    }
    return s("g", { class: "thread", "data-thread": row.thread }, s("text", { class: "axis", x: 4, y: top + 14 }, `thread ${row.thread}`), ...inside);
  }

  function draw() {
    if (svg.clientWidth === 0) return;
    let top = AXIS;
    const drawn = rows.map((row) => {
      const made = row_of(row, top);
      top += row.lanes * LANE + ROW_GAP;
      return made;
    });
    svg.setAttribute("height", top);
    svg.setAttribute("aria-label", `timeline of ${rows.length} threads: ${time_words(from - first)} to ${time_words(to - first)} of ${time_words(last - first)} are shown; + and - zoom, arrows move`);
    const axis = marks(from - first, to - first, Math.floor(inner() / 110), true).map((ns) => s("g", {},
      s("line", { class: "grid", x1: x(first + ns), x2: x(first + ns), y1: 18, y2: top }), s("text", { class: "axis", x: x(first + ns), y: 12, "text-anchor": "middle" }, time_words(ns))));
    svg.replaceChildren(...axis, ...drawn);
  }

  function key(event) {
    const does = { "+": () => zoom(STEP), "=": () => zoom(STEP), "-": () => zoom(1 / STEP), ArrowLeft: () => move(-0.2), ArrowRight: () => move(0.2), Home: all }[event.key];
    if (!does || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    does();
  }

  svg.addEventListener("keydown", key);
  svg.addEventListener("wheel", (event) => {
    if (event.deltaY === 0) return;
    event.preventDefault();
    const place = (event.clientX - svg.getBoundingClientRect().left - LEFT) / inner();
    zoom(event.deltaY < 0 ? STEP : 1 / STEP, Math.min(Math.max(place, 0), 1));
  });
  svg.addEventListener("pointerdown", (event) => {
    moved = false;
    drag = { at: event.clientX, from };
  });
  svg.addEventListener("pointermove", (event) => {
    if (!drag || event.buttons === 0) return;
    if (Math.abs(event.clientX - drag.at) > DRAG_PX) moved = true;
    if (moved) look(drag.from - (event.clientX - drag.at) / inner() * (to - from), to - from);
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) svg.addEventListener(end, () => { drag = null; });
  new ResizeObserver(draw).observe(node);

  /** Shows other rows, as a whole. */
  function show(given) {
    rows = given;
    first = rows.reduce((low, row) => row.bars.reduce((a, one) => Math.min(a, one.start), low), Infinity);
    last = rows.reduce((high, row) => row.bars.reduce((a, one) => Math.max(a, one.end), high), first + SPAN_MIN);
    all();
  }
  const buttons = h("span", { className: "buttons" }, h("button", { "aria-label": "zoom in", onclick: () => zoom(STEP) }, "+"), h("button", { "aria-label": "zoom out", onclick: () => zoom(1 / STEP) }, "−"),
    h("button", { "aria-label": "earlier", onclick: () => move(-0.5) }, "←"), h("button", { "aria-label": "later", onclick: () => move(0.5) }, "→"), h("button", { onclick: all }, "whole"));
  return { node, buttons, show };
}
