// Scoring: the selected words of the submission become the evidence of a line; what is half filled in is kept here.
const form = document.querySelector("[data-scoring]");
if (form) {
  const draftName = `roofline/${form.dataset.user}/${form.dataset.round}/scores`;
  let selected = "";

  const readSelection = (event) => {
    const area = event.target.closest?.("[data-own]");
    if (!area) return;
    const words = area.value.slice(area.selectionStart, area.selectionEnd).trim();
    if (!words) return;
    selected = words;
    for (const button of form.querySelectorAll("[data-use-selection]")) button.disabled = false;
    const shown = document.querySelector("[data-selected]");
    shown.textContent = words.length > 90 ? `${words.slice(0, 88)}…` : words;
    shown.closest("[hidden]")?.removeAttribute("hidden");
  };
  for (const kind of ["select", "mouseup", "keyup"]) document.addEventListener(kind, readSelection);

  const useFor = (line) => {
    const quote = form.elements[`quote_${line}`];
    if (!selected || !quote) return;
    quote.value = selected;
    quote.dispatchEvent(new Event("input", { bubbles: true }));
    form.querySelector(`[name="level_${line}"]:checked, [name="level_${line}"]`)?.focus();
  };
  form.addEventListener("click", (event) => {
    const button = event.target.closest("[data-use-selection]");
    if (button) useFor(button.dataset.useSelection);
  });
  addEventListener("keydown", (event) => {
    const digit = /^Digit([1-8])$/.exec(event.code);
    if (!event.altKey || event.ctrlKey || !digit) return;
    event.preventDefault();
    useFor(digit[1]);
  });

  const remember = () => {
    const fields = Object.fromEntries([...new FormData(form)].filter(([name]) => name !== "csrfmiddlewaretoken"));
    try { localStorage.setItem(draftName, JSON.stringify(fields)); } catch { /* the form still posts */ }
  };
  const recall = () => {
    let fields = {};
    try { fields = JSON.parse(localStorage.getItem(draftName) ?? "{}"); } catch { return; }
    for (const [name, value] of Object.entries(fields)) {
      const field = form.elements[name];
      if (field && !field.value) field.value = value;
    }
  };
  const countDone = () => {
    const done = form.querySelectorAll("[name^=level_]:checked").length;
    form.querySelector("[data-scored-count]").textContent = `${done} of 8 lines have a level`;
  };
  recall();
  countDone();
  form.addEventListener("input", () => { remember(); countDone(); });
  form.querySelector("[aria-invalid=true]")?.focus();
}
