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

const SHOWN = 10; // names of a legend that is not folded
const MOST = 64; // names with colours of their own; further names repeat them
const HUE_STEP = 10; // degrees between colours that are chosen from
const LIGHTNESS = [20, 28, 36, 44, 52, 60, 68, 76, 84]; // percent
const LUMINANCE = { light: [0, 0.3], dark: [0.12, 1] }; // of colours with a contrast of about 3 to the ground

const channels = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

/** Converts a hue, and a saturation and lightness in percent, to red, green and blue. */
function from_hue(hue, saturation, lightness) {
  const reach = saturation / 100 * Math.min(lightness, 100 - lightness) / 100;
  return [0, 8, 4].map((n) => {
    const k = (n + hue / 30) % 12;
    return Math.round(255 * (lightness / 100 - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  });
}

/** Returns the relative luminance of a colour, as contrasts are defined by it. */
function luminance(colour) {
  const [red, green, blue] = colour.map((one) => (one / 255 <= 0.04045 ? one / 255 / 12.92 : ((one / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Estimates how different two colours look: the eye sees green best, and red and blue depend on the amount of red. */
function difference([r1, g1, b1], [r2, g2, b2]) {
  const red = (r1 + r2) / 2 / 256;
  return (2 + red) * (r1 - r2) ** 2 + 4 * (g1 - g2) ** 2 + (3 - red) * (b1 - b2) ** 2;
}

/** Chooses a colour for each of some names. Those after the first eight are each as different as possible from all before them. */
function palette(kind, count) {
  const found = [...NAMED[kind], MISSING[kind]].map(channels);
  const [darkest, lightest] = LUMINANCE[kind];
  const all = LIGHTNESS.flatMap((lightness) => [45, 95].flatMap((saturation) => Array.from({ length: 360 / HUE_STEP }, (_, i) => from_hue(i * HUE_STEP, saturation, lightness))));
  const from = all.filter((one) => luminance(one) >= darkest && luminance(one) <= lightest);
  const least = from.map((one) => Math.min(...found.map((other) => difference(one, other))));
  const missing = found.pop();
  while (found.length < Math.min(count, MOST)) {
    const best = least.indexOf(Math.max(...least));
    found.push(from[best]);
    from.forEach((one, i) => { least[i] = Math.min(least[i], difference(one, from[best])); });
  }
  return { colours: found, missing };
}

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
  const { colours: own, missing } = palette(kind, names?.length ?? 0);
  if (single) return { colours: [own[0], missing], place: () => 0 };
  if (names) return { colours: [...own, missing], place: (value) => (Number.isNaN(value) ? own.length : value % own.length) };
  const colours = Array.from({ length: STEPS }, (_, i) => on_scale(SCALE[kind], i / (STEPS - 1)));
  const place = (value) => (Number.isNaN(value) ? STEPS : Math.min(Math.max(Math.round((value - low) / (high - low || 1) * (STEPS - 1)), 0), STEPS - 1));
  return { colours: [...colours, missing], place };
}

/** Folds a legend with many names. */
function folded(swatches) {
  if (swatches.length <= SHOWN) return swatches;
  return [h("details", {}, h("summary", {}, `${swatches.length} colours`), h("div", { className: "legend" }, swatches))];
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
  if (names) return folded([...names.map((name, i) => swatch(colours[i % (colours.length - 1)], name)), ...without]);
  const bar = h("span", { className: "scale" });
  bar.style.background = `linear-gradient(to right, ${colours.slice(0, -1).map(css).join(", ")})`;
  return [h("span", { className: "named" }, words(low), bar, words(high)), ...without];
}
