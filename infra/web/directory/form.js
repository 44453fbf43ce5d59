/** The form in which an entry is written: its fields as the server describes them, problems beside the field. */

import { json, request } from "../api.js";
import { el } from "../element.js";
import { ending, submitted } from "../submitted.js";
import { say } from "../words.js";
import { described, WITH_ID } from "./description.js";
import { titleOf } from "./entries.js";
import { boxed, contextOf, fieldsOf, together } from "./fields.js";
import { clear, tell } from "./wrong.js";

const CALLED = ["title", "first_name", "last_name", "names", "subject"];
const ASIDE = ["owner", "valid_from", "valid_until"];
const KEPT = ["id", "confirmed_on"];
const FORM = "directory-form";

/**
 * Ask for an entry and save it; resolves to what was saved, or null. `name` is that of an entry that is edited, null of
 * a new one. Raises: Refusal where it cannot be had.
 */
export async function writeEntry({ section, name, directory }) {
  const description = await described();
  const { body, etag } = name === null ? { body: {}, etag: null } : await held(section, name);
  const form = build(section, name, body, description.entry(section), contextOf(description, directory));
  const condition = name === null ? { "If-None-Match": "*" } : { "If-Match": etag };
  return submitted(FORM, form, () => send(section, form, condition));
}

async function held(section, name) {
  const response = await request(["admin", "directory", section, name]);
  return { body: await response.json(), etag: response.headers.get("etag") };
}

function send(section, form, condition) {
  const headers = { "Content-Type": "application/json", ...condition };
  const query = { note: form.note() };
  const body = JSON.stringify(form.read());
  return json(["admin", "directory", section, form.name()], { method: "PUT", headers, body, query });
}

function build(section, name, body, schema, context) {
  const isNew = name === null;
  const keeps = WITH_ID.includes(section) ? KEPT : [];
  const shown = inOrder(schema, context).filter((one) => !keeps.includes(one));
  const main = fieldsOf(schema, body, context, shown.filter((one) => !ASIDE.includes(one)));
  const aside = fieldsOf(schema, body, context, shown.filter((one) => ASIDE.includes(one)));
  const identity = isNew ? identityOf(section, main, context) : null;
  const why = boxed("directory_note", el("input", { type: "text", maxlength: "300", autocomplete: "off" }), () => undefined);
  const { trouble, save, buttons } = ending(FORM, "directory", "directory_save");
  const fields = { ...main, ...aside, ...(identity ? { [identity.key]: identity } : {}) };
  const heading = isNew
    ? ["directory_new", { section: say(`directory_section_${section}`) }]
    : ["directory_changing", { title: titleOf(section, name, body) }];
  const node = el(
    "form.directory-form",
    { novalidate: true },
    el("h2", { words: heading, id: "directory-form-title" }),
    identity?.node,
    el("div.directory-fields", {}, ...Object.values(main).map((one) => one.node)),
    Object.keys(aside).length ? asideNode(aside, body) : null,
    why.node,
    trouble,
    buttons,
  );
  const { read } = together({ ...main, ...aside }, node);
  return {
    node,
    save,
    name: () => name ?? identity.value(),
    note: () => why.node.querySelector("input").value.trim(),
    read: () => ({ ...kept(body, keeps), ...read() }),
    clear: () => clear(node, trouble),
    focus: () => node.querySelector("input, select, textarea").focus(),
    tell: (problem) => tell(problem, { section, name: name ?? identity.value(), fields, node, trouble }),
  };
}

/** What an entry is called, then what fits on a line, then what has fields of its own. */
function inOrder(schema, context) {
  const rank = (name) => {
    if (CALLED.includes(name)) return 0;
    const { type, propertyNames } = context.plain(schema.properties[name]);
    return propertyNames || ["object", "array"].includes(type) ? 2 : 1;
  };
  return Object.keys(schema.properties).sort((one, other) => rank(one) - rank(other));
}

const kept = (body, names) => Object.fromEntries(names.filter((one) => one in body).map((one) => [one, body[one]]));

function asideNode(fields, body) {
  const open = ASIDE.some((one) => body[one]);
  const inside = el("div.directory-fields", {}, ...Object.values(fields).map(({ node }) => node));
  return el("details.upload-details", { open }, el("summary", { words: "directory_validity" }), inside);
}

/** The name that a new entry will have: made of what it is called until somebody writes one. */
function identityOf(section, fields, context) {
  const key = section === "lay_words" ? "department" : "id";
  const made = context.field(key, { type: "string", isRequired: true }, undefined, context);
  const control = made.node.querySelector("input, select");
  let isWritten = section === "lay_words";
  control.addEventListener("input", () => (isWritten = true));
  for (const { node } of Object.values(fields)) {
    node.addEventListener("input", () => {
      if (!isWritten) control.value = slug(calledBy(fields));
    });
  }
  return { ...made, key, value: () => control.value.trim() };
}

function calledBy(fields) {
  const person = [fields.last_name?.read(), fields.first_name?.read()].filter(Boolean).join(" ");
  const names = fields.names?.read() ?? fields.subject?.read() ?? {};
  return person || names.nl || names.en || Object.values(names)[0] || "";
}

const slug = (text) =>
  text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, 80);
