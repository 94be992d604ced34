// What a submission would lack, said where it is handed in: an empty section, a deciding number without its star.

export function sayWhatIsMissing(holder) {
  holder?.closest("details").addEventListener("toggle", () => {
    const said = missingNow();
    holder.textContent = said;
    holder.hidden = said === "";
  });
}

function missingNow() {
  const areas = [...document.querySelectorAll('[data-document^="s"] [data-text]')];
  const empty = areas.filter((area) => area.value.trim() === "").length;
  const sentences = [];
  if (empty) sentences.push(`${empty} of ${areas.length} sections ${empty === 1 ? "is" : "are"} empty.`);
  if (document.querySelector('[data-starred-name=""]')) sentences.push("No line of the worksheet is starred as the deciding number.");
  return sentences.join(" ");
}
