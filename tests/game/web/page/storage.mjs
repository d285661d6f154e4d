// Saves in the browser's storage.
const NAME = "colony";
const STORE = "saves";

function opened() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

async function within(mode, work) {
  const store = await opened();
  return new Promise((resolve, reject) => {
    const transaction = store.transaction(STORE, mode);
    const request = work(transaction.objectStore(STORE));
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error); // an error aborts, and is there only then
  }).finally(() => store.close());
}

/** Keeps a save, and resolves once the browser has it. */
export function keep(bytes) {
  return within("readwrite", (store) => store.put(bytes, "save"));
}

/** Resolves to the save that was kept last; undefined: there is none. */
export function kept() {
  return within("readonly", (store) => store.get("save"));
}
