/** Tells whether a caller has proved who it is; required before a bank is asked in its name. */
import type { Call } from '../exchange/index.js';
import type { Ledger } from '../ledger/index.js';
import issuedByTrustedCa from './certificate/issued-by-trusted-ca.js';
import notRevoked from './certificate/not-revoked.js';
import presented from './certificate/presented.js';
import withinValidity from './certificate/within-validity.js';
import { createJudge, type JudgeParts } from './judge.js';
import type { Refusal } from './rule.js';

/** null: the caller is known. The ledger is that before the call. */
export type Proof = (call: Call, ledger: Ledger) => Refusal | null;

/** No stance, severity or waiver makes a stranger known. A certificate that was not observed is none. */
export function createProof(parts: Pick<JudgeParts, 'options' | 'fingerprint'>): Proof {
  const judge = createJudge({ ...parts, rules: [presented, issuedByTrustedCa, withinValidity, notRevoked] });
  return (call, ledger) => {
    const seen = call.certificate === 'not-observed' ? call.with({ certificate: 'absent' }) : call;
    return judge.judgeCall(seen, ledger).refusal;
  };
}
