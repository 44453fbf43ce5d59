/** What documents and the directory say, as people read it: the fields of an entry one by one, each on a line. */

import { titleOf } from "../directory/entries.js";
import { nameWords, REFERENCES, valueText } from "../directory/fields.js";
import { hasWords, languageName, say } from "../words.js";

const DAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];
const WEEKS = ["opening_hours", "visiting_hours"];
/** Fields that hold one of several words. */
const CHOSEN = ["kind", "unit", "frequency", "weekday", "part", "purpose", "sex", "by"];
/** The currency of a price that names none. */
const USUAL = "EUR";
/** Fields that stand in a line of another, or that nobody reads. */
const LEFT = ["id", "confirmed_on", "currency"];

/** The name of an entry, or its id where the directory does not have it. */
export function nameOf(directory, section, id) {
  const body = (directory[section] ?? []).find((one) => one.id === id);
  return body ? titleOf(section, id, body) : String(id);
}

/** The lines of an entry by key: what each is called, and what it says. */
export function linesOf(entry, directory) {
  const found = new Map();
  for (const [name, value] of Object.entries(entry)) {
    if (LEFT.includes(name)) continue;
    for (const [key, label, text] of lines(name, value, entry, directory)) found.set(key, { label, text });
  }
  return found;
}

function lines(name, value, entry, directory) {
  const label = say(nameWords(name));
  if (WEEKS.includes(name) && Array.isArray(value)) {
    return value.map(({ campus, weekly }) => [`${name}.${campus ?? ""}`, at(label, campus, directory), weekText(weekly)]);
  }
  if (name === "public_transport") return value.map((one) => [`${name}.${one.kind}.${one.line}.${one.stop}`, label, transport(one)]);
  if (name === "locations") return value.flatMap((one) => locationLines(one, directory));
  if (isByLanguage(value)) {
    return Object.entries(value).map(([code, text]) => [`${name}.${code}`, `${label} (${languageName(code)})`, text]);
  }
  if (name === "amount") return [[name, label, `${value} ${entry.currency ?? USUAL}`]];
  return [[name, label, textOf(name, value, directory)]];
}

function locationLines({ campus, ...fields }, directory) {
  return Object.entries(fields).map(([name, value]) => [
    `locations.${campus ?? ""}.${name}`,
    at(say(nameWords(name)), campus, directory),
    String(value),
  ]);
}

const at = (label, campus, directory) => (campus ? `${label}, ${nameOf(directory, "campuses", campus)}` : label);

const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const isByLanguage = (value) =>
  isObject(value) &&
  Object.entries(value).every(([key, text]) => /^[a-z]{2}$/.test(key) && typeof text === "string") &&
  Object.keys(value).length > 0;
const isWeek = (value) => isObject(value) && Object.keys(value).every((day) => DAYS.includes(day) || day === "holiday");

/** A value of a field as a text; its parts on lines of their own where it is a list of several things. */
export function textOf(name, value, directory) {
  if (value === null || value === undefined) return "";
  if (name === "consultations") return value.map((one) => consultation(one, directory)).join("\n");
  if (name === "public_transport") return value.map(transport).join("\n");
  if (Array.isArray(value)) return value.map((one) => textOf(name, one, directory)).join(", ");
  if (name === "address") return [value.street, [value.postcode, value.town].filter(Boolean).join(" ")].join(", ");
  if (isWeek(value) && Object.keys(value).length) return weekText(value);
  if (isObject(value)) {
    const parts = Object.entries(value).map(([key, one]) => `${say(nameWords(key))}: ${textOf(key, one, directory)}`);
    return parts.join(", ");
  }
  if (REFERENCES[name]) return nameOf(directory, REFERENCES[name], value);
  if (name === "role" && hasWords(`proposal_role_${value}`)) return say(`proposal_role_${value}`);
  return CHOSEN.includes(name) ? valueText(value) : String(value);
}

/** The name of a field that is named by a path, as `locations.north.phone`. */
export function fieldText(path, directory) {
  const [first, campus, name] = path.split(".");
  return name ? at(say(nameWords(name)), campus, directory) : say(nameWords(first));
}

/** Hours by day; days that follow one another and have the same are told as one. */
function weekText(weekly) {
  const groups = [];
  for (const day of [...DAYS, "holiday"].filter((one) => weekly[one])) {
    const said = hours(weekly[day]);
    const last = groups.at(-1);
    if (last?.said === said && DAYS.indexOf(day) === DAYS.indexOf(last.to) + 1) last.to = day;
    else groups.push({ from: day, to: day, said });
  }
  return groups
    .map(({ from, to, said }) => `${valueText(from)}${from === to ? "" : `–${valueText(to)}`} ${said}`)
    .join("\n");
}

const hours = (ranges) =>
  ranges.length ? ranges.map(({ from, to }) => `${from}–${to}`).join(", ") : say("directory_day_closed");

function consultation({ weekday, part, from, to, campus, department, frequency }, directory) {
  const when = from ? `${from}–${to}` : part ? valueText(part) : "";
  const where = [
    campus ? nameOf(directory, "campuses", campus) : "",
    department ? nameOf(directory, "departments", department) : "",
    frequency && frequency !== "weekly" ? valueText(frequency) : "",
  ];
  return [[valueText(weekday), when].filter(Boolean).join(" "), ...where.filter(Boolean)].join(", ");
}

function transport({ kind, line, stop, walking_minutes: minutes }) {
  const on = minutes === undefined || minutes === null ? "" : say("proposal_walk", { n: minutes });
  return [`${valueText(kind)} ${line}`, stop, on].filter(Boolean).join(", ");
}
