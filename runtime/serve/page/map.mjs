// A map of entities: dots at two of their values, coloured by a third, beside the list of the same
// entities. The address contains all choices.
import { chooser, h, keep_focus } from "./dom.mjs";
import { call } from "./link.mjs";
import { colours_for, legend_of, named_values } from "./colours.mjs";
import { id_at, place_of, read_dots } from "./dots.mjs";
import { entities_view } from "./entities.mjs";
import { field_of, leaf_paths } from "./fields.mjs";
import { handle_words } from "./names.mjs";
import { scatter, span_of } from "./scatter.mjs";

const DOTS_MAX = 100000;
const EVERY_MS = 1000;
const DOTS_A_MS = 20; // more dots are read less often, so that the game stays fast
const NAME_MS = 150; // until the name of a dot under the pointer is requested
const OWN = ["x", "y", "colour"]; // choices of the map in the address

/** Returns the paths of the first grid index, or else those of the first component with x and y. */
async function first_paths(schema) {
  const grid = (await call("tables")).indexes.find((one) => one.kind === "grid");
  if (grid) return grid.fields.slice(0, 2).map((field) => `${grid.of}.${field}`);
  const placed = schema.components.find((one) => ["x", "y"].every((name) => one.fields.some((field) => field.name === name)));
  return placed ? [`${placed.name}.x`, `${placed.name}.y`] : [];
}

