// The messages of the world.
import { h } from "./dom.mjs";
import { call } from "./link.mjs";
import { named_words } from "./names.mjs";
import { search_box } from "./search.mjs";
import { copy_tools } from "./table.mjs";

export function messages_view(app) {
  const list = h("ul", { className: "log", id: "messages" });
  let since = 0;
  async function refresh() {
    const lines = await call("messages", { since }).catch(() => []);
    for (const line of lines) {
      if (line.number <= since) continue;
      since = line.number;
      list.prepend(h("li", { "data-tick": line.tick, "data-text": line.text }, h("span", { className: "soft mono" }, `tick ${line.tick.toLocaleString("en")}  `), named_words(line.text)));
    }
    search.apply();
    none.hidden = list.childElementCount > 0;
  }
  const search = search_box("search the messages", () => [...list.children]);
  const copied = async () => ({ heads: ["tick", "message"], rows: [...list.children].filter((line) => !line.matches(".unfound")).map(({ dataset }) => [Number(dataset.tick), dataset.text]) });
  const none = h("p", { className: "soft", id: "none", role: "status", hidden: true }, "There is no message yet: the game has logged nothing, and no call was refused.");
  refresh();
  return { nodes: [h("h2", {}, "Messages and refusals"), h("p", { className: "soft" }, "Lines of the world's log and refused requests of pages, the newest first."), h("div", { className: "row" }, search.node, copy_tools(app, "messages", copied)), none, list], refresh, every: 1000 };
}
