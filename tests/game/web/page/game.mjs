// The colony's module: its calls, with texts and bytes instead of places in its memory.
import { learn_names } from "./names.mjs";
import { wasi_imports } from "./wasi.mjs";

const text_of = new TextDecoder();
const bytes_of = new TextEncoder();

export async function open_game(code, words) {
  const module = await WebAssembly.compile(code);
  let printed = "";
  let opened = false;
  let calls = null;
  const imports = wasi_imports(module, () => calls.memory, (text) => {
    console.warn(text);
    if (!opened) printed += text;
  });
  calls = (await WebAssembly.instantiate(module, imports)).exports;
  calls._initialize();
  const game = new Game(calls);
  const asked = game.put(bytes_of.encode(`${words}\0`));
  opened = calls.open(asked) !== 0;
  if (!opened) throw new Error(printed || "the colony does not open");
  calls.give_back(asked);
  return game;
}

class Game {
  constructor(calls) {
    this.calls = calls;
  }

  /** Copies bytes into the module's memory; they are to be given back. */
  put(bytes) {
    const at = this.calls.space(bytes.length);
    if (at === 0) throw new Error("there is no memory for more");
    new Uint8Array(this.calls.memory.buffer).set(bytes, at);
    return at;
  }

  bytes(at, count) {
    return new Uint8Array(this.calls.memory.buffer, at, count);
  }

  text(at) {
    const memory = new Uint8Array(this.calls.memory.buffer);
    return text_of.decode(memory.subarray(at, memory.indexOf(0, at)));
  }

  /** Answers a request of JSON-RPC. */
  ask(request) {
    const bytes = bytes_of.encode(request);
    const at = this.put(bytes);
    const answer = this.calls.ask(at, bytes.length);
    this.calls.give_back(at);
    if (answer === 0) throw new Error("there is no memory for an answer");
    return text_of.decode(this.bytes(answer, this.calls.answered()));
  }

  /** Asks the inspector, and returns its result. Keeps the names of the entities in it. */
  call(method, params = {}) {
    const { result, error, names } = JSON.parse(this.ask(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params, names: true })));
    learn_names(names);
    if (error) throw new Error(error.message);
    return result;
  }

  /** Lets time pass. */
  advance(seconds) {
    if (!this.calls.advance(seconds)) throw new Error(this.error());
  }

  error() {
    return this.text(this.calls.error());
  }

  save() {
    const at = this.calls.save();
    if (at === 0) throw new Error(this.error());
    return this.bytes(at, this.calls.answered()).slice();
  }

  load(bytes) {
    const at = this.put(bytes);
    const loaded = this.calls.load(at, bytes.length);
    this.calls.give_back(at);
    if (!loaded) throw new Error(this.error());
  }

  hash() {
    return this.text(this.calls.hash());
  }
}
