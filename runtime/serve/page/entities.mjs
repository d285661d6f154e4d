// All entities, or those of an expression. Only the visible window of the list is requested.
import { read_rows } from "./allrows.mjs";
import { chooser, h, point_at, toast } from "./dom.mjs";
import { bulk_bar } from "./bulk.mjs";
import { call, link_state } from "./link.mjs";
import { column_of } from "./column.mjs";
import { completed, expression_words } from "./complete.mjs";
import { condition_chips, why_none } from "./conditions.mjs";
import { examples, leaf_paths, name_paths } from "./fields.mjs";
import { handle_words, name_of } from "./names.mjs";
import { pin } from "./pins.mjs";
import { expression_for, expression_of, has_conditions, toggled } from "./query.mjs";
import { selection_of } from "./selection.mjs";
import { copy_tools } from "./table.mjs";

const HEIGHT_MAX = 8e6; // pixels that browsers can scroll over
const COLUMNS_MAX = 16;
const COPIED_MAX = 100000; // rows of a copy
const MAKING_MS = 100; // until a list that is being made is requested again

function first_columns(schema, where) {
  const unquoted = where.replace(/"(?:[^"\\]|\\.)*"/g, '""');
  const asked = [...unquoted.matchAll(/[a-z_]\w*(?:(?:\.\w+)|(?:\[\w+\]))+/g)].map((match) => match[0]);
  return [...new Set([...name_paths(schema).slice(0, 1), ...asked])].slice(0, COLUMNS_MAX);
}

/**
 * Makes the list. Another view can contain it: `view` is its name in the address, and `kept` are
 * further choices in the address that the list keeps.
 */
