// The tree of a relation. Children are read when an entity is opened, window by window, and are
// forgotten when it is closed.
import { read_rows } from "./allrows.mjs";
import { arrows_of } from "./arrows.mjs";
import { missing } from "./cards.mjs";
import { h, keep_address } from "./dom.mjs";
import { call } from "./link.mjs";
import { handle_words } from "./names.mjs";

const WINDOW = 100; // children that are read at once
const AROUND = 20; // siblings that are read before an entity in the address
const SHOWN_MAX = 1000; // children of an entity in the page; the first ones are left out then
const FOLLOWED_MAX = 500; // children of an entity that are read again, which is the most in an answer
const LEVELS_MAX = 12; // ancestors whose other children are shown at once

const number = (count) => count.toLocaleString("en");

/** The address of the tree of a relation, at an entity or at its roots. */
export const tree_address = (relation, id) => `#/tree/${relation}${id ? `?at=${id}` : ""}`;

/** Reads roots that have children, from one on. */
async function read_roots(relation, offset, limit) {
  const make = ({ id }) => ({ id, has_children: true });
  const { rows, total } = await read_rows({ where: `root(${relation}) & !leaf(${relation})` }, { offset, most: limit, make });
  return { children: rows, earlier: offset > 0, later: offset + rows.length < total, total };
}

