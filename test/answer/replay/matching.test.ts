/** What makes two calls the same call, by preset. */
import { describe, expect, it } from 'vitest';
import type { MatchPreset } from '../../../src/answer/replay/options.js';
import { aCertificate, type CallParts } from '../../builders.js';
import { aReplay, numbered } from './a-replay.js';

interface Row {
  readonly recorded: CallParts;
  readonly sent: CallParts;
  /** The presets by which it is the same call. */
  readonly by: readonly MatchPreset[];
}

const PRESETS = ['strict', 'psd2', 'loose'] as const;
const ALL = PRESETS;
const BUT_STRICT = ['psd2', 'loose'] as const;

const consent = {
  access: { allPsd2: 'allAccounts' },
  recurringIndicator: true,
  validUntil: '2026-08-01',
  frequencyPerDay: 4,
};
const create: CallParts = { operation: 'consents.create', body: consent };
const funds: CallParts = {
  operation: 'funds-confirmations.create',
  body: { account: { iban: 'BE67983610020587' }, instructedAmount: { currency: 'EUR', amount: '1.50' } },
};
const fundsWith = (iban: string, amount: unknown, currency = 'EUR'): CallParts => ({
  ...funds,
  body: { account: { iban }, instructedAmount: { currency, amount } },
});
const transfer: CallParts = {
  operation: 'payments.create',
  body: {
    instructedAmount: { currency: 'EUR', amount: '1.00' },
    creditorName: 'Jane Doe',
    endToEndIdentification: 'A',
  },
};
const transactions: CallParts = {
  operation: 'accounts.transactions',
  headers: { Authorization: 'Bearer t', 'Consent-Id': 'C' },
};
const token = (form: Record<string, string>): CallParts => ({ operation: 'oauth.token', form });
const exchange = { grant_type: 'authorization_code', code: 'CODE', client_id: 'A', code_verifier: 'v' };
const status = (headers: Record<string, string>): CallParts => ({ operation: 'consents.status', headers });

