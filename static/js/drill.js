// A drill: the countdown of its timed form, and keys. The time that counts is the server's; running out only shows.
const TYPING = "input, textarea, select, [contenteditable]";
const PRESSED_BY_KEY = "button, summary, a";

function countDown(clock, seconds) {
  const face = clock.querySelector("[data-clock-face]");
  const said = clock.querySelector("[data-clock-said]");
  const startedAt = performance.now();
  clock.hidden = false;
  const timer = setInterval(paint, 250);
  paint();

  function paint() {
    const left = Math.ceil(seconds - (performance.now() - startedAt) / 1000);
    face.textContent = left > 0 ? `${left} s` : "The time is up. Go on: it grades nothing by itself.";
    if (left > 0) return;
    clock.dataset.kind = "over";
    said.textContent = "The time is up.";
    clearInterval(timer);
  }
}

const clock = document.querySelector("[data-clock]");
if (clock && clock.dataset.seconds) countDown(clock, Number(clock.dataset.seconds));

const start = document.querySelector("[data-start]");
start?.addEventListener("click", () => {
  start.hidden = true;
  countDown(clock, Number(start.dataset.seconds));
  document.querySelector("#words")?.focus();
});

document.addEventListener("keydown", (event) => {
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.(TYPING)) return;
  if ((event.key === " " || event.key === "Enter") && event.target.closest?.(PRESSED_BY_KEY)) return;
  const target = [...document.querySelectorAll("[data-key]")].find((element) => element.dataset.key === event.key);
  if (!target) return;
  event.preventDefault();
  target.click();
});

// One page is answered once: a second press while the answer is under way is not sent. (The server counts it once anyway.)
for (const form of document.querySelectorAll(".drill-form")) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "true";
  });
}
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll(".drill-form")) delete form.dataset.sent;
});
