/** Hours of a week: a row for each day and one for public holidays, with as many times as there are. */

import { el, icon } from "../element.js";
import { nameWords, valueText } from "./fields.js";

const MONDAY = "monday";
const AS_MONDAY = ["tuesday", "wednesday", "thursday", "friday"];
const HOLIDAY = "holiday";
const FIRST = { from: "08:00", to: "17:00" };

/** Whether a description is that of a week. */
export const isWeek = (schema) => schema.propertyNames?.enum?.includes(MONDAY) ?? false;

/** The field of a week. */
export function week({ name, schema, value = {} }) {
  const days = schema.propertyNames.enum;
  const rows = Object.fromEntries(days.map((day) => [day, row(day, value[day])]));
  const copy = () => AS_MONDAY.forEach((day) => rows[day].set(rows[MONDAY].read() ?? []));
  const same = el("button.small.quiet", { words: "directory_as_monday", on: { click: copy } });
  const grid = el("div.directory-week", {}, ...days.map((day) => rows[day].node));
  const node = el("fieldset.directory-group", { "data-field": name }, el("legend", { words: nameWords(name) }), grid, same);
  return {
    node,
    read: () => {
      const held = days.map((day) => [day, rows[day].read()]).filter(([, hours]) => hours !== undefined);
      return held.length ? Object.fromEntries(held) : undefined;
    },
    place: ([day]) => rows[day]?.node ?? node,
  };
}

/** One day. A day that was never named stays so while it has no hours; of a holiday that means that nothing is known. */
function row(day, value) {
  let times = [];
  let isNamed = value !== undefined;
  const title = valueText(day);
  const inside = el("div.directory-times", {});
  const state = el("select.directory-day-state", { label: ["directory_item", { name: title, n: "" }] });
  const add = el("button.small.quiet", { label: ["directory_add_hours", { day: title }] }, "+");
  const node = el("div.directory-day.directory-field", { "data-day": day }, el("span", {}, title), state, inside, add);

  const show = () => {
    state.value = times.length ? "open" : isNamed || day !== HOLIDAY ? "closed" : "unknown";
    add.hidden = !times.length;
  };
  const put = (one) => {
    const made = time(one, title, () => {
      times = times.filter((each) => each !== made);
      made.node.remove();
      show();
      state.focus();
    });
    times.push(made);
    inside.append(made.node);
  };
  const set = (hours) => {
    times = [];
    inside.replaceChildren();
    hours.forEach(put);
    show();
  };
  const states = day === HOLIDAY ? ["unknown", "closed", "open"] : ["closed", "open"];
  state.append(...states.map((one) => el("option", { value: one, words: `directory_day_${one}` })));
  state.addEventListener("change", () => {
    isNamed = state.value !== "unknown";
    set(state.value === "open" ? [FIRST] : []);
  });
  add.addEventListener("click", () => {
    put({ from: "", to: "" });
    show();
    times.at(-1).node.querySelector("input").focus();
  });
  set(value ?? []);
  return { node, set, read: () => (times.length ? times.map((one) => one.read()) : isNamed ? [] : undefined) };
}

function time({ from, to }, day, drop) {
  const opens = clock(from, ["directory_opens", { day }]);
  const closes = clock(to, ["directory_closes", { day }]);
  const off = el("button.small.quiet", { label: ["directory_take_hours", { day }], on: { click: drop } }, icon("cross"));
  const node = el("span.directory-time", {}, opens, "–", closes, off);
  return { node, read: () => ({ from: opens.value.trim(), to: closes.value.trim() }) };
}

function clock(value, label) {
  const node = el("input", { type: "text", inputmode: "numeric", maxlength: "5", size: "5", label, autocomplete: "off" });
  node.value = value;
  // "8.30" and "8:30" are what people type.
  node.addEventListener("change", () => {
    const [, hours, minutes] = /^(\d{1,2})(?:[:.hu](\d{2}))?$/.exec(node.value.trim()) ?? [];
    if (hours) node.value = `${hours.padStart(2, "0")}:${minutes ?? "00"}`;
  });
  return node;
}
