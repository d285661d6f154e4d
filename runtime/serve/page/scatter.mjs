// Dots on a canvas that can be zoomed and moved: by wheel, drag, pinch, keys and buttons. Dots are
// written into the pixels of the canvas, in slices, so that 100,000 of them do not stop the page.
import { h } from "./dom.mjs";
import { marks } from "./chart.mjs";

const NEAR = 12; // pixels from the pointer to a dot
const STEP = 1.25; // of zooming by a key or button
const MARGIN = 0.04; // of the canvas, around all dots
const GRID_PX = 90; // the least distance between two marks of an axis
const CLICK_PX = 4; // a drag is longer
const FAR = 20; // pixels outside of the canvas: the disc of a dot there may reach into it
const SLICE = 20000; // dots that are drawn in one task
const RADII = [[500, 4.5], [5000, 3.5], [20000, 2.5], [Infinity, 1.5]]; // of dots, by their number

/** Returns a function that writes a disc into the pixels of a picture. Pixels beyond its left and right edge are left out. */
function stamp_of(radius, width) {
  const reach = Math.ceil(radius);
  const rows = []; // of the disc: how far each extends to both sides
  for (let y = -reach; y <= reach; y++) rows.push(Math.floor(Math.sqrt(Math.max(radius * radius - y * y, -1))));
  return (pixels, column, row, colour) => {
    for (let k = 0; k < rows.length; k++) {
      const wide = rows[k];
      const start = (row + k - reach) * width;
      if (!(wide >= 0) || start < 0 || start >= pixels.length) continue;
      const within = (at) => start + Math.min(Math.max(at, 0), width);
      pixels.fill(colour, within(column - wide), within(column + wide + 1));
    }
  };
}

/** Lets the browser answer keys, clicks and frames before the next slice of work. */
function next_task() {
  return new Promise((done) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => done();
    port2.postMessage(null);
  });
}

/** Returns the least and greatest of some numbers; 0 and 1 if there are none. */
export function span_of(numbers) {
  let [low, high] = [Infinity, -Infinity];
  for (const one of numbers) {
    if (one < low) low = one;
    if (one > high) high = one;
  }
  return low > high ? [0, 1] : [low, high];
}

/**
 * Makes the canvas. `point(i)` is called with the place of the dot under the pointer, or -1;
 * `open(i)` when it is clicked; `moved(area)` after the shown area has changed, with null if all
 * dots fit. `even` gives both axes the same scale, and lets y grow downwards as on a map. Returns the
 * element, `draw(dots)`, `mark(i)`, `zoom(times)`, `fit()` and `show(area)`.
 */
