// The last writer of each value in a list, read while the world is watched.
import { h } from "./dom.mjs";
import { call } from "./link.mjs";
import { watch_offer } from "./watch.mjs";
import { writer_words } from "./sums.mjs";
import { where_written } from "./writers.mjs";

const READ_MAX = 50; // rows whose writers are read for each tick

/**
 * Makes the cells of writers, and the element that offers to watch the world. `then` is called when
 * watching begins. `cell(id, path, has)` makes the cell of a value of an entity, or of a singleton
 * (null). `read(tick)` fills the cells that are in the page, once in each tick.
 */
export function last_writers(app, then) {
  const offer = watch_offer(app, then);
  let waiting = []; // cells that are not filled yet
  let filled = -1; // the tick in which cells were filled last

  function cell(id, path, has) {
    const node = h("td", { className: "writer" });
    if (has) waiting.push({ node, id, path });
    return node;
  }

  async function fill({ node, id, path }) {
    const [write] = await call("writes", { path, limit: 1, ...(id ? { id } : {}) }).catch(() => []);
    const words = write ? `${writer_words(write)}, tick ${write.tick.toLocaleString("en")}` : "not known";
    node.replaceChildren(write ? h("a", { href: where_written(write) }, words) : h("span", { className: "soft" }, words));
  }

  async function read(tick) {
    const some = waiting.filter((one) => one.node.isConnected);
    if (!app.stats.watched || some.length === 0 || tick === filled && some.every((one) => one.node.childElementCount)) return;
    filled = tick;
    waiting = some;
    for (const one of some.slice(READ_MAX)) one.node.replaceChildren(h("span", { className: "soft" }, "filter to see"));
    await Promise.all(some.slice(0, READ_MAX).map(fill));
  }
  return { node: offer.node, cell, read, refresh: offer.refresh };
}
