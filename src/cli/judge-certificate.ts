/** Judges a certificate by the rules of certificate/, without a call. */
import type { CertificateFacts } from '../certificate/index.js';
import { closeCall, createFingerprint, openCall } from '../exchange/index.js';
import { createLedger } from '../ledger/index.js';
import {
  type JudgeOptions,
  judgeByRule,
  type Profile,
  RULES,
  type Rule,
  type RuleResult,
} from '../rules/index.js';
import { createRecogniser, DISCOVERY_PATH } from '../spec/index.js';

export interface RuleVerdict extends RuleResult {
  readonly rule: Rule;
  readonly severity: Rule['severity'][Profile];
}

/** Any of the three roles may ask for this document: the least that a certificate must be good for. */
const LEAST = { method: 'GET', target: `/stdgroup${DISCOVERY_PATH}` } as const;
const NO_CHAIN_OF_CALLS = createLedger();
const FINGERPRINT = createFingerprint(new Uint8Array(32));
const CERTIFICATE_RULES = RULES.filter(({ id }) => id.startsWith('certificate/'));

function optionsFor(profile: Profile): JudgeOptions {
  return {
    profile,
    dailyWindow: { kind: 'rolling' },
    blockedOrganisations: new Set(),
    notificationHostAllowed: () => false,
    bankOrigins: new Set(),
    segment: 'stdgroup',
  };
}

/** Verdicts of the rules that are not off under the profile, in the order of the catalogue. `now` in epoch ms. */
export function judgeCertificate(facts: CertificateFacts, profile: Profile, now: number): RuleVerdict[] {
  const call = openCall(
    {
      ...LEAST,
      id: '',
      session: '',
      at: now,
      listener: 'api',
      connection: { address: '', tls: 'not-observed' },
      certificate: facts,
      headers: [],
      body: null,
    },
    createRecogniser()(LEAST.method, LEAST.target),
  );
  const exchange = closeCall(call, null, { total: 0, answerer: 0 });
  const options = optionsFor(profile);
  return CERTIFICATE_RULES.filter((rule) => rule.severity[profile] !== 'off').map((rule) => ({
    rule,
    severity: rule.severity[profile],
    ...judgeByRule(rule, exchange, NO_CHAIN_OF_CALLS, options, FINGERPRINT),
  }));
}
