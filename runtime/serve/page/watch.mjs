// Starting to watch the writes of the world from the page, and the cost of it.
import { h } from "./dom.mjs";
import { act, call } from "./link.mjs";

const NOT_WATCHED = "This game does not keep who writes what: it sets weft_serve_options.insight for that, or opens its world with weft_options.insight and .watch.";
const COST = "From then on a tick takes up to three times as long, and values take twice the memory. What was written before is not known.";

async function set(app, on) {
  if (await act("watch", { on })) app.stats = await call("stats").catch(() => app.stats);
}

/**
 * Makes the element shown while the world is not watched: a button, or why there is none. Calls
 * `then` once it is watched.
 */
export function watch_offer(app, then) {
  const node = h("div", { className: "offer" });
  const begin = async () => {
    await set(app, true);
    refresh();
    then();
  };
  function refresh() {
    node.hidden = app.stats.watched;
    if (node.hidden || node.childElementCount !== 0) return;
    node.append(...(app.stats.can_watch
      ? [h("button", { className: "main watch", onclick: begin }, "watch who writes what"), h("p", { className: "hint" }, COST)]
      : [h("p", {}, NOT_WATCHED)]));
  }
  refresh();
  return { node, refresh };
}

/** Makes the button that ends watching, if a page has started it. */
export function watch_end(app, then) {
  const node = h("button", { id: "unwatch", onclick: async () => { await set(app, false); then(); } }, "end watching");
  const refresh = () => { node.hidden = !app.stats.can_end_watch; };
  refresh();
  return { node, refresh };
}
