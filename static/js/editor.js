// The page of a running round: every text in step with the server, the clock above, the keys, and handing in.
import { Clock } from "./clock.js";
import { showConflict } from "./conflict_view.js";
import { DocumentSync } from "./document_sync.js";
import { Journal } from "./journal.js";
import { sayWhatIsMissing } from "./missing.js";
import { requestJson } from "./net.js";
import { shownStatus, warningFor, WORDS, worstOf } from "./save_status.js";
import { Worksheet } from "./worksheet.js";

const LOOK_AT_THE_BELL_EVERY_MS = 1_000;

export class RoundPage {
  constructor(element) {
    this.element = element;
    this.data = element.dataset; // user, round, state, paused, clockUrl, documentUrl, addendaUrl, focusUrl
    this.journal = new Journal(this.data.user, this.data.round);
    this.documents = new Map();
    this.leaving = false;
    this.lastSection = null;
    this.notice = ""; // what the banner says while no text is held up
    this.placeName = `roofline/${this.data.round}/${this.data.state}/place`;
  }

  start() {
    for (const holder of document.querySelectorAll("[data-document]")) this.addEditor(holder);
    this.clock = new Clock({
      url: this.data.clockUrl,
      face: document.querySelector("[data-clock-face]"),
      announcer: document.querySelector("[data-announcer]"),
      onAnswer: (answer) => this.onClock(answer),
      onZero: () => this.onBell(),
    });
    this.clock.start();
    this.takeOverOrphans();
    this.listen();
    this.showOverall();
    this.returnToSection();
  }

  urlOf(key) {
    return this.data.documentUrl.replace("/s1/", `/${key}/`);
  }

  addEditor(holder) {
    const area = holder.querySelector("[data-text]");
    const key = holder.dataset.document;
    const sync = this.addDocument(key, area.defaultValue, Number(holder.dataset.revision), (doc) => this.showDocument(holder, area, doc));
    area.addEventListener("input", () => {
      sync.edit(area.value);
      if (key !== "worksheet") fit(area);
    });
    area.addEventListener("blur", () => sync.send());
    area.addEventListener("focus", () => this.onFocus(key, area));
    if (key === "worksheet") this.worksheet = new Worksheet(holder, this, sync);
    else fit(area);
    if (area.value !== area.defaultValue) sync.edit(area.value); // typed before this script ran
    if (this.data.paused === "yes" || area.readOnly) sync.status = this.data.paused === "yes" ? "paused" : sync.status;
    this.showDocument(holder, area, sync);
  }

  addDocument(key, text, revision, onChange) {
    const sync = new DocumentSync({
      key, text, revision, url: this.urlOf(key), addendaUrl: this.data.addendaUrl, journal: this.journal,
      onChange: (doc) => { onChange(doc); this.showOverall(); this.onSettled(doc); },
    });
    this.documents.set(key, sync);
    return sync;
  }

  showDocument(holder, area, doc) {
    if (area.value !== doc.text && doc.status !== "conflict") {
      const [start, end] = [area.selectionStart, area.selectionEnd];
      area.value = doc.text;
      if (document.activeElement === area) area.setSelectionRange(start, end);
      if (doc.key !== "worksheet") fit(area);
      this.worksheet?.sync === doc && this.worksheet.evaluateSoon();
    }
    const [status, shown] = shownStatus(doc);
    const label = holder.querySelector("[data-doc-state]");
    if (label.textContent !== shown) label.textContent = shown;
    label.dataset.status = status;
    const message = holder.querySelector("[data-doc-message]");
    message.textContent = doc.message;
    const tick = document.querySelector(`[data-tick="${doc.key}"]`);
    if (tick) tick.dataset.status = doc.status === "saved" ? (doc.text.trim() ? "saved" : "empty") : doc.status;
    const locked = this.leaving || ["conflict", "paused", "sealed"].includes(doc.status);
    if (area.readOnly !== locked) area.readOnly = locked;
    showConflict(holder.querySelector("[data-conflict]"), doc);
  }

