// What is known of an entity that was despawned.
import { card } from "./cards.mjs";
import { h } from "./dom.mjs";
import { call } from "./link.mjs";
import { name_of } from "./names.mjs";
import { watch_offer } from "./watch.mjs";
import { known_since } from "./writers.mjs";

/** Makes the view. Returns the element, and `update()`, which returns whether the entity is not alive. */
export function gone_view(app, id, then) {
  const { schema } = app;
  const node = h("div");
  let drawn = "";
  const by = (end) => `${end.commands ? "commands of " : ""}${end.writer}`;
  const known = (one) => one.values.map((value) => `${value.path} ${value.value} (tick ${value.tick.toLocaleString("en")})`).join(", ");

  function head(now) {
    const words = !now.was ? "was never alive" : now.end ? `ended in tick ${now.end.tick.toLocaleString("en")}, by ${by(now.end)}` : "is no longer alive";
    return h("div", { className: "row" }, h("h2", { className: "mono" }, id), h("strong", {}, name_of(id)), h("span", { className: "bad", id: "gone" }, words));
  }

  function explanation(now, since) {
    if (now.end) return h("h3", {}, "What it had, and the last values it was given while it was watched");
    return h("p", { className: "soft" }, !now.was ? "No entity had this handle so far." : now.watched ? `It ended before what is known: all writes ${since}.`
      : "Who ended it is known of those that end while the game watches who writes what.");
  }

  async function update() {
    const now = await call("gone", { id }).catch(() => null);
    const text = JSON.stringify(now);
    if (!now || now.alive) return false;
    if (text === drawn) return true;
    drawn = text;
    const since = now.watched ? await known_since() : "";
    const cards = (now.components ?? []).map((one) => card(one.name, schema.component.get(one.name)?.doc, null, h("div", { className: "mono" }, known(one))));
    node.replaceChildren(head(now), explanation(now, since), ...(now.was && !now.watched ? [watch_offer(app, then).node] : []), h("div", { className: "cards" }, cards));
    return true;
  }
  return { node, update };
}
