// Unsent text, kept in this browser (IndexedDB, written through to the disk) until the server has acknowledged that
// very text. One entry for each user, round, document and tab: two tabs never write over each other's, and the text
// of one person is never read for another.

const STORE = "texts";
let opening = null;

function open() {
  opening ??= new Promise((resolve, reject) => {
    const request = indexedDB.open("roofline", 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(STORE, { keyPath: "id" }).createIndex("owner", "owner");
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  opening.catch(() => { opening = null; });
  return opening;
}

async function transact(mode, work) {
  const database = await open();
  return new Promise((resolve, reject) => {
    const transaction = database.transaction(STORE, mode, { durability: "strict" });
    const request = work(transaction.objectStore(STORE));
    transaction.oncomplete = () => resolve(request?.result);
    transaction.onerror = transaction.onabort = () => reject(transaction.error);
  });
}

export class Journal {
  constructor(user, round) {
    this.owner = `${user}/${round}`;
    // A tab is alive as long as it holds the lock of its own name; the entries of a dead one may be taken over.
    this.tab = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
    this.alive = new Promise((granted) => {
      if (!navigator.locks) return granted();
      navigator.locks.request(this.lockName(this.tab), () => { granted(); return new Promise(() => {}); });
    });
  }

  lockName(tab) {
    return `roofline/${this.owner}/${tab}`;
  }

  id(key) {
    return `${this.owner}/${key}/${this.tab}`;
  }

  write(key, { text, baseRevision, saveId, unanswered }) {
    const entry = {
      id: this.id(key), owner: this.owner, key, tab: this.tab, text, baseRevision, saveId, unanswered, at: Date.now(),
    };
    return transact("readwrite", (store) => store.put(entry));
  }

  /** Forget an entry, if it still holds the text that was acknowledged. */
  clear(id, text) {
    return transact("readwrite", (store) => {
      const reading = store.get(id);
      reading.onsuccess = () => { if (reading.result && reading.result.text === text) store.delete(id); };
      return reading;
    });
  }

  /** Entries that no living tab holds, newest first. */
  async orphans() {
    await this.alive;
    const entries = await transact("readonly", (store) => store.index("owner").getAll(this.owner));
    const held = navigator.locks ? (await navigator.locks.query()).held.map((lock) => lock.name) : [this.lockName(this.tab)];
    return entries.filter((entry) => !held.includes(this.lockName(entry.tab))).sort((a, b) => b.at - a.at);
  }
}
