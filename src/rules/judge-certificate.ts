/** Judges a certificate by the rules about certificates, without a call that shows it. */
import type { CertificateFacts } from '../certificate/index.js';
import { closeCall, createFingerprint, openCall } from '../exchange/index.js';
import { createLedger } from '../ledger/index.js';
import { DISCOVERY_PATH, dialectOf } from '../spec/index.js';
import { RULES } from './catalogue.js';
import { judgeByRule, type RuleResult } from './judge-by-rule.js';
import type { JudgeOptions, Profile, Rule, Severity } from './rule.js';

export interface RuleVerdict extends RuleResult {
  readonly rule: Rule;
  readonly severity: Exclude<Severity, 'off'>;
}

/** Any of the three roles may ask for this document: the least that a certificate must be good for. */
const LEAST = { method: 'GET', target: `/stdgroup${DISCOVERY_PATH}` } as const;
const NO_CHAIN_OF_CALLS = createLedger();
const FINGERPRINT = createFingerprint(new Uint8Array(32));
const CERTIFICATE_RULES = RULES.filter(({ id }) => id.startsWith('certificate/'));

/** Verdicts of the rules that are not off under the profile, in the order of the catalogue. `now` in epoch ms. */
export function judgeCertificate(
  facts: CertificateFacts,
  profile: Profile,
  now: number,
  blockedOrganisations: ReadonlySet<string> = new Set(),
): RuleVerdict[] {
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
    dialectOf().recognise(LEAST.method, LEAST.target),
  );
  const exchange = closeCall(call, null, { total: 0, answerer: 0 });
  const options: JudgeOptions = {
    profile,
    blockedOrganisations,
    dailyWindow: { kind: 'rolling' },
    notificationHostAllowed: () => false,
    bankOrigins: new Set(),
    dialect: dialectOf(),
  };
  return CERTIFICATE_RULES.flatMap((rule) => {
    const severity = rule.severity[profile];
    if (severity === 'off') return [];
    return [{ rule, severity, ...judgeByRule(rule, exchange, NO_CHAIN_OF_CALLS, options, FINGERPRINT) }];
  });
}
