// The referrers of an entity: fields and values of links that contain its handle, links, and children.
import { card } from "./cards.mjs";
import { h, keep_focus, link } from "./dom.mjs";
import { call } from "./link.mjs";
import { name_of } from "./names.mjs";
import { copy_tools } from "./table.mjs";

const MAKING_MS = 100; // until a pass that is not ready is requested again
const HOW = { component: "field", singleton: "field of a singleton", "link value": "value of a link", link: "link", relation: "children by" };
const number = (count) => count.toLocaleString("en");

/** Makes the links to an owner. Paths are only shown if they say more than the name of the group. */
function owner_words(group, one) {
  const paths = (one.paths ?? []).filter((path) => path !== group.path).map((path) => path.slice(group.path.length));
  const where = paths.length > 0 ? h("span", { className: "mono soft" }, ` ${paths.join(", ")}`) : null;
  if (one.singleton) return h("li", {}, h("a", { href: `#/singletons/${one.singleton}` }, one.singleton), where);
  return h("li", {}, ...(one.id ? [link(one.id)] : [link(one.from), " to ", link(one.to)]), where);
}

function group_details(group, open) {
  const owners = group.some.map((one) => owner_words(group, one));
  if (group.left_off > 0) owners.push(h("li", { className: "soft" }, `and ${number(group.left_off)} more`));
  return h("details", { "data-of": `${group.kind} ${group.path}`, open },
    h("summary", {}, h("span", { className: "soft" }, `${HOW[group.kind]} `), h("span", { className: "mono" }, group.path), `: ${number(group.count)}`),
    h("ul", { className: "tree" }, owners));
}

/** Makes the view. It reads all rows of the world once, and again when its button is clicked. */
export function referrers_view(app, id) {
  const list = h("div", { className: "body" });
  const status = h("div", { className: "hint", role: "status" });
  const again = h("button", { "aria-label": "find referrers again", onclick: () => find() }, "find again");
  const node = h("div", { id: "referrers" }, h("h3", {}, "Referrers"),
    card("referred to by", "Fields, links and relations that refer to this entity.", [again, copy_tools(app, "referrers", copied)], [status, list]));
  let busy = false;
  let groups = []; // of the last answer

  /** Lists the owners for a copy. */
  async function copied() {
    const rows = groups.flatMap((group) => group.some.map((one) => {
      const owner = one.id ?? one.singleton ?? one.from;
      return [group.kind, group.path, owner, name_of(owner), one.to ?? "", (one.paths ?? []).join(" ")];
    }));
    return { heads: ["kind", "path", "of", "name", "to", "values"], rows, total: groups.reduce((sum, group) => sum + group.some.length + group.left_off, 0) };
  }

  function draw(answer) {
    groups = answer.referrers;
    const open = new Set([...list.querySelectorAll("details[open]")].map((one) => one.dataset.of));
    const details = groups.map((group) => group_details(group, open.has(`${group.kind} ${group.path}`)));
    keep_focus(list, () => list.replaceChildren(...details));
    const total = answer.referrers.reduce((sum, group) => sum + group.count, 0);
    status.textContent = `${total === 0 ? "No entity refers to it" : `${number(total)} in all`}, in tick ${number(answer.tick)}.`;
  }

  async function find() {
    if (busy) return;
    busy = true;
    try {
      let answer = await call("referrers", { id });
      while (answer.making !== null && node.isConnected) {
        status.textContent = `Reading all entities: ${Math.round(answer.making * 100)} %`;
        await new Promise((done) => { setTimeout(done, MAKING_MS); });
        answer = await call("referrers", { id });
      }
      if (answer.making === null) draw(answer);
    } catch (error) {
      status.textContent = error.message;
    } finally {
      busy = false;
    }
  }
  return { node, find };
}