export function map_view(app, query) {
  const { schema } = app;
  const listed = entities_view(app, query, { view: "map", kept: OWN });
  const chosen = { x: query.get("x") ?? "", y: query.get("y") ?? "", colour: query.get("colour") ?? "" };
  const paths = schema.components.flatMap((one) => leaf_paths(schema, one.fields, one.name)).map((path) => [path, field_of(schema, path)]);
  const numbers = paths.filter(([, field]) => field?.kind === "number" && field.shape !== "string").map(([path]) => path);
  const shaded = paths.filter(([path, field]) => numbers.includes(path) || ["bool", "enum"].includes(field?.kind)).map(([path]) => path);
  const owner = (path) => path.split(/[.[]/)[0];
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const problem = h("div", { className: "bad", role: "alert", id: "map-problem" });
  const said = h("div", { className: "hint said", role: "status", id: "map-said" });
  const legend = h("div", { className: "legend", id: "legend", "aria-label": "legend" });
  let dots = null;
  let canvas = null;
  let read_at = 0; // when dots were read last
  let reads = false;
  let pointed = -1; // the dot under the pointer, or whose row is pointed at
  let naming = null;

  const id_of = (i) => id_at(dots, i);
  const listed_node = h("div", { className: "side" }, ...listed.nodes);
  const mapped = h("div", { className: "side mapped" });
  const is_open = () => mapped.isConnected;

  /** Puts a choice into the address, which opens this view again. */
  function choose(name, value) {
    const words = new URLSearchParams(location.hash.split("?")[1] ?? "");
    for (const one of OWN) if (chosen[one]) words.set(one, chosen[one]);
    if (value) words.set(name, value);
    else words.delete(name);
    if (name !== "colour") words.delete("area");
    location.hash = `#/map?${words}`;
  }

  /** Keeps the shown area in the address, without opening the view again. */
  function keep_area(area) {
    const words = new URLSearchParams(location.hash.split("?")[1] ?? "");
    if (area) words.set("area", area.map((one) => Number(one.toPrecision(6))).join());
    else words.delete("area");
    try {
      history.replaceState(null, "", `#/map?${words}`);
    } catch {
      // a frame without an address of its own cannot change it
    }
  }

  // ---- what is pointed at

  /** Marks the row of the dot that is pointed at, if the list shows it. */
  function mark_row() {
    const id = pointed >= 0 ? id_of(pointed) : "";
    for (const line of listed_node.querySelectorAll(".line[data-id]")) line.classList.toggle("pointed", line.dataset.id === id);
  }

  function describe() {
    if (pointed < 0) {
      said.textContent = dots ? summary() : "";
      return;
    }
    const value = chosen.colour ? ` · ${chosen.colour} ${value_words(dots.value[pointed])}` : "";
    said.textContent = `${handle_words(id_of(pointed))} · ${number(dots.x[pointed])}, ${number(dots.y[pointed])}${value}`;
  }

  function point_to(i) {
    if (i === pointed) return;
    pointed = i;
    canvas?.mark(i);
    mark_row();
    if (dots) describe();
    clearTimeout(naming);
    if (i < 0 || handle_words(id_of(i)) !== id_of(i)) return;
    const id = id_of(i);
    naming = setTimeout(() => call("entity", { id }).then(() => { if (pointed >= 0 && id_of(pointed) === id) describe(); }, () => {}), NAME_MS);
  }

  const row_of = (event) => event.target.closest?.(".line[data-id]")?.dataset.id;
  listed_node.addEventListener("pointerover", (event) => point_to(place_of(dots, row_of(event))));
  listed_node.addEventListener("pointerleave", () => point_to(-1));

  // ---- colours

  const number = (value) => value.toLocaleString("en", { maximumSignificantDigits: 5 });
  const names = () => named_values(schema, chosen.colour, field_of(schema, chosen.colour));
  function value_words(value) {
    if (Number.isNaN(value)) return "none";
    return names()?.[value] ?? `${number(value)} ${field_of(schema, chosen.colour)?.unit ?? ""}`.trim();
  }

  function colouring() {
    const field = field_of(schema, chosen.colour);
    const [low, high] = span_of(dots.value);
    return { names: names(), low: field?.min ?? low, high: field?.max ?? high, single: !chosen.colour, dark: dark.matches, lacks: dots.value.some(Number.isNaN) };
  }

  function summary() {
    const most = dots.total > DOTS_MAX ? `, the first ${DOTS_MAX.toLocaleString("en")} of ${dots.total.toLocaleString("en")}` : "";
    return `${dots.count.toLocaleString("en")} ${dots.count === 1 ? "dot" : "dots"}${most}`;
  }

  function draw() {
    if (!dots || !canvas) return;
    const how = colouring();
    const { colours, place } = colours_for(how);
    canvas.draw({ ...dots, place: Uint8Array.from(dots.value, place), colours });
    const open = legend.querySelector("details")?.open ?? false;
    keep_focus(legend, () => legend.replaceChildren(...legend_of(how, value_words)));
    if (open) for (const one of legend.querySelectorAll("details")) one.open = true;
    const span = (path, values) => `${path} from ${span_of(values).map(number).join(" to ")}`;
    canvas.canvas.setAttribute("aria-label", `map of ${summary()}: ${span(chosen.x, dots.x)}, ${span(chosen.y, dots.y)}${chosen.colour ? `, coloured by ${chosen.colour}` : ""}. The list shows the same entities. Arrows move the map, + and - zoom, Home shows all.`);
    canvas.mark(pointed);
    mark_row();
    describe();
  }

  // ---- reading

  function make() {
    const option = (path, is) => h("option", { value: path, selected: is === path }, path);
    const choice = (name, label) => h("label", {}, `${label} `, chooser({ id: `map-${name}`, "aria-label": `${label} of dots` }, (value) => choose(name, value), numbers.map((path) => option(path, chosen[name]))));
    const colour = h("label", {}, "colour ", chooser({ id: "map-colour", "aria-label": "colour of dots" }, (value) => choose("colour", value), h("option", { value: "" }, "one colour"),
      h("optgroup", { label: "values" }, shaded.map((path) => option(path, chosen.colour))), h("optgroup", { label: "components" }, schema.components.map((one) => option(one.name, chosen.colour)))));
    const even = owner(chosen.x) === owner(chosen.y) && field_of(schema, chosen.x)?.unit === field_of(schema, chosen.y)?.unit;
    canvas = scatter({ even, point: point_to, open: (i) => { location.hash = `#/entity/${id_of(i)}`; }, moved: keep_area });
    const area = query.get("area")?.split(",").map(Number);
    if (area?.length === 4 && area.every(Number.isFinite)) canvas.show(area);
    const button = (words, label, act) => h("button", { "aria-label": label, title: label, onclick: act }, words);
    mapped.replaceChildren(h("div", { className: "row" }, choice("x", "x"), choice("y", "y"), colour,
      button("−", "zoom out", () => canvas.zoom(-1)), button("+", "zoom in", () => canvas.zoom(1)), button("fit", "show all dots", () => canvas.fit())), problem, canvas.node, legend, said);
  }

  /** Shows dots in place of those before. The same entity stays pointed at. */
  function take(found) {
    const id = pointed >= 0 ? id_of(pointed) : "";
    dots = found;
    pointed = place_of(dots, id);
    draw();
  }

  async function read() {
    const wait = Math.max(EVERY_MS, (dots?.count ?? 0) / DOTS_A_MS);
    if (reads || dots && performance.now() - read_at < wait) return;
    reads = true;
    try {
      if (!chosen.x || !chosen.y) {
        const [x, y] = await first_paths(schema);
        chosen.x ||= x ?? numbers[0] ?? "";
        chosen.y ||= y ?? numbers[1] ?? chosen.x;
      }
      const first = !canvas;
      if (first) make();
      const where = query.get("where") ?? "";
      const found = await read_dots({ x: chosen.x, y: chosen.y, where, ...(chosen.colour ? { value: chosen.colour } : {}) }, DOTS_MAX, is_open, first ? take : () => {});
      if (found) take(found);
      problem.textContent = "";
    } catch (error) {
      problem.textContent = error.message;
    }
    reads = false;
    read_at = performance.now();
  }

  async function refresh() {
    await Promise.all([listed.refresh(), read()]);
    if (is_open() && dots) mark_row();
  }
  setTimeout(read);
  return { nodes: [h("div", { className: "beside" }, mapped, listed_node)], first: listed.first, full: true, refresh, every: EVERY_MS };
}
