// A box that hides the rows of a view that do not contain a text.
import { h } from "./dom.mjs";

/**
 * Makes the box. `rows()` returns the rows; `text_of(row)` is the text of a row; `then(words, left)`
 * is called with what was typed, and how many rows are left. Returns the element, and `apply()`, which must be called after rows were added or replaced.
 */
export function search_box(label, rows, text_of = (row) => row.textContent, then = () => {}) {
  const found = h("span", { className: "soft", role: "status" });
  const box = h("input", { type: "search", className: "search", "aria-label": label, placeholder: label, oninput: apply });
  function apply() {
    const words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    const all = rows();
    let left = 0;
    for (const row of all) {
      const text = text_of(row).toLowerCase();
      const is_found = words.every((word) => text.includes(word));
      row.classList.toggle("unfound", !is_found);
      left += is_found ? 1 : 0;
    }
    const words_left = words.length > 0 ? `${left.toLocaleString("en")} of ${all.length.toLocaleString("en")}` : "";
    if (found.textContent !== words_left) found.textContent = words_left;
    then(box.value, left);
  }
  return { node: h("span", { className: "together" }, box, found), apply };
}
