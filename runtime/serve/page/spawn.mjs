// The form for a new entity, and for the parts of its prefab.
import { card, missing } from "./cards.mjs";
import { chooser, h } from "./dom.mjs";
import { form_of } from "./form.mjs";
import { call } from "./link.mjs";
import { go_to_problem, show_refusal } from "./problem.mjs";
import { ITEMS_SHOWN } from "./values.mjs";

/** Makes the cards of the components of a prefab. `at` is the path of the part, "" for the root. */
function components_of({ schema, defaults }, prefab, at) {
  const forms = prefab.components.map((of) => [of, form_of({ schema, blank: "default", defaults }, schema.component.get(of).fields, `${at}${of}`)]);
  const cards = forms.map(([of, form]) => {
    const { doc, storage } = schema.component.get(of);
    return card(of, doc, null, storage === "tag" ? h("span", { className: "hint" }, "a tag") : form.node);
  });
  return {
    node: cards.length > 0 ? h("div", { className: "cards" }, cards) : null,
    read: () => Object.fromEntries(forms.map(([of, form]) => [of, form.read()]).filter(([, typed]) => typed)),
  };
}

/**
 * Makes the group of one entity of a part. Its forms are made when it is opened, because a prefab
 * may have a thousand entities.
 */
function group_of(context, part, at, label) {
  const { schema } = context;
  const prefab = schema.prefab.get(part.prefab);
  let form = null;
  const inner = h("div", { className: "inner" });
  const about = [part.prefab, `attached by ${part.by}`, part.doc].filter(Boolean).join(" · ");
  const node = h("details", {
    className: "part", "aria-label": at,
    ontoggle: () => {
      if (!node.open || form) return;
      form = form_of_prefab({ ...context, defaults: null }, prefab, `${at}.`); // the part may override values
      inner.append(...form.nodes);
    },
  }, h("summary", {}, label, " ", h("span", { className: "hint" }, about)), inner);
  return { node, read: () => form?.read() };
}

/** Makes the groups of a part: one for each of its entities. */
function part_of(context, part, at) {
  if (part.count === 1) {
    const { node, read } = group_of(context, part, at, part.name);
    return { nodes: [node], read };
  }
  const shown = Math.min(part.count, ITEMS_SHOWN);
  const groups = Array.from({ length: shown }, (_, i) => group_of(context, part, `${at}[${i}]`, `${part.name}[${i}]`));
  const more = part.count > shown ? [h("p", { className: "hint" }, `the first ${shown} of ${part.count} ${part.name}`)] : [];
  return {
    nodes: [...groups.map((one) => one.node), ...more],
    read: () => {
      const typed = groups.map((one) => one.read() ?? null);
      return typed.some(Boolean) ? typed : undefined;
    },
  };
}

/** Makes the forms of a prefab and its parts. `at` is the path of the part with a dot, "" for the root. */
function form_of_prefab(context, prefab, at) {
  const components = components_of(context, prefab, at);
  const path = (part) => `${at}${part.name}`.replaceAll(/\[\d+\]/g, "");
  const parts = (prefab.parts ?? []).filter((part) => !context.left_out.includes(path(part)))
    .map((part) => [part.name, part_of(context, part, `${at}${part.name}`)]);
  return {
    nodes: [components.node, ...parts.flatMap(([, part]) => part.nodes)].filter(Boolean),
    read: () => {
      const typed = {};
      const own = components.read();
      const below = parts.map(([name, part]) => [name, part.read()]).filter(([, one]) => one);
      if (Object.keys(own).length > 0) typed.components = own;
      if (below.length > 0) typed.parts = Object.fromEntries(below);
      return Object.keys(typed).length > 0 ? typed : undefined;
    },
  };
}

export function spawn_view(app, name) {
  const { schema } = app;
  const pick = chooser({ id: "prefab", "aria-label": "prefab" }, (prefab_name) => { location.hash = `#/spawn/${prefab_name}`; },
    h("option", { value: "" }, "without components"), schema.prefabs.map((one) => h("option", { value: one.name }, one.name)));
  const prefab = schema.prefab.get(name);
  pick.value = prefab ? prefab.name : "";
  const defaults = Object.fromEntries((prefab?.components ?? []).map((of) => [of, prefab.values?.[of] ?? schema.component.get(of).defaults]));
  const form = prefab && form_of_prefab({ schema, defaults, left_out: prefab.left_out ?? [] }, prefab, "");

  async function spawn({ currentTarget: pressed }) {
    const typed = form?.read() ?? {};
    if (go_to_problem(inputs)) return;
    try {
      const made = await call("spawn", { prefab: prefab?.name, ...typed });
      location.hash = `#/entity/${made.id}`;
    } catch (error) {
      show_refusal(inputs, error.message, pressed);
    }
  }
  const inputs = h("div", {}, form?.nodes ?? []);
  const button = (id) => h("button", { className: "main", id, disabled: !app.stats.writable, onclick: spawn }, "Spawn");
  const top = h("div", { className: "row" }, pick, button("spawn"), h("span", { className: "soft" }, prefab?.doc ?? ""));
  const below = form?.nodes.length > 0 ? [button("spawn-below")] : []; // below the last input
  return { nodes: [h("h2", {}, "Spawn"), ...missing("prefab", name, schema.prefab), top, inputs, ...below], first: prefab && pick };
}
