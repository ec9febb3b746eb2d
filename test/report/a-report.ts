/** A whole report with realistic content, for tests of what is rendered from it; any part can be given again. */
import { REPORT_VERSION, type Report } from '../../src/report/index.js';
import { OPERATION_IDS, operationRow, SCA_SCENARIO_IDS, SCA_SCENARIOS } from '../../src/spec/index.js';
import { TPP } from '../builders.js';
import { ACCESS, AVAILABILITY, EXERCISED } from './seen-parts.js';

const START = Date.UTC(2026, 5, 15, 10, 0, 0);
const DAY = 86_400_000;
const at = (seconds: number) => new Date(START + seconds * 1000).toISOString();
const id = (n: number) => `0NVX3K0${String(n).padStart(4, '0')}`;
const requestId = (n: number) => `99391c7e-ad88-49ec-a2ad-${String(n).padStart(12, '0')}`;
const CERTIFICATE = 'ab'.repeat(32);

type Row = Report['appendix']['exchanges'][number];
type Mark = Row['findings'][number];

const LONG_VALID: Mark = {
  rule: 'consents/valid-until-within-90-days',
  severity: 'must',
  judges: 'tpp',
  place: 'body validUntil',
  waived: false,
};
const OVER_LIMIT: Mark = {
  rule: 'accounts/within-daily-limit',
  severity: 'must',
  judges: 'tpp',
  place: 'header PSU-IP-Address',
  waived: false,
};
const NO_REQUEST_ID: Mark = {
  rule: 'requests/request-id-present',
  severity: 'should',
  judges: 'tpp',
  place: 'header X-Request-ID',
  waived: false,
};
const NOT_ECHOED: Mark = {
  rule: 'answers/request-id-echoed',
  severity: 'should',
  judges: 'aspsp',
  place: 'answer header X-Request-ID',
  waived: true,
};

const V1 = '/stdgroup/v1';
const AUTHORISATION = '22222222-2222-2222-2222-222222222222';
const CALLS: readonly (readonly [
  operation: string,
  method: string,
  path: string,
  status: number,
  findings: Mark[],
])[] = [
  ['consents.create', 'POST', `${V1}/consents`, 201, [LONG_VALID]],
  ['oauth.discovery', 'GET', '/stdgroup/.well-known/openid-configuration', 200, []],
  ['oauth.authorize', 'GET', `/stdgroup/authorization/authorize/${AUTHORISATION}`, 302, []],
  ['oauth.token', 'POST', `${V1}/token`, 200, []],
  ['accounts.list', 'GET', `${V1}/accounts`, 200, []],
  ['accounts.balances', 'GET', `${V1}/accounts/ACCOUNT_ID/balances`, 200, [NO_REQUEST_ID]],
  ['accounts.balances', 'GET', `${V1}/accounts/ACCOUNT_ID/balances`, 200, []],
  ['accounts.balances', 'GET', `${V1}/accounts/ACCOUNT_ID/balances`, 200, [NOT_ECHOED]],
  ['accounts.balances', 'GET', `${V1}/accounts/ACCOUNT_ID/balances`, 200, []],
  ['accounts.balances', 'GET', `${V1}/accounts/ACCOUNT_ID/balances`, 429, [OVER_LIMIT]],
  ['consents.delete', 'DELETE', `${V1}/consents/VALID_CONSENT_ID`, 204, []],
];

const ROWS: Row[] = CALLS.map(([operation, method, path, status, findings], i) => ({
  seq: i + 1,
  id: id(i + 1),
  at: at(i * 7),
  tpp: operation === 'oauth.authorize' ? null : TPP,
  sender: null,
  listener: operation === 'oauth.authorize' ? ('psu' as const) : ('api' as const),
  operation,
  method,
  path,
  requestId: findings.includes(NO_REQUEST_ID) ? null : requestId(i + 1),
  status,
  source: status === 429 ? 'rule' : 'upstream',
  ms: 41.2 + i,
  bankMs: status === 429 ? 0 : 38.9 + i,
  firstByteMs: status === 429 ? null : 30.5 + i,
  fault: null,
  injected: null,
  verdicts: { complied: 31 - findings.length, violated: findings.length, notObserved: 2 },
  findings,
}));

