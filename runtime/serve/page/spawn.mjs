// The form for a new entity.
import { card, missing } from "./cards.mjs";
import { chooser, h, toast } from "./dom.mjs";
import { form_of } from "./form.mjs";
import { act } from "./link.mjs";

export function spawn_view(app, name) {
  const { schema } = app;
  const pick = chooser({ id: "prefab", "aria-label": "prefab" }, (prefab_name) => { location.hash = `#/spawn/${prefab_name}`; },
    h("option", { value: "" }, "without components"), schema.prefabs.map((one) => h("option", { value: one.name }, one.name)));
  const prefab = schema.prefab.get(name);
  pick.value = prefab ? prefab.name : "";
  const forms = (prefab?.components ?? []).map((of) => ({ of, form: form_of({ schema, blank: "default" }, schema.component.get(of).fields, of) }));
  const cards = forms.map(({ of, form }) => {
    const { doc, storage } = schema.component.get(of);
    return card(of, doc, null, storage === "tag" ? h("span", { className: "hint" }, "a tag") : form.node);
  });

  async function spawn() {
    const wrong = [];
    const components = {};
    for (const { of, form } of forms) {
      const typed = form.read(wrong);
      if (typed) components[of] = typed;
    }
    for (const words of wrong) toast(words);
    if (wrong.length > 0) return;
    const made = await act("spawn", { prefab: prefab?.name, components });
    if (made) location.hash = `#/entity/${made.id}`;
  }
  const button = (id) => h("button", { className: "main", id, disabled: !app.stats.writable, onclick: spawn }, "Spawn");
  const top = h("div", { className: "row" }, pick, button("spawn"), h("span", { className: "soft" }, prefab?.doc ?? ""));
  const below = cards.length > 0 ? [button("spawn-below")] : []; // below the last input
  return { nodes: [h("h2", {}, "Spawn"), ...missing("prefab", name, schema.prefab), top, h("div", { className: "cards" }, cards), ...below], first: prefab && pick };
}