  showOverall() {
    const documents = [...this.documents.values()];
    const status = worstOf(documents);
    const overall = document.querySelector("[data-save-overall]");
    if (overall) {
      if (overall.textContent !== WORDS[status]) overall.textContent = WORDS[status];
      overall.dataset.status = status;
    }
    this.banner(warningFor(documents, status) || this.notice);
  }

  banner(text) {
    const banner = document.querySelector("[data-banner]");
    if (!banner || banner.textContent === text) return;
    banner.textContent = text;
    banner.hidden = text === "";
  }

  /** Text that closed or crashed tabs left in this browser. */
  async takeOverOrphans() {
    let entries = [];
    try {
      entries = await this.journal.orphans();
    } catch {
      return;
    }
    for (const entry of entries) {
      let doc = this.documents.get(entry.key);
      doc ??= this.addDocument(entry.key, null, entry.baseRevision, () => {}); // its editor is not on this page any more
      if (doc.adopted.some((known) => known.id === entry.id) || doc.status === "conflict") continue;
      await doc.adopt(entry);
    }
  }

  /** A text found the round sealed: see what state it is in, and show where late text went. */
  onSettled(doc) {
    if (doc.status !== "sealed" || this.leaving || !this.isAllSynced) return;
    if (this.running) this.clock?.look();
    else if (doc.addendumOffered) this.leave();
  }

  get running() {
    return ["arithmetic", "writing"].includes(this.data.state);
  }

  get isAllSynced() {
    return [...this.documents.values()].every((doc) => !doc.isUnsynced);
  }

  flush() {
    return Promise.all([...this.documents.values()].map(async (doc) => {
      await doc.send();
      if (doc.isUnsynced) await doc.send();
    }));
  }

  async onClock(answer) {
    if (this.leaving) return;
    if (answer.state !== this.data.state || answer.paused !== (this.data.paused === "yes")) await this.leave();
  }

  async onBell() {
    if (!this.running) return;
    this.notice = this.data.state === "writing"
      ? "Time. The last words are taken in, then the submission is sealed."
      : "Time. The sections open now.";
    this.banner(this.notice);
    for (const area of document.querySelectorAll("[data-text]")) area.readOnly = true;
    await this.flush();
    const looking = setInterval(async () => {
      const answer = await this.clock.look();
      if (this.leaving || (answer && answer.state === this.data.state && !this.clock.atZero)) clearInterval(looking);
    }, LOOK_AT_THE_BELL_EVERY_MS);
  }

  /** The round has moved on: send what is here, make sure of the journal, and show the new state. */
  async leave() {
    if (this.leaving) return;
    this.leaving = true;
    for (const area of document.querySelectorAll("[data-text]")) area.readOnly = true;
    await this.flush();
    await Promise.all([...this.documents.values()].map((doc) => doc.writeJournal()));
    if ([...this.documents.values()].some((doc) => doc.isUnsynced && doc.journalFailed)) {
      this.banner("The round has moved on, and this browser cannot keep the text above. Copy it before you reload.");
      return;
    }
    location.replace(location.pathname);
  }

  listen() {
    addEventListener("beforeunload", (event) => {
      if (!this.leaving && !this.isAllSynced) event.preventDefault();
    });
    addEventListener("pagehide", () => this.hide());
    document.addEventListener("visibilitychange", () => (document.hidden ? this.hide() : this.wake()));
    addEventListener("online", () => this.wake());
    addEventListener("focus", () => this.wake());
    addEventListener("keydown", (event) => this.onKey(event));
    document.querySelector("[data-hand-in]")?.addEventListener("submit", (event) => this.handIn(event));
    sayWhatIsMissing(document.querySelector("[data-hand-in-missing]"));
    for (const form of document.querySelectorAll("[data-flush-first]")) {
      form.addEventListener("submit", (event) => this.flushThenSubmit(event));
    }
    for (const opener of document.querySelectorAll("[data-opens-calculator]")) {
      opener.addEventListener("click", () => this.recordFocus("calculator"));
    }
  }

