/** Tokens that passed, for calls that are sent again: how much of them is kept. */
import { expect, it } from 'vitest';
import { createTokens } from '../../../src/app/gateway/tokens.js';
import { dialectOf } from '../../../src/spec/index.js';
import { aCall, anAnswer, TPP } from '../../builders.js';

it('of a bank that writes long ones, few are kept, and of one that writes short ones many', () => {
  const context = {} as never;
  const keptOf = (length: number): number => {
    const tokens = createTokens({ keepTokens: true }, dialectOf());
    const scopes = Array.from({ length: 300 }, (_, i) => ({ service: 'AIS' as const, id: `consent-${i}` }));
    for (const { id } of scopes) {
      const body = JSON.stringify({ access_token: 't'.repeat(length), scope: `AIS:${id}` });
      const answer = anAnswer({ source: 'upstream', body });
      tokens.hearing(() => ({ answer, changes: [] }))(aCall({ operation: 'oauth.token' }), context);
    }
    return scopes.filter((scope) => tokens.of('upstream', TPP, scope) !== undefined).length;
  };
  expect([keptOf(1_000), keptOf(100_000)]).toEqual([300, 9]);
});
