// The colony in a page: frames, keys and buttons.
import { open_game } from "./game.mjs";
import { Inspector } from "./inspector.mjs";
import { Panel } from "./panel.mjs";
import { Picture } from "./picture.mjs";
import { follow_pointers } from "./pointers.mjs";
import { keep, kept } from "./storage.mjs";

const ZOOM = 1.15;
const PAN_PIXELS = 60;
const SPEED_MIN = 0.25;
const SPEED_MAX = 64;
const WORDS_MS = 250;

const element = (id) => document.getElementById(id);
const page = { game: null, picture: null, panel: null, inspector: null };

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
// Actions

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

/** Shows the selected entity in the panel and, if it is open, in the inspector. */
function show_selected() {
  page.panel.update();
  if (page.panel.id) page.inspector.entity(page.panel.id);
}

function select(x, y) {
  say("");
  page.game.calls.select(x, y);
  show_selected();
}

function close() {
  page.game.calls.unselect();
  show_selected();
}

function follow() {
  const follows = page.game.calls.follow();
  say(follows || page.panel.id ? "" : "click on someone, then follow");
  page.panel.update();
}

const KEYS = {
  " ": pause, ".": () => faster(2), ",": () => faster(0.5), "+": () => zoom(ZOOM), "=": () => zoom(ZOOM), "-": () => zoom(1 / ZOOM),
  ArrowLeft: () => page.game.calls.pan(PAN_PIXELS, 0), ArrowRight: () => page.game.calls.pan(-PAN_PIXELS, 0),
  ArrowUp: () => page.game.calls.pan(0, PAN_PIXELS), ArrowDown: () => page.game.calls.pan(0, -PAN_PIXELS),
  f: follow, v: () => page.panel.toggle_values(), Escape: close, i: inspect, s: save, l: load,
};
const ONCE = [" ", "f", "v", "Escape", "i", "s", "l"]; // however long such a key is held

// ------------------------------------------------------------------------------------------------
// Keys and buttons

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
  const work = { pause, slower: () => faster(0.5), faster: () => faster(2), smaller: () => zoom(1 / ZOOM), larger: () => zoom(ZOOM), save, load, inspect, close, follow, open: inspect };
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
    const seconds = Math.max(0, now - before) / 1000;
    try {
      page.game.advance(seconds);
      page.picture.draw(seconds, page.panel.shown);
    } catch (error) {
      say(error.message);
      return;
    }
    before = now;
    if (now - told > WORDS_MS) {
      told = now;
      element("words").textContent = page.game.text(page.game.calls.words());
      show_time();
      page.panel.update();
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
  page.panel = new Panel(element("panel"), page.game);
  const html = new TextDecoder().decode(data("inspector_page"));
  page.inspector = new Inspector(element("inspector"), html, page.game);
  globalThis.weft_game = page.game; // for the console
  follow_pointers(element("map"), page.game.calls, select);
  follow_keys();
  follow_buttons();
  say(matchMedia("(pointer: coarse)").matches ? "tap someone" : "click on someone; i opens the inspector");
  play();
}

act(begin);
