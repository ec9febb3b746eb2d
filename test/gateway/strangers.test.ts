import { describe, expect, it } from 'vitest';
import type { CertificateObservation } from '../../src/certificate/index.js';
import { createRefusalLimit, isKnownCaller, withoutLargeBody } from '../../src/gateway/strangers.js';
import { type AnswerParts, aCertificate, anExchange, NOW } from '../builders.js';

const LARGE = { padding: 'x'.repeat(5_000) };

function refusal(
  address: string,
  at: number,
  certificate: CertificateObservation = 'absent',
  answer: AnswerParts = { source: 'rule', status: 401 },
) {
  const made = anExchange({ call: { at, certificate, body: LARGE }, answer });
  const connection = { ...made.call.connection, address };
  return { ...made, call: made.call.with({ connection }) };
}

const known = aCertificate();
const untrusted = { ...known, chain: { ...known.chain, trusted: false } };
const bodyOf = (exchange: ReturnType<typeof refusal>) => withoutLargeBody(exchange).call.request.body;

describe('of a caller who proved nothing', () => {
  it.each([['absent'], ['not-observed'], [untrusted]] as const)(
    'a large body is kept by its size alone (%#)',
    (certificate) => {
      const kept = bodyOf(refusal('a', NOW, certificate));
      expect(kept).toEqual({ text: '', size: expect.any(Number), truncated: true });
      expect(kept?.size).toBeGreaterThan(5_000);
    },
  );

  it('a small body is kept, and a large one of a known caller or of one whom the bank answered', () => {
    const small = anExchange({ call: { certificate: 'absent', body: { a: 1 } } });
    expect(withoutLargeBody(small)).toBe(small);
    expect(bodyOf(refusal('a', NOW, known))?.text).toContain('xxx');
    expect(bodyOf(refusal('a', NOW, 'absent', { source: 'upstream', status: 200 }))?.text).toContain('xxx');
  });

  it('a thousand refusals are kept at once, and two a second after that, by address', () => {
    const mayRecord = createRefusalLimit();
    const kept = (address: string, at: number, count: number) =>
      Array.from({ length: count }, () => mayRecord(refusal(address, at))).filter(Boolean).length;
    expect(kept('a', NOW, 1_500)).toBe(1_000);
    expect(kept('a', NOW + 1_000, 100)).toBe(2);
    expect(kept('b', NOW + 1_000, 100)).toBe(100);
    expect(kept('a', NOW + 60_000, 1_000)).toBe(118);
  });

  it('refusals are bounded over all addresses too', () => {
    const mayRecord = createRefusalLimit();
    let kept = 0;
    for (let i = 0; i < 12_000; i++) if (mayRecord(refusal(`10.0.${i >> 8}.${i & 255}`, NOW))) kept += 1;
    expect(kept).toBe(10_000);
  });

  it('nothing is held back of known callers, nor of what was answered well', () => {
    const mayRecord = createRefusalLimit();
    for (let i = 0; i < 1_500; i++) {
      expect(mayRecord(refusal('a', NOW, known))).toBe(true);
      expect(mayRecord(refusal('a', NOW, 'absent', { source: 'replay', status: 200 }))).toBe(true);
    }
  });
});

it.each<[string, CertificateObservation, boolean]>([
  ['of a trusted CA', known, true],
  ['that has ended', { ...known, notAfter: known.notBefore }, true],
  ['of an unknown CA', untrusted, false],
  ['that is revoked', { ...known, revocation: { status: 'revoked' } }, false],
  ['that is absent', 'absent', false],
  ['that was not observed', 'not-observed', false],
])('a certificate %s (%#) shows who calls, or not', (_, certificate, shows) => {
  expect(isKnownCaller(certificate)).toBe(shows);
});
