/** Entries of a directory as the page knows them: by section and name, with what each is called. */

import { say, spoken } from "../words.js";
import { SECTIONS, WITH_ID } from "./description.js";

/** A text by language: in the reader's, else in any. */
const inLanguage = (texts) => texts?.[spoken()] ?? Object.values(texts ?? {})[0];

/** What an entry is called. */
export function titleOf(section, name, body) {
  if (section === "hospital") return inLanguage(body.names) ?? say("directory_section_hospital");
  if (section === "doctors") return [body.title, body.first_name, body.last_name].filter(Boolean).join(" ");
  return inLanguage(body.names) ?? inLanguage(body.subject) ?? body.name ?? name;
}

/** Every entry of a directory: its section, name, body and title. */
export function entriesOf(directory) {
  return SECTIONS.flatMap((section) => {
    const found = Object.entries(bodies(directory, section));
    return found.map(([name, body]) => ({ section, name, body, title: entryTitle(directory, section, name, body) }));
  });
}

/** Entries of a section to choose from: pairs of the id and what it is called. */
export function choicesOf(directory, section) {
  const found = (directory[section] ?? []).map((body) => [body.id, titleOf(section, body.id, body)]);
  return found.sort(([, one], [, other]) => one.localeCompare(other));
}

function bodies(directory, section) {
  if (section === "hospital") return { hospital: directory.hospital ?? {} };
  if (WITH_ID.includes(section)) return Object.fromEntries((directory[section] ?? []).map((body) => [body.id, body]));
  const words = {};
  for (const { department, ...one } of directory.lay_words ?? []) (words[department] ??= { words: [] }).words.push(one);
  return words;
}

/** Words of a department are called as it is. */
function entryTitle(directory, section, name, body) {
  if (section !== "lay_words") return titleOf(section, name, body);
  const department = (directory.departments ?? []).find(({ id }) => id === name);
  return department ? titleOf("departments", name, department) : name;
}

/** Every text that stands in an entry, for the search. */
export function textsOf({ name, title, body }) {
  const found = [name, title];
  const walk = (value) => {
    if (typeof value === "string") found.push(value);
    else if (value && typeof value === "object") Object.values(value).forEach(walk);
  };
  walk(body);
  return found;
}
