// The worksheet: what each line comes to, beside it, as the server works it out; the star; results into a section.
import { csrfToken, requestJson } from "./net.js";

const EVALUATE_AFTER_MS = 350;

export class Worksheet {
  constructor(holder, page, sync) {
    Object.assign(this, { holder, page, sync });
    this.area = holder.querySelector("[data-text]");
    this.rows = holder.querySelector("[data-rows]");
    this.gutter = holder.querySelector("[data-gutter]");
    this.area.addEventListener("input", () => this.evaluateSoon());
    this.area.addEventListener("scroll", () => { this.gutter.scrollTop = this.area.scrollTop; });
    holder.addEventListener("click", (event) => this.onClick(event));
    holder.addEventListener("submit", (event) => this.onSubmit(event));
    this.fillGutter();
  }

  evaluateSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.evaluate(), EVALUATE_AFTER_MS);
  }

  /** The latest text wins: an answer to an older one is dropped. */
  async evaluate() {
    const text = this.area.value;
    const html = await this.rowsFor(text);
    if (html === null || text !== this.area.value) return;
    this.rows.replaceChildren(...new DOMParser().parseFromString(html, "text/html").body.childNodes);
    this.fillGutter();
  }

  /** The rows for a text, or null when the server did not answer with them. */
  async rowsFor(text) {
    try {
      const response = await fetch(this.holder.dataset.evaluateUrl, {
        method: "POST",
        headers: { "X-CSRFToken": csrfToken() },
        body: new URLSearchParams({ text }),
        credentials: "same-origin",
        redirect: "manual",
      });
      return response.ok ? await response.text() : null;
    } catch {
      return null;
    }
  }

  fillGutter() {
    const lines = this.area.value.split("\n").map(() => {
      const line = document.createElement("li");
      line.textContent = "\u00a0";
      return line;
    });
    for (const row of this.rows.querySelectorAll("[data-line]")) {
      const line = lines[Number(row.dataset.line) - 1];
      if (!line) continue;
      line.textContent = row.dataset.error ? `✕ ${row.dataset.error}` : row.dataset.value || "\u00a0";
      line.title = row.dataset.error || row.dataset.value;
      line.className = row.dataset.error ? "is-error" : row.dataset.starred === "yes" ? "is-starred" : "";
    }
    this.gutter.replaceChildren(...lines);
    this.gutter.scrollTop = this.area.scrollTop;
  }

  onClick(event) {
    const insert = event.target.closest("[data-insert]");
    if (insert) this.page.insert(insert.dataset.insert);
  }

  /** Star a line without leaving the page: first the text it stands in, then the star. */
  async onSubmit(event) {
    const form = event.target.closest("[data-star]");
    if (!form) return;
    event.preventDefault();
    const line = event.submitter?.value ?? new FormData(form).get("line") ?? "";
    const name = form.querySelector("[data-star-name]")?.dataset.starName;
    await this.page.flush();
    const answer = this.sync.isUnsynced ? null : await requestJson(form.action, { method: "POST", form: { line } });
    if (answer?.kind !== "json" || answer.status !== 200) {
      const why = answer?.body?.message ?? "The server did not take it. Save, then try again.";
      this.holder.querySelector("[data-doc-message]").textContent = `The star was not set. ${why}`;
      return;
    }
    await this.evaluate();
    this.holder.querySelector(`[data-star-name="${CSS.escape(name)}"]`)?.focus();
  }
}
