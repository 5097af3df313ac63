// The address after #: the tab, and what it shows, so that a link shows what its sender saw. What is
// as at the start is left out: `#fight&depth=5&frame=120`, `#robot&values=0.1,0.2`.

import { crowdLink } from "./crowd/link.js";
import { depthLink } from "./depth/link.js";
import { fightLink } from "./fight/link.js";
import { Asked, address, quoted } from "./link.js";
import { addWarnings } from "./open.js";
import { robotLink } from "./robot/link.js";
import { onTab, showTab, shownTab } from "./tabs.js";
import { walkLink } from "./walk/link.js";

/** Seconds between two looks at what is shown. */
const EVERY = 0.4;

/** Links of the tabs: `files` are the names of the shown files, `write` lists keys and values, `read` shows them. */
const LINKS = { fight: fightLink, robot: robotLink, crowd: crowdLink, walk: walkLink, depth: depthLink };

export class Address {
  /** Begins when the files of the page are open: a link names only others. */
  constructor(tabs) {
    this.tabs = tabs;
    this.own = Object.fromEntries(Object.entries(LINKS).map(([tab, link]) => [tab, link.files(tabs)]));
    this.waiting = null;
    this.rest = 0;
    this.apply();
    addEventListener("hashchange", () => this.apply());
    onTab(() => (this.rest = EVERY));
  }

  /** Shows what the address asks for; what is bad in it is ignored, and named in the page. */
  apply() {
    this.waiting = null;
    const [tab, ...rest] = location.hash.slice(1).split("&");
    if (Object.hasOwn(LINKS, tab)) {
      // A file inside the page has shown its own tab.
      if (tab !== shownTab()) showTab(tab);
      this.show(rest.join("&"));
    } else if (tab !== "") {
      addWarnings("link", [`there is no tab ${quoted(tab)}`]);
    }
    this.written = this.text;
  }

  /** Shows values on the tab that is shown. Values that are absent are those of the start, unless all are. */
  show(text) {
    const asked = new Asked(text);
    if (asked.isEmpty) return;
    const link = LINKS[shownTab()];
    const named = asked.takeAll("file");
    const files = named.length > 0 ? named : this.own[shownTab()];
    if (!sameFiles(files, link.files(this.tabs))) {
      // It is shown as soon as they are open.
      this.waiting = { tab: shownTab(), text, files };
      addWarnings("link", [`it shows ${quoted(files.join(" and "))}, which it does not contain: open that here`]);
      return;
    }
    link.read(this.tabs, asked);
    asked.finish();
    addWarnings("link", asked.refused.map((word) => `${word} is ignored`));
  }

  /** What is shown now, as an address. */
  get text() {
    const tab = shownTab();
    const link = LINKS[tab];
    const files = link.files(this.tabs);
    const named = sameFiles(files, this.own[tab]) ? [] : files.every((name) => name === files[0]) ? [files[0]] : files;
    const other = named.map((name) => ["file", name]);
    return address(tab, [...link.write(this.tabs), ...other]);
  }

  /** Writes the address after a change: browsers allow few changes a second. */
  pass(seconds) {
    this.rest += seconds;
    if (this.rest < EVERY) return;
    this.rest = 0;
    this.showWaiting();
    const { text } = this;
    if (text === this.written) return;
    this.written = text;
    try {
      history.replaceState(null, "", text);
    } catch {
      // Pages inside other pages may have no address of their own.
    }
  }

  /** Shows a link whose files have been opened since. */
  showWaiting() {
    if (this.waiting === null) return;
    const { tab, text, files } = this.waiting;
    if (tab !== shownTab() || !sameFiles(files, LINKS[tab].files(this.tabs))) return;
    this.waiting = null;
    this.show(text);
  }
}

/** Returns true if the names are equal; a single name stands for all sides. */
function sameFiles(some, others) {
  const length = Math.max(some.length, others.length);
  const at = (names, index) => (names.length === 1 ? names[0] : names[index]);
  return Array.from({ length }, (_, index) => at(some, index) === at(others, index)).every(Boolean);
}
