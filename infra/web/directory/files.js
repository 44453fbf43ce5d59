/** The directory as a file: taken in after a look at what it would change, and handed over. */

import { json, Refusal, request } from "../api.js";
import { announce, el } from "../element.js";
import { problemNode } from "../problem.js";
import { say } from "../words.js";
import { changeTable, problemTable } from "./changes.js";

const PLACE = ["admin", "directory"];
export const FORMS = { xlsx: "Excel", yaml: "YAML", fhir: "FHIR" };
const TYPES = {
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  yaml: "application/yaml",
  fhir: "application/fhir+json",
};

/** Hand the directory over as a file. Raises: Refusal. */
export async function save(form) {
  await handOver(await request(PLACE, { query: { form }, headers: { Accept: TYPES[form] } }), `directory.${form}`);
}

/** Hand over the workbook to fill in. Raises: Refusal. */
export async function saveTemplate(language) {
  const options = { query: { language }, headers: { Accept: TYPES.xlsx } };
  await handOver(await request([...PLACE, "template"], options), `directory-${language}.xlsx`);
}

async function handOver(response, usual) {
  const [, name] = /filename="([^"]+)"/.exec(response.headers.get("content-disposition") ?? "") ?? [];
  const file = new Blob([await response.arrayBuffer()], { type: "application/octet-stream" });
  const place = URL.createObjectURL(file);
  el("a", { href: place, download: name ?? usual }).click();
  setTimeout(() => URL.revokeObjectURL(place), 60_000);
}

/** Show what a file would change and take it in when a person agrees; true when it was. */
export async function importFile(file) {
  const dialog = document.getElementById("directory-file");
  const told = el("div", { test: "directory-file-told", role: "status" });
  const trouble = el("div", { role: "alert" });
  const take = el("button.primary", { words: "directory_file_take", hidden: true, test: "directory-take" });
  const cancel = el("button", { words: "cancel", on: { click: () => dialog.close() } });
  dialog.replaceChildren(
    el("h2", { words: ["directory_file", { name: file.name }], id: "directory-file-title" }),
    told,
    trouble,
    el("p.buttons", {}, cancel, take),
  );
  const etag = { current: null };
  let taken = false;
  const attempt = async (work) => {
    take.disabled = true;
    trouble.replaceChildren();
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      refuse(error.problem, told, trouble, take);
    } finally {
      take.disabled = false;
    }
  };
  take.addEventListener("click", () =>
    attempt(async () => {
      await json(PLACE, { method: "PUT", headers: { ...kindOf(file), "If-Match": etag.current }, body: file });
      announce(say("directory_saved"));
      taken = true;
      dialog.close();
    }),
  );
  const closed = new Promise((resolve) => dialog.addEventListener("close", () => resolve(taken), { once: true }));
  dialog.showModal();
  await attempt(async () => {
    const options = { method: "PUT", query: { dry_run: "true" }, headers: kindOf(file), body: file };
    const response = await request(PLACE, options);
    etag.current = response.headers.get("etag");
    const planned = await response.json();
    told.replaceChildren(...plan(planned));
    take.hidden = !planned.changes.length;
  });
  if (!take.hidden) take.focus();
  return closed;
}

/** What the body is; only JSON must say so, all else its content tells. */
const kindOf = (file) => ({
  "Content-Type": file.name.toLowerCase().endsWith(".json") ? "application/json" : "application/octet-stream",
});

function plan(planned) {
  const { changes, problems } = planned;
  const warnings = problems.length ? [el("p", { words: "directory_file_warnings" }), problemTable(problems)] : [];
  if (!changes.length) return [el("p", { words: "directory_file_same" }), ...warnings];
  const gone = changes.some(({ what }) => what === "removed");
  return [
    el("p", { words: "directory_file_fits" }),
    gone ? el("p.note", { words: "directory_file_gone" }) : null,
    ...changeTable(planned),
    ...warnings,
  ].filter(Boolean);
}

function refuse(problem, told, trouble, take) {
  take.hidden = true;
  told.replaceChildren();
  if (!problem.problems?.length) {
    trouble.replaceChildren(problemNode(problem));
    return;
  }
  const wrong = problem.problems.filter(({ warning }) => !warning);
  trouble.replaceChildren(
    el("p.job-reason", { words: ["directory_file_wrong", { n: wrong.length }] }),
    problemTable(wrong),
  );
}
