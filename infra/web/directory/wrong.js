/** Problems with an entry, each told beside its field. */

import { el } from "../element.js";
import { problemNode } from "../problem.js";
import { say } from "../words.js";

/** Take back what was told of problems. */
export function clear(node, trouble) {
  trouble.replaceChildren();
  for (const told of node.querySelectorAll(".directory-problem")) told.remove();
  for (const wrong of node.querySelectorAll("[aria-invalid]")) {
    wrong.removeAttribute("aria-invalid");
    wrong.removeAttribute("aria-describedby");
  }
}

/** Tell each problem beside its field, and those of other entries below; the first wrong field gets the keyboard. */
export function tell(problem, { section, name, fields, node, trouble }) {
  const wrong = (problem.problems ?? []).filter(({ warning }) => !warning);
  if (!wrong.length) {
    trouble.replaceChildren(problemNode(problem));
    return;
  }
  const here = wrong.filter((one) => one.section === section && [name, ""].includes(one.entry));
  const elsewhere = wrong.filter((one) => !here.includes(one));
  here.forEach((one, at) => {
    const [first, ...rest] = one.field.split(".");
    beside(fields[first]?.place(rest) ?? trouble, one.message, at);
  });
  trouble.append(
    el("p.job-reason", { words: ["directory_wrong", { n: here.length }] }),
    ...(elsewhere.length ? [el("p", { words: "directory_elsewhere" }), el("ul.answer-sources", {}, elsewhere.map(line))] : []),
  );
  if (!here.length) trouble.firstChild.remove();
  (node.querySelector("[aria-invalid]") ?? node.querySelector(".directory-problem"))?.focus();
}

const line = ({ section, entry, field: where, message }) =>
  el("li", {}, [say(`directory_section_${section}`), entry, where].filter(Boolean).join(", "), `: ${message}`);

function beside(box, message, at) {
  const id = `directory-problem-${at}`;
  box.append(el("p.directory-problem.job-reason", { id }, message));
  const control = box.querySelector("input, select, textarea");
  control?.setAttribute("aria-invalid", "true");
  control?.setAttribute("aria-describedby", id);
}
