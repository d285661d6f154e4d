// The selected entities of a list: at most as many as a bulk edit takes. Rows are selected one by one, in
// ranges, or all at once.
import { read_rows } from "./allrows.mjs";
import { h, toast } from "./dom.mjs";
import { handle_words } from "./names.mjs";

export const SELECTED_MAX = 1000;

/**
 * Makes the selection of a list. `asked` is its expression and order, and `changed()` is called when it
 * has changed. Returns the state, the box that selects all, and `box_of()`, which makes the box of a row.
 */
export function selection_of(asked, changed) {
  const chosen = new Set();
  let last = -1; // number of the row that was selected last

  function limited() {
    toast(`At most ${SELECTED_MAX.toLocaleString("en")} entities can be selected.`);
  }

  /** Reads rows of the list. Shows why, if the game refuses. */
  function read(some) {
    return read_rows({ ...asked, columns: [] }, some).catch((error) => {
      toast(error.message);
      return { rows: [], total: 0 };
    });
  }

  function set(id, on) {
    if (!on) chosen.delete(id);
    else if (chosen.size < SELECTED_MAX || chosen.has(id)) chosen.add(id);
    else limited();
  }

  /** Selects or leaves a row, and with `to_last` all rows between it and the row before. */
  async function toggle(row, id, to_last) {
    const on = to_last && last >= 0 || !chosen.has(id);
    const from = to_last && last >= 0 ? Math.min(last, row) : row;
    const to = Math.max(to_last ? last : row, row);
    last = row;
    if (from === to) {
      set(id, on);
    } else {
      const found = await read({ offset: from, most: Math.min(to - from + 1, SELECTED_MAX) });
      for (const one of found.rows) if (chosen.size < SELECTED_MAX) chosen.add(one.id);
      if (to - from >= SELECTED_MAX) limited();
    }
    changed();
  }

  async function select_all() {
    const found = await read({ most: SELECTED_MAX });
    chosen.clear();
    for (const one of found.rows) chosen.add(one.id);
    if (found.total > SELECTED_MAX) toast(`The first ${SELECTED_MAX.toLocaleString("en")} of ${found.total.toLocaleString("en")} entities are selected, which is the most.`);
    changed();
  }

  function clear() {
    chosen.clear();
    changed();
  }

  const all = h("input", { type: "checkbox", className: "pick", id: "select-all", "aria-label": "select all entities of the list", title: "select all", onchange: () => (all.checked ? select_all() : clear()) });

  /** Makes the box of a row. `row_of()` returns the number of the row, and its entity. */
  function box_of(row_of) {
    const box = h("input", { type: "checkbox", className: "pick", tabIndex: -1, onclick: (event) => {
      event.stopPropagation();
      const { row, id } = row_of();
      toggle(row, id, event.shiftKey);
    } });
    return {
      node: box,
      fill(id) {
        box.checked = chosen.has(id);
        box.setAttribute("aria-label", `select ${handle_words(id)}`);
      },
    };
  }

  return {
    all, box_of, toggle, select_all, clear,
    has: (id) => chosen.has(id),
    ids: () => [...chosen],
    size: () => chosen.size,
    show(total) { all.checked = chosen.size > 0 && chosen.size >= Math.min(total, SELECTED_MAX); all.indeterminate = chosen.size > 0 && !all.checked; },
  };
}
