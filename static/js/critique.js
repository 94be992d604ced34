// Critique: the answer's first sentence is timed, the soft times are shown, and a half-written answer is kept here.
import { asMinutes } from "./clock.js";
import { requestJson } from "./net.js";

const form = document.querySelector("[data-answer]");
if (form) {
  const area = form.elements.text;
  const { firstUrl, user, round, number, clockUrl } = form.dataset;
  const draftName = `roofline/${user}/${round}/critique/${number}`;
  const faces = [...document.querySelectorAll("[data-until]")];
  let offsetMs = null;
  let said = form.dataset.first === "yes";

  try { area.value ||= localStorage.getItem(draftName) ?? ""; } catch { /* the form still posts */ }

  const learnTime = async () => {
    const askedAt = performance.now();
    const answer = await requestJson(clockUrl);
    if (answer.kind !== "json" || !answer.body.server_now) return;
    offsetMs = Date.parse(answer.body.server_now) + (performance.now() - askedAt) / 2 - performance.now();
    paint();
  };
  const paint = () => {
    for (const face of faces) {
      if (face.dataset.until === "first" && said) {
        face.textContent = "said";
        face.dataset.kind = "none";
        continue;
      }
      if (offsetMs === null) {
        face.textContent = "syncing";
        continue;
      }
      const left = Math.round((Date.parse(face.dataset.at) - offsetMs - performance.now()) / 1000);
      face.textContent = left >= 0 ? asMinutes(left) : `${asMinutes(-left)} over`;
      face.dataset.kind = left < 0 ? "zero" : left <= 15 ? "last" : "runs";
    }
  };
  const hasSentence = (text) => /\S{2,}.*([.!?](\s|$)|\n)/s.test(text.trimStart());

  area.addEventListener("input", async () => {
    try { localStorage.setItem(draftName, area.value); } catch { /* the form still posts */ }
    if (said || !hasSentence(area.value)) return;
    said = true;
    const answer = await requestJson(firstUrl, { method: "POST", body: {} });
    if (answer.kind === "failed" && answer.status === 0) said = false;
    paint();
  });
  paint();
  learnTime();
  setInterval(paint, 500);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) learnTime(); });
  addEventListener("focus", learnTime);
}