const rows: Readonly<Record<string, Row>> = {
  'another X-Request-ID': {
    recorded: create,
    sent: { ...create, headers: { 'X-Request-ID': '11111111-1111-4111-8111-111111111111' } },
    by: ALL,
  },
  'members of the body in another order': {
    recorded: create,
    sent: { ...create, body: Object.fromEntries(Object.entries(consent).reverse()) },
    by: ALL,
  },
  'a body written with blanks and line breaks': {
    recorded: create,
    sent: { ...create, body: JSON.stringify(consent, null, 2) },
    by: ALL,
  },
  'a member more': { recorded: create, sent: { ...create, body: { ...consent, x: 1 } }, by: ['loose'] },
  'a member of another type': {
    recorded: create,
    sent: { ...create, body: { ...consent, frequencyPerDay: '5' } },
    by: ['loose'],
  },
  'an amount with another number of decimals': {
    recorded: funds,
    sent: fundsWith('BE67983610020587', '1.5'),
    by: BUT_STRICT,
  },
  'another amount': { recorded: funds, sent: fundsWith('BE67983610020587', '1.51'), by: ['loose'] },
  'an IBAN in groups of four and small letters': {
    recorded: funds,
    sent: fundsWith('be67 9836 1002 0587', '1.50'),
    by: BUT_STRICT,
  },
  'a currency in small letters': {
    recorded: funds,
    sent: fundsWith('BE67983610020587', '1.50', 'eur'),
    by: BUT_STRICT,
  },
  'an endToEndIdentification of the client': {
    recorded: transfer,
    sent: { ...transfer, body: { ...(transfer.body as object), endToEndIdentification: 'B' } },
    by: BUT_STRICT,
  },
  'another creditor': {
    recorded: transfer,
    sent: { ...transfer, body: { ...(transfer.body as object), creditorName: 'John Doe' } },
    by: ['loose'],
  },
  'another product': {
    recorded: transfer,
    sent: { ...transfer, params: { paymentProduct: 'instant-sepa-credit-transfers' } },
    by: [],
  },
  'an empty object instead of no body': {
    recorded: { operation: 'consents.authorisations.create' },
    sent: { operation: 'consents.authorisations.create', body: {} },
    by: BUT_STRICT,
  },
  'query parameters in another order': {
    recorded: { ...transactions, query: 'bookingStatus=booked&withBalance=true' },
    sent: { ...transactions, query: 'withBalance=true&bookingStatus=booked' },
    by: ALL,
  },
  'another bookingStatus': {
    recorded: { ...transactions, query: 'bookingStatus=booked' },
    sent: { ...transactions, query: 'bookingStatus=pending' },
    by: [],
  },
  'withBalance=false instead of nothing': {
    recorded: { ...transactions, query: 'bookingStatus=booked' },
    sent: { ...transactions, query: 'bookingStatus=booked&withBalance=false' },
    by: BUT_STRICT,
  },
  'a query parameter that nobody knows': {
    recorded: { ...transactions, query: 'bookingStatus=booked' },
    sent: { ...transactions, query: 'bookingStatus=booked&trace=1' },
    by: BUT_STRICT,
  },
  'another period': {
    recorded: { ...transactions, query: 'bookingStatus=booked&dateFrom=2026-05-01' },
    sent: { ...transactions, query: 'bookingStatus=booked&dateFrom=2026-04-01' },
    by: ['loose'],
  },
  'a period that begins a day later, as in another time zone': {
    recorded: { ...transactions, query: 'bookingStatus=booked&dateFrom=2026-05-01' },
    sent: { ...transactions, query: 'bookingStatus=booked&dateFrom=2026-05-02' },
    by: ALL,
  },
  'form fields in another order': {
    recorded: token(exchange),
    sent: token(Object.fromEntries(Object.entries(exchange).reverse())),
    by: ALL,
  },
  'another verifier': {
    recorded: token(exchange),
    sent: token({ ...exchange, code_verifier: 'w' }),
    by: ALL,
  },
  'another client_id': {
    recorded: token(exchange),
    sent: token({ ...exchange, client_id: 'B' }),
    by: BUT_STRICT,
  },
  'another grant': {
    recorded: token(exchange),
    sent: token({ ...exchange, grant_type: 'refresh_token' }),
    by: [],
  },
  'a scheme in small letters': {
    recorded: transactions,
    sent: { ...transactions, headers: { Authorization: 'bearer t', 'Consent-Id': 'C' } },
    by: ALL,
  },
  'a token where the export of a browser left it out': {
    recorded: { operation: 'accounts.list', headers: { 'Consent-Id': 'C' } },
    sent: { operation: 'accounts.list', headers: { Authorization: 'Bearer t', 'Consent-Id': 'C' } },
    by: ['loose'],
  },
  'another address of the PSU': {
    recorded: status({ 'PSU-IP-Address': '192.0.2.1' }),
    sent: status({ 'PSU-IP-Address': '2001:db8::1' }),
    by: BUT_STRICT,
  },
  'no PSU present': { recorded: status({ 'PSU-IP-Address': '192.0.2.1' }), sent: status({}), by: ['loose'] },
  'no Accept instead of JSON': {
    recorded: status({ Accept: 'application/json' }),
    sent: status({}),
    by: BUT_STRICT,
  },
  'any media type instead of JSON': {
    recorded: status({ Accept: 'application/json; charset=utf-8' }),
    sent: status({ Accept: '*/*' }),
    by: BUT_STRICT,
  },
  'problem documents asked for': {
    recorded: status({ Accept: 'application/json' }),
    sent: status({ Accept: 'application/problem+json' }),
    by: ['loose'],
  },
  'no certificate': { recorded: status({}), sent: { ...status({}), certificate: 'absent' }, by: ['loose'] },
  'an empty code': { recorded: token(exchange), sent: token({ ...exchange, code: '' }), by: ['loose'] },
  'a certificate for seals': {
    recorded: status({}),
    sent: { ...status({}), certificate: aCertificate({ qcType: ['eseal'] }) },
    by: ['loose'],
  },
  'a certificate for websites instead of one for seals': {
    recorded: { ...status({}), certificate: aCertificate({ qcType: ['eseal'] }) },
    sent: status({}),
    by: ['loose'],
  },
  'a certificate for seals where the recording knows of none': {
    recorded: { ...status({}), certificate: 'not-observed' },
    sent: { ...status({}), certificate: aCertificate({ qcType: ['eseal'] }) },
    by: ALL,
  },
  'a certificate without a type instead of one for websites': {
    recorded: status({}),
    sent: { ...status({}), certificate: aCertificate({ qcType: [] }) },
    by: ALL,
  },
  'an id that the recording did not have': {
    recorded: { operation: 'consents.status', params: { consentId: 'RECORDED' } },
    sent: { operation: 'consents.status', params: { consentId: 'OWN' } },
    by: ALL,
  },
  'another method on the same path': {
    recorded: { operation: 'consents.read' },
    sent: { operation: 'consents.delete' },
    by: [],
  },
  'HEAD instead of GET': {
    recorded: { operation: 'consents.read' },
    sent: { operation: 'consents.read', method: 'HEAD' },
    by: [],
  },
  'another path of no operation': {
    recorded: { target: '/stdgroup/v1/acounts' },
    sent: { target: '/stdgroup/v1/acount' },
    by: [],
  },
};

