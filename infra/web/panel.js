/** The panel beside the chat: tabs by mouse and arrow keys, the reader over them, and a sheet on narrow screens. */

import { standing } from "./renewal.js";

const TABS = ["sources", "documents", "answers", "directory", "turn"];
const NARROW = matchMedia("(max-width: 860px)");

const at = (id) => document.getElementById(id);

/** The panel; `onShow(name)` is called each time a tab is chosen. */
export class Panel {
  #onShow;
  #tab = TABS[0];
  #opener = null;

  constructor(onShow) {
    this.#onShow = onShow;
    TABS.forEach((name, index) => {
      tabOf(name).addEventListener("click", () => this.#press(name));
      tabOf(name).addEventListener("keydown", (event) => this.#move(event, index));
    });
    at("sheet-close").addEventListener("click", () => this.lower());
    document.querySelector(".chat").addEventListener("click", (event) => {
      if (!event.target.closest("button")) raise(false);
    });
  }

  get tab() {
    return this.#tab;
  }

  /** Offer a tab or take it away; one that is taken away is left. */
  offer(name, is) {
    tabOf(name).hidden = !is;
    if (!is && this.#tab === name) this.select(TABS[0]);
  }

  /** Choose a tab without raising the sheet. */
  select(name) {
    this.#tab = name;
    this.#reveal();
    this.#onShow(name);
  }

  /** Choose a tab and have it seen. */
  show(name) {
    this.select(name);
    raise(true);
  }

  /** Lay the reader over the tab; `opener` gets the focus back when it is closed. */
  openReader(opener) {
    if (at("reader").hidden) this.#opener = opener;
    for (const name of TABS) at(name).hidden = true;
    at("reader").hidden = false;
    raise(true);
    at("reader").focus({ preventScroll: true });
  }

  /** True when there was a reader to close. */
  closeReader() {
    if (at("reader").hidden) return false;
    this.#reveal();
    standing(this.#opener)?.focus({ preventScroll: NARROW.matches });
    return true;
  }

  /** True when there was a sheet to lower. */
  lower() {
    if (!isSheet()) return false;
    raise(false);
    tabOf(this.#tab).focus();
    return true;
  }

  #reveal() {
    at("reader").hidden = true;
    for (const name of TABS) {
      const chosen = name === this.#tab;
      tabOf(name).setAttribute("aria-selected", String(chosen));
      tabOf(name).tabIndex = chosen ? 0 : -1;
      at(name).hidden = !chosen;
    }
  }

  #press(name) {
    if (isSheet() && name === this.#tab && at("reader").hidden) this.lower();
    else this.show(name);
  }

  #move(event, index) {
    const offered = TABS.filter((name) => !tabOf(name).hidden);
    const to = destination(event.key, offered.indexOf(TABS[index]), offered.length - 1);
    if (to === null) return;
    event.preventDefault();
    this.select(offered[to]);
    tabOf(offered[to]).focus();
  }
}

const tabOf = (name) => at(`tab-${name}`);

const isSheet = () => NARROW.matches && at("panel").classList.contains("raised");

const raise = (is) => at("panel").classList.toggle("raised", is);

function destination(key, index, last) {
  const moves = {
    ArrowRight: index === last ? 0 : index + 1,
    ArrowLeft: index === 0 ? last : index - 1,
    Home: 0,
    End: last,
  };
  return moves[key] ?? null;
}
