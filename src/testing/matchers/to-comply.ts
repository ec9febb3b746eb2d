/** `expect(gateway).toComply()`: nothing that was judged is found wanting. */

import { GRAVITY } from '../../rules/index.js';
import { counted } from '../../spec/index.js';
import type { ComplyOptions } from '../types.js';
import { findingsText } from './finding-text.js';
import { type MatcherResult, openSubject } from './subject.js';

const WHOSE = { tpp: 'The TPP does', aspsp: 'The bank does', both: 'TPP and bank do' } as const;

/** Waived findings do not count. */
export function toComply(received: unknown, options: ComplyOptions = {}): MatcherResult {
  const { from = 'should', judges = 'tpp' } = options;
  const { exchanges, findings } = openSubject(received, 'toComply');
  const counting = findings.filter(
    (finding) =>
      finding.waived === undefined &&
      GRAVITY[finding.severity] <= GRAVITY[from] &&
      (judges === 'both' || finding.judges === judges),
  );
  const calls = counted(exchanges.length, 'call');
  return {
    pass: counting.length === 0,
    message: () =>
      counting.length === 0
        ? `${WHOSE[judges]} comply: ${calls} without finding, but one was expected.`
        : `${WHOSE[judges]} not comply: ${counted(counting.length, 'finding')} in ${calls}.\n\n${findingsText(counting)}`,
  };
}
