// An array of many simple values as a grid, of which only the rows in sight are in the page. The
// square root of the number of items is the number of columns if it is whole, as of the 32 by 32
// tiles of a map, else there are ten.
import { h } from "./dom.mjs";
import { cell } from "./text.mjs";

const ROW_HEIGHT = 26;
const ROWS_SEEN = 12;
const COLUMNS = 10;

/** Returns the number of columns for an array. */
export function columns_for(count) {
  const root = Math.round(Math.sqrt(count));
  return root * root === count ? root : COLUMNS;
}

/**
 * Makes the grid of the values of `path`, `count` of them; `edit(i)` makes the element that edits
 * item `i`, with `node` and `update(value)`. Arrows choose an item, and Enter edits it. Returns the
 * element and `update(values)`.
 */
export function array_grid(path, count, edit, is_number) {
  const columns = columns_for(count);
  const rows = Math.ceil(count / columns);
  let values = [];
  let at = 0; // the chosen item
  let editor = null;
  const window_of_rows = h("div", { className: "rows" });
  const place = h("div", { className: "value chosen" });
  const box = h("div", {
    className: "array", tabIndex: 0, role: "grid", "aria-label": path, "aria-rowcount": rows + 1, "aria-colcount": columns + 1,
    onscroll: draw, onkeydown: key, onclick: (event) => { const one = event.target.closest("[data-item]"); if (one) choose(Number(one.dataset.item), true); },
  }, head_row(), window_of_rows);
  box.style.maxHeight = `${(ROWS_SEEN + 1) * ROW_HEIGHT + 2}px`;

  const id_of = (i) => `item-${path}[${i}]`;

  function head_row() {
    return h("div", { className: "head", role: "row", "aria-rowindex": 1 }, h("span", { className: "index", role: "columnheader" }),
      Array.from({ length: columns }, (_, k) => h("span", { role: "columnheader", className: is_number ? "number" : "" }, `+${k}`)));
  }

  function row(r) {
    const first = r * columns;
    const some = Array.from({ length: Math.min(columns, count - first) }, (_, k) => first + k);
    const node = h("div", { className: "line", role: "row", "aria-rowindex": r + 2 }, h("span", { className: "index", role: "rowheader" }, `[${first}]`),
      some.map((i) => h("span", { id: id_of(i), role: "gridcell", className: is_number ? "number" : "", "data-item": i, "aria-selected": String(i === at), title: `${path}[${i}]` }, cell(values[i]))));
    return node;
  }

  /** Draws the rows in sight, and one above and below them. */
  function draw() {
    const first = Math.max(0, Math.floor(box.scrollTop / ROW_HEIGHT) - 1);
    const last = Math.min(rows, first + ROWS_SEEN + 3);
    window_of_rows.style.paddingTop = `${first * ROW_HEIGHT}px`;
    window_of_rows.style.paddingBottom = `${(rows - last) * ROW_HEIGHT}px`;
    window_of_rows.replaceChildren(...Array.from({ length: last - first }, (_, k) => row(first + k)));
    box.setAttribute("aria-activedescendant", id_of(at));
  }

  function choose(i, edits) {
    at = Math.max(0, Math.min(i, count - 1));
    const top = Math.floor(at / columns) * ROW_HEIGHT;
    if (top < box.scrollTop) box.scrollTop = top;
    else if (top > box.scrollTop + (ROWS_SEEN - 1) * ROW_HEIGHT) box.scrollTop = top - (ROWS_SEEN - 1) * ROW_HEIGHT;
    draw();
    show_editor();
    if (edits) place.querySelector("input, select")?.focus();
  }

  function show_editor() {
    editor = edit(at);
    editor.update(values[at]);
    place.replaceChildren(h("span", { className: "soft mono" }, `[${at}]`), editor.node);
  }

  function key(event) {
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns, Home: -count, End: count, PageUp: -columns * ROWS_SEEN, PageDown: columns * ROWS_SEEN };
    if (event.key === "Enter") choose(at, true);
    else if (event.key in steps) choose(at + steps[event.key], false);
    else return;
    event.preventDefault();
  }

  place.addEventListener("keydown", (event) => { if (event.key === "Escape") box.focus(); });
  return {
    node: h("div", { className: "all" }, box, place),
    update(now) {
      const same = values.length === now?.length && now.every((one, i) => one === values[i]);
      values = now ?? [];
      if (!same || window_of_rows.childElementCount === 0) draw();
      if (!editor) show_editor();
      editor.update(values[at]);
    },
  };
}
