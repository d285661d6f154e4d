// The connection to the game: JSON-RPC over a WebSocket, which is opened again when it closes.
import { toast } from "./dom.mjs";

const RETRY_MS = 1000;
const waiting = new Map();
let socket = null;
let last = 0;

export const link_state = { open: false, on_change: () => {} };

function address() {
  return `${location.origin.replace(/^http/, "ws")}/rpc${location.search}`;
}

function set_open(open) {
  link_state.open = open;
  link_state.on_change();
}

export function connect() {
  socket = new WebSocket(address());
  socket.onopen = () => set_open(true);
  socket.onmessage = (event) => {
    const answer = JSON.parse(event.data);
    const asked = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (!asked) return;
    if (answer.error) asked.reject(new Error(answer.error.message));
    else asked.resolve(answer.result);
  };
  socket.onclose = () => {
    for (const asked of waiting.values()) asked.reject(new Error("the game does not answer"));
    waiting.clear();
    set_open(false);
    setTimeout(connect, RETRY_MS);
  };
}

/** Asks the game. The promise is rejected with the game's words. */
export function call(method, params = {}) {
  return new Promise((resolve, reject) => {
    if (!socket || socket.readyState !== WebSocket.OPEN) {
      reject(new Error("the game does not answer"));
      return;
    }
    const id = ++last;
    waiting.set(id, { resolve, reject });
    socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
  });
}

/** Asks the game to do something, and shows why it does not. Returns whether it did. */
export async function act(method, params = {}) {
  try {
    const result = await call(method, params);
    return result === undefined ? true : result;
  } catch (error) {
    toast(error.message);
    return null;
  }
}
