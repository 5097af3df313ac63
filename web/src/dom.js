// Elements, and numbers in readable units.

export const $ = (id) => document.getElementById(id);

/** Creates an element with properties, `data-` and `aria-` attributes, and children. */
export function el(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key.includes("-") || key === "role" || key === "for") made.setAttribute(key, value);
    else made[key] = value;
  }
  made.append(...children);
  return made;
}

/** Sets the text of an element only if it changes, because writing text costs layout. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Formats a length in metres, in a suitable unit. */
export function metres(length) {
  const size = Math.abs(length);
  if (size === 0) return "0";
  if (size < 5e-6) return "< 0.01 mm";
  if (size < 0.01) return `${(1000 * length).toFixed(size < 0.001 ? 2 : 1)} mm`;
  if (size < 1) return `${(100 * length).toFixed(1)} cm`;
  return `${length.toFixed(2)} m`;
}

export const whole = (number) => Math.round(number).toLocaleString("en");

/** Formats a share as a percentage. */
export const percent = (share) => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;

/** Makes the buttons of a group exclusive; `chosen` is called with the value of the button. */
export function choice(group, chosen) {
  const buttons = [...group.querySelectorAll("button")];
  const set = (value) => {
    for (const button of buttons) {
      button.setAttribute("aria-pressed", String(button.value === value));
    }
  };
  for (const button of buttons) {
    button.addEventListener("click", () => {
      set(button.value);
      chosen(button.value);
    });
  }
  return set;
}
