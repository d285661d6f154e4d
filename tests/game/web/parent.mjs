// How the inspector's page reaches a game that runs in the page around it (see socket.mjs).
export function open_line({ on_open, on_text }) {
  queueMicrotask(on_open);
  return {
    ready: () => true,
    send(request) {
      const answer = parent.weft_answer(request);
      if (answer) queueMicrotask(() => on_text(answer));
    },
  };
}
