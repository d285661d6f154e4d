// The colony in a page: frames, mouse, fingers and keys.
import { open_game } from "./game.mjs";
import { Inspector } from "./inspector.mjs";
import { handle_words } from "./names.mjs";
import { Picture } from "./picture.mjs";
import { keep, kept } from "./storage.mjs";

const ZOOM = 1.15;
const PAN_PIXELS = 60;
const CLICK_PIXELS = 4;
const SPEED_MIN = 0.25;
const SPEED_MAX = 64;
const WORDS_MS = 250;

const element = (id) => document.getElementById(id);
const page = { game: null, picture: null, inspector: null };

function say(words) {
  element("said").textContent = words;
}

/** Does what a key or a button is for, and says what has gone wrong. */
async function act(work) {
  try {
    await work();
  } catch (error) {
    say(error.message);
  }
}

// ------------------------------------------------------------------------------------------------
// Buttons and keys

function time() {
  return page.game.call("stats");
}

function show_time() {
  const { paused, speed } = time();
  element("pause").textContent = paused ? "go on" : "pause";
  element("speed").textContent = `${speed}×`;
}

function pause() {
  page.game.call("pause", { paused: !time().paused });
  show_time();
}

function faster(factor) {
  const speed = Math.min(Math.max(time().speed * factor, SPEED_MIN), SPEED_MAX);
  page.game.call("speed", { speed });
  show_time();
}

function zoom(factor, x = element("map").clientWidth / 2, y = element("map").clientHeight / 2) {
  page.game.calls.zoom(factor, x, y);
}

async function save() {
  try {
    await keep(page.game.save());
    say("saved");
  } catch (error) {
    say(`not saved: ${error.message}`);
  }
}

async function load() {
  const bytes = await kept();
  if (!bytes) {
    say("nothing has been saved yet");
    return;
  }
  page.game.load(bytes);
  say("loaded");
}

function inspect() {
  page.inspector.show(!page.inspector.shown);
  document.body.classList.toggle("inspected", page.inspector.shown);
}

function select(x, y) {
  const { game } = page;
  const id = game.text(game.calls.select(x, y));
  if (id) game.call("entity", { id }); // for its name
  const words = handle_words(id);
  say(id && !page.inspector.shown ? `${words}: i opens the inspector` : words);
  if (id) page.inspector.entity(id);
}

const KEYS = {
  " ": pause, ".": () => faster(2), ",": () => faster(0.5), "+": () => zoom(ZOOM), "=": () => zoom(ZOOM), "-": () => zoom(1 / ZOOM),
  ArrowLeft: () => page.game.calls.pan(PAN_PIXELS, 0), ArrowRight: () => page.game.calls.pan(-PAN_PIXELS, 0),
  ArrowUp: () => page.game.calls.pan(0, PAN_PIXELS), ArrowDown: () => page.game.calls.pan(0, -PAN_PIXELS),
  i: inspect, s: save, l: load,
};
const ONCE = [" ", "i", "s", "l"]; // however long such a key is held

// ------------------------------------------------------------------------------------------------
// Mouse, fingers, keys

/** Follows one pointer that moves the map, or two that make it larger or smaller. */
function follow_pointers(map) {
  const down = new Map();
  let moved = 0;
  const apart = () => {
    const [a, b] = [...down.values()];
    return Math.hypot(a.x - b.x, a.y - b.y);
  };
  map.onpointerdown = (event) => {
    if (event.button !== 0) return; // the browser's menu may keep for itself that it was let go
    if (down.size === 0) moved = 0;
    map.setPointerCapture(event.pointerId);
    down.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
  };
  map.onpointermove = (event) => {
    const before = down.get(event.pointerId);
    if (!before) return;
    const distance = down.size === 2 ? apart() : 0;
    const x = event.offsetX - before.x;
    const y = event.offsetY - before.y;
    moved += Math.abs(x) + Math.abs(y);
    down.set(event.pointerId, { x: event.offsetX, y: event.offsetY });
    if (down.size === 2) {
      moved += CLICK_PIXELS;
      if (distance > 0) zoom(apart() / distance, event.offsetX, event.offsetY);
    } else if (moved >= CLICK_PIXELS) {
      page.game.calls.pan(x, y);
    }
  };
  map.onpointerup = (event) => {
    const alone = down.size === 1;
    down.delete(event.pointerId);
    if (alone && moved < CLICK_PIXELS) select(event.offsetX, event.offsetY);
  };
  map.onpointercancel = (event) => down.delete(event.pointerId);
  map.onwheel = (event) => {
    event.preventDefault();
    if (event.deltaY !== 0) zoom(event.deltaY < 0 ? ZOOM : 1 / ZOOM, event.offsetX, event.offsetY);
  };
}

function follow_keys() {
  addEventListener("keydown", (event) => {
    const work = KEYS[event.key];
    if (!work || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === " " && document.activeElement?.tagName === "BUTTON") return;
    event.preventDefault();
    if (!event.repeat || !ONCE.includes(event.key)) act(work);
  });
}

function follow_buttons() {
  const work = { pause, slower: () => faster(0.5), faster: () => faster(2), smaller: () => zoom(1 / ZOOM), larger: () => zoom(ZOOM), save, load, inspect };
  for (const [id, done] of Object.entries(work)) {
    element(id).onclick = (event) => {
      act(done);
      if (event.detail > 0) element(id).blur(); // a mouse leaves the space key to the game
    };
  }
}

// ------------------------------------------------------------------------------------------------
// Time

function play() {
  let before = performance.now();
  let told = 0;
  const frame = (now) => {
    try {
      page.game.advance(Math.max(0, now - before) / 1000);
      page.picture.draw();
    } catch (error) {
      say(error.message);
      return;
    }
    before = now;
    if (now - told > WORDS_MS) {
      told = now;
      element("words").textContent = page.game.text(page.game.calls.words());
      show_time();
    }
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

function data(id) {
  return Uint8Array.from(atob(element(id).textContent), (letter) => letter.charCodeAt(0));
}

/** The options of the address, as those of the command line: `?villagers=60&seed=2`. */
function words_of(search) {
  return [...new URLSearchParams(search)].map(([name, value]) => `--${name} ${value}`).join(" ");
}

async function begin() {
  page.game = await open_game(data("module"), words_of(location.search));
  page.picture = new Picture(element("map"), page.game);
  const html = new TextDecoder().decode(data("inspector_page"));
  page.inspector = new Inspector(element("inspector"), html, page.game);
  globalThis.weft_game = page.game; // for the console
  follow_pointers(element("map"));
  follow_keys();
  follow_buttons();
  say("click on someone; i opens the inspector");
  play();
}

act(begin);
