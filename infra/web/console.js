/** Starts the console: choices in the bar, the chat, the panel, and the keys that work everywhere. */

import { Answers } from "./answers/answers.js";
import { json, Refusal } from "./api.js";
import { Case } from "./case/case.js";
import { Chat } from "./chat.js";
import { Conversations } from "./conversations/conversations.js";
import { keepConversation, keptConversation } from "./conversations/kept.js";
import { markCard, showSources } from "./citations.js";
import { Documents } from "./documents.js";
import { el } from "./element.js";
import { Explanations } from "./explanations.js";
import { showLoading } from "./loading.js";
import { Panel } from "./panel.js";
import { DirectoryViews } from "./proposals/views.js";
import { startReader } from "./reader.js";
import { may, onSession, startSession } from "./session.js";
import { Suggestions } from "./suggestions.js";
import { showTurnFacts } from "./turn.js";
import { onLanguage, preferredLanguage, setLanguage, spoken, word } from "./words.js";

const at = (id) => document.getElementById(id);
const remembered = {
  get: (key) => attempt(() => localStorage.getItem(`careline.${key}`)),
  set: (key, value) => attempt(() => localStorage.setItem(`careline.${key}`, value)),
};
const hand = { turn: null };

const panel = new Panel((name) => {
  if (name === "documents") documents.refresh();
  if (name === "answers") answers.refresh();
  if (name === "directory") directory.refresh();
  if (name === "turn") explanations.want(hand.turn);
});
const explanations = new Explanations((turn) => {
  if (turn === hand.turn) showTurn();
  chat.explained(turn, explanations.of(turn));
});
const reader = startReader(at("reader"), () => panel.closeReader());
const documents = new Documents(at("documents"), {
  open: openDocument,
  changed: () => {
    suggestions.refresh();
    directory.count();
  },
});
const directory = new DirectoryViews(at("directory"), { open: openDocument, count: countProposals });
const answers = new Answers(at("answers"), { open: openDocument });
const patient = new Case(at("case"));
const chat = new Chat({
  preferences: () => ({
    pack: at("pack").value,
    clinical_context: patient.value,
    language: at("language").value === "auto" ? null : at("language").value,
  }),
  actions: {
    openCitation: (turn, number, from) => {
      hold(turn);
      openCitation(turn.citations.get(number), from);
    },
    showSources: (turn) => {
      hold(turn);
      panel.show("sources");
    },
    showTurn: (turn) => {
      hold(turn);
      panel.show("turn");
    },
    addAnswer: async (turn) => {
      if (await answers.writeFor(turn)) panel.show("answers");
    },
  },
  onTurn: hold,
});

const suggestions = new Suggestions(at("examples"), {
  pack: () => at("pack").value,
  run: (text, language) => chat.run(text, language),
});
new Conversations(at("conversations"), at("open-conversations"), {
  current: () => chat.held,
  open: goOnWith,
  forgotten: (id) => id === chat.held.id && anew(),
  tenant: () => at("tenant").textContent,
  listed: () => may("user"),
});

/** Show a conversation that was kept, with the assistant that it was held with. */
function goOnWith(conversation) {
  const known = [...at("pack").options].some(({ value }) => value === conversation.pack);
  if (known) at("pack").value = conversation.pack;
  offerCase();
  patient.forget();
  if (conversation.clinical_context) patient.fill(conversation.clinical_context);
  chat.restore(conversation);
}

/** A new conversation is about nobody yet. */
function anew() {
  patient.forget();
  chat.restart();
}

let audiences = {};

/** The patient is asked for where the assistant is for clinicians. */
const offerCase = () => patient.offer(audiences[at("pack").value] === "clinician");

/** After a reload the conversation of this tab goes on; one that is gone, or another person's, is begun anew. */
async function goOn() {
  const id = keptConversation();
  if (!id || chat.held.turns.length || chat.isRunning) return;
  try {
    goOnWith(await json(["conversations", id]));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if ([403, 404].includes(error.problem.status)) keepConversation(null);
  }
}

