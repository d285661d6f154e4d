// The keys of a tree, after the pattern of ARIA: one of its items has the focus, and arrows move it.

/**
 * Makes the keys of a tree. `open(item)`, `close(item)` and `enter(item)` are called with an item. Returns
 * `key(event)` for the tree; `items()`, all items that are shown; `go(item)`, which moves to an item; and
 * `settle(focused, place)`, which must be called after items were replaced: it moves the focus, if
 * an item had it, to the same item, or to the one in its place.
 */
export function arrows_of(tree, { open, close, enter }) {
  let current = null;
  const items = () => [...tree.querySelectorAll("[role=treeitem]")];
  const parent_of = (item) => item.parentElement.closest("[role=treeitem]");

  /** Moves to an item, and focuses it unless the focus is elsewhere in the page. */
  function go(item, focuses = true) {
    if (!item) return;
    if (current && current !== item) current.tabIndex = -1;
    current = item;
    current.tabIndex = 0;
    if (focuses) current.focus();
  }

  function settle(focused, place) {
    const all = items();
    if (focused) go(focused.isConnected && focused.matches("[role=treeitem]") ? focused : all[Math.min(place, all.length - 1)]);
    else if (!current?.isConnected) go(all[0], false);
  }

  function right(item) {
    if (item.getAttribute("aria-expanded") === "false") open(item);
    else go(item.querySelector("[role=treeitem]"));
  }

  function left(item) {
    if (item.getAttribute("aria-expanded") === "true") close(item);
    else go(parent_of(item));
  }

  function key(event) {
    const item = event.target.closest("[role=treeitem]");
    if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
    const all = items();
    const at = all.indexOf(item);
    const does = {
      ArrowDown: () => go(all[at + 1]), ArrowUp: () => go(all[at - 1]), Home: () => go(all[0]), End: () => go(all.at(-1)),
      ArrowRight: () => right(item), ArrowLeft: () => left(item), Enter: () => enter(item),
    }[event.key];
    if (!does) return;
    event.preventDefault();
    event.stopPropagation();
    does();
  }

  tree.addEventListener("focusin", (event) => go(event.target.closest("[role=treeitem]"), false));
  return { key, items, go, settle };
}