const STAGES = [
  'created',
  null,
  'authorised',
  'token',
  'access',
  'access',
  'access',
  'access',
  'access',
  'access',
  'revoked',
] as const;
const LABELS = [
  'Consent created',
  '',
  'PSU authorised',
  'Token issued',
  'Accounts',
  'Balances',
  'Balances',
  'Balances',
  'Balances',
  'Balances',
  'Consent deleted',
];

function aGroup(
  mark: Mark,
  text: Partial<Report['findings'][number]>,
  expected: string,
  actual: string | null,
) {
  const found = ROWS.filter(({ findings }) => findings.includes(mark));
  return {
    rule: mark.rule,
    severity: mark.severity,
    judges: mark.judges,
    statement: '',
    clauses: [],
    sources: [],
    why: 'The bank may refuse the call in production.',
    fix: 'Mend the call at the place that is named.',
    examples: { complies: 'validUntil: 2026-09-13', violates: 'validUntil: 2027-01-01' },
    count: found.length,
    waived: mark.waived ? found.length : 0,
    calls: found.length,
    outOf: ROWS.length,
    first: found[0]?.at ?? null,
    last: found.at(-1)?.at ?? null,
    operations: found.map(({ operation }) => ({
      operation,
      place: mark.place,
      count: 1,
      waived: mark.waived ? 1 : 0,
    })),
    occurrences: found.map((row) => ({
      id: `${mark.rule.replace('/', '-')}-${row.seq}`,
      exchange: row.id,
      at: row.at,
      tpp: row.tpp,
      operation: row.operation,
      method: row.method,
      path: row.path,
      requestId: row.requestId,
      status: row.status,
      place: mark.place,
      expected,
      actual,
      waived: mark.waived ? 'Known to the bank, ticket 4711' : null,
    })),
    omitted: 0,
    ...text,
  } satisfies Report['findings'][number];
}

const FINDINGS: Report['findings'] = [
  aGroup(
    LONG_VALID,
    {
      statement: 'validUntil lies at most 90 days ahead',
      clauses: [
        {
          id: 'consent-duration',
          section: 'Resources and their fields',
          text: 'AIS consent duration: 90 days.',
          link: null,
        },
      ],
    },
    'a date up to 2026-09-13',
    '2027-01-01',
  ),
  aGroup(
    OVER_LIMIT,
    {
      statement: 'Without PSU-IP-Address at most four accesses a day are made',
      clauses: [
        {
          id: 'limits.1',
          section: 'Limits 1',
          text: 'Account information endpoints: 4 accesses per day.',
          link: null,
        },
      ],
      sources: [
        {
          tag: 'RTS',
          title:
            'Delegated Regulation (EU) 2018/389, strong customer authentication and secure communication',
          place: '36(5)',
          link: 'https://eur-lex.europa.eu/eli/reg_del/2018/389/oj',
        },
      ],
    },
    'at most 4 accesses in a day',
    'the 5th',
  ),
  aGroup(
    NO_REQUEST_ID,
    {
      statement: 'X-Request-ID is present',
      sources: [
        {
          tag: 'BG',
          title: 'Berlin Group, NextGenPSD2 XS2A Framework 1.3.x',
          place: null,
          link: 'https://www.berlin-group.org',
        },
      ],
    },
    'a UUID of the client’s own',
    null,
  ),
  aGroup(
    NOT_ECHOED,
    { statement: 'The answer echoes X-Request-ID' },
    'the X-Request-ID of the request',
    null,
  ),
];

