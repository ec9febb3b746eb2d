/** Every member of a bank profile has its effect: a member that nothing reads fails here until it has a row. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { createLedger, type LedgerState } from '../../src/ledger/index.js';
import { createJudge, RULES } from '../../src/rules/index.js';
import { bankProfile, dialectOf } from '../../src/spec/index.js';
import {
  type AnswerParts,
  anExchange,
  aProfile,
  type CallParts,
  fingerprint,
  judgeOptions,
  NOW,
} from '../builders.js';
import { aConsent, aLedger, anAccess, aToken, BEARER } from './a-ledger.js';
import { authorizeWith, CONSENT_BODY, consentWith, exchangeWith, paymentWith } from './requests-of.js';

type Bank = Parameters<typeof aProfile>[0];
interface Row {
  readonly rule: string;
  readonly bank: Bank;
  /** The same bank without the member. */
  readonly without?: Bank;
  readonly call: CallParts;
  readonly answer?: AnswerParts;
  readonly ledger?: LedgerState;
}

const read = (target: string): CallParts => ({ target, method: 'GET' });
const PUT = { operation: 'consents.authorisations.update' } as const;
const OFFERS_PUT = { paths: { offers: [PUT.operation] } };
const created = {
  status: 201,
  body: { consentId: 'C', consentStatus: 'received', _links: { scaRedirect: { href: '/x' } } },
};
const authorised = (scope: string) => authorizeWith({ scope });
const READ = { operation: 'accounts.list', headers: { 'Consent-Id': 'C1' } } as const;
const used = aLedger({ accesses: anAccess(4) });
const DAY = 86_400_000;
const old = aLedger({ consents: aConsent({ createdAt: NOW - 9 * DAY, scaAt: NOW - 8 * DAY }) });
const told = (body: object, operation: CallParts['operation'] = 'consents.status') => ({
  call: { operation } as CallParts,
  answer: { body },
});
const error = (code: string) => ({ status: 400, body: { tppMessages: [{ category: 'ERROR', code }] } });
const service = (like: 'SCT' | 'CBP', media?: ('application/json' | 'application/xml')[]): Bank => ({
  services: { payments: { 'sepa-credit-transfers': { like, ...(media && { media }) } } },
});
const PERIODIC: Bank = { services: { 'periodic-payments': { 'sepa-credit-transfers': { like: 'SCT' } } } };
const deviating = (parts: object = {}): Bank => ({
  deviations: [
    { id: 'as-it-likes', rule: 'answers/location-present', says: 'None.', sample: '201', ...parts },
  ],
});
const NO_LOCATION = { rule: 'answers/location-present', call: consentWith({}), answer: { status: 201 } };

