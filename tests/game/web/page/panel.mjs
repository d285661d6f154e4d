// The panel next to the map: sentences about the selected entity, and all its values, folded.

/** Returns the paths of all fields of a value and their texts: ["walker.goal.x", "30"]. */
function leaves(path, value) {
  if (value === null || typeof value !== "object") return [[path, String(value)]];
  return Object.entries(value).flatMap(([name, one]) => leaves(path ? `${path}.${name}` : name, one));
}

function made(tag, text) {
  const node = document.createElement(tag);
  node.textContent = text;
  return node;
}

export class Panel {
  constructor(element, game) {
    this.element = element;
    this.game = game;
    this.told = "";
    this.valued = "";
    this.part("#values").ontoggle = () => this.update();
  }

  part(selector) {
    return this.element.querySelector(selector);
  }

  get id() {
    return this.game.text(this.game.calls.selected());
  }

  /** Whether the panel takes space from the map. */
  get shown() {
    return this.element.offsetWidth > 0;
  }

  toggle_values() {
    const values = this.part("#values");
    values.open = !values.open;
  }

  update() {
    const { id } = this;
    this.element.hidden = !id;
    this.element.dataset.id = id;
    if (!id) return;
    this.tell(this.game.text(this.game.calls.story()));
    const follows = this.game.calls.follows() !== 0;
    this.part("#follow").setAttribute("aria-pressed", follows);
    if (this.part("#values").open) this.show_values(id);
  }

  /** Shows a title and sentences. Equal ones are kept, so that their text can be selected. */
  tell(story) {
    if (story === this.told) return;
    this.told = story;
    const [title, ...sentences] = story.trimEnd().split("\n");
    this.part("#title").textContent = title;
    this.part("#story").replaceChildren(...sentences.map((one) => made("p", one)));
  }

  show_values(id) {
    const { components } = this.game.call("entity", { id });
    const text = JSON.stringify(components);
    if (text === this.valued) return;
    this.valued = text;
    const rows = leaves("", components).flatMap(([path, value]) => [made("dt", path), made("dd", value)]);
    this.part("dl").replaceChildren(...rows);
  }
}
