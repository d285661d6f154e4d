// Mouse and fingers on the map: one moves it, two scale it, a click selects, and the minimap moves
// the camera.
const CLICK_PIXELS = 4;
const TAP_PIXELS = 12; // a finger is less steady than a mouse
const ZOOM = 1.15;

function middle([a, b]) {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, apart: Math.hypot(a.x - b.x, a.y - b.y) };
}

/** Follows the pointers on a map. Calls `select` with the pixel of a click. */
export function follow_pointers(map, calls, select) {
  const down = new Map();
  let moved = 0;
  let on_minimap = false;
  let pinched = false;

  map.onpointerdown = (event) => {
    if (event.button !== 0) return; // the browser may not report the release while its menu is open
    const { offsetX: x, offsetY: y } = event;
    if (down.size === 0) {
      moved = 0;
      pinched = false;
      on_minimap = calls.is_minimap(x, y) !== 0;
    }
    map.setPointerCapture(event.pointerId);
    down.set(event.pointerId, { x, y });
    if (on_minimap) calls.move_to(x, y);
  };

  const pinch = (before) => {
    const after = middle([...down.values()]);
    pinched = true;
    calls.pan(after.x - before.x, after.y - before.y);
    if (before.apart > 0) calls.zoom(after.apart / before.apart, after.x, after.y);
  };

  map.onpointermove = (event) => {
    const { offsetX: x, offsetY: y } = event;
    const last = down.get(event.pointerId);
    if (!last) {
      map.style.cursor = calls.is_minimap(x, y) ? "crosshair" : "";
      return;
    }
    const before = down.size === 2 ? middle([...down.values()]) : null;
    down.set(event.pointerId, { x, y });
    moved += Math.abs(x - last.x) + Math.abs(y - last.y);
    if (on_minimap) {
      calls.move_to(x, y);
    } else if (before) {
      pinch(before);
    } else if (pinched || moved >= (event.pointerType === "touch" ? TAP_PIXELS : CLICK_PIXELS)) {
      calls.pan(x - last.x, y - last.y);
    }
  };

  map.onpointerup = (event) => {
    const alone = down.size === 1;
    const known = down.delete(event.pointerId);
    const most = event.pointerType === "touch" ? TAP_PIXELS : CLICK_PIXELS;
    if (known && alone && !on_minimap && !pinched && moved < most) select(event.offsetX, event.offsetY);
  };
  map.onpointercancel = (event) => down.delete(event.pointerId);
  map.onwheel = (event) => {
    event.preventDefault();
    if (event.deltaY !== 0) calls.zoom(event.deltaY < 0 ? ZOOM : 1 / ZOOM, event.offsetX, event.offsetY);
  };
}
