// Theme: light, dark, or that of the system; the colours of the scene are those of the style sheet.

import { $ } from "./dom.js";

const ORDER = ["auto", "light", "dark"];
const NAMES = { auto: "as the system", light: "light", dark: "dark" };
const listeners = [];

const stored = () => {
  try {
    return localStorage.getItem("boxwood-theme");
  } catch {
    return null; // pages opened from a file may have no storage
  }
};

function apply(theme) {
  document.documentElement.dataset.theme = theme;
  const button = $("theme");
  button.dataset.theme = theme;
  button.title = `Colours: ${NAMES[theme]}`;
  button.setAttribute("aria-label", `Colours: ${NAMES[theme]}. Change`);
  listeners.forEach((listen) => listen());
}

/** Registers a function that is called after every change of colours. */
export const onTheme = (listen) => listeners.push(listen);

/** Returns a colour of the style sheet. */
export function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

export function startTheme() {
  apply(ORDER.includes(stored()) ? stored() : "auto");
  $("theme").addEventListener("click", () => {
    const now = document.documentElement.dataset.theme;
    const next = ORDER[(ORDER.indexOf(now) + 1) % ORDER.length];
    try {
      localStorage.setItem("boxwood-theme", next);
    } catch {
      // Without storage the choice is lost.
    }
    apply(next);
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    listeners.forEach((listen) => listen());
  });
}
