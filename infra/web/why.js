/** Shows why a turn went the way it did: what was kept of the question, what fired, who was chosen and what left. */

import { el } from "./element.js";
import { againButton } from "./problem.js";
import { hasWords, say } from "./words.js";

const TOKEN = /\[([A-Z][A-Z_]*)_[1-9]\d{0,8}\]/g;
const COUNTED = /^(\d+) (earlier messages|passages)$/;
const PARTS = { question: "sent_question", "search text": "sent_search", "question to classify": "sent_classify" };
const COUNTS = { "earlier messages": "sent_messages_n", passages: "sent_passages_n" };

/** The section for an explanation; `fillWhy` keeps it up to date, so that what stands around it stays as it is. */
export function whyNode() {
  return el(
    "section.block.why",
    { test: "why", "aria-labelledby": "why-title" },
    el("h2", { words: "why", id: "why-title", tabindex: "-1" }),
    el("div.why-body"),
  );
}

/** Fill the section; null stands for an explanation that nobody has asked for yet. `again` is called to try again. */
export function fillWhy(section, explanation, again) {
  if (section.shows === explanation) return;
  section.shows = explanation;
  const [title, body] = section.children;
  // What the keyboard was at goes away with the body; its place is kept.
  const held = body.contains(document.activeElement);
  section.setAttribute("aria-busy", String(explanation?.state !== "there" && explanation?.state !== "failed"));
  body.replaceChildren(...bodyNodes(explanation, again));
  if (held) title.focus({ preventScroll: true });
}

function bodyNodes(explanation, again) {
  if (explanation?.state === "failed") return [troubleNode(explanation.status, again)];
  if (explanation?.state !== "there") return [el("p.faint", { words: "loading", role: "status" })];
  const { told } = explanation;
  return [...reasonNodes(told.why), factsNode(told)];
}

function troubleNode(status, again) {
  const words = status === 404 ? "why_not_there" : "why_failed";
  return el("p.why-trouble", { role: "status", test: "why-trouble" }, el("span", { words }), againButton(again));
}

const reasonNodes = (why) => list(why).map((sentence) => el("p.why-line", { lang: "en" }, sentence));

function factsNode(told) {
  return el(
    "dl.facts",
    {},
    fact("why_question", keptNodes(told.question_redacted)),
    fact("why_understood", understoodNodes(told.intent, told.understood, readAs(told))),
    fact("why_phi", phiNodes(told.phi)),
    fact("why_rules", ruleNodes(told.rules)),
    fact("why_route", routeNodes(told.route)),
    ...egressFacts(told.egress),
  );
}

/** The question as it was read, where that is not as it was asked. */
const readAs = (told) => (told.standalone_redacted === told.question_redacted ? null : told.standalone_redacted);

/** The question with each typed token as a chip. */
function keptNodes(question, test = "kept-question") {
  if (typeof question !== "string") return [none("why_question_none")];
  const nodes = [];
  let from = 0;
  for (const match of question.matchAll(TOKEN)) {
    if (!hasWords(`phi_type_${match[1]}`)) continue;
    nodes.push(question.slice(from, match.index), el("code.token", { test: "token" }, match[0]));
    from = match.index + match[0].length;
  }
  return [el("span.kept", { test }, nodes, question.slice(from))];
}

/** What was wanted, how sure that is and who said so, the question as it was read, and what was named, by the ids of the
 * directory. */
function understoodNodes(intent, understood, standalone) {
  if (!understood) return [none("why_unknown")];
  const label = understood.sub_intent ? `${intent}/${understood.sub_intent}` : intent;
  return [
    el("p", { test: "understood" }, el("code", {}, label), ` ${Math.round(understood.confidence * 100)} %`),
    understood.by === "model" ? el("p.faint", { words: "why_by_model", test: "by-model" }) : null,
    standalone ? toldNode("why_read_as", keptNodes(standalone, "kept-standalone"), "read-as") : null,
    understood.is_followup ? el("p.faint", { words: "why_followup" }) : null,
    understood.history_turns ? el("p.faint", { words: ["why_before", { n: understood.history_turns }] }) : null,
    el("ul.why-list", {}, list(understood.entities).map(namedNode)),
    listedNode("why_specialties", understood.specialties),
    listedNode("why_expansions", understood.expansions),
  ];
}

const toldNode = (words, nodes, test) => el("p", { test }, el("span.faint", { words }), " ", nodes);

const listedNode = (words, told) =>
  list(told).length ? toldNode(words, el("code", {}, told.join(", ")), words.replace("_", "-")) : null;

