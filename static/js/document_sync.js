// One document of a round, kept in step with the server: no page elements here, only the protocol.
// One request at a time; every text has a save id, so a save sent twice counts once; an answer to an older text never
// touches a newer one.
import { requestJson } from "./net.js";

const JOURNAL_AFTER_MS = 250;
const SEND_AFTER_MS = 1_000;
const SEND_AT_LEAST_EVERY_MS = 3_000;
const BACK_OFF_MS = [1_000, 2_000, 4_000, 8_000, 15_000, 30_000];

const newSaveId = () => crypto.randomUUID?.() ?? `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;

export class DocumentSync {
  /**
   * @param {object} options key, url, addendaUrl, text (null: not known here) and revision, as the page was rendered, and the journal
   * @param {(doc: DocumentSync) => void} options.onChange called when `status`, `message` or `text` changed
   */
  constructor({ key, url, addendaUrl, text, revision, journal, onChange }) {
    Object.assign(this, { key, url, addendaUrl, revision, journal, onChange });
    this.text = text ?? "";
    this.server = { text, revision };
    this.saveId = null;
    this.unanswered = new Set(); // ids of saves sent since the last acknowledgement whose answers have not come
    this.status = "saved"; // saved unsaved saving offline login refused conflict paused sealed
    this.message = "";
    this.conflict = null;
    this.adopted = []; // journal entries of closed tabs that this document answers for
    this.waiting = []; // those of them that have not been taken up yet
    this.inFlight = null;
    this.failures = 0;
    this.firstUnsentAt = 0;
    this.timers = {};
  }

  get isUnsynced() {
    return this.saveId !== null;
  }

  get isHeldUp() {
    return ["conflict", "refused", "paused", "sealed"].includes(this.status);
  }

  set(status, message = "") {
    this.status = status;
    this.message = message;
    this.onChange(this);
  }

  edit(text) {
    if (text === this.text) return;
    this.text = text;
    this.saveId = newSaveId();
    this.firstUnsentAt ||= Date.now();
    this.timers.journal ??= setTimeout(() => this.writeJournal(), JOURNAL_AFTER_MS);
    if (this.status === "refused" || this.status === "saved") this.set("unsaved");
    const wait = Math.min(SEND_AFTER_MS, Math.max(0, this.firstUnsentAt + SEND_AT_LEAST_EVERY_MS - Date.now()));
    if (!["offline", "login"].includes(this.status)) this.sendIn(wait);
  }

  async writeJournal() {
    clearTimeout(this.timers.journal);
    this.timers.journal = null;
    if (!this.isUnsynced) return;
    try {
      await this.journal.write(this.key, {
        text: this.text, baseRevision: this.revision, saveId: this.saveId, unanswered: [...this.unanswered],
      });
      this.journalFailed = false;
    } catch {
      this.journalFailed = true;
      this.onChange(this);
    }
  }

  /** Text that a closed tab left behind: newer than what the page shows, so it is shown and sent, in its turn. */
  adopt(entry) {
    this.adopted.push({ id: entry.id, text: entry.text });
    this.waiting.push(entry);
    return this.takeUpNext();
  }

  async takeUpNext() {
    if (this.isUnsynced || this.status === "conflict" || this.waiting.length === 0) return undefined;
    const entry = this.waiting.shift();
    if (entry.text === this.server.text) {
      this.clearJournal(entry.text);
      return this.takeUpNext();
    }
    this.text = entry.text;
    this.revision = entry.baseRevision;
    this.saveId = entry.saveId;
    this.unanswered = new Set(entry.unanswered);
    this.set(this.status === "paused" ? "paused" : "unsaved");
    return this.send();
  }

  clearJournal(text) {
    for (const { id } of this.adopted.filter((entry) => entry.text === text)) this.journal.clear(id, text).catch(() => {});
    this.adopted = this.adopted.filter((entry) => entry.text !== text);
    this.journal.clear(this.journal.id(this.key), text).catch(() => {});
  }

  sendIn(milliseconds) {
    clearTimeout(this.timers.send);
    this.timers.send = setTimeout(() => this.send(), milliseconds);
  }

  /** Send what is unsent. Resolves when the present request has been answered. */
  send({ keepalive = false } = {}) {
    if (this.inFlight) return this.inFlight;
    if (!this.isUnsynced || this.isHeldUp) return Promise.resolve();
    clearTimeout(this.timers.send);
    this.inFlight = this.sendOnce(keepalive).finally(() => {
      this.inFlight = null;
      if (this.isUnsynced && !this.isHeldUp && !["offline", "login"].includes(this.status)) this.sendIn(SEND_AFTER_MS);
      this.takeUpNext();
    });
    return this.inFlight;
  }

  async sendOnce(keepalive) {
    const sent = { text: this.text, base_revision: this.revision, save_id: this.saveId };
    this.firstUnsentAt = 0;
    this.unanswered.add(sent.save_id);
    this.set("saving");
    const answer = await requestJson(this.url, { method: "PUT", body: sent, keepalive });
    if (answer.kind === "json" && answer.status === 200 && Number.isInteger(answer.body.revision)) {
      return this.acknowledge(sent, answer.body.revision);
    }
    if (answer.kind === "login") return this.waitForLogin();
    if (answer.kind === "json" && answer.status === 409) return this.refusedAs(answer.body, sent);
    if (answer.kind === "json" && (answer.status === 413 || answer.status === 422)) {
      return this.set("refused", answer.body.message ?? "The server refused this text. It is kept here.");
    }
    return this.backOff();
  }

  acknowledge(sent, revision) {
    this.failures = 0;
    this.unanswered.clear();
    this.clearJournal(sent.text);
    if (this.saveId !== sent.save_id) { // typed on meanwhile: the newer text stays, and builds on this revision
      this.revision = revision;
      this.server = { text: sent.text, revision };
      this.firstUnsentAt ||= Date.now();
      this.writeJournal();
      return this.set("unsaved");
    }
    this.saveId = null;
    if (revision < this.server.revision) { // an old save that had arrived before: what came after it stands
      this.text = this.server.text;
      this.revision = this.server.revision;
    } else {
      this.revision = revision;
      this.server = { text: sent.text, revision };
    }
    return this.set("saved");
  }

  backOff() {
    const wait = BACK_OFF_MS[Math.min(this.failures, BACK_OFF_MS.length - 1)];
    this.failures += 1;
    this.set("offline");
    this.sendIn(wait);
  }

  waitForLogin() {
    this.set("login", "You are logged out here, or logged in as someone else. Log in in another tab, then retry.");
    this.sendIn(BACK_OFF_MS.at(-1));
  }

  async refusedAs(body, sent) {
    if (body.reason === "stale") {
      if (body.text === this.text) return this.acknowledge({ ...sent, text: this.text, save_id: this.saveId }, body.revision);
      if (this.unanswered.has(body.save_id)) return this.buildOn(body);
      return this.startConflict(this.text, body);
    }
    if (body.reason === "paused") return this.set("paused", body.message ?? "The round is paused.");
    return this.offerAddendum(body);
  }

  /** What was saved "elsewhere" is this document's own earlier text: its answer was lost, and one typed on. */
  buildOn({ text, revision }) {
    this.unanswered.clear();
    this.revision = revision;
    this.server = { text, revision };
    this.writeJournal();
    this.set("unsaved");
  }

  startConflict(mine, { text, revision }) {
    this.unanswered.clear();
    this.server = { text, revision };
    this.conflict = { mine, theirs: text, revision };
    this.writeJournal();
    this.set("conflict", "This text was also changed elsewhere. Nothing is overwritten: choose what stands.");
  }

  /** The trainee chose `text` in the face of both. */
  resolve(text) {
    const { revision, theirs, mine } = this.conflict;
    this.conflict = null;
    this.revision = revision;
    this.text = text;
    this.clearJournal(mine);
    this.saveId = text === theirs ? null : newSaveId();
    this.set(text === theirs ? "saved" : "unsaved");
    this.writeJournal();
    return text === theirs ? this.takeUpNext() : this.send();
  }

  /** The submission is sealed: what is still held here is offered beside it, not thrown away. */
  async offerAddendum(body) {
    const text = this.text;
    if (body.text === text || body.addendum === null) { // it stands in the submission already
      this.clearJournal(text);
      this.saveId = null;
      return this.set("sealed", body.message ?? "");
    }
    const answer = body.addendum ? { kind: "json", status: 201 } : await requestJson(this.addendaUrl, {
      method: "POST",
      body: { key: this.key, text, save_id: this.saveId },
    });
    if (answer.kind === "login") return this.waitForLogin();
    if (answer.kind !== "json" || answer.status >= 500) return this.backOff();
    if (answer.status >= 400) return this.set("refused", answer.body.message ?? "The late text was refused. It is kept here.");
    this.clearJournal(text);
    this.saveId = null;
    this.addendumOffered = true;
    return this.set("sealed", "Too late for the submission. Your text is kept beside it as a late addendum.");
  }

  resumeAfterPause() {
    if (this.status !== "paused") return;
    this.set(this.isUnsynced ? "unsaved" : "saved");
    this.send();
  }

  /** On coming online or back to the tab: try at once, whatever the back-off says. */
  retry() {
    if (this.isUnsynced && ["offline", "login", "unsaved"].includes(this.status)) this.send();
  }
}
