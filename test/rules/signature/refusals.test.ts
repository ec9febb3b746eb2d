import { describe, expect, it } from 'vitest';
import { createLedger } from '../../../src/ledger/index.js';
import { createJudge, RULES } from '../../../src/rules/index.js';
import { fingerprint, judgeOptions, NOW } from '../../builders.js';
import { anAuthority, DAY } from '../../certificate/made.js';
import { ASKED, aSeal, aSignedCall, digestOf, NOT_ASKED, type SignedParts } from './a-signed-call.js';

const judgeUnder = (options: typeof ASKED) =>
  createJudge({ rules: RULES, options: { ...judgeOptions(), ...options }, fingerprint });
const [asking, builtIn] = [judgeUnder(ASKED), judgeUnder(NOT_ASKED)];

function refusalOf(parts: SignedParts) {
  const { refusal } = asking.judgeCall(aSignedCall(parts), createLedger());
  return refusal?.kind === 'messages' ? `${refusal.status} ${refusal.messages[0]?.code}` : refusal;
}

const ROWS: readonly (readonly [name: string, parts: SignedParts, refusal: string])[] = [
  ['no signature and no digest', { signature: null, digest: null }, '401 SIGNATURE_MISSING'],
  ['no digest', { digest: null }, '400 FORMAT_ERROR'],
  ['a digest in hexadecimal', { digest: 'SHA-256=00' }, '400 FORMAT_ERROR'],
  ['the digest of another body', { digest: digestOf('') }, '401 SIGNATURE_INVALID'],
  ['a signature of another text', { signs: () => '' }, '401 SIGNATURE_INVALID'],
  ['a header that is not covered', { covered: ['digest', 'x-request-id'] }, '401 SIGNATURE_INVALID'],
  ['no certificate', { certificateHeader: null }, '401 CERTIFICATE_MISSING'],
  ['no readable certificate', { certificateHeader: 'AAAA' }, '401 CERTIFICATE_INVALID'],
  ['another CA', { certificate: aSeal({ authority: anAuthority('Another') }) }, '401 CERTIFICATE_INVALID'],
  ['an expired one', { certificate: aSeal({ notAfter: NOW - DAY }) }, '401 CERTIFICATE_EXPIRED'],
  ['a broken body, too', { body: '{', digest: null, signature: null }, '401 SIGNATURE_MISSING'],
];

describe('signed calls', () => {
  it.each(ROWS)('are refused with the code that says what to correct: %s', (_name, parts, refusal) => {
    expect(refusalOf(parts)).toBe(refusal);
  });

  it('that are right are not refused', () => {
    expect(refusalOf({})).toBeNull();
  });

  it('are not looked at under the built-in interface', () => {
    for (const [, parts] of ROWS) {
      const { verdicts, findings } = builtIn.judgeCall(aSignedCall(parts), createLedger());
      expect(Object.keys(verdicts).filter((rule) => rule.startsWith('signature/'))).toEqual([]);
      expect(findings.filter(({ rule }) => rule.startsWith('signature/'))).toEqual([]);
    }
  });
});
