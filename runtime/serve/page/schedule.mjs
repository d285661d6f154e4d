// The schedule as a picture: the systems of each phase, and lines from each system to the systems
// that wait for it. If all columns fit, systems are to the right of those they wait for. If not,
// for example on a phone, systems are rows, and the lines are at their left. No line crosses a
// system. A broken line is a flush: all systems after it wait for all before it.
import { s } from "./dom.mjs";

const STEP_MAX = 200; // from one column to the next
const STEP_MIN = 136; // names are still readable
const GAP_MAX = 50;
const HEIGHT = 40; // a name, and a time below it
const GAP_Y = 12;
const LINE_GAP = 3; // between lines in the same gap between rows
const LEFT = 12;
const HEADING = 24;
const PHASE_GAP = 10;
const ROW = 44; // large enough for a finger
const ROW_WIDTH_MAX = 420;
const ROW_GAP = 8;
const BEND_MIN = 14; // distance of a line from the rows, between neighbours
const BEND_MAX = 60; // a line stays within three quarters of it

/** Gives each system its level: the length of the longest chain of systems in its phase that it waits for. */
function levels(systems) {
  const level = systems.map(() => 0);
  let [lowest, highest] = [0, 0]; // since the last flush, and in the phase
  systems.forEach((system, i) => {
    if (system.phase !== systems[i - 1]?.phase) [lowest, highest] = [0, 0];
    if (system.flush) lowest = highest + 1;
    level[i] = Math.max(level[i], lowest);
    highest = Math.max(highest, level[i]);
    for (const next of system.before ?? []) level[next] = Math.max(level[next], level[i] + 1);
  });
  return level;
}

/**
 * Finds the chain of systems that takes longest, by the time of each system: one in each phase, or
 * one between two flushes.
 */
export function critical(systems, takes) {
  const sum = systems.map((_, i) => takes[i]);
  const from = systems.map(() => -1);
  systems.forEach((system, i) => {
    for (const next of system.before ?? []) {
      if (from[next] !== -1 && sum[i] + takes[next] <= sum[next]) continue;
      sum[next] = sum[i] + takes[next];
      from[next] = i;
    }
  });
  const longest = []; // the last system of each of these chains
  systems.forEach((system, i) => {
    if (system.flush || system.phase !== systems[i - 1]?.phase) longest.push(i);
    else if (sum[i] > sum[longest.at(-1)]) longest[longest.length - 1] = i;
  });
  const path = new Set();
  for (let last of longest) for (; last !== -1 && sum[last] > 0; last = from[last]) path.add(last);
  return path;
}

/** Lists the systems of each phase. */
function by_phase(phases, systems) {
  const inside = phases.map(() => []);
  systems.forEach((system, i) => inside[system.phase].push(i));
  return inside;
}

/** Places systems in columns. Returns null if they do not fit. */
function in_columns(inside, systems, width) {
  const column = levels(systems);
  const count = Math.max(1, ...column.map((one) => one + 1));
  const step = Math.min(STEP_MAX, (width - 2 * LEFT + GAP_MAX / 2) / count);
  if (step < STEP_MIN) return null;
  const gap = Math.min(GAP_MAX, step / 5);
  const box = { width: step - gap, height: HEIGHT };
  const place = [];
  const headings = [];
  const flushes = [];
  let y = 8;
  for (const some of inside) {
    const rows = []; // number of rows in each column
    headings.push(y + 14);
    y += HEADING;
    const top = y;
    for (const i of some) {
      const row = rows[column[i]] ?? 0;
      rows[column[i]] = row + 1;
      place[i] = { x: LEFT + column[i] * step, y: y + row * (HEIGHT + GAP_Y), column: column[i], row, rows };
    }
    y += Math.max(...rows, 0) * (HEIGHT + GAP_Y) + PHASE_GAP;
    for (const i of some.filter((one) => systems[one].flush)) {
      const x = place[i].x - gap / 2;
      flushes.push({ x1: x, x2: x, y1: top - GAP_Y / 2, y2: y - PHASE_GAP - GAP_Y / 2 });
    }
  }
  const middle = (at) => at.y + HEIGHT / 2;
  const turn = (x, from, to) => `C${x + gap / 2},${from} ${x + gap / 2},${to} ${x + gap},${to}`;
  /**
   * Finds the height at which a line passes the columns between two systems: in a row that is free
   * there, or between two rows.
   */
  const passes = (from, to) => {
    const free = Math.max(...from.rows.slice(from.column + 1, to.column));
    if (from.row >= free) return middle(from);
    if (to.row >= free) return middle(to);
    const side = to.row < from.row ? -1 : 1;
    return middle(from) + side * (HEIGHT + GAP_Y) / 2 + (from.column % 3 - 1) * LINE_GAP;
  };
  const line = (from, to) => {
    const x = from.x + box.width;
    if (to.column === from.column + 1) return `M${x},${middle(from)} ${turn(x, middle(from), middle(to))}`;
    const y_between = passes(from, to);
    return `M${x},${middle(from)} ${turn(x, middle(from), y_between)} H${to.x - gap} ${turn(to.x - gap, y_between, middle(to))}`;
  };
  return { place, headings, flushes, box, line, left: LEFT, width: Math.max(...place.map((at) => at.x)) + box.width + LEFT, height: y };
}

