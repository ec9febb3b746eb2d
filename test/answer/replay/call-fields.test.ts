import { describe, expect, it } from 'vitest';
import { readFields } from '../../../src/answer/replay/call-fields.js';
import { createMatchPlans, type MatchPlan } from '../../../src/answer/replay/match-plan.js';
import { aCall } from '../../builders.js';

const plan = createMatchPlans({ match: 'psd2', dates: 'shift', latency: 0, afterLast: 'error' }).get(
  'accounts.list',
) as MatchPlan;

function credential(authorization: string) {
  const call = aCall({ operation: 'accounts.list', headers: { authorization } });
  const field = readFields(call, plan, { certificate: 'tpp', pseudonymised: false }).find(
    ({ place }) => place === 'header authorization',
  );
  return field && [field.lead, field.value];
}

describe('a credential', () => {
  it.each([
    ['Bearer abc', 'bearer ', 'abc'],
    ['BEARER   abc', 'bearer ', 'abc'],
    ['Basic a b', 'basic ', 'a b'],
    ['abc', '', 'abc'],
  ])('%j is matched as %j and %j', (text, lead, value) => {
    expect(credential(text)).toEqual([lead, value]);
  });

  it('of a recording may hold a long run of spaces', { timeout: 3_000 }, () => {
    const [lead, value] = credential(`Bearer${' '.repeat(100_000)}\n`) ?? [];
    expect([lead, value?.length]).toEqual(['bearer ', 1]);
  });
});
