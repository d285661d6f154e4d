// The picture on a canvas. The module paints it, pixel by pixel: the page puts it there as it is.
export class Picture {
  constructor(canvas, game) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d", { alpha: false });
    this.game = game;
  }

  /** Gives the canvas the size in which it is shown, and the module that size. */
  fit(has_panel) {
    const width = Math.max(1, this.canvas.clientWidth);
    const height = Math.max(1, this.canvas.clientHeight);
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
    }
    this.game.calls.screen(width, height, has_panel);
  }

  /** Draws a frame. Takes the seconds since the last one, and whether the panel is next to the map. */
  draw(seconds, has_panel) {
    this.fit(has_panel);
    const { calls } = this.game;
    const at = calls.picture(seconds);
    if (at === 0) throw new Error("there is no memory for a picture");
    const { width, height } = this.canvas;
    const pixels = new Uint8ClampedArray(calls.memory.buffer, at, 4 * width * height);
    this.context.putImageData(new ImageData(pixels, width, height), 0, 0);
  }
}
