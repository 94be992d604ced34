// Where the list of contents stands above the text instead of beside it, it begins closed.
const contents = document.querySelector("[data-contents]");
if (contents && matchMedia("(max-width: 60rem)").matches) contents.open = false;

// A critique's revision opens once an answer is begun; opened twice, it opens all the same. Nothing is sent or kept.
for (const critique of document.querySelectorAll("[data-critique]")) {
  const answer = critique.querySelector("[data-answer]");
  const revision = critique.querySelector("[data-revision]");
  const first = critique.querySelector("[data-answer-first]");

  revision.querySelector("summary").addEventListener("click", (event) => {
    if (revision.open || answer.value.trim() || !first.hidden) {
      first.hidden = true;
      return;
    }
    event.preventDefault();
    first.hidden = false;
    answer.focus();
  });
  answer.addEventListener("input", () => { first.hidden = true; });
}
