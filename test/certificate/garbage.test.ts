import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  createTrust,
  inspectCertificate,
  issueCrl,
  openCrlFile,
  parsePemFile,
} from '../../src/certificate/index.js';
import { SandgateError } from '../../src/spec/index.js';
import { NOW } from '../builders.js';
import { processorTime } from '../processor-time.js';
import { anAuthority, aQwac, keys, ROOT, TRUST } from './made.js';

const RUNS = 2_000;
/** In ms of the processor. */
const LONG = 1_000;

function inspectQuickly(der: Uint8Array, chain: readonly Uint8Array[] = []) {
  const before = processorTime();
  const facts = inspectCertificate(der, chain, TRUST, NOW);
  expect(processorTime() - before).toBeLessThan(LONG);
  return facts;
}

describe('whatever the bytes are, facts come of them', () => {
  it('random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => {
        const facts = inspectQuickly(bytes, [bytes]);
        expect(facts).toMatchObject({ encoding: 'unreadable', roles: [], chain: { trusted: false } });
        expect(facts.problems).not.toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it('bytes that begin as DER does', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
        const length = [0x30, 0x82, bytes.length >> 8, bytes.length & 0xff];
        expect(inspectQuickly(Uint8Array.from([...length, ...bytes])).chain.trusted).toBe(false);
      }),
      { numRuns: RUNS },
    );
  });

  it('real certificates with bytes changed, taken out or put in: none is trusted', () => {
    const originals = (['standard', 'flat-roles', 'bare-statement', 'no-roles-wrapper'] as const).map(
      (encoding) =>
        aQwac({ psd2: { roles: ['PSP_PI', 'PSP_AI'], ncaName: 'NBB', ncaId: 'BE-NBB', encoding } }).der,
    );
    const change = fc.record({
      at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
      remove: fc.nat(3),
      insert: fc.uint8Array({ maxLength: 3 }),
    });
    fc.assert(
      fc.property(
        fc.constantFrom(...originals),
        fc.array(change, { minLength: 1, maxLength: 4 }),
        (original, changes) => {
          let der = Buffer.from(original);
          for (const { at, remove, insert } of changes) {
            const from = Math.floor(at * der.length);
            der = Buffer.concat([der.subarray(0, from), insert, der.subarray(from + remove)]);
          }
          const facts = inspectQuickly(der, [der, ROOT.der]);
          if (facts.chain.trusted) expect(der.subarray(0, original.length).equals(original)).toBe(true);
          expect(JSON.parse(JSON.stringify(facts))).toEqual(facts);
        },
      ),
      { numRuns: RUNS },
    );
  });

  it('a certificate cut short at every byte', () => {
    const { der } = aQwac();
    for (let length = 0; length < der.length; length++)
      expect(inspectQuickly(der.subarray(0, length)).problems, `${length} bytes`).not.toEqual([]);
  });

  it.each([
    ['nested deeper than any stack', Buffer.alloc(60_000, Buffer.from([0x30, 0x80]))],
    ['nested with lengths', nested(15_000)],
    [
      'very wide',
      Buffer.concat([Buffer.from([0x30, 0x82, 0xff, 0x00]), Buffer.alloc(0xff00, Buffer.from([0x30, 0]))]),
    ],
    [
      'many OIDs',
      Buffer.concat([Buffer.from([0x30, 0x82, 0xff, 0x00]), Buffer.alloc(0xff00, Buffer.from([6, 1, 1]))]),
    ],
    ['an endless OID', Buffer.concat([Buffer.from([0x06, 0x82, 0xff, 0x00]), Buffer.alloc(0xff00, 0xff)])],
    ['of ten megabytes', Buffer.alloc(10_000_000, 0x30)],
    ['a length of four gigabytes', Buffer.from([0x30, 0x84, 0xff, 0xff, 0xff, 0xff, 1, 2])],
    ['empty', Buffer.alloc(0)],
    ['one byte', Buffer.from([0x30])],
  ])('DER that is %s', (_, der) => {
    expect(inspectQuickly(der, [der, der]).problems).not.toEqual([]);
  });
});

/** SEQUENCE in SEQUENCE, each with its right length. */
function nested(levels: number): Buffer {
  const heads: Buffer[] = [];
  let length = 0;
  for (let level = 0; level < levels && length < 60_000; level++) {
    const head = length < 0x80 ? [0x30, length] : [0x30, 0x82, length >> 8, length & 0xff];
    heads.push(Buffer.from(head));
    length += head.length;
  }
  return Buffer.concat(heads.reverse());
}

describe('a CRL', () => {
  it('that is garbage is refused with a sentence, or proves nothing', () => {
    const { der } = issueCrl({
      authority: ROOT,
      revoked: [],
      number: 1,
      thisUpdate: NOW - 1,
      nextUpdate: NOW + 1_000_000,
    });
    fc.assert(
      fc.property(fc.nat(der.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
        const changed = Buffer.from(der);
        changed[at] = (changed[at] ?? 0) ^ flip;
        try {
          const trust = createTrust({ anchors: [ROOT.pem], crls: [changed] });
          expect(inspectCertificate(aQwac().der, [], trust, NOW).revocation.status).toBe('not-checked');
        } catch (error) {
          expect(error).toBeInstanceOf(SandgateError);
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('a file of certificates', () => {
  const second = aQwac({ authority: anAuthority('Second'), publicKey: keys('ec-p384').publicKey });

  it('may hold several, with anything between them', () => {
    const text = `Bag Attributes\n  friendlyName: é\n${ROOT.pem.replaceAll('\n', '\r\n')}\n---\n${second.pem} end`;
    expect(parsePemFile(Buffer.from(text)).map((der) => Buffer.from(der))).toEqual([
      Buffer.from(ROOT.der),
      Buffer.from(second.der),
    ]);
  });

  it('may be one in DER, even where it holds the words of PEM', () => {
    const trap = aQwac({ subject: { commonName: ROOT.pem.slice(0, 500) } });
    expect(parsePemFile(trap.der)).toEqual([trap.der]);
  });

  it('may hold beginnings without an end; a block begins at the last of them', { timeout: 3_000 }, () => {
    const begin = '-----BEGIN CERTIFICATE-----\n';
    const [found, ...others] = parsePemFile(Buffer.from(begin.repeat(50_000) + ROOT.pem));
    expect([Buffer.from(found ?? []), others]).toEqual([Buffer.from(ROOT.der), []]);
    expect(parsePemFile(Buffer.from(begin + 'A'.repeat(1_000_000)))).toEqual([]);
    expect(() => openCrlFile('-----BEGIN X509 CRL-----\n'.repeat(50_000))).toThrow();
  });

  it('holds none, or garbage that is told as such, where it is something else', () => {
    expect(parsePemFile(Buffer.from('hello'))).toEqual([]);
    expect(parsePemFile(Buffer.from('-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----'))).toEqual(
      [],
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 1_000 }), (bytes) => {
        for (const der of parsePemFile(bytes)) inspectQuickly(der);
      }),
    );
  });
});
