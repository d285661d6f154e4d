// Words where the game does not keep who writes what.
import { h } from "./dom.mjs";

const NOT_WATCHED = "This game does not keep who writes what: it opens its world with weft_options.insight and .watch for that.";

/** Makes what is shown while nothing is watched. */
export function watch_offer(app) {
  const node = h("div", { className: "offer" });
  function refresh() {
    node.hidden = app.stats.watched;
    if (!node.hidden && node.childElementCount === 0) node.append(h("p", {}, NOT_WATCHED));
  }
  refresh();
  return { node, refresh };
}
