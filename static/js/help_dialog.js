// The page's keys: `?` outside a text, Alt+/ anywhere, or the button.
const dialog = document.querySelector("[data-help]");
if (dialog) {
  const typing = (target) => target.matches?.("input, textarea, select, [contenteditable]");
  addEventListener("keydown", (event) => {
    if ((event.key === "?" && !typing(event.target)) || (event.altKey && event.code === "Slash")) {
      event.preventDefault();
      if (!dialog.open) dialog.showModal();
    }
  });
  for (const opener of document.querySelectorAll("[data-opens-help]")) opener.addEventListener("click", () => dialog.showModal());
}
