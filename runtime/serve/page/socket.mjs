// The connection to the game: a WebSocket to the server that the page was loaded from. A page with
// another connection replaces this module (see bundle.py).

/** Connects to the game. The callbacks are called when the connection opens, receives a text, and closes. */
export function open_line({ on_open, on_text, on_close }) {
  const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/rpc${location.search}`);
  socket.onopen = on_open;
  socket.onmessage = (event) => on_text(event.data);
  socket.onclose = on_close;
  return { ready: () => socket.readyState === WebSocket.OPEN, send: (text) => socket.send(text) };
}
