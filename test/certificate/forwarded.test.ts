/** Forwarded client certificates: each form of a load balancer, and whatever else may stand in its header. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  FORWARDED_FORM_NAMES,
  FORWARDED_FORMS,
  type ForwardedFormName,
} from '../../src/certificate/index.js';
import { renderPem } from '../../src/certificate/pem.js';

/** A sequence of DER with that many bytes in it, first byte as given: enough for what is only carried on. */
function der(length: number, fill: number): Buffer {
  const body = Buffer.alloc(length, fill);
  const head = length < 0x80 ? [0x30, length] : [0x30, 0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from(head), body]);
}

/** With bytes that no signature covers, and that change the fingerprint. */
const behind = (one: Buffer) => Buffer.concat([one, Buffer.from('behind')]);

const leaf = der(700, 1);
const ca = der(300, 2);
const root = der(20, 3);
const pem = (...all: Buffer[]) => all.map((one) => renderPem('CERTIFICATE', one)).join('');
const escaped = (...all: Buffer[]) => encodeURIComponent(pem(...all));
const sf = (one: Buffer) => `:${one.toString('base64')}:`;

function read(form: ForwardedFormName, ...values: string[][]) {
  const { headers, read: readForm } = FORWARDED_FORMS[form];
  const given = headers.map((_, i) => values[i] ?? []);
  return (readForm as (...all: string[][]) => ReturnType<typeof readForm>)(...given);
}

/** As texts: to compare bytes by one, toEqual takes seconds. */
function asTexts(found: ReturnType<typeof read>) {
  if (found === null || 'problem' in found) return found;
  return textsOf([found.leaf, ...found.chain]);
}

const textsOf = (all: readonly Uint8Array[]) => all.map((one) => Buffer.from(one).toString('base64'));

describe('a client certificate is read', () => {
  it.each([
    ['rfc9440', 'alone', [[sf(leaf)]], [leaf]],
    ['rfc9440', 'with its chain', [[sf(leaf)], [`${sf(ca)}, ${sf(root)}`]], [leaf, ca, root]],
    ['rfc9440', 'with a chain over two lines', [[sf(leaf)], [sf(ca), sf(root)]], [leaf, ca, root]],
    ['rfc9440', 'with parameters', [[`${sf(leaf)};v=1`]], [leaf]],
    ['nginx', 'percent-encoded', [[escaped(leaf)]], [leaf]],
    ['nginx', 'with line ends that became tabs', [[pem(leaf).trimEnd().replaceAll('\n', '\t')]], [leaf]],
    [
      'envoy',
      'as Cert',
      [[`By=spiffe://x;Hash=ab;Cert="${escaped(leaf)}";Subject="CN=a,O=\\"b;c\\""`]],
      [leaf],
    ],
    ['envoy', 'as Chain', [[`Hash=ab;Cert="${escaped(leaf)}";Chain="${escaped(leaf, ca)}"`]], [leaf, ca]],
    ['envoy', 'of the nearest proxy', [[`Cert="${escaped(root)}",Hash=ab;Cert="${escaped(leaf)}"`]], [leaf]],
    ['envoy', 'over two lines', [[`Cert="${escaped(root)}"`, `Cert="${escaped(leaf)}"`]], [leaf]],
    ['haproxy', 'as DER', [[leaf.toString('base64')]], [leaf]],
    [
      'haproxy',
      'with its chain',
      [[leaf.toString('base64')], [Buffer.concat([ca, root]).toString('base64')]],
      [leaf, ca, root],
    ],
    ['haproxy', 'as PEM', [[pem(leaf).replaceAll('\n', ' ')]], [leaf]],
  ] as const)('of %s, %s', (form, _, values, expected) => {
    expect(asTexts(read(form, ...values.map((one) => [...one])))).toEqual(textsOf(expected));
  });

  it.each(FORWARDED_FORM_NAMES)('of %s, where there is none', (form) => {
    expect([read(form), read(form, [''])]).toEqual([null, null]);
  });

  it('of Envoy, with spaces around quoted values', () => {
    expect(asTexts(read('envoy', [`Hash=ab ; Cert="${escaped(leaf)}" ;Subject="" `]))).toEqual(
      textsOf([leaf]),
    );
  });

  it('of Envoy, where the client has shown none', () => {
    expect(read('envoy', ['By=spiffe://cluster/gateway'])).toBeNull();
  });
});

