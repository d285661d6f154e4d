// Pinned entities side by side: a row for each value, and a column for each entity.
import { h, keep_address, keep_focus, link } from "./dom.mjs";
import { field_of, parts_of } from "./fields.mjs";
import { call } from "./link.mjs";
import { pinned, set_pins, unpin } from "./pins.mjs";
import { handle_words, named_words } from "./names.mjs";
import { copy_tools } from "./table.mjs";
import { cell } from "./text.mjs";

const EVERY_MS = 500;
const ITEMS_MAX = 64; // values of an array or list

/** Lists the values of a component by their paths. An array or list of simple values is one value. */
function add_values(schema, field, value, path, found) {
  if (value === null || typeof value !== "object") {
    found.set(path, value);
    return;
  }
  const many = Array.isArray(value) || field?.by;
  const entries = Object.entries(value);
  if (many && field?.kind !== "struct") {
    found.set(path, entries.slice(0, ITEMS_MAX).map(([at, one]) => (field?.by ? `${at} ${cell(one)}` : cell(one))).join(", ") + (entries.length > ITEMS_MAX ? ", …" : ""));
    return;
  }
  const fields = field?.fields ?? parts_of(schema, field);
  for (const [name, inner] of entries.slice(0, many ? ITEMS_MAX : undefined)) {
    const of = many ? { ...field, by: undefined } : fields.find((one) => one.name === name);
    add_values(schema, of, inner, many ? `${path}[${name}]` : `${path}.${name}`, found);
  }
}

/** Lists all values of an entity by their paths. A tag is a value that is true. */
function values_of(schema, entity) {
  const found = new Map();
  for (const component of schema.components) {
    const value = entity?.components[component.name];
    if (value === undefined) continue;
    if (component.storage === "tag") found.set(component.name, true);
    else add_values(schema, { kind: "struct", fields: component.fields }, value, component.name, found);
  }
  for (const [relation, parent] of Object.entries(entity?.parents ?? {})) found.set(relation, parent);
  return found;
}

/** Lists the paths of all of the entities in the order of the schema. */
function paths_of(schema, all) {
  const owner = (path) => schema.components.findIndex((one) => one.name === path.split(/[.[]/)[0]) >>> 0; // relations are last
  const paths = [...new Set(all.flatMap((values) => [...values.keys()]))];
  return paths.map((path, i) => [owner(path), i, path]).sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([, , path]) => path);
}

/** Makes the view. The address may name the entities. */
export function pinned_view(app, query) {
  const { schema } = app;
  if (query.has("of")) set_pins(app, query.get("of").split(","));
  const said = h("p", { className: "soft", role: "status", id: "said" });
  const only = h("input", { type: "checkbox", id: "differing", onchange: () => draw() });
  const copied = async () => ({ heads: ["value", ...columns.map(({ id }) => handle_words(id))],
    rows: [...cells].filter(([, { row }]) => !row.hidden).map(([path]) => [path, ...columns.map(({ values }) => values.get(path))]) });
  const tools = h("div", { className: "row" }, h("label", { className: "together" }, only, "only values that differ"),
    h("button", { id: "unpin-all", onclick: () => { set_pins(app, []); refresh(); } }, "unpin all"), copy_tools(app, "pinned entities", copied));
  const box = h("div", { className: "scroll beside-each-other", tabIndex: 0, role: "region", "aria-label": "pinned entities" });
  let columns = []; // of each entity: its handle, its values, and why it has none
  let drawn = ""; // the paths and entities that the table was made for
  let cells = new Map(); // of each path: its row, and the cell of each entity

  async function column_of(id) {
    const entity = await call("entity", { id }).catch((error) => ({ error: error.message }));
    return { id, why: entity.error ?? "", values: entity.error ? new Map() : values_of(schema, entity) };
  }

  function head(column) {
    const close = h("button", { className: "plain", "aria-label": `unpin ${column.id}`, onclick: () => { unpin(app, column.id); refresh(); } }, "unpin");
    return h("th", { scope: "col", "data-id": column.id, className: column.why ? "gone" : "" }, link(column.id), " ", close, column.why ? h("div", { className: "bad" }, column.why.replace(/^entity \S+ /, "")) : null);
  }

  function make(paths) {
    cells = new Map();
    const rows = paths.map((path) => {
      const unit = field_of(schema, path)?.unit;
      const all = columns.map((column) => h("td", { className: "mono", "data-of": column.id }));
      const row = h("tr", { "data-path": path }, h("th", { scope: "row", className: "mono" }, path, unit ? h("span", { className: "unit" }, ` ${unit}`) : null), all);
      cells.set(path, { row, all });
      return row;
    });
    keep_focus(box, () => box.replaceChildren(h("table", { id: "beside" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "value"), columns.map(head))), h("tbody", {}, rows))));
  }

  /** Writes a value into a cell. An entity lacks a value that is undefined. */
  function fill(node, value, why) {
    const text = why ? "" : value === undefined ? "-" : value === null ? "none" : named_words(cell(value));
    if (node.textContent !== text) node.textContent = text;
    node.title = why ? "" : value === undefined ? "this entity lacks the value" : text;
  }

  function draw() {
    const alive = columns.filter((column) => !column.why);
    const paths = paths_of(schema, alive.map((column) => column.values));
    const now = JSON.stringify([paths, columns.map(({ id, why }) => [id, why])]);
    if (now !== drawn) make(paths);
    drawn = now;
    for (const [path, { row, all }] of cells) {
      const values = alive.map((column) => column.values.get(path));
      const differs = new Set(values).size > 1;
      row.classList.toggle("differs", differs);
      row.hidden = only.checked && !differs;
      all.forEach((node, i) => {
        fill(node, columns[i].values.get(path), columns[i].why);
        node.classList.toggle("differs", differs && !columns[i].why);
      });
    }
    const differing = [...cells.values()].filter(({ row }) => row.classList.contains("differs")).length;
    const words = columns.length === 0 ? "No entity is pinned. Pin one on its page, or select some in the list of entities."
      : alive.length < 2 ? "" : `${differing.toLocaleString("en")} of ${cells.size.toLocaleString("en")} values differ.`;
    if (said.textContent !== words) said.textContent = words;
    tools.hidden = box.hidden = columns.length === 0;
  }

  async function refresh() {
    const ids = pinned(app);
    const read = await Promise.all(ids.map(column_of));
    if (!said.isConnected || ids !== pinned(app)) return; // another view is open, or others are pinned
    columns = read;
    draw();
    keep_address(`#/pinned${ids.length > 0 ? `?of=${ids.join()}` : ""}`);
  }
  setTimeout(refresh);
  return { nodes: [h("h2", {}, "Pinned entities"), said, tools, box], refresh, every: EVERY_MS };
}
