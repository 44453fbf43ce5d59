/** The form in which a proposal is corrected as it is confirmed: what was read, what is missing, and which entry is meant. */

import { described } from "../directory/description.js";
import { choicesOf } from "../directory/entries.js";
import { boxed, contextOf, fieldsOf, together } from "../directory/fields.js";
import { clear, tell } from "../directory/wrong.js";
import { el, icon } from "../element.js";
import { ending, submitted } from "../submitted.js";
import { decide } from "./decisions.js";
import { missingText, titleOfProposal } from "./row.js";

/** Sections of whose entries each line says which one is meant; a number may be that of a department as well. */
const MEANT = { departments: ["departments"], contacts: ["contacts", "departments"], doctors: ["doctors"], tariffs: ["tariffs"] };
const FORM = "proposal-form";

/** Ask for corrections and confirm with them; resolves to what was decided, or null. Raises: Refusal where it cannot be had. */
export async function correct(proposal, directory) {
  const description = await described();
  const form = build(proposal, directory, description.entry(proposal.section), contextOf(description, directory));
  return submitted(FORM, form, () => decide(proposal.proposal_id, "confirm", form.corrections()));
}

function build(proposal, directory, schema, context) {
  const { section, target, entry, missing, source } = proposal;
  const held = target ? ((directory[section] ?? []).find(({ id }) => id === target) ?? {}) : {};
  const names = namesOf(proposal, schema);
  const begin = Object.fromEntries(names.map((name) => [name, entry[name] ?? (missing.includes(name) ? held[name] : undefined)]));
  const fields = fieldsOf(schema, begin, context, names);
  const meant = MEANT[section] ? whichEntry(section, target, directory) : null;
  const place = missing.includes("campus") && !("campus" in schema.properties) ? context.field("campus", { type: "string" }, undefined, context) : null;
  const { trouble, save, buttons } = ending(FORM, "proposal", "proposal_confirm");
  const node = el(
    "form.directory-form",
    { novalidate: true },
    el("h2", { words: ["proposal_correcting", { title: titleOfProposal(proposal, directory) }], id: "proposal-form-title" }),
    el("blockquote.proposal-quote", {}, source.text),
    missing.length ? el("p.proposal-missing", {}, icon("warning"), el("span", { words: ["proposal_missing", { fields: missingText(proposal) }] })) : null,
    meant?.node,
    place?.node,
    el("div.directory-fields", {}, ...Object.values(fields).map((one) => one.node)),
    trouble,
    buttons,
  );
  const { read } = together(fields, node);
  const began = read() ?? {};
  return {
    node,
    save,
    corrections: () => ({ ...changed(read() ?? {}, began, proposal, names), ...whichIs(meant, target, missing), ...whereIs(place) }),
    clear: () => clear(node, trouble),
    focus: () => node.querySelector("input, select, textarea").focus(),
    tell: (problem) => tell(problem, { section, name: meant?.value() || target || entry.id, fields, node, trouble }),
  };
}

/** What was read, what is missing, and what a new entry cannot do without. */
function namesOf({ entry, missing, target }, schema) {
  const required = target ? [] : (schema.required ?? []);
  return Object.keys(schema.properties).filter(
    (name) => name !== "id" && (name in entry || missing.includes(name) || required.includes(name)),
  );
}

/** Fields that are other than they were read, and those that were missing, whatever stands in them now. */
function changed(said, began, { entry, missing }, names) {
  const isSame = (name) => name in entry && JSON.stringify(said[name]) === JSON.stringify(began[name]);
  const sent = names.filter((name) => missing.includes(name) || (!isSame(name) && (name in entry || name in said)));
  const asked = missing.filter((name) => !["campus", "entry"].includes(name) || names.includes(name));
  return Object.fromEntries([...new Set([...asked, ...sent])].map((name) => [name, said[name] ?? null]));
}

function whichEntry(section, target, directory) {
  const options = MEANT[section].flatMap((one) => choicesOf(directory, one));
  const control = el(
    "select",
    { test: "proposal-entry" },
    el("option", { value: "", words: "proposal_new_entry" }),
    ...options.map(([id, title]) => el("option", { value: id }, title)),
  );
  control.value = target ?? "";
  const made = boxed("entry", control, () => control.value || undefined);
  made.node.querySelector("label span").replaceWith(el("span", { words: "proposal_entry" }));
  return { ...made, value: () => control.value };
}

function whichIs(meant, target, missing) {
  if (!meant || (!missing.includes("entry") && meant.value() === (target ?? ""))) return {};
  return { entry: meant.value() || null };
}

/** A campus that is not said is all of them; it is sent last, as it holds for what stands before it. */
const whereIs = (place) => (place ? { campus: place.read() ?? null } : {});
