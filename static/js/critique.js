// Critique: the answer's first sentence is timed, the soft times are shown, and a half-written answer is kept here.
import { asMinutes } from "./clock.js";
import { requestJson } from "./net.js";

const LAST_S = 15;

/** Soft times: how long until each, or how long ago. Nothing happens when one has passed. */
class SoftTimes {
  constructor(clockUrl) {
    this.clockUrl = clockUrl;
    this.faces = [...document.querySelectorAll("[data-until]")];
    this.offsetMs = null; // server time less performance.now()
    this.firstSaid = false;
  }

  start() {
    this.paint();
    this.learnTime();
    setInterval(() => this.paint(), 500);
    document.addEventListener("visibilitychange", () => { if (!document.hidden) this.learnTime(); });
    addEventListener("focus", () => this.learnTime());
  }

  async learnTime() {
    const askedAt = performance.now();
    const answer = await requestJson(this.clockUrl);
    if (answer.kind !== "json" || !answer.body.server_now) return;
    this.offsetMs = Date.parse(answer.body.server_now) - (performance.now() + askedAt) / 2;
    this.paint();
  }

  paint() {
    for (const face of this.faces) {
      const [text, kind] = this.reading(face);
      if (face.textContent !== text) face.textContent = text;
      face.dataset.kind = kind;
    }
  }

  reading(face) {
    if (face.dataset.until === "first" && this.firstSaid) return ["said", "none"];
    if (this.offsetMs === null) return ["syncing", "unknown"];
    const left = Math.round((Date.parse(face.dataset.at) - this.offsetMs - performance.now()) / 1000);
    if (left < 0) return [`${asMinutes(-left)} over`, "zero"];
    return [asMinutes(left), left <= LAST_S ? "last" : "runs"];
  }
}

const hasSentence = (text) => /\S{2,}.*([.!?](\s|$)|\n)/s.test(text.trimStart());

const times = new SoftTimes(document.querySelector("[data-round]").dataset.clockUrl);
times.start();

const form = document.querySelector("[data-answer]");
if (form) {
  const area = form.elements.answer;
  const { firstUrl, user, round, number } = form.dataset;
  const draftName = `roofline/${user}/${round}/critique/${number}`;
  times.firstSaid = form.dataset.first === "yes";
  try { area.value ||= localStorage.getItem(draftName) ?? ""; } catch { /* the form still posts */ }
  times.paint();

  area.addEventListener("input", async () => {
    try { localStorage.setItem(draftName, area.value); } catch { /* the form still posts */ }
    if (times.firstSaid || !hasSentence(area.value)) return;
    times.firstSaid = true;
    times.paint();
    const answer = await requestJson(firstUrl, { method: "POST", body: {} });
    times.firstSaid = answer.kind === "json" && answer.status === 200;
    times.paint();
  });
}
