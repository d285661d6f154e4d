// Cards in columns that keep their places. A new card is put below the shortest column, or below all
// of them if it is wide, and no later change moves it, except a change of the width.
import { h, keep_focus } from "./dom.mjs";

const WIDTH = 340; // least width of a column, in pixels
const GAP = 12;

/** Lets an element grow, but not shrink, so that what is below it rarely moves. */
export function keep_height(node) {
  const height = node.offsetHeight;
  if (height > (parseFloat(node.style.minHeight) || 0)) node.style.minHeight = `${height}px`;
}

/** Makes columns of cards. Returns the element, and `place(card, is_wide)`, which adds one. */
export function card_columns(id) {
  const narrow = h("div", { className: "columns" });
  const wide = h("div");
  const node = h("div", { id }, narrow, wide);
  const cards = []; // in the order in which they were added
  let columns = [];

  function put(card) {
    const shortest = columns.reduce((least, one) => (one.offsetHeight < least.offsetHeight ? one : least));
    shortest.append(card);
  }

  /** Distributes all cards again if another number of columns fits. */
  function spread() {
    const count = Math.max(1, Math.floor((narrow.clientWidth + GAP) / (WIDTH + GAP)));
    if (count === columns.length) return;
    columns = Array.from({ length: count }, () => h("div", { className: "column" }));
    keep_focus(narrow, () => {
      narrow.replaceChildren(...columns);
      for (const one of narrow.querySelectorAll("[style]")) one.style.minHeight = "";
      cards.forEach(put);
    });
  }

  new ResizeObserver(spread).observe(narrow);
  return {
    node,
    place(card, is_wide) {
      if (is_wide) {
        wide.append(card);
        return;
      }
      cards.push(card);
      if (columns.length === 0) spread();
      else put(card);
    },
  };
}
