// Calls of JSON-RPC over a connection that is reopened when it closes.
import { toast } from "./dom.mjs";
import { parse_exactly, write_exactly } from "./exact.mjs";
import { learn_names } from "./names.mjs";
import { open_line } from "./socket.mjs";

const RETRY_MS = 1000;
const waiting = new Map();
let line = null;
let last = 0;

export const link_state = { open: false, on_change: () => {} };

function set_open(open) {
  link_state.open = open;
  link_state.on_change();
}

function hear(text) {
  const answer = parse_exactly(text);
  const asked = waiting.get(answer.id);
  waiting.delete(answer.id);
  learn_names(answer.names);
  if (!asked) return;
  if (answer.error) asked.reject(new Error(answer.error.message));
  else asked.resolve(answer.result);
}

function close() {
  for (const asked of waiting.values()) asked.reject(new Error("the game does not answer"));
  waiting.clear();
  set_open(false);
  setTimeout(connect, RETRY_MS);
}

export function connect() {
  line = open_line({ on_open: () => set_open(true), on_text: hear, on_close: close });
}

/** Calls a method of the game. If the game refuses, the promise is rejected with its message. */
export function call(method, params = {}) {
  return new Promise((resolve, reject) => {
    if (!line?.ready()) {
      reject(new Error("the game does not answer"));
      return;
    }
    const id = ++last;
    waiting.set(id, { resolve, reject });
    line.send(write_exactly({ jsonrpc: "2.0", id, method, params, names: true }));
  });
}

/** Calls a method, and shows the message if the game refuses. Returns the result, or null if it was refused. */
export async function act(method, params = {}) {
  try {
    const result = await call(method, params);
    return result === undefined ? true : result;
  } catch (error) {
    toast(error.message);
    return null;
  }
}