function cited(): Report['exchanges'] {
  return Object.fromEntries(
    ROWS.filter(({ findings }) => findings.length > 0).map((row) => [
      row.id,
      {
        id: row.id,
        request: {
          startLine: `${row.method} ${row.path} HTTP/1.1`,
          headers: [
            ['Host', 'localhost:8443'],
            ['X-Note', '<script>alert(1)</script>'],
            ['Authorization', 'Bearer fp_3sWm2kPqLx8'],
          ],
          body: row.method === 'POST' ? '{\n  "validUntil": "2027-01-01"\n}' : null,
          note: null,
        },
        answer: {
          startLine: `HTTP/1.1 ${row.status}`,
          headers: [['Content-Type', 'application/json']],
          body: '{\n  "accounts": []\n}',
          note: 'The body is cut: 48,211 bytes.',
        },
        fault: null,
        injected: null,
        curl: `curl -sS --cacert certs/ca.pem --cert certs/tpp.pem --key certs/tpp.key 'https://localhost:8443${row.path}'`,
      },
    ]),
  );
}

function operationsCovered(): Report['coverage']['operations'] {
  return OPERATION_IDS.map((operation) => {
    const rows = ROWS.filter((row) => row.operation === operation);
    const refused = rows.filter(({ source }) => source === 'rule').length;
    const { group, method, path, summary } = operationRow(operation);
    return {
      operation,
      group,
      method,
      path,
      summary,
      calls: rows.length,
      outcomes: { success: rows.length - refused, refused, clientError: 0, serverError: 0, none: 0 },
      statuses: [...new Set(rows.map(({ status }) => String(status)))].map((value) => ({
        value,
        count: rows.filter(({ status }) => String(status) === value).length,
      })),
    };
  });
}

const percentiles = (p50: number) => ({
  count: ROWS.length,
  p50,
  p90: p50 * 1.4,
  p99: p50 * 2.1,
  max: p50 * 2.4,
});

function aTraffic(): Report['traffic'] {
  return {
    exchanges: ROWS.length,
    bytesIn: 1_312,
    bytesOut: 18_204,
    operations: operationsCovered()
      .filter(({ calls }) => calls > 0)
      .map(({ operation, calls, statuses, outcomes }) => ({
        operation,
        calls,
        statuses,
        errors: outcomes.refused,
        injected: 0,
        gateway: percentiles(1.9),
        bank: percentiles(41),
      })),
    latency: {
      total: percentiles(43),
      gateway: percentiles(1.9),
      bank: percentiles(41),
      histogram: [
        { from: 0, to: 1, gateway: 2, bank: 1 },
        { from: 1, to: 2, gateway: 6, bank: 0 },
        { from: 2, to: 5, gateway: 3, bank: 0 },
        { from: 5, to: 10, gateway: 0, bank: 0 },
        { from: 10, to: 50, gateway: 0, bank: 9 },
        { from: 50, to: null, gateway: 0, bank: 1 },
      ],
    },
    faults: [{ kind: 'timeout', count: 1, message: 'The bank did not answer within 30 s.' }],
    overTime: {
      spanSeconds: 10,
      spans: [0, 10, 20, 30, 40, 50, 60, 70].map((s) => ({ at: at(s), calls: 2, errors: s === 60 ? 1 : 0 })),
    },
  };
}

