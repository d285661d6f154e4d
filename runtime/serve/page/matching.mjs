// The entities that a system, query or listener matches now, as a link to their list.
import { h } from "./dom.mjs";
import { call } from "./link.mjs";
import { expression_of } from "./query.mjs";

const MAKING_MS = 100; // until a list that is being made is requested again

/** Makes the link to the entities that match, or null if a declaration has no rows. */
export function matching_link(schema, one) {
  const { where, changes } = expression_of(schema, one);
  if (!where) return null;
  const title = changes ? "entities whose changes it may see: only the system knows which of them have changed" : "entities that match now";
  return h("a", { href: `#/entities?${new URLSearchParams({ where })}`, title, "data-matching": where }, "entities");
}

/** Writes the number of entities into such a link. */
export async function count_matching(link) {
  if (!link) return;
  const asked = { where: link.dataset.matching, limit: 0 };
  for (;;) {
    const list = await call("entities", asked).catch(() => null);
    if (!list || !link.isConnected) return;
    if (list.making === null) {
      link.textContent = `entities (${list.total.toLocaleString("en")})`;
      return;
    }
    await new Promise((done) => { setTimeout(done, MAKING_MS); });
  }
}