describe('a call is the recorded one', () => {
  it.each(Object.entries(rows).flatMap(([name, row]) => PRESETS.map((preset) => ({ name, ...row, preset }))))(
    'with $name: by $preset as the table says',
    async ({ recorded, sent, by, preset }) => {
      const { ask } = aReplay([{ call: recorded, answer: numbered(1) }], { match: preset });
      const seen = await ask(sent);
      expect(seen?.miss?.text ?? 'the same').toMatch(by.includes(preset) ? /^the same$/ : /The recording/);
    },
  );

  it.each(Object.values(rows))('as it was recorded: $recorded.operation', async ({ recorded }) => {
    for (const match of PRESETS) {
      const { ask } = aReplay([{ call: recorded, answer: numbered(1) }], { match });
      expect((await ask(recorded))?.json).toEqual({ n: 1 });
    }
  });
});

describe('an override', () => {
  const override = (places: Record<string, 'equal' | 'ignore' | 'present' | 'free' | 'bind' | 'date'>) => ({
    overrides: { 'funds-confirmations.create': { places } },
  });
  const ask = async (sent: CallParts, settings: Parameters<typeof aReplay>[1]) =>
    (await aReplay([{ call: funds, answer: numbered(1) }], settings).ask(sent))?.miss === null;
  const other = fundsWith('BE67983610020587', '9.99');

  it.each([
    ['ignores a member', override({ 'body instructedAmount.amount': 'ignore' }), other, true],
    ['ignores a member by its name', override({ 'body amount': 'ignore' }), other, true],
    ['ignores all of a body', override({ 'body *': 'ignore' }), other, true],
    ['asks for a member to be there', override({ 'body amount': 'present' }), other, true],
    ['is for its place only', override({ 'body amount': 'ignore' }), fundsWith('X', '1.50'), false],
    [
      'adds a header',
      override({ 'header psu-ip-address': 'equal' }),
      { ...funds, headers: { 'PSU-IP-Address': '192.0.2.1' } },
      false,
    ],
    [
      'takes another preset',
      { overrides: { 'funds-confirmations.create': { preset: 'loose' } } },
      other,
      true,
    ],
    ['is for its operation only', { overrides: { 'consents.create': { preset: 'loose' } } }, other, false],
  ] as const)('%s', async (_, settings, sent, same) => {
    expect(await ask(sent, settings)).toBe(same);
  });

  it('of lists is for every position', async () => {
    const call = (one: string, two: string): CallParts => ({
      operation: 'consents.create',
      body: { access: { accounts: [{ iban: one }, { iban: two }] } },
    });
    const settings = {
      overrides: { 'consents.create': { places: { 'body access.accounts.iban': 'ignore' } } },
    };
    const { ask } = aReplay([{ call: call('A', 'B') }], settings as Parameters<typeof aReplay>[1]);
    expect((await ask(call('C', 'D')))?.miss).toBeNull();
  });
});
