// Two versions of a document side by side, with the lines that differ marked, and the three ways out.
import { lineRuns, mergeText } from "./line_diff.js";

function column(title, runs, side) {
  const box = document.createElement("div");
  const heading = document.createElement("h4");
  const text = document.createElement("div");
  heading.textContent = title;
  text.className = "own";
  for (const run of runs) {
    for (const line of run[side]) {
      const row = document.createElement(run.same ? "span" : "mark");
      row.textContent = `${line}\n`;
      text.append(row);
    }
  }
  box.append(heading, text);
  return box;
}

function button(label, onClick, primary = false) {
  const element = document.createElement("button");
  element.type = "button";
  element.className = `button${primary ? " button-primary" : ""}`;
  element.textContent = label;
  element.addEventListener("click", onClick);
  return element;
}

/** Fill `panel` while `doc` is in conflict; empty it otherwise. */
export function showConflict(panel, doc) {
  if (!panel) return;
  if (!doc.conflict) {
    panel.hidden = true;
    panel.replaceChildren();
    panel.shown = null;
    return;
  }
  if (panel.shown === doc.conflict) return;
  panel.shown = doc.conflict;
  const { mine, theirs, revision } = doc.conflict;
  const runs = lineRuns(mine, theirs);
  const columns = document.createElement("div");
  columns.className = "grid-2";
  columns.append(column("Yours, in this tab", runs, "mine"), column(`Saved elsewhere (revision ${revision})`, runs, "theirs"));
  const actions = document.createElement("div");
  actions.className = "actions";
  actions.append(
    button("Keep mine", () => doc.resolve(mine), true),
    button("Take the other", () => doc.resolve(theirs)),
    button("Merge by hand", () => doc.resolve(mergeText(mine, theirs))),
  );
  panel.replaceChildren(columns, actions);
  panel.hidden = false;
}