function hold(turn) {
  hand.turn = turn;
  showSources(at("sources"), turn, openCitation);
  showTurn();
  at("sources-count").hidden = !turn?.citations.size;
  at("sources-count").textContent = String(turn?.citations.size ?? "");
}

/** The Turn tab. An explanation is asked for where it is seen: there, or on a message with personal data. */
function showTurn() {
  const { turn } = hand;
  if (panel.tab === "turn" || turn?.answer?.phi) explanations.want(turn);
  showTurnFacts(at("turn"), turn, turn && explanations.of(turn), () => explanations.again(turn));
}

function openCitation(citation, from) {
  if (panel.tab !== "sources") panel.select("sources");
  markCard(at("sources"), citation.number);
  if (!may("user")) {
    panel.show("sources");
    return;
  }
  panel.openReader(from);
  reader.open({ doc_key: citation.doc_key, version: citation.version, title: citation.title, citation });
}

function openDocument({ doc_key, version, title, file_name: file, told, citation }, from) {
  panel.openReader(from);
  reader.open({ doc_key, version, title: title || file, told, citation });
}

/** What documents propose waits for a person: the tab says so. */
function countProposals(n) {
  at("proposals-waiting").hidden = !n;
  word(at("proposals-waiting").firstElementChild, "proposals_n", { n });
}

let fillPacks = () => {};

async function loadPacks() {
  const { packs, default_pack: usual, tenant } = await json(["packs"]);
  const title = (titles, name) => titles?.[spoken()] ?? titles?.en ?? name;
  const chosen = remembered.get("pack");
  const fill = () => {
    const value = at("pack").value || (packs.some(({ name }) => name === chosen) ? chosen : usual);
    at("pack").replaceChildren(
      ...packs.map((pack) => el("option", { value: pack.name }, title(pack.titles, pack.name))),
    );
    at("pack").value = value;
    at("tenant").textContent = title(tenant?.name, "");
  };
  fillPacks = fill;
  fill();
  audiences = Object.fromEntries(packs.map(({ name, audience }) => [name, audience]));
  offerCase();
  at("pack-picker").hidden = packs.length < 2;
}

/** What the role may not do is not offered; the server refuses it all the same. */
function showSession({ role, isLoggedIn }) {
  panel.offer("documents", may("manager"));
  panel.offer("answers", may("manager"));
  panel.offer("directory", may("manager"));
  if (may("manager")) directory.count();
  at("logout").hidden = !isLoggedIn;
  at("role").hidden = !isLoggedIn;
  word(at("role"), `role_${role}`);
  showTurn();
  // Without packs the server chooses one itself, so the chat works all the same.
  loadPacks()
    .catch(() => {})
    .then(goOn)
    .then(() => suggestions.refresh());
}

function changeLanguage() {
  const chosen = at("language").value;
  remembered.set("language", chosen);
  setLanguage(chosen === "auto" ? preferredLanguage() : chosen);
}

function onEscape(event) {
  if (event.key !== "Escape" || document.querySelector("dialog[open]")) return;
  if (chat.isRunning) chat.stop();
  else if (!panel.closeReader()) panel.lower();
}

function attempt(action) {
  try {
    return action();
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
    return null;
  }
}

at("language").value = remembered.get("language") ?? "auto";
if (!at("language").value) at("language").value = "auto";
at("language").addEventListener("change", changeLanguage);
at("pack").addEventListener("change", () => {
  remembered.set("pack", at("pack").value);
  patient.forget();
  offerCase();
  chat.separate(at("pack").selectedOptions[0].textContent);
  suggestions.refresh();
});
at("new-conversation").addEventListener("click", anew);
document.addEventListener("keydown", onEscape);
onLanguage(showTurn);
onLanguage(() => fillPacks());
changeLanguage();
onLanguage(() => suggestions.refresh());
hold(null);
onSession(showSession);
startSession(at("login"), at("logout"));
showLoading(at("loading"), () => {
  suggestions.refresh();
  if (may("manager")) documents.refresh();
});
