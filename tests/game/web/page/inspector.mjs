// The inspector beside the picture: its own page in a frame, whose calls go straight into the module.
export class Inspector {
  constructor(frame, html, game) {
    this.frame = frame;
    this.html = html;
    globalThis.weft_answer = (request) => game.ask(request);
  }

  get shown() {
    return !this.frame.hidden;
  }

  show(shown) {
    this.frame.hidden = !shown;
    if (shown && !this.frame.srcdoc) this.frame.srcdoc = this.html;
  }

  /** Shows an entity, by its handle. */
  entity(id) {
    if (!this.shown) return;
    this.frame.contentWindow.location.hash = `#/entity/${id}`;
  }
}
