// Colours of values on the map, and their legend. Both palettes can be told apart by people who are
// colour-blind: names differ in lightness too, and a scale becomes steadily darker or lighter.
import { h } from "./dom.mjs";

const NAMED = {
  light: ["#0072b2", "#d55e00", "#00795a", "#b8508f", "#8a6d00", "#3f8fc4", "#5b3a8c", "#6b2d16"],
  dark: ["#56b4e9", "#e69f00", "#2fbf93", "#e79ac6", "#f0e442", "#ff7a3d", "#b9a5ea", "#dcdcdc"],
};
const SCALE = { light: ["#d9962a", "#c2571a", "#7a1f4e", "#2b0b47"], dark: ["#6f63c9", "#c2528f", "#f0803c", "#fce96a"] };
const MISSING = { light: "#8b8f96", dark: "#70757f" };
const STEPS = 64; // colours of a scale

const channels = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

/** Returns the colour at a share of a scale, as red, green and blue. */
function on_scale(stops, share) {
  const at = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const from = Math.min(Math.floor(at), stops.length - 2);
  const [low, high] = [channels(stops[from]), channels(stops[from + 1])];
  return low.map((one, i) => Math.round(one + (high[i] - one) * (at - from)));
}

/** Lists the names of the values that get one colour each; null for a number or a single colour. */
export function named_values(schema, path, field) {
  if (schema.component.has(path)) return [`without ${path}`, path];
  if (field?.kind === "bool") return ["false", "true"];
  return field?.kind === "enum" ? schema.enum.get(field.type).values : null;
}

/**
 * Chooses colours for values: `names` as above, or numbers from `low` to `high`. Returns the
 * `colours`, each as red, green and blue, of which the last is for missing values, and `place(value)`,
 * which returns the place of the colour of a value.
 */
export function colours_for({ names, low, high, single, dark }) {
  const kind = dark ? "dark" : "light";
  const missing = channels(MISSING[kind]);
  const own = NAMED[kind].map(channels);
  if (single) return { colours: [own[0], missing], place: () => 0 };
  if (names) return { colours: [...own, missing], place: (value) => (Number.isNaN(value) ? own.length : value % own.length) };
  const colours = Array.from({ length: STEPS }, (_, i) => on_scale(SCALE[kind], i / (STEPS - 1)));
  const place = (value) => (Number.isNaN(value) ? STEPS : Math.min(Math.max(Math.round((value - low) / (high - low || 1) * (STEPS - 1)), 0), STEPS - 1));
  return { colours: [...colours, missing], place };
}

/** Makes the legend of these colours. `words(value)` writes a number, and `lacks` is whether some dots have no value. */
export function legend_of({ names, low, high, single, dark, lacks }, words) {
  const { colours } = colours_for({ names, low, high, single, dark });
  const css = (colour) => `rgb(${colour.join(" ")})`;
  const swatch = (colour, label) => {
    const patch = h("span", { className: "swatch" });
    patch.style.background = css(colour);
    return h("span", { className: "named" }, patch, label);
  };
  if (single) return [];
  const without = lacks ? [swatch(colours.at(-1), "no value")] : [];
  if (names) return [...names.map((name, i) => swatch(colours[i % (colours.length - 1)], name)), ...without];
  const bar = h("span", { className: "scale" });
  bar.style.background = `linear-gradient(to right, ${colours.slice(0, -1).map(css).join(", ")})`;
  return [h("span", { className: "named" }, words(low), bar, words(high)), ...without];
}