const ROWS: Readonly<Record<string, Row>> = {
  'paths.base': {
    rule: 'requests/known-path',
    bank: { paths: { base: '/x' } },
    call: read('/x/v1/accounts'),
  },
  'paths.version': {
    rule: 'requests/known-path',
    bank: { paths: { version: 'v2' } },
    call: read('/stdgroup/v2/accounts'),
  },
  'paths.bases.*': {
    rule: 'requests/known-path',
    bank: { paths: { bases: { consents: '/ais' } } },
    call: read('/ais/v1/consents/C'),
  },
  'paths.operations.*': {
    rule: 'requests/known-path',
    bank: { paths: { operations: { 'accounts.list': '/v3/accounts' } } },
    call: read('/v3/accounts'),
  },
  'paths.offers': {
    rule: 'requests/known-method',
    bank: OFFERS_PUT,
    call: { method: 'PUT', target: '/stdgroup/v1/consents/C/authorisations/A' },
  },
  'paths.further[].path': {
    rule: 'requests/known-path',
    bank: { paths: { further: [{ path: '/keys/{id}', methods: ['GET'], says: 'Keys.' }] } },
    call: read('/keys/1'),
  },
  'paths.further[].methods': {
    rule: 'requests/known-path',
    bank: { paths: { further: [{ path: '/keys', methods: ['GET', 'POST'], says: 'Keys.' }] } },
    without: { paths: { further: [{ path: '/keys', methods: ['POST'], says: 'Keys.' }] } },
    call: read('/keys'),
  },
  'services.*.*.like': {
    rule: 'payments/body-well-formed',
    bank: service('CBP'),
    without: service('SCT'),
    call: paymentWith({ creditorAccount: { bban: '1' } }),
  },
  'services.*.*.media': {
    rule: 'requests/content-type',
    bank: service('SCT', ['application/xml']),
    without: service('SCT'),
    call: paymentWith({}),
  },
  'bodies.*.required': {
    rule: 'payments/body-well-formed',
    bank: { bodies: { 'payments.create': { required: ['creditorAddress.country'] } } },
    call: paymentWith({}),
  },
  'bodies.*.optional': {
    rule: 'consents/body-well-formed',
    bank: { bodies: { 'consents.create': { optional: ['combinedServiceIndicator'] } } },
    call: consentWith({ combinedServiceIndicator: undefined }),
  },
  'bodies.*.values.*': {
    rule: 'payments/periodic-frequency',
    bank: { ...PERIODIC, bodies: { 'payments.create': { values: { frequency: ['WEEK'] } } } },
    without: PERIODIC,
    call: paymentWith({ frequency: 'WEEK' }, { params: { paymentService: 'periodic-payments' } }),
  },
  'sca.approaches': {
    rule: 'requests/redirect-uri-present',
    bank: { sca: { approaches: ['embedded'] } },
    call: consentWith({}),
  },
  'sca.oauth': {
    rule: 'requests/headers-of-the-bank',
    bank: { sca: { oauth: 'before' } },
    call: consentWith({}),
  },
  'sca.links.implicit': {
    rule: 'answers/creation-links',
    bank: { sca: { links: { implicit: ['scaRedirect'] } } },
    call: consentWith({}),
    answer: created,
  },
  'sca.links.explicit': {
    rule: 'answers/creation-links',
    bank: { sca: { links: { explicit: ['scaRedirect'] } } },
    call: consentWith({}),
    answer: created,
  },
  'sca.steps': {
    rule: 'requests/authorisation-data',
    bank: { ...OFFERS_PUT, sca: { steps: ['authorisation'] } },
    without: OFFERS_PUT,
    call: { ...PUT, body: { authenticationMethodId: '1' } },
  },
  'access.bearer': { rule: 'accounts/token-present', bank: { access: { bearer: 'none' } }, call: READ },
  'access.consent': {
    rule: 'accounts/consent-id-present',
    bank: { access: { consent: 'none' } },
    call: { operation: 'accounts.list' },
  },
  'access.scopes.AIS': {
    rule: 'oauth/scope-form',
    bank: { access: { scopes: { AIS: ['ais:{id}'] } } },
    call: authorised('ais:C'),
  },
  'access.scopes.PIS': {
    rule: 'oauth/scope-form',
    bank: { access: { scopes: { PIS: ['payments'] } } },
    call: authorised('payments'),
  },
  'access.scopes.PIIS': {
    rule: 'oauth/scope-form',
    bank: { access: { scopes: { PIIS: ['funds', 'piis:{id}'] } } },
    call: authorised('funds piis:C'),
  },
  'access.kinds': {
    rule: 'consents/access-is-one-kind',
    bank: { access: { kinds: ['cards'] } },
    call: consentWith({ access: { cards: [{ maskedPan: '1' }] } }),
  },
  'headers.required.*': {
    rule: 'requests/headers-of-the-bank',
    bank: { headers: { required: { 'PSU-ID': ['consents.*'] } } },
    call: consentWith({}),
  },
  'headers.optional.*': {
    rule: 'requests/psu-ip-address-present',
    bank: { headers: { optional: { 'PSU-IP-Address': ['*'] } } },
    call: consentWith({}),
  },
  'headers.forbidden.*': {
    rule: 'requests/headers-of-the-bank',
    bank: { headers: { forbidden: { 'PSU-ID': ['*'] } } },
    call: consentWith({}, { headers: { 'PSU-ID': 'anton' } }),
  },
  'headers.digest': {
    rule: 'signature/digest-present',
    bank: { headers: { digest: 'required' } },
    call: consentWith({}),
  },
  'headers.signature': {
    rule: 'signature/present',
    bank: { headers: { signature: 'required' } },
    call: consentWith({}),
  },
  'access.boundTo': {
    rule: 'accounts/token-belongs-to-tpp',
    bank: { access: { boundTo: 'certificate' } },
    call: { operation: 'accounts.list', headers: BEARER },
    ledger: aLedger({ tokens: aToken({ certificate: 'of another certificate' }) }),
  },
  'query.further.*': {
    rule: 'requests/known-query',
    bank: { query: { further: { currency: ['accounts.*'] } } },
    call: { ...READ, query: 'currency=EUR' },
  },
  'query.optional.*': {
    rule: 'accounts/booking-status',
    bank: { query: { optional: { bookingStatus: ['accounts.transactions'] } } },
    call: { operation: 'accounts.transactions' },
  },
  'oauth.grants': {
    rule: 'oauth/grant-type',
    bank: { oauth: { grants: ['client_credentials'] } },
    call: exchangeWith({ grant_type: 'client_credentials' }),
  },
  'oauth.responseTypes': {
    rule: 'oauth/response-type',
    bank: { oauth: { responseTypes: ['CODE'] } },
    call: authorizeWith({ response_type: 'CODE' }),
  },
  'oauth.optional': {
    rule: 'oauth/token-parameters',
    bank: { oauth: { optional: ['code_verifier'] } },
    call: exchangeWith({ code_verifier: undefined }),
  },
  'limits.accesses.count': {
    rule: 'accounts/within-daily-limit',
    bank: { limits: { accesses: { count: 'none' } } },
    call: READ,
    ledger: used,
  },
  'limits.accesses.number': {
    rule: 'accounts/within-daily-limit',
    bank: { limits: { accesses: { number: 5 } } },
    call: READ,
    ledger: used,
  },
  'limits.accesses.by': {
    rule: 'accounts/within-daily-limit',
    bank: { limits: { accesses: { by: 'consent' } } },
    call: { ...READ, operation: 'accounts.balances' },
    ledger: used,
  },
  'limits.accesses.zone': {
    rule: 'accounts/within-daily-limit',
    bank: { limits: { accesses: { zone: 'Asia/Tokyo' } } },
    call: READ,
    ledger: used,
  },
  'limits.consentDays': {
    rule: 'consents/valid-until-within-90-days',
    bank: { limits: { consentDays: 180 } },
    call: consentWith({ validUntil: '2026-11-01' }),
  },
  'limits.historyDays': {
    rule: 'accounts/history-within-90-days',
    bank: { limits: { historyDays: 400 } },
    call: { operation: 'accounts.transactions', query: 'dateFrom=2025-06-15', headers: READ.headers },
    ledger: old,
  },
  'statuses.consentStatus': {
    rule: 'answers/consent-status-known',
    bank: { statuses: { consentStatus: ['replaced'] } },
    ...told({ consentStatus: 'replaced' }),
  },
  'statuses.transactionStatus': {
    rule: 'answers/payment-status-known',
    bank: { statuses: { transactionStatus: ['ACTV'] } },
    ...told({ transactionStatus: 'ACTV' }, 'payments.status'),
  },
  'statuses.scaStatus': {
    rule: 'answers/sca-status-known',
    bank: { statuses: { scaStatus: ['waiting'] } },
    ...told({ scaStatus: 'waiting' }, 'consents.authorisations.read'),
  },
  'codes.*': {
    rule: 'answers/error-code-matches-status',
    bank: { codes: { ACCESS_EXCEEDED: [400] } },
    call: READ,
    answer: error('ACCESS_EXCEEDED'),
  },
  links: {
    rule: 'answers/links-are-reachable',
    bank: { links: ['scaApp'] },
    call: consentWith({}),
    answer: { status: 201, body: { _links: { scaApp: { href: 'https://login.bank.example/' } } } },
  },
  ibans: {
    rule: 'payments/iban-valid',
    bank: { ibans: ['AT861921125678901234'] },
    call: paymentWith({ debtorAccount: { iban: 'AT861921125678901234' } }),
  },
  'rules.*.severity': {
    rule: 'requests/psu-ip-address-present',
    bank: { rules: { 'requests/psu-ip-address-present': { severity: 'must', reason: 'It refuses.' } } },
    call: consentWith({}),
  },
  'deviations[].id': { ...NO_LOCATION, bank: deviating({ id: 'other' }), without: deviating() },
  'deviations[].rule': { ...NO_LOCATION, bank: deviating() },
  'deviations[].operations': {
    ...NO_LOCATION,
    bank: deviating({ operations: ['payments.*'] }),
    without: deviating(),
  },
  'deviations[].place': { ...NO_LOCATION, bank: deviating({ place: 'answer body*' }), without: deviating() },
};

