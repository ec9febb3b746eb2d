/** Which links of the bank lead back through the gateway, and where to. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createLinkMap } from '../../../src/answer/upstream/link-map.js';
import { GATEWAY, recognise } from './bank.js';

const API = 'https://api.bank.example';
const WEB = 'https://web.bank.example';
const AUTHORIZE = '/stdgroup/authorization/authorize/11111111-1111-1111-1111-111111111111';

function mapOf({
  target = `${API}/`,
  psuTarget = `${WEB}/` as string | null,
  psuPages = false,
  further = [] as readonly string[],
} = {}) {
  return createLinkMap({
    target: new URL(target),
    further: further.map((url) => new URL(url)),
    psuTarget: psuTarget === null ? undefined : new URL(psuTarget),
    urls: () => GATEWAY,
    recognise,
    psuPages,
  });
}

function mapped(
  url: string,
  { name = 'self', ...bank }: { name?: string } & Parameters<typeof mapOf>[0] = {},
): string | null {
  const turn = mapOf(bank).turn(url, name);
  return turn === null ? null : turn.prefix + url.slice(turn.cut);
}

describe('a link below another base of the bank', () => {
  const PAY = 'https://pay.bank.example';
  it.each([
    ['on another host', `${PAY}/v9/stdgroup/v1/payments/p/1`, `${GATEWAY.api}/stdgroup/v1/payments/p/1`],
    ['outside of that base', `${PAY}/v8/stdgroup/v1/payments/p/1`, null],
    ['without origin', '/v9/stdgroup/v1/payments/p/1', '/stdgroup/v1/payments/p/1'],
    ['on the first host', `${API}/stdgroup/v1/accounts`, `${GATEWAY.api}/stdgroup/v1/accounts`],
    ['on a host that begins the same', `${PAY}.evil.example/v9/stdgroup/v1/accounts`, null],
  ])('%s', (_, url, expected) => {
    expect(mapped(url, { further: [`${PAY}/v9`] })).toBe(expected);
  });
});

describe('a link', () => {
  it.each([
    ['of the API', `${API}/stdgroup/v1/consents/C?a=%2F#f`, `${GATEWAY.api}/stdgroup/v1/consents/C?a=%2F#f`],
    ['to a path that is not known', `${API}/other/v9/things`, `${GATEWAY.api}/other/v9/things`],
    ['to the origin alone', API, GATEWAY.api],
    ['with a query alone', `${API}?page=2`, `${GATEWAY.api}?page=2`],
    [
      'with another spelling of the origin',
      'HTTPS://API.Bank.Example:443/stdgroup/v1/accounts',
      `${GATEWAY.api}/stdgroup/v1/accounts`,
    ],
    ['to the authorize page', `${WEB}${AUTHORIZE}`, `${GATEWAY.psu}${AUTHORIZE}`],
    ['to anyone else', 'https://tpp.example/back', null],
    ['to an origin that begins the same', `${API}.evil.example/stdgroup/v1/accounts`, null],
    ['to another port', `${API}:8443/stdgroup/v1/accounts`, null],
    ['to another scheme', `http://api.bank.example/stdgroup/v1/accounts`, null],
    ['with credentials', 'https://user@api.bank.example/stdgroup/v1/accounts', null],
    ['that is no URL', 'urn:bank:1', null],
    ['that is empty', '', null],
    ['without origin', '/stdgroup/v1/accounts', null],
    ['with the scheme left out', '//api.bank.example/stdgroup/v1/accounts', null],
    ['to another page of the bank', `${WEB}/imprint`, null],
    ['to the authorize path on the API, where the pages are elsewhere', `${API}${AUTHORIZE}`, null],
  ])('%s', (_, url, expected) => {
    expect(mapped(url)).toBe(expected);
  });

  it.each([
    ['scaOAuth', '/public/berlingroup/authorize/1?x', `${GATEWAY.psu}/public/berlingroup/authorize/1?x`],
    ['authorization_endpoint', '/public/authorize', `${GATEWAY.psu}/public/authorize`],
    ['scaRedirect', '/public/sca/1', null],
    ['self', '/public/sca/1', null],
  ])('called %s to a page under a path of the bank’s own', (name, path, expected) => {
    expect(mapped(`${WEB}${path}`, { name })).toBe(expected);
  });

  it('called scaOAuth to a discovery document leads to the API', () => {
    const path = '/stdgroup/.well-known/openid-configuration?authorizationId=1';
    expect(mapped(`${API}${path}`, { name: 'scaOAuth' })).toBe(`${GATEWAY.api}${path}`);
  });

  it('to a page of a bank with one origin for all does not lead a browser to the API', () => {
    const one = { psuTarget: null };
    expect(mapped(`${API}/sca/1`, { ...one, name: 'scaRedirect' })).toBeNull();
    expect(mapped(`${API}/sca/1`, { ...one, name: 'scaOAuth' })).toBe(`${GATEWAY.psu}/sca/1`);
    expect(mapped(`${API}${AUTHORIZE}`, one)).toBe(`${GATEWAY.psu}${AUTHORIZE}`);
    expect(mapped(`${API}/sca/1`, { ...one, name: 'scaRedirect', psuPages: true })).toBe(
      `${GATEWAY.psu}/sca/1`,
    );
  });

  it.each([
    [`${API}/sandbox/stdgroup/v1/accounts`, `${GATEWAY.api}/stdgroup/v1/accounts`],
    [`${API}/sandbox`, GATEWAY.api],
    ['/sandbox/stdgroup/v1/accounts', '/stdgroup/v1/accounts'],
    ['/sandbox', GATEWAY.api],
    ['/sandbox?page=2', `${GATEWAY.api}?page=2`],
    ['/sandbox//evil.example/x', `${GATEWAY.api}//evil.example/x`],
    ['/stdgroup/v1/accounts', null],
    [`${API}/sandboxes/stdgroup/v1/accounts`, null],
    [`${API}/stdgroup/v1/accounts`, null],
  ])('%s of a bank with a base path', (url, expected) => {
    expect(mapped(url, { target: `${API}/sandbox/` })).toBe(expected);
  });
});

describe('a JSON text', () => {
  const link = (url: string) => `{"_links":{"self":{"href":"${url}"}}}`;

  it.each([
    ['of a path alone', '/stdgroup/v1/accounts', `${API}/`, false],
    ['of a path below the base path', '/sandbox/stdgroup/v1/accounts', `${API}/sandbox/`, true],
    ['of a path beside the base path', '/stdgroup/v1/accounts', `${API}/sandbox/`, false],
    ['with an origin', `${API}/stdgroup/v1/accounts`, `${API}/`, true],
    ['with escapes', 'https:\\/\\/api.bank.example', `${API}/`, true],
  ])('with a link %s tells whether it may be turned', (_, url, target, expected) => {
    expect(mapOf({ target }).mayTurnIn(link(url))).toBe(expected);
  });

  it('of which it is told that no link is turned has none that is', () => {
    const parts = fc.constantFrom(
      API,
      WEB,
      'HTTPS://API.Bank.Example:443',
      '/sandbox',
      '/pages',
      '/v1',
      AUTHORIZE,
      '?a',
      '',
    );
    const bases = fc.constantFrom('', '/sandbox', '/pages');
    fc.assert(
      fc.property(
        fc.array(parts, { maxLength: 4 }),
        bases,
        bases,
        fc.boolean(),
        (all, base, pages, isOne) => {
          const psuTarget = isOne ? null : `${WEB}${pages}`;
          const map = mapOf({ target: `${API}${base}`, psuTarget, psuPages: true });
          const url = all.join('');
          if (!map.mayTurnIn(link(url))) expect(map.turn(url, 'scaOAuth')).toBeNull();
        },
      ),
    );
  });
});
