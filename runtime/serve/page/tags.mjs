// The tags of an entity, in a strip of fixed height. A tag that was removed stays in its place, so
// that no button moves while the game runs.
import { show_absent } from "./cards.mjs";
import { h } from "./dom.mjs";
import { writes_of } from "./writers.mjs";

/** Makes the strip. `remove(button, name)` removes a tag; null if the page is read-only. Returns elements, and `update(names)`. */
export function tags_view(app, id, opened, remove) {
  const tags = app.schema.components.filter((one) => one.storage === "tag");
  const none = h("span", { className: "soft" }, "no tags");
  const strip = h("div", { id: "tags", role: "group", "aria-label": "tags", hidden: tags.length === 0 }, none);
  const boxes = h("div", { id: "tag-writes" });
  const chips = new Map(); // of the tags that it has or had

  function chip_of(tag) {
    const writes = writes_of(app, tag.name, id);
    const button = remove
      ? h("button", { className: "danger", title: `remove ${tag.name}`, "aria-label": `remove ${tag.name}`, onclick: () => remove(button, tag.name) }, "✕")
      : null;
    const node = h("span", { className: "tag", id: `component-${tag.name}`, title: tag.doc ?? "" }, h("span", {}, tag.name), writes.button, button);
    boxes.append(writes.box);
    if (opened === tag.name) writes.toggle();
    return { node, writes, button };
  }

  function update(names) {
    for (const tag of tags) {
      const has = names.includes(tag.name);
      if (has && !chips.has(tag.name)) {
        chips.set(tag.name, chip_of(tag));
        none.remove();
        strip.append(chips.get(tag.name).node);
      }
      const chip = chips.get(tag.name);
      if (!chip) continue;
      show_absent(chip.node, has, chip.button, chip.writes.button);
      chip.writes.refresh();
    }
  }
  return { nodes: [strip, boxes], update, box_of: (name) => chips.get(name)?.writes.box };
}