function aCoverage(): Report['coverage'] {
  const rule = (rule: string, outcome: Report['coverage']['rules'][number]['outcome'], judged: number) => ({
    rule,
    statement: 'The statement of the rule stands here',
    judges: rule.startsWith('answers/') ? ('aspsp' as const) : ('tpp' as const),
    severity: 'must' as const,
    outcome,
    complied: outcome === 'complied' ? judged : 0,
    violated: outcome === 'violated' ? judged : 0,
    notObserved: outcome === 'not-observed' ? judged : 0,
  });
  return {
    operations: operationsCovered(),
    unknownCalls: 0,
    pages: 0,
    sandboxIds: [
      { kind: 'consent', id: 'VALID_CONSENT_ID', meaning: 'valid, preselected', count: 8 },
      { kind: 'consent', id: 'CONSENT_ID_EXPIRED', meaning: 'expired, preselected', count: 0 },
      { kind: 'payment', id: 'PAYMENT_ID_RCVD_SCT', meaning: 'RCVD, SCT', count: 0 },
      { kind: 'authorisation', id: AUTHORISATION, meaning: 'received', count: 2 },
      { kind: 'code', id: 'AIS_VALID_CODE', meaning: 'AIS:VALID_CONSENT_ID', count: 1 },
    ],
    statuses: [
      { kind: 'consent', status: 'received', count: 1 },
      { kind: 'consent', status: 'valid', count: 0 },
      { kind: 'payment', status: 'RCVD', count: 0 },
      { kind: 'authorisation', status: 'finalised', count: 0 },
    ],
    scenarios: SCA_SCENARIO_IDS.map((scenario) => ({
      scenario,
      meaning: SCA_SCENARIOS[scenario].meaning,
      count: scenario === 'SCA_OK' ? 1 : 0,
    })),
    authorisation: { implicit: 1, explicit: 0 },
    links: { direct: 0, discovery: 1 },
    rules: [
      rule('payments/body-well-formed', 'never-exercised', 0),
      rule('certificate/not-revoked', 'not-observed', 10),
      rule(LONG_VALID.rule, 'violated', 1),
      rule(OVER_LIMIT.rule, 'violated', 1),
      rule('requests/known-path', 'complied', 11),
    ],
  };
}

const party = (outcome: 'must-violated' | 'complied', sentence: string): Report['verdict']['tpp'] => ({
  outcome,
  sentence,
  rules: {
    mustViolated: outcome === 'complied' ? 0 : 2,
    shouldViolated: outcome === 'complied' ? 0 : 1,
    noteViolated: 0,
    waived: outcome === 'complied' ? 1 : 0,
    complied: 42,
    notObserved: 3,
    notApplicable: 30,
    off: 0,
  },
  findings:
    outcome === 'complied'
      ? { must: 0, should: 0, note: 0, waived: 1 }
      : { must: 2, should: 1, note: 0, waived: 0 },
});

function aLane(): Report['journeys']['lanes'][number] {
  const steps = ROWS.flatMap((row, i) => {
    const stage = STAGES[i];
    if (stage === null || stage === undefined) return [];
    return [
      {
        exchange: row.id,
        at: row.at,
        stage,
        label: LABELS[i] ?? '',
        operation: row.operation ?? '',
        status: row.status,
        ok: row.status !== 429,
        attended: stage === 'access' ? i === 4 : null,
        findings: row.findings,
      },
    ];
  });
  return {
    id: 'consent-1',
    kind: 'consent',
    resource: 'VALID_CONSENT_ID',
    sandbox: true,
    tpp: TPP,
    from: at(0),
    to: at(70),
    authorisation: 'implicit',
    link: 'discovery',
    lastStatus: 'received',
    reached: ['created', 'authorised', 'token', 'access', 'revoked'],
    steps,
    omitted: 0,
  };
}

const NOT_BEFORE = new Date(START - 30 * DAY).toISOString();
const NOT_AFTER = new Date(START + 300 * DAY).toISOString();

function aHead(): Report['head'] {
  return {
    title: 'Compliance report: june',
    purpose: null,
    preparedBy: null,
    madeFor: null,
    recording: {
      kind: 'store',
      name: 'june',
      session: 'june',
      from: at(0),
      to: at(70),
      exchanges: ROWS.length,
      skipped: {},
    },
    clock: null,
    unrecorded: null,
    madeAt: null,
    gateway: { name: 'sandgate', version: '0.1.0' },
    profile: { judged: 'production', recorded: ['sandbox'], rejudged: true },
    faults: [],
    stances: ['enforce'],
    sources: ['upstream'],
    dailyWindow: 'A calendar day, Europe/Brussels',
    catalogue: { digest: 'cd'.repeat(32), rules: 110 },
    overrides: [{ rule: 'requests/known-query', severity: 'note', standard: 'should' }],
    waivers: [
      {
        rule: NOT_ECHOED.rule,
        reason: 'Known to the bank, ticket 4711',
        operation: null,
        tpp: null,
        path: '/stdgroup/v1/accounts*',
        until: '2026-12-31',
        used: 1,
      },
    ],
    changes: [
      {
        at: at(0),
        kind: 'started',
        settings: [
          ['source', 'upstream'],
          ['stance', 'enforce'],
        ],
      },
    ],
    notes: ['Judged again under profile production; the session was recorded under sandbox.'],
  };
}

