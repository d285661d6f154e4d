// The components of an entity: tags in a strip, the others as cards that keep their places. The card
// of a component that was removed stays, and is filled again if the component is added again.
import { card, show_absent } from "./cards.mjs";
import { chart_at } from "./charts.mjs";
import { card_columns, keep_height } from "./columns.mjs";
import { h, keep_focus } from "./dom.mjs";
import { stop_at } from "./stops.mjs";
import { tags_view } from "./tags.mjs";
import { fields_view, is_typed, shape_of } from "./values.mjs";
import { writes_of } from "./writers.mjs";

/**
 * Makes the view. `opened` is a component whose writers are shown at once, `set(path, value)`
 * changes a value and returns why it is refused, or "", and `remove(button, name)` removes a
 * component and shows a refusal beside the button; both are null if the page is read-only.
 * Returns elements, `update(components)`, and `box_of(name)`, the box of the writers.
 */
export function components_view(app, id, opened, { set, remove }) {
  const { schema } = app;
  const columns = card_columns("components");
  const tags = tags_view(app, id, opened, remove);
  const none = h("p", { className: "soft", id: "none" }, "It has no components.");
  const slots = new Map(); // by component

  function slot_of(component) {
    const { name } = component;
    const button = remove
      ? h("button", { className: "danger", title: `remove ${name}`, "aria-label": `remove ${name}`, onclick: () => remove(button, name) }, "remove")
      : null;
    const body = h("div", { className: "body" });
    const writes = writes_of(app, name, id);
    const node = card(name, component.doc, [writes.button, button], [body, h("div", { className: "hint removed" }, "It was removed."), writes.box]);
    node.id = `component-${name}`;
    if (opened === name) writes.toggle();
    return { node, body, writes, button, shape: null, update: () => {} };
  }

  function fill(slot, component, value) {
    const shape = shape_of(value);
    if (shape !== slot.shape && !is_typed(slot.body)) {
      const made = fields_view({ schema, set, stop: set ? stop_at(id) : null, chart: chart_at(id) }, component.fields, component.name, value);
      slot.shape = shape;
      slot.update = made.update;
      keep_focus(slot.body, () => slot.body.replaceChildren(made.node));
    }
    slot.update(value);
  }

  function update(components) {
    tags.update(Object.keys(components));
    none.hidden = Object.keys(components).length > 0;
    for (const component of schema.components) {
      const { name } = component;
      if (component.storage === "tag") continue;
      const has = name in components;
      let slot = slots.get(name);
      if (!slot && !has) continue;
      if (!slot) {
        slot = slot_of(component);
        slots.set(name, slot);
        fill(slot, component, components[name]);
        columns.place(slot.node, slot.body.querySelector(".array") !== null);
      } else if (has) {
        fill(slot, component, components[name]);
      }
      show_absent(slot.node, has, slot.button, slot.writes.button);
      slot.body.inert = !has;
      keep_height(slot.body);
      slot.writes.refresh();
    }
  }
  return { nodes: [...tags.nodes, none, columns.node], update, box_of: (name) => slots.get(name)?.writes.box ?? tags.box_of(name) };
}
