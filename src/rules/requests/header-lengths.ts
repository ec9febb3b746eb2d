import { headersWhere, isKnown } from '../checks/known-calls.js';
import { defineRule, type Violation, violation } from '../rule.js';

const LIMITED = headersWhere(({ maxLength }) => maxLength !== undefined);

export default defineRule({
  id: 'requests/header-lengths',
  statement: 'Headers keep their maximum lengths',
  sources: ['BG'],
  severity: { sandbox: 'should', production: 'must' },
  appliesTo: isKnown,
  looksAt: 'head',
  refusal: { code: 'FORMAT_ERROR' },
  why: 'The bank cuts or refuses what is longer.',
  fix: 'Shorten the value to that length. Keep what you must remember on your side, behind `state`.',
  examples: { complies: 'TPP-Redirect-URI of 60 characters', violates: 'TPP-Redirect-URI of 600 characters' },
  check: ({ call }) => {
    let violations: Violation[] | undefined;
    let present = false;
    for (const [header, { name, maxLength = 0 }] of LIMITED) {
      const value = call.header[header];
      if (value === undefined) continue;
      present = true;
      if (value.length <= maxLength) continue;
      violations ??= [];
      violations.push(
        violation(`header ${name}`, `at most ${maxLength} characters`, `${value.length} characters`),
      );
    }
    return violations ?? (present || 'not-applicable');
  },
});
