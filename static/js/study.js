// A chapter's text is replaced while one types its inputs: keep open what was open, and mark the fields that are refused.
// What is refused, such as a name that is half typed, leaves the text there was, dimmed.
const form = document.querySelector(".study-inputs");
const opened = new Set();

document.addEventListener("toggle", ({ target }) => {
  if (!target.id || !target.closest("#chapter-text")) return;
  if (target.open) opened.add(target.id);
  else opened.delete(target.id);
}, true);

// In a narrow window the inputs would stand before the text as a page of their own.
for (const folded of document.querySelectorAll("[data-folds-when-narrow]")) {
  const inUse = location.search.length > 1 || folded.querySelector('[aria-invalid="true"]');
  if (matchMedia("(max-width: 62rem)").matches && !inUse) folded.open = false;
}

if (form) {
  // An answer brings the messages of the fields that it refuses: those of the answer before go first.
  document.body.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (detail.requestConfig.elt !== form || !detail.shouldSwap) return;
    for (const error of form.querySelectorAll(".field-error")) error.textContent = "";
    document.getElementById("chapter-text").classList.toggle("is-from-before", detail.xhr.status === 422);
  });

  document.body.addEventListener("htmx:afterSettle", () => {
    for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
    for (const error of form.querySelectorAll(".field-error")) {
      const control = document.getElementById(error.id.replace(/-error$/, ""));
      if (error.textContent.trim()) control.setAttribute("aria-invalid", "true");
      else control.removeAttribute("aria-invalid");
    }
  });
}

// The mark is replaced by the answer: the keyboard stays on the button that was pressed.
let pressed = "";
document.body.addEventListener("htmx:beforeRequest", ({ detail }) => {
  const state = document.activeElement?.getAttribute("value") ?? "";
  pressed = detail.elt.closest(".study-mark") ? state : "";
});
document.body.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (!pressed || !detail.elt.classList?.contains("study-mark")) return;
  document.getElementById(detail.elt.id)?.querySelector(`button[value="${pressed}"]`)?.focus();
});
