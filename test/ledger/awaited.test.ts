import { describe, expect, it } from 'vitest';
import { type AuthorizeFact, requestEndedBy } from '../../src/ledger/index.js';
import { anAuthorize } from '../rules/ledger-of.js';

const BACK = 'https://tpp.example/back';
const none = { exact: null, latest: null };
const of = (awaited: string | undefined, state: string, redirectUri = BACK) =>
  anAuthorize({ state, redirectUri, ...(awaited === undefined ? {} : { awaited }) }).fact as AuthorizeFact;

describe('the authorization request that a redirect of the bank ends', () => {
  it('is that of its state, whichever came last, in whichever world', () => {
    const begun = [of('2', 'b'), of('1', 'a'), of('4', 'd'), of('3', 'c')];
    expect(requestEndedBy(begun, `${BACK}?code=1&state=a`)).toEqual({ exact: '1', latest: '4' });
    expect(requestEndedBy(begun, `${BACK}#code=1&state=d`)).toEqual({ exact: '4', latest: '4' });
  });

  it('is the latest for that address where the state is lost, or nobody’s', () => {
    const begun = [of('2', 'b'), of('1', 'a'), of('3', 'c', 'https://other.example/back')];
    for (const query of ['code=1', 'code=1&state=x'])
      expect(requestEndedBy(begun, `${BACK}?${query}`)).toEqual({ exact: null, latest: '2' });
  });

  it('is none that is not awaited, and none for another address', () => {
    const begun = [of(undefined, 'a'), of('2', 'b')];
    expect(requestEndedBy(begun, `${BACK}?state=a`)).toEqual({ exact: null, latest: '2' });
    for (const location of [`${BACK}/more?state=b`, 'https://evil.example/back?state=b', '/back?state=b', ''])
      expect(requestEndedBy(begun, location)).toEqual(none);
  });

  it('is told by an address of an app, and by one with a query and a state of its own', () => {
    const begun = [of('1', 'a', 'com.tpp.app://callback'), of('2', '', `${BACK}?bank=x&state=own`)];
    expect(requestEndedBy(begun, 'com.tpp.app://callback?state=a').exact).toBe('1');
    expect(requestEndedBy(begun, `${BACK}?bank=x&state=own&code=1`).exact).toBe('2');
  });
});
