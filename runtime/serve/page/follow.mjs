// Following links between views. A page in a frame without an address of its own (`srcdoc`) gets
// the address of the page around it, so that a link to "#/systems" would load that page into the
// frame. Therefore links to views only change the hash.

/** Lets clicks and Enter on links to views change the hash. Links in a new tab or window are left to the browser. */
export function follow_links() {
  addEventListener("click", (event) => {
    const href = event.target.closest?.("a[href]")?.getAttribute("href");
    const is_plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (event.defaultPrevented || !is_plain || !href?.startsWith("#")) return;
    event.preventDefault();
    location.hash = href;
  });
}
