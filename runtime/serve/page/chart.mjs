// A chart of one series: a line over ticks as SVG, with axes, jumps, and a value under the pointer.
// No library is used, because the page must be one file that a game builds with Python and cc alone.
import { h, s } from "./dom.mjs";
import { signed } from "./sums.mjs";

const HEIGHT = 190;
const MARGIN = { top: 22, right: 14, bottom: 26, left: 64 };
const LABELS_MAX = 8; // jumps with words
const LABEL_PX = 7; // of a letter of these words, roughly
const GRID_PX = { x: 110, y: 30 }; // the least distance between two marks of an axis

/** Returns round numbers between two values, at most `most` of them. */
export function marks(low, high, most, whole) {
  const rough = (high - low || 1) / Math.max(most, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  let step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough * 0.999);
  if (whole) step = Math.max(1, Math.round(step));
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + step * 1e-9; i++) found.push(Number((i * step).toPrecision(12)));
  return found;
}

/** Returns the place of the point whose tick is the nearest. */
export function nearest(points, tick) {
  let [low, high] = [0, points.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (points[middle][0] < tick) low = middle + 1;
    else high = middle;
  }
  return low > 0 && tick - points[low - 1][0] < points[low][0] - tick ? low - 1 : low;
}

/** Describes a jump: who caused it and by how much, or only how large it is. */
export const jump_words = (jump) => (jump.writer ? `${jump.commands ? "commands of " : ""}${jump.writer} ${signed(jump.by_writer)}` : signed(jump.change));

/** Draws the line. A value holds until the next point, and a missing value is a gap. */
function line_of(points, x, y) {
  let path = "";
  let before = null;
  for (const [tick, value] of points) {
    if (value === null) before = null;
    else if (before === null) path += `M${x(tick)} ${y(before = value)}`;
    else path += `H${x(tick)}V${y(before = value)}`;
  }
  return path;
}

/** Chooses the jumps that get words: the largest that have space. */
function labelled(jumps, x) {
  const chosen = [];
  const reach = (one) => jump_words(one).length * LABEL_PX / 2 + 4;
  for (const jump of [...jumps].sort((a, b) => Math.abs(b.change) - Math.abs(a.change))) {
    if (chosen.length < LABELS_MAX && chosen.every((one) => Math.abs(x(one.to) - x(jump.to)) >= reach(one) + reach(jump))) chosen.push(jump);
  }
  return chosen;
}

/**
 * Makes a chart. `format(value)` writes a value with its unit. Returns the element, and
 * `draw(points, jumps)`: points are pairs of tick and value, in their order.
 */
