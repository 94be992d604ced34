// The answer is replaced while one types: keep open what was open, and mark the fields that are refused.
const form = document.querySelector(".calculator-form");
const opened = new Set();

document.addEventListener("toggle", ({ target }) => {
  if (!target.id || !target.closest(".calculator-answers")) return;
  if (target.open) opened.add(target.id);
  else opened.delete(target.id);
}, true);

// An answer brings the messages of the fields that it refuses: those of the answer before go first.
document.body.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.requestConfig.elt !== form || !detail.shouldSwap) return;
  for (const error of form.querySelectorAll(".field-error")) error.textContent = "";
});

document.body.addEventListener("htmx:afterSettle", () => {
  for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
  for (const error of form.querySelectorAll(".field-error")) {
    const control = document.getElementById(error.id.replace(/-error$/, ""));
    if (error.textContent.trim()) control.setAttribute("aria-invalid", "true");
    else control.removeAttribute("aria-invalid");
  }
});
