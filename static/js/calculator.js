// The answer is replaced while one types: keep open what was open, and mark the fields that are refused.
const form = document.querySelector(".calculator-form");
let open = new Set();

document.body.addEventListener("htmx:beforeSwap", () => {
  open = new Set([...document.querySelectorAll("#answer details[open]")].map((details) => details.id));
});

document.body.addEventListener("htmx:afterSettle", () => {
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  for (const error of form.querySelectorAll(".field-error")) {
    const control = document.getElementById(error.id.replace(/-error$/, ""));
    if (error.textContent.trim()) control.setAttribute("aria-invalid", "true");
    else control.removeAttribute("aria-invalid");
  }
});