/** Places systems one below the other. */
function in_rows(inside, systems, width) {
  const row = []; // of each system in its phase
  inside.forEach((some) => some.forEach((i, k) => { row[i] = k; }));
  const far = Math.max(1, ...systems.flatMap((system, i) => (system.before ?? []).map((next) => Math.abs(row[next] - row[i]))));
  const x = BEND_MAX;
  const box = { width: Math.min(width - x - 1, ROW_WIDTH_MAX), height: ROW };
  const place = [];
  const headings = [];
  const flushes = [];
  let y = 0;
  for (const some of inside) {
    headings.push(y + 14);
    y += HEADING;
    for (const i of some) {
      if (systems[i].flush) flushes.push({ x1: x, x2: width, y1: y - ROW_GAP / 2, y2: y - ROW_GAP / 2 });
      place[i] = { x, y, row: row[i] };
      y += ROW + ROW_GAP;
    }
    y += PHASE_GAP;
  }
  const line = (from, to) => {
    const [y1, y2] = [from.y + ROW * 0.7, to.y + ROW * 0.3];
    const bend = BEND_MIN + (BEND_MAX - BEND_MIN) * Math.abs(to.row - from.row) / far;
    return `M${x},${y1} C${x - bend},${y1} ${x - bend},${y2} ${x},${y2} m-6,-4 l6,4 l-6,4`;
  };
  return { place, headings, flushes, box, line, left: 0, width, height: y };
}

function set_class(node, name, on) {
  if (node.classList.contains(name) !== on) node.classList.toggle(name, on);
}

/**
 * Draws the schedule, at most `width` wide; `open(i)` selects a system. Returns the element, and
 * `mark(selected, path, times)`, which highlights the selected system and the systems of a path,
 * and writes the times into the boxes. It keeps all elements, so that the focus and clicks are not
 * lost.
 */
export function schedule_picture({ schema, systems, width, open }) {
  const inside = by_phase(schema.phases, systems);
  const plan = in_columns(inside, systems, width) ?? in_rows(inside, systems, width);
  const { place, box } = plan;
  const headings = schema.phases.map((phase, p) => s("text", { x: plan.left, y: plan.headings[p], "font-weight": 600 }, phase));
  const flushes = plan.flushes.map((ends) => s("line", { class: "flush", ...ends }, s("title", {}, "commands are applied")));
  const edges = systems.flatMap((system, i) => (system.before ?? []).map((next) => (
    { from: i, to: next, node: s("path", { class: "edge", d: plan.line(place[i], place[next]) }) })));
  const nodes = systems.map((system, i) => {
    const { x, y } = place[i];
    const on_key = (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      event.stopPropagation(); // otherwise space pauses the game
      open(i);
    };
    return s("g", { class: `node${system.on === false ? " off" : ""}`, tabindex: 0, role: "button", "aria-label": system.name, onclick: () => open(i), onkeydown: on_key },
      s("title", {}, schema.systems[i].doc ?? system.name),
      s("rect", { class: "box", x, y, width: box.width, height: box.height, rx: 6 }),
      s("text", { x: x + 10, y: y + box.height / 2 - 2 }, system.name), s("text", { class: "takes", x: x + 10, y: y + box.height / 2 + 13 }, ""));
  });
  function mark(selected, path, times) {
    nodes.forEach((node, i) => {
      node.lastChild.textContent = times[i] ?? "";
      set_class(node, "hot", path.has(i));
      node.setAttribute("aria-pressed", String(i === selected));
    });
    for (const { from, to, node } of edges) {
      set_class(node, "hot", path.has(from) && path.has(to));
      set_class(node, "lit", from === selected || to === selected);
    }
  }
  const node = s("svg", { width: plan.width, height: plan.height }, ...headings, ...flushes, ...edges.map((edge) => edge.node), ...nodes);
  return { node, mark };
}
