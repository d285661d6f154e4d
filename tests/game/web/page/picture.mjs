// The picture on a canvas: ground, sprites, night, and a frame around what is selected.
const SPRITE_SIDE = 8;
const STAMP_BYTES = 20; // x, y, side; sprite, coat
const GRASS = "rgb(24, 30, 26)";

function image_of(bytes, width, height) {
  const canvas = new OffscreenCanvas(width, height);
  const pixels = new ImageData(new Uint8ClampedArray(bytes), width, height);
  canvas.getContext("2d").putImageData(pixels, 0, 0);
  return canvas;
}

export class Picture {
  constructor(canvas, game) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d", { alpha: false });
    this.game = game;
    const { calls } = game;
    const width = calls.sheet_width();
    const height = calls.sheet_height();
    this.sheet = image_of(game.bytes(calls.sheet(), 4 * width * height), width, height);
    this.ground = null;
    this.painted = ""; // the tick that the ground shows, and which part of it
  }

  /** Makes the canvas as large as it is shown, and tells the camera. */
  fit() {
    const width = Math.max(1, this.canvas.clientWidth);
    const height = Math.max(1, this.canvas.clientHeight);
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
    }
    this.game.calls.screen(width, height);
    this.context.imageSmoothingEnabled = false;
  }

  /** The ground is painted anew after a load, too. */
  forget() {
    this.painted = "";
  }

  draw() {
    this.fit();
    const { calls } = this.game;
    const count = calls.collect();
    const lights = calls.lights();
    this.draw_ground();
    const dots = calls.dots();
    if (dots) this.draw_dots(dots);
    else this.draw_stamps(calls.stamps(), count);
    this.draw_night(calls.stamps() + STAMP_BYTES * count, lights);
    this.draw_frame(calls.frame());
  }

  draw_ground() {
    const { calls } = this.game;
    const [left, top, width, height] = new Int32Array(calls.memory.buffer, calls.ground_part(), 4);
    const shown = [calls.ticks(), left, top, width, height].join();
    if (this.painted !== shown) {
      this.painted = shown;
      this.ground = image_of(this.game.bytes(calls.ground(), 4 * width * height), width, height);
    }
    const [x, y, tile] = new Float32Array(calls.memory.buffer, calls.ground_place(), 3);
    this.context.fillStyle = GRASS;
    this.context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    this.context.drawImage(this.ground, x + left * tile, y + top * tile, width * tile, height * tile);
  }

  /** All sprites in one picture, as large as the canvas: each by itself would take ten times as long. */
  draw_dots(at) {
    const { width, height } = this.canvas;
    this.context.drawImage(image_of(this.game.bytes(at, 4 * width * height), width, height), 0, 0);
  }

  draw_stamps(at, count) {
    const view = new DataView(this.game.calls.memory.buffer, at);
    for (let i = 0; i < count; i++) {
      const one = STAMP_BYTES * i;
      const x = view.getFloat32(one, true);
      const y = view.getFloat32(one + 4, true);
      const side = view.getFloat32(one + 8, true);
      const sprite = view.getUint32(one + 12, true);
      const coat = view.getUint32(one + 16, true);
      this.context.drawImage(this.sheet, SPRITE_SIDE * sprite, SPRITE_SIDE * coat, SPRITE_SIDE, SPRITE_SIDE, x, y, side, side);
    }
  }

  draw_night(at, count) {
    const dark = this.game.calls.darkness();
    if (dark <= 0) return;
    this.context.fillStyle = `rgba(12, 18, 56, ${(150 / 255) * dark})`;
    this.context.fillRect(0, 0, this.canvas.width, this.canvas.height);
    this.context.globalAlpha = dark;
    this.draw_stamps(at, count);
    this.context.globalAlpha = 1;
  }

  draw_frame(at) {
    if (at === 0) return;
    const [x, y, side] = new Float32Array(this.game.calls.memory.buffer, at, 3);
    this.context.strokeStyle = "rgb(255, 240, 120)";
    this.context.strokeRect(x - 2, y - 2, side + 4, side + 4);
  }
}
