// Undoing a despawn or a removal: a message that says what happened, with a button, for ten seconds.
import { h, toast } from "./dom.mjs";
import { act } from "./link.mjs";
import { handle_words } from "./names.mjs";

const SHOWN_MS = 10000;
let offered = null; // the message that is shown, and what its button does

function take_back() {
  clearTimeout(offered?.timer);
  offered?.node.remove();
  offered = null;
}

/** Describes what came back. A new handle is named, because fields that refer to the old one do not follow. */
function words_of({ id, renewed, dropped }, was) {
  const lost = dropped > 0 ? `; ${dropped} of its links and relations could not, because their other end has changed` : "";
  if (id !== was) return `${handle_words(was)} is back as ${id}: its handle is new, because ${was} was used again${lost}.`;
  return `${handle_words(id)} is back${renewed > 0 ? `; ${renewed} of the entities below it have new handles` : ""}${lost}.`;
}

/** Describes how many entities the undo of a bulk edit restored. */
function many_words(words, { renewed, dropped }) {
  const lost = [renewed > 0 && `${renewed.toLocaleString("en")} have new handles`, dropped > 0 && `${dropped.toLocaleString("en")} things could not be restored, because their entities have changed`];
  return [`Undone: ${words}`, ...lost.filter(Boolean)].join("; ");
}

async function undo({ number, words, id, despawned, many, then }) {
  const done = await act("undo", { number });
  if (!done) return;
  toast(many ? `${many_words(words, done)}.` : despawned ? words_of(done, id) : `Undone: ${words}.`, true);
  await then(done);
}

/**
 * Says what a call took away, and offers to undo it. `done` is the result of the call, and `then`
 * is called with the result of the undo. `many` is the number of entities of a bulk edit.
 */
export function offer_undo(words, done, { id, despawned = false, many = 0, then }) {
  take_back();
  const step = { number: done.undo, words, id, despawned, many, then };
  const run = () => {
    take_back();
    undo(step);
  };
  const node = h("div", { className: "toast fine undo", id: "undo", role: "status" }, h("span", {}, `${words}. `),
    step.number === null ? h("span", {}, "It is too large to be undone.") : h("button", { onclick: run }, "Undo"));
  document.getElementById("toasts").append(node);
  offered = { node, run: step.number === null ? () => {} : run, timer: setTimeout(take_back, SHOWN_MS) };
}

/** Undoes what is offered, if anything is. */
export function undo_offered() {
  offered?.run();
}
