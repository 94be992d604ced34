// How the state of a text, and of all texts together, is said on the page.

export const WORDS = {
  empty: "Empty",
  saved: "Saved",
  unsaved: "Saving",
  saving: "Saving",
  offline: "Offline: kept here",
  login: "Logged out: kept here",
  refused: "Refused: kept here",
  conflict: "Changed elsewhere: choose",
  paused: "Paused",
  sealed: "Sealed",
};
const WORST_FIRST = ["conflict", "refused", "login", "offline", "sealed", "paused", "saving", "unsaved", "saved"];

/** The word for one document: which status it is shown as, and the text. */
export function shownStatus(doc) {
  if (doc.status === "saved" && doc.text === "" && doc.revision === 0) return ["empty", WORDS.empty];
  if (doc.status === "paused" && doc.isUnsynced) return ["paused", "Paused: kept here"];
  return [doc.status, WORDS[doc.status]];
}

/** The worst status of all documents. */
export function worstOf(documents) {
  return WORST_FIRST.find((worst) => documents.some((doc) => doc.status === worst)) ?? "saved";
}

/** What the banner says while text is held up; empty when nothing is. */
export function warningFor(documents, status) {
  if (documents.some((doc) => doc.journalFailed && doc.isUnsynced)) {
    return "This browser does not let the page keep text. Do not close it before everything is saved.";
  }
  if (status === "offline") {
    return "No connection. Nothing is handed in from here until it is back. What you type is kept in this browser and is sent by itself. The bell still rings on time, on what the server has.";
  }
  if (status === "login") {
    return "You are logged out, or logged in as someone else. Your text is kept in this browser. Log in in another tab, then press Ctrl+S here.";
  }
  if (documents.some((doc) => doc.addendumOffered)) {
    return "Text arrived after the seal. It is kept beside the submission as a late addendum; it does not count.";
  }
  return "";
}
