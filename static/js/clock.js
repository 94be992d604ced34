// The round's clock. The deadline is the server's; this page only works out how far off it is, from the server's own
// time, and never counts by itself. While it does not know, it says so.
import { requestJson } from "./net.js";

const LOOK_EVERY_MS = 30_000;
const RETRY_MS = 2_000;
const CLOCKS_DISAGREE_MS = 1_500;
const ANNOUNCE_AT_MINUTES = [10, 5, 1];

/** Whole seconds left at `serverNowMs`, never below zero. */
export function secondsLeft(deadlineMs, serverNowMs) {
  return Math.max(0, Math.ceil((deadlineMs - serverNowMs) / 1000));
}

export function asMinutes(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

export class Clock {
  /** @param {(answer: object) => void} onAnswer every answer of the server, also while nothing runs */
  constructor({ url, face, announcer, onAnswer, onZero }) {
    Object.assign(this, { url, face, announcer, onAnswer, onZero });
    this.reading = null;
    this.looking = null;
    this.shown = null;
    this.atZero = false;
  }

  start() {
    this.paint();
    this.look();
    setInterval(() => this.paint(), 250);
    setInterval(() => { if (!document.hidden) this.look(); }, LOOK_EVERY_MS);
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.look(); });
    addEventListener("focus", () => this.look());
    addEventListener("online", () => this.look());
    addEventListener("pageshow", (event) => { if (event.persisted) { this.reading = null; this.paint(); this.look(); } });
  }

  /** Ask the server. Safe to call at any time: one question at a time. */
  look() {
    this.looking ??= this.lookOnce().finally(() => { this.looking = null; });
    return this.looking;
  }

  async lookOnce() {
    const askedAt = performance.now();
    const answer = await requestJson(this.url);
    if (answer.kind !== "json" || answer.status !== 200) {
      setTimeout(() => { if (this.unknown) this.look(); }, RETRY_MS);
      return null;
    }
    const answeredAt = performance.now();
    const body = answer.body;
    this.reading = {
      serverMs: Date.parse(body.server_now) + (answeredAt - askedAt) / 2,
      deadlineMs: body.deadline_at ? Date.parse(body.deadline_at) : null,
      pausedSecondsLeft: body.paused ? body.paused_seconds_left : null,
      perf: answeredAt,
      wall: Date.now(),
    };
    this.paint();
    this.onAnswer(body);
    return body;
  }

  /** The server's time now, or null: after sleep, or when the machine's clock was set, the page does not know. */
  serverNow() {
    if (!this.reading) return null;
    const byPerf = performance.now() - this.reading.perf;
    const byWall = Date.now() - this.reading.wall;
    return Math.abs(byPerf - byWall) > CLOCKS_DISAGREE_MS ? null : this.reading.serverMs + byPerf;
  }

  get unknown() {
    return this.serverNow() === null;
  }

  paint() {
    const now = this.serverNow();
    if (now === null) {
      this.show("syncing", "unknown");
      if (this.reading) this.look();
      return;
    }
    if (this.reading.pausedSecondsLeft !== null) {
      this.show(asMinutes(Math.ceil(this.reading.pausedSecondsLeft)), "paused");
      return;
    }
    if (this.reading.deadlineMs === null) {
      this.show("–", "none");
      return;
    }
    const left = secondsLeft(this.reading.deadlineMs, now);
    this.show(asMinutes(left), left === 0 ? "zero" : left <= 60 ? "last" : left <= 300 ? "low" : "runs");
    this.announce(left);
    if (left === 0 && !this.atZero) {
      this.atZero = true;
      this.onZero();
    } else if (left > 0) {
      this.atZero = false;
    }
  }

  show(text, kind) {
    if (this.shown === text + kind) return;
    this.shown = text + kind;
    this.face.textContent = text;
    this.face.dataset.kind = kind;
  }

  announce(left) {
    const minute = ANNOUNCE_AT_MINUTES.find((minutes) => left <= minutes * 60 && left > minutes * 60 - 10);
    if (minute === undefined || this.announced === minute) return;
    this.announced = minute;
    this.announcer.textContent = `${minute} minute${minute === 1 ? "" : "s"} left`;
  }
}
