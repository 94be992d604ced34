// Requests to this site. A token read anew for each request, so that a log-in in another tab rotates it without harm;
// an answer is believed only when it is the JSON that was asked for.

const TIMEOUT_MS = 15_000;

export function csrfToken() {
  const cookie = document.cookie.split("; ").find((part) => part.startsWith("csrftoken="));
  return cookie ? decodeURIComponent(cookie.slice("csrftoken=".length)) : "";
}

/** @returns {Promise<{kind: "json"|"login"|"failed", status: number, body: object|null}>} never rejects */
export async function requestJson(url, { method = "GET", body = null, form = null, keepalive = false } = {}) {
  const headers = { Accept: "application/json" };
  if (method !== "GET") headers["X-CSRFToken"] = csrfToken();
  if (body !== null) headers["Content-Type"] = "application/json";
  let response;
  try {
    response = await fetch(url, {
      method,
      headers,
      keepalive,
      credentials: "same-origin",
      cache: "no-store",
      redirect: "manual",
      body: form ? new URLSearchParams(form) : body === null ? undefined : JSON.stringify(body),
      signal: keepalive ? undefined : AbortSignal.timeout(TIMEOUT_MS),
    });
  } catch {
    return { kind: "failed", status: 0, body: null };
  }
  // A redirect goes to the log-in page; a 404 is what someone else's round answers.
  const needsLogin = response.type === "opaqueredirect" || [401, 403, 404].includes(response.status);
  let parsed = null;
  try {
    parsed = await response.json();
  } catch {
    // Not JSON: whatever the status says, this is no answer to the question.
  }
  if (needsLogin) return { kind: "login", status: response.status, body: parsed };
  if (parsed === null || typeof parsed !== "object") return { kind: "failed", status: response.status, body: null };
  return { kind: "json", status: response.status, body: parsed };
}
