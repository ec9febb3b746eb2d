/** Merges the judgements before and after the answer. */
import type { Judged, Verdicts } from './rule.js';

/** The judge hands out the same verdicts again and again; so does this, for each pair of them. */
const pairs = new WeakMap<Verdicts, WeakMap<Verdicts, Verdicts>>();

function mergeVerdicts(before: Verdicts, added: Verdicts): Verdicts {
  let ofBefore = pairs.get(before);
  if (ofBefore === undefined) {
    ofBefore = new WeakMap();
    pairs.set(before, ofBefore);
  }
  let merged = ofBefore.get(added);
  if (merged === undefined) {
    merged = { ...before, ...added };
    ofBefore.set(added, merged);
  }
  return merged;
}

/** `before` is of `judgeCall`, `added` of `judgeExchange`. */
export function together(before: Judged, added: Judged): Judged {
  return {
    refusal: before.refusal,
    verdicts: mergeVerdicts(before.verdicts, added.verdicts),
    findings: added.findings.length === 0 ? before.findings : [...before.findings, ...added.findings],
  };
}
