// Selection of one of the tabs: by click, by arrow keys and by the address (#walk).

import { $ } from "./dom.js";

const NAMES = ["fight", "robot", "crowd", "walk", "depth"];
const listeners = [];
let now = "fight";

export const onTab = (listen) => listeners.push(listen);

export function showTab(name) {
  now = name;
  document.body.dataset.tab = name;
  for (const other of NAMES) {
    const tab = $(`tab-${other}`);
    tab.setAttribute("aria-selected", String(other === name));
    tab.tabIndex = other === name ? 0 : -1;
    $(`panel-${other}`).hidden = other !== name;
  }
  listeners.forEach((listen) => listen(name));
}

export function startTabs() {
  for (const [index, name] of NAMES.entries()) {
    const tab = $(`tab-${name}`);
    tab.addEventListener("click", () => showTab(name));
    tab.addEventListener("keydown", (event) => {
      const by = { ArrowRight: 1, ArrowLeft: NAMES.length - 1 }[event.key];
      if (!by) return;
      event.stopPropagation();
      const next = NAMES[(index + by) % NAMES.length];
      showTab(next);
      $(`tab-${next}`).focus();
    });
  }
  const follow = () => {
    // The rest of the address has the accuracy and the time.
    const [asked] = location.hash.slice(1).split("&");
    showTab(NAMES.includes(asked) ? asked : "fight");
  };
  addEventListener("hashchange", follow);
  follow();
}

export const shownTab = () => now;
