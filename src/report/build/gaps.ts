/** The gaps between a recording and production: what production would refuse, and what only a sandbox allows. */
import { formValue, queryValue } from '../../exchange/index.js';
import {
  effectiveSeverity,
  type Finding,
  GRAVITY,
  RULES,
  type Rule,
  type Severity,
} from '../../rules/index.js';
import { SANDBOX } from '../../spec/index.js';
import { GAP_KINDS } from '../model/missing.js';
import type { Caps, Gap, Judging, Report } from '../model.js';
import { order, type Seen } from './collector.js';
import { SANDBOX_ID_KINDS, type SandboxIdKind, sandboxIdsOf } from './coverage.js';
import { operationsText, untriedByGroup } from './not-tested.js';
import { ruleText } from './rule-text.js';

interface Met {
  readonly kind: Gap['kind'];
  readonly owner: string | null;
  readonly since: string;
  /** Calls; the last of them is counted once. */
  times: number;
  last: number;
  /** Fixed ids of the sandbox, and what they are of. */
  readonly ids: Set<string>;
  readonly of?: SandboxIdKind | undefined;
  readonly rule?: string | undefined;
  readonly severity?: Finding['severity'];
}

const MOST_IDS = 5;

export function collectGaps(judging: Judging, own: readonly Rule[], { rows: most }: Caps) {
  const met = new Map<string, Met>();
  const inProduction = severitiesIn(judging, [...RULES, ...own]);
  const note = (seen: Seen, kind: Gap['kind'], more: Pick<Met, 'of' | 'rule' | 'severity'> = {}): Met => {
    const { owner, at, seq } = seen;
    const key = JSON.stringify([kind, more.of, more.rule, owner]);
    const row = met.get(key) ?? { kind, owner, since: at, times: 0, last: 0, ids: new Set(), ...more };
    if (row.last !== seq) row.times++;
    row.last = seq;
    if (met.size < most) met.set(key, row);
    return row;
  };
  return {
    take(seen: Seen): void {
      const { exchange, findings } = seen.record;
      const { call } = exchange;
      for (const id of sandboxIdsOf(exchange)) {
        const { ids } = note(seen, 'sandbox-id', { of: SANDBOX_ID_KINDS.get(id) });
        if (ids.size < MOST_IDS) ids.add(id);
      }
      const client = queryValue(call, 'client_id') ?? formValue(call.content, 'client_id');
      if (client === SANDBOX.clientId) note(seen, 'sandbox-client');
      if (returnAddresses(seen).some((address) => address !== undefined && /^http:/i.test(address)))
        note(seen, 'http-redirect', { rule: 'requests/redirect-uri-secure' });
      if (call.operation === 'oauth.authorize' && queryValue(call, 'state') === '')
        note(seen, 'empty-state', { rule: 'oauth/authorize-parameters' });
      for (const { rule, severity, judges, waived } of findings)
        if (judges === 'tpp' && waived === undefined && isGraver(inProduction.get(rule), severity))
          note(seen, 'graver', { rule, severity });
    },
    finish: (parts: Parts): Gap[] => {
      const gaps = [...met.values()].map((row) => ({
        kind: row.kind,
        ...sentencesOf(row, inProduction, own),
        times: row.times,
        since: row.since,
        ...(row.owner === null ? {} : { tpp: row.owner }),
        ...(row.rule === undefined ? {} : { rule: row.rule }),
      }));
      const isTold = ({ kind, rule, tpp }: Gap): boolean =>
        kind === 'graver' && gaps.some((one) => one.kind !== kind && one.rule === rule && one.tpp === tpp);
      return [...gaps.filter((one) => !isTold(one)), ...ofAll(parts)].sort(byKind);
    },
  };
}

const byKind = (a: Gap, b: Gap): number =>
  GAP_KINDS.indexOf(a.kind) - GAP_KINDS.indexOf(b.kind) ||
  b.times - a.times ||
  order(a.tpp ?? '', b.tpp ?? '') ||
  order(a.what, b.what);

function severitiesIn({ overrides, bankProfile }: Judging, rules: readonly Rule[]): Map<string, Severity> {
  return new Map(
    rules.map((rule) => [rule.id, effectiveSeverity(rule, 'production', overrides, bankProfile)]),
  );
}

const isGraver = (there: Severity | undefined, here: Severity): boolean =>
  there !== undefined && GRAVITY[there] < GRAVITY[here];

const returnAddresses = ({ record: { exchange } }: Seen): readonly (string | undefined)[] => [
  exchange.call.header['tpp-redirect-uri'],
  exchange.call.header['tpp-nok-redirect-uri'],
  queryValue(exchange.call, 'redirect_uri'),
];

