import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askRule } from '../../src/app/own-rules/ask-rule.js';
import type { CertificateObservation } from '../../src/certificate/index.js';
import { closeCall, openAnswer, openCall } from '../../src/exchange/index.js';
import { advance, applyChanges, createLedger } from '../../src/ledger/index.js';
import { createJudge, RULES } from '../../src/rules/index.js';
import { createOwnRules } from '../../src/rules/own/index.js';
import { dialectOf, HEADERS, OPERATION_IDS, OPERATIONS } from '../../src/spec/index.js';
import { aCertificate, fingerprint, judgeOptions, NOW } from '../builders.js';
import { codePoint } from '../code-points.js';

const recognise = dialectOf().recognise;

/** Texts that mean something to the rules, beside any others. */
const text = fc.oneof(
  fc.string(),
  fc.string({ unit: codePoint }),
  fc.constantFrom(
    'VALID_CONSENT_ID',
    'AIS:VALID_CONSENT_ID',
    'PIS:PAYMENT_ID_RCVD_SCT',
    'AIS_VALID_CODE',
    'Bearer t',
    'true',
    '2026-06-15',
    '9999-12-31',
    'https://tpp.example/cb?x=%E0%A4%A',
    '1e999',
    '__proto__',
    'constructor',
    '11111111-1111-1111-1111-111111111111',
  ),
);

const names = [
  ...[
    'access',
    'allPsd2',
    'validUntil',
    'frequencyPerDay',
    'recurringIndicator',
    'instructedAmount',
    'amount',
  ],
  ...[
    'currency',
    'debtorAccount',
    'creditorAccount',
    'iban',
    'creditorName',
    'account',
    'paymentId',
    'consentId',
  ],
  ...[
    '_links',
    'scaOAuth',
    'scaStatus',
    'href',
    'accounts',
    'resourceId',
    'consentStatus',
    'transactionStatus',
  ],
  ...[
    'tppMessages',
    'code',
    'access_token',
    'refresh_token',
    'expires_in',
    'scope',
    'token_type',
    'balances',
  ],
  ...[
    'transactions',
    'booked',
    'payment-ID',
    'tppNotificationUri',
    'status',
    'requestedExecutionDate',
    '__proto__',
  ],
];
const { json } = fc.letrec((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false, 0, -1, 1.5, 1e308),
    text,
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...names), text), tie('json'), { maxKeys: 6 }),
  ),
}));

const body = fc.option(
  fc
    .oneof(
      json.map((value) => JSON.stringify(value) ?? ''),
      text,
      fc
        .array(
          fc.tuple(
            fc.constantFrom('grant_type', 'code', 'code_verifier', 'client_id', 'refresh_token', 'x'),
            text,
          ),
          { maxLength: 6 },
        )
        .map((fields) => new URLSearchParams(fields).toString()),
    )
    .chain((content) =>
      fc.record(
        {
          text: fc.constant(content),
          size: fc.constant(content.length),
          truncated: fc.constant(true as const),
          base64: fc.constant(true as const),
        },
        { requiredKeys: ['text', 'size'] },
      ),
    ),
);

const headers = fc.array(
  fc.tuple(
    fc.constantFrom(
      ...Object.values(HEADERS).map(({ name }) => name),
      'Content-Type',
      'Cookie',
      'Location',
      '__proto__',
    ),
    fc.oneof(text, fc.constantFrom('application/json', 'application/x-www-form-urlencoded', 'text/html')),
  ),
  { maxLength: 8 },
);

const target = fc.oneof(
  text,
  fc
    .tuple(
      fc.constantFrom(...OPERATION_IDS),
      text,
      fc.array(
        fc.tuple(
          fc.oneof(
            fc.constantFrom(
              'scope',
              'state',
              'client_id',
              'code_challenge',
              'redirect_uri',
              'dateFrom',
              'page',
            ),
            text,
          ),
          text,
        ),
        { maxLength: 6 },
      ),
    )
    .map(([id, part, query]) => {
      const path = OPERATIONS[id].path
        .replace('{segment}', 'stdgroup')
        .replace('{paymentService}', 'payments');
      const filled = path.replace(/\{\w+\}/g, () => encodeURIComponent(Buffer.from(part).toString()) || 'x');
      return `${filled}?${query.map(([k, v]) => `${k}=${v}`).join('&')}`;
    }),
);

const certificate = fc.oneof(
  fc.constantFrom<CertificateObservation>('absent', 'not-observed', aCertificate()),
  fc
    .record({
      organizationIdentifier: fc.constant(null),
      roles: fc.constant([]),
      encoding: fc.constantFrom('absent', 'unreadable', 'flat-roles'),
      notAfter: text,
      keyType: fc.constantFrom('rsa', 'ec', 'other'),
      signatureAlgorithm: text,
      keyUsage: fc.constant(null),
    } as const)
    .map((parts) => aCertificate(parts)),
);