describe('a problem is told', () => {
  it.each([
    ['rfc9440', [['MIIB']], 'byte sequence'],
    ['rfc9440', [[sf(leaf), sf(leaf)]], 'more than once'],
    ['rfc9440', [[], [sf(ca)]], 'is missing'],
    ['rfc9440', [[sf(leaf)], Array(11).fill(sf(ca))], 'more than 10'],
    ['rfc9440', [['::']], 'byte sequence'],
    ['rfc9440', [[sf(Buffer.from('hello'))]], 'not a certificate'],
    ['rfc9440', [[sf(behind(leaf))]], 'bytes behind a certificate'],
    ['rfc9440', [[sf(leaf)], [sf(behind(ca))]], 'bytes behind a certificate'],
    ['rfc9440', [[sf(leaf.subarray(0, 90))]], 'not a certificate'],
    ['nginx', [[escaped(behind(leaf))]], 'bytes behind a certificate'],
    ['envoy', [[`Chain="${escaped(leaf, behind(ca))}"`]], 'bytes behind a certificate'],
    ['haproxy', [[behind(leaf).toString('base64')]], 'bytes behind a certificate'],
    ['nginx', [['%zz']], 'percent-encoded'],
    ['nginx', [['hello']], 'holds no certificate'],
    ['nginx', [[escaped(leaf), escaped(leaf)]], 'more than once'],
    ['envoy', [['Hash=ab;Subject="CN=a"']], 'set_current_client_cert_details'],
    ['envoy', [['Cert="unclosed']], 'Key=value'],
    ['haproxy', [['*']], 'neither base64'],
    ['haproxy', [[leaf.toString('base64')], ['AAAA']], 'chain'],
    ['haproxy', [[leaf.toString('base64')], [leaf.subarray(0, 90).toString('base64')]], 'chain'],
  ] as const)('%s %#', (form, values, expected) => {
    expect(read(form, ...values.map((one) => [...one] as string[]))).toEqual({
      problem: expect.stringContaining(expected),
    });
  });

  it('as soon with a long run of tabs in the header as without', { timeout: 3_000 }, () => {
    expect(read('envoy', [`By=${'\t'.repeat(100_000)}"`])).toEqual({
      problem: expect.stringContaining('Key=value'),
    });
  });

  it('instead of any error, whatever the header holds', () => {
    const value = fc.oneof(
      fc.string({ maxLength: 60 }),
      fc.string({ unit: fc.constantFrom(...':;,="%\\CertChain-BEGIN '), maxLength: 80 }),
      fc.constantFrom(sf(leaf), escaped(leaf), `Cert="${escaped(leaf)}"`, leaf.toString('base64'), pem(leaf)),
    );
    const values = fc.array(value, { maxLength: 3 });
    fc.assert(
      fc.property(fc.constantFrom(...FORWARDED_FORM_NAMES), values, values, (form, first, second) => {
        const found = read(form, first, second);
        if (found === null) return;
        if ('problem' in found) expect(found.problem).not.toBe('');
        else for (const one of [found.leaf, ...found.chain]) expect(one[0]).toBe(0x30);
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('what one load balancer writes', () => {
  it('is read back by its form, for any certificate', () => {
    const any = fc.integer({ min: 1, max: 4_000 }).map((length) => der(length, length % 256));
    fc.assert(
      fc.property(any, fc.array(any, { maxLength: 3 }), (own, chain) => {
        const all = [own, ...chain];
        expect(asTexts(read('rfc9440', [sf(own)], chain.map(sf)))).toEqual(textsOf(all));
        expect(asTexts(read('envoy', [`Chain="${escaped(...all)}"`]))).toEqual(textsOf(all));
        expect(asTexts(read('nginx', [escaped(own)]))).toEqual(textsOf([own]));
        const concatenated = chain.length === 0 ? [] : [Buffer.concat(chain).toString('base64')];
        expect(asTexts(read('haproxy', [own.toString('base64')], concatenated))).toEqual(textsOf(all));
      }),
      { numRuns: 200 },
    );
  });
});