type Sentences = Pick<Gap, 'what' | 'mend'>;

const IDS: Readonly<Record<SandboxIdKind, readonly [what: string, mend: string]>> = {
  consent: ['consent ids', 'Take the id of a consent out of the answer to its creation.'],
  payment: ['payment ids', 'Take the id of a payment out of the answer to its creation.'],
  authorisation: ['authorisation ids', 'Take the id of an authorisation out of the answer that created it.'],
  code: [
    'authorisation codes',
    'Take the code out of the redirect that follows the consent of the customer.',
  ],
};

function sentencesOf(
  { kind, of, ids, rule = '', severity = 'note' }: Met,
  inProduction: ReadonlyMap<string, Severity>,
  own: readonly Rule[],
): Sentences {
  if (kind === 'sandbox-client')
    return {
      what: `The fixed client id of the sandbox was used (${SANDBOX.clientId}).`,
      mend: 'Send the authorisation number of the organisation, as it stands in its certificate.',
    };
  if (kind === 'http-redirect')
    return {
      what: 'An address without encryption (http) was given for the way back from the bank.',
      mend: 'Give an address with https, or the scheme of your own app.',
    };
  if (kind === 'empty-state')
    return {
      what: 'The authorisation was started with an empty state, which only the sandbox takes.',
      mend: 'Send a value that nobody can guess, new for each authorisation, and check it when the customer returns.',
    };
  if (kind === 'sandbox-id') {
    const [what, mend] = IDS[of ?? 'consent'];
    return { what: `Fixed ${what} of the sandbox were used: ${[...ids].join(', ')}.`, mend };
  }
  const { statement, fix } = ruleText(rule, own);
  const there = inProduction.get(rule) ?? 'must';
  return {
    what: `Violated, and judged more severely in production (${there}; here ${severity}): ${statement}.`,
    mend: fix,
  };
}

type Parts = Pick<Report, 'against' | 'certificates' | 'tpps'> & Pick<Report['coverage'], 'operations'>;

/** Gaps that the other parts of the report tell. */
function ofAll({ against, certificates, tpps, operations }: Parts): Gap[] {
  const { list } = certificates;
  const roles = new Set(tpps.flatMap((tpp) => tpp.roles));
  return [
    ...(against.some(({ source }) => source === 'upstream') ? [] : [NO_BANK]),
    ...list.filter(({ issuer }) => OF_A_TEST.test(issuer)).map(testCertificate),
    ...list.flatMap(missingRoles),
    ...untriedByGroup(operations, roles).map(
      ({ title, rows }): Gap => ({
        kind: 'untried',
        what: `Never tried, ${title}: ${operationsText(rows)}.`,
        mend: 'Try it once in front of the bank’s test interface, or leave it out of the application.',
        times: 0,
      }),
    ),
  ];
}

const NO_BANK: Gap = {
  kind: 'no-bank',
  what: 'No answer came from a bank.',
  mend: 'Record a session in front of the bank’s own test interface before going live.',
  times: 0,
};

/** Names of CAs that make certificates for tests; the one of `sandgate certs` among them. */
const OF_A_TEST = /\b(?:test|testing|sandbox|sandgate|demo|dummy)\b/i;

type Certificate = Report['certificates']['list'][number];

const ownerOf = ({ tpp, first }: Certificate): Pick<Gap, 'since' | 'tpp'> => ({
  since: first,
  ...(tpp === null ? {} : { tpp }),
});

const LONGEST_ISSUER = 100;

function testCertificate(certificate: Certificate): Gap {
  const { issuer, exchanges, fingerprint } = certificate;
  return {
    kind: 'test-certificate',
    what: `A test certificate was used (${fingerprint.slice(0, 16)}…, issued by ${issuer.slice(0, LONGEST_ISSUER)}).`,
    mend: 'Order a qualified certificate for websites (QWAC) of a provider on the trusted list of its country.',
    times: exchanges,
    ...ownerOf(certificate),
  };
}

function missingRoles(certificate: Certificate): Gap[] {
  const { rolesMissing, fingerprint, exchanges } = certificate;
  if (rolesMissing.length === 0) return [];
  return [
    {
      kind: 'missing-role',
      what: `The certificate (${fingerprint.slice(0, 16)}…) lacks a role that its calls need: ${rolesMissing.join(', ')}.`,
      mend: 'Have the authority grant the role and order a certificate that holds it, or leave these calls out.',
      times: exchanges,
      ...ownerOf(certificate),
      rule: 'certificate/role-covers-operation',
    },
  ];
}
