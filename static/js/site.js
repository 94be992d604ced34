// Every page: marks the document as scripted, and switches the colour theme (kept in a cookie that the server renders).
document.documentElement.classList.add("js");

const YEAR_S = 365 * 24 * 3600;

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

for (const button of document.querySelectorAll("[data-theme-switch]")) {
  button.addEventListener("click", () => {
    const theme = isDark() ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    document.cookie = `theme=${theme}; path=/; max-age=${YEAR_S}; SameSite=Lax`;
  });
}
