// Numbers over time as small pictures with their axes.
import { h, s } from "./dom.mjs";

const LETTER = 6.2; // width of a letter of a label
const LINE = 13; // height of a label

/** Describes a time before now. */
export function ago(milliseconds) {
  const seconds = Math.max(0, milliseconds) / 1000;
  return seconds < 10 ? `${seconds.toFixed(1)} s` : seconds < 120 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`;
}

/** Makes the line of values at their times, from `low` to `high`, in a box. */
function line_of(values, times, low, high, box) {
  const x = (time) => box.x + (time - times[0]) / (times.at(-1) - times[0] || 1) * box.width;
  const y = (value) => box.y + box.height - ((value - low) / (high - low || 1)) * box.height;
  return s("polyline", { class: "spark", points: values.map((value, i) => `${x(times[i]).toFixed(1)},${y(value).toFixed(1)}`).join(" ") });
}

/**
 * Draws values over time with labels of the least and greatest value and of the span of time.
 * `words(value)` formats a value. With fewer than two values it returns a text instead.
 */
export function small_chart(name, values, times, words, { width = 240, height = 40 } = {}) {
  if (values.length < 2) return h("span", { className: "soft" }, "too few measurements for a chart");
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const labels = [words(high), words(low)];
  const left = Math.ceil(Math.max(...labels.map((label) => label.length)) * LETTER) + 8;
  const box = { x: left, y: 5, width, height };
  const since = ago(times.at(-1) - times[0]);
  const label = (x, y, anchor, text) => s("text", { class: "axis", x, y, "text-anchor": anchor }, text);
  const bottom = box.y + height;
  return s("svg", { class: "measured", width: left + width + 4, height: bottom + LINE + 3, role: "img", "aria-label": `${name} over the last ${since}: ${labels[1]} to ${labels[0]}` },
    s("path", { class: "axis", d: `M${left - 3},${box.y} H${left} V${bottom} H${left - 3} M${left},${bottom} H${left + width}` }),
    line_of(values, times, low, high, box),
    label(left - 5, box.y + 5, "end", labels[0]), ...(high > low ? [label(left - 5, bottom + 3, "end", labels[1])] : []),
    label(left, bottom + LINE, "start", `−${since}`), label(left + width, bottom + LINE, "end", "now"));
}

/** Draws values over time in a row of a table, from 0 to the greatest, which stands beside it. */
export function spark(name, values, times, words, { width = 120, height = 20 } = {}) {
  if (values.length < 2) return h("span", { className: "soft" }, "–");
  const high = Math.max(...values);
  const box = { x: 1, y: 2, width: width - 2, height: height - 4 };
  return h("span", { className: "sparks" },
    s("svg", { width, height, role: "img", "aria-label": `${name} over the last ${ago(times.at(-1) - times[0])}: 0 to ${words(high)}` },
      s("path", { class: "axis", d: `M1,${height - 2} H${width - 1}` }), line_of(values, times, 0, high || 1, box)),
    h("span", { className: "hint" }, `0 to ${words(high)}`));
}
