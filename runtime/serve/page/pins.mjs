// The pinned entities: their handles are kept in the browser for one start of the game, because handles mean
// other entities in the next one.
import { h, toast } from "./dom.mjs";
import { handle_words } from "./names.mjs";

export const PINS_MAX = 8;
const HANDLE = /^\d+:\d+$/;
const key_of = (app) => `weft pins ${app.schema.name} ${app.stats.started}`;

/** Returns the handles of the pinned entities, in the order in which they were pinned. */
export function pinned(app) {
  const key = key_of(app);
  if (app.pins?.key === key) return app.pins.ids;
  try {
    app.pins = { key, ids: JSON.parse(sessionStorage.getItem(key) ?? "[]").filter((one) => HANDLE.test(one)) };
  } catch {
    app.pins = { key, ids: [] }; // the browser keeps nothing for this page
  }
  return app.pins.ids;
}

/** Replaces all pins. Those above the limit are left out. */
export function set_pins(app, ids) {
  const key = key_of(app);
  app.pins = { key, ids: [...new Set(ids)].filter((one) => HANDLE.test(one)).slice(0, PINS_MAX) };
  try {
    sessionStorage.setItem(key, JSON.stringify(app.pins.ids));
  } catch {
    // then they are kept until a reload
  }
}

/** Pins entities. Shows a message with their names, and returns whether all of them are pinned now. */
export function pin(app, ids) {
  const before = pinned(app);
  const added = ids.filter((one) => !before.includes(one));
  set_pins(app, [...before, ...added]);
  const all = added.every((one) => pinned(app).includes(one));
  const many = added.length === 1 ? handle_words(added[0]) : `${added.length} entities`;
  if (!all) toast(`At most ${PINS_MAX} entities can be pinned: unpin others first.`);
  else if (added.length > 0) toast(`Pinned ${many}.`, true);
  return all;
}

export const unpin = (app, id) => set_pins(app, pinned(app).filter((one) => one !== id));

/** Makes the button that pins an entity, or unpins it. */
export function pin_button(app, id) {
  const is_pinned = () => pinned(app).includes(id);
  const show = () => {
    node.textContent = is_pinned() ? "unpin" : "pin";
    node.setAttribute("aria-pressed", String(is_pinned()));
  };
  const node = h("button", { id: "pin", "aria-label": `pin ${handle_words(id)}`, title: "show it beside other pinned entities", onclick: () => {
    if (is_pinned()) unpin(app, id);
    else pin(app, [id]);
    show();
  } });
  show();
  return node;
}