const namedNode = ({ kind, ids }) => el("li", {}, el("span.tag", {}, kind), " ", el("code", {}, ids.join(" / ")));

function phiNodes(phi) {
  if (!phi) return [none("why_unknown")];
  const types = Object.entries(phi.types ?? {});
  const elsewhere = phi.state === "found" && !types.length;
  return [
    el("p", { "data-state": phi.state, test: "phi-state" }, named("phi_state", phi.state)),
    types.length ? el("ul.why-types", {}, types.map(typeNode)) : null,
    elsewhere ? el("p.faint", { words: "why_phi_earlier" }) : null,
    phi.override ? el("p.faint", { words: "why_phi_override" }) : null,
  ];
}

const typeNode = ([type, number]) => el("li", {}, el("span.tag", {}, named("phi_type", type)), ` × ${number}`);

function ruleNodes(rules) {
  if (!list(rules).length) return [none("why_rules_none")];
  return [el("ul.why-list", {}, rules.map(ruleNode))];
}

function ruleNode({ screen, rule, example }) {
  const language = /^([a-z]{2})\//.exec(rule)?.[1];
  return el(
    "li",
    { test: "rule" },
    el("span.tag", {}, named("screen", String(screen).replaceAll(" ", "_"), screen)),
    " ",
    el("code", {}, rule),
    example ? el("p.faint", {}, el("span", { words: "why_as_in" }), " ", el("q", { lang: language }, example)) : null,
  );
}

function routeNodes(route) {
  if (!route) return [none("why_route_none")];
  const reasons = list(route.reasons);
  return [
    el(
      "p",
      { test: "route" },
      route.model ? el("code", {}, route.model) : none("no_model"),
      ", ",
      named("where", route.where),
    ),
    route.rule ? el("p", {}, el("span", { words: "why_rule" }), " ", el("code", {}, route.rule)) : null,
    reasons.length ? reasonsNode(reasons) : null,
  ];
}

const reasonsNode = (reasons) =>
  el(
    "details.why-reasons",
    {},
    el("summary", { words: "why_reasons" }),
    el(
      "ul",
      {},
      reasons.map((reason) => el("li", {}, el("code", {}, reason))),
    ),
  );

/** What left the house, and apart from that what a model inside it was told, which left nothing. */
function egressFacts(egress) {
  if (!Array.isArray(egress)) return [fact("why_left", [none("why_unknown")])];
  const [left, inside] = [egress.filter(leaves), egress.filter((sent) => !leaves(sent))];
  return [
    fact("why_left", [left.length ? sentNode(left) : el("span", { words: "why_left_nothing" })]),
    inside.length ? fact("why_inside", [sentNode(inside)]) : null,
  ];
}

const leaves = ({ where }) => where !== "local";

/** True when it is known that everything about the turn stayed in the house. */
export const stayedInside = (told) => Array.isArray(told?.egress) && !told.egress.some(leaves);

const sentNode = (sent) =>
  el(
    "ul.why-list",
    {},
    sent.map(({ to, where, what, redacted }) =>
      el(
        "li",
        { test: "sent" },
        el("p", {}, what ? saidWhat(what) : say("why_unknown")),
        el("p.faint", {}, el("span", { words: "why_for" }), " ", el("code", {}, to), ", ", named("where", where)),
        el("p.faint", { words: FORMS.get(redacted) ?? "why_unknown" }),
      ),
    ),
  );

const FORMS = new Map([
  [true, "sent_redacted"],
  [false, "sent_plain"],
]);

/** What was sent in the console's words; an unknown part stays as the server wrote it, and "0 messages" is left out. */
function saidWhat(what) {
  const parts = what.split(", ").map((part) => {
    const counted = COUNTED.exec(part);
    if (counted) return Number(counted[1]) ? say(COUNTS[counted[2]], { n: Number(counted[1]) }) : "";
    return PARTS[part] ? say(PARTS[part]) : part;
  });
  return parts.filter(Boolean).join(", ");
}

/** A name of the server in the console's words where it has them. */
function named(group, name, fallback = name) {
  const key = `${group}_${name}`;
  return hasWords(key) ? el("span", { words: key }) : el("span", {}, fallback ?? say("why_unknown"));
}

const fact = (name, nodes) => el("div", {}, el("dt", { words: name }), el("dd", {}, nodes));

const none = (words) => el("span.none", { words });

const list = (values) => (Array.isArray(values) ? values : []);
