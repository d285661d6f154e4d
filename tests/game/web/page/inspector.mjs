// The inspector beside the picture: its own page in a frame, whose calls go straight into the module.
export class Inspector {
  constructor(frame, html, game) {
    this.frame = frame;
    this.html = html;
    this.loaded = false;
    this.wanted = ""; // the entity that is to be shown as soon as the page is there to be seen
    globalThis.weft_answer = (request) => game.ask(request);
  }

  get shown() {
    return !this.frame.hidden;
  }

  show(shown) {
    this.frame.hidden = !shown;
    if (shown && !this.frame.srcdoc) {
      this.frame.onload = () => {
        this.loaded = true;
        this.lead();
      };
      this.frame.srcdoc = this.html;
    }
    this.lead();
  }

  /** Shows an entity, by its handle, now or when the inspector is opened. */
  entity(id) {
    this.wanted = id;
    this.lead();
  }

  lead() {
    if (!this.wanted || !this.shown || !this.loaded) return;
    this.frame.contentWindow.location.hash = `#/entity/${this.wanted}`;
    this.wanted = "";
  }
}