/** Every argument is put over the whole of its part. */
export function aReport(overrides: Partial<Report> = {}): Report {
  return {
    format: 'sandgate-report',
    version: REPORT_VERSION,
    head: aHead(),
    tpps: [
      {
        id: TPP,
        name: 'Test TPP',
        country: 'BE',
        roles: ['PSP_PI', 'PSP_AI', 'PSP_IC'],
        nca: { id: 'BE-NBB', name: 'National Bank of Belgium' },
        certificates: [{ fingerprint: CERTIFICATE, notBefore: NOT_BEFORE, notAfter: NOT_AFTER }],
        exchanges: ROWS.length - 1,
        first: at(0),
        last: at(70),
      },
    ],
    otherCallers: { psu: 0, noCertificate: 0, notObserved: 1, notListed: 0, gateway: 0 },
    against: [
      {
        ...{ source: 'upstream', meaning: 'A real bank', exchanges: ROWS.length - 1 },
        ...{ hosts: ['localhost:8443'], banks: ['https://api.bank.example/psd2'] },
        shown: [
          {
            ...{ subject: 'CN=Our Gateway', issuer: 'CN=Qualified CA', serialNumber: '0a1b' },
            ...{ fingerprint: 'ab'.repeat(32), notAfter: NOT_AFTER },
          },
        ],
      },
      {
        ...{ source: 'rule', meaning: 'Refused by the gateway', exchanges: 1 },
        ...{ hosts: ['localhost:8443'], banks: [], shown: [] },
      },
    ],
    verdict: {
      sentence:
        'The TPP violated 2 rules of severity must; the bank complied with all rules that were tested.',
      tpp: party('must-violated', '2 must and 1 should were violated.'),
      tpps: [
        {
          tpp: TPP,
          name: 'Test TPP',
          exchanges: ROWS.length,
          ...party('must-violated', 'Test TPP violated 2 rules of severity must.'),
          violated: FINDINGS.filter(({ judges }) => judges === 'tpp').map(
            ({ rule, severity, count, waived, calls, outOf, first, last }) => ({
              ...{ rule, severity, count, waived },
              ...{ calls, outOf, first, last },
            }),
          ),
        },
      ],
      aspsp: party('complied', 'Every rule that was observed was kept.'),
      answerer: 'bank',
    },
    baseline: null,
    findings: FINDINGS,
    gaps: [
      {
        kind: 'sandbox-id',
        what: 'Fixed consent ids of the sandbox were used: VALID_CONSENT_ID.',
        mend: 'Take the id of a consent out of the answer to its creation.',
        times: 8,
        since: at(0),
        tpp: TPP,
      },
    ],
    notTested: [
      { area: 'errors', what: 'The bank never failed.', why: 'Banks do fail, and payments get lost.' },
    ],
    coverage: aCoverage(),
    exercised: EXERCISED,
    access: ACCESS,
    journeys: { lanes: [aLane()], omitted: 0 },
    dailyLimit: {
      window: 'A calendar day, Europe/Brussels',
      rows: [
        {
          tpp: TPP,
          consent: 'VALID_CONSENT_ID',
          operation: 'accounts.balances',
          account: 'ACCOUNT_ID',
          day: '2026-06-15',
          allowed: 4,
          unattended: 4,
          attended: 0,
          refused: 1,
          over: 0,
        },
        {
          tpp: TPP,
          consent: 'VALID_CONSENT_ID',
          operation: 'accounts.list',
          account: null,
          day: '2026-06-15',
          allowed: 4,
          unattended: 0,
          attended: 1,
          refused: 0,
          over: 0,
        },
      ],
      omitted: 0,
      days: [{ day: '2026-06-15', most: 4, allowed: 4, refused: 1 }],
    },
    certificates: {
      list: [
        {
          fingerprint: CERTIFICATE,
          subject: `CN=tpp.example, O=Test TPP, organizationIdentifier=${TPP}, C=BE`,
          issuer: 'CN=Sandgate Test CA',
          serialNumber: '01',
          tpp: TPP,
          key: 'RSA 2048',
          use: 'QWAC',
          notBefore: NOT_BEFORE,
          notAfter: NOT_AFTER,
          daysLeft: 299,
          chain: { trusted: true, reason: 'Signed by Sandgate Test CA.', path: ['CN=Sandgate Test CA'] },
          revocation: 'not checked',
          rolesHeld: ['PSP_PI', 'PSP_AI', 'PSP_IC'],
          rolesUsed: ['PSP_AI'],
          rolesMissing: [],
          exchanges: ROWS.length - 1,
          first: at(0),
          last: at(70),
          findings: [],
        },
      ],
      omitted: 0,
      absent: 0,
      notObserved: 0,
    },
    bankDeviations: [
      {
        rule: NOT_ECHOED.rule,
        severity: 'should',
        statement: 'The answer echoes X-Request-ID',
        count: 1,
        operations: ['accounts.balances'],
        sources: ['upstream'],
        seen: ['absent'],
        rely: 'Pair requests and answers by the connection, not by the header.',
        exchanges: [id(8)],
      },
    ],
    readings: [
      {
        id: 'daily-limit-status',
        clause: 'limits.1',
        section: 'Limits 1',
        open: 'Account information endpoints: 4 accesses per day.',
        chosen: '429 ACCESS_EXCEEDED, with Retry-After.',
        why: 'The code exists for it. With Retry-After the TPP need not guess.',
        source: 'BG',
        observed: [{ value: '429 ACCESS_EXCEEDED', count: 1 }],
      },
      {
        id: 'delete-answer',
        clause: 'payloads-not-covered.delete',
        section: 'Payloads not covered',
        open: 'Not shown.',
        chosen: '204 without body.',
        why: 'The sandbox answers like this.',
        source: 'BG',
        observed: [{ value: '204', count: 1 }],
      },
    ],
    traffic: aTraffic(),
    availability: AVAILABILITY,
    evidence: {
      level: 'consistent',
      kind: 'chain',
      head: 'ef'.repeat(32),
      last: id(ROWS.length),
      links: ROWS.length,
      entries: ROWS.length + 2,
      chains: [],
      end: 'ef'.repeat(32),
      removed: null,
      witness: null,
      gaps: 0,
      breaks: [],
      omittedBreaks: 0,
      sentence: `Consistent in itself: the chain of all ${ROWS.length} exchanges is whole.`,
      fileDigest: null,
    },
    exchanges: cited(),
    appendix: { exchanges: ROWS, omitted: 0, note: null },
    recipe: {
      rejudged: true,
      judging: {
        profile: 'production',
        dailyWindow: { kind: 'calendar-day', timeZone: 'Europe/Brussels' },
        blockedOrganisations: [],
        notificationAllow: ['localhost'],
        bankOrigins: ['https://localhost:8443'],
        segment: 'stdgroup',
        overrides: { 'requests/known-query': 'note' },
        waivers: [
          {
            rule: NOT_ECHOED.rule,
            match: { path: '/stdgroup/v1/accounts*' },
            reason: 'Known to the bank, ticket 4711',
            until: '2026-12-31',
          },
        ],
      },
      host: null,
      earlier: { sessions: [], leftAside: 0 },
      caps: { occurrences: 25, appendix: 20_000, lanes: 300, steps: 200, rows: 500 },
    },
    ...overrides,
  };
}