/** Members that no verdict depends on, by whoever reads them. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  $schema: 'editors',
  name: 'reports name the profile',
  title: 'reports name the profile',
  standard: 'bank-profile show',
  date: 'bank-profile show',
  'sources[].where': 'bank-profile show',
  'sources[].tells': 'bank-profile show',
  only: 'bank-profile show',
  'paths.further[].says': 'bank-profile show',
  'paths.further[].answers.*': 'the emulator: test/e2e/token-first.test.ts',
  'paths.values.*': 'the emulator: test/spec/dialect.test.ts',
  revocation: 'the gateway: test/e2e/revocation.test.ts',
  'sca.methods[].id': 'the emulator',
  'sca.methods[].type': 'the emulator',
  'sca.methods[].name': 'the emulator',
  'sca.exemptBelow': 'the emulator',
  'rules.*.reason': 'sandgate rules, and reports',
  'deviations[].says': 'bank-profile show',
  'deviations[].sample': 'bank-profile show',
  'deviations[].source': 'bank-profile show',
  'deviations[].emulate': 'the emulator',
};

interface Node {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly additionalProperties?: Node | boolean;
  readonly items?: Node;
  readonly anyOf?: readonly Node[];
}

/** Paths of all members: `[]` stands for an entry of a list, `*` for a name. */
function membersOf({ properties, additionalProperties, items }: Node, path: string): string[] {
  const below = (name: string) => (path === '' ? name : `${path}.${name}`);
  if (properties !== undefined)
    return Object.entries(properties).flatMap(([name, node]) => membersOf(node, below(name)));
  if (items?.properties !== undefined) return membersOf(items, `${path}[]`);
  if (typeof additionalProperties === 'object') return membersOf(additionalProperties, below('*'));
  return [path];
}

