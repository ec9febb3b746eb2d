/** A signed call can be judged again, whatever form it was recorded in; if something was taken out, nobody is blamed. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Call,
  closeCall,
  createPseudonyms,
  type Exchange,
  packExchange,
  pseudonymise,
  readDigest,
  readSignature,
  recordedAgain,
  redactExchange,
  stableCassette,
  unpackExchange,
} from '../../src/exchange/index.js';
import { buildCassette, readCassette } from '../../src/exchange/recording/index.js';
import { createLedger } from '../../src/ledger/index.js';
import { createJudge, RULES } from '../../src/rules/index.js';
import { dialectOf } from '../../src/spec/index.js';
import { fingerprint, judgeOptions } from '../builders.js';
import { factsOf } from '../certificate/made.js';
import { processorTime } from '../processor-time.js';
import {
  ASKED,
  aSignedCall,
  BODY,
  digestOf,
  SEAL,
  type SignedParts,
} from '../rules/signature/a-signed-call.js';
import { buildHar, readHar } from './har/build-har.js';

const judge = createJudge({
  rules: RULES.filter(({ id }) => id.startsWith('signature/')),
  options: { ...judgeOptions(), ...ASKED },
  fingerprint,
});
const verdicts = (call: Call) => judge.judgeCall(call, createLedger());
const exchanged = (parts: SignedParts | Call): Exchange =>
  closeCall('request' in parts ? parts : aSignedCall(parts), null, { total: 1, answerer: 1 });

const meta = { session: 'signed', dialect: dialectOf(), version: '1.0.0' };
const cassetteOf = (exchange: Exchange, origins = {}) =>
  [...buildCassette([{ exchange }], { ...meta, origins })].join('');
const pseudonyms = createPseudonyms(new Uint8Array(32).fill(3));

const FORMS: Readonly<Record<string, (exchange: Exchange) => Call>> = {
  'the store': (exchange) => unpackExchange(packExchange(exchange), () => factsOf(SEAL)).call,
  'a HAR': (exchange) => {
    const [record] = [...readHar([...buildHar([{ exchange }], meta)].join('')).records];
    if (record === undefined) throw new Error('no record');
    return record.exchange.call;
  },
  'a cassette': (exchange) => {
    const [record] = [...readCassette(cassetteOf(exchange)).records];
    if (record === undefined) throw new Error('no record');
    return record.exchange.call;
  },
  redaction: (exchange) => redactExchange(exchange, fingerprint).call,
};

const PRETTY = JSON.stringify(JSON.parse(BODY), null, 4);
const CALLS: Readonly<Record<string, SignedParts>> = {
  'a right one': {},
  'a pretty one': { body: PRETTY },
  'one with blanks and escapes': { body: '{ "a" : 1.10, "b":"\\u00e9\\/" }\n' },
  'a wrong digest': { body: PRETTY, digest: digestOf(BODY) },
  'a wrong signature': { signs: (_, text) => `${text}\n` },
  'a read': { operation: 'consents.read', body: null },
  'the certificate of nobody': { certificateHeader: null },
  'an unreadable certificate': { certificateHeader: 'AAAA' },
};

describe.each(Object.entries(FORMS))('%s', (_, through) => {
  it.each(Object.entries(CALLS))('keeps %s as it was judged', (_name, parts) => {
    const exchange = exchanged(parts);
    expect(verdicts(through(exchange))).toEqual(verdicts(exchange.call));
  });

  it('keeps the hashes of a body that came compressed', () => {
    const call = aSignedCall({ headers: { 'Content-Encoding': 'gzip' } });
    const { target, headers } = call.request;
    const coded = { sha256: 'ab'.repeat(32), sha512: 'cd'.repeat(64) };
    const sent = call.sending(call.request.with(target, headers, { text: BODY, size: 20, coded }));
    expect(through(exchanged(sent)).request.body).toMatchObject({ coded });
  });
});

describe('a signed call of which something was taken out', () => {
  const observed = (call: Call) => {
    const { verdicts: found, findings } = verdicts(call);
    expect(findings).toEqual([]);
    return Object.entries(found)
      .filter(([, verdict]) => verdict === 'complied')
      .map(([rule]) => rule);
  };

  it('is not judged again, and gives no guess away', () => {
    const secret = exchanged({ body: '{"scaAuthenticationData":"123456"}' });
    expect(observed(secret.call)).toContain('signature/verifies');
    const { call } = redactExchange(secret, fingerprint);
    expect(observed(call)).toEqual(['signature/digest-present', 'signature/present']);
    expect(JSON.stringify(call)).not.toContain(secret.call.header.digest);
    expect(JSON.stringify(call)).not.toContain('signature=');
    expect(call.header.digest).toMatch(/^fp_/);
    expect(redactExchange(closeCall(call, null, secret.elapsed), fingerprint).call).toBe(call);
    for (const through of Object.values(FORMS))
      expect(observed(through(exchanged(call)))).toEqual(['signature/digest-present', 'signature/present']);
  });

  it('keeps its digest if a header alone was signed and changed', () => {
    const call = aSignedCall({
      headers: { Authorization: 'Bearer 2YotnFZFEjr1zCsicMWpAA' },
      covered: ['digest', 'x-request-id', 'psu-id', 'date', 'tpp-redirect-uri', 'authorization'],
    });
    expect(observed(call)).toContain('signature/verifies');
    const redacted = redactExchange(exchanged(call), fingerprint).call;
    expect(redacted.header.digest).toBe(call.header.digest);
    expect(redacted.header.signature).toMatch(/^fp_/);
    expect(observed(redacted)).not.toContain('signature/verifies');
  });

  it('is judged again if what was taken out was not signed', () => {
    const call = aSignedCall({ headers: { Authorization: 'Bearer 2YotnFZFEjr1zCsicMWpAA' } });
    const redacted = redactExchange(exchanged(call), fingerprint).call;
    expect(redacted.header.authorization).not.toBe(call.header.authorization);
    expect(observed(redacted)).toEqual(observed(call));
  });

  it('shows no hash of the account numbers that pseudonyms stand for', () => {
    const call = aSignedCall({ body: '{"iban":"BE68539007547034"}', headers: { 'PSU-ID': undefined } });
    const { exchange } = pseudonymise(exchanged(call), pseudonyms);
    expect(observed(exchange.call)).not.toContain('signature/digest-matches-body');
    expect(JSON.stringify(exchange.call)).not.toContain(call.header.digest);
  });

  it('is not judged in a cassette whose addresses or ids are others', () => {
    const call = aSignedCall({ headers: { 'TPP-Redirect-URI': 'https://localhost:40123/cb' } });
    const [record] = [
      ...readCassette(cassetteOf(exchanged(call), { api: 'https://localhost:40123' })).records,
    ];
    expect(observed(record?.exchange.call ?? call)).not.toContain('signature/verifies');
    const first = cassetteOf(exchanged({}));
    const second = cassetteOf(
      exchanged({ headers: { 'X-Request-ID': '0b7e2a0f-9bd3-4b39-9d2b-6a0f1a6c7d11' } }),
    );
    for (const text of [recordedAgain(second, first), stableCassette(first)]) {
      const [again] = [...readCassette(text).records];
      expect(again?.exchange.call.seal).toBe('not-observed');
    }
  });
});

describe('the header Signature', () => {
  it('is read in any order of its parameters, and gives each back', () => {
    const name = fc.stringMatching(/^[a-z]{1,10}$/);
    const value = fc.string({ unit: 'binary-ascii', maxLength: 40 });
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(name, value), { selector: ([key]) => key, maxLength: 8 }),
        (pairs) => {
          const text = pairs.map(([key, one]) => `${key}="${one.replace(/["\\]/g, '\\$&')}"`).join(', ');
          const read = readSignature(text);
          if ('problem' in read) throw new Error(`${text} ${read.problem}`);
          expect([...read.parameters]).toEqual(pairs);
        },
      ),
    );
  });

  it('and Digest may hold anything: reading them ends, quickly, with parameters or a problem', () => {
    const piece = fc.oneof(
      fc.constantFrom('a="', '"', ',', ' ', '\\', '=', 'keyId="x"', 'headers="'),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 200 }), (pieces) => {
        const text = pieces.join('');
        const read = readSignature(text);
        expect('problem' in read || read.covered.length > 0 || text.includes('headers')).toBe(true);
        readDigest(text);
      }),
    );
    const started = processorTime();
    for (const text of [
      ' '.repeat(16_000),
      'a="\\'.repeat(4_000),
      'a= '.repeat(5_000),
      `a="${'\\"'.repeat(8_000)}`,
    ])
      expect(readSignature(text)).toHaveProperty('problem');
    expect(processorTime() - started).toBeLessThan(2_000);
  });
});
