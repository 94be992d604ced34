// Keys of the review page: space shows the answer, 1 to 4 rate it, u undoes, s sets aside, b leaves out, e edits.
// A key does what the button that carries it does; without that button on the page it does nothing. So a rating key
// pressed on the question side is no rating.
const TYPING = "input, textarea, select, [contenteditable]";
const PRESSED_BY_SPACE = "button, summary, a";

function target(key) {
  return [...document.querySelectorAll("[data-key]")].find((element) => element.dataset.key === key);
}

document.addEventListener("keydown", (event) => {
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.(TYPING)) return;
  if (event.key === " " && event.target.closest?.(PRESSED_BY_SPACE)) return;
  const button = target(event.key);
  if (!button) return;
  event.preventDefault();
  button.click();
  if (button.matches("summary")) button.parentElement.querySelector("textarea")?.focus();
});

// One showing is rated once: a second press while the page is under way is not sent. (The server counts it once anyway.)
for (const form of document.querySelectorAll(".review-ratings")) {
  form.addEventListener("submit", (event) => {
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "true";
  });
}
window.addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll(".review-ratings")) delete form.dataset.sent;
});
