/**
 * Which conversation this tab is in, so that a reload goes on with it. Nothing of what was said is kept in the browser:
 * the server has it, encrypted, and gives it to whoever held it. The name is gone when the tab is.
 */

const NAME = "careline.conversation";

/** The name of the conversation of this tab; null where there is none. */
export const keptConversation = () => attempt(() => sessionStorage.getItem(NAME));

/** Keep the name of the conversation; null forgets it. */
export function keepConversation(id) {
  attempt(() => (id ? sessionStorage.setItem(NAME, id) : sessionStorage.removeItem(NAME)));
}

function attempt(action) {
  try {
    return action();
  } catch {
    // Storage may be forbidden; a reload then begins anew.
    return null;
  }
}
