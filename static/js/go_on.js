// Ctrl+Enter sends the page's one way forward, from anywhere on it.
addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  const form = document.querySelector("[data-go-on]");
  if (!form) return;
  event.preventDefault();
  form.requestSubmit(form.querySelector("[data-go-on-button]") ?? undefined);
});
