import { describe, expect, it } from 'vitest';
import { createLedger, requestEndedBy } from '../../src/ledger/index.js';
import { anAuthorize } from '../rules/ledger-of.js';

const BACK = 'https://tpp.example/back';
const none = { exact: null, latest: null };
const of = (awaited: string | undefined, state: string, redirectUri = BACK) =>
  anAuthorize({ state, redirectUri, ...(awaited === undefined ? {} : { awaited }) });

describe('the authorization request that a redirect of the bank ends', () => {
  it('is that of its state, whichever came last, in whichever world', () => {
    const ledgers = [createLedger([of('2', 'b'), of('1', 'a')]), createLedger([of('4', 'd'), of('3', 'c')])];
    expect(requestEndedBy(ledgers, `${BACK}?code=1&state=a`)).toEqual({ exact: '1', latest: '4' });
    expect(requestEndedBy(ledgers, `${BACK}#code=1&state=d`)).toEqual({ exact: '4', latest: '4' });
  });

  it('is the latest for that address where the state is lost, or nobody’s', () => {
    const ledgers = [createLedger([of('2', 'b'), of('1', 'a'), of('3', 'c', 'https://other.example/back')])];
    for (const query of ['code=1', 'code=1&state=x'])
      expect(requestEndedBy(ledgers, `${BACK}?${query}`)).toEqual({ exact: null, latest: '2' });
  });

  it('is none that is not awaited, and none for another address', () => {
    const ledgers = [createLedger([of(undefined, 'a'), of('2', 'b')])];
    expect(requestEndedBy(ledgers, `${BACK}?state=a`)).toEqual({ exact: null, latest: '2' });
    for (const location of [`${BACK}/more?state=b`, 'https://evil.example/back?state=b', '/back?state=b', ''])
      expect(requestEndedBy(ledgers, location)).toEqual(none);
  });

  it('is told by an address of an app, and by one with a query and a state of its own', () => {
    const ledgers = [
      createLedger([of('1', 'a', 'com.tpp.app://callback'), of('2', '', `${BACK}?bank=x&state=own`)]),
    ];
    expect(requestEndedBy(ledgers, 'com.tpp.app://callback?state=a').exact).toBe('1');
    expect(requestEndedBy(ledgers, `${BACK}?bank=x&state=own&code=1`).exact).toBe('2');
  });
});
