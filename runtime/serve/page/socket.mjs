// How the page reaches the game: a WebSocket of the server that it came from. A page that is made
// for another way has another module in place of this one (see bundle.py).

/** Opens a line to the game. It is told when the line is open, what comes, and when it is closed. */
export function open_line({ on_open, on_text, on_close }) {
  const socket = new WebSocket(`${location.origin.replace(/^http/, "ws")}/rpc${location.search}`);
  socket.onopen = on_open;
  socket.onmessage = (event) => on_text(event.data);
  socket.onclose = on_close;
  return { ready: () => socket.readyState === WebSocket.OPEN, send: (text) => socket.send(text) };
}
