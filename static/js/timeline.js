// The drafts of a round, replayed: the slider picks a moment, the page shows every text as it stood then.
const player = document.querySelector("[data-timeline]");
if (player) {
  const drafts = [...document.querySelectorAll("[data-draft]")].map((item) => ({
    key: item.dataset.key,
    when: item.dataset.when,
    title: item.dataset.title,
    text: item.querySelector("[data-draft-text]").textContent,
  }));
  const slider = player.querySelector("input[type=range]");
  const output = player.querySelector("output");
  const panes = new Map([...player.querySelectorAll("[data-pane]")].map((pane) => [pane.dataset.pane, pane]));

  const show = () => {
    const index = Number(slider.value);
    const latest = new Map();
    for (const draft of drafts.slice(0, index + 1)) latest.set(draft.key, draft.text);
    for (const [key, pane] of panes) {
      pane.hidden = !latest.has(key);
      pane.querySelector("[data-pane-text]").textContent = latest.get(key) ?? "";
      pane.toggleAttribute("data-changed", key === drafts[index].key);
    }
    const draft = drafts[index];
    output.textContent = `${draft.when} · ${draft.title}`;
    slider.setAttribute("aria-valuetext", output.textContent);
  };
  slider.addEventListener("input", show);
  let playing = null;
  const play = player.querySelector("[data-play]");
  play.addEventListener("click", () => {
    if (playing) {
      clearInterval(playing);
      playing = null;
    } else {
      if (Number(slider.value) >= drafts.length - 1) slider.value = 0;
      playing = setInterval(() => {
        slider.value = Number(slider.value) + 1;
        show();
        if (Number(slider.value) >= drafts.length - 1) play.click();
      }, 250);
    }
    play.textContent = playing ? "Stop" : "Play";
  });
  player.hidden = false;
  show();
}
