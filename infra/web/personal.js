/** Says of an answer whether there was personal data, and that it stayed in the house once that is known. */

import { el } from "./element.js";
import { stayedInside } from "./why.js";
import { word } from "./words.js";

const isAssumed = (answer) => answer.warnings.some(({ code }) => code === "PHI_ASSUMED");

/** The words for what an answer says of personal data: a detector that failed found nothing, it was assumed. */
export function phiWords(answer) {
  if (!answer.phi) return "phi_no";
  return isAssumed(answer) ? "phi_assumed" : "phi_yes";
}

/** The badge of an answer whose question had personal data, or may have had some. */
export const phiBadge = (answer) =>
  el("span.tag.phi-badge", { test: "phi-badge", words: isAssumed(answer) ? "badge_phi_assumed" : "badge_phi" });

/** Bring the badge among these nodes, where there is one, up to what the explanation tells. */
export function explainBadge(nodes, explanation) {
  const badge = nodes.querySelector("[data-words=badge_phi]");
  if (badge && explanation?.state === "there" && stayedInside(explanation.told)) word(badge, "badge_phi_stayed");
}