const exchange = fc
  .record({
    target,
    method: fc.constantFrom('GET', 'POST', 'DELETE', 'HEAD', 'PATCH', ''),
    headers,
    body,
    certificate,
    listener: fc.constantFrom('api', 'psu', 'callback'),
    tls: fc.constantFrom(null, 'not-observed', { version: 'TLSv1.2', cipher: '', resumed: true }),
    at: fc.constantFrom(NOW, 0, NOW + 86_400_000),
    answer: fc.option(fc.record({ status: fc.integer({ min: 100, max: 999 }), headers, body })),
  } as const)
  .map(({ target: to, answer, tls, ...arrival }) => {
    const call = openCall(
      { id: '1', session: 's', target: to, connection: { address: '::1', tls }, ...arrival } as never,
      recognise(arrival.method, to.split('?', 1)[0] ?? ''),
    );
    const given = answer === null ? null : openAnswer({ source: 'upstream', ...answer } as never);
    return closeCall(call, given, { total: 1, answerer: 1 });
  });

describe('whatever comes', () => {
  const judges = (['sandbox', 'production'] as const).map((profile) =>
    createJudge({ rules: RULES, options: judgeOptions(profile), fingerprint }),
  );

  it('judging and learning never throw, and tell short texts of places', () => {
    fc.assert(
      fc.property(fc.array(exchange, { minLength: 1, maxLength: 4 }), (exchanges) => {
        const ledger = createLedger();
        for (const one of exchanges) {
          for (const judge of judges) {
            const before = judge.judgeCall(one.call, ledger);
            const after = judge.judgeExchange(one, ledger);
            const ill = [...before.findings, ...after.findings].filter(
              ({ place, expected, actual }) =>
                place.length === 0 || Math.max(place.length, expected.length, actual?.length ?? 0) > 200,
            );
            expect(ill).toEqual([]);
          }
          applyChanges(ledger, advance(ledger, one, fingerprint));
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

/** Outcomes that a rule may give, and others. */
const anyOutcome = fc.oneof(
  fc.constantFrom<unknown>(
    true,
    false,
    'not-applicable',
    'not-observed',
    null,
    undefined,
    0,
    [],
    {},
    () => true,
  ),
  fc.constant('a rejected promise'),
  fc.record({
    place: fc.oneof(fc.constantFrom('header X-Request-ID', 'body', 'answer status'), fc.anything()),
    expected: fc.oneof(fc.string(), fc.anything()),
    actual: fc.oneof(fc.string(), fc.anything()),
  }),
  fc.array(fc.record({ place: fc.constant('path'), expected: fc.string() }), { maxLength: 30 }),
);

describe('own rules', () => {
  it('change no verdict and no finding of the catalogue, whatever they give or do', () => {
    const ids = new Set(RULES.map(({ id }) => id));
    let outcome: unknown = true;
    const definition = { ...OWN, appliesTo: 'all', needs: [] } as const;
    const { rules } = createOwnRules(
      [
        { ...definition, id: 'x-test/call', scope: 'call', judges: 'tpp' },
        { ...definition, id: 'x-test/exchange', scope: 'exchange', judges: 'aspsp' },
      ],
      (_, see) =>
        askRule((seen) => {
          // Everything that it sees is frozen, and no part of what others see.
          for (const one of Object.values(Object(seen))) Reflect.set(Object(one), 'at', 0);
          if (outcome === undefined) throw new Error('broken');
          if (outcome === 'a rejected promise') return Promise.reject(new Error('late'));
          return outcome;
        }, see()),
      () => {},
    );
    const options = judgeOptions();
    const [plain, both] = [RULES, [...RULES, ...rules]].map((all) =>
      createJudge({ rules: all, options, fingerprint }),
    );
    fc.assert(
      fc.property(exchange, anyOutcome, (one, given) => {
        outcome = given;
        const ledger = createLedger();
        const found = [plain, both].map((judge) =>
          judge?.judgeExchange(one, ledger, judge.judgeCall(one.call, ledger)),
        );
        const [before, after] = found.map((judged) => ({
          verdicts: Object.entries(judged?.verdicts ?? {}).filter(([id]) => ids.has(id)),
          findings: judged?.findings.filter(({ rule }) => ids.has(rule)),
        }));
        expect(after).toEqual(before);
        // What the catalogue refuses stays refused.
        if (found[0]?.refusal != null) expect(found[1]?.refusal).not.toBeNull();
        for (const { rule, severity, place, actual } of found[1]?.findings ?? [])
          if (place === 'rule')
            expect([ids.has(rule), severity, actual]).toEqual([false, 'note', expect.any(String)]);
      }),
    );
  });
});

const OWN = {
  ...{ statement: 'It is so', why: 'So it is.', fix: 'Do so.', source: { text: 'us' }, examples: [] },
  severity: { sandbox: 'must', production: 'must' },
  file: { name: 'own.js', digest: '' },
} as const;
