/** The chain from the certificate to the Consent-Id, and a journey as the API shows it. */
import * as z from 'zod';
import type { Finding } from '../../rules/index.js';
import { count, named, type Shown, severity, time } from '../api/schemas.js';
import { budget } from '../budget.js';
import { brief } from '../exchanges/brief.js';
import { shortFormOf } from '../exchanges/sentence.js';

export const LINKS = [
  'certificate',
  'client_id',
  'consent',
  'authorisation',
  'code',
  'token',
  'Consent-Id',
] as const;
export type ChainLink = (typeof LINKS)[number];

export const STEPS = ['created', 'psu', 'token', 'reads', 'ended'] as const;
export type StepName = (typeof STEPS)[number];

const OUTCOMES = ['ok', 'waiting', 'refused', 'failed', 'none'] as const;
/** `waiting`: the PSU has still to act; `refused`: by the rules; `failed`: by the bank or the PSU; `none`: no answer. */
export type Outcome = (typeof OUTCOMES)[number];

/** A step that succeeds has used the links up to this one; one that fails, for no rule that names a link, breaks on it. */
export const REACHES: Readonly<Record<StepName, ChainLink>> = {
  created: 'consent',
  psu: 'authorisation',
  token: 'code',
  reads: 'Consent-Id',
  ended: 'consent',
};

/** A bank answers a read with these statuses when a link of the chain is broken. */
const BREAKS_READ: Readonly<Record<number, ChainLink>> = { 401: 'token', 403: 'consent' };

export const RULE_BREAKS: Readonly<Record<string, ChainLink>> = {
  'oauth/client-id': 'client_id',
  'oauth/token-client-id': 'client_id',
  'consents/known-to-tpp': 'consent',
  'payments/known-to-tpp': 'consent',
  'accounts/consent-known': 'consent',
  'accounts/consent-valid': 'consent',
  'accounts/consent-not-ended': 'consent',
  'consents/authorised-once': 'authorisation',
  'payments/authorised-once': 'authorisation',
  'oauth/authorize-parameters': 'authorisation',
  'oauth/discovery-parameters': 'authorisation',
  'oauth/response-type': 'authorisation',
  'oauth/scope-form': 'authorisation',
  'oauth/scope-matches-authorisation': 'authorisation',
  'oauth/scope-names-created-resource': 'authorisation',
  'oauth/redirect-uri-matches-creation': 'authorisation',
  'oauth/challenge-well-formed': 'authorisation',
  'oauth/code-used-once': 'code',
  'oauth/verifier-matches-challenge': 'code',
  'oauth/verifier-well-formed': 'code',
  'oauth/redirect-uri-same-at-token': 'code',
  'oauth/token-parameters': 'code',
  'oauth/refresh-token-belongs-to-tpp': 'token',
  'oauth/refresh-token-current': 'token',
  'oauth/refresh-within-90-days': 'token',
  'accounts/token-present': 'token',
  'accounts/token-known': 'token',
  'accounts/token-not-expired': 'token',
  'accounts/token-belongs-to-tpp': 'token',
  'accounts/token-belongs-to-consent': 'Consent-Id',
  'accounts/consent-id-present': 'Consent-Id',
  'payments/consent-id-is-payment-id': 'Consent-Id',
};

/** The first of these that is broken explains the others: under a wrong Consent-Id nothing of the consent is right. */
const FIRST_BROKEN: readonly ChainLink[] = [
  'certificate',
  'client_id',
  'Consent-Id',
  'consent',
  'authorisation',
  'code',
  'token',
];

export interface Break {
  readonly link: ChainLink;
  readonly rule: string | null;
  /** By the finding of the rule. */
  readonly expected?: string;
  readonly text: string;
}

export interface Refusal {
  readonly status: number | null;
  readonly code: string | undefined;
  readonly says: string | null;
}