/** Makes the view of a tree at the roots, or at the entity `at` of the address. */
export function tree_view(app, name, query) {
  const { schema } = app;
  const heading = h("h2", { className: "unseen" }, "Tree");
  if (schema.relations.length === 0) return { nodes: [heading, h("p", {}, "The schema has no relations.")] };
  const relation = schema.relations.find((one) => one.name === name) ?? schema.relations[0];
  const at = query.get("at");
  const problem = h("div", { className: "bad", role: "alert", id: "problem" });
  const said = h("p", { className: "soft", role: "status", id: "said" });
  const tree = h("ul", { className: "tree", role: "tree", "aria-label": relation.name, id: "tree", onkeydown: (event) => arrows.key(event) });
  const arrows = arrows_of(tree, { open: (item) => nodes.get(item)?.open(), close: (item) => nodes.get(item)?.close(), enter: (item) => nodes.get(item)?.enter() });
  const nodes = new WeakMap(); // by element
  const groups = new Set(); // those of open entities, and that of the roots

  /** Reads a window of a group. Offsets are only known for roots. */
  const read = (group, asked, offset) => (group.id ? call("children", { relation: relation.name, id: group.id, ...asked }) : read_roots(relation.name, offset, asked.limit));

  /** Shows an error. Returns null, so the caller keeps the old content. */
  function refuse(error) {
    problem.textContent = error.message;
    return null;
  }

  function make_node(child, group) {
    const words = h("a", { href: `#/entity/${child.id}`, tabIndex: -1 });
    const mark = h("button", { className: "mark plain", tabIndex: -1, "aria-label": "open or close", onclick: () => (node.group ? node.close() : node.open()) });
    const hint = h("span", { className: "hint" });
    const item = h("li", { role: "treeitem", tabIndex: -1, "data-id": child.id, "aria-level": group.level }, h("div", { className: "node" }, mark, words, " ", hint));
    const node = {
      id: child.id, item, group: null, has_children: child.has_children,
      async open() {
        if (node.group || !node.has_children) return;
        await open_at(node, null);
        keep_address(tree_address(relation.name, node.id)); // a reload shows it again
      },
      close() {
        if (!node.group) return;
        if (node.group.box.contains(document.activeElement)) arrows.go(item);
        forget(node.group);
        node.group = null;
        node.update();
      },
      enter() { location.hash = words.hash; },
      /** Shows the state of the entity. `place` is its number among its siblings, or 0 if it is not known. */
      update(place = Number(item.getAttribute("aria-posinset")) || 0, total = group.total) {
        const name_now = handle_words(node.id);
        if (words.textContent !== name_now) words.textContent = name_now;
        item.setAttribute("aria-label", name_now);
        if (node.has_children) item.setAttribute("aria-expanded", String(node.group !== null));
        else item.removeAttribute("aria-expanded");
        mark.textContent = node.has_children ? (node.group ? "▾" : "▸") : "";
        mark.disabled = !node.has_children;
        item.setAttribute("aria-setsize", total ?? -1);
        if (place > 0) item.setAttribute("aria-posinset", place);
        else item.removeAttribute("aria-posinset");
        const { total: count } = node.group ?? {};
        hint.textContent = !node.group ? "" : count === null ? "more than 65,536 children" : `${number(count)} ${count === 1 ? "child" : "children"}`;
      },
    };
    nodes.set(item, node);
    return node;
  }

  /** Makes the item that reads further siblings. */
  function make_more(group, label, run) {
    const item = h("li", { role: "treeitem", tabIndex: -1, className: "more", "aria-level": group.level },
      h("button", { className: "plain", tabIndex: -1, onclick: () => run() }));
    nodes.set(item, { enter: run, open: () => {}, close: () => {} });
    return { item, show(words) { item.firstChild.textContent = words; item.setAttribute("aria-label", `${words}, ${label}`); } };
  }

  /** Makes a group of siblings: the children of an entity, or the roots. */
  function make_group(id, level, box) {
    const group = { id, level, box, kids: [], earlier: false, later: false, total: null, first: 0 };
    const of = id ? `children of ${handle_words(id)}` : "roots";
    const before = make_more(group, of, () => more(group, false));
    const after = make_more(group, of, () => more(group, true));
    group.draw = () => {
      const focused = box.contains(document.activeElement) ? document.activeElement : null;
      const place = focused ? arrows.items().indexOf(focused) : 0;
      const is_start = !group.earlier;
      group.kids.forEach((kid, i) => kid.update(is_start ? i + 1 : 0, group.total));
      before.show(`${WINDOW} before`);
      const left = is_start && group.total !== null ? group.total - group.kids.length : null;
      after.show(left === null ? `${WINDOW} more` : `more: ${number(left)} are not shown`);
      const items = [...(group.earlier ? [before.item] : []), ...group.kids.map((kid) => kid.item), ...(group.later ? [after.item] : [])];
      const same = items.length === box.children.length && items.every((one, i) => one === box.children[i]);
      if (!same) box.replaceChildren(...items);
      arrows.settle(focused, place);
    };
    groups.add(group);
    return group;
  }

  function forget(group) {
    for (const kid of group.kids) if (kid.group) forget(kid.group);
    groups.delete(group);
    group.box.remove();
  }

  /** Takes the entities of an answer, and keeps those that are shown already. */
  function kids_of(group, children) {
    const known = new Map(group.kids.map((kid) => [kid.id, kid]));
    return children.map((child) => {
      const kid = known.get(child.id) ?? make_node(child, group);
      kid.has_children = child.has_children;
      if (!child.has_children) kid.close();
      return kid;
    });
  }

  /** Reads the siblings after the last one that is shown, or before the first one. */
  async function more(group, is_after) {
    const asked = { limit: WINDOW, ...(is_after ? { after: group.kids.at(-1)?.id } : { before: group.kids[0]?.id }) };
    const offset = is_after ? group.first + group.kids.length : Math.max(0, group.first - WINDOW);
    const answer = await read(group, asked, offset).catch(refuse);
    if (!answer || !tree.isConnected) return;
    const added = kids_of(group, answer.children).filter((kid) => !group.kids.includes(kid));
    const focused = group.box.contains(document.activeElement);
    group.total = answer.total;
    if (is_after) {
      group.later = answer.later;
      group.kids.push(...added);
      const over = Math.max(0, group.kids.length - SHOWN_MAX);
      for (const kid of group.kids.splice(0, over)) kid.close();
      group.first += over;
      group.earlier ||= over > 0;
    } else {
      group.earlier = answer.earlier;
      group.kids.unshift(...added);
      const over = Math.max(0, group.kids.length - SHOWN_MAX);
      for (const kid of group.kids.splice(SHOWN_MAX, over)) kid.close();
      group.first = offset;
      group.later ||= over > 0;
    }
    group.draw();
    if (focused) arrows.go((is_after ? added[0] : added.at(-1))?.item);
  }

  /** Opens an entity at its first children, or around one of them. */
  async function open_at(node, child) {
    const box = h("ul", { className: "tree", role: "group" });
    node.group = make_group(node.id, Number(node.item.getAttribute("aria-level")) + 1, box);
    node.item.append(box);
    node.update();
    const read_some = (asked) => read(node.group, asked, 0).catch(refuse);
    const [before, after] = child
      ? await Promise.all([read_some({ before: child.id, limit: AROUND }), read_some({ after: child.id, limit: WINDOW - AROUND })])
      : [null, await read_some({ limit: WINDOW })];
    const { group } = node;
    if (!group || !tree.isConnected) return null; // it was closed meanwhile
    if (!after) {
      node.close();
      return null;
    }
    group.kids = kids_of(group, [...(before?.children ?? []), ...(child ? [child] : []), ...after.children]);
    group.earlier = before?.earlier ?? false;
    group.later = after.later;
    group.total = after.total;
    group.draw();
    node.update();
    return group.kids.find((kid) => kid.id === child?.id) ?? null;
  }

  /** Shows an entity below its ancestors. */
  async function show_path() {
    const found = await call("ancestors", { relation: relation.name, id: at }).catch(refuse);
    if (!found || !tree.isConnected) return;
    const path = [at, ...found.ancestors].reverse();
    const state = (i) => ({ id: path[i], has_children: i < path.length - 1 || found.has_children });
    const top = make_group(null, 1, tree);
    groups.delete(top); // it is not the list of all roots
    top.kids = [make_node(state(0), top)];
    top.total = 1;
    top.draw();
    let node = top.kids[0];
    for (let i = 1; i < path.length && node; i++) {
      if (path.length - i <= LEVELS_MAX) node = await open_at(node, state(i));
      else node = open_alone(node, state(i));
    }
    if (!node) return;
    said.replaceChildren(found.higher ? "Only the nearest 1,000 ancestors are shown. " : "", h("a", { href: tree_address(relation.name) }, "all roots"));
    if (node.has_children) await open_at(node, null);
    arrows.go(node.item, document.activeElement === document.body || document.activeElement?.id === "view");
    node.item.scrollIntoView({ block: "nearest" });
  }

  /** Opens an entity with one of its children, without asking for others. */
  function open_alone(node, child) {
    const box = h("ul", { className: "tree", role: "group" });
    node.group = make_group(node.id, Number(node.item.getAttribute("aria-level")) + 1, box);
    node.item.append(box);
    Object.assign(node.group, { earlier: true, later: true });
    node.group.kids = [make_node(child, node.group)];
    node.group.draw();
    return node.group.kids[0];
  }

  async function show_roots() {
    const answer = await read_roots(relation.name, 0, WINDOW).catch(refuse);
    if (!answer || !tree.isConnected) return;
    const group = make_group(null, 1, tree);
    take(group, answer);
    arrows.settle(null, 0);
  }

  function take(group, answer) {
    group.kids.filter((kid) => !answer.children.some((child) => child.id === kid.id)).forEach((kid) => kid.close());
    group.kids = kids_of(group, answer.children);
    Object.assign(group, { later: answer.later, total: answer.total });
    group.draw();
    if (!group.id) said.textContent = answer.total === 0 ? `No entity has children by ${relation.name}.` : `${number(answer.total)} ${answer.total === 1 ? "root" : "roots"} with children.`;
  }

  /** Reads groups again that are shown from their first entity on. */
  async function refresh() {
    for (const group of [...groups]) {
      const { length } = group.kids;
      if (group.earlier || length > FOLLOWED_MAX) continue;
      const limit = Math.max(WINDOW, length);
      const answer = await read(group, { limit }, 0).catch(() => null);
      if (!answer || !tree.isConnected || !groups.has(group) || group.kids.length !== length) continue;
      take(group, answer);
      nodes.get(group.box.parentElement)?.update();
    }
  }

  const list = h("nav", { className: "row", "aria-label": "relations" }, schema.relations.map((one) =>
    h("a", { href: tree_address(one.name), title: one.doc ?? "", "aria-current": one === relation ? "page" : null }, one.name)));
  setTimeout(at ? show_path : show_roots);
  const unknown = missing("relation", name, new Set(schema.relations.map((one) => one.name)));
  return { nodes: [heading, list, ...unknown, relation.doc ? h("p", { className: "soft" }, relation.doc) : "", said, problem, h("div", { className: "scroll" }, tree)].filter(Boolean), refresh, every: 1000 };
}
