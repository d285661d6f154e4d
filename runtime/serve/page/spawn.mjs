// The form for a new entity.
import { card, missing } from "./cards.mjs";
import { chooser, h } from "./dom.mjs";
import { form_of } from "./form.mjs";
import { call } from "./link.mjs";
import { go_to_problem, show_refusal } from "./problem.mjs";

export function spawn_view(app, name) {
  const { schema } = app;
  const pick = chooser({ id: "prefab", "aria-label": "prefab" }, (prefab_name) => { location.hash = `#/spawn/${prefab_name}`; },
    h("option", { value: "" }, "without components"), schema.prefabs.map((one) => h("option", { value: one.name }, one.name)));
  const prefab = schema.prefab.get(name);
  pick.value = prefab ? prefab.name : "";
  const defaults = Object.fromEntries((prefab?.components ?? []).map((of) => [of, prefab.values?.[of] ?? schema.component.get(of).defaults]));
  const forms = (prefab?.components ?? []).map((of) => ({ of, form: form_of({ schema, blank: "default", defaults }, schema.component.get(of).fields, of) }));
  const cards = forms.map(({ of, form }) => {
    const { doc, storage } = schema.component.get(of);
    return card(of, doc, null, storage === "tag" ? h("span", { className: "hint" }, "a tag") : form.node);
  });

  async function spawn({ currentTarget: pressed }) {
    const components = {};
    for (const { of, form } of forms) {
      const typed = form.read();
      if (typed) components[of] = typed;
    }
    if (go_to_problem(inputs)) return;
    try {
      const made = await call("spawn", { prefab: prefab?.name, components });
      location.hash = `#/entity/${made.id}`;
    } catch (error) {
      show_refusal(inputs, error.message, pressed);
    }
  }
  const inputs = h("div", { className: "cards" }, cards);
  const button = (id) => h("button", { className: "main", id, disabled: !app.stats.writable, onclick: spawn }, "Spawn");
  const top = h("div", { className: "row" }, pick, button("spawn"), h("span", { className: "soft" }, prefab?.doc ?? ""));
  const below = cards.length > 0 ? [button("spawn-below")] : []; // below the last input
  return { nodes: [h("h2", {}, "Spawn"), ...missing("prefab", name, schema.prefab), top, inputs, ...below], first: prefab && pick };
}