export function chart_of(name, format) {
  const said = h("div", { className: "hint said", role: "status" });
  const svg = s("svg", { class: "chart", height: HEIGHT, tabindex: 0, role: "img", onpointermove: (event) => point_to(event.offsetX), onpointerleave: () => choose(null), onkeydown: key, onblur: () => choose(null) });
  const node = h("div", { className: "plot" }, svg, said);
  let shown = []; // points
  let scale = null;
  let chosen = null; // the place of the chosen point, unless the last one is shown
  let cursor = null;

  function choose(place) {
    chosen = place === null || shown.length === 0 ? null : Math.min(Math.max(place, 0), shown.length - 1);
    mark();
  }

  function point_to(at) {
    if (scale && shown.length > 0) choose(nearest(shown, scale.tick(at)));
  }

  function key(event) {
    const steps = { ArrowLeft: -1, ArrowRight: 1, PageUp: -20, PageDown: 20 }[event.key];
    const end = { Home: 0, End: shown.length - 1 }[event.key];
    if (steps === undefined && end === undefined) return;
    event.preventDefault();
    choose(end ?? (chosen ?? shown.length - 1) + steps);
  }

  /** Marks the chosen point, and writes its tick and value. */
  function mark() {
    cursor?.remove();
    cursor = null;
    const point = shown[chosen ?? shown.length - 1];
    if (!point || !scale) {
      said.textContent = "";
      return;
    }
    said.textContent = `tick ${point[0].toLocaleString("en")}: ${point[1] === null ? "no value" : format(point[1])}`;
    if (chosen === null) return;
    cursor = s("g", { class: "cursor" }, s("line", { x1: scale.x(point[0]), x2: scale.x(point[0]), y1: MARGIN.top, y2: HEIGHT - MARGIN.bottom }));
    if (point[1] !== null) cursor.append(s("circle", { cx: scale.x(point[0]), cy: scale.y(point[1]), r: 4 }));
    svg.append(cursor);
  }

  function scales(points, width) {
    const values = points.map(([, value]) => value).filter((value) => value !== null);
    let [low, high] = values.length > 0 ? [values.reduce((a, b) => Math.min(a, b)), values.reduce((a, b) => Math.max(a, b))] : [0, 1];
    if (low === high) [low, high] = [low - Math.max(Math.abs(low) * 0.05, 1), high + Math.max(Math.abs(high) * 0.05, 1)];
    const [first, last] = [points[0][0], Math.max(points.at(-1)[0], points[0][0] + 1)];
    const [inner, tall] = [Math.max(width - MARGIN.left - MARGIN.right, 10), HEIGHT - MARGIN.top - MARGIN.bottom];
    const round = (value) => Number(value.toFixed(1));
    return {
      low, high, first, last, inner, tall,
      x: (tick) => round(MARGIN.left + (tick - first) / (last - first) * inner),
      y: (value) => round(MARGIN.top + (high - value) / (high - low) * tall),
      tick: (at) => first + (at - MARGIN.left) / inner * (last - first),
    };
  }

  function axes({ low, high, first, last, inner, tall, x, y }, width) {
    const rows = marks(low, high, Math.floor(tall / GRID_PX.y), false).map((value) => s("g", {},
      s("line", { class: "grid", x1: MARGIN.left, x2: width - MARGIN.right, y1: y(value), y2: y(value) }),
      s("text", { x: MARGIN.left - 6, y: y(value) + 4, "text-anchor": "end" }, format(value, true))));
    const columns = marks(first, last, Math.floor(inner / GRID_PX.x), true).map((tick) => s("g", {},
      s("line", { class: "grid", x1: x(tick), x2: x(tick), y1: HEIGHT - MARGIN.bottom, y2: HEIGHT - MARGIN.bottom + 5 }),
      s("text", { x: x(tick), y: HEIGHT - 8, "text-anchor": "middle" }, tick.toLocaleString("en"))));
    return [...rows, ...columns, s("text", { x: 4, y: HEIGHT - 8 }, "tick")];
  }

  function jump_marks(jumps, points, { x, y, inner }) {
    const named = new Set(labelled(jumps, x));
    return jumps.flatMap((jump) => {
      const point = points[nearest(points, jump.to)];
      if (!point || point[0] !== jump.to || point[1] === null) return [];
      const [left, top] = [x(jump.to), y(point[1])];
      const place = { x: Math.min(Math.max(left, MARGIN.left + 30), MARGIN.left + inner - 30), y: top > MARGIN.top + 10 && jump.change > 0 ? top - 8 : top > HEIGHT - MARGIN.bottom - 20 ? top - 10 : top + 17, "text-anchor": "middle", class: "jump" };
      return [s("circle", { class: "jump", cx: left, cy: top, r: 3.5 }), ...(named.has(jump) ? [s("text", place, jump_words(jump))] : [])];
    });
  }

  function draw(points, jumps) {
    const width = node.clientWidth || 600;
    const tick = chosen === null ? null : shown[chosen]?.[0];
    shown = points;
    svg.setAttribute("width", width);
    svg.setAttribute("aria-label", points.length === 0 ? `chart of ${name}: no points yet`
      : `chart of ${name} from tick ${points[0][0]} to ${points.at(-1)[0]}, now ${points.at(-1)[1] === null ? "no value" : format(points.at(-1)[1])}; arrows move along it`);
    scale = points.length > 0 ? scales(points, width) : null;
    svg.replaceChildren(...(scale ? [...axes(scale, width), s("path", { class: "line", d: line_of(points, scale.x, scale.y) }), ...jump_marks(jumps, points, scale)] : []));
    choose(tick === null || tick === undefined || points.length === 0 ? null : nearest(points, tick));
  }
  return { node, draw };
}
