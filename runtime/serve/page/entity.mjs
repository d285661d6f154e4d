// One entity with everything it contains, and singletons.
import { card, missing } from "./cards.mjs";
import { chart_at } from "./charts.mjs";
import { components_view } from "./components.mjs";
import { chooser, h, keep_focus } from "./dom.mjs";
import { gone_view } from "./gone.mjs";
import { act, call } from "./link.mjs";
import { links_view } from "./links.mjs";
import { handle_words, name_of } from "./names.mjs";
import { pin_button } from "./pins.mjs";
import { act_at, refusal } from "./problem.mjs";
import { referrers_view } from "./referrers.mjs";
import { relations_view } from "./relations.mjs";
import { stop_address, stop_at } from "./stops.mjs";
import { offer_undo } from "./undo.mjs";
import { writes_of } from "./writers.mjs";
import { fields_view, is_typed, shape_of } from "./values.mjs";

const LOW = 0.7; // of the window; anything that begins below is scrolled into view
const LARGE_BYTES = 16384; // a larger singleton is only read on request

/** Shows an entity. `opened` is a component or relation whose writers are shown at once. */
export function entity_view(app, id, opened) {
  const { schema } = app;
  const write = app.stats.writable;
  const top = h("div", { className: "row" });
  const name = h("strong", { id: "name" });
  const problem = h("div", { className: "bad", role: "alert", id: "problem" });
  const gone = gone_view(app, id, () => refresh());
  const components = components_view(app, id, opened, write ? { set: set_value, remove } : { set: null, remove: null });
  const relations = relations_view(app, id, opened, relate);
  const linked = links_view(app, id, () => refresh());
  const referrers = referrers_view(app, id);
  const alive = [top, ...components.nodes, relations.node, linked.node, referrers.node];
  const body = h("div", {}, alive);
  let is_gone = false;
  let had = ""; // the components that the head was made for
  let sought = false; // whether those writers were scrolled into view

  /** Changes the entity. A refusal is shown beside the input or button `at`. */
  async function change(at, method, params) {
    const done = await act_at(at, method, { id, ...params });
    await refresh();
    return done;
  }

  async function set_value(path, value) {
    const words = await refusal("set", { id, path, value });
    await refresh();
    return words;
  }

  async function remove(at, component) {
    const done = await change(at, "remove", { component });
    if (done) offer_undo(`Removed ${component} from ${handle_words(id)}`, done, { id, then: refresh });
  }

  async function relate(at, method, params) {
    const done = await change(at, method, params);
    if (done && method === "detach") offer_undo(`Detached ${handle_words(id)} by ${params.relation}`, done, { id, then: refresh });
  }

  /** Despawns the entity. The page stays where it is, and shows what is known of it then. */
  async function despawn(event) {
    const words = `Despawned ${handle_words(id)}`;
    const done = await act_at(event.currentTarget, "despawn", { id });
    if (!done) return;
    const then = (back) => {
      if (!body.isConnected) return; // another view is open by now
      if (back.id !== id) location.hash = `#/entity/${back.id}`;
      else refresh();
    };
    offer_undo(words, done, { id, despawned: true, then });
    await refresh();
  }

  function head(entity) {
    const add = chooser({ "aria-label": "component to add", id: "add" }, (component) => { if (component) change(add, "add", { component }); },
      h("option", { value: "" }, "add component…"),
      schema.components.filter((one) => !(one.name in entity.components)).map((one) => h("option", { value: one.name, title: one.doc ?? "" }, one.name)));
    const end = h("button", { className: "danger", id: "despawn", onclick: despawn }, "despawn");
    const stop = h("a", { href: stop_address(`despawn of ${id}`), id: "stop-end" }, "stop when it ends");
    top.replaceChildren(h("h2", { className: "mono" }, id), name, pin_button(app, id), ...(write ? [add, end, stop] : [h("span", { className: "soft" }, "read-only")]));
  }

  /** Scrolls the writers that the address asks for into view, once. */
  function seek() {
    if (!opened || sought) return;
    sought = true;
    const box = components.box_of(opened) ?? relations.box_of(opened);
    if (box?.getBoundingClientRect().top > innerHeight * LOW) box.scrollIntoView({ block: "center" });
  }

  /** Shows what is known of the entity if it is gone. It can exist again, by an undo or a load, or because its handle is used now. */
  function show(gone_now) {
    if (gone_now === is_gone) return;
    is_gone = gone_now;
    body.replaceChildren(...(is_gone ? [gone.node, referrers.node] : alive));
    referrers.find();
    if (document.activeElement === document.body) document.getElementById("view").focus({ preventScroll: true });
  }

  async function refresh() {
    let entity;
    try {
      entity = await call("entity", { id });
    } catch (error) {
      const known = await gone.update();
      problem.textContent = known ? "" : error.message;
      show(known);
      return;
    }
    problem.textContent = "";
    show(false);
    const has = Object.keys(entity.components).join();
    if (has !== had) {
      had = has;
      keep_focus(top, () => head(entity));
    }
    name.textContent = name_of(id);
    components.update(entity.components);
    relations.update(entity);
    linked.update(entity);
    seek();
  }

  top.append(h("h2", { className: "mono" }, id));
  if (!/^\d+:\d+$/.test(id)) {
    problem.textContent = `'${id}' is not a handle of an entity: write an index and a generation, such as 12:3`;
    return { nodes: [top, problem] };
  }
  refresh();
  referrers.find();
  return { nodes: [problem, body], refresh, every: 500 };
}

/** Shows the value of a singleton. */
export function singletons_view(app, name, opened) {
  const { schema } = app;
  if (schema.singletons.length === 0) return { nodes: [h("p", {}, "The schema has no singletons.")] };
  const singleton = schema.singleton.get(name) ?? schema.singletons[0];
  const list = h("nav", { className: "row", "aria-label": "singletons" }, schema.singletons.map((one) =>
    h("a", { href: `#/singletons/${one.name}`, title: one.doc ?? "", "aria-current": one === singleton ? "page" : null }, one.name)));
  const large = singleton.size > LARGE_BYTES;
  // Only the requested value of a state (`next`) can be set.
  const fields = singleton.state ? singleton.fields.map((one) => ({ ...one, fixed: one.name !== "next" })) : singleton.fields;
  const box = h("div");
  const writes = writes_of(app, singleton.name, null);
  if (opened === singleton.name) writes.toggle();
  let shape = "";
  let update = () => {};
  async function refresh() {
    const value = await act("singleton", { name: singleton.name });
    if (!value) return;
    if (shape_of(value) !== shape && !is_typed(box)) {
      shape = shape_of(value);
      const set = app.stats.writable ? async (path, to) => { const words = await refusal("set", { path, value: to }); refresh(); return words; } : null;
      const made = fields_view({ schema, set, stop: app.stats.writable ? stop_at(null) : null, chart: chart_at(null) }, fields, singleton.name, value);
      update = made.update;
      const again = large ? h("button", { onclick: refresh }, "read again") : null;
      box.replaceChildren(card(singleton.name, singleton.doc, [again, writes.button], [made.node, writes.box]));
    }
    update(value);
    writes.refresh();
  }
  refresh();
  return { nodes: [h("h2", { className: "unseen" }, "Singletons"), list, ...missing("singleton", name, schema.singleton), box], refresh: large ? null : refresh, every: 500 };
}
