import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalTarget, originForm } from '../../src/gateway/request-head.js';

const own = { url: 'https://gateway.example:9443', host: '127.0.0.1' };
const end = { localAddress: '127.0.0.1', localPort: 8443 };

describe('a request target', () => {
  it.each([
    ['/a/b?c=d', '/a/b?c=d'],
    ['//a', '//a'],
    ['https://localhost:8443/a?b', '/a?b'],
    ['HTTPS://LOCALHOST:8443/a', '/a'],
    ['https://127.0.0.1:8443/a', '/a'],
    ['https://[::1]:8443/a', '/a'],
    ['https://localhost:8443', '/'],
    ['https://localhost:8443?a=b', '/?a=b'],
    ['https://gateway.example:9443/a', '/a'],
    ['http://localhost:8443/a', '/a'],
  ])('%s is %s', (target, form) => {
    expect(originForm(target, () => own, end)).toBe(form);
  });

  it.each([
    '*',
    '',
    'a/b',
    'https://elsewhere.example:8443/a',
    'https://localhost/a',
    'https://localhost:8444/a',
    'https://localhost:8443@elsewhere.example/a',
    'https://user@localhost:8443/a',
    'https:/localhost:8443/a',
    'ftp://localhost:8443/a',
    'localhost:8443',
  ])('%s is none of ours', (target) => {
    expect(originForm(target, () => own, end)).toBeNull();
  });

  it('at an address of the machine is ours where the connection came in there', () => {
    const ipv6 = { localAddress: '2001:db8::5', localPort: 443 };
    expect(originForm('https://[2001:db8::5]/a', () => own, ipv6)).toBe('/a');
    expect(
      originForm('https://192.0.2.7:8443/a', () => own, { ...end, localAddress: '::ffff:192.0.2.7' }),
    ).toBe('/a');
    expect(originForm('https://localhost/a', () => own, ipv6)).toBeNull();
  });

  it('is a path or nothing, whatever is sent', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const form = originForm(text, () => own, end);
        expect(form === null || form.startsWith('/')).toBe(true);
      }),
    );
  });
});

describe('the one form of a target', () => {
  it.each([
    ['/stdgroup/v1/accounts', '/stdgroup/v1/accounts'],
    ['//a', '//a'],
    ['/a.b/..c/...?x=../%2e', '/a.b/..c/...?x=../%2e'],
    ['/%61ccounts/%7e%2D', '/accounts/~-'],
    ['/a%2eb', '/a.b'],
    ['/caf%c3%a9%20%3b', '/caf%C3%A9%20%3B'],
    ['/100%25', '/100%25'],
    ['/a;v=1?b=%61\\', '/a;v=1?b=%61\\'],
  ])('of %s is %s', (target, form) => {
    expect(canonicalTarget(target)).toBe(form);
  });

  it.each([
    '/..',
    '/.',
    '/../../internal/admin',
    '/a/../b',
    '/a/./b',
    '/a/..?x',
    '/%2e%2e/%2E%2e/internal',
    '/.%2e/a',
    '/%252e%252e/internal',
    '/%25252e%25252e/internal',
    '/..;/internal',
    '/..;x=1/internal',
    '/..%3b/internal',
    '/a%2fb',
    '/a%2Fb',
    '/a%252Fb',
    '/a%5cb',
    '/a\\b',
    '/..\\internal',
    '/a%23b',
    '/a%3fb',
    '/a#b',
    '/a?b#c',
    '/a%0d%0aX: y',
    '/a%00',
    '/a?b=%00',
    '/a%7f',
    '/a\u007f',
    '/a\tb',
    '/a%',
    '/a%zz',
    '/%c0%ae%c0%ae/internal',
    '/%e9',
    '/caf\u00e9',
    `/%${'25'.repeat(7_000)}2e`,
  ])('of %.40s is none: it can be read in more than one way', (target) => {
    expect(canonicalTarget(target)).toBeNull();
  });

  const pieces = fc.constantFrom(
    '/',
    '.',
    '%',
    '%2e',
    '%2F',
    '%25',
    '2e',
    '5c',
    ';',
    '\\',
    'a',
    '?',
    '#',
    'é',
  );
  const targets = fc.array(pieces, { maxLength: 12 }).map((some) => `/${some.join('')}`);

  it('is the form of itself', () => {
    fc.assert(
      fc.property(targets, (target) => {
        const form = canonicalTarget(target);
        if (form !== null) expect(canonicalTarget(form)).toBe(form);
      }),
    );
  });

  it('stays below any base, however often it is decoded', () => {
    fc.assert(
      fc.property(targets, (target) => {
        let path = canonicalTarget(target)?.split('?', 1)[0] ?? null;
        for (let times = 0; path !== null && times < 3; times++) {
          // The parser of URLs takes dot segments out, and reads backslashes as slashes.
          const url = new URL(`https://bank.example/sandbox${path}`);
          expect(url.pathname.startsWith('/sandbox/')).toBe(true);
          path = path.replace(/%([0-9a-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
        }
      }),
    );
  });
});