/** The link that a step broke on; null where it failed for another reason. */
export function breakOf(
  step: StepName,
  { status, code, says }: Refusal,
  findings: readonly Finding[],
): Break | null {
  const musts = findings.filter(
    ({ severity, judges, waived }) => severity === 'must' && judges === 'tpp' && waived === undefined,
  );
  for (const link of FIRST_BROKEN) {
    const finding = musts.find(({ rule }) => linkOf(rule) === link);
    if (finding !== undefined) return foundOn(link, finding);
  }
  const ofRead = code?.startsWith('CONSENT_') ? 'consent' : BREAKS_READ[status ?? 0];
  const link = step === 'reads' ? ofRead : REACHES[step];
  if (link === undefined) return null;
  const [first] = musts;
  if (first !== undefined) return foundOn(link, first);
  return {
    link,
    rule: null,
    text: says ?? (status === null ? 'There was no answer.' : `It was answered ${status}.`),
  };
}

const linkOf = (rule: string): ChainLink | undefined =>
  rule.startsWith('certificate/') ? 'certificate' : RULE_BREAKS[rule];

const foundOn = (link: ChainLink, finding: Finding): Break => ({
  link,
  rule: finding.rule,
  expected: finding.expected,
  text: shortFormOf(finding),
});

const step = z.object({
  step: z.enum(STEPS),
  at: time.describe('Of the newest of them.'),
  exchange: z
    .string()
    .nullable()
    .describe('The newest of them; null: no call did it, but the bank, the PSU or the time.'),
  outcome: z.enum(OUTCOMES),
  count: count.describe('How many one after the other came to the same.'),
  worst: severity.nullable(),
});

const link = z.object({
  link: z.enum(LINKS),
  state: z.enum(['ok', 'broken', 'open']).describe('`open`: not used yet.'),
  exchange: z.string().optional().describe('Where it broke.'),
  rule: z.string().nullable().optional(),
  text: z.string().optional().describe('What was wrong.'),
  fix: z.string().optional().describe('What the rule says to send instead.'),
});

export const journey = named(
  'Journey',
  z.object({
    id: z
      .string()
      .describe(
        'That of the consent or payment; a literal id of the sandbox that came again has `~2` behind it.',
      ),
    kind: z.enum(['consent', 'payment']),
    resource: z.string().nullable().describe('Its id; null where its creation failed.'),
    tpp: z.string().nullable(),
    psu: z.string().nullable(),
    from: time,
    to: time,
    newest: z.string().describe('The newest of its calls; ids sort by the time of the machine.'),
    recorded: z
      .object({ from: time, to: time })
      .describe('When its first and its newest call came, by the clock of the machine.'),
    status: z.string().nullable().describe('As the bank, or its answers, say it.'),
    ended: z.boolean(),
    steps: z.array(step),
    omitted: count.describe('Steps that are not listed.'),
    next: z.enum(STEPS).nullable().describe('The step that is expected next.'),
    worst: severity.nullable(),
    chain: z.array(link),
    broken: z.enum(LINKS).nullable(),
    token: z.object({ expiresAt: time, expired: z.boolean() }).nullable(),
    budget: budget.optional().describe('The daily limit of which least is left.'),
    isPartial: z
      .boolean()
      .optional()
      .describe('More calls come than are looked at: of its steps some are missing until it is quieter.'),
  }),
);

export type Journey = Shown<typeof journey>;

const {
  id: exchange,
  at,
  ...ofBrief
} = brief.pick({
  ...{ id: true, at: true, listener: true, method: true, path: true },
  ...{ status: true, ms: true, source: true, sender: true, worst: true, reason: true },
}).shape;

/** The bank's clock may have been moved meanwhile. */
const ms = z.number().describe('In ms, by the time of the machine.');

export const runs = z.array(
  step.extend({
    step: z.enum(STEPS).nullable().describe('null: they asked how it stands, or were notifications.'),
    from: time.describe('Of the oldest of them.'),
    took: ms.describe('From the oldest to the newest.'),
    found: count.describe('How many of them have findings.'),
    gravest: exchange.nullable().describe('The newest with the gravest finding.'),
    calls: z
      .array(z.object({ exchange, at, past: ms.nullable(), ...ofBrief }))
      .describe('All of up to three, else the first. `past`: since the call before; null: it is the first.'),
  }),
);

export type Runs = Shown<typeof runs>;