function findings({ rule, call, answer, ledger = createLedger() }: Row, bank: Bank | undefined) {
  const dialect = dialectOf(bank && aProfile(bank));
  const judge = createJudge({ rules: RULES, options: { ...judgeOptions(), dialect }, fingerprint });
  const exchange = anExchange({ call: { dialect, ...call }, answer: answer ?? { body: {} } });
  const before = judge.judgeCall(exchange.call, ledger);
  return judge.judgeExchange(exchange, ledger, before).findings.filter((found) => found.rule === rule);
}

describe('a member of a bank profile', () => {
  it('has a row here, each of them', () => {
    const schema = z.toJSONSchema(bankProfile) as Node;
    expect([...Object.keys(ROWS), ...Object.keys(ELSEWHERE)].sort()).toEqual(membersOf(schema, '').sort());
  });

  it.each(Object.entries(ROWS))('%s changes what is found', (_, row) => {
    expect(findings(row, row.bank)).not.toEqual(findings(row, row.without));
  });

  it('is nothing to calls that keep to the built-in interface', () => {
    expect(
      findings(
        {
          rule: 'consents/body-well-formed',
          bank: {},
          call: { operation: 'consents.create', body: CONSENT_BODY },
        },
        {},
      ),
    ).toEqual([]);
  });
});
