import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { originForm } from '../../src/gateway/target.js';

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
    '/a%00b',
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
