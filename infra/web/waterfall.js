/** Lays the stages of a turn out in time and draws them as a horizontal waterfall. */

import { el } from "./element.js";
import { duration } from "./words.js";

const GRACE = 5;

/**
 * When each stage began and ended, in milliseconds after the question: `[{stage, ms, from, to}]`.
 *
 * A stage event says how long a stage took and arrives when it ends. A stage that fits after the one before it ran
 * after it; one that is too long for that ran beside it and is placed by its end.
 */
export function layOut(stages) {
  let last = 0;
  return stages.map(({ stage, ms, at }) => {
    const fits = at === null || last + ms <= at + GRACE;
    const from = fits ? last : Math.max(0, at - ms);
    const to = from + ms;
    last = Math.max(last, to);
    return { stage, ms, from, to };
  });
}

/** The waterfall as a list: one row a stage with its name, its bar and its milliseconds. */
export function waterfallNode(stages) {
  const rows = layOut(stages);
  const end = Math.max(1, ...rows.map(({ to }) => to));
  return el(
    "ol.waterfall",
    {},
    rows.map(({ stage, ms, from }) => {
      const bar = el("i.bar-fill");
      bar.style.left = `${(from / end) * 100}%`;
      bar.style.width = `${Math.max((ms / end) * 100, 0.6)}%`;
      return el(
        "li",
        {},
        el("span.stage-name", {}, stage.replaceAll("_", " ")),
        el("span.track", { "aria-hidden": "true" }, bar),
        el("span.stage-ms", {}, duration(ms)),
      );
    }),
  );
}
