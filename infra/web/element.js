/** Builds DOM nodes from data; strings always become text nodes, so no text can turn into markup. */

import { word } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

const ICONS = {
  siren: "M10 3v2M4.5 5.5l1.3 1.3M15.5 5.5l-1.3 1.3M5.5 15v-3.5a4.5 4.5 0 0 1 9 0V15M4 17h12M5.5 15h9",
  hand: "M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15zM4.8 4.8l10.4 10.4",
  question: "M7.3 7.4A2.8 2.8 0 1 1 11 10c-.7.3-1 .8-1 1.7M10 14.6v.1M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15z",
  search: "M9 3.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM13 13l4 4M7 9h4",
  person: "M10 3a3.2 3.2 0 1 0 0 6.4A3.2 3.2 0 0 0 10 3zM3.8 17c.6-3.4 3-5 6.2-5s5.6 1.6 6.2 5",
  broken:
    "M8 12l-1.8 1.8a2.6 2.6 0 0 1-3.7-3.7L5 7.6M12 8l1.8-1.8a2.6 2.6 0 0 1 3.7 3.7L15 12.4M8 3v2M12 17v-2M3 4.5l1.5 1.5M17 15.5L15.5 14",
  cross: "M5.5 5.5l9 9M14.5 5.5l-9 9",
  square: "M5.5 5.5h9v9h-9z",
  warning: "M10 3.2L18 16.8H2zM10 8v4M10 14.4v.1",
  phone:
    "M5.5 3h2.2l1.2 3.4-1.6 1.3a9 9 0 0 0 5 5l1.3-1.6L17 12.3v2.2A2 2 0 0 1 15 16.5C8.8 16.5 3.5 11.2 3.5 5a2 2 0 0 1 2-2z",
  book: "M4 4.5A1.5 1.5 0 0 1 5.5 3H16v12H5.5A1.5 1.5 0 0 0 4 16.5zM4 16.5A1.5 1.5 0 0 0 5.5 17H16",
  back: "M16 10H4M9 5l-5 5 5 5",
  bin: "M4 6h12M8 6V4h4v2M5.5 6l.8 11h7.4l.8-11",
  file: "M5 2.5h6.5L15.5 7v10.5H5zM11.5 2.5V7h4",
  upload: "M10 13V4M6 8l4-4 4 4M4 13v3.5h12V13",
  again: "M16 10a6 6 0 1 1-1.8-4.3L16 7.5M16 3.5v4h-4",
  copy: "M7 7h9v10H7zM4 13V3h9",
  history: "M4.2 7.5A6.5 6.5 0 1 1 3.5 10M4 4v3.5h3.5M10 6.5V10l2.5 1.5",
};

/** A decorative line icon; what it means is always said in words beside it. */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 20 20");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", ICONS[name]);
  svg.append(path);
  return svg;
}

const SETTERS = {
  on: (node, handlers) => Object.entries(handlers).forEach(([name, handler]) => node.addEventListener(name, handler)),
  words: (node, value) => word(node, ...[value].flat()),
  label: (node, value) => word(node, ...spread(value, "aria-label")),
  placeholder: (node, value) => word(node, ...spread(value, "placeholder")),
  title: (node, value) => word(node, ...spread(value, "title")),
  test: (node, value) => node.setAttribute("data-testid", value),
};

const spread = (value, place) => [...(Array.isArray(value) ? value : [value, {}]), place];

/**
 * A node from `tag.class.class`, properties and children.
 *
 * `words`, `label`, `placeholder` and `title` take a key of the texts, or `[key, values]`; `on` takes handlers by
 * event name; `test` is the stable name for tests; anything else is an attribute. Null and false are left out.
 */
export function el(spec, properties = {}, ...children) {
  const [tag, ...classes] = spec.split(".");
  const node = document.createElement(tag);
  if (classes.length) node.className = classes.join(" ");
  if (tag === "button") node.type = "button";
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (SETTERS[name]) SETTERS[name](node, value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** A web address that may become a link: http or https only, else null. */
export function safeAddress(text) {
  try {
    const address = new URL(text);
    return ["http:", "https:"].includes(address.protocol) ? address.href : null;
  } catch {
    return null;
  }
}

/** Show text to screen readers without moving anything on the page. */
export function announce(text, { urgent = false } = {}) {
  const region = document.getElementById(urgent ? "alarm" : "announce");
  // The same words twice are only read twice when the region was empty in between.
  region.textContent = "";
  setTimeout(() => (region.textContent = text), 50);
}
