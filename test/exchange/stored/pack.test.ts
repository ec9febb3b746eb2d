/** The stored form: nothing is lost on the way there and back, and every format that ever was can be read. */
import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CertificateFacts } from '../../../src/certificate/index.js';
import {
  certificateReference,
  EXCHANGE_FORMAT,
  type Exchange,
  openAnswer,
  type PackedExchange,
  packExchange,
  unpackExchange,
} from '../../../src/exchange/index.js';
import { SandgateError } from '../../../src/spec/index.js';
import { aCertificate, anExchange, REQUEST_ID } from '../../builders.js';
import { codePoint } from '../../code-points.js';

const SAMPLES = new URL('../../fixtures/format/', import.meta.url);
const ours = aCertificate();
const shelfOf = (...certificates: readonly CertificateFacts[]) => {
  const known = new Map(certificates.map((facts) => [certificateReference(facts), facts]));
  return (reference: string) => known.get(reference) as CertificateFacts;
};
const shelf = shelfOf(ours, aCertificate({ commonName: 'other' }));

/** Through JSON text, as a file would take it. */
function thereAndBack(exchange: Exchange): Exchange {
  return unpackExchange(JSON.parse(JSON.stringify(packExchange(exchange))) as PackedExchange, shelf);
}

const plain = anExchange({ call: { certificate: ours }, answer: { body: { a: 1 } } });
const { answer } = plain;

const CASES: readonly (readonly [string, Exchange])[] = [
  ['a plain one', plain],
  ['one without an answer', { ...plain, answer: null, fault: { kind: 'timeout', message: 'Nobody came.' } }],
  ['one with an answer and a fault', { ...plain, fault: { kind: 'reset', message: '' } }],
  ['one of an unknown path', anExchange({ call: { target: '/stdgroup/v1/acounts?a=1&a=2' } })],
  ['one of an unknown method', anExchange({ call: { method: 'PATCH', target: '/stdgroup/v1/consents' } })],
  ['a form', anExchange({ call: { operation: 'oauth.token', form: { a: '1 +', b: '' } } })],
  ['one without certificate', anExchange({ call: { certificate: 'absent' } })],
  [
    'one out of a HAR file',
    anExchange({ call: { certificate: 'not-observed', connection: { address: '', tls: 'not-observed' } } }),
  ],
  [
    'that the gateway sent it itself',
    anExchange({ call: { connection: { address: '::1', tls: null, sender: 'sandgate' } } }),
  ],
  ['plain HTTP', anExchange({ call: { connection: { address: '::1', tls: null } } })],
  [
    'doubled and empty headers',
    anExchange({
      call: {
        headerList: [
          ['A', ''],
          ['a', 'x'],
          ['A', 'x'],
          ['Host', 'h'],
          ['HOST', 'i'],
        ],
      },
    }),
  ],
  [
    'an echoed header value',
    anExchange({ answer: { headers: { 'x-request-id': REQUEST_ID, other: REQUEST_ID, number: '0' } } }),
  ],
  [
    'a body of bytes',
    {
      ...plain,
      answer: answer && openAnswer({ ...answer, body: { text: '//8=', base64: true, size: 2 } }),
    },
  ],
  [
    'a body that was cut off',
    {
      ...plain,
      answer:
        answer &&
        openAnswer({ ...answer, body: { text: '{"a', truncated: true, size: 9_999, sha256: 'ab' } }),
    },
  ],
  ['what it is about, by the ledger', { ...plain, scope: 'AIS:c-1' }],
  ['what a fault did to it', { ...plain, injected: { fault: 'f-1', kind: 'delay', ms: 7 } }],
  ['both', { ...plain, scope: 'AIS:c-1', injected: { fault: 'f-1', kind: 'lost', did: 201, end: 'head' } }],
  ['when its answer began', { ...plain, elapsed: { total: 12.5, answerer: 9, firstByte: 0.25 } }],
  ['an empty body', anExchange({ answer: { body: '' } })],
];

/** With what derives from the facts, as the samples hold it too. */
function withDerived({ call, answer: answered, ...rest }: Exchange) {
  const { header, content, request } = call;
  const { path, query } = request;
  return {
    ...rest,
    call: { ...call, header, content, request: { ...request, path, query } },
    answer: answered && { ...answered, header: answered.header, content: answered.content },
  };
}

describe('the stored form', () => {
  it.each(CASES)('holds %s', (_, exchange) => {
    expect(thereAndBack(exchange)).toEqual(exchange);
  });

  it('holds any header list and body', () => {
    const word = fc.string({ unit: codePoint });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(word, word)),
        word,
        fc.double({ min: 0, max: 1e6, noNaN: true }),
        (headerList, body, total) => {
          const exchange = {
            ...anExchange({ call: { headerList, body, certificate: ours } }),
            elapsed: { total, answerer: 0 },
          };
          const read = thereAndBack(exchange);
          expect(read.elapsed.total).toBeCloseTo(total, 3);
          expect({ ...read, elapsed: exchange.elapsed }).toEqual(exchange);
        },
      ),
    );
  });

  it('is the same for what was read from it', () => {
    for (const [, exchange] of CASES)
      expect(packExchange(thereAndBack(exchange))).toEqual(packExchange(exchange));
  });

  it('keeps what calls of one kind have in common apart from what each has alone', () => {
    const one = packExchange(anExchange({ call: { id: '00000000001', headers: { 'X-Request-ID': 'one' } } }));
    const other = packExchange(
      anExchange({ call: { id: '00000000002', headers: { 'X-Request-ID': 'two' } } }),
    );
    expect(JSON.stringify(one.shape)).toBe(JSON.stringify(other.shape));
    expect(one.own).not.toEqual(other.own);
  });

  it('names a certificate by what is known of it', () => {
    const revoked: CertificateFacts = { ...ours, revocation: { status: 'revoked' } };
    expect(certificateReference({ ...ours })).toBe(certificateReference(ours));
    expect(certificateReference(revoked)).not.toBe(certificateReference(ours));
  });
});

describe('formats', () => {
  const samples = readdirSync(SAMPLES).filter((name) => name.startsWith('exchange-'));

  it('have a sample each, from the first to today’s', () => {
    const names = Array.from({ length: EXCHANGE_FORMAT }, (_, i) => `exchange-${i + 1}.json`);
    expect(samples.toSorted()).toEqual(names.toSorted());
  });

  it.each(samples)('are read: %s', (name) => {
    const sample = JSON.parse(readFileSync(new URL(name, SAMPLES), 'utf8')) as {
      packed: PackedExchange;
      certificate: CertificateFacts;
      exchange: { readonly call: object };
    };
    const read = unpackExchange(sample.packed, shelfOf(sample.certificate));
    // The sample is older than clocks that can be moved.
    const exchange = { ...sample.exchange, call: { ahead: 0, ...sample.exchange.call } };
    expect(JSON.parse(JSON.stringify(withDerived(read)))).toEqual(exchange);
  });

  it('of a newer version are refused with a sentence', () => {
    const packed = packExchange(plain);
    const newer = { ...packed, shape: { ...packed.shape, format: EXCHANGE_FORMAT + 1 } };
    expect(() => unpackExchange(newer, shelf)).toThrow(SandgateError);
    expect(() => unpackExchange(newer, shelf)).toThrow(/format 2; this version of Sandgate reads up to 1/);
  });
});