  hide() {
    if (this.focused !== "calculator") this.recordFocus("away");
    for (const doc of this.documents.values()) {
      doc.writeJournal();
      if (doc.isUnsynced && doc.text.length < 15_000) doc.send({ keepalive: true });
    }
  }

  wake() {
    const holder = document.activeElement?.closest("[data-document]");
    if (holder) this.recordFocus(holder.dataset.document);
    for (const doc of this.documents.values()) doc.retry();
    this.takeOverOrphans();
  }

  onKey(event) {
    if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === "s") {
      event.preventDefault();
      for (const doc of this.documents.values()) doc.status === "login" || doc.status === "offline" ? doc.retry() : doc.send();
      return;
    }
    if (!event.altKey || event.ctrlKey || event.metaKey) return;
    const digit = /^Digit(\d)$/.exec(event.code);
    const target = digit ? document.getElementById(`text-s${digit[1] === "0" ? 10 : digit[1]}`)
      : event.code === "KeyW" ? document.getElementById("text-worksheet") : null;
    if (!target) return;
    event.preventDefault();
    target.focus();
    target.closest("[data-document]").scrollIntoView({ block: "start" });
  }

  onFocus(key, area) {
    if (key !== "worksheet") this.lastSection = area;
    for (const link of document.querySelectorAll("[data-nav]")) {
      link.dataset.nav === key ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current");
    }
    this.recordFocus(key);
    try { sessionStorage.setItem(this.placeName, key); } catch { /* only a convenience */ }
  }

  recordFocus(key) {
    if (!this.running || this.data.paused === "yes" || this.focused === key) return;
    this.focused = key;
    requestJson(this.data.focusUrl, { method: "POST", body: { key }, keepalive: true });
  }

  returnToSection() {
    if (!this.running || location.hash) return;
    let key = null;
    try { key = sessionStorage.getItem(this.placeName); } catch { /* only a convenience */ }
    (document.getElementById(`text-${key}`) ?? document.querySelector("[data-first-focus]"))?.focus();
  }

  insert(text) {
    const area = this.lastSection ?? document.querySelector('[data-document="s1"] [data-text]');
    if (!area || area.readOnly) return;
    const apart = /\S$/.test(area.value.slice(0, area.selectionStart)) ? " " : ""; // never run on from the last word
    area.setRangeText(apart + text, area.selectionStart, area.selectionEnd, "end");
    area.dispatchEvent(new Event("input", { bubbles: true }));
    area.focus();
  }

  async handIn(event) {
    event.preventDefault();
    const form = event.target;
    const before = form.querySelector("[data-hand-in-message]");
    before.textContent = "Saving the last words…";
    await this.flush();
    if (!this.isAllSynced) {
      before.textContent = "Nothing was handed in: some text has not reached the server. It is kept here. Press again once it is saved; the bell hands in what the server has.";
      return;
    }
    const answer = await this.clock.look();
    if (!answer) {
      before.textContent = "Nothing was handed in: there is no connection. The bell hands in what the server has.";
      return;
    }
    this.leaving = true;
    form.submit();
  }

  async flushThenSubmit(event) {
    event.preventDefault();
    const { target: form, submitter } = event;
    await this.flush();
    if (!this.isAllSynced) return this.banner("Not done: some text has not reached the server yet. It is kept here.");
    this.leaving = true;
    if (submitter?.name) form.append(Object.assign(document.createElement("input"), { type: "hidden", name: submitter.name, value: submitter.value }));
    return form.submit();
  }
}

function fit(area) {
  if (CSS.supports("field-sizing", "content")) return; // the style sheet does it
  area.rows = Math.max(6, area.value.split("\n").length + 1 + Math.floor(area.value.length / 90));
}

const element = document.querySelector("[data-round]");
if (element) new RoundPage(element).start();