export function entities_view(app, query, { view = "entities", kept = [] } = {}) {
  const { schema } = app;
  const asked = {
    where: query.get("where") ?? "",
    sort: query.get("sort") ?? "",
    descending: query.get("down") === "1",
    columns: query.get("columns")?.split(",").filter(Boolean) ?? first_columns(schema, query.get("where") ?? ""),
  };
  let total = 0;
  let first = 0;
  let selected = 0;
  let rows = [];
  let making = null; // the share of the list that the game has made; null if all of it
  let busy = false;
  let again = false;
  let refused = false; // the message was shown, and the text field has the focus
  const here = location.hash;
  let before = app.places.get(here); // where this list was left; null once that is restored
  const narrow = matchMedia("(max-width: 600px)").matches;
  const row_height = narrow ? 36 : 28;
  const columns = asked.columns.map((path) => column_of(schema, path));
  const parts = ({ path, unit }) => [...path.split(/(?<=\.)/), ...(unit ? [` ${unit}`] : [])]; // of a title, which has lines on a narrow screen
  const longest = (column) => Math.max(...(narrow ? parts(column) : [parts(column).join("")]).map((part) => part.length));
  const has_name = name_paths(schema).some((path) => asked.columns.includes(path));
  const widths = [`${(has_name ? 88 : 170) + (narrow ? 40 : 28)}px`, ...columns.map((column) => `${Math.max(longest(column) + (narrow ? 1 : 3), 9)}ch`), "120px"]; // minimum widths: titles are never cut
  const template = widths.map((width, i) => (i === 0 ? width : `minmax(${width}, ${i === widths.length - 1 ? 2 : 1}fr)`)).join(" ");

  const filter = h("input", {
    id: "filter", className: "mono", type: "search", value: asked.where, spellcheck: false, autocomplete: "off",
    "aria-label": "expression", placeholder: [examples(schema).some, "12:3", name_paths(schema).length > 0 ? 'a Name, or "any name"' : ""].filter(Boolean).join(", or "),
    onkeydown: (event) => { if (event.key === "Enter") apply({ where: filter.value }); },
  });
  const count = h("span", { className: "soft", role: "status", id: "count" });
  const problem = h("div", { className: "bad", role: "alert", id: "problem" });
  const selection = selection_of({ where: asked.where, sort: asked.sort, descending: asked.descending }, () => { bar.update(); draw(); });
  const bar = bulk_bar(app, selection, async () => { if (list.isConnected) await refresh(); });
  const none = why_none(asked.where);
  const lines = [];
  const shown = h("div", { className: "window" }, make_head());
  shown.style.minWidth = `calc(${[...widths, ...widths.map(() => "10px")].join(" + ")} + 6px)`; // with the gaps and the padding
  const spacer = h("div");
  const list = h("div", {
    className: "list", tabIndex: 0, role: "grid", "aria-label": "entities", "aria-multiselectable": "true", id: "list",
    onscroll: () => refresh(), onkeydown: (event) => key(event),
  }, shown, spacer);

  function apply(change) {
    const next = { ...asked, ...change };
    next.where = expression_for(schema, next.where);
    if (/^\d+:\d+$/.test(next.where.trim())) {
      location.hash = `#/entity/${next.where.trim()}`;
      return;
    }
    const words = new URLSearchParams([...query].filter(([name]) => kept.includes(name)));
    if (next.where) words.set("where", next.where);
    if (next.sort) words.set("sort", next.sort);
    if (next.descending) words.set("down", "1");
    if ("columns" in change || query.has("columns")) words.set("columns", next.columns.join());
    location.hash = `#/${view}?${words}`;
  }

  function sort_by(path) {
    if (asked.sort !== path) apply({ sort: path, descending: false });
    else if (!asked.descending) apply({ descending: true });
    else apply({ sort: "", descending: false });
  }

  const visible = () => Math.max(1, Math.floor(list.clientHeight / row_height) - 1);
  const height = () => Math.min(total * row_height, HEIGHT_MAX);

  function place() {
    const past = Math.max(height() - list.clientHeight + row_height, 1);
    const share = Math.min(list.scrollTop / past, 1);
    return Math.min(Math.round(share * Math.max(total - visible(), 0)), Math.max(total - 1, 0));
  }

  function go_to(row) {
    selected = Math.max(0, Math.min(row, total - 1));
    const past = Math.max(height() - list.clientHeight + row_height, 1);
    const most = Math.max(total - visible(), 1);
    if (selected < first || selected >= first + visible()) {
      const wanted = selected < first ? selected : selected - visible() + 1;
      list.scrollTop = (wanted / most) * past;
    }
    draw();
  }

  function key(event) {
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: visible(), PageUp: -visible(), Home: -total, End: total };
    const row = event.target.matches(".head *") ? null : rows[selected - first]; // its buttons have keys of their own
    const is_plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (event.key === "Enter") {
      if (row) location.hash = `#/entity/${row.id}`;
    } else if (event.key === "a" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      selection.select_all();
    } else if (/^x$/i.test(event.key) && is_plain) {
      if (row) selection.toggle(selected, row.id, event.shiftKey);
    } else if (event.key === "i" && is_plain) {
      if (row) pin(app, [row.id]);
    } else if (event.key in steps) {
      event.preventDefault();
      go_to(selected + steps[event.key]);
    }
  }

  function make_head() {
    const title = (column) => {
      const { path, unit } = column;
      const arrow = asked.sort === path ? (asked.descending ? "▼ " : "▲ ") : "";
      const words = unit ? parts(column).slice(0, -1) : parts(column);
      return h("button", { className: column.is_number ? "number" : "", onclick: () => sort_by(path), title: `sort by ${path}` },
        arrow, words.flatMap((part) => [part, h("wbr")]), unit ? h("span", { className: "unit" }, ` ${unit}`) : null);
    };
    const line = h("div", { className: "line head", role: "row" },
      h("span", { className: "picked" }, selection.all, "entity"), columns.map(title), h("span", {}, "components"));
    line.style.gridTemplateColumns = template;
    return line;
  }

  /** Makes a line that shows one entity after another, so that a click or the focus survives scrolling. */
  function make_line() {
    const to = h("a", { className: "mono", tabIndex: -1 });
    const cells = columns.map((column) => h("span", { className: column.is_number ? "number" : "" }));
    const has = h("span", { className: "soft" });
    let number = 0;
    const pick = selection.box_of(() => ({ row: number, id: node.dataset.id }));
    const node = h("div", { className: "line", role: "row", onclick: (event) => {
      if (event.shiftKey) selection.toggle(number, node.dataset.id, true);
      else location.hash = to.hash;
    } }, h("span", { className: "picked" }, pick.node, to), cells, has);
    node.style.gridTemplateColumns = template;
    return {
      node,
      fill(row, at) {
        number = at;
        node.setAttribute("aria-selected", String(at === selected));
        node.classList.toggle("chosen-row", selection.has(row.id));
        node.dataset.id = row.id;
        pick.fill(row.id);
        to.textContent = has_name ? row.id : handle_words(row.id);
        to.href = `#/entity/${row.id}`;
        cells.forEach((one, i) => {
          one.textContent = columns[i].text(row.values[i]);
          one.title = String(row.values[i] ?? "");
        });
        has.textContent = row.has.map((i) => schema.components[i].name).join(" ");
      },
    };
  }

  function draw() {
    while (lines.length < rows.length) {
      lines.push(make_line());
      shown.append(lines.at(-1).node);
    }
    while (lines.length > rows.length) lines.pop().node.remove();
    columns.forEach((column, i) => column.see(rows.map((row) => row.values[i])));
    rows.forEach((row, i) => lines[i].fill(row, first + i));
    selection.show(total);
    shown.style.height = `${list.clientHeight}px`;
    spacer.style.height = `${Math.max(height() - list.clientHeight + row_height, 0)}px`;
    const made = making === null ? "" : `${asked.sort ? "sorting" : "looking"}, ${Math.floor(making * 100)} %`;
    const found = `${total.toLocaleString("en")} ${total === 1 ? "entity" : "entities"}`;
    if (before && total > 0) {
      selected = before.selected;
      list.scrollTop = before.top;
      before = null;
    } else if (!before) {
      app.places.set(here, { selected, top: list.scrollTop });
    }
    none.show(total === 0 && making === null && problem.textContent === "");
    count.textContent = made && total === 0 ? made : made ? `${found} (${made})` : found;
  }

  async function refresh() {
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    try {
      const offset = place();
      const answer = await call("entities", { ...asked, offset, limit: Math.min(visible() + 1, 200) });
      problem.textContent = "";
      making = answer.making ?? null;
      if (making === null || answer.total > 0) {
        total = answer.total;
        first = answer.offset;
        rows = answer.rows;
      }
      draw();
      if (making !== null) setTimeout(() => { if (list.isConnected) refresh(); }, MAKING_MS);
    } catch (error) {
      problem.textContent = error.message;
      if (!refused) point_at(filter, error.message);
      refused = true;
      if (link_state.open) { // when the game has ended, the last list stays readable
        rows = [];
        total = 0;
        draw();
        count.textContent = "";
      }
    }
    busy = false;
    if (again) {
      again = false;
      refresh();
    }
  }

  const option = (one, value) => h("option", { value, title: one.doc ?? "" }, `${has_conditions(asked.where, value) ? "✓ " : ""}${one.name}`);
  const choose = (words) => { if (words) apply({ where: toggled(expression_for(schema, filter.value), words) }); };
  const pick = chooser({ "aria-label": "component or query" }, choose, h("option", { value: "" }, "only with…"),
  h("optgroup", { label: "components" }, schema.components.map((one) => option(one, one.name))),
  h("optgroup", { label: "queries" }, schema.queries.map((one) => option(one, expression_of(schema, one).where))));
  const paths = schema.components.flatMap((one) => leaf_paths(schema, one.fields, one.name));
  function show_column(path) {
    if (asked.columns.includes(path)) apply({ columns: asked.columns.filter((one) => one !== path) });
    else if (asked.columns.length === COLUMNS_MAX) toast(`there are at most ${COLUMNS_MAX} columns`);
    else if (path) apply({ columns: [...asked.columns, path] });
  }
  const column = chooser({ "aria-label": "column" }, show_column, h("option", { value: "" }, "column…"),
  paths.map((path) => h("option", { value: path }, `${asked.columns.includes(path) ? "✓ " : ""}${path}`)));

  /** Reads all rows of the list for a copy. */
  async function copied(told) {
    const make = (row) => [row.id, name_of(row.id), ...row.values, row.has.map((i) => schema.components[i].name).join(" ")];
    const found = await read_rows(asked, { most: COPIED_MAX, make, told });
    return found && { heads: ["entity", "name", ...asked.columns, "components"], ...found };
  }

  const tools = h("div", { className: "row" }, completed(schema, filter, expression_words(schema)),
    h("button", { className: "main", onclick: () => apply({ where: filter.value }) }, "Find"), pick, column,
    h("a", { href: "#/spawn" }, "spawn…"), view === "entities" ? h("a", { href: `#/map${asked.where ? `?${new URLSearchParams({ where: asked.where })}` : ""}` }, "map") : null, copy_tools(app, "entities", copied), count);
  setTimeout(refresh);
  return { nodes: [h("h2", { className: "unseen" }, "Entities"), tools, condition_chips(asked.where, (where) => apply({ where })), bar.node, problem, none.node, list], first: list, full: true, refresh, every: 1000 };
}
