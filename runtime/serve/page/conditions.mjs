// The conditions of a list of entities: each can be removed, and explains why the list is empty.
import { h } from "./dom.mjs";
import { call } from "./link.mjs";
import { conditions_of, joined_conditions } from "./query.mjs";

const EXPLAINED_MAX = 8; // conditions that are counted on their own

/** Makes a button for each condition, which removes it. `apply(where)` shows the rest. */
export function condition_chips(where, apply) {
  const all = conditions_of(where);
  const chip = (one) => h("button", { className: "chip", "aria-label": `without ${one}`, title: "show the list without this condition", onclick: () => apply(joined_conditions(all.filter((other) => other !== one))) },
    h("span", { className: "mono" }, one), " ×");
  const clear = all.length > 1 ? h("button", { className: "chip", id: "all-entities", onclick: () => apply("") }, "all entities") : null;
  return h("div", { className: "row", id: "conditions", role: "group", "aria-label": "conditions", hidden: all.length === 0 }, all.map(chip), clear);
}

/** Makes the text that says why a list is empty. `show(is_empty)` shows or hides it. */
export function why_none(where) {
  const node = h("div", { className: "soft", id: "none", role: "status", hidden: true });
  const all = conditions_of(where);
  let asked = false;

  async function explain() {
    if (all.length === 0) {
      node.textContent = "The world has no entities.";
      return;
    }
    node.textContent = `No entity passes this expression.`;
    if (all.length === 1) return;
    const totals = await Promise.all(all.slice(0, EXPLAINED_MAX).map((one) => call("entities", { where: one, limit: 1 }).then((list) => list.total, () => null)));
    node.append(" On its own, ", ...totals.flatMap((total, i) => [i > 0 ? "; " : "", h("code", {}, all[i]), total === null ? " is refused" : ` passes ${total.toLocaleString("en")}`]), ".");
  }

  function show(is_empty) {
    node.hidden = !is_empty;
    if (!is_empty || asked) return;
    asked = true;
    explain();
  }
  return { node, show };
}