export function scatter({ even, point, open, moved }) {
  const canvas = h("canvas", { className: "scatter", tabIndex: 0, role: "img" });
  const node = h("div", { className: "scattered" }, canvas);
  const context = canvas.getContext("2d");
  const pointers = new Map(); // pressed ones, by their ids
  let dots = { count: 0, x: [], y: [], place: [], colours: [] };
  let area = null; // x and y of its left top corner and its right bottom one; null to fit all dots
  let marked = -1;
  let dragged = 0; // pixels, since the pointer was pressed
  let spans = [0, 0, 1, 1]; // of all dots: least x and y, greatest x and y
  let waits = false; // a drawing waits for the next frame, or is being made
  let again = false; // something has changed since it began

  /** Returns the shown area, with the same scale on both axes if they are even. */
  function shown() {
    let [left, top, right, bottom] = area ?? spans;
    if (!area) {
      const pad = (low, high) => (high - low || 1) * MARGIN;
      const [wide, tall] = [pad(left, right), pad(top, bottom)];
      [left, right, top, bottom] = [left - wide, right + wide, top - tall, bottom + tall];
      if (!even) [top, bottom] = [bottom, top];
    }
    if (even) {
      const scale = Math.max((right - left) / (canvas.clientWidth || 1), (bottom - top) / (canvas.clientHeight || 1));
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      const [wide, tall] = [scale * canvas.clientWidth / 2, scale * canvas.clientHeight / 2];
      [left, right, top, bottom] = [x - wide, x + wide, y - tall, y + tall];
    }
    return { left, top, wide: (right - left) || 1, tall: (bottom - top) || 1 };
  }

  function scales() {
    const { left, top, wide, tall } = shown();
    const [width, height] = [canvas.clientWidth || 1, canvas.clientHeight || 1];
    return {
      x: (value) => (value - left) / wide * width, y: (value) => (value - top) / tall * height,
      x_at: (pixel) => left + pixel / width * wide, y_at: (pixel) => top + pixel / height * tall,
    };
  }

  /** Shows the area whose corners are at these pixels now. */
  function show_pixels(left, top, right, bottom) {
    const { x_at, y_at } = scales();
    area = [x_at(left), y_at(top), x_at(right), y_at(bottom)];
    moved(area);
    redraw();
  }

  /** Zooms around a pixel, which stays in its place. */
  function zoom(times, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) {
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    show_pixels(x - x / times, y - y / times, x + (width - x) / times, y + (height - y) / times);
  }

  function move(x, y) {
    show_pixels(-x, -y, canvas.clientWidth - x, canvas.clientHeight - y);
  }

  function fit() {
    area = null;
    moved(null);
    redraw();
  }

  /** Returns the dot that is the nearest to a pixel, or -1. */
  function nearest(at_x, at_y) {
    const { x, y } = scales();
    let [best, found] = [NEAR * NEAR, -1];
    for (let i = 0; i < dots.count; i++) {
      const far = (x(dots.x[i]) - at_x) ** 2 + (y(dots.y[i]) - at_y) ** 2;
      if (far <= best) [best, found] = [far, i];
    }
    return found;
  }

  /**
   * Writes the dots into the pixels of the canvas, in slices, so that the page answers between them.
   * Counts the dots that are inside.
   */
  async function draw_dots(ratio) {
    const { width, height } = canvas;
    const now = dots;
    const image = context.createImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    const colours = Uint32Array.from(now.colours, ([red, green, blue]) => 255 << 24 | blue << 16 | green << 8 | red);
    const stamp = stamp_of(RADII.find(([most]) => now.count <= most)[1] * ratio, width);
    const { x, y } = scales();
    const [left, right, top, bottom] = [x(0) * ratio, (x(1) - x(0)) * ratio, y(0) * ratio, (y(1) - y(0)) * ratio];
    let inside = 0;
    for (let i = 0; i < now.count; i++) {
      if (i > 0 && i % SLICE === 0) await next_task();
      const column = Math.round(left + now.x[i] * right);
      const row = Math.round(top + now.y[i] * bottom);
      if (column < -FAR || row < -FAR || column >= width + FAR || row >= height + FAR) continue;
      if (column >= 0 && row >= 0 && column < width && row < height) inside++;
      stamp(pixels, column, row, colours[now.place[i]]);
    }
    canvas.dataset.drawn = inside;
    return image;
  }

  function draw_axes(ink) {
    const { x, y, x_at, y_at } = scales();
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    const between = (a, b, pixels) => marks(Math.min(a, b), Math.max(a, b), Math.floor(pixels / GRID_PX), false);
    context.fillStyle = ink;
    context.font = "11px system-ui, sans-serif";
    context.textAlign = "center";
    for (const one of between(x_at(0), x_at(width), width)) {
      context.fillRect(x(one), height - 5, 1, 5);
      if (x(one) > 40 && x(one) < width - 30) context.fillText(one.toLocaleString("en"), x(one), height - 8);
    }
    context.textAlign = "left";
    for (const one of between(y_at(0), y_at(height), height)) {
      context.fillRect(0, y(one), 5, 1);
      if (y(one) > 12 && y(one) < height - 24) context.fillText(one.toLocaleString("en"), 8, y(one) + 4);
    }
  }

  function draw_marked(ink) {
    if (marked < 0 || marked >= dots.count) return;
    const { x, y } = scales();
    context.strokeStyle = ink;
    context.lineWidth = 2.5;
    context.beginPath();
    context.arc(x(dots.x[marked]), y(dots.y[marked]), 9, 0, 2 * Math.PI);
    context.stroke();
  }

  async function draw_all() {
    again = false;
    if (canvas.clientWidth > 0) {
      const ratio = devicePixelRatio || 1;
      const [width, height] = [Math.round(canvas.clientWidth * ratio), Math.round(canvas.clientHeight * ratio)];
      if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
      const image = await draw_dots(ratio);
      context.setTransform(1, 0, 0, 1, 0, 0);
      context.putImageData(image, 0, 0);
      context.setTransform(ratio, 0, 0, ratio, 0, 0);
      const style = getComputedStyle(canvas);
      draw_axes(style.getPropertyValue("--soft"));
      draw_marked(style.getPropertyValue("--ink"));
    }
    waits = false;
    if (again) redraw();
  }

  /** Draws in the next frame, once for all changes before it. A drawing that has begun is finished first. */
  function redraw() {
    again = true;
    if (!waits) requestAnimationFrame(draw_all);
    waits = true;
  }

  function mark(i) {
    if (i === marked) return;
    marked = i;
    redraw();
  }

  function press(event) {
    pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
    if (pointers.size === 1) dragged = 0;
    canvas.setPointerCapture(event.pointerId);
  }

  /** Moves the area with one pressed pointer, and zooms it with two. */
  function drag(event) {
    const before = pointers.get(event.pointerId);
    const now = [event.offsetX, event.offsetY];
    const far = Math.hypot(now[0] - before[0], now[1] - before[1]);
    dragged += far;
    if (pointers.size === 1 && dragged < CLICK_PX) return;
    pointers.set(event.pointerId, now);
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (!other) {
      move(now[0] - before[0], now[1] - before[1]);
      return;
    }
    const apart = ([x, y]) => Math.max(Math.hypot(x - other[0], y - other[1]), 1);
    zoom(apart(now) / apart(before), (now[0] + other[0]) / 2, (now[1] + other[1]) / 2);
  }

  function release(event) {
    const was = pointers.delete(event.pointerId);
    if (!was || event.type !== "pointerup" || dragged >= CLICK_PX) return;
    const found = nearest(event.offsetX, event.offsetY);
    if (found >= 0) open(found);
  }

  function key(event) {
    const arrows = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key];
    const times = { "+": STEP, "=": STEP, "-": 1 / STEP }[event.key];
    if (arrows) move(arrows[0] * canvas.clientWidth / 10, arrows[1] * canvas.clientHeight / 10);
    else if (times) zoom(times);
    else if (event.key === "Home") fit();
    else if (event.key === "Enter" && marked >= 0) open(marked);
    else return;
    event.preventDefault();
  }

  canvas.addEventListener("pointerdown", press);
  canvas.addEventListener("pointermove", (event) => (pointers.has(event.pointerId) ? drag(event) : point(nearest(event.offsetX, event.offsetY))));
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("pointerleave", () => point(-1));
  canvas.addEventListener("keydown", key);
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    zoom(Math.exp(-event.deltaY / 400), event.offsetX, event.offsetY);
  }, { passive: false });
  new ResizeObserver(redraw).observe(canvas);
  return {
    node, canvas, mark, fit,
    zoom: (direction) => zoom(direction > 0 ? STEP : 1 / STEP),
    draw(next) {
      dots = next;
      const [[left, right], [top, bottom]] = [span_of(dots.x), span_of(dots.y)];
      spans = [left, top, right, bottom];
      redraw();
    },
    show(next) { area = next; redraw(); },
  };
}
